"""Score sheets as PDF: the bytes, the embedded font, the ink and the text, as poppler sees them."""

import re
import subprocess
from pathlib import Path

import pytest

from firmware_host.board import NAMES, parse_point
from firmware_host.errors import RecordError
from firmware_host.record.drawing import Drawing, Text
from firmware_host.record.sheet import LEFT, TOP, draw_sheet
from firmware_host.record.sheet_board import Diagram
from firmware_host.record.sheet_list import grid_of
from firmware_host.service.fonts import KNOWN, FontFile, find_fonts
from firmware_host.service.pdf import to_pdf
from firmware_host.service.pdf_process import pdf_apart
from tests.record.sample_sheets import HASH, record, sheet

DPI = 100
LATIN = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"


def poppler(tmp_path: Path, data: bytes, program: str, *options: str) -> bytes:
    file = tmp_path / "sheet.pdf"
    file.write_bytes(data)
    return subprocess.run([program, *options, str(file), "-"], capture_output=True, check=True).stdout


def grey(tmp_path: Path, data: bytes) -> tuple[int, bytes]:
    """Width and pixels of the first page, a byte each, 0 is black."""
    file = tmp_path / "sheet.pdf"
    file.write_bytes(data)
    command = ["pdftoppm", "-r", str(DPI), "-gray", "-singlefile", str(file)]
    picture = subprocess.run(command, capture_output=True, check=True).stdout
    found = re.match(rb"P5\s+(\d+)\s+(\d+)\s+255\s", picture)
    assert found is not None
    return int(found[1]), picture[found.end() :]


@pytest.mark.parametrize("moves", [9, 225])
def test_there_is_ink_where_stones_are(tmp_path: Path, moves: int) -> None:
    game = record(moves)
    wide, pixels = grey(tmp_path, to_pdf([draw_sheet(game, sheet())]).data)
    diagram = Diagram(x=LEFT - 0.8, y=TOP, pitch=grid_of(moves).pitch)

    def darkness(p: int) -> float:
        """How much of a stone's rim is dark: between its number and its edge, off the lines of the board."""
        x, y = diagram.at(p)
        seen = []
        for across in (-1, 1):
            for along in (-1, 1):
                at = x + across * diagram.pitch * 0.26, y + along * diagram.pitch * 0.26
                column, row = (round(mm / 25.4 * DPI) for mm in at)
                seen.append(pixels[row * wide + column] < 100)
        return sum(seen) / 4

    stones = {move.point: move.colour for move in game.moves if move.point is not None}
    for p in range(225):
        dark = darkness(p)
        if stones.get(p) == "black":
            assert dark >= 0.75, NAMES[p]
        elif p != parse_point("J11"):
            assert dark <= 0.25, NAMES[p]


def words_of(tmp_path: Path, data: bytes) -> str:
    return poppler(tmp_path, data, "pdftotext", "-layout").decode()


@pytest.mark.parametrize("language", ["en", "zh", "ja"])
def test_the_text_is_the_records(tmp_path: Path, language: str) -> None:
    game = record(37, language)
    text = words_of(tmp_path, to_pdf([draw_sheet(game, sheet(language))]).data)
    words = text.split()
    for move in game.moves:
        assert str(move.n) in words
        assert NAMES[move.point or 0] in words or f"{NAMES[move.point or 0]}*" in words
    for person in (game.header.first, game.header.second):
        assert person.name in text
    assert game.header.event in text
    assert HASH in text
    rows = re.findall(r"(\d+)\s+([A-O]\d+)\*?\s+(\d+:\d\d)\s+(\d+:\d\d)", text)
    assert len(rows) == 37
    listed = {int(n): (name, used) for n, name, used, _ in rows}
    for move in game.moves:
        seconds = (move.used_ms or 0) // 1000
        assert listed[move.n] == (NAMES[move.point or 0], f"{seconds // 60}:{seconds % 60:02}")


def test_the_font_is_embedded_and_nothing_else_is_used(tmp_path: Path) -> None:
    data = to_pdf([draw_sheet(record(9, "zh"), sheet("zh"))]).data
    file = tmp_path / "sheet.pdf"
    file.write_bytes(data)
    told = subprocess.run(["pdffonts", str(file)], capture_output=True, text=True, check=True).stdout
    fonts = told.splitlines()[2:]
    assert fonts
    assert all(re.search(r"TrueType .* yes yes yes", line) for line in fonts)
    assert len(data) < 150_000


def test_the_same_drawing_is_the_same_bytes_in_another_process_too() -> None:
    pages = [draw_sheet(record(9), sheet()), draw_sheet(record(9, "ja"), sheet("ja"))]
    made = to_pdf(pages)
    assert made == to_pdf(pages)
    assert made == pdf_apart(pages)
    assert made.notes == ()


def test_what_a_font_does_not_have_is_a_box_and_told(tmp_path: Path) -> None:
    page = Drawing(commands=(Text(x=20, y=20, text="Bo 王", size=4), Text(x=20, y=30, text="", size=4)))
    made = to_pdf([page], [FontFile(Path(LATIN))])
    assert words_of(tmp_path, made.data).split() == ["Bo", "□"]
    assert made.notes == ("the font DejaVuSans-0 does not have: 王; fonts-wqy-microhei has most letters",)


def test_without_a_font_there_is_a_sheet_in_latin_letters(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ttf"
    broken.write_bytes(b"\0\1\0\0 no font")
    made = to_pdf([draw_sheet(record(9, "zh"), sheet("zh"))], [FontFile(broken), FontFile(tmp_path / "none")])
    assert len(made.notes) == 1
    assert "no TrueType font was found" in made.notes[0]
    assert "fonts-wqy-microhei" in made.notes[0]
    assert "H8" in words_of(tmp_path, made.data)


def test_fonts_are_found_by_place_and_by_fontconfig() -> None:
    assert next(find_fonts()) == FontFile(Path(KNOWN[0][0]), 0)
    asked = list(find_fonts(known=()))
    assert asked
    assert all(font.path.is_file() for font in asked)
    assert list(find_fonts(known=[("/nowhere.ttf", 0)], asked=())) == []


def test_a_process_that_fails_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(RecordError, match="the PDF is not made: No such file"):
        pdf_apart([])
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(RecordError, match="its process ended with 1"):
        pdf_apart([])
    monkeypatch.setattr("sys.executable", "/bin/true")
    with pytest.raises(RecordError, match="its process wrote something else"):
        pdf_apart([])
