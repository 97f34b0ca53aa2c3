from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.record.drawing import Box, Circle, Drawing, Line, Text
from firmware_host.record.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"


def parsed(*commands: Line | Circle | Box | Text, title: str = "") -> ElementTree.Element:
    return ElementTree.fromstring(to_svg(Drawing(commands=commands, title=title)))  # noqa: S314 - our own


def test_a_page_is_in_millimetres() -> None:
    root = parsed()
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("210mm", "297mm", "0 0 210 297")


def test_each_command_is_an_element() -> None:
    line, circle, box, text = list(
        parsed(
            Line(1, 2, 3.25, 4, 0.1),
            Circle(x=1, y=2, r=3, fill="#ffffff", dashed=True),
            Box(x=1, y=2, w=3, h=4, width=0, fill="#000000", round=1.5),
            Text(x=1, y=2, text="225", size=2, anchor="middle", weight="bold", family="mono"),
        )
    )[2:]
    assert line.attrib == {
        "x1": "1", "y1": "2", "x2": "3.25", "y2": "4", "stroke": "#1a1a1a", "stroke-width": "0.1",
    }  # fmt: skip
    assert circle.get("stroke-dasharray") == "0.785"
    assert (box.get("rx"), box.get("stroke")) == ("1.5", None)
    assert text.text == "225"
    assert (text.get("text-anchor"), text.get("font-weight")) == ("middle", "bold")


@given(st.text(max_size=40))
def test_any_text_is_only_text(text: str) -> None:
    root = parsed(Text(x=0, y=0, text=text, size=3), title=text)
    assert len(root) == 3
    seen = root.findtext(f"{SVG}text") or ""
    assert len(seen) == len(text.replace("\r\n", "\n"))


def test_markup_and_what_xml_cannot_hold_is_text() -> None:
    root = parsed(Text(x=0, y=0, text="<b>&\x00\ud800", size=3), title='"</title>')
    assert root.findtext(f"{SVG}text") == "<b>&\ufffd\ufffd"
    assert root.findtext(f"{SVG}title") == '"</title>'
