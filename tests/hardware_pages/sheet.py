"""A sheet of a schematic: chips, wires and the usual symbols, as SVG.

Coordinates are in units of the sheet, about a pixel each at its natural size; x to the right, y down. Chips
are as large as their pins need.
"""

import re
import textwrap
from collections.abc import Sequence
from typing import Final
from xml.sax.saxutils import escape

Point = tuple[float, float]

PITCH: Final = 20
"""From one pin of a chip to the next."""
LEAD: Final = 14
"""The line that sticks out of a chip at each pin."""

LETTER: Final = 0.55
"""The width of a letter in sizes of its font: more than an average one has."""

INK: Final = "#1f2933"
SOFT: Final = "#66727f"
NETS: Final = {
    "signal": "#1f5fa8",
    "3V3": "#b3261e",
    "5V": "#c2620e",
    "ground": "#1f2933",
    "clock": "#6a3fa0",
    "data": "#0b7a55",
}
"""The colour of each kind of wire."""

STYLE: Final = (
    "text{font-family:Helvetica,Arial,'DejaVu Sans',sans-serif;fill:#1f2933}"
    ".wire{fill:none;stroke-width:1.8;stroke-linejoin:round;stroke-linecap:round}"
    ".body{fill:#fbfaf5;stroke:#1f2933;stroke-width:1.6}"
    ".part{fill:none;stroke:#1f2933;stroke-width:1.6;stroke-linejoin:round;stroke-linecap:round}"
    ".solid{fill:#1f2933;stroke:none}"
)


