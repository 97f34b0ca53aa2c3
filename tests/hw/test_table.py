"""The simulated table in virtual time: what its sensors read of what hands do."""

import threading
from itertools import pairwise

import numpy as np
import pytest

from hw import Press
from hw.simulator import HandError, SimulatedTable, sensor_index
from hw.simulator.hand import Habits
from hw.simulator.sensors import LinearSensors

MS = 1_000_000
EXACT = Habits(shuffle=0.0, scatter_mm=(0.0, 0.0))


def quiet_table() -> SimulatedTable:
    plain = LinearSensors(1, gain_spread=0, offset_counts=0, noise_counts=0)
    return SimulatedTable(electronics=plain, habits=EXACT)


def at(table: SimulatedTable, t_ns: int, *points: str) -> list[int]:
    readings = np.frombuffer(table.readings(t_ns), np.int8)
    return [int(readings[sensor_index(p)]) for p in points]


def test_a_placed_stone_is_read_and_its_neighbours_hardly() -> None:
    table = quiet_table()
    act = table.place(1000 * MS, "H8", "black")
    assert at(table, 1000 * MS, "H8") == [0]
    assert at(table, act.end_ns, "H8", "I8", "H9", "A1") == [92, -1, -1, 0]
    table.place(act.end_ns, "I8", "white")
    assert at(table, table.quiet_ns, "H8", "I8") == [93, -93]


def test_neighbours_all_round_weaken_a_stone() -> None:
    table = quiet_table()
    table.set_up({"H8": "black", **dict.fromkeys(("G7", "G8", "G9", "H7", "H9", "I7", "I8", "I9"), "black")})
    assert at(table, 0, "H8") == [83]


def test_lift_takes_it_away_and_the_table_forgets_it() -> None:
    table = quiet_table()
    table.set_up({"H8": "black"})
    act = table.lift(100 * MS, "H8")
    assert at(table, act.start_ns, "H8") == [92]
    assert at(table, act.end_ns, "H8") == [0]
    assert table.stones(act.end_ns) == []
    with pytest.raises(HandError, match="no stone on H8"):
        table.lift(act.end_ns, "H8")


