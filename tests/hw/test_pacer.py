"""Slots of time, at a time of its own."""

import pytest

from hw.pacer import Pacer

MS = 1_000_000


class Time:
    def __init__(self):
        self.ns = 1000 * MS
        self.pacer = Pacer(200, lambda: self.ns, self.sleep)

    def sleep(self, seconds):
        self.ns += round(seconds * 1e9)

    def slot(self):
        self.pacer.wait()
        return self.ns // MS - 1000


@pytest.fixture
def time():
    return Time()


def test_slots_come_at_their_rate(time):
    assert [time.slot() for _ in range(4)] == [0, 5, 10, 15]


def test_who_is_late_begins_at_once_and_is_then_on_time(time):
    time.slot()
    time.pacer.taken(MS)
    time.ns += 23 * MS
    assert time.slot() == 23
    assert time.pacer.taken(MS) == 3, "the slots at 5, 10 and 15 ms"
    assert time.slot() == 25
    assert time.pacer.taken(MS) == 0
    assert time.pacer.lost == 3


def test_slots_in_which_a_frame_failed_are_lost(time):
    time.slot()
    time.pacer.taken(MS)
    for _ in range(3):
        time.slot()
    assert time.pacer.taken(MS) == 2


def test_before_the_first_frame_none_is_lost(time):
    for _ in range(5):
        time.slot()
    assert (time.pacer.taken(MS), time.pacer.lost) == (0, 0)


def test_a_scanner_that_is_slower_than_its_rate_loses_only_what_it_could_have_had(time):
    lost = []
    for extra_ms in (0, 0, 0, 60, 0):
        time.slot()
        time.ns += (16 + extra_ms) * MS
        lost.append(time.pacer.taken((16 + extra_ms) * MS))
    assert lost == [0, 0, 0, 0, 3]
