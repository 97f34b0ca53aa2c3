"""The lines of a switch matrix and their names."""

from collections.abc import Iterator
from typing import Final

LINES: Final = 15
FILES: Final = "ABCDEFGHIJKLMNO"

Crossing = tuple[int, int]
"""Select line and sense line, 0..14 each."""


def bits(word: int) -> Iterator[int]:
    """The places of the ones in a word, the lowest first."""
    while word:
        low = word & -word
        yield low.bit_length() - 1
        word ^= low
