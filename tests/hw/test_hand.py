"""Motions of a hand: where they go, when they touch, and that nothing jumps."""

import math
from itertools import pairwise

import pytest

from hw.simulator.hand import HIGH_MM, Habits, Hand, Motion
from hw.simulator.physics import Pose, nearest, position, sensor_index

MS = 1_000_000
H8, I8, J8 = (sensor_index(p) for p in ("H8", "I8", "J8"))
HERE = Pose(*position(H8))


def apart(a: Pose, b: Pose) -> float:
    return math.dist(a[:3], b[:3])


def motions(seed: int) -> dict[str, Motion]:
    hand = Hand(seed)
    return {
        "place": hand.place(1000 * MS, H8),
        "place_sliding": hand.place_sliding(1000 * MS, [H8, I8, J8], 250.0, 30.0),
        "slide": hand.slide(1000 * MS, HERE, [I8, J8], 250.0),
        "lift": hand.lift(1000 * MS, HERE),
        "move": hand.move(1000 * MS, HERE, J8, 200.0),
        "adjust": hand.adjust(1000 * MS, HERE, H8, 60.0),
        "nudge": hand.nudge(1000 * MS, HERE, H8),
        "drop": hand.drop(1000 * MS, H8),
    }


@pytest.mark.parametrize("name", motions(0))
@pytest.mark.parametrize("seed", range(4))
def test_nothing_jumps_and_nothing_goes_below_the_board(name: str, seed: int) -> None:
    motion = motions(seed)[name]
    assert motion.start_ns == 1000 * MS
    before = motion.pose(motion.start_ns)
    for t_ns in range(motion.start_ns, motion.end_ns + MS, MS):
        pose = motion.pose(t_ns)
        assert apart(before, pose) < 4.0, (
            f"{name} jumps at {t_ns / 1e6} ms"
        )  # 4 mm/ms is faster than any hand
        assert pose.height_mm >= -1e-6
        before = pose
    assert motion.pose(motion.end_ns + 10**12) == motion.rest


@pytest.mark.parametrize("seed", range(8))
def test_a_stone_comes_down_in_100_to_150_ms_within_3_mm(seed: int) -> None:
    motion = motions(seed)["place"]
    assert 100 * MS <= motion.touch_ns - motion.start_ns <= 150 * MS
    assert motion.pose(motion.start_ns).height_mm == HIGH_MM
    assert motion.pose(motion.touch_ns).height_mm == 0
    assert motion.pose(motion.touch_ns - 20 * MS).height_mm > 0.5
    assert apart(motion.rest, HERE) <= 3.0 + math.sqrt(2) * 0.8
    assert motion.end_ns - motion.touch_ns <= 130 * MS


def test_a_hand_that_never_shuffles() -> None:
    hand = Hand(1, Habits(shuffle=0.0, scatter_mm=(0.0, 0.0)))
    motion = hand.place(0, H8)
    assert motion.touch_ns == motion.end_ns
    assert apart(motion.rest, HERE) < 1e-9


def test_a_slide_keeps_to_the_board_and_its_speed() -> None:
    motion = Hand(2, Habits(scatter_mm=(0.0, 0.0))).slide(0, HERE, [I8, J8], 240.0)
    assert motion.end_ns == pytest.approx(200 * MS, rel=1e-3)
    seen = [nearest(p.x_mm, p.y_mm) for p in (motion.pose(t * MS) for t in range(201))]
    assert list(dict.fromkeys(seen)) == [H8, I8, J8]
    assert all(motion.pose(t * MS).height_mm == 0 for t in range(201))


def test_a_stone_that_touches_down_and_is_pushed_on() -> None:
    motion = motions(1)["place_sliding"]
    touched = motion.pose(motion.touch_ns)
    assert nearest(touched.x_mm, touched.y_mm) == H8
    assert motion.pose(motion.touch_ns + 30 * MS) == touched
    assert nearest(motion.rest.x_mm, motion.rest.y_mm) == J8
    assert motion.pose(motion.touch_ns + 60 * MS).height_mm == 0


def test_lifting_moving_and_adjusting_leave_the_board() -> None:
    for name, high in (("lift", 60), ("move", 50), ("adjust", 10)):
        motion = motions(1)[name]
        span = range(motion.start_ns, motion.end_ns + MS, MS)
        assert max(motion.pose(t).height_mm for t in span) > high
        assert motion.touch_ns == motion.start_ns
    assert motions(1)["lift"].gone
    assert nearest(*motions(1)["move"].rest[:2]) == J8
    assert nearest(*motions(1)["adjust"].rest[:2]) == H8


def test_a_nudge_stays_down_and_within_the_point() -> None:
    motion = motions(3)["nudge"]
    poses = [motion.pose(t) for t in range(motion.start_ns, motion.end_ns, MS)]
    assert max(apart(p, HERE) for p in poses) > 2.0
    assert max(apart(p, HERE) for p in poses) < 8.0
    assert all(p.height_mm == 0 for p in poses)


def test_a_dropped_stone_falls_freely_and_touches_three_times() -> None:
    motion = Hand(4).drop(0, H8, bounces=2)
    assert motion.touch_ns == pytest.approx(math.sqrt(2 * 0.06 / 9.81) * 1e9, rel=1e-3)
    down = [motion.pose(t).height_mm < 0.1 for t in range(0, motion.end_ns + MS, MS // 20)]
    touches = sum(1 for a, b in pairwise(down) if b and not a)
    assert touches == 3


def test_a_sweep_meets_stones_in_order_and_carries_them_along() -> None:
    stones = [Pose(*position(sensor_index(p))) for p in ("C3", "G8", "N8")]
    swept = Hand(5).sweep(0, stones, (1.0, 0.0), 600.0)
    assert [m.start_ns for m in swept] == sorted(m.start_ns for m in swept)
    assert swept[1].start_ns - swept[0].start_ns == pytest.approx(4 * 24 / 600 * 1e9, rel=1e-6)
    assert all(m.rest.x_mm - s.x_mm >= 15 for m, s in zip(swept, stones, strict=True))


def test_stones_at_the_edge_go_over_it() -> None:
    edge = [Pose(*position(sensor_index(f"O{r}"))) for r in range(1, 16)]
    assert sum(m.gone for m in Hand(6).sweep(0, edge, (1.0, 0.0), 600.0)) >= 8


def test_the_same_seed_gives_the_same_hand() -> None:
    assert motions(7) == motions(7)
    assert motions(7) != motions(8)
