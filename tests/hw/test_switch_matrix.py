"""What the lines of a matrix tell, and what they are not believed."""

import random
import sys
import threading

import pytest

from hw import LinkError
from hw.lines import FILES
from hw.simulator.matrix import LINES, Wiring, sense_table
from hw.simulator.sensors import SwitchSensors
from hw.simulator.table import SimulatedTable
from hw.switch_matrix import STALE_NS, SwitchMatrix


class Board:
    """Switches by name, read through a matrix whose wiring may be at fault."""

    def __init__(self, *stones, wiring=Wiring(), missing=(), decoder=True, rate_hz=200):  # noqa: B008 - immutable
        self.closed = bytearray(LINES * LINES)
        self.wiring = wiring
        self.matrix = SwitchMatrix(missing, decoder=decoder)
        self.decoder = decoder
        self.t_ns = 0
        self.half = False
        self.period_ns = 10**9 // rate_hz
        self.put(*stones, frames=0)

    def put(self, *stones, frames=25):
        for name in stones:
            self.closed[_index(name)] = 1
        return self.see(frames)

    def lift(self, *stones, frames=25):
        for name in stones:
            self.closed[_index(name)] = 0
        return self.see(frames)

    def see(self, frames=25):
        *words, idle = sense_table(bytes(self.closed), self.wiring)
        readings = b""
        if self.half:  # what has changed did so in the middle of a scan
            self.half = False
            words = [*self.words[:8], *words[8:]]
            self.frame(words, self.idle)
            *words, idle = sense_table(bytes(self.closed), self.wiring)
        self.words, self.idle = words, idle
        for _ in range(frames):
            readings = self.frame(words, idle)
        return {f"{FILES[i % LINES]}{i // LINES + 1}" for i, reading in enumerate(readings) if reading}

    def frame(self, words, idle):
        self.t_ns += self.period_ns
        readings = self.matrix.readings(self.t_ns, words, idle if self.decoder else 0)
        assert len(readings) == LINES * LINES
        return readings


def _index(name):
    return LINES * (int(name[1:]) - 1) + FILES.index(name[0])


def _at(name):
    return int(name[1:]) - 1, FILES.index(name[0])


def test_a_sound_board_is_read_as_it_is():
    rng = random.Random(5)  # noqa: S311
    board, lying = Board(), set()
    for _ in range(200):
        name = f"{rng.choice(FILES)}{rng.randint(1, LINES)}"
        if name in lying:
            lying.remove(name)
            assert board.lift(name) == lying
        elif len(lying) < 120:
            lying.add(name)
            assert board.put(name) == lying
        assert board.matrix.faults() == []


def test_an_unchanged_frame_is_the_same_object():
    board = Board("H8", "B3")
    board.see()
    *words, idle = sense_table(bytes(board.closed))
    assert board.frame(words, idle) is board.frame(list(words), idle)


def test_the_fourth_corner_of_a_missing_diode_is_no_stone_and_told():
    board = Board(wiring=Wiring(no_diode=[_at("H8")]))
    assert board.put("H8") == {"H8"}
    assert board.put("K8") == {"H8", "K8"}
    assert board.put("H4") == {"H8", "K8"}, "H4 or K4: the lines cannot tell which is the stone"
    assert board.matrix.faults() == [
        (
            "a stone or a ghost at H4 and K4, so not taken for a stone: no diode at H8 or K8; "
            "if a stone lies there, enter it by hand"
        )
    ]
    assert board.put("K12") == {"H4", "H8", "K8", "K12"}, "K12 alone: the diode at K8 works, so H8 has none"
    assert board.matrix.faults() == [
        "no diode at H8: it is missing or bridged",
        "a stone or a ghost at K4, so not taken for a stone; if a stone lies there, enter it by hand",
    ]
    assert board.put("H13") == {"H4", "H8", "K8", "K12", "H13"}, "the next ghost is known at once"
    assert board.lift("H4", "H13") == {"H8", "K8", "K12"}
    assert board.matrix.faults() == ["no diode at H8: it is missing or bridged"]


@pytest.mark.parametrize("last", ["H8", "K8", "H4"])
def test_whichever_corner_comes_last_no_ghost_is_a_stone(last):
    board = Board(wiring=Wiring(no_diode=[_at("H8")]))
    for stone in [s for s in ("H8", "K8", "H4") if s != last]:
        board.put(stone)
    assert "K4" not in board.put(last)
    assert board.matrix.faults()


