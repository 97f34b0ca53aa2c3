"""Characters as segments and back."""

import pytest

from hw.segments import SEGMENTS, decode, drawing, encode, segments


def test_the_digits_of_the_data_sheet() -> None:
    codes = [SEGMENTS[d] for d in "0123456789"]
    assert codes == [0x3F, 0x06, 0x5B, 0x4F, 0x66, 0x6D, 0x7D, 0x07, 0x7F, 0x6F]


@pytest.mark.parametrize("text", ["14:59", " 1:23", "  9.9", "F0:00", "3 58", "----", "12.34", "    "])
def test_what_is_shown_can_be_read_back(text: str) -> None:
    assert decode(*encode(text)) == text


def test_short_texts_stand_on_the_right() -> None:
    assert decode(*encode("9.9")) == "  9.9"
    assert encode(":59") == (bytes([0, 0, 0x6D, 0x6F]), True)


def test_letters_of_either_case() -> None:
    assert encode("H") == encode("   H")
    assert encode("h")[0] != encode("H")[0]
    assert encode("d") == encode("D")
    for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz":
        assert encode(letter)[0][3] & 0x7F


def test_characters_with_points() -> None:
    assert segments("  99", (False, False, True, False)) == bytes([0, 0, 0xEF, 0x6F])
    assert segments("F000") == bytes([0x71, 0x3F, 0x3F, 0x3F])


def test_a_drawing_of_each_segment() -> None:
    assert drawing(bytes([0x7F, 0x49, 0x36, 0xFF])) == " _   _       _\n|_|  _  | | |_|\n|_|  _  | | |_|"


@pytest.mark.parametrize("wrong", ["12345", "1:2:34", "14#9", "1:234", "1..2", ".12", "五"])
def test_what_a_face_cannot_show(wrong: str) -> None:
    with pytest.raises(ValueError, match="allowed"):
        encode(wrong)


def test_a_face_has_four_places() -> None:
    with pytest.raises(ValueError, match="does not fill a face"):
        segments("123")


def test_a_pattern_that_is_no_character() -> None:
    assert decode(bytes([0x01, 0x06, 0, 0])) == "?1  "
