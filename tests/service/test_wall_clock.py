"""Wall time beside the monotonic one."""

import time
from pathlib import Path

from firmware_host.service.wall_clock import boot_id, synchronised, wall_ns, wall_text


def test_the_boot_is_the_kernels() -> None:
    assert boot_id() == Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()


def test_wall_time_is_in_nanoseconds_and_says_utc_as_text() -> None:
    assert abs(wall_ns() - time.time() * 1e9) < 60e9
    assert wall_text(0) == "1970-01-01 00:00:00 UTC"
    assert wall_text(1_777_644_187_999_999_999) == "2026-05-01 14:03:07 UTC"


def test_whether_it_is_synchronised_is_the_kernels_word_and_quick() -> None:
    began = time.thread_time()
    answers = {synchronised() for _ in range(100)}
    assert answers <= {True, False}
    assert time.thread_time() - began < 0.1
