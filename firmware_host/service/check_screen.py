"""The sensors on a terminal: a map of the 225 readings, and what was found.

Rank 15 is at the top, as the near seat sees the sensor plane. Ground is wood, a reading of a black stone goes
to black and one of a white stone to white, so the numbers are read only where something looks odd.
"""

from collections.abc import Sequence
from typing import Final

from rich.console import Console, Group
from rich.live import Live
from rich.style import Style
from rich.table import Table
from rich.text import Text

from firmware_host.board import LETTERS, NAMES, SIZE, Point
from firmware_host.sensing.sensor_report import CAUSES, Finding
from firmware_host.service.sensor_bench import FULL_COUNTS, BoardView

WOOD: Final = (217, 172, 104)
BLACK: Final = (20, 22, 24)
WHITE: Final = (250, 248, 242)
ACCENT: Final = "#c23b1e"
CELL: Final = 4
MOST_FINDINGS: Final = 12

STEPS: Final = {
    "look": "looking for the scanner",
    "empty": "the empty board",
    "stones": "stones on named points",
    "sweep": "stones swept over all points",
    "watch": "readings as they come; Ctrl-C ends",
    "done": "done",
}


class Screen:
    """The picture on a terminal while a board is measured; nothing where no terminal is."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console()
        self._live: Live | None = None

    def show(self, view: BoardView) -> None:
        """Draw, or draw over what was drawn before."""
        if not self.console.is_terminal:
            return
        if self._live is None:
            self._live = Live(console=self.console, auto_refresh=False, transient=True)
            self._live.start()
        self._live.update(picture(view), refresh=True)

    def say(self, text: str) -> None:
        """A line above the picture."""
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)

    def pause(self) -> None:
        """Let go of the terminal, for a question."""
        if self._live is not None:
            self._live.stop()
            self._live = None


def picture(view: BoardView) -> Group:
    """The map with its heading and what was found."""
    heading = Text(f"{STEPS.get(view.step, view.step)}  ", style="bold")
    if view.asked is not None:
        heading.append(f"{view.colour} stone on {NAMES[view.asked]}", style=f"bold {ACCENT}")
    small = f"{view.frames_per_s:.0f} frames a second"
    if view.step == "sweep":
        small += f", {len(view.seen)} of 225 points"
    heading.append(f"  {small}", style="dim")
    parts: list[Text | Table] = [heading, heat_map(view)]
    if view.findings:
        parts.append(findings_table(view.findings))
    return Group(*parts)


def heat_map(view: BoardView) -> Text:
    """The 225 readings; `!` marks a point that something was found at."""
    marked = frozenset(p for finding in view.findings if finding.fails for p in finding.points)
    text = Text(no_wrap=True)
    for rank in reversed(range(SIZE)):
        text.append(f"{rank + 1:>3} ", style="dim")
        for col in range(SIZE):
            p = rank * SIZE + col
            text.append(_cell(view, p, p in marked), style=_style(view, p, p in marked))
        text.append("\n")
    text.append("    " + "".join(f"{letter:>{CELL - 1}} " for letter in LETTERS), style="dim")
    return text


def _cell(view: BoardView, p: Point, marked: bool) -> str:
    value = float(view.readings[p])
    shown = f"{value:.0f}" if view.sensors == "linear" else ("●" if abs(value) >= 0.5 else "·")
    if shown in ("0", "-0"):
        shown = "·"
    if p == view.asked:
        return f"▸{shown:^{CELL - 2}}◂"
    mark = "!" if marked else "✓" if view.step == "sweep" and p in view.seen else " "
    return f"{shown:>{CELL - 1}}{mark}"


def _style(view: BoardView, p: Point, marked: bool) -> Style:
    full = FULL_COUNTS if view.sensors == "linear" else 1.0
    share = max(-1.0, min(1.0, float(view.readings[p]) / full))
    far = BLACK if share > 0 else WHITE
    mixed = [round(a + (b - a) * abs(share)) for a, b in zip(WOOD, far, strict=True)]
    ground = f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"
    ink = "#ffffff" if share > 0.45 else "#2a1b08"
    return Style(
        color="#b3001b" if marked and share < 0.45 else ink, bgcolor=ground, bold=marked or p == view.asked
    )


def findings_table(findings: Sequence[Finding]) -> Table:
    """What was found, a row each."""
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False)
    table.add_column(style=ACCENT, no_wrap=True)
    table.add_column()
    for finding in findings[:MOST_FINDINGS]:
        row = CAUSES[finding.kind]
        table.add_row(finding.where or "board", f"{row.measured}\n[dim]{row.cause}[/dim]")
    if len(findings) > MOST_FINDINGS:
        table.add_row("", f"and {len(findings) - MOST_FINDINGS} more, in the report")
    return table
