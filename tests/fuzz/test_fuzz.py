"""The short form of `make fuzz`, with the memory counted."""

import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from hw.serial_protocol import encode
from hw.trace import TraceReader
from tests.fuzz.__main__ import run
from tests.fuzz.inputs import mutated, serial_seeds, trace_seeds
from tests.fuzz.targets import ASK, SerialLink, TraceFile

MOST_GROWTH = 20_000


def grown(feed: Callable[[bytes], None], seeds: Sequence[bytes], number: int) -> int:
    """Bytes that are held after `number` inputs and were not after a quarter of them."""
    held = 0
    tracemalloc.start()
    try:
        for n, data in enumerate(mutated(seeds, number, seed=2)):
            feed(data)
            if n == number // 4:
                held = tracemalloc.get_traced_memory()[0]
        return tracemalloc.get_traced_memory()[0] - held
    finally:
        tracemalloc.stop()


def test_the_seeds_are_good_ones(tmp_path: Path) -> None:
    link = SerialLink()
    for data in serial_seeds():
        link.feed(data)
    assert link.decoder.counts.corrupt == 0
    assert link.passes.counts.passes > 50
    for data in trace_seeds():
        (tmp_path / "seed").write_bytes(data)
        with TraceReader(tmp_path / "seed") as reader:
            assert len(list(reader)) in (0, 5)


def test_the_serial_decoder_takes_anything_and_keeps_nothing() -> None:
    link = SerialLink()
    assert grown(link.feed, serial_seeds(), 5000) < MOST_GROWTH
    counts = link.decoder.counts
    assert counts.corrupt > 2500
    assert counts.passes > 60, "mutations are to leave some passes whole"


def test_the_trace_reader_takes_anything_and_keeps_nothing(tmp_path: Path) -> None:
    assert grown(TraceFile(tmp_path).feed, trace_seeds(), 1500) < MOST_GROWTH


def test_a_failure_names_the_input() -> None:
    def refuse(data: bytes) -> None:
        raise ZeroDivisionError

    with pytest.raises(SystemExit, match=r"it, input 0: ZeroDivisionError\(\) for "):
        run("it", refuse, [encode(ASK)], 10)
