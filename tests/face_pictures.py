"""Pictures of the two faces in every state, drawn from the memory of the virtual chips: `docs/faces.svg`.

`python -m tests.face_pictures` draws the sheet anew; a test compares it with what the chips show.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from firmware_host.board import BLACK, WHITE
from firmware_host.clock import SECOND
from firmware_host.menu import Menus
from firmware_host.referee.inputs import Command, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed
from firmware_host.service.axis import Axis
from firmware_host.service.display import Display
from hw import Seat
from hw.devices import open_devices

ROOT: Final = Path(__file__).parents[1]
SHEET: Final = ROOT / "docs" / "faces.svg"
SEGMENTS_JS: Final = ROOT / "firmware_host" / "web" / "segments.js"

SEATS: Final[tuple[Seat, Seat]] = ("near", "far")
COLUMNS: Final = 2
WIDTH: Final = 380
HEIGHT: Final = 104


class Table:
    """A referee with a display on virtual chips, at an instant."""

    def __init__(self, time: str, **settings: Any) -> None:
        self.now_ns = 0
        self.devices = open_devices({}, now_ns=lambda: self.now_ns)
        self.display = Display(self.devices.faces, self.devices.buzzer, Axis(0, lambda: self.now_ns), 8)
        self.referee = Referee(match_settings({"opening": "free", "time": time, **settings}))
        self.menus = Menus()

    def after(self, seconds: float) -> "Table":
        """Let time pass."""
        until_ns = self.now_ns + round(seconds * SECOND)
        while (deadline := self.referee.deadline_ns) is not None and deadline <= until_ns:
            self.now_ns = deadline
            self.referee.rule(Tick(t_ns=deadline))
        self.now_ns = until_ns
        return self

    def order(self, do: str, **fields: Any) -> "Table":
        """Somebody gives a command."""
        self.referee.rule(Command(t_ns=self.now_ns, do=do, **fields))
        return self

    def key(self, key: Any) -> "Table":
        """A key closes, in a menu if one is open."""
        given = KeyPress(t_ns=self.now_ns, key=key)
        self.menus, taken = self.menus.take(self.referee, given)
        assert taken is None
        return self

    def pictures(self) -> list[tuple[bytes, bool]]:
        """What the two chips hold: near, far."""
        assert self.devices.clock is not None
        self.display.show(self.referee, self.now_ns, self.menus)
        for bus in self.devices.buses:
            assert bus.flush(10.0)
        shown = [self.devices.clock.faces[seat].picture()[:2] for seat in SEATS]
        self.devices.close()
        return shown


def begun(time: str, **settings: Any) -> Table:
    """A table whose round has begun; Black sits near."""
    return Table(time, **settings).order("start")


STATES: Final[dict[str, Callable[[], Table]]] = {
    "before the round: 15m": lambda: Table("15m"),
    "Black's time runs": lambda: begun("15m").after(61.2),
    "2h+30s: the colon winks once a second": lambda: begun("2h+30s").after(700),
    ".. and is dark half of it": lambda: begun("2h+30s").after(700.6),
    "1h: minutes and seconds below one hour": lambda: begun("1h").after(1.2),
    "the last ten seconds: tenths": lambda: begun("15m").after(891.4),
    ".. and none where the control is without tenths": lambda: begun("15m without tenths").after(891.4),
    "the point at the end: a stone was seen": lambda: with_a_stone(),
    "the flag has fallen": lambda: begun("15m").after(900),
    "byo-yomi: 3 periods left, 42 s in this one": lambda: begun("5m + 3x1m").after(318),
    "the last period, its last seconds": lambda: begun("5m + 3x1m").after(477.7),
    "several stages: the point says which, the first": lambda: begun("40 moves/50m then 9m").after(8),
    ".. and the second": lambda: begun("30m then 10 moves/5m").after(1860),
    "shared 40m: both show what is left": lambda: begun("shared 40m").after(125),
    "no limit: the time used": lambda: begun("none").after(83),
    "arbiter's time, adjourned: both colons wink": lambda: begun("15m").after(30).order("pause"),
    ".. and are dark half of each second": lambda: begun("15m").after(30).order("pause").after(0.6),
    "White is late: White's time runs": lambda: late().after(200),
    "a menu is open on White's face": lambda: begun("15m").after(7).key("far-menu"),
    "the arbiter has given Black time": lambda: given_time(),
    "the game is over": lambda: begun("15m").after(75).order("resign", side=WHITE),
    "colours swapped: the time stays with its player": lambda: swapped(),
}
"""What is shown, in words, and how a table comes to it. Black sits at the left face."""


def with_a_stone() -> Table:
    """A stone lies there, and its press is still to come."""
    table = begun("15m").after(14)
    table.referee.rule(Placed(t_ns=table.now_ns, point=112, colour=BLACK, since_ns=table.now_ns))
    return table.after(2)


def late() -> Table:
    """White has not come."""
    table = Table("15m")
    table.referee = Referee(match_settings({"opening": "free", "time": "15m"}), frozenset({WHITE}))
    return table.order("start")


def given_time() -> Table:
    """Five minutes more for Black."""
    return begun("15m").after(70).order("add_time", side=BLACK, ms=300_000, reason="disturbed")


def swapped() -> Table:
    """White has taken Black after move 3: the faces stay as they are."""
    table = begun("15m", opening="designated").after(60)
    for point, colour in ((112, BLACK), (128, WHITE), (114, BLACK)):
        table.referee.rule(Placed(t_ns=table.now_ns, point=point, colour=colour, since_ns=table.now_ns))
    table.referee.rule(KeyPress(t_ns=table.now_ns, key="near"))
    return table.after(45).order("swap", side=WHITE)


def sheet() -> str:
    """All states as one picture."""
    rows = -(-len(STATES) // COLUMNS)
    size = f'viewBox="0 0 {COLUMNS * WIDTH} {rows * HEIGHT + 8}"'
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        f"<style>{STYLE}</style>",
    ]
    for i, (words, table) in enumerate(STATES.items()):
        x, y = i % COLUMNS * WIDTH + 12, i // COLUMNS * HEIGHT + 12
        parts.append(f'<g transform="translate({x} {y})">')
        parts += [face(*shown, left=at * 178) for at, shown in enumerate(table().pictures())]
        parts.append(f'<text x="2" y="86">{words}</text></g>')
    return "\n".join([*parts, "</svg>"]) + "\n"


STYLE: Final = (
    "rect{fill:#17110f}.on{fill:#ff4a30}.off{fill:#2d211d}text{fill:#6b5d4d}"
    "@media(prefers-color-scheme:dark){text{fill:#b9ab9a}}"
)
PATHS: Final = re.findall(r'"(M[^"]+z)"', SEGMENTS_JS.read_text(encoding="utf-8"))
"""The segments a to g of a digit, as the pages draw them."""

LEFT: Final = (0, 24, 56, 80)


def face(digits: bytes, colon: bool, *, left: int) -> str:
    """One face, as the pages draw it."""
    parts = [
        f'<g transform="translate({left} 0) scale(1.38)"><rect width="124" height="50" rx="4"/>',
        '<g transform="translate(11 7) skewX(-6)">',
    ]
    for x, code in zip(LEFT, digits, strict=True):
        parts.append(f'<g transform="translate({x} 0)">')
        parts += [f'<path class="{lit(code >> bit & 1)}" d="{d}"/>' for bit, d in enumerate(PATHS)]
        parts.append(f'<circle class="{lit(code >> 7)}" cx="21.4" cy="34" r="1.8"/></g>')
    parts += [f'<circle class="{lit(colon)}" cx="50" cy="{y}" r="2.2"/>' for y in (11, 25)]
    return "".join([*parts, "</g></g>"])


def lit(on: object) -> str:
    """The class of a segment."""
    return "on" if on else "off"


if __name__ == "__main__":
    SHEET.write_text(sheet(), encoding="utf-8")
