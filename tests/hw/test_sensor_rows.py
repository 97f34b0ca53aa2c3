"""Rows of sensors and their references: what is believed, what is kept, what is told."""

from hw import SENSORS
from hw.sensor_rows import GOOD_PASSES, MOST_OFF, REFERENCE, REFERENCE_WITHIN, Rows
from hw.serial_protocol import ROWS, Scan


def scan(value: int, off: dict[int, int] | None = None) -> Scan:
    """A pass that reads `value` everywhere; `off`: the references that are not good, by row."""
    references = bytes((off or {}).get(row, REFERENCE) & 0xFF for row in range(ROWS))
    return Scan(0, 0, bytes([value]) * SENSORS, references, 0, False)


def values(readings: bytes | None) -> list[int]:
    """What each row reads, the same at all its points."""
    assert readings is not None
    rows = [readings[at : at + ROWS] for at in range(0, SENSORS, ROWS)]
    assert all(len(set(row)) == 1 for row in rows)
    return [row[0] for row in rows]


def test_a_row_that_is_off_keeps_what_it_read_until_its_reference_has_been_good_for_long() -> None:
    rows = Rows()
    assert values(rows.believed(scan(1))) == [1] * ROWS
    assert values(rows.believed(scan(2, {3: -5}))) == [2, 2, 2, 1, *[2] * 11]
    for _ in range(GOOD_PASSES - 1):
        assert values(rows.believed(scan(3)))[3] == 1
        assert rows.faults()[0].startswith("row 4 of the sensor plane cannot be read: its reference is -5,")
    assert values(rows.believed(scan(4))) == [4] * ROWS
    assert rows.faults() == []


def test_a_bad_reference_in_between_begins_the_count_anew() -> None:
    rows = Rows()
    rows.believed(scan(1))
    rows.believed(scan(2, {0: 0}))
    for _ in range(GOOD_PASSES - 1):
        rows.believed(scan(2))
    rows.believed(scan(2, {0: 0}))
    assert values(rows.believed(scan(2)))[0] == 1


def test_references_count_up_to_their_bounds() -> None:
    rows = Rows()
    good, bad = REFERENCE + REFERENCE_WITHIN, REFERENCE + REFERENCE_WITHIN + 1
    assert values(rows.believed(scan(1, {0: good, 1: 2 * REFERENCE - good}))) == [1] * ROWS
    rows.believed(scan(2, {0: bad, 1: 2 * REFERENCE - bad}))
    assert [told[:5] for told in rows.faults()] == ["row 1", "row 2"]


def test_with_too_many_rows_off_there_is_nothing() -> None:
    rows = Rows()
    rows.believed(scan(1))
    assert values(rows.believed(scan(2, dict.fromkeys(range(MOST_OFF), 0)))).count(1) == MOST_OFF
    assert (len(rows.faults()), rows.lost) == (MOST_OFF, "")
    assert rows.believed(scan(3, dict.fromkeys(range(MOST_OFF + 1), 0))) is None
    assert rows.lost.startswith(f"{MOST_OFF + 1} rows of sensors cannot be read (1, 2, 3, 4, 5, 6)")
    assert rows.faults() == [], "no frame comes, and the link's own sentence says why"
    for _ in range(GOOD_PASSES - 1):
        assert rows.believed(scan(4)) is None
    assert values(rows.believed(scan(4))) == [4] * ROWS
    assert (rows.faults(), rows.lost) == ([], "")


def test_after_a_lost_link_each_row_is_what_it_is_then() -> None:
    rows = Rows()
    rows.believed(scan(1))
    rows.believed(scan(2, {3: 0, 4: 0}))
    rows.forget()
    assert rows.faults() == []
    assert values(rows.believed(scan(5, {4: 0}))) == [5, 5, 5, 5, 1, *[5] * 10]
