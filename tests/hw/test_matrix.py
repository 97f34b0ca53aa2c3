"""The simulated matrix: what it reads when all is well, and what each defect does to it."""

import random

import pytest

from hw.simulator.matrix import LINES, SimulatedMatrix, Wiring, sense_low, sense_table


def _closed(*crossings: tuple[int, int]) -> bytes:
    board = bytearray(LINES * LINES)
    for s, n in crossings:
        board[LINES * s + n] = 1
    return bytes(board)


def test_a_sound_matrix_shows_each_line_as_it_is():
    rng = random.Random(3)  # noqa: S311
    board = bytes(rng.randrange(2) for _ in range(LINES * LINES))
    for s, word in enumerate(sense_table(board)[:LINES]):
        assert [word >> n & 1 for n in range(LINES)] == list(board[LINES * s : LINES * s + LINES])
    assert sense_table(board)[LINES] == 0


def test_a_missing_diode_closes_the_fourth_corner():
    corners = _closed((2, 4), (9, 4), (9, 7))
    assert sense_low(corners, 2) == 1 << 4
    assert sense_low(corners, 2, Wiring(no_diode=[(9, 4)])) == 1 << 4 | 1 << 7
    # The diode of another corner blocks the way; and an open switch is no way at all.
    assert sense_low(corners, 2, Wiring(no_diode=[(2, 4), (9, 7)])) == 1 << 4
    assert sense_low(_closed((2, 4), (9, 7)), 2, Wiring(no_diode=[(9, 4)])) == 1 << 4


def test_a_ghost_goes_on_through_a_second_missing_diode():
    board = _closed((2, 4), (9, 4), (9, 7), (11, 7), (11, 0))
    assert sense_low(board, 2, Wiring(no_diode=[(9, 4), (11, 7)])) == 1 << 4 | 1 << 7 | 1 << 0


@pytest.mark.parametrize(
    ("wiring", "expected"),
    [
        (Wiring(), (1 << 4, 1 << 4 | 1 << 7, 0)),
        (Wiring(dead_select=[9]), (1 << 4, 0, 0)),
        (Wiring(dead_sense=[4]), (0, 1 << 7, 0)),
        (Wiring(shorted_sense=[0]), (1 << 4 | 1, 1 << 4 | 1 << 7 | 1, 1)),
        (Wiring(stuck_pins=[(3, 0)]), (1 << 4, 0, 0)),  # 9 is seen as 1, the idle 15 as 7
        (Wiring(dead=True), (0, 0, 0)),
    ],
)
def test_wires_break(wiring, expected):
    board = _closed((2, 4), (9, 4), (9, 7))
    assert tuple(sense_low(board, code, wiring) for code in (2, 9, 15)) == expected


def test_a_line_takes_its_time_to_settle():
    class Board:
        def readings(self, t_ns):
            return _closed((2, 4))

    now = [0]
    matrix = SimulatedMatrix(Board(), settle_us=10, now_ns=lambda: now[0])
    matrix.select(2)
    now[0] = 9_999
    assert matrix.sense() == 0
    now[0] = 10_000
    assert matrix.sense() == 1 << 4
    matrix.select(3)
    assert matrix.sense() == 1 << 4  # not discharged yet
    now[0] = 20_000
    assert matrix.sense() == 0


def test_pins_that_are_gone_raise():
    matrix = SimulatedMatrix(None)
    matrix.cut = True
    with pytest.raises(OSError, match="No such device"):
        matrix.sense()
