"""A table for referee tests: a script of stones and keys, each a tenth of a second after the one before.

| token | what |
|---|---|
| `bH8` `wH8` `?H8` | a black, white or colourless stone touches H8 |
| `-bH8` | it is lifted |
| `bH8>I8>J8` | it slides; the slide's first contact is 50 ms before its end |
| `~bH8` | it is straightened |
| `n` `f` `nc` `fc` `ak` | a key: near, far, the call keys, the arbiter's |
| `nm` `fm` | a call key that is held |
| `+1500` | 1500 ms go by |
"""

from typing import Any

from firmware_host.board import BLACK, WHITE, Colour, parse_point, point_name
from firmware_host.referee.commands import parse_command
from firmware_host.referee.final import final, moves
from firmware_host.referee.inputs import Input, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import AnyRuling
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Adjusted, Lifted, Placed, Scattered, Seen, Slid

MS = 1_000_000
KEYS = {
    "n": "near",
    "f": "far",
    "nc": "near-call",
    "fc": "far-call",
    "ak": "arbiter",
    "nm": "near-menu",
    "fm": "far-menu",
}
COLOURS = {"b": BLACK, "w": WHITE, "?": None}

FREE = {"opening": "free"}


class Table:
    """A referee and the instant at which things happen; `rulings` are those since the last `do` or `say`."""

    def __init__(
        self, *, start: bool = True, absent: frozenset[Colour] = frozenset(), **settings: Any
    ) -> None:
        self.referee = Referee(match_settings({**FREE, **settings}), absent)
        self.t_ns = 0
        self.rulings: list[AnyRuling] = []
        self.log: list[AnyRuling] = []
        if start:
            self.say("start")

    def give(self, *given: Input) -> list[AnyRuling]:
        self.rulings = [ruling for one in given for ruling in self.referee.rule(one)]
        self.log += self.rulings
        return self.rulings

    def do(self, script: str) -> list[AnyRuling]:
        told: list[AnyRuling] = []
        for token in script.split():
            if token.startswith("+"):
                self.t_ns += int(token[1:]) * MS
                told += self.give(Tick(t_ns=self.t_ns))
                continue
            self.t_ns += 100 * MS
            told += self.give(self.input(token))
        self.rulings = told
        return told

    def input(self, token: str) -> Input:
        t_ns = self.t_ns
        if token in KEYS:
            return KeyPress(t_ns=t_ns, key=KEYS[token])
        mark, token = (token[0], token[1:]) if token[0] in "-~" else ("", token)
        colour = COLOURS[token[0]]
        points = tuple(parse_point(p) for p in token[1:].split(">"))
        if len(points) > 1:
            return Slid(t_ns=t_ns, path=points, colour=colour, first_contact_ns=t_ns - 50 * MS)
        kind = {"-": Lifted, "~": Adjusted, "": Placed}[mark]
        return kind(t_ns=t_ns, point=points[0], colour=colour)

    def say(self, do: str, **fields: Any) -> list[AnyRuling]:
        self.t_ns += 100 * MS
        return self.give(parse_command({"do": do, **fields}, self.t_ns))

    def scatter(self, *names: str) -> list[AnyRuling]:
        self.t_ns += 100 * MS
        return self.give(Scattered(t_ns=self.t_ns, points=tuple(map(parse_point, names))))

    def see(self, **stones: str) -> list[AnyRuling]:
        """Everything that lies there: `see(X="H8 I9", O="J10")`."""
        self.t_ns += 100 * MS
        cells = ["."] * 225
        for char, names in stones.items():
            for name in names.split():
                cells[parse_point(name)] = char
        return self.give(Seen(t_ns=self.t_ns, stones="".join(cells)))

    @property
    def moves(self) -> str:
        """The record as a text; `-` is a pass or an open entry."""
        return " ".join(name or "-" for name in moves(self.referee))

    @property
    def irregular(self) -> list[tuple[str, str | None]]:
        return [(i["code"], i["point"]) for i in final(self.referee)["irregular"]]

    def left(self) -> tuple[float, float]:
        """Milliseconds left of Black and White."""
        left = final(self.referee, self.t_ns)["remaining_ms"]
        return left["black"], left["white"]

    def kinds(self) -> list[str]:
        """The words of the last rulings."""
        return [type(ruling).__struct_config__.tag for ruling in self.rulings]

    def of(self, kind: type[Any]) -> list[Any]:
        """All rulings of a kind so far."""
        return [ruling for ruling in self.log if isinstance(ruling, kind)]

    def differences(self) -> list[str]:
        return [point_name(p) for p, _, _ in self.referee.differences()]


SET_UP = "bH8 wI9 bJ8 n"
"""I3, the indirect opening with Black 3 on J8."""
FOUR = SET_UP + " wI7 f"
FIVE = "bH8 n wA1 f bI8 n wA3 f bJ8 n wA5 f bK8 n wA7 f bL8 n"
DOUBLE_THREE = "bH8 n wA1 f bI8 n wA3 f bG9 n wA5 f bG10 n wA7 f bG8 n"
"""Black 9 on L8 makes a five; Black 9 on G8 a double-three."""


def designated(**settings: Any) -> Table:
    """A table with the designated opening."""
    return Table(opening="designated", **settings)
