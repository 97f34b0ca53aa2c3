"""Neighbours, lines and the point between."""

from firmware_host.board import parse_point
from firmware_host.sensing.geometry import LINE_POINTS, LINES, NEIGHBOURS, between
from tests.sensing.watched import points


def test_neighbours_are_mutual() -> None:
    assert [len(NEIGHBOURS[parse_point(p)]) for p in ("A1", "H1", "H8")] == [3, 5, 8]
    assert all(p in NEIGHBOURS[q] for p in range(225) for q in NEIGHBOURS[p])
    assert sorted(NEIGHBOURS[parse_point("A1")]) == list(points("B1 A2 B2"))


def test_lines() -> None:
    assert [name for name, _ in LINES] == [str(n) for n in range(1, 16)] + list("ABCDEFGHIJKLMNO")
    assert LINE_POINTS["12"][0] == parse_point("A12")
    assert LINE_POINTS["C"][-1] == parse_point("C15")
    assert all(len(set(line)) == 15 for _, line in LINES)


def test_the_point_between() -> None:
    def name(p: str, q: str) -> int | None:
        return between(parse_point(p), parse_point(q))

    assert name("C4", "E4") == parse_point("D4")
    assert name("C4", "E6") == parse_point("D5")
    assert name("C4", "C2") == parse_point("C3")
    assert name("C4", "E5") is None
    assert name("C4", "D4") is None
    assert name("O1", "B2") is None