class Sheet:
    """One drawing; `svg` is its text."""

    def __init__(self, width: int, height: int, title: str) -> None:
        self.width = width
        self.height = height
        self.title = title
        self._parts: list[str] = []
        self.text(24, 34, title, size=19, bold=True)

    def svg(self) -> str:
        """The drawing as a file."""
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}"'
            f' width="{self.width}" height="{self.height}" role="img" aria-label="{escape(self.title)}">'
        )
        ground = f'<rect width="{self.width}" height="{self.height}" rx="10" fill="#ffffff"/>'
        return "\n".join([head, f"<style>{STYLE}</style>", ground, *self._parts, "</svg>", ""])

    # Words

    def text(
        self,
        x: float,
        y: float,
        words: str,
        *,
        size: float = 13,
        bold: bool = False,
        anchor: str = "start",
        colour: str = "",
    ) -> None:
        """One line of text with its baseline at y; `anchor`: start, middle or end."""
        more = f' text-anchor="{anchor}"' if anchor != "start" else ""
        more += ' font-weight="600"' if bold else ""
        more += f' style="fill:{colour}"' if colour else ""
        self._add(f'<text x="{_n(x)}" y="{_n(y)}" font-size="{_n(size)}"{more}>{escape(words)}</text>')

    def lines(
        self, x: float, y: float, words: Sequence[str], *, size: float = 13, colour: str = SOFT
    ) -> None:
        """Lines of text, one below the other."""
        for n, line in enumerate(words):
            self.text(x, y + n * size * 1.4, line, size=size, colour=colour)

    def note(self, x: float, y: float, words: str, *, size: float = 12.5) -> None:
        """A paragraph that ends before the right margin."""
        columns = int((self.width - x - 30) / (LETTER * size))
        kept = re.sub(r"(\d) (V|k?Ohm|nF)\b", "\\1\N{NO-BREAK SPACE}\\2", words)
        self.lines(x, y, textwrap.wrap(kept, columns), size=size)

    # Wires

    def wire(self, *points: Point, net: str = "signal", dashed: bool = False) -> None:
        """A wire along these points."""
        path = "M" + "L".join(f"{_n(x)} {_n(y)}" for x, y in points)
        more = ' stroke-dasharray="6 5"' if dashed else ""
        self._add(f'<path class="wire" d="{path}" stroke="{NETS[net]}"{more}/>')

    def dot(self, at: Point, net: str = "signal") -> None:
        """Wires that cross here are joined."""
        self._add(f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="3.2" fill="{NETS[net]}"/>')

    def many(self, at: Point, count: int, net: str = "signal") -> None:
        """A slash through a horizontal wire: it stands for so many."""
        x, y = at
        self._add(
            f'<path class="wire" d="M{_n(x - 5)} {_n(y + 7)}L{_n(x + 5)} {_n(y - 7)}" stroke="{NETS[net]}"/>'
        )
        self.text(x + 2, y - 10, str(count), size=12, anchor="middle", colour=NETS[net])

    def ground(self, at: Point) -> None:
        """Ground, below this point."""
        x, y = at
        bars = "".join(f"M{_n(x - w)} {_n(y + 8 + n * 4)}h{_n(2 * w)}" for n, w in enumerate((9, 6, 3)))
        self._add(f'<path class="part" d="M{_n(x)} {_n(y)}v8{bars}"/>')

    def supply(self, at: Point, net: str, label: str = "") -> None:
        """A supply, above this point."""
        x, y = at
        self._add(
            f'<path class="wire" d="M{_n(x)} {_n(y)}v-10M{_n(x - 8)} {_n(y - 10)}h16" stroke="{NETS[net]}"/>'
        )
        self.text(
            x, y - 15, label or {"3V3": "3.3 V", "5V": "5 V"}[net], size=12, anchor="middle", colour=NETS[net]
        )

    # Parts

    def chip(
        self,
        x: float,
        y: float,
        width: float,
        name: str,
        left: Sequence[str] = (),
        right: Sequence[str] = (),
        *,
        below: Sequence[str] = (),
        small: dict[str, str] | None = None,
        dashed: bool = False,
    ) -> dict[str, Point]:
        """A box with its name and what is said `below` it, and labelled pins at both sides.

        Gives the point at which a wire meets each pin. An empty label leaves a gap; `small` is what stands
        outside at a pin, such as its number.
        """
        rows = max(len(left), len(right))
        top = 34 + 15 * len(below)
        height = top + rows * PITCH + 4
        more = ' stroke-dasharray="6 5"' if dashed else ""
        self._add(
            f'<rect class="body" x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="5"'
            f"{more}/>"
        )
        self.text(x + width / 2, y + 20, name, size=14, bold=True, anchor="middle")
        for n, line in enumerate(below):
            self.text(x + width / 2, y + 37 + 15 * n, line, size=12, anchor="middle", colour=SOFT)
        pins: dict[str, Point] = {}
        for labels, side in ((left, -1), (right, 1)):
            edge = x if side < 0 else x + width
            anchor, outside = ("start", "end") if side < 0 else ("end", "start")
            for n, label in enumerate(labels):
                if not label:
                    continue
                at = y + top + n * PITCH + 8
                self._add(f'<path class="part" d="M{_n(edge)} {_n(at)}h{side * LEAD}"/>')
                self.text(edge - side * 7, at + 4.5, label, size=12.5, anchor=anchor)
                if small and label in small:
                    self.text(edge + side * 3, at - 3, small[label], size=10.5, anchor=outside, colour=SOFT)
                pins[label] = (edge + side * LEAD, at)
        return pins

    def resistor(self, start: Point, end: Point, label: str = "", *, left: bool = False) -> None:
        """A resistor in the middle of a straight line; the label beside it (`left`: on the other side)."""
        (x1, y1), (x2, y2) = start, end
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        if x1 == x2:
            box, cut = (x - 5, y - 13, 10, 26), ((x, y - 13), (x, y + 13))
            self.text(x - 9 if left else x + 9, y + 4, label, size=12, anchor="end" if left else "start")
        else:
            box, cut = (x - 13, y - 5, 26, 10), ((x - 13, y), (x + 13, y))
            self.text(x, y - 10, label, size=12, anchor="middle")
        first, second = sorted((start, end)), cut
        a, b = first
        self._add(
            f'<path class="part" d="M{_n(a[0])} {_n(a[1])}L{_n(second[0][0])} {_n(second[0][1])}'
            f'M{_n(second[1][0])} {_n(second[1][1])}L{_n(b[0])} {_n(b[1])}"/>'
        )
        self._add(
            f'<rect class="body" x="{_n(box[0])}" y="{_n(box[1])}" width="{box[2]}" height="{box[3]}"/>'
        )

    def capacitor(self, start: Point, end: Point, label: str = "") -> None:
        """A capacitor in the middle of a vertical line."""
        (x, y1), (_, y2) = sorted((start, end), key=lambda p: p[1])
        y = (y1 + y2) / 2
        self._add(
            f'<path class="part" d="M{_n(x)} {_n(y1)}V{_n(y - 3)}M{_n(x - 10)} {_n(y - 3)}h20'
            f'M{_n(x - 10)} {_n(y + 3)}h20M{_n(x)} {_n(y + 3)}V{_n(y2)}"/>'
        )
        self.text(x + 15, y + 4, label, size=12)

    def diode(self, anode: Point, cathode: Point) -> None:
        """A diode on a straight line, its bar at the cathode's end."""
        (x1, y1), (x2, y2) = anode, cathode
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        length = abs(x2 - x1) + abs(y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        tip, base = (x + 6 * dx, y + 6 * dy), (x - 6 * dx, y - 6 * dy)
        side = (-7 * dy, 7 * dx)
        self._add(
            f'<path class="part" d="M{_n(x1)} {_n(y1)}L{_n(base[0])} {_n(base[1])}'
            f"M{_n(tip[0])} {_n(tip[1])}L{_n(x2)} {_n(y2)}"
            f"M{_n(tip[0] + side[0])} {_n(tip[1] + side[1])}L{_n(tip[0] - side[0])} {_n(tip[1] - side[1])}"
            '"/>'
        )
        self._add(
            f'<path class="solid" d="M{_n(tip[0])} {_n(tip[1])}'
            f"L{_n(base[0] + side[0])} {_n(base[1] + side[1])}"
            f"L{_n(base[0] - side[0])} {_n(base[1] - side[1])}z"
            '"/>'
        )

    def switch(self, start: Point, end: Point) -> None:
        """An open switch on a straight line."""
        (x1, y1), (x2, y2) = start, end
        length = abs(x2 - x1) + abs(y2 - y1)
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        x, y = (x1 + x2) / 2, (y1 + y2) / 2
        a, b = (x - 9 * dx, y - 9 * dy), (x + 9 * dx, y + 9 * dy)
        lever = (b[0] - dx + 8 * dy, b[1] - dy - 8 * abs(dx))
        self._add(
            f'<path class="part" d="M{_n(x1)} {_n(y1)}L{_n(a[0])} {_n(a[1])}L{_n(lever[0])} {_n(lever[1])}'
            f'M{_n(b[0])} {_n(b[1])}L{_n(x2)} {_n(y2)}"/>'
        )
        for at in (a, b):
            self._add(f'<circle class="solid" cx="{_n(at[0])}" cy="{_n(at[1])}" r="2.2"/>')

    # Plain shapes

    def rect(
        self, x: float, y: float, width: float, height: float, fill: str, *, line: str = INK, rx: float = 0
    ) -> None:
        """A filled rectangle."""
        self._add(
            f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(width)}" height="{_n(height)}" rx="{_n(rx)}"'
            f' fill="{fill}" stroke="{line}" stroke-width="1.2"/>'
        )

    def path(
        self, d: str, *, fill: str = "none", line: str = INK, width: float = 1.4, dashed: bool = False
    ) -> None:
        """Any path."""
        more = ' stroke-dasharray="5 4"' if dashed else ""
        self._add(
            f'<path d="{d}" fill="{fill}" stroke="{line}" stroke-width="{_n(width)}" stroke-linejoin="round"'
            f' stroke-linecap="round"{more}/>'
        )

    def circle(self, x: float, y: float, r: float, fill: str, *, line: str = INK) -> None:
        """A filled circle."""
        self._add(
            f'<circle cx="{_n(x)}" cy="{_n(y)}" r="{_n(r)}" fill="{fill}" stroke="{line}"'
            ' stroke-width="1.2"/>'
        )

    def arrow(self, start: Point, end: Point, colour: str = INK) -> None:
        """A straight arrow."""
        (x1, y1), (x2, y2) = start, end
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        back = (x2 - 10 * dx, y2 - 10 * dy)
        self.path(f"M{_n(x1)} {_n(y1)}L{_n(back[0])} {_n(back[1])}", line=colour)
        self.path(
            f"M{_n(x2)} {_n(y2)}L{_n(back[0] - 4 * dy)} {_n(back[1] + 4 * dx)}"
            f"L{_n(back[0] + 4 * dy)} {_n(back[1] - 4 * dx)}z",
            fill=colour,
            line=colour,
            width=1,
        )

    def _add(self, part: str) -> None:
        self._parts.append(part)


def _n(value: float) -> str:
    """A number without a useless fraction."""
    return f"{value:.1f}".removesuffix(".0")
