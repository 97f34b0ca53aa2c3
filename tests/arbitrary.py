"""Arbitrary inputs and rulings for property tests: each field of its kind, points on the board."""

import typing
from typing import Any

from hypothesis import strategies as st

from firmware_host.board import Colour
from firmware_host.referee.rulings import Differs, Moved, Over, Restored

POINT = st.integers(0, 224)
POINTS = st.lists(POINT, max_size=5).map(tuple)
SCORE = st.sampled_from([0.0, 0.5, 1.0])
FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "t_ns": st.integers(0, 2**62),
    "n": st.integers(1, 12),
    "point": POINT,
    "rest": POINT,
    "path": POINTS,
    "black": SCORE,
    "white": SCORE,
    "result": st.dictionaries(st.sampled_from(Colour), SCORE),
    "code": st.sampled_from(["slide", "double-move", "clock-first", "forbidden", "double-three", "王\n<b>"]),
}


def any_of(union: Any) -> st.SearchStrategy[Any]:
    """Any value of a union of structs."""
    return st.one_of([arbitrary(kind) for kind in typing.get_args(union)])


def arbitrary(kind: Any, **fixed: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Any value of a struct, with some fields as given."""
    hints = typing.get_type_hints(kind)
    fields = {name: _field(kind, name, hints[name]) for name in kind.__struct_fields__}
    return st.builds(kind, **(fields | fixed))


def _field(kind: Any, name: str, hint: Any) -> st.SearchStrategy[Any]:
    if name == "points" and kind in (Differs, Restored):
        held = st.sampled_from([*Colour, None])
        return st.lists(st.tuples(POINT, held, held | st.just("unknown")), max_size=3).map(tuple)
    if name == "points" or (name == "line" and kind is Over):
        return POINTS
    optional = type(None) in typing.get_args(hint)
    inner = FIELDS.get(name, st.from_type(hint))
    return st.none() | inner if optional else inner


def plausible_moves() -> st.SearchStrategy[Moved]:
    """Public moves with colours by turns and now and then a stone of the wrong side."""
    return st.builds(
        lambda n, point, other, t: Moved(
            t_ns=t, n=n, point=point, colour=list(Colour)[(n + 1 + other) % 2], used_ms=n
        ),
        st.integers(1, 12),
        st.none() | POINT,
        st.sampled_from([0, 0, 0, 1]),
        st.integers(0, 10**12),
    )