def test_a_slide_is_seen_at_every_point_and_between_two() -> None:
    table = quiet_table()
    table.set_up({"H8": "black"})
    act = table.slide(0, ["H8", "J8"], speed_mm_s=240)
    seen = [at(table, t * MS, "H8", "I8", "J8") for t in range(act.end_ns // MS + 2)]
    assert [max(column) for column in zip(*seen, strict=True)] == [92, 92, 92]
    assert seen[50][:2] == pytest.approx([3, 3], abs=1)
    assert seen[-1] == [0, -1, 92]
    assert table.lying(act.end_ns).count("X") == 1


def test_a_stone_can_touch_down_and_be_pushed_on() -> None:
    table = quiet_table()
    act = table.place_sliding(0, ["H8", "I8"], "white", speed_mm_s=240, rest_ms=50)
    assert at(table, act.touch_ns + 40 * MS, "H8", "I8") == [-92, 1]
    assert at(table, act.end_ns, "H8", "I8") == [1, -92]


def test_moved_adjusted_nudged_stones_end_where_they_should() -> None:
    table = quiet_table()
    table.set_up({"H8": "black", "C3": "white", "L4": "white"})
    ends = [table.move(0, "H8", "G7"), table.adjust(0, "C3"), table.nudge(0, "L4")]
    assert max(at(table, t * MS, "C3")[0] for t in range(300)) > -40
    assert at(table, max(a.end_ns for a in ends), "H8", "G7", "C3", "L4") == [-1, 92, -92, -92]


def test_verbs_can_be_scheduled_ahead_in_order() -> None:
    table = quiet_table()
    table.place(100 * MS, "H8", "black")
    table.slide(500 * MS, ["H8", "H9"])
    table.lift(900 * MS, "H9")
    assert [at(table, t * MS, "H8", "H9") for t in (50, 400, 800, 1200)] == [
        [0, 0],
        [92, -1],
        [-1, 92],
        [0, 0],
    ]


def test_a_verb_waits_for_the_one_before_and_refuses_to_overtake() -> None:
    table = quiet_table()
    placed = table.place(0, "H8", "black")
    lifted = table.lift(10 * MS, "H8")
    assert lifted.start_ns == placed.end_ns
    table.place(5000 * MS, "C3", "black")
    with pytest.raises(HandError, match="no stone on C3"):
        table.lift(1000 * MS, "C3")
    table.lift(8000 * MS, "C3")
    with pytest.raises(HandError, match="moved later already"):
        table.lift(7000 * MS, "C3")


def test_a_second_stone_on_a_point_lies_on_top() -> None:
    table = quiet_table()
    table.set_up({"H8": "black"})
    act = table.place(0, "H8", "white")
    assert at(table, act.end_ns, "H8") == [73]
    table.lift(act.end_ns, "H8")
    assert at(table, table.quiet_ns, "H8") == [92]


def test_a_weak_magnet() -> None:
    table = quiet_table()
    act = table.place(0, "H8", "black", strength=0.35)
    assert at(table, act.end_ns, "H8") == [32]


def test_a_dropped_stone_bounces() -> None:
    table = quiet_table()
    act = table.drop(0, "H8", "black")
    seen = [at(table, t * MS, "H8")[0] for t in range(act.end_ns // MS + 2)]
    rises = sum(1 for a, b in pairwise(seen) if a < 40 <= b)
    assert rises >= 2
    assert seen[-1] > 40


def test_a_board_that_is_being_cleared_cannot_be_cleared_again_and_nothing_changes() -> None:
    table = SimulatedTable()
    table.set_up({"C3": "black", "D3": "white"})
    cleared = table.clear(0)
    with pytest.raises(HandError, match=r"^the stone on D3 is to be moved later already$"):
        table.clear(MS)
    assert table.stones(cleared.end_ns) == []


def test_a_sweep_and_a_clearing() -> None:
    table = quiet_table()
    points = ["E5", "F6", "G7", "H8"]
    table.set_up(dict.fromkeys(points, "black"))
    act = table.sweep(100 * MS, points)
    assert sum(at(table, act.end_ns, *points)) < 100
    left = len(table.stones(act.end_ns))
    cleared = table.clear(act.end_ns + MS, every_ms=100)
    assert cleared.end_ns - cleared.start_ns > (left - 1) * 100 * MS
    assert not any(table.readings(cleared.end_ns))
    assert table.stones(cleared.end_ns) == []


def test_a_phone_is_strong_smooth_and_passes() -> None:
    table = quiet_table()
    act = table.phone(0, 3000, over="H8")
    reading = np.frombuffer(table.readings(1500 * MS), np.int8).reshape(15, 15).astype(int)
    assert reading[7, 7] > 20
    assert np.abs(np.diff(reading, axis=1)).max() < reading.max() / 3
    assert (reading > 3).sum() > 40
    assert not any(table.readings(act.end_ns))


def test_faults_of_points_and_lines() -> None:
    table = quiet_table()
    table.set_up({"C12": "black", "C3": "black"})
    table.fault(100 * MS, "dead", line="12")
    table.fault(100 * MS, "stuck", point="A1", until_ns=200 * MS)
    assert at(table, 99 * MS, "C12", "A1") == [92, 0]
    assert at(table, 100 * MS, "C12", "C3", "A1") == [0, 92, 100]
    assert at(table, 200 * MS, "C12", "A1") == [0, 0]
    with pytest.raises(ValueError, match="one of them"):
        table.fault(0, "dead")


def test_switches_follow_a_stone_between_two_readings() -> None:
    table = SimulatedTable("switch", habits=EXACT)
    table.set_up({"H8": "black"})
    act = table.slide(100 * MS, ["H8", "J8"], speed_mm_s=500)
    seen = {}
    for t_ns in range(0, act.end_ns + 20 * MS, MS):
        seen[t_ns] = at(table, t_ns, "H8", "I8", "J8")
    states = list(dict.fromkeys(tuple(s) for s in seen.values()))
    assert states[0] == (1, 0, 0)
    assert {(0, 0, 0), (0, 1, 0), (0, 0, 1)} <= set(states)
    assert states[-1] == (0, 0, 1)
    # A jump over the whole slide must leave the contacts as if they had been watched.
    other = SimulatedTable("switch", habits=EXACT)
    other.set_up({"H8": "black"})
    other.slide(100 * MS, ["H8", "J8"], speed_mm_s=500)
    assert at(other, act.end_ns + 20 * MS, "H8", "I8", "J8") == [0, 0, 1]


def test_what_came_and_went_between_two_readings_leaves_its_mark_on_a_switch() -> None:
    # A weak stone's 5.3 mT close no contact (6 mT) but keep one closed (4 mT) that a phone has closed.
    table = SimulatedTable("switch", habits=EXACT)
    act = table.place(0, "H8", "black", strength=0.3)
    assert at(table, act.end_ns + 10 * MS, "H8") == [0]
    passed = table.phone(act.end_ns + 10 * MS, 1000)
    assert at(table, passed.end_ns + 10 * MS, "H8") == [1]


def test_a_switch_reads_presence_of_either_colour() -> None:
    table = SimulatedTable("switch")
    table.set_up({"H8": "black", "A1": "white"})
    readings = table.readings(10 * MS)
    assert [i for i, r in enumerate(readings) if r] == [0, sensor_index("H8")]


def test_the_same_seed_gives_the_same_table() -> None:
    def play(seed: int) -> list[bytes]:
        table = SimulatedTable(seed=seed)
        table.place(0, "H8", "black")
        table.slide(400 * MS, ["H8", "H9"])
        return [table.readings(t * 5 * MS) for t in range(200)]

    assert play(3) == play(3)
    assert play(3) != play(4)


def test_keys_are_taken_once_in_time_order() -> None:
    table = quiet_table()
    table.press(30 * MS, "far")
    table.press(20 * MS, "near")
    table.press(90 * MS, "far-call", held=True)
    assert table.presses(40 * MS) == [Press(20 * MS, "near"), Press(30 * MS, "far")]
    assert table.presses(40 * MS) == []
    # What was known up to 40 ms stays true: a late press is moved behind it.
    table.press(10 * MS, "arbiter")
    assert table.presses(100 * MS) == [
        Press(40 * MS + 1, "arbiter"),
        Press(90 * MS, "far-menu"),
    ]
    with pytest.raises(HandError, match="'middle' is not a key"):
        table.press(0, "middle")  # type: ignore[arg-type]
    with pytest.raises(HandError, match="'near' is not a key that can be held; allowed: near-call, far-call"):
        table.press(0, "near", held=True)
    with pytest.raises(
        HandError, match="'near-menu' is not a key; allowed: near, far, near-call, far-call, arb"
    ):
        table.press(0, "near-menu")


def test_a_verb_never_changes_what_has_been_read() -> None:
    table = quiet_table()
    table.readings(500 * MS)
    act = table.place(100 * MS, "H8", "black")
    assert act.start_ns == 500 * MS
    assert at(table, act.end_ns, "H8") == [92]
    assert at(table, 100 * MS, "H8") == [92]
    assert table.lift(100 * MS, "H8").start_ns == act.end_ns


def test_what_an_onlooker_sees() -> None:
    table = quiet_table()
    table.set_up("X" + "." * 223 + "O")
    act = table.place(0, "H8", "black")
    assert [s.point for s in table.stones(act.touch_ns - 60 * MS)] == ["A1", "O15", None]
    assert [(s.colour, s.point) for s in table.stones(act.end_ns)][-1] == ("black", "H8")
    lying = table.lying(act.end_ns)
    assert (lying[0], lying[112], lying[224]) == ("X", "X", "O")


@pytest.mark.parametrize(
    ("verb", "message"),
    [
        (lambda t: t.place(0, "P16", "black"), "'P16' is not a point"),
        (lambda t: t.place(0, "H8", "green"), "'green' is not a colour"),
        (lambda t: t.slide(0, ["H8"]), "two points"),
        (lambda t: t.set_up("XX"), "225 characters"),
        (lambda t: t.sweep(0, []), "needs a stone"),
    ],
)
def test_what_a_hand_cannot_do(verb, message) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(HandError, match=message):
        verb(quiet_table())


def test_hands_of_another_thread_while_frames_are_read() -> None:
    table = SimulatedTable()
    done = threading.Event()

    def hands() -> None:
        for i in range(100):
            table.place(0, i, "black" if i % 2 else "white")
        done.set()

    thread = threading.Thread(target=hands, daemon=True)
    thread.start()
    t_ns = 0
    while not done.is_set() or t_ns < table.quiet_ns:
        t_ns += 5 * MS
        assert len(table.readings(t_ns)) == 225
    thread.join()
    assert table.lying(t_ns).count(".") == 125
