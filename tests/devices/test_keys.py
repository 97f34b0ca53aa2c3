"""Keys through gpiozero on /dev/gpiochip0: the kernel's stamps, bounces, keys that are held or stuck."""

import itertools
import os
import subprocess
import sys
import time

import pytest

from hw.keys import BOUNCE_NS, GpioKeys
from tests.devices.conftest import KEY_PINS, TAKEN_PIN
from tests.devices.gpio_sim import MatrixWires
from tests.patience import LONG_S

MS = 1_000_000
LATE_NS = 400 * MS
"""In this kernel an edge is stamped at the tick after it: 1 ms later, and on a busy machine much more."""
DEADLINE_S = 20.0


@pytest.fixture(params=["lgpio", "rpigpio"])
def keys(request, pi):
    keys = GpioKeys(KEY_PINS, request.param)
    yield keys
    keys.close()


@pytest.fixture
def lgpio_keys(pi):
    keys = GpioKeys(KEY_PINS, "lgpio")
    yield keys
    keys.close()


def presses(keys, count, settle_s=0.1):
    """So many presses, and that no more come."""
    found = []
    end = time.monotonic() + DEADLINE_S
    while len(found) < count and time.monotonic() < end:
        found += keys.poll()[0]
        time.sleep(0.001)  # the kernel's time, which is real
    end = time.monotonic() + settle_s
    while time.monotonic() < end:
        found += keys.poll()[0]
        time.sleep(0.005)
    assert len(found) == count, found
    return found


def press(pi, key, down_s=0.03):
    """Close and open a key; the instants between which its edge was made."""
    before_ns = time.monotonic_ns()
    pi.pull(KEY_PINS[key], False)
    after_ns = time.monotonic_ns()
    time.sleep(down_s)
    pi.pull(KEY_PINS[key], True)
    return before_ns, after_ns


def test_each_key_is_heard(pi, keys):
    for key in KEY_PINS:
        press(pi, key)
        assert [p.key for p in presses(keys, 1)] == [key]


def test_a_press_has_the_kernels_stamp_though_nobody_listened_for_long(pi, lgpio_keys):
    before_ns, after_ns = press(pi, "near")
    time.sleep(2 * LATE_NS / 1e9)
    (found,) = presses(lgpio_keys, 1)
    assert before_ns <= found.t_ns <= after_ns + LATE_NS


def chatter(pi, line, first_up, edges=7):
    """Edges as fast as they can be made; the instants before and after them, and the longest pause."""
    stamps = [time.monotonic_ns()]
    for n in range(edges):
        pi.pull(line, (n % 2 == 1) ^ first_up)
        stamps.append(time.monotonic_ns())
    return stamps[0], stamps[-1], max(b - a for a, b in itertools.pairwise(stamps))


def test_chatter_is_one_press(pi, lgpio_keys):
    """This kernel hears but one edge a tick; that the first one counts, tests/hw/test_keys.py shows."""
    end = time.monotonic() + LONG_S
    while time.monotonic() < end:  # until the machine leaves this process alone for long enough to chatter
        before_ns, after_ns, closing_pause_ns = chatter(pi, KEY_PINS["near"], first_up=False)
        time.sleep(0.05)
        _, _, opening_pause_ns = chatter(pi, KEY_PINS["near"], first_up=True)
        time.sleep(0.05)
        found = lgpio_keys.poll()[0]
        if max(closing_pause_ns, opening_pause_ns) < BOUNCE_NS // 2:
            break
    assert [p.key for p in found] == ["near"]
    assert before_ns <= found[0].t_ns <= after_ns + LATE_NS
    press(pi, "near")
    assert len(presses(lgpio_keys, 1)) == 1, "and the key works as before"


def test_both_keys_at_once(pi, lgpio_keys):
    before_ns = time.monotonic_ns()
    pi.pull(KEY_PINS["near"], False)
    pi.pull(KEY_PINS["far"], False)
    after_ns = time.monotonic_ns()
    time.sleep(0.03)
    pi.pull(KEY_PINS["near"], True)
    pi.pull(KEY_PINS["far"], True)
    found = presses(lgpio_keys, 2)
    assert {p.key for p in found} == {"near", "far"}
    assert all(before_ns <= p.t_ns <= after_ns + LATE_NS for p in found)


def test_a_held_call_key_asks_for_the_menu_while_the_clock_key_works(pi, lgpio_keys):
    pi.pull(KEY_PINS["near-call"], False)
    began_ns = time.monotonic_ns()
    press(pi, "far")
    assert [p.key for p in presses(lgpio_keys, 1)] == ["far"]
    (menu,) = presses(lgpio_keys, 1)
    assert menu.key == "near-menu"
    assert menu.t_ns == pytest.approx(began_ns + 1000 * MS, abs=LATE_NS)
    pi.pull(KEY_PINS["near-call"], True)
    presses(lgpio_keys, 0)


def test_a_key_stuck_at_the_start_is_told_and_works_when_it_is_free(pi):
    others = [line for line in range(30, 54) if line not in KEY_PINS.values()][:18]
    ground = MatrixWires(pi, others[:4], [KEY_PINS["far"], *others[4:]])  # stronger than any pull
    ground.set([1] * 16)
    keys = GpioKeys(KEY_PINS, "lgpio")
    presses(keys, 0)
    assert keys.faults() == [
        "key far (GPIO27) has been closed since the start: it is stuck, or its wire touches ground"
    ]
    ground.close()  # without an edge: the level alone tells
    presses(keys, 0, settle_s=0.3)
    assert keys.faults() == []
    press(pi, "far")
    assert [p.key for p in presses(keys, 1)] == ["far"]
    keys.close()


def test_a_pin_in_use_names_the_pin_and_who_has_it(pi):
    keys = GpioKeys({"near": TAKEN_PIN}, "lgpio")
    (told,) = keys.faults()
    assert told.startswith(f"GPIO{TAKEN_PIN} (key near) is in use by 'w1'")
    keys.close()


def test_a_factory_that_does_not_work_here_is_told(pi):
    keys = GpioKeys(KEY_PINS, "native")
    assert keys.faults()
    keys.close()


def test_nothing_is_left_in_the_working_directory(pi, tmp_path):
    code = "from hw.keys import GpioKeys; keys = GpioKeys({'near': 17}, 'lgpio'); keys.poll(); keys.close()"
    environ = {**os.environ, "PYTHONPATH": os.getcwd()}
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environ, check=True, timeout=60)
    assert os.listdir(tmp_path) == []
