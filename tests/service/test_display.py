"""Faces and buzzer of a referee's clock, in virtual time, on the drivers and chips of the simulator."""

from collections.abc import Iterator

import pytest

from firmware_host.announce import due
from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.menu import Menus
from firmware_host.referee.inputs import Command, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import MatchSettings
from firmware_host.sensing.events import Lifted, Placed
from firmware_host.service.axis import Axis
from firmware_host.service.display import Display
from hw.devices import Devices, open_devices
from hw.segments import encode

MS = 1_000_000
SECOND = 1000 * MS
LONG_S = 10.0


class Clock:
    """A referee and a display on virtual chips; `now_ns` is the one clock of all."""

    def __init__(self, time: str) -> None:
        self.now_ns = 0
        self.devices: Devices = open_devices({}, now_ns=lambda: self.now_ns)
        assert self.devices.clock is not None
        self.chips = self.devices.clock
        axis = Axis(0, lambda: self.now_ns)
        self.display = Display(self.devices.faces, self.devices.buzzer, axis, 8)
        self.referee = Referee(MatchSettings(opening="free", time=time))
        self.referee.rule(Command(t_ns=0, do="start"))

    def show(self, t_ns: int) -> None:
        self.now_ns = t_ns
        if self.referee.deadline_ns is not None and self.referee.deadline_ns <= t_ns:
            self.referee.rule(Tick(t_ns=t_ns))
        self.display.show(self.referee, t_ns)
        self.settle()

    def settle(self) -> None:
        for bus in self.devices.buses:
            assert bus.flush(LONG_S)

    def face(self, seat: str) -> tuple[bytes, bool]:
        return self.chips.faces[seat].picture()[:2]


@pytest.fixture
def clocks() -> Iterator[list[Clock]]:
    made: list[Clock] = []
    yield made
    for clock in made:
        clock.chips.bus.free()
        clock.devices.close()


def make(clocks: list[Clock], time: str) -> Clock:
    clocks.append(Clock(time))
    return clocks[-1]


