import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.clock import MS, SECOND, Clock, Player, parse_control
from firmware_host.faces import Face, clock_text, face_text, word_face

FIRST, OTHER = Player
S = SECOND
POINT = (False, False, True, False)


def running(text: str) -> Clock:
    return Clock.new(parse_control(text)).run(FIRST, 0)


@pytest.mark.parametrize(
    ("control", "at_ms", "face", "text"),
    [
        ("2h", 0, Face(" 200", True), "2:00:00"),
        ("1h", 1, Face(" 100", True), "1:00:00"),
        ("1h", 600, Face(" 100", False), "1:00:00"),
        ("1h", 1000, Face("5959", True), "59:59"),
        ("1h", 1999, Face("5959", True), "59:59"),
        ("99h", 0, Face("9900", True), "99:00:00"),
        ("15m", 400, Face("1500", True), "15:00"),
        ("5m", 250_000, Face("0050", True), "0:50"),
        ("20s", 10_000, Face("0010", True), "0:10"),
        ("20s", 10_099, Face("0010", True), "0:10"),
        ("20s", 10_100, Face("  99", False, POINT), "9.9"),
        ("20s", 19_999, Face("  01", False, POINT), "0.1"),
        ("20s", 20_000, Face("F000", True), "0:00"),
        ("20s", 33_000, Face("F000", True), "0:00"),
        ("none", 61_999, Face("0101", True), "1:01"),
        ("none", 9_999, Face("0009", True), "0:09"),
        ("10s + 3x1m", 10_000, Face("3100", True, (True, False, False, False)), "1:00"),
        ("10s + 3x90s", 10_000, Face("3130", True, (True, False, False, False)), "1:30"),
        ("10s + 3x15m", 10_000, Face("1500", True), "15:00"),
        ("10s + 3x1m", 11_000, Face("3 59", False), "0:59"),
        ("10s + 3x1m", 71_500, Face("2 59", False), "0:59"),
        ("10s + 3x5s", 11_000, Face("3 40", False, POINT), "4.0"),
        ("3x12s", 0, Face("3 12", False), "0:12"),
        ("12x20s", 0, Face("0020", True), "0:20"),
        ("3x5s", 15_000, Face("F000", True), "0:00"),
        ("20s without tenths", 15_001, Face("0005", True), "0:05"),
        ("10s + 3x5s without tenths", 11_000, Face("3 04", False), "0:04"),
        ("1m then 2m then 3m then 4m", 360_000, Face("0400", True), "4:00"),
        ("10m then 5m", 60_000, Face("0900", True, (True, False, False, False)), "9:00"),
        ("10m then 5m", 600_000, Face("0500", True, (False, True, False, False)), "5:00"),
        ("10m then 5m", 891_000, Face("  90", False, POINT), "9.0"),
        ("10m then 5m + 1x60s", 600_000, Face("0500", True, (False, True, False, False)), "5:00"),
        ("5m then 2 moves/90s repeating", 300_000, Face("0130", True, (False, True, False, False)), "1:30"),
    ],
)
def test_what_a_time_looks_like(control: str, at_ms: int, face: Face, text: str) -> None:
    clock = running(control)
    assert face_text(clock, FIRST, at_ms * MS) == face
    assert clock_text(clock, FIRST, at_ms * MS) == text


def test_time_given_beyond_the_digits_shows_the_most_that_fits() -> None:
    clock = running("99h").add(FIRST, 5 * 3600 * S, 0, "arbiter")
    assert face_text(clock, FIRST, 0).chars == "9959"
    assert clock_text(clock, FIRST, 0) == "99:59:59"


def test_only_the_colon_of_a_running_hour_winks() -> None:
    clock = running("2h")
    assert [face_text(clock, p, 700 * MS).colon for p in Player] == [False, True]


@pytest.mark.parametrize("control", ["2h", "15m", "9s", "10s + 3x1m", "40 moves/50m then 9m", "none"])
@pytest.mark.parametrize("at_ms", [0, 5_000, 12_000])
def test_a_stone_seen_is_the_last_point_and_nothing_else(control: str, at_ms: int) -> None:
    plain = face_text(running(control), FIRST, at_ms * MS)
    seen = face_text(running(control), FIRST, at_ms * MS, seen=True)
    if plain.chars == "F000":
        assert seen == plain
        return
    assert not plain.points[3]
    assert seen == Face(plain.chars, plain.colon, (*plain.points[:3], True))


def test_both_colons_wink_while_the_game_is_paused() -> None:
    clock = running("15m").stop(S)
    assert [face_text(clock, p, 7 * S, paused=True).colon for p in Player] == [True, True]
    assert [face_text(clock, p, 7 * S + 500 * MS, paused=True).colon for p in Player] == [False, False]
    assert face_text(clock, FIRST, 7 * S + 500 * MS).colon


def test_a_word_and_the_time_take_turns_and_a_key_brings_the_word() -> None:
    time = Face("1459", True)
    key_ns = 7_300 * MS
    seen = [word_face("PASS", key_ns, key_ns + ms * MS, time).chars for ms in range(0, 6_000, 100)]
    assert seen == [*["PASS"] * 12, *["1459"] * 8] * 3
    assert word_face("PASS", key_ns, key_ns, time) == Face("PASS", False)


def seconds_of_text(text: str) -> float:
    parts = [float(part) for part in text.split(":")]
    return sum(part * 60**power for power, part in enumerate(reversed(parts)))


def seconds_of_face(face: Face, *, byo_yomi: bool) -> tuple[float, float]:
    """The shown time in seconds and the unit in which it is shown."""
    if face.points[2]:
        return int(face.chars[2:]) / 10, 0.1
    if face.chars[0] == "F":
        return 0, 1
    if byo_yomi and face.chars[1] == " ":
        return int(face.chars[2:]), 1
    if byo_yomi and face.points[0]:
        return int(face.chars[1]) * 60 + int(face.chars[2:]), 1
    high, low = int(face.chars[:2]), int(face.chars[2:])
    return (high * 3600 + low * 60, 60) if face.chars[0] == " " else (high * 60 + low, 1)


@given(st.sampled_from(["2h", "61m", "20s", "5s + 4x70s"]), st.integers(0, 10_000 * S))
def test_face_and_page_agree_within_the_unit_of_the_face(control: str, now_ns: int) -> None:
    clock = running(control)
    remaining = clock.remaining_ns(FIRST, now_ns)
    assert remaining is not None
    face = face_text(clock, FIRST, now_ns)
    shown, unit = seconds_of_face(face, byo_yomi=clock.in_byo_yomi(FIRST, now_ns))
    text = seconds_of_text(clock_text(clock, FIRST, now_ns))
    assert abs(shown - text) < unit
    assert abs(shown - remaining / S) <= unit
    assert text >= remaining / S - 1e-6
    assert (text == 0) == (remaining == 0) == (FIRST in clock.at(now_ns).fallen)


@given(st.sampled_from(["2h", "20s"]), st.integers(0, 8000 * S), st.integers(0, 5 * S))
def test_the_time_on_the_face_never_jumps_back(control: str, now_ns: int, later_ns: int) -> None:
    clock = running(control)
    before, after = (seconds_of_text(clock_text(clock, FIRST, t)) for t in (now_ns, now_ns + later_ns))
    assert after <= before
