"""A drawing as SVG 1.1: one unit is one millimetre, and the page prints at its real size.

Only attributes of presentation, no styles and no scripts, so it may be shown where a page allows neither.
"""

from html import escape
from typing import Final

from firmware_host.record.drawing import Box, Circle, Command, Drawing, Family, Line, Text

FONTS: Final[dict[Family, str]] = {
    "sans": "'WenQuanYi Micro Hei','Noto Sans CJK SC','PingFang SC','Microsoft YaHei','Yu Gothic',sans-serif",
    "mono": "'WenQuanYi Micro Hei Mono','Noto Sans Mono CJK SC','DejaVu Sans Mono',monospace",
}


def to_svg(drawing: Drawing) -> str:
    """The drawing as an SVG document, a line for each command."""
    width, height = _mm(drawing.width), _mm(drawing.height)
    language = f'"{escape(drawing.language)}"'
    root = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="0 0 {width} {height}" lang={language} xml:lang={language} '
        f'font-family="{FONTS["sans"]}" fill="none">'
    )
    return "\n".join(
        (
            '<?xml version="1.0" encoding="UTF-8"?>',
            root,
            f"<title>{_text(drawing.title)}</title>",
            f'<rect width="{width}" height="{height}" fill="#ffffff"/>',
            *map(_command, drawing.commands),
            "</svg>\n",
        )
    )


def _command(command: Command) -> str:
    match command:
        case Line():
            ends = (
                f'x1="{_mm(command.x1)}" y1="{_mm(command.y1)}" x2="{_mm(command.x2)}" y2="{_mm(command.y2)}"'
            )
            return f'<line {ends} stroke="{command.colour}" stroke-width="{_mm(command.width)}"/>'
        case Circle():
            at = f'cx="{_mm(command.x)}" cy="{_mm(command.y)}" r="{_mm(command.r)}"'
            dashes = f' stroke-dasharray="{_mm(dash(command.r))}"' if command.dashed else ""
            return f"<circle {at}{_paint(command)}{dashes}/>"
        case Box():
            size = f'width="{_mm(command.w)}" height="{_mm(command.h)}"'
            at = f'x="{_mm(command.x)}" y="{_mm(command.y)}" {size}'
            corners = f' rx="{_mm(command.round)}"' if command.round else ""
            return f"<rect {at}{corners}{_paint(command)}/>"
        case Text():
            at = f'x="{_mm(command.x)}" y="{_mm(command.y)}" font-size="{_mm(command.size)}"'
            anchor = "" if command.anchor == "start" else f' text-anchor="{command.anchor}"'
            weight = "" if command.weight == "regular" else f' font-weight="{command.weight}"'
            family = "" if command.family == "sans" else f' font-family="{FONTS[command.family]}"'
            return f'<text {at}{anchor}{weight}{family} fill="{command.colour}">{_text(command.text)}</text>'


def dash(r: float) -> float:
    """The length of a dash and of the gap after it, so that they close around a circle; 24 in all."""
    return 2 * 3.14159265 * r / 24


def _paint(command: Circle | Box) -> str:
    fill = f' fill="{command.fill}"' if command.fill else ""
    if not command.width:
        return fill
    return f'{fill} stroke="{command.colour}" stroke-width="{_mm(command.width)}"'


def _mm(value: float) -> str:
    """A length with thousandths at most."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def _text(text: str) -> str:
    """Text of XML; what XML cannot hold, control characters and lone surrogates, becomes U+FFFD."""
    sound = "".join(c if _sound(ord(c)) else "\ufffd" for c in text)
    return escape(sound, quote=False)


def _sound(code: int) -> bool:
    """Whether XML 1.0 can hold a character (production Char)."""
    return code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or code >= 0x10000