def test_no_ghost_in_games_with_a_missing_diode():
    """A diode missing anywhere: a stone may be held back and told, but none is ever made."""
    for seed in range(12):
        rng = random.Random(seed)  # noqa: S311
        stones = rng.sample([f"{c}{r}" for c in FILES for r in range(1, LINES + 1)], 40)
        board = Board(wiring=Wiring(no_diode=[_at(stones[rng.randrange(8)])]))
        lying = set()
        for stone in stones:
            lying.add(stone)
            seen = board.put(stone)
            assert seen <= lying, (seed, stone)
            assert seen == lying or board.matrix.faults(), (seed, stone)


def test_a_diode_that_is_known_to_be_missing_costs_only_its_ghosts():
    board = Board("H8", "K8", "H4", "C3", wiring=Wiring(no_diode=[_at("H8")]), missing=[_at("H8")])
    assert board.see() == {"H8", "K8", "H4", "C3"}
    assert board.matrix.faults() == [
        "no diode at H8: it is missing or bridged",
        "a stone or a ghost at K4, so not taken for a stone; if a stone lies there, enter it by hand",
    ]


def test_bounce_at_a_corner_does_not_bring_the_ghost_back():
    board = Board("H8", "K8", wiring=Wiring(no_diode=[_at("H8")]))
    board.see()
    for frames in (1, 1, 2, 1, 5):
        assert "K4" not in board.put("H4", frames=frames)
        board.lift("H4", frames=1)
    assert board.see() == {"H8", "K8"}
    assert board.matrix.faults() == []


def test_four_real_stones_on_a_rectangle_are_four_stones():
    board = Board()
    for stone in ("H8", "K8", "H4"):
        board.put(stone)
    assert board.put("K4") == {"H8", "K8", "H4", "K4"}
    assert board.matrix.faults() == []


def test_two_real_stones_at_once_are_let_go_when_their_rectangle_breaks():
    board = Board("H8", "K8")
    board.see()
    assert board.put("H4", "K4") == {"H8", "K8"}
    assert board.lift("K8", frames=9) == {"H8", "H4", "K4"}
    assert board.matrix.faults() == []


def test_what_was_there_at_the_start_or_came_while_no_frames_did_is_believed():
    board = Board("H8", "K8", "H4", "K4")
    assert board.see() == {"H8", "K8", "H4", "K4"}
    board.t_ns += STALE_NS
    assert board.put("C8", "C4", "E6") == {"H8", "K8", "H4", "K4", "C8", "C4", "E6"}
    assert board.matrix.faults() == []


def test_a_broken_select_line_keeps_its_stones_until_it_conducts():
    stones = {"B5", "D5", "H5", "L5", "H8", "C9", "D12"}
    board = Board(*stones)
    board.see()
    board.wiring = Wiring(dead_select=[4])
    assert board.see() == stones
    assert board.matrix.faults() == [
        "select line 5 lost all its stones at once, so it is broken: its points stay as they were"
    ]
    assert board.put("G7") == stones | {"G7"}, "the rest of the board goes on"
    board.wiring = Wiring()
    assert board.see() == stones | {"G7"}
    assert board.matrix.faults() == []


def test_a_broken_sense_line_keeps_its_stones_until_it_conducts():
    stones = {"D1", "D5", "D9", "D15", "H8", "C9", "K12"}
    board = Board(*stones)
    board.see()
    board.wiring = Wiring(dead_sense=[3])
    assert board.see() == stones
    assert board.matrix.faults() == [
        "sense line D lost all its stones at once, so it is broken: its points stay as they were"
    ]
    board.wiring = Wiring()
    assert board.see() == stones
    assert board.matrix.faults() == []


@pytest.mark.parametrize(
    "wiring", [Wiring(dead_sense=[3]), Wiring(dead_select=[4]), Wiring(dead_select=[13])], ids=str
)
def test_a_line_that_breaks_in_the_middle_of_a_scan_keeps_all_its_stones(wiring):
    stones = {"D1", "D5", "D9", "D15", "A5", "B5", "H5", "A14", "B14", "C14", "G14"}
    board = Board(*stones)
    board.see()
    board.wiring, board.half = wiring, True
    assert board.see() == stones
    assert len(board.matrix.faults()) == 1


