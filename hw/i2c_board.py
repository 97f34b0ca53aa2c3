"""A board on I2C: one expander drives 15 select lines, one or two others read 15 sense lines.

A select line is a rank of the sensor plane, a sense line a column; closed switches pull their sense line low.
With one plane the board knows where stones lie; with two (one for each pole) also which colour they are: then
readings are 92 for black (north pole down) and -92 for white.

A pass over a board with one sense expander takes 30 transfers. The controller of a Pi 0 to 4 allows one read
in a transfer, as the last message, and reloads its address register while the message before is still on the
wire [i2c-bcm2835.c]; so every transfer here is either one write, or a register number and a read of the same
chip. A line costs two: select it, read it. Passes go up and down the board in turn, so that the last line of
one is still selected for the next; the transfer saved reads back the settings of the select expander, at the
very end. A pass counts only if they are as they should be then: an expander that browned out has all its pins
as inputs, selects nothing, and reads as an empty board.

A select line is low from the acknowledge of its byte on; its sense lines are sampled after a stop, a start
and three more bytes, 70 us later at 400 kHz. That is enough for pull-ups of 10 kOhm; `settle_us` waits
longer.
"""

import ctypes
import time
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Final, NamedTuple

from hw import POLE_COUNTS
from hw.expanders import PINS, Check, Kind, mask
from hw.i2c import NO_ANSWER, TRIES, Counters, Device, why
from hw.lines import FILES
from hw.lines import LINES as SIZE
from hw.switch_matrix import SwitchMatrix

WORD: Final = 2
POLES: Final = bytes([0, POLE_COUNTS, 256 - POLE_COUNTS, 0])
"""The reading where no switch is closed, the north poles', the south poles', and both."""
ALL_CROSSINGS: Final = [(line, column) for line in range(SIZE) for column in range(SIZE)]
HIGH: Final = 0xFFFF


class Wiring(NamedTuple):
    """How a board is wired.

    `select_pins`: the pin of each rank. `sense_pins`: the pin of each column; 16..31 are those of the second
    sense expander of a one-plane board. `poles`: two planes, the first sense expander for north, the second
    for south. `diodes`: there is one at each crossing; without them unselected lines are left open, and
    points that may be ghosts are not believed. `settle_us`: a pause between selecting a line and reading it.
    """

    select_kind: Kind
    select_address: int
    select_pins: Sequence[int]
    sense_kind: Kind
    sense_addresses: Sequence[int]
    sense_pins: Sequence[int]
    poles: bool = False
    diodes: bool = True
    settle_us: int = 0


def judges(wiring: Wiring) -> list[SwitchMatrix]:
    """A judge for each plane of a board."""
    missing = () if wiring.diodes else ALL_CROSSINGS
    return [SwitchMatrix(missing, decoder=False) for _ in range(2 if wiring.poles else 1)]


class PassFailed(Exception):
    """A pass that gave no frame. `gone`: the bus itself does not work."""

    def __init__(self, sentence: str, *, gone: bool = False, brown_out: bool = False) -> None:
        super().__init__(sentence)
        self.gone = gone
        self.brown_out = brown_out


class _Step(NamedTuple):
    address: int
    run: Callable[[], object]


class _Proof(NamedTuple):
    """A read whose answer proves the settings of a chip."""

    step: _Step
    check: Check
    answer: "ctypes.Array[ctypes.c_char]"


class _Pass(NamedTuple):
    """The transfers of a pass, what proves it, and which proofs end with a line's inputs (to go to `at`)."""

    steps: list[_Step]
    proofs: list[_Proof]
    late: list[tuple[_Proof, int]]


