"""A daemon as a process of its own, with a hand at its simulated table and an eye on its feed."""

import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

DEADLINE_S = 60.0
REACH_S = 0.06


class Daemon:
    """`renju-board run` with a free port and a journal in `folder`."""

    def __init__(self, folder: Path, *settings: str, options: Sequence[str] = ()) -> None:
        self.folder = folder
        given = ["web.port=0", f"journal.path={folder}/journal.db", *settings]
        arguments = [arg for setting in given for arg in ("--set", setting)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "firmware_host.cli", "run", *arguments, *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
        )
        self.port = self._read_port()

    def _read_port(self) -> int:
        assert self.process.stdout is not None
        ready, _, _ = select.select([self.process.stdout], [], [], DEADLINE_S)
        line = self.process.stdout.readline() if ready else ""
        found = re.search(r":(\d+)/", line)
        if found is None:
            self.process.kill()
            raise AssertionError(f"no address in {line!r}; {self.process.communicate()[1]}")
        return int(found[1])

    def ask(self, path: str, given: dict[str, Any] | None = None) -> dict[str, Any]:
        """GET a JSON object, or POST one and take the answer."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE_S)
        with contextlib.closing(connection):
            if given is None:
                connection.request("GET", path)
            else:
                connection.request("POST", path, json.dumps(given), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            body = json.loads(answer.read())
        if answer.status != 200:
            raise AssertionError(f"{path} {given}: {answer.status} {body}")
        return dict(body)

    def hand(self, do: str, **fields: str) -> None:
        """One verb of the hand at the simulated table."""
        self.ask("/sim/hand", {"do": do, **fields})

    def reach(self) -> None:
        """The hand goes from the stone to the key; nobody presses within 10 ms of letting go."""
        threading.Event().wait(REACH_S)

    def command(self, do: str, **fields: Any) -> list[dict[str, Any]]:
        """An order of the arbiter, and its rulings."""
        return list(self.ask("/command", {"do": do, **fields})["rulings"])

    def wait_for(self, what: str, path: str = "/arbiter.json", **wanted: Any) -> dict[str, Any]:
        """Ask until the snapshot has these values; a number: so many of them, a set: one of them."""
        end = time.monotonic() + DEADLINE_S
        while True:
            got = self.ask(path)
            if all(_is(got[key], value) for key, value in wanted.items()):
                return got
            seen = {key: got[key] for key in wanted}
            assert time.monotonic() < end, f"{what}: {seen}, wanted {wanted}; {self.ask('/arbiter.json')}"
            threading.Event().wait(0.02)

    def kill(self) -> None:
        """As a power cut for the program: SIGKILL."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> tuple[int, str]:
        """SIGTERM; the exit code and what stood on standard error."""
        self.process.send_signal(signal.SIGTERM)
        try:
            errors = self.process.communicate(timeout=DEADLINE_S)[1]
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        return self.process.returncode, errors


def _is(got: Any, wanted: Any) -> bool:
    if isinstance(wanted, set):
        return got in wanted
    return (len(got) if isinstance(wanted, int) and isinstance(got, list) else got) == wanted


class Follower:
    """Everything that a stream sends, collected by a thread of its own until the connection ends."""

    def __init__(self, daemon: Daemon, path: str = "/events") -> None:
        self.messages: list[tuple[int, dict[str, Any]]] = []
        self._connection = HTTPConnection("127.0.0.1", daemon.port, timeout=DEADLINE_S)
        self._connection.request("GET", path)
        self._answer = self._connection.getresponse()
        self._thread = threading.Thread(target=self._follow, daemon=True)
        self._thread.start()

    def _follow(self) -> None:
        number = 0
        with contextlib.suppress(OSError, ValueError):
            for line in self._lines():
                if line.startswith("id: "):
                    number = int(line.rpartition("-")[2])
                elif line.startswith("data: ") and number is not None:
                    self.messages.append((number, json.loads(line[6:])))

    def _lines(self) -> Iterator[str]:
        while raw := self._answer.readline():
            yield raw.decode().rstrip("\n")

    def wait_for_moves(self, moves: int) -> None:
        """Come back when a message with so many moves has come."""
        deadline = time.monotonic() + DEADLINE_S
        while not self.messages or len(self.messages[-1][1]["moves"]) < moves:
            assert time.monotonic() < deadline, f"no message with {moves} moves: {self.messages[-1:]}"
            time.sleep(0.01)

    def close(self) -> None:
        """Stop following, and wait for the thread."""
        with contextlib.suppress(OSError):
            if self._connection.sock is not None:
                self._connection.sock.shutdown(socket.SHUT_RDWR)
        self._thread.join(DEADLINE_S)
        self._connection.close()