def test_a_supply_that_goes_in_the_middle_of_a_scan_is_no_empty_board():
    board = Board("B5", "D5", "H8", "L3", "C9", "D12", "A15")
    board.see()
    board.wiring, board.half = Wiring(dead=True), True
    with pytest.raises(LinkError, match="all stones vanished at once"):
        board.see()


def test_three_stones_lifted_at_once_are_three_stones_lifted():
    board = Board("D1", "D5", "D9", "H8")
    board.see()
    assert board.lift("D1", "D5", "D9") == {"H8"}
    assert board.matrix.faults() == []


def test_a_sense_line_at_ground_makes_no_stones_and_loses_none():
    stones = {"D1", "D5", "D9", "D15", "H8"}
    board = Board(*stones)
    board.see()
    board.wiring = Wiring(shorted_sense=[3])
    assert board.see() == stones
    assert board.matrix.faults() == [
        "sense line D conducts while nothing is selected, so it touches ground: its points stay as they were"
    ]
    assert board.put("K2") == stones | {"K2"}
    board.wiring = Wiring()
    assert board.see() == stones | {"K2"}
    assert board.matrix.faults() == []


def test_a_decoder_without_supply_is_no_empty_board():
    stones = {"B5", "D5", "H8", "L3", "C9", "D12"}
    board = Board(*stones)
    board.see()
    board.wiring = Wiring(dead=True)
    for _ in range(3):
        with pytest.raises(LinkError, match="all stones vanished at once, so the decoder has no supply"):
            board.see()
    board.wiring = Wiring()
    assert board.see() == stones


@pytest.mark.parametrize("pin", range(4))
def test_a_broken_select_pin_doubles_no_stone(pin):
    rng = random.Random(11)  # noqa: S311
    stones = set(rng.sample([f"{c}{r}" for c in FILES for r in range(1, LINES + 1)], 30))
    board = Board(*stones)
    board.see()
    board.wiring = Wiring(stuck_pins=[(pin, 1)])
    for _ in range(2):
        with pytest.raises(LinkError, match=f"select pin {pin + 1} makes no difference"):
            board.see()
    board.wiring = Wiring()
    assert board.see() == stones
    with pytest.raises(LinkError, match=f"select pin {pin + 1} makes no difference"):
        Board(*stones, wiring=Wiring(stuck_pins=[(pin, 0)])).see()


def test_two_stones_above_one_another_are_no_broken_pin():
    board = Board()
    board.put("H7")
    assert board.put("H8") == {"H7", "H8"}
    assert Board("H7", "H8").see() == {"H7", "H8"}


@pytest.mark.parametrize("rate_hz", [200, 100, 50])
@pytest.mark.parametrize("seed", [0, 2, 3])
@pytest.mark.parametrize("decoder", [True, False])
def test_an_arm_that_sweeps_the_stones_off_breaks_no_line(rate_hz, seed, decoder):
    rng = random.Random(seed)  # noqa: S311
    table = SimulatedTable(electronics=SwitchSensors(1))
    table.set_up({f"{rng.choice(FILES[3:12])}{rng.randrange(4, 13)}": "black" for _ in range(40)})
    board = Board(decoder=decoder, rate_hz=rate_hz)
    board.t_ns = 1_000_000_000
    seen = set()

    def watch(seconds):
        nonlocal seen
        for _ in range(int(seconds * rate_hz)):
            board.closed[:] = table.readings(board.t_ns)
            seen = board.see(1)

    watch(0.5)
    lying = [at for at, stone in enumerate(table.lying(board.t_ns)) if stone != "."]
    table.sweep(board.t_ns, lying, toward=(0.0, 1.0), speed_mm_s=600.0)
    watch(4)
    assert seen == {f"{FILES[i % LINES]}{i // LINES + 1}" for i, closed in enumerate(board.closed) if closed}
    assert board.matrix.faults() == []


def test_lines_that_empty_while_others_change_are_not_broken():
    board = Board("B5", "D5", "H5", "L5", "H8", "C9")
    board.see()
    board.lift("B5", "D5", "H5", "L5", frames=4)
    assert board.put("K12") == {"H8", "C9", "K12"}, "another point changed 20 ms later"
    board.put("B5", "D5", "H5", "L5")
    board.lift("K12", frames=4)
    assert board.lift("B5", "D5", "H5", "L5") == {"H8", "C9"}, "and 20 ms before"
    assert board.matrix.faults() == []


