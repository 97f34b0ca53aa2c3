"""A drawing as PDF, by reportlab (extra `pdf`): the same bytes for the same drawing and font.

The font is embedded, only with the characters that are used. A character that the font does not have is drawn
as a box and told. Without any font it is Helvetica, which every reader has, with Latin letters alone.
"""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from firmware_host.errors import RecordError
from firmware_host.record.drawing import Box, Circle, Command, Drawing, Line, Text
from firmware_host.record.svg import dash
from firmware_host.service.fonts import RECOMMENDED, FontFile, find_fonts

if TYPE_CHECKING:
    from reportlab.pdfgen.canvas import Canvas

MM: Final = 72 / 25.4
"""Points in a millimetre."""

BUILT_IN: Final = "Helvetica"
MISSING: Final = "□"
BOLDER: Final = 0.022
"""A bold text is drawn with an outline so wide, over its size: the font has one weight."""


class NoPdf(RecordError):
    """No PDF can be made, and why, in one sentence."""


class Pdf(NamedTuple):
    """A PDF, and sentences about what could not be drawn as it should be."""

    data: bytes
    notes: tuple[str, ...]


class Face(NamedTuple):
    """A font that reportlab knows: its name, and the characters that it has (None: Latin letters alone)."""

    name: str
    has: frozenset[int] | None

    def drawable(self, text: str) -> tuple[str, str]:
        """The text as this font can draw it, and the characters that it lacks."""
        lacks = "".join(c for c in text if not self.can(c))
        return "".join(c if self.can(c) else self.stand_in for c in text), lacks

    def can(self, c: str) -> bool:
        """Whether the font has a character."""
        return ord(c) in self.has if self.has is not None else c.isascii() or "\xa0" <= c <= "\xff"

    @property
    def stand_in(self) -> str:
        """What is drawn for a character that is not there."""
        return MISSING if self.has is not None and ord(MISSING) in self.has else "?"


def to_pdf(pages: Sequence[Drawing], fonts: Iterable[FontFile] | None = None) -> Pdf:
    """The drawings as pages of one PDF; raises NoPdf if reportlab is not installed.

    `fonts`: the fonts to try, best first; None: those of this machine.
    """
    try:
        from reportlab.pdfgen.canvas import Canvas
    except ImportError as error:
        raise NoPdf("a PDF needs the package reportlab; install renju-board[pdf]") from error
    face = _face(find_fonts() if fonts is None else fonts)
    notes = []
    if face.has is None:
        notes.append(f"no TrueType font was found; names in other letters than Latin need {RECOMMENDED}")
    file = BytesIO()
    canvas = Canvas(file, invariant=1, pageCompression=1, pdfVersion=(1, 4), initialFontName=face.name)
    if pages:
        canvas.setTitle(pages[0].title)
        canvas.setAuthor("renju-board")
    lacks: dict[str, None] = {}
    for page in pages:
        canvas.setPageSize((page.width * MM, page.height * MM))
        canvas.scale(MM, MM)
        writer = _Page(canvas, page.height, face, lacks)
        for command in page.commands:
            writer.draw(command)
        canvas.showPage()
    canvas.save()
    if lacks and face.has is not None:
        shown = " ".join(list(lacks)[:20])
        notes.append(f"the font {face.name} does not have: {shown}; {RECOMMENDED} has most letters")
    return Pdf(file.getvalue(), tuple(notes))


def _face(fonts: Iterable[FontFile]) -> Face:
    """The first of the fonts that reportlab can use, known to it from now on; Helvetica if none."""
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFError, TTFont

    for font in fonts:
        name = f"{font.path.stem}-{font.number}"
        try:
            read = TTFont(name, str(font.path), subfontIndex=font.number)
        except (TTFError, OSError):
            continue
        pdfmetrics.registerFont(read)
        return Face(name, frozenset(read.face.charToGlyph))
    return Face(BUILT_IN, None)


class _Page:
    """Draws on a canvas whose unit is the millimetre; y is turned here, once."""

    def __init__(self, canvas: "Canvas", height: float, face: Face, lacks: dict[str, None]) -> None:
        self.canvas: Any = canvas
        self.height = height
        self.face = face
        self.lacks = lacks

    def draw(self, command: Command) -> None:
        """One command."""
        canvas = self.canvas
        match command:
            case Line():
                self.pen(command.colour, command.width)
                canvas.line(command.x1, self.height - command.y1, command.x2, self.height - command.y2)
            case Circle():
                paint = self.paint(command)
                if command.dashed:
                    canvas.setDash(dash(command.r), dash(command.r))
                canvas.circle(command.x, self.height - command.y, command.r, **paint)
                if command.dashed:
                    canvas.setDash()
            case Box():
                paint = self.paint(command)
                low = self.height - command.y - command.h
                if command.round:
                    canvas.roundRect(command.x, low, command.w, command.h, command.round, **paint)
                else:
                    canvas.rect(command.x, low, command.w, command.h, **paint)
            case Text():
                self.text(command)

    def pen(self, colour: str, width: float) -> None:
        self.canvas.setStrokeColor(colour)
        self.canvas.setLineWidth(width)

    def paint(self, command: Circle | Box) -> dict[str, int]:
        if command.fill:
            self.canvas.setFillColor(command.fill)
        if command.width:
            self.pen(command.colour, command.width)
        return {"stroke": int(command.width > 0), "fill": int(bool(command.fill))}

    def text(self, command: Text) -> None:
        text, lacks = self.face.drawable(command.text)
        self.lacks.update(dict.fromkeys(lacks))
        if not text:
            return
        canvas = self.canvas
        bold = command.weight == "bold"
        canvas.setFont(self.face.name, command.size)
        canvas.setFillColor(command.colour)
        wide = canvas.stringWidth(text, self.face.name, command.size)
        x = command.x - {"start": 0.0, "middle": wide / 2, "end": wide}[command.anchor]
        if bold:
            self.pen(command.colour, command.size * BOLDER)
        written = canvas.beginText(x, self.height - command.y)
        if bold:
            written.setTextRenderMode(2)
        written.textOut(text)
        if bold:
            written.setTextRenderMode(0)
        canvas.drawText(written)
