"""The exception tree of the host.

A player's mistake is never one of these: it is a Ruling. These are for callers and files, and each
message names the thing, its value and what is allowed. Faults of devices are in `hw`.
"""


class BoardError(Exception):
    """Root of every error that this package raises on purpose."""


class NotationError(BoardError, ValueError):
    """A text that does not name what it should: a point, a position, a move list, a time control."""


class IllegalMove(BoardError, ValueError):
    """A move that cannot stand on this position: the point is occupied, or the colour is wrong."""


class RecordError(BoardError, ValueError):
    """A file of records (trace, journal, game) that cannot be read; `line` is 1-based, None for the whole.

    `move`, from 1, is the move that is wrong, where one is; `reason` is the message without the place.
    """

    def __init__(self, message: str, line: int | None = None, move: int | None = None) -> None:
        place = ("" if line is None else f"line {line}: ") + ("" if move is None else f"move {move}: ")
        super().__init__(place + message)
        self.reason = message
        self.line = line
        self.move = move


class ConfigError(BoardError, ValueError):
    """A setting that does not exist or is out of range."""

    def __init__(
        self, key: str, value: object, allowed: str, shown: str | None = None, why: str = ""
    ) -> None:
        """`shown`: the value as people write it, where that is not its `repr`; `why`: what is wrong in it."""
        said = why and f": {why}"
        super().__init__(f"{key} = {shown or repr(value)} is not possible{said}; allowed: {allowed}")
        self.key = key
        self.value = value
        self.allowed = allowed
        self.why = why
