"""Makes the files of a game at its end, in a thread and a process; a failure is told and never a stop."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from firmware_host.errors import BoardError
from firmware_host.record.game import GameRecord
from firmware_host.referee.rulings import Audience
from firmware_host.service.config import Config, journal_path
from firmware_host.service.game import headed, record_of
from firmware_host.service.game_folder import Filed, file_game, is_filed, records_folder
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.journal_rows import Entry, Game
from firmware_host.service.pdf_process import pdf_apart

CLOSE_S: Final = 4.0
"""So long the end of the daemon waits for files that are being made. systemd gives it 20 s for everything,
and what still waits for the journal's disk comes after them."""


class _Asked(NamedTuple):
    """`records` gives the arbiter's and the public's; `again`: only if the files are not of these records."""

    game: Game
    records: Callable[[], tuple[GameRecord, GameRecord]]
    again: bool


class RecordKeeper:
    """The files of the games of one table, as the configuration says; the newest record of a game wins.

    A game whose files could not be made is tried again when the next files are asked for.
    """

    def __init__(self, config: Config) -> None:
        self.folder: Path = records_folder(config)
        self._settings = config.records
        self._journal = journal_path(config)
        self._changed = threading.Condition()
        self._asked: dict[int, _Asked] = {}
        self._failed: dict[int, _Asked] = {}
        self._faults: dict[int, str] = {}
        """What is not as it should be, by the number of the game."""
        self._busy = False
        self._closing = False
        self._worker: threading.Thread | None = None

    @property
    def fault(self) -> str:
        """One sentence, empty while all is well."""
        with self._changed:
            return "; ".join(dict.fromkeys(self._faults.values()))

    def file(self, game: Game, arbiter: GameRecord, public: GameRecord) -> None:
        """Make the files of a game from its records, soon; never blocks."""
        self._ask(_Asked(game, lambda: (arbiter, public), again=False))

    def file_again(self, game: Game, entries: Sequence[Entry]) -> None:
        """Make the files of a game that ended before this start, if they are not there as it ended."""
        audiences: tuple[Audience, Audience] = ("arbiter", "public")

        def records() -> tuple[GameRecord, GameRecord]:
            arbiter, public = (record_of(game, entries, audience) for audience in audiences)
            return arbiter, public

        self._ask(_Asked(game, records, again=True))

    def _ask(self, asked: _Asked) -> None:
        with self._changed:
            if self._closing:
                return
            self._asked = self._failed | self._asked | {asked.game.number: asked}
            self._failed = {}
            if self._worker is None:
                self._worker = threading.Thread(target=self._work, name="records", daemon=True)
                self._worker.start()
            self._changed.notify_all()

    def wait(self, timeout_s: float) -> bool:
        """Wait until nothing is asked for any more; False when that took too long."""
        with self._changed:
            return self._changed.wait_for(lambda: not (self._asked or self._busy), timeout_s)

    def close(self) -> None:
        """Finish what was asked for, within `CLOSE_S`; what is left is made at the next start."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        if self._worker is not None:
            self._worker.join(CLOSE_S)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._asked)
                if not self._asked:
                    return
                asked = self._asked.pop(next(iter(self._asked)))
                self._busy = True
            number = asked.game.number
            fault, failed = "", {number: asked}
            try:
                fault, failed = "; ".join(self._file(asked).notes), {}
            except Exception as error:  # whatever it is, it is told, and the next game is tried
                said = str(error) if isinstance(error, BoardError) else f"{type(error).__name__}: {error}"
                fault = f"the files of game {number} are not made: {said}"
            finally:
                with self._changed:
                    self._failed.pop(number, None)
                    self._failed |= failed
                    self._faults.pop(number, None)
                    self._faults |= {number: fault} if fault else {}
                    self._busy = False
                    self._changed.notify_all()

    def _file(self, asked: _Asked) -> Filed:
        settings = self._settings
        head = head_of(self._journal, asked.game)
        arbiter, public = (headed(record, head) for record in asked.records())
        if asked.again and is_filed(self.folder, asked.game.number, arbiter):
            return Filed((), ())
        return file_game(
            self.folder,
            asked.game.number,
            arbiter,
            public,
            pdf_apart,
            language=settings.language,
            address=settings.address,
        )


def head_of(journal: Path, game: Game) -> str:
    """The hash that stands for the record of a game; empty while its journal cannot be read."""
    try:
        with JournalReader.open(journal) as reader:
            return reader.head(game)
    except BoardError:
        return ""
