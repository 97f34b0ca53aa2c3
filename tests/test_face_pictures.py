from pathlib import Path

from firmware_host.announce import ENDS, LAST_MINUTE, LATEST_NS, MARKS, Tone
from firmware_host.clock import MS
from tests.face_pictures import PATHS, SHEET, sheet

CLOCK_PAGE = Path(__file__).parents[1] / "docs" / "clock.md"
ENDINGS = {
    "main": "main time is over, byo-yomi begins",
    "stage": "a stage is over, the next one begins",
    "period": "a byo-yomi period is used up",
    "flag": "the flag falls",
}


def test_the_sheet_shows_what_the_chips_hold() -> None:
    """`python -m tests.face_pictures` draws it anew."""
    assert len(PATHS) == 7
    assert SHEET.read_text(encoding="utf-8") == sheet()


def test_the_page_tells_the_sounds_of_the_table() -> None:
    def tones(pattern: tuple[Tone, ...]) -> str:
        return ", ".join(f"{tone.hz} for {tone.ms}" for tone in pattern)

    rows = {f"{mark.seconds_left} s before a byo-yomi period ends": mark.pattern for mark in MARKS}
    rows |= {ENDINGS[kind]: pattern for kind, pattern in ENDS.items()}
    rows |= {"a minute is left of all the time, if `clock.last_minute` is set": LAST_MINUTE.pattern}
    page = CLOCK_PAGE.read_text(encoding="utf-8")
    table = [line for line in page.partition("## Sounds")[2].splitlines() if line.startswith("| ")][1:]
    assert table == [f"| {when} | {tones(pattern)} |" for when, pattern in rows.items()]
    assert f"within {LATEST_NS // MS} ms" in page
