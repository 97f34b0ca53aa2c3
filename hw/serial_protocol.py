"""The protocol between the serial scanner and the host: bytes to messages and back. No I/O, no clock.

`hw/docs/serial-protocol.md` describes it; this is version 1. A message is a type byte, a body and a CRC-16,
packed by COBS (consistent overhead byte stuffing) so that a zero byte ends it and occurs nowhere else:
whatever was lost or added, the next zero begins anew. Numbers are little-endian.

A pass over the sensors is 240 values in the order of the select lines: 16 for each of the 15 rows of the
sensor plane, of which the last is the row's reference. A value -127..127 travels as 1..255, so that readings
hold no zeros and unpacking is cheap.
"""

import binascii
import struct
from collections import deque
from typing import Final, NamedTuple

import msgspec

VERSION: Final = 1
ROWS: Final = 15
ROW_VALUES: Final = 16
VALUES: Final = ROWS * ROW_VALUES
OFFSET: Final = 128
RATES_HZ: Final = (10, 200)

FULL: Final = 0x01
KEY: Final = 0x02
CHANGED: Final = 0x03
IDENTITY: Final = 0x10
RATE: Final = 0x11
SELF_TEST: Final = 0x12
REFUSED: Final = 0x13
ACK: Final = 0x80
IDENTIFY: Final = 0x90
SET_RATE: Final = 0x91
RUN_SELF_TEST: Final = 0x92
SNAPSHOT: Final = 0x93
"""Types. From 0x80 on the host speaks, below it the scanner."""

NO_KEY: Final = 0xFFFFFFFF
NO_TEMPERATURE: Final = -32768
WHY_REFUSED: Final[dict[int, str]] = {1: "a command that it does not know", 2: "a value that cannot be"}

CRC_START: Final = 0xFFFF
LONGEST: Final = 253
"""Bytes of the longest message, CRC included. One more than that and COBS would need a second code byte."""

_HEAD = struct.Struct("<BHII")
_BASE = struct.Struct("<I")
_IDENTITY = struct.Struct("<BBHHH8s")
_SELF_TEST = struct.Struct("<BBh15s15s")
_ACK = struct.Struct("<BHII")
_CRC = struct.Struct("<H")
_VALUES_AT: Final = _HEAD.size
_CHANGES_AT: Final = _HEAD.size + _BASE.size
_NUMBERS: Final = 1 << 32
_SIGNED: Final = bytes((n - OFFSET) & 0xFF for n in range(256))
_LONGEST_NAME: Final = 32


class Pass(NamedTuple):
    """One pass over the sensors in the scanner's own terms, as it travels.

    `kind` is FULL, KEY (a full one that the scanner keeps, to send only changes from it once it has been
    acknowledged) or CHANGED; `session` 0..65535 is drawn when the scanner starts; `number` counts passes and
    `t_us` microseconds, both modulo 2**32. `data`: 240 values, each plus 128; of CHANGED pairs of index and
    value plus 128, in rising order, relative to the pass `base`.
    """

    kind: int
    session: int
    number: int
    t_us: int
    data: bytes
    base: int = NO_KEY


class Identity(NamedTuple):
    """Who the scanner is. Of another `version` than ours nothing else is known."""

    version: int
    session: int = 0
    rate_hz: int = 0
    most_hz: int = 0
    uid: bytes = b""
    name: str = ""


class Rate(NamedTuple):
    """The rate that the scanner keeps from now on: what was asked for, or the nearest that it can."""

    rate_hz: int


class SelfTest(NamedTuple):
    """The references of the 15 rows over some `passes`: least and greatest values, -127..127.

    `temperature_c` of the scanner's chip, None where it has no sensor for it.
    """

    passes: int
    least: tuple[int, ...]
    greatest: tuple[int, ...]
    temperature_c: float | None


class Refused(NamedTuple):
    """A command that the scanner does not obey; `why` is a key of WHY_REFUSED."""

    command: int
    why: int


class Ack(NamedTuple):
    """The newest pass that the host has, and the newest KEY that it holds (NO_KEY: none)."""

    session: int
    number: int
    key: int


class Order(NamedTuple):
    """A command of the host; `value` is the rate of SET_RATE, 0 of the others."""

    kind: int
    value: int = 0


