"""Any time control, for hypothesis."""

from hypothesis import strategies as st
from msgspec.structs import replace

from firmware_host.clock import MS, Stage, TimeControl

TIMES = st.integers(1, 200_000).map(lambda ms: ms * MS)
BYO_YOMI = st.builds(Stage, ns=TIMES, moves=st.just(1), count=st.integers(1, 4), renewed=st.just(True))
REPEATED = st.builds(Stage, ns=TIMES, moves=st.integers(2, 9), increment_ns=TIMES, renewed=st.just(True))
TIMED = st.builds(Stage, ns=TIMES, moves=st.integers(0, 3))
CHAINS = st.tuples(st.lists(TIMED, max_size=3), st.lists(BYO_YOMI | REPEATED, max_size=1)).map(
    lambda parts: TimeControl(stages=(*parts[0], *parts[1]))
)
FISCHER = st.builds(Stage, ns=TIMES, increment_ns=TIMES).map(lambda stage: TimeControl(stages=(stage,)))
SHARED = TIMES.map(lambda ns: TimeControl(stages=(Stage(ns=ns),), shared=True))
LIMITED = st.builds(
    lambda control, tenths: replace(control, tenths=tenths or not control.stages),
    CHAINS | FISCHER | SHARED,
    st.booleans(),
)
CONTROLS = LIMITED | st.just(TimeControl())
