"""Keys: presses from edges, and gpiozero's mock pins."""

from collections.abc import Iterator

import pytest
from gpiozero.pins.mock import MockFactory, MockPin

from hw import DeviceError, KeyName, Press
from hw.keys import (
    BOUNCE_NS,
    DECIDE_NS,
    DELIVERY_NS,
    FLUTTER_NS,
    HELD_NS,
    LOOK_NS,
    MS,
    QUIET_NS,
    RETRY_NS,
    SPIKE_NS,
    Contact,
    GpioKeys,
    NoKeys,
)
from tests.patience import wait_for


def presses(contact: Contact, *edges: tuple[float, int], until_ms: float) -> list[Press]:
    found = []
    for t_ms, closed in edges:
        found += contact.edge(int(t_ms * MS), bool(closed))
    return found + contact.until(int(until_ms * MS))


def test_a_press_is_its_first_edge_and_told_at_once() -> None:
    contact = Contact("near")
    assert contact.edge(100 * MS, True) == []
    assert contact.until(100 * MS + SPIKE_NS - 1) == []
    assert contact.until(100 * MS + SPIKE_NS) == [Press(100 * MS, "near")]
    assert contact.until(5000 * MS) == []


def test_bounces_at_both_ends_are_one_press() -> None:
    closing = [(100, 1), (100.3, 0), (100.6, 1), (101, 0), (101.4, 1)]
    opening = [(300, 0), (300.5, 1), (301, 0), (302, 1), (303, 0)]
    assert presses(Contact("far"), *closing, *opening, until_ms=1000) == [Press(100 * MS, "far")]


def test_a_spark_is_no_press() -> None:
    assert presses(Contact("near"), (100, 1), (100.05, 0), until_ms=1000) == []
    assert presses(Contact("near-call"), (100, 1), (101.9, 0), until_ms=1000) == []


def test_sparks_are_no_press_however_many_come() -> None:
    assert presses(Contact("near"), (100, 1), (100.05, 0), (110, 1), (110.05, 0), until_ms=1000) == []
    sparks = [(n + off, closed) for n in range(100, 900, 10) for off, closed in ((0, 1), (1, 0))]
    assert presses(Contact("near"), *sparks, until_ms=2000) == []


@pytest.mark.parametrize(("key", "at_ms"), [("near", 112), ("near-call", 162)])
def test_a_spark_before_a_press_does_not_date_it_back(key: KeyName, at_ms: int) -> None:
    edges = [(100, 1), (100.05, 0), (112, 1), (112.2, 0), (112.5, 1), (162, 0)]
    assert presses(Contact(key), *edges, until_ms=1000) == [Press(at_ms * MS, key)]


def test_a_press_in_the_middle_of_dense_sparks_is_dated_back_by_no_more_than_they_are_added_up() -> None:
    sparks = [(n + off, closed) for n in range(100, 400, 4) for off, closed in ((0, 1), (0.01, 0))]
    ((at_ns, key),) = presses(Contact("near"), *sparks, (400, 1), (450, 0), until_ms=1000)
    assert (key, 400 * MS - DECIDE_NS <= at_ns <= 400 * MS) == ("near", True)


def test_the_shortest_tap_is_a_press() -> None:
    assert presses(Contact("near"), (100, 1), (103, 0), until_ms=1000) == [Press(100 * MS, "near")]


def test_two_presses_need_an_open_contact_between_them() -> None:
    edges = [(100, 1), (150, 0), (170, 1), (220, 0)]
    assert presses(Contact("near"), *edges, until_ms=1000) == [
        Press(100 * MS, "near"),
        Press(170 * MS, "near"),
    ]
    close = [(100, 1), (150, 0), (155, 1), (220, 0)]
    assert presses(Contact("near"), *close, until_ms=1000) == [Press(100 * MS, "near")]


def test_a_short_call_is_told_when_the_key_opens() -> None:
    contact = Contact("far-call")
    assert presses(contact, (100, 1), (400, 0), until_ms=400 + BOUNCE_NS / MS - 1) == []
    assert contact.until(400 * MS + BOUNCE_NS) == [Press(400 * MS, "far-call")]


def test_a_call_key_that_is_held_asks_once_and_its_opening_is_nothing() -> None:
    contact = Contact("near-call")
    assert presses(contact, (100, 1), until_ms=1099) == []
    assert contact.until(100 * MS + HELD_NS) == [Press(1100 * MS, "near-menu")]
    assert presses(contact, (1500, 0), until_ms=3000) == []


def test_edges_that_change_nothing_are_ignored() -> None:
    assert presses(Contact("near"), (50, 0), (100, 1), (110, 1), (150, 0), (160, 0), until_ms=500) == [
        Press(100 * MS, "near")
    ]