Message = Pass | Identity | Rate | SelfTest | Refused | Ack | Order


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, begins with 0xFFFF; 0x29B1 of `123456789`."""
    return binascii.crc_hqx(data, CRC_START)


def pack(message: bytes) -> bytes:
    """CRC and COBS around type and body (at most 251 bytes), and the zero that ends it."""
    whole = message + _CRC.pack(crc16(message))
    if len(whole) > LONGEST:
        raise ValueError(f"a message has at most {LONGEST} bytes, this one has {len(whole)}")
    return b"".join(bytes((len(piece) + 1,)) + piece for piece in whole.split(b"\0")) + b"\0"


def unpack(block: bytes) -> bytes | None:
    """Type and body of what stood between two zeros; None where it is no message."""
    length = len(block)
    if not 4 <= length <= LONGEST + 1:
        return None
    pieces = []
    at = 0
    while at < length:
        code = block[at]
        pieces.append(block[at + 1 : at + code])
        at += code
    if at != length:
        return None
    whole = b"\0".join(pieces)
    message = whole[:-2]
    return message if crc16(message) == whole[-2] | whole[-1] << 8 else None


def encode(message: Message) -> bytes:
    """A message as it travels, ending zero included. The host sends Ack and Order, the scanner the others."""
    match message:
        case Pass(kind, session, number, t_us, data, base):
            head = _HEAD.pack(kind, session, number, t_us)
            return pack(head + (_BASE.pack(base) if kind == CHANGED else b"") + data)
        case Identity(version, session, rate_hz, most_hz, uid, name):
            body = _IDENTITY.pack(IDENTITY, version, session, rate_hz, most_hz, uid)
            return pack(body + name.encode("ascii"))
        case Rate(rate_hz):
            return pack(struct.pack("<BH", RATE, rate_hz))
        case SelfTest(passes, least, greatest, degrees):
            tenths = NO_TEMPERATURE if degrees is None else round(degrees * 10)
            values = (bytes(n + OFFSET for n in of) for of in (least, greatest))
            return pack(_SELF_TEST.pack(SELF_TEST, passes, tenths, *values))
        case Refused(command, why):
            return pack(struct.pack("<BBB", REFUSED, command, why))
        case Ack(session, number, key):
            return pack(_ACK.pack(ACK, session, number, key))
        case Order(kind, value):
            return pack(struct.pack("<BH", kind, value) if kind == SET_RATE else bytes((kind,)))


def decode(body: bytes) -> Message | None:
    """The message of a type and body that `unpack` gave; None where it breaks the rules of its type."""
    kind = body[0]
    size = len(body)
    if kind in (FULL, KEY):
        if size != _VALUES_AT + VALUES or 0 in body[_VALUES_AT:]:
            return None
        _, session, number, t_us = _HEAD.unpack_from(body)
        return Pass(kind, session, number, t_us, body[_VALUES_AT:])
    if kind == CHANGED:
        return _changed(body)
    if kind == IDENTITY:
        return _identity(body)
    if kind == RATE and size == 3:
        return Rate(_CRC.unpack_from(body, 1)[0])
    if kind == SELF_TEST and size == _SELF_TEST.size:
        _, passes, tenths, least, greatest = _SELF_TEST.unpack(body)
        if 0 in least or 0 in greatest:
            return None
        degrees = None if tenths == NO_TEMPERATURE else tenths / 10
        low, high = (tuple(n - OFFSET for n in of) for of in (least, greatest))
        return SelfTest(passes, low, high, degrees)
    if kind == REFUSED and size == 3:
        return Refused(body[1], body[2])
    if kind == ACK and size == _ACK.size:
        return Ack(*_ACK.unpack(body)[1:])
    if kind == SET_RATE and size == 3:
        return Order(kind, _CRC.unpack_from(body, 1)[0])
    if kind in (IDENTIFY, RUN_SELF_TEST, SNAPSHOT) and size == 1:
        return Order(kind)
    return None


def _changed(body: bytes) -> Pass | None:
    if len(body) < _CHANGES_AT or (len(body) - _CHANGES_AT) % 2:
        return None
    changes = body[_CHANGES_AT:]
    last = -1
    for index in changes[::2]:
        if not last < index < VALUES:
            return None
        last = index
    if 0 in changes[1::2]:
        return None
    kind, session, number, t_us = _HEAD.unpack_from(body)
    return Pass(kind, session, number, t_us, changes, _BASE.unpack_from(body, _HEAD.size)[0])


def _identity(body: bytes) -> Identity | None:
    if len(body) < 2:
        return None
    if body[1] != VERSION:
        return Identity(body[1])
    name = body[_IDENTITY.size :]
    if len(body) < _IDENTITY.size or len(name) > _LONGEST_NAME or not name.isascii():
        return None
    _, version, session, rate_hz, most_hz, uid = _IDENTITY.unpack_from(body)
    low, high = RATES_HZ
    if not low <= rate_hz <= most_hz <= high:
        return None
    return Identity(version, session, rate_hz, most_hz, uid, "".join(filter(str.isprintable, name.decode())))


class Counts(msgspec.Struct):
    """What has come over a link. `lost` is what the numbers of the passes show to be missing.

    `unreadable`: passes of which too many rows could not be believed.
    """

    messages: int = 0
    corrupt: int = 0
    passes: int = 0
    lost: int = 0
    duplicate: int = 0
    late: int = 0
    without_base: int = 0
    unreadable: int = 0
    restarts: int = 0


class Decoder:
    """Bytes in any pieces to messages; remembers at most one message that is not complete."""

    def __init__(self, counts: Counts | None = None) -> None:
        self.counts = counts or Counts()
        self._rest = b""
        self._skipping = False

    def feed(self, data: bytes) -> list[Message]:
        """The messages that are complete with these bytes; what is none is counted as corrupt."""
        found: list[Message] = []
        blocks = (self._rest + data).split(b"\0")
        self._rest = blocks.pop()
        for block in blocks:
            if self._skipping:
                self._skipping = False
            elif block:
                body = unpack(block)
                message = None if body is None else decode(body)
                if message is None:
                    self.counts.corrupt += 1
                else:
                    self.counts.messages += 1
                    found.append(message)
        if self._skipping:
            self._rest = b""
        elif len(self._rest) > LONGEST + 1:
            self._rest = b""
            self._skipping = True
            self.counts.corrupt += 1
        return found


class Scan(NamedTuple):
    """A pass in the host's terms: 225 signed readings, A1, B1 .. O1, A2 .. O15, and 15 references.

    `lost`: passes known to be missing just before it. `fresh`: the first one of a session, or after the
    numbers or the scanner's clock have begun anew.
    """

    number: int
    t_us: int
    readings: bytes
    references: bytes
    lost: int
    fresh: bool


class Passes:
    """Passes in, scans out: in order, each once, and changes only on the base that they were made from.

    Passes that are older than the newest are left out: as `duplicate` where they came before, else as `late`
    (they have been told as lost). A pass whose base is not held is lost too; `wants_snapshot` is then set.
    """

    WINDOW: Final = 64
    """So far back a second coming is told from a late one."""
    LEAP: Final = 20_000
    """No more passes than that are lost in a session; a number further on must be confirmed by the next."""

    def __init__(self, counts: Counts | None = None) -> None:
        self.counts = counts or Counts()
        self.session: int | None = None
        self.number = 0
        self.wants_snapshot = False
        self._keys: deque[tuple[int, bytes]] = deque(maxlen=2)
        self._seen = 0
        self._leapt: int | None = None
        self._missing = 0
        self._fresh = False

    @property
    def ack(self) -> Ack | None:
        """What to acknowledge; None while there is nothing."""
        if self.session is None:
            return None
        return Ack(self.session, self.number, self._keys[-1][0] if self._keys else NO_KEY)

    def take(self, given: Pass) -> Scan | None:
        """The scan of a pass, or None where it gives none."""
        if given.session != self.session:
            self.counts.restarts += self.session is not None
            self.session = given.session
            self._begin()
        else:
            step = (given.number - self.number) % _NUMBERS
            if step > self.LEAP:
                if self._is_old(_NUMBERS - step):
                    return None
                if self._leapt is None or not 0 < (given.number - self._leapt) % _NUMBERS <= self.WINDOW:
                    self._leapt = given.number
                    self.counts.corrupt += 1
                    return None
                self._begin()
            elif step == 0:
                self.counts.duplicate += 1
                return None
            else:
                self._note_missing(step - 1)
                self._seen = self._seen << step & (1 << self.WINDOW) - 1
        self._leapt = None
        self._seen |= 1
        self.number = given.number
        data = self._values(given)
        if data is None:
            self.counts.without_base += 1
            self.wants_snapshot = True
            self._note_missing(1)
            return None
        self.wants_snapshot = False
        self.counts.passes += 1
        lost, self._missing = self._missing, 0
        fresh, self._fresh = self._fresh, False
        return Scan(given.number, given.t_us, *_parted(data), lost, fresh)

    def _begin(self) -> None:
        self._keys.clear()
        self._seen = 0
        self._fresh = True

    def _is_old(self, age: int) -> bool:
        if age >= self.WINDOW:
            return False
        if self._seen >> age & 1:
            self.counts.duplicate += 1
        else:
            self.counts.late += 1
            self._seen |= 1 << age
        return True

    def _note_missing(self, number: int) -> None:
        self._missing += number
        self.counts.lost += number

    def _values(self, given: Pass) -> bytes | None:
        if given.kind != CHANGED:
            if given.kind == KEY:
                self._keys.append((given.number, given.data))
            return given.data
        for number, base in self._keys:
            if number == given.base:
                values = bytearray(base)
                for index, value in zip(given.data[::2], given.data[1::2], strict=True):
                    values[index] = value
                return bytes(values)
        return None


def _parted(values: bytes) -> tuple[bytes, bytes]:
    """225 signed readings and 15 signed references of 240 values as they travel."""
    signed = values.translate(_SIGNED)
    rows = [signed[at : at + ROW_VALUES - 1] for at in range(0, VALUES, ROW_VALUES)]
    return b"".join(rows), signed[ROW_VALUES - 1 :: ROW_VALUES]
