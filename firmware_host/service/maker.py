"""Who is asked while a board is checked: the person who built it, nobody, or the hand of the simulator."""

import select
import sys
from collections.abc import Callable
from typing import Protocol

import click

from firmware_host.board import NAMES, SIZE, Point
from hw import KeyName, Seat
from hw.devices import VirtualClock
from hw.segments import DIGITS, encode
from hw.simulator.table import SimulatedTable

COLOURS = {1: "black", -1: "white"}
KEY_WORDS: dict[KeyName, str] = {
    "near": "the clock key of the near seat",
    "far": "the clock key of the far seat",
    "near-call": "the call key of the near seat",
    "far-call": "the call key of the far seat",
    "arbiter": "the arbiter's key",
}


def face_picture(text: str) -> tuple[bytes, bool]:
    """Segments and colon of a text, set to the left of a face."""
    segments, colon = encode(text)
    return segments.ljust(DIGITS, b"\0"), colon


class Maker(Protocol):
    """Hands and eyes beside the board. A None for an answer: nobody has looked."""

    wait_s: float
    """How long a stone or a key is waited for."""

    def say(self, text: str) -> None:
        """Tell what is going on."""

    def clear_board(self) -> None:
        """Take every stone off; comes back when that is done, or nobody can."""

    def lay(self, point: Point, sign: int) -> bool:
        """Lay a black (1) or white (-1) stone, now or soon; False: it will not be."""

    def sweep(self, sign: int) -> None:
        """Push a black (1) or white (-1) stone over all points, now or soon."""

    def press(self, key: KeyName) -> bool:
        """Press a key, now or soon; False: it will not be."""

    def sees(self, seat: Seat, text: str) -> bool | None:
        """Whether a face shows a text."""

    def hears(self) -> bool | None:
        """Whether a tone sounded."""

    def wants(self, question: str) -> bool:
        """Whether a part of the check that needs hands is wanted."""

    def gives_up(self) -> bool:
        """Whether what is waited for will not come."""


class Nobody:
    """Nobody is there: nothing is asked, and what needs hands or eyes is not judged."""

    wait_s = 0.0

    def __init__(self, say: Callable[[str], None] = click.echo) -> None:
        self.say = say

    def clear_board(self) -> None:
        """The board is taken to be empty."""

    def lay(self, point: Point, sign: int) -> bool:  # noqa: ARG002
        """No stone."""
        return False

    def sweep(self, sign: int) -> None:
        """No stone."""

    def press(self, key: KeyName) -> bool:  # noqa: ARG002
        """No key."""
        return False

    def sees(self, seat: Seat, text: str) -> bool | None:  # noqa: ARG002
        """Nobody looks."""
        return None

    def hears(self) -> bool | None:
        """Nobody listens."""
        return None

    def wants(self, question: str) -> bool:  # noqa: ARG002
        """Nothing that needs hands."""
        return False

    def gives_up(self) -> bool:
        """At once."""
        return True


class Person:
    """Somebody at the terminal."""

    wait_s = 60.0

    def __init__(self, say: Callable[[str], None], pause: Callable[[], None]) -> None:
        """`pause` lets go of the terminal before a question."""
        self.say = say
        self._pause = pause

    def clear_board(self) -> None:
        """Asked for, with Enter when it is done."""
        self._pause()
        click.prompt("Take every stone off the board, then press Enter", default="", show_default=False)

    def lay(self, point: Point, sign: int) -> bool:
        """Asked for."""
        self.say(f"Lay a {COLOURS[sign]} stone on {NAMES[point]} (Enter: go on without).")
        return True

    def sweep(self, sign: int) -> None:
        """Asked for."""
        self.say(
            f"Push a {COLOURS[sign]} stone over all points, in any order: best along every rank, then along"
            " every file. A point that has seen it is marked. Enter ends it."
        )

    def press(self, key: KeyName) -> bool:
        """Asked for."""
        self.say(f"Press {KEY_WORDS[key]} (Enter: go on without).")
        return True

    def sees(self, seat: Seat, text: str) -> bool | None:
        """Asked."""
        self._pause()
        return click.confirm(
            f"Does the face of the {seat} seat show {text}, every stroke of it?", default=True
        )

    def hears(self) -> bool | None:
        """Asked."""
        self._pause()
        return click.confirm("Did you hear a tone?", default=True)

    def wants(self, question: str) -> bool:
        """Asked."""
        self._pause()
        return click.confirm(question, default=True)

    def gives_up(self) -> bool:
        """Whether Enter was pressed."""
        if select.select([sys.stdin], [], [], 0)[0]:
            sys.stdin.readline()
            return True
        return False


class SimulatedMaker:
    """The hand of a simulated table, and eyes on its virtual chips."""

    wait_s = 4.0

    def __init__(self, now_ns: Callable[[], int], say: Callable[[str], None] = click.echo) -> None:
        self.say = say
        self.table: SimulatedTable | None = None
        self.clock: VirtualClock | None = None
        self._now_ns = now_ns

    def clear_board(self) -> None:
        """The hand takes them off."""
        if self.table is not None:
            self.table.clear(self._now_ns())

    def lay(self, point: Point, sign: int) -> bool:
        """The hand lays one."""
        if self.table is None:
            return False
        self.table.place(self._now_ns(), point, "black" if sign > 0 else "white")
        return True

    def sweep(self, sign: int) -> None:
        """The hand pushes one along every rank and every file, there and back."""
        if self.table is not None:
            there = [n * SIZE + (m if n % 2 == 0 else SIZE - 1 - m) for n in range(SIZE) for m in range(SIZE)]
            files = [p % SIZE * SIZE + p // SIZE for p in there]
            path = [*there, *reversed(files)]
            self.table.place_sliding(self._now_ns(), path, "black" if sign > 0 else "white")

    def press(self, key: KeyName) -> bool:
        """The hand presses it."""
        if self.table is None:
            return False
        self.table.press(self._now_ns(), key)
        return True

    def sees(self, seat: Seat, text: str) -> bool | None:
        """The chip's memory is looked at."""
        if self.clock is None:
            return None
        shown = self.clock.faces[seat].picture()
        return (shown.segments, shown.colon) == face_picture(text)

    def hears(self) -> bool | None:
        """The chip is looked at."""
        return None if self.clock is None else self.clock.buzzer.sounding() is not None

    def wants(self, question: str) -> bool:  # noqa: ARG002
        """The hand is never tired."""
        return True

    def gives_up(self) -> bool:
        """Never before the time is over."""
        return False