class Desk:
    """Keys on mock pins, at a time of their own: the pins' stamps are given by hand."""

    def __init__(self) -> None:
        self.now_ns = 10_000 * MS
        self.wall_ns = 1_700_000_000_000 * MS
        self.factory = MockFactory()
        self.pins = {"near": 17, "far": 27, "near-call": 22, "far-call": 23, "arbiter": 24}
        self.keys = GpioKeys(
            self.pins, self.factory, now_ns=lambda: self.now_ns, wall_ns=lambda: self.wall_ns
        )

    def drive(self, key: str, closed: bool, stamp_ns: int) -> None:
        pin = self.factory.pin(f"GPIO{self.pins[key]}")
        pin._state = not closed
        pin.when_changed(stamp_ns / 1e9, not closed)


@pytest.fixture
def desk() -> Iterator[Desk]:
    desk = Desk()
    yield desk
    desk.keys.close()


def test_pins_are_inputs_with_pull_ups() -> None:
    desk = Desk()
    for number in desk.pins.values():
        pin = desk.factory.pin(f"GPIO{number}")
        assert (pin.function, pin.pull, pin.edges, pin.bounce) == ("input", "up", "both", None)
    desk.keys.close()


def test_real_edges_of_mock_pins_become_presses() -> None:
    factory = MockFactory()
    keys = GpioKeys({"near": 17, "far": 27}, factory)
    found: list[Press] = []
    factory.pin("GPIO17").drive_low()
    factory.pin("GPIO27").drive_low()
    while len(found) < 2:
        more, seen_ns = keys.poll()
        found += more
    assert [p.key for p in found] == ["near", "far"]
    assert found[0].t_ns <= found[1].t_ns <= seen_ns
    keys.close()


def test_a_press_has_the_stamp_of_its_edge_however_late_it_arrives(desk: Desk) -> None:
    stamp_ns = desk.now_ns - 3 * MS
    desk.drive("near", True, stamp_ns)
    desk.now_ns += 10 * MS
    found, seen_ns = desk.keys.poll()
    assert found == [Press(stamp_ns, "near")]
    assert seen_ns == desk.now_ns - DELIVERY_NS


def test_stamps_of_the_wall_clock_are_understood(desk: Desk) -> None:
    desk.drive("near", True, desk.wall_ns - 4 * MS)
    desk.now_ns += 10 * MS
    (press,) = desk.keys.poll()[0]
    assert press.t_ns == pytest.approx(desk.now_ns - 14 * MS, abs=1000)


def test_stamps_of_no_known_clock_are_replaced_by_now(desk: Desk) -> None:
    desk.drive("near", True, 5 * MS)
    pressed_ns = desk.now_ns
    desk.now_ns += 10 * MS
    assert desk.keys.poll()[0] == [Press(pressed_ns, "near")]


def test_a_stamp_from_the_future_is_now(desk: Desk) -> None:
    pressed_ns = desk.now_ns
    desk.drive("near", True, pressed_ns + 300 * MS)
    desk.now_ns += 10 * MS
    assert desk.keys.poll()[0] == [Press(pressed_ns, "near")]


def test_a_press_that_is_not_certain_yet_holds_back_what_is_known(desk: Desk) -> None:
    pressed_ns = desk.now_ns
    desk.drive("near", True, pressed_ns)
    desk.now_ns += DELIVERY_NS + SPIKE_NS - 1
    assert desk.keys.poll() == ([], pressed_ns - 1)
    desk.now_ns += 1
    assert desk.keys.poll() == ([Press(pressed_ns, "near")], desk.now_ns - DELIVERY_NS)


def test_a_held_call_key_holds_nothing_back(desk: Desk) -> None:
    desk.drive("far-call", True, desk.now_ns)
    desk.now_ns += 500 * MS
    assert desk.keys.poll() == ([], desk.now_ns - DELIVERY_NS)


def test_a_call_key_that_has_opened_holds_back_what_is_known_until_it_is_certain(desk: Desk) -> None:
    desk.drive("far-call", True, desk.now_ns)
    desk.now_ns += 500 * MS
    opened_ns = desk.now_ns
    desk.drive("far-call", False, opened_ns)
    desk.now_ns += DELIVERY_NS + BOUNCE_NS - 1
    assert desk.keys.poll() == ([], opened_ns - 1)
    desk.now_ns += 1
    assert desk.keys.poll() == ([Press(opened_ns, "far-call")], desk.now_ns - DELIVERY_NS)


