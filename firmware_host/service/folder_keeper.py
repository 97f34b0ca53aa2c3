"""Keeps a folder up to date for programs that watch it; a failure is told and never a stop.

Each file is replaced as a whole. The folder itself is not made: where a stick or a share is missing, nothing
must be written to the place where it is usually mounted.
"""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Final

from firmware_host.errors import BoardError, RecordError
from firmware_host.service.safe_files import replace_file

AGAIN_S: Final = 5.0
"""So long after a failure the folder is tried again."""

CLOSE_S: Final = 2.0
"""So long the end of the daemon waits for files that are being written."""

Files = dict[str, Callable[[], bytes]]
"""What is to be written: paths within the folder, and what gives the bytes."""


class FolderKeeper:
    """Writes files to a folder in a thread of its own; the newest of each path wins."""

    def __init__(self, folder: Path, again_s: float = AGAIN_S) -> None:
        self.folder = folder
        self._again_s = again_s
        self._changed = threading.Condition()
        self._waiting: Files = {}
        self._fault = ""
        self._busy = False
        self._closing = False
        self._worker = threading.Thread(target=self._work, name="published files", daemon=True)
        self._worker.start()

    @property
    def fault(self) -> str:
        """One sentence, empty while all is well."""
        with self._changed:
            return self._fault

    def put(self, files: Files) -> None:
        """Have files written, soon; never blocks."""
        with self._changed:
            self._waiting = {**self._waiting, **files}
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> bool:
        """Wait until everything is written; False when that took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._busy), timeout_s)

    def close(self) -> None:
        """Write what waits, within `CLOSE_S`."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._worker.join(CLOSE_S)

    def _work(self) -> None:
        while True:
            with self._changed:
                if self._fault:
                    self._changed.wait(self._again_s)
                else:
                    self._changed.wait_for(lambda: self._closing or self._waiting)
                if not self._waiting or (self._closing and self._fault):
                    return
                files, self._waiting = self._waiting, {}
                self._busy = True
            left, fault = self._write(files)
            with self._changed:
                self._waiting = {**left, **self._waiting}
                self._fault = fault
                self._busy = False
                self._changed.notify_all()

    def _write(self, files: Files) -> tuple[Files, str]:
        """What could not be written, and why. One file that cannot be made keeps no other one back."""
        left: Files = {}
        fault = ""
        for path, give in files.items():
            try:
                if not self.folder.is_dir():
                    raise RecordError(f"{self.folder}: there is no such folder")
                replace_file(self.folder / path, give())
            except Exception as error:  # whatever it is, it is told, and tried again
                said = str(error) if isinstance(error, BoardError) else f"{type(error).__name__}: {error}"
                fault = f"the files for programs that watch a folder are not up to date: {said}"
                left[path] = give
        return left, fault
