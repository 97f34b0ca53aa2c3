import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.record.drawing import fit, shorten, text_width, wrap


def test_widths_are_those_of_the_font() -> None:
    assert text_width("", 3) == 0
    assert text_width("0", 1000) == 551
    assert text_width("王渓", 3) == pytest.approx(6)
    assert text_width("e\u0301", 1000) == text_width("e", 1000)


@given(st.text(max_size=80), st.floats(1, 8), st.floats(2, 60))
def test_what_is_cut_has_room(text: str, size: float, room: float) -> None:
    cut = shorten(text, size, room)
    assert cut == text or cut.endswith("…")
    assert text_width(cut, size) <= max(room, size) + 1e-6


@given(st.text(max_size=80), st.floats(5, 60))
def test_what_is_fitted_shrinks_before_it_is_cut(text: str, room: float) -> None:
    fitted, size = fit(text, 4, room, 3)
    assert 3 <= size <= 4
    assert text_width(fitted, size) <= room + 1e-3
    if text_width(text, 3) < room - 0.1:
        assert fitted == text


@given(st.text(max_size=120), st.floats(5, 60))
def test_wrapped_lines_have_room_and_lose_no_letter(text: str, room: float) -> None:
    lines = wrap(text, 2, room)
    assert all(text_width(line, 2) <= room + 1e-6 or len(line) == 1 for line in lines)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_words_stay_whole_and_ideographs_break_anywhere() -> None:
    assert wrap("pushed along the board", 2, 18) == ["pushed along the", "board"]
    assert wrap("第三手后交换，白方", 2, 12) == ["第三手后交", "换，白方"]