def test_whatever_a_held_key_does_nothing_is_told_later_than_it_is_known(desk: Desk) -> None:
    pressed_ns = desk.now_ns
    desk.drive("near-call", True, pressed_ns)
    known_ns = 0
    for at_ms, closed in [(996, False), (1003, True), (1500, False), (1501, True), (1502, False)]:
        while desk.now_ns < pressed_ns + at_ms * MS:
            desk.now_ns += MS
            presses, seen_ns = desk.keys.poll()
            assert all(press == Press(pressed_ns + HELD_NS, "near-menu") for press in presses)
            assert all(press.t_ns > known_ns for press in presses)
            known_ns = seen_ns
        desk.drive("near-call", closed, desk.now_ns)
    desk.now_ns += 100 * MS
    assert desk.keys.poll() == ([], desk.now_ns - DELIVERY_NS)


def test_presses_of_several_keys_come_in_time_order(desk: Desk) -> None:
    desk.drive("far", True, desk.now_ns - 1 * MS)
    desk.drive("near", True, desk.now_ns - 2 * MS)
    desk.now_ns += 50 * MS
    assert [p.key for p in desk.keys.poll()[0]] == ["near", "far"]


def test_a_factory_that_does_not_exist() -> None:
    with pytest.raises(
        DeviceError, match="'pigpio' is not a pin factory; allowed: lgpio, rpigpio, native, mock"
    ):
        GpioKeys({"near": 17}, "pigpio")


def test_a_factory_whose_library_cannot_be_had_is_named_and_nothing_falls_back() -> None:
    with pytest.raises(DeviceError, match="the pin factory 'rpigpio' cannot be had here"):
        GpioKeys({"near": 17}, "rpigpio")


def test_a_machine_without_pins_is_told_and_not_the_end() -> None:
    keys = GpioKeys({"near": 17}, "native", now_ns=lambda: 10_000 * MS)
    assert keys.poll() == ([], 10_000 * MS - DELIVERY_NS)
    (told,) = keys.faults()
    assert told.startswith("keys: the pins of this machine cannot be had: unable to locate Pi revision")
    keys.close()


def test_the_mock_factory_can_be_named_as_well() -> None:
    keys = GpioKeys({"near": 17}, "mock")
    keys._factory.pin("GPIO17").drive_low()
    found: list[Press] = []

    def heard() -> bool:
        found.extend(keys.poll()[0])
        return bool(found)

    wait_for(heard)
    assert [p.key for p in found] == ["near"]
    keys.close()


def test_a_pin_that_does_not_exist_is_told_and_the_other_keys_work() -> None:
    now = [10_000 * MS]
    factory = MockFactory()
    keys = GpioKeys({"near": 99, "far": 27}, factory, now_ns=lambda: now[0])
    (told,) = keys.faults()
    assert told.startswith("GPIO99 cannot be the key near")
    pin = factory.pin("GPIO27")
    pin._state = False
    pin.when_changed(now[0] / 1e9, False)
    now[0] += 10 * MS
    assert keys.poll()[0] == [Press(10_000 * MS, "far")]
    keys.close()


def test_a_pin_that_belongs_to_somebody_else_is_told_and_taken_once_it_is_free() -> None:
    class Busy(MockFactory):
        busy = True

        def pin(self, name: object) -> object:
            if self.busy:
                raise RuntimeError("GPIO busy")
            return super().pin(name)

    now = [10_000 * MS]
    factory = Busy()
    keys = GpioKeys({"near": 17}, factory, now_ns=lambda: now[0])
    assert keys.faults() == ["GPIO17 (key near) is in use by somebody else: GPIO busy"]
    factory.busy = False
    now[0] += RETRY_NS - 1
    keys.poll()
    assert len(keys.faults()) == 1
    now[0] += 1
    keys.poll()
    assert keys.faults() == []
    pin = factory.pin("GPIO17")
    pin._state = False
    pin.when_changed(now[0] / 1e9, False)
    now[0] += 10 * MS
    assert keys.poll()[0] == [Press(now[0] - 10 * MS, "near")]
    keys.close()


def test_chatter_is_one_press_with_its_first_edge_however_long_it_lasts(desk: Desk) -> None:
    first_ns = desk.now_ns
    found = []
    for n in range(400):  # 40 ms of it, each way
        desk.drive("near", n % 2 == 0, desk.now_ns)
        desk.now_ns += MS // 10
        found += desk.keys.poll()[0]
    desk.drive("near", True, desk.now_ns)
    for _ in range(100):
        desk.now_ns += MS
        found += desk.keys.poll()[0]
    assert found == [Press(first_ns, "near")]


