"""CPU time of a frame of the gpio scanner; its calls of the kernel are measured by `scripts/test-devices`."""

from collections.abc import Callable
from time import process_time_ns

from hw.gpio_scanner import GpioScanner
from hw.simulator.matrix import sense_table

FRAMES = 5_000


class _Lines:
    """Pins that cost nothing; a stone comes or goes every `every` frames."""

    def __init__(self, every: int) -> None:
        board = bytes(i * i % 7 < 2 for i in range(225))
        with_stone = bytes([1 - board[0], *board[1:]])
        self._tables = sense_table(board), sense_table(with_stone)
        self._every = every
        self._frame = 0
        self._code = 0

    def select(self, code: int) -> None:
        self._code = code
        self._frame += code == 0

    def sense(self) -> int:
        return self._tables[self._frame // self._every % 2][self._code]

    def close(self) -> None:
        pass


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    return [
        ("a frame of the gpio scanner without its 32 calls", f"{_each_us(lambda: _Lines(1 << 30)):.1f} us"),
        ("the same when a stone has come or gone", f"{_each_us(lambda: _Lines(1)):.1f} us"),
    ]


def _each_us(lines: Callable[[], _Lines]) -> float:
    scanner = GpioScanner(lines, 1000, settle_us=0, sleep=lambda _: None)
    start = process_time_ns()
    for _ in range(FRAMES):
        scanner.read()
    return (process_time_ns() - start) / FRAMES / 1000
