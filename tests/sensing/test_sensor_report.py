"""What measurements are found to say: a table of mistakes, and properties that hold for any."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import NAMES, POINTS, SIZE, col_row, parse_point
from firmware_host.sensing.geometry import LINE_POINTS
from firmware_host.sensing.sensor_report import (
    CAUSES,
    SYMMETRIES,
    Finding,
    Laid,
    answers,
    judge_corners,
    judge_empty,
    judge_gains,
    judge_laid,
    judge_rate,
    measure,
    seen_through,
)

A1, O1, A15, O15, H8 = (parse_point(name) for name in ("A1", "O1", "A15", "O15", "H8"))
DIAGONAL = tuple(n * SIZE + n for n in range(SIZE))
PLAN = (A1, O1, A15, H8, *DIAGONAL)


def frames(change: Any = None, *, count: int = 60, sigma: float = 1.5, seed: int = 1) -> list[bytes]:
    """Frames of a living board, with `change(rows)` made to them."""
    chance = np.random.default_rng(seed)
    rows = chance.normal(0, sigma, (count, POINTS)) + chance.uniform(-3, 3, POINTS)
    if change is not None:
        change(rows)
    return [row.tobytes() for row in np.clip(np.rint(rows), -127, 127).astype(np.int8)]


def found(findings: Sequence[Finding]) -> set[tuple[str, str]]:
    return {(finding.kind, finding.where) for finding in findings}


def on(point: str, value: float) -> Any:
    def change(rows: Any) -> None:
        rows[:, parse_point(point)] = value

    return change


def more(point: str, value: float) -> Any:
    def change(rows: Any) -> None:
        rows[:, parse_point(point)] += value

    return change


def trembling(point: str, sigma: float) -> Any:
    def change(rows: Any) -> None:
        rows[:, parse_point(point)] = np.random.default_rng(3).normal(0, sigma, len(rows))

    return change


def line(name: str, value: float) -> Any:
    def change(rows: Any) -> None:
        rows[:, list(LINE_POINTS[name])] = value

    return change


def phone(rows: Any) -> None:
    for p in range(POINTS):
        col, row = col_row(p)
        rows[:, p] += 30 * np.exp(-((col - 7) ** 2 + (row - 9) ** 2) / 18)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (None, set()),
        (on("C4", 0), {("dead", "C4")}),
        (on("C4", 5), {("dead", "C4")}),
        (on("G7", 100), {("stuck", "G7")}),
        (on("G7", -127), {("stuck", "G7")}),
        (on("G7", 127), {("stuck", "G7")}),
        (trembling("K10", 30), {("noisy", "K10")}),
        (more("B2", 80), {("stone-left", "B2")}),
        (more("B2", -90), {("stone-left", "B2")}),
        (more("B2", 20), {("zero", "B2")}),
        (line("12", 0), {("line-dead", "rank 12")}),
        (line("C", 0), {("line-dead", "file C")}),
        (line("O", 127), {("line-dead", "file O")}),
    ],
)
@pytest.mark.parametrize("sigma", [0.9, 2.0])
def test_an_empty_board_of_linear_sensors(change: Any, expected: set[tuple[str, str]], sigma: float) -> None:
    assert found(judge_empty(measure(frames(change, sigma=sigma)), "linear")) == expected


def test_a_field_from_outside_is_not_blamed_on_the_sensors() -> None:
    findings = judge_empty(measure(frames(phone)), "linear")
    assert {finding.kind for finding in findings} <= {"field", "zero"}
    (field,) = (finding for finding in findings if finding.kind == "field")
    col, row = col_row(parse_point(field.where))
    assert abs(col - 7) <= 1
    assert abs(row - 9) <= 1
    assert not field.fails


def test_a_board_that_is_as_quiet_as_the_dead_is_not_called_dead() -> None:
    assert judge_empty(measure(frames(sigma=0.0)), "linear") == []


def switches(*closed: str, flutters: str = "", count: int = 40) -> list[bytes]:
    rows = np.zeros((count, POINTS), np.int8)
    for name in closed:
        rows[:, parse_point(name)] = 1
    if flutters:
        rows[::3, parse_point(flutters)] = 1
    return [row.tobytes() for row in rows]


def test_an_empty_board_of_switches() -> None:
    assert judge_empty(measure(switches()), "switch") == []
    assert found(judge_empty(measure(switches("C9")), "switch")) == {("stuck", "C9")}
    assert found(judge_empty(measure(switches(flutters="D12")), "switch")) == {("noisy", "D12")}
    whole = [NAMES[p] for p in LINE_POINTS["3"]]
    assert found(judge_empty(measure(switches(*whole)), "switch")) == {("line-dead", "rank 3")}


@pytest.mark.parametrize("kind", ["linear", "switch"])
def test_few_frames_are_no_measurement(kind: Any) -> None:
    assert found(judge_empty(measure(frames(count=5)), kind)) == {("few-frames", "")}
    assert found(judge_empty(measure([]), kind)) == {("few-frames", "")}


@settings(max_examples=30, deadline=None)
@given(
    st.sets(st.integers(0, POINTS - 1), max_size=8),
    st.sampled_from(["dead", "stuck", "noisy"]),
    st.integers(0, 2**16),
)
def test_what_is_broken_is_found_and_nothing_else(broken: set[int], kind: str, seed: int) -> None:
    def change(rows: Any) -> None:
        for p in broken:
            rows[:, p] = {"dead": 0, "stuck": 100}.get(
                kind, np.random.default_rng(p).normal(0, 30, len(rows)) if kind == "noisy" else 0
            )

    findings = judge_empty(measure(frames(change, seed=seed, count=80)), "linear")
    assert found(findings) == {(kind, NAMES[p]) for p in broken}
    assert all(f.fails and f.points == (parse_point(f.where),) for f in findings)


# Stones on named points


def seen_at(wiring: Any, *, sign: int = 1, value: float = 80.0) -> list[Laid]:
    return [Laid(p, 1, {wiring(p): sign * value}) for p in PLAN]


def swapped(select: tuple[int, int] = (0, 0), sense: tuple[int, int] = (0, 0)) -> Any:
    def wiring(p: int) -> int:
        col, row = col_row(p)
        col = {sense[0]: sense[1], sense[1]: sense[0]}.get(col, col)
        row = {select[0]: select[1], select[1]: select[0]}.get(row, row)
        return row * SIZE + col

    return wiring


@pytest.mark.parametrize(
    ("wiring", "expected"),
    [
        (swapped(), set()),
        (swapped(select=(2, 3)), {("select-swapped", "ranks 3 and 4")}),
        (swapped(sense=(2, 3)), {("sense-swapped", "files C and D")}),
        (swapped(sense=(0, 14)), {("sense-swapped", "files A and O")}),
        (swapped((0, 8), (5, 6)), {("select-swapped", "ranks 1 and 9"), ("sense-swapped", "files F and G")}),
        (swapped((2, 3), (2, 3)), {("select-swapped", "ranks 3 and 4"), ("sense-swapped", "files C and D")}),
    ],
)  # fmt: skip
def test_exchanged_lines(wiring: Any, expected: set[tuple[str, str]]) -> None:
    assert found(judge_laid(seen_at(wiring), "linear")) == expected


@pytest.mark.parametrize("symmetry", list(SYMMETRIES))
def test_a_whole_plane_the_wrong_way(symmetry: str) -> None:
    findings = judge_laid(seen_at(lambda p: seen_through(symmetry, p)), "linear")
    assert findings == [Finding(*SYMMETRIES[symmetry])]


@given(st.integers(0, SIZE - 1), st.integers(0, SIZE - 1), st.booleans())
def test_any_two_exchanged_lines_are_named(one: int, other: int, select: bool) -> None:
    pair = (one, other)
    findings = judge_laid(seen_at(swapped(select=pair) if select else swapped(sense=pair)), "linear")
    if one == other:
        assert findings == []
        return
    (finding,) = findings
    assert finding.kind == ("select-swapped" if select else "sense-swapped")
    names = {str(n + 1) for n in pair} if select else {"ABCDEFGHIJKLMNO"[n] for n in pair}
    assert set(finding.lines) == names
    assert len(finding.points) == 2 * SIZE


def test_one_stone_laid_wrongly_is_no_exchange_of_lines() -> None:
    laid = [Laid(p, 1, {p: 80.0}) for p in PLAN if p != DIAGONAL[5]]
    laid.append(Laid(DIAGONAL[5], 1, {parse_point("I2"): 80.0}))
    assert found(judge_laid(laid, "linear")) == {("elsewhere", "F6")}


def test_a_stone_that_nobody_saw() -> None:
    laid = [Laid(p, 1, {} if p == H8 else {p: 80.0}) for p in (A1, O1, A15, H8)]
    assert found(judge_laid(laid, "linear")) == {("unseen", "H8")}


def test_which_way_the_magnets_are() -> None:
    assert found(judge_laid(seen_at(swapped(), sign=-1), "linear")) == {("magnets-reversed", "")}
    one = [Laid(p, 1, {p: -70.0 if p == H8 else 80.0}) for p in PLAN]
    assert found(judge_laid(one, "linear")) == {("sensor-reversed", "H8")}
    white = [Laid(H8, 1, {H8: 80.0}), Laid(H8, -1, {H8: -80.0})]
    assert judge_laid(white, "linear") == []
    colourless = [Laid(H8, 1, {H8: 1.0}), Laid(H8, -1, {H8: 1.0})]
    assert judge_laid(colourless, "switch") == []
    poles = [Laid(A1, 1, {A1: -92.0}), Laid(H8, -1, {H8: 92.0})]
    assert found(judge_laid(poles, "switch")) == {("magnets-reversed", "")}


def test_lines_that_touch() -> None:
    beside = parse_point("I8")
    assert found(judge_laid([Laid(H8, 1, {H8: 80.0, beside: 78.0})], "linear")) == {
        ("bridged", "files H and I")
    }
    above = parse_point("H9")
    assert found(judge_laid([Laid(H8, 1, {H8: 80.0, above: 70.0})], "linear")) == {
        ("bridged", "ranks 8 and 9")
    }
    assert judge_laid([Laid(H8, 1, {H8: 80.0, above: 25.0})], "linear") == []


def test_the_diode_that_is_missing_is_opposite_to_the_ghost() -> None:
    laid = (A1, O1, A15)
    assert found(judge_corners({*laid, O15}, laid)) == {("diode-missing", "A1")}
    assert judge_corners(set(laid), laid) == []
    assert judge_corners({A1, O1, O15}, laid) == []  # a dead switch explains nothing
    assert found(judge_corners({O1, A15, O15, A1}, (O1, A15, O15))) == {("diode-missing", "O15")}


def test_answers_are_counted_from_the_zero() -> None:
    zero = np.full(POINTS, 10, np.float32)
    readings = zero.copy()
    readings[H8] = 95
    readings[A1] = -60
    readings[O1] = 25
    assert answers(readings, zero, "linear") == {A1: -70.0, H8: 85.0}
    closed = np.zeros(POINTS, np.float32)
    closed[H8] = 1
    assert answers(closed, np.zeros(POINTS, np.float32), "switch") == {H8: 1.0}


def test_sensors_that_read_little_of_a_stone() -> None:
    gain = np.full(POINTS, 90, np.float32)
    gain[H8], gain[A1], gain[O1] = 50, 0, 56
    assert found(judge_gains(gain)) == {("weak-sensor", "H8")}
    assert judge_gains(np.zeros(POINTS, np.float32)) == []


@pytest.mark.parametrize(
    ("rate", "lost", "slow"), [(200, 0, False), (170, 0, False), (150, 0, True), (200, 3, True)]
)
def test_a_scanner_that_is_slow(rate: float, lost: int, slow: bool) -> None:
    assert bool(judge_rate(rate, 200, lost)) is slow


def test_the_table_says_all_that_a_maker_needs() -> None:
    for kind, row in CAUSES.items():
        assert all((row.measured, row.cause, row.remedy)), kind
        assert not any(text.endswith(".") for text in row[:3]), kind


def test_the_page_for_makers_has_every_finding_as_it_is() -> None:
    page = (Path(__file__).parents[2] / "docs" / "making.md").read_text(encoding="utf-8")
    for kind, row in CAUSES.items():
        note = "" if row.fails else " (note)"
        assert f"| {kind}{note} | {row.measured} | {row.cause} | {row.remedy} |" in page