class I2cBoard:
    """The expanders of a board on an open bus, with every transfer built beforehand.

    `planes`: the judges of its planes (see `judges`), which know the board longer than a bus is open.
    Its methods raise PassFailed, with a sentence that names chip and cause.
    """

    def __init__(
        self, device: Device, wiring: Wiring, counters: Counters, planes: Sequence[SwitchMatrix]
    ) -> None:
        from smbus2 import i2c_msg  # needs fcntl, which a table without I2C does without

        self._message = i2c_msg
        self._device = device
        self._wiring = wiring
        self._counters = counters
        self._planes = planes
        self._lines: list[list[int]] = []
        self._believed: list[bytes] = []
        self._both: tuple[str, ...] = ()
        chips = len(wiring.sense_addresses)
        self._words = ctypes.create_string_buffer(SIZE * chips * WORD)
        self._raw = b""
        self._readings = bytes(SIZE * SIZE)
        self._ready = False
        self._up = True
        self._set_up_steps = self._set_up()
        self._passes = {up: self._pass(up) for up in (True, False)}
        self._audit = [
            self._proof(address, check)
            for address, kind, way, latch in self._chips()
            for check in kind.check(way, latch)
        ]
        self._row = lru_cache(4096)(partial(_columns, tuple(wiring.sense_pins), wiring.poles))

    def scan(self, t_ns: int) -> bytes:
        """One pass, begun now: 225 readings, A1, B1 .. O1, A2 .. O15. Raises LinkError as its judges do."""
        if not self._ready:
            self._run(self._set_up_steps)
            self.audit()
            self._ready, self._up = True, True
        self._ready = False
        taken = self._passes[self._up]
        self._run(taken.steps)
        self._prove(taken.proofs)
        for proof, at in taken.late:
            ctypes.memmove(ctypes.addressof(self._words) + at, proof.answer.raw[-WORD:], WORD)
        self._ready, self._up = True, not self._up
        return self._decode(t_ns, self._words.raw)

    def audit(self) -> None:
        """Read back every setting of every chip."""
        self._run([proof.step for proof in self._audit])
        self._prove(self._audit)

    def doubts(self) -> list[str]:
        """What of the board is not believed, a sentence each."""
        told = [said for plane in self._planes for said in plane.faults()]
        if self._both:
            told.append(f"{', '.join(self._both)}: the sensors of both poles are closed; neither is believed")
        return told

    def close(self) -> None:
        """Let go of the bus."""
        self._device.close()

    # Building.

    def _chips(self) -> list[tuple[int, Kind, int | None, int | None]]:
        """Each chip with its directions and latches; None for what changes from line to line."""
        w = self._wiring
        outputs = mask(w.select_pins)
        way, latch = (HIGH & ~outputs, None) if w.diodes else (None, 0)
        sense = w.sense_kind.safe_inputs
        return [
            (w.select_address, w.select_kind, way, latch),
            *((address, w.sense_kind, sense, None) for address in w.sense_addresses),
        ]

    def _set_up(self) -> list[_Step]:
        """Everything that a chip is told after its power came; ends with the first line selected."""
        steps: list[_Step] = []
        for address, kind, way, latch in self._chips():
            messages = kind.set_up(HIGH if way is None else way, HIGH if latch is None else latch)
            steps.extend(self._write(address, data) for data in messages)
        return [*steps, self._select(0)]

    def _select(self, line: int) -> _Step:
        """Pull one select line down and no other: by its latch, or without diodes by its direction."""
        w = self._wiring
        kind = w.select_kind
        word = HIGH & ~(1 << w.select_pins[line])
        register = kind.outputs if w.diodes else kind.directions
        return self._write(w.select_address, bytes([register]) + word.to_bytes(WORD, "little"))

    def _pass(self, up: bool) -> _Pass:
        w = self._wiring
        lines = list(range(SIZE) if up else reversed(range(SIZE)))
        steps: list[_Step] = []
        proofs: list[_Proof] = []
        late: list[tuple[_Proof, int]] = []
        for n, line in enumerate(lines):
            if n:
                steps.append(self._select(line))
                if w.settle_us:
                    steps.append(_Step(w.select_address, partial(time.sleep, w.settle_us / 1e6)))
            for chip, address in enumerate(w.sense_addresses):
                at = (line * len(w.sense_addresses) + chip) * WORD
                if line == lines[-1] and not w.sense_kind.inputs_kept:
                    proof = self._proof(address, w.sense_kind.checked_read(w.sense_kind.safe_inputs))
                    proofs.append(proof)
                    steps.append(proof.step)
                    late.append((proof, at))
                else:
                    steps.append(self._read(address, w.sense_kind.inputs, WORD, self._words, at))
        address, kind, way, latch = self._chips()[0]
        last = self._proof(address, kind.check(way, latch)[0])
        return _Pass([*steps, last.step], [*proofs, last], late)

    def _proof(self, address: int, check: Check) -> _Proof:
        answer = ctypes.create_string_buffer(check.length)
        return _Proof(self._read(address, check.register, check.length, answer, 0), check, answer)

    def _write(self, address: int, data: bytes) -> _Step:
        return _Step(address, self._device.prepare(self._message.write(address, data)))

    def _read(
        self, address: int, register: int, length: int, into: "ctypes.Array[ctypes.c_char]", at: int
    ) -> _Step:
        answer = self._message.read(address, length)
        place = ctypes.addressof(into) + at
        answer.buf = ctypes.cast(place, ctypes.POINTER(ctypes.c_char))
        number = self._message.write(address, bytes([register]))
        return _Step(address, self._device.prepare(number, answer))

    # Running.

    def _run(self, steps: Sequence[_Step]) -> None:
        at, failed, left = 0, -1, 0
        while at < len(steps):
            try:
                for at in range(at, len(steps)):  # noqa: B020 - where it failed is where it goes on
                    steps[at].run()
                at = len(steps)
            except OSError as error:
                silent = error.errno in NO_ANSWER
                if at != failed:
                    failed, left = at, TRIES - 1
                if silent and left:
                    left -= 1
                    self._counters.retries += 1
                    continue
                chip = f"the expander at 0x{steps[at].address:02x} " if silent else ""
                raise PassFailed(chip + why(error), gone=not silent) from error
        self._counters.transfers += len(steps)

    def _prove(self, proofs: Sequence[_Proof]) -> None:
        for proof in proofs:
            if not proof.check.holds(proof.answer.raw):
                raise PassFailed(
                    f"the expander at 0x{proof.step.address:02x} has lost its settings: its supply fails for"
                    " moments, or it is another chip than configured",
                    brown_out=True,
                )

    def _decode(self, t_ns: int, raw: bytes) -> bytes:
        """The readings of a pass, as the judges of the planes believe them."""
        if raw != self._raw:
            self._raw = raw
            width = len(raw) // SIZE
            rows = [self._row(raw[at : at + width]) for at in range(0, len(raw), width)]
            self._lines = [[row[plane] for row in rows] for plane in range(len(self._planes))]
        believed = [p.readings(t_ns, lines) for p, lines in zip(self._planes, self._lines, strict=True)]
        if len(believed) == 1:
            return believed[0]
        if believed != self._believed:
            self._believed = believed
            self._both = tuple(
                f"{FILES[at % SIZE]}{at // SIZE + 1}"
                for at, poles in enumerate(zip(*believed, strict=True))
                if all(poles)
            )
            self._readings = bytes(POLES[n + 2 * s] for n, s in zip(*believed, strict=True))
        return self._readings


def _columns(pins: tuple[int, ...], poles: bool, ports: bytes) -> tuple[int, ...]:
    """What the ports of the sense expanders say of a rank: for each plane its columns that are low."""
    closed = ~int.from_bytes(ports, "little")
    first = sum((closed >> pin & 1) << column for column, pin in enumerate(pins))
    if not poles:
        return (first,)
    return first, sum((closed >> pin + PINS & 1) << column for column, pin in enumerate(pins))