def test_keys_of_both_seats_at_once_are_two_presses(desk: Desk) -> None:
    for n in range(9):  # bouncing in turn
        desk.drive("near", n % 2 == 0, desk.now_ns + n * MS // 4)
        desk.drive("far", n % 2 == 0, desk.now_ns + n * MS // 4)
    pressed_ns = desk.now_ns
    desk.now_ns += 100 * MS
    assert desk.keys.poll()[0] == [Press(pressed_ns, "far"), Press(pressed_ns, "near")]


def test_a_clock_key_that_is_held_is_one_press_and_told_after_half_a_minute(desk: Desk) -> None:
    desk.drive("near", True, desk.now_ns)
    found = []
    for _ in range(30):
        assert desk.keys.faults() == []
        desk.now_ns += 1000 * MS
        found += desk.keys.poll()[0]
    assert len(found) == 1
    assert desk.keys.faults() == [
        "key near (GPIO17) has been closed for 30 s: it is stuck, or its wire touches ground"
    ]
    desk.drive("near", False, desk.now_ns)
    assert desk.keys.faults() == []


@pytest.mark.parametrize(("closed_ms", "every_ms"), [(1, 10), (0.1, 10), (0.01, 4), (1, 7), (3, 10), (9, 10)])
def test_a_line_that_flutters_holds_nothing_up_and_is_told_until_it_is_quiet(
    desk: Desk, closed_ms: float, every_ms: float
) -> None:
    found = []
    for n in range(200):
        desk.drive("near", True, desk.now_ns)
        desk.now_ns += round(closed_ms * MS)
        desk.drive("near", False, desk.now_ns)
        desk.now_ns += round((every_ms - closed_ms) * MS)
        more, seen_ns = desk.keys.poll()
        found += more
        assert desk.now_ns - seen_ns <= DECIDE_NS + DELIVERY_NS + SPIKE_NS
        if n * every_ms > FLUTTER_NS / MS + 10:
            assert desk.keys.faults() == ["key near (GPIO17) flutters: a worn contact or a loose wire"]
    assert len(found) == (closed_ms > SPIKE_NS / MS)
    desk.now_ns += QUIET_NS
    assert (list(desk.keys.poll()[0]), desk.keys.faults()) == ([], [])


def test_a_hand_that_hammers_a_key_is_no_flutter(desk: Desk) -> None:
    found = []
    for n in range(40):
        desk.drive("near", n % 2 == 0, desk.now_ns)
        desk.now_ns += 55 * MS
        found += desk.keys.poll()[0]
        assert desk.keys.faults() == []
    assert len(found) == 20


class GroundedPin(MockPin):
    """A pin that is low whatever its pull, until a test says otherwise."""

    def input_with_pull(self, pull: str) -> None:
        super().input_with_pull(pull)
        self._state = False


def test_a_key_that_is_closed_at_the_start_is_told_and_no_press_until_it_has_opened() -> None:
    now = [10_000 * MS]
    factory = MockFactory(pin_class=GroundedPin)
    keys = GpioKeys({"near": 17}, factory, now_ns=lambda: now[0])
    now[0] += 500 * MS
    assert keys.poll()[0] == []
    assert keys.faults() == [
        "key near (GPIO17) has been closed since the start: it is stuck, or its wire touches ground"
    ]
    pin = factory.pin("GPIO17")
    for at_ms, closed in ((600, False), (601, True), (602, False), (700, True)):
        now[0] = (10_000 + at_ms) * MS
        pin._state = not closed
        pin.when_changed(now[0] / 1e9, not closed)
    now[0] += 100 * MS
    assert keys.poll()[0] == [Press(10_700 * MS, "near")]
    assert keys.faults() == []
    keys.close()


def test_an_edge_that_was_missed_is_seen_by_its_level(desk: Desk) -> None:
    desk.drive("near", True, desk.now_ns)
    desk.now_ns += 100 * MS
    assert len(desk.keys.poll()[0]) == 1
    desk.factory.pin("GPIO17")._state = True  # it opened, and nobody said so
    for _ in range(4):
        desk.now_ns += LOOK_NS
        assert desk.keys.poll()[0] == []
    again_ns = desk.now_ns
    desk.drive("near", True, again_ns)
    desk.now_ns += 10 * MS
    assert desk.keys.poll()[0] == [Press(again_ns, "near")]


def test_an_edge_that_is_late_is_not_taken_for_a_missed_one(desk: Desk) -> None:
    desk.now_ns += LOOK_NS
    pressed_ns = desk.now_ns - DELIVERY_NS
    desk.factory.pin("GPIO17")._state = False
    assert desk.keys.poll()[0] == []
    desk.drive("near", True, pressed_ns)
    desk.now_ns += 2 * LOOK_NS
    assert desk.keys.poll()[0] == [Press(pressed_ns, "near")]


def test_a_table_without_keys() -> None:
    keys = NoKeys(lambda: 7)
    assert keys.poll() == ((), 7)
    keys.close()
