"""The chain of hashes through a journal: once a later hash is known, no change before it goes unseen.

Each row holds SHA-256 of the hash of the row before it, a line feed, and its own content. The rows come in
this order: a game's row, its entries, the next game's row, its entries, and so on. The content is a JSON
array in UTF-8 without white space: `"game"` or `"entry"`, then the row's columns as they are stored, in the
order of the schema, without the hash. What this proves and what it cannot: `docs/journal.md`.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, Final, Literal

import msgspec

START: Final = "0" * 64
"""What the first row of a journal is linked to."""

SHOWN: Final = 16
"""Digits of a hash that are enough for a person to compare: 64 bits."""


def link(previous: str, kind: Literal["game", "entry"], columns: Sequence[Any]) -> str:
    """The hash, 64 hexadecimal digits, of a row with these `columns` after one whose hash is `previous`."""
    content = msgspec.json.encode([kind, *columns])
    return hashlib.sha256(previous.encode("utf-8") + b"\n" + content).hexdigest()


def short(hash_: str) -> str:
    """A hash as a person compares it: its first 16 digits in fours."""
    return " ".join(hash_[at : at + 4] for at in range(0, SHOWN, 4))