def test_a_cable_of_select_lines_that_comes_off_is_no_empty_board():
    stones = {"A1", "C1", "E2", "H8", "I9", "J10"}
    board = Board(*stones, decoder=False)
    board.see()
    board.wiring = Wiring(dead_select=range(LINES))
    for _ in range(3):
        with pytest.raises(LinkError, match="all stones vanished at once, so the cable of the select lines"):
            board.see()
        board.t_ns += 400_000_000
    board.wiring = Wiring()
    assert board.see() == stones


@pytest.mark.parametrize("stones", [{"D1", "D5", "D9", "D15", "H8"}, {"H8"}], ids=len)
@pytest.mark.parametrize("half", [False, True])
def test_a_column_that_conducts_on_every_line_touches_ground(stones, half):
    board = Board(*stones, decoder=False)
    board.see()
    board.wiring, board.half = Wiring(shorted_sense=[3]), half
    assert board.see() == stones
    (said,) = board.matrix.faults()
    assert said == (
        "sense line D conducts on every select line, so it or a select line touches ground:"
        " its points stay as they were"
    )
    assert board.put("K2") == stones | {"K2"}
    board.wiring, board.half = Wiring(), half
    assert board.see() == stones | {"K2"}
    assert board.matrix.faults() == []


def test_a_column_full_of_stones_that_hands_have_set_is_one():
    board = Board(decoder=False)
    for rank in range(1, LINES + 1):
        board.put(f"D{rank}")
    assert len(board.see()) == LINES
    assert board.matrix.faults() == []


@pytest.mark.parametrize("decoder", [True, False])
def test_a_column_that_touches_ground_for_moments_is_not_broken(decoder):
    board = Board("C5", "H8", "A9", decoder=decoder)
    board.see()
    for _ in range(5):
        for wiring in (Wiring(shorted_sense=[5]), Wiring()):
            board.wiring, board.half = wiring, True
            assert board.see(6) == {"C5", "H8", "A9"}
    assert board.matrix.faults() == []


def test_without_diodes_a_time_without_frames_takes_no_stone_and_makes_none():
    everywhere = [(s, n) for s in range(LINES) for n in range(LINES)]
    board = Board(wiring=Wiring(no_diode=everywhere), missing=everywhere, decoder=False)
    for stone in ("C3", "E3", "H10"):
        board.put(stone)
    assert board.put("C8") == {"C3", "E3", "H10"}
    board.t_ns += STALE_NS
    assert board.see() == {"C3", "E3", "H10"}
    assert board.matrix.faults() == [
        "a stone or a ghost at C8 and E8, so not taken for a stone; if a stone lies there, enter it by hand"
    ]


def test_a_ghost_is_still_one_after_a_time_without_frames_and_a_line_at_ground():
    board = Board("H8", "K8", wiring=Wiring(no_diode=[_at("H8")]))
    board.see()
    assert board.put("H4") == {"H8", "K8"}
    board.t_ns += STALE_NS
    assert board.see() == {"H8", "K8"}
    board.wiring = Wiring(no_diode=[_at("H8")], shorted_sense=[0])
    assert board.see() == {"H8", "K8"}
    board.wiring = Wiring(no_diode=[_at("H8")])
    assert board.see() == {"H8", "K8"}
    assert "H4 and K4" in board.matrix.faults()[0]


def test_a_diode_that_was_taken_for_missing_is_not_once_it_works():
    board = Board("H8", "K8")
    board.see()
    board.put("H4", "K4")
    board.put("K12")
    assert "no diode at H8: it is missing or bridged" in board.matrix.faults(), "two real stones came at once"
    board.lift("K4")
    assert board.matrix.faults() == []
    assert board.put("K4") == {"H8", "K8", "H4", "K4", "K12"}


def test_a_suspect_that_was_lifted_proves_nothing():
    board = Board("H8", "K8", wiring=Wiring(no_diode=[_at("H8")]))
    board.see()
    board.put("H4")
    board.lift("H8")
    assert "no diode at K8" not in " ".join(board.matrix.faults())
    assert board.put("H8") == {"K8", "H4"} or "K4" not in board.see()


def test_faults_may_be_asked_by_another_thread():
    board = Board("C3", "E3", decoder=False)
    asking, failed = True, []

    def ask():
        while asking:
            try:
                board.matrix.faults()
            except Exception as error:
                failed.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    try:
        for _ in range(300):
            board.put("C8", "E8", frames=6)
            board.lift("C8", "E8", frames=6)
    finally:
        asking = False
        thread.join()
        sys.setswitchinterval(interval)
    assert not failed