def test_each_seat_sees_its_own_time(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    clock.show(65 * SECOND)
    assert clock.face("near") == encode("13:55")
    assert clock.face("far") == encode("15:00")


def test_a_menu_is_on_its_own_seat_s_face_by_turns_with_the_time(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    menus, _ = Menus().take(clock.referee, KeyPress(t_ns=2 * SECOND, key="near-menu"))
    seen = []
    for t_ms in (2_000, 3_100, 3_300, 4_100):
        clock.now_ns = t_ms * MS
        clock.display.show(clock.referee, clock.now_ns, menus)
        clock.settle()
        seen.append((clock.face("near"), clock.face("far")))
    time = encode("15:00")
    assert seen == [
        (encode("drAu"), time),
        (encode("drAu"), time),
        (encode("14:57"), time),
        (encode("drAu"), time),
    ]


def test_a_ruling_shows_at_once_however_soon_it_comes(clocks: list[Clock]) -> None:
    clock = make(clocks, "5s+9s")
    clock.show(SECOND)
    assert clock.face("near") == encode("4.0")
    clock.referee.rule(Command(t_ns=SECOND + MS, do="set_clock", side=BLACK, ms=60_000, reason="x"))
    clock.show(SECOND + MS)
    assert clock.face("near") == encode("01:00")


def test_a_press_right_after_a_period_leaves_its_signal(clocks: list[Clock]) -> None:
    clock = make(clocks, "2s + 3x35s")
    clock.show(36_990 * MS)
    clock.referee.rule(KeyPress(t_ns=37_003 * MS, key="near"))
    for t_ms in range(37_004, 37_400, 15):
        clock.show(t_ms * MS)
    assert [tone.frequency_hz for tone in clock.chips.buzzer.tones] == [2730, 2000]


def test_a_flag_ends_the_signal_that_still_sounds(clocks: list[Clock]) -> None:
    clock = make(clocks, "1s + 1x60s")
    for t_ms in range(50_900, 51_090, 15):
        clock.show(t_ms * MS)
    clock.referee.rule(Command(t_ns=51_100 * MS, do="set_clock", side=BLACK, ms=0, reason="x"))
    for t_ms in range(51_100, 51_600, 15):
        clock.show(t_ms * MS)
    assert [tone.frequency_hz for tone in clock.chips.buzzer.tones] == [2730, 2730]
    assert [tone.duration_ms for tone in clock.chips.buzzer.tones] == [60, 1000]


def test_a_flag_that_becomes_known_late_sounds_once(clocks: list[Clock]) -> None:
    clock = make(clocks, "5s")
    clock.show(4_900 * MS)
    clock.display.show(clock.referee, 5_200 * MS)  # it is not ruled yet
    clock.show(5_300 * MS)
    clock.show(5_400 * MS)
    assert [tone.duration_ms for tone in clock.chips.buzzer.tones] == [1000]


def test_a_point_says_that_a_stone_was_seen_until_the_press(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")

    def stone(t_ms: int, point: int, colour: Colour) -> None:
        t_ns = t_ms * MS
        clock.referee.rule(Placed(t_ns=t_ns, point=point, colour=colour, since_ns=t_ns))

    def points(t_ms: int) -> tuple[bool, bool]:
        clock.show(t_ms * MS)
        return bool(clock.face("near")[0][3] & 0x80), bool(clock.face("far")[0][3] & 0x80)

    assert points(1000) == (False, False)
    stone(1500, 112, BLACK)
    assert points(1501) == (True, False)  # at once, not at the next look
    clock.referee.rule(KeyPress(t_ns=2000 * MS, key="near"))
    assert points(2001) == (False, False)
    stone(2500, 3, WHITE)
    assert points(2600) == (False, True)
    clock.referee.rule(Lifted(t_ns=2700 * MS, point=3, colour=WHITE))
    assert points(2800) == (False, False)


@pytest.mark.parametrize("rhythm_ms", [5, 14, 16, 31, 33, 45])
def test_no_signal_is_missed_whatever_the_rhythm_of_the_calls_is(clocks: list[Clock], rhythm_ms: int) -> None:
    clock = make(clocks, "2s + 3x35s")
    start = clock.referee.clock
    asked: list[tuple[int, int]] = []
    buzzer = clock.devices.buzzer
    tone = buzzer.tone

    def listen(hz: int, ms: int, volume: int = 3, latest_ns: int | None = None) -> None:
        assert latest_ns is not None
        assert latest_ns >= clock.now_ns, "asked for too late"
        asked.append((hz, ms))
        tone(hz, ms, volume, latest_ns)

    buzzer.tone = listen  # type: ignore[method-assign]
    end_ns = 120 * SECOND
    for t_ns in range(0, end_ns, rhythm_ms * MS + 7_000):
        clock.now_ns = t_ns
        if clock.referee.deadline_ns is not None and clock.referee.deadline_ns <= t_ns:
            clock.referee.rule(Tick(t_ns=t_ns))
        clock.display.show(clock.referee, t_ns)
    wanted = [(tone.hz, tone.ms) for signal in due(start, 0, end_ns) for tone in signal.pattern]
    assert len(wanted) > 20
    assert asked == wanted


def test_a_signal_that_would_be_late_is_left_out(clocks: list[Clock]) -> None:
    clock = make(clocks, "2s + 1x35s")
    clock.show(SECOND)
    clock.show(2 * SECOND + 60 * MS)
    assert list(clock.chips.buzzer.tones) == []
    clock.show(2 * SECOND + 210 * MS)
    assert [tone.frequency_hz for tone in clock.chips.buzzer.tones] == [2730], "the second tone is in time"


def test_a_flag_cuts_short_what_sounds_and_nothing_cuts_the_flag(clocks: list[Clock]) -> None:
    clock = make(clocks, "2s + 1x35s")
    clock.show(2 * SECOND)
    clock.referee.rule(Command(t_ns=2 * SECOND, do="set_clock", side=BLACK, ms=100, reason="x"))
    for t_ms in range(2_000, 2_400, 10):
        clock.show(t_ms * MS)
    sounded = [(t.start_ns // MS, t.frequency_hz, t.duration_ms) for t in clock.chips.buzzer.tones]
    assert sounded == [(2_000, 2000, 150), (2_100, 2730, 1000)]
    assert clock.chips.buzzer.sounding() is not None


def test_a_buzzer_that_was_away_is_told_and_untold_without_a_tone(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    clock.show(SECOND)
    chip = clock.chips.bus.detach(0x34)
    clock.show(7 * SECOND)
    assert [f for f in clock.devices.faults() if f.startswith("buzzer (0x34)")]
    clock.chips.bus.attach(0x34, chip)
    clock.show(13 * SECOND)
    assert clock.devices.faults() == []


def test_a_face_that_was_away_shows_the_time_again(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    clock.show(SECOND)
    chip = clock.chips.bus.detach(0x70)
    clock.show(2 * SECOND)
    clock.show(3 * SECOND)
    assert [f for f in clock.devices.faults() if "0x70" in f]
    assert clock.face("far") == encode("15:00")
    clock.chips.bus.attach(0x70, chip)
    clock.show(4 * SECOND)
    assert clock.face("near") == encode("14:56")
    assert clock.devices.faults() == []


def test_a_brown_out_is_over_within_five_seconds(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    clock.show(5 * SECOND)
    clock.chips.faces["far"].power_on()
    assert clock.face("far") == (bytes(4), False)
    clock.show(10 * SECOND)
    assert clock.face("far") == encode("15:00")


def test_the_colons_wink_while_the_game_is_paused(clocks: list[Clock]) -> None:
    clock = make(clocks, "15m")
    clock.referee.rule(KeyPress(t_ns=SECOND, key="arbiter"))
    clock.show(2 * SECOND)
    assert clock.face("near")[1]
    clock.show(2 * SECOND + 600 * MS)
    assert not clock.face("near")[1]
