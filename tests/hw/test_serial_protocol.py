"""The serial scanner's protocol: what is packed is unpacked, and nothing else is ever taken for a message."""

import random
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.serial_protocol import (
    ACK,
    CHANGED,
    FULL,
    IDENTIFY,
    IDENTITY,
    KEY,
    LONGEST,
    NO_KEY,
    RUN_SELF_TEST,
    SELF_TEST,
    SET_RATE,
    SNAPSHOT,
    VALUES,
    VERSION,
    Ack,
    Decoder,
    Identity,
    Message,
    Order,
    Pass,
    Passes,
    Rate,
    Refused,
    SelfTest,
    crc16,
    encode,
    pack,
    unpack,
)

U32 = st.integers(0, 2**32 - 1)
U16 = st.integers(0, 2**16 - 1)
U8 = st.integers(0, 255)
CODED = st.integers(1, 255)
DATA = st.binary(min_size=VALUES, max_size=VALUES).map(lambda data: data.replace(b"\0", b"\1"))
PAIRS = st.dictionaries(st.integers(0, VALUES - 1), CODED, max_size=100).map(
    lambda found: bytes(n for pair in sorted(found.items()) for n in pair)
)
REFERENCES = st.lists(st.integers(-127, 127), min_size=15, max_size=15).map(tuple)
RATES = st.tuples(st.integers(10, 200), st.integers(10, 200)).map(sorted)
NAMES = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=32)

MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.tuples(st.sampled_from([FULL, KEY]), U16, U32, U32, DATA).map(lambda some: Pass(*some)),
    st.builds(Pass, st.just(CHANGED), U16, U32, U32, PAIRS, U32),
    st.builds(
        lambda session, rates, uid, name: Identity(VERSION, session, *rates, uid, name),
        U16,
        RATES,
        st.binary(min_size=8, max_size=8),
        NAMES,
    ),
    st.builds(Rate, U16),
    st.builds(SelfTest, U8, REFERENCES, REFERENCES, st.none() | st.integers(-400, 850).map(lambda n: n / 10)),
    st.builds(Refused, U8, U8),
    st.builds(Ack, U16, U32, U32),
    st.sampled_from([Order(IDENTIFY), Order(RUN_SELF_TEST), Order(SNAPSHOT)]),
    st.builds(Order, st.just(SET_RATE), U16),
)

FEW = settings(max_examples=50, deadline=None)
ONE = Pass(FULL, 7, 1, 1000, bytes([128]) * VALUES)


def test_the_crc_is_the_one_of_the_catalogues() -> None:
    assert crc16(b"123456789") == 0x29B1
    assert crc16(b"") == 0xFFFF


@pytest.mark.parametrize(
    ("body", "wire"),
    [
        (b"\x90", "0490496200"),
        (b"\x91\x64\x00", "039164037b4400"),
        (b"\x00\x00\x00", "010101039ccc00"),
    ],
)
def test_a_message_on_the_wire(body: bytes, wire: str) -> None:
    assert pack(body).hex() == wire
    assert unpack(pack(body)[:-1]) == body


def test_a_full_pass_takes_255_bytes_and_a_longer_message_is_refused() -> None:
    assert len(encode(ONE)) == LONGEST + 2 == 255
    with pytest.raises(ValueError, match="at most 253 bytes, this one has 254"):
        pack(bytes(252))


@FEW
@given(MESSAGES)
def test_every_message_comes_back(message: Message) -> None:
    wire = encode(message)
    assert wire.index(0) == len(wire) - 1
    assert Decoder().feed(wire) == [message]


@FEW
@given(st.lists(MESSAGES, max_size=5), st.data())
def test_pieces_of_any_size(messages: list[Message], data: st.DataObject) -> None:
    wire = b"".join(map(encode, messages))
    decoder = Decoder()
    found: list[Message] = []
    while wire:
        size = data.draw(st.integers(1, len(wire)))
        found += decoder.feed(wire[:size])
        wire = wire[size:]
    assert found == messages
    assert decoder.counts.corrupt == 0


@FEW
@given(st.binary(max_size=2000), MESSAGES)
def test_after_any_garbage_the_message_behind_the_next_zero_is_understood(
    garbage: bytes, message: Message
) -> None:
    decoder = Decoder()
    decoder.feed(garbage)
    found = decoder.feed(b"\0" + encode(message))
    assert found[-1:] == [message]


@FEW
@given(MESSAGES, st.data())
def test_a_flipped_bit_is_never_another_message(message: Message, data: st.DataObject) -> None:
    wire = bytearray(encode(message))
    at = data.draw(st.integers(0, len(wire) - 2))
    wire[at] ^= 1 << data.draw(st.integers(0, 7))
    assert Decoder().feed(bytes(wire)) == []


def test_what_no_zero_ends_is_forgotten() -> None:
    decoder = Decoder()
    for _ in range(1000):
        assert decoder.feed(b"\xff" * 100) == []
        assert len(decoder._rest) <= LONGEST + 1
    assert decoder.feed(b"\0" + encode(ONE)) == [ONE]
    assert decoder.counts.corrupt == 1


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (struct.pack("<BHII", FULL, 7, 1, 1) + bytes([128]) * 239, "a value is missing"),
        (struct.pack("<BHII", FULL, 7, 1, 1) + bytes([128]) * 239 + b"\0", "-128 is no reading"),
        (struct.pack("<BHIII", CHANGED, 7, 1, 1, 0) + b"\x01\x80\x01\x80", "an index twice"),
        (struct.pack("<BHIII", CHANGED, 7, 1, 1, 0) + b"\xf0\x80", "index 240"),
        (struct.pack("<BHIII", CHANGED, 7, 1, 1, 0) + b"\x01", "half a pair"),
        (struct.pack("<BHIII", CHANGED, 7, 1, 1, 0) + b"\x01\0", "-128 is no reading"),
        (struct.pack("<BHII", CHANGED, 7, 1, 1), "no base"),
        (struct.pack("<BBHHH8s", IDENTITY, VERSION, 1, 100, 50, b"x" * 8), "faster than its fastest"),
        (struct.pack("<BBHHH8s", IDENTITY, VERSION, 1, 0, 50, b"x" * 8), "no rate"),
        (
            struct.pack("<BBHHH8s", IDENTITY, VERSION, 1, 50, 50, b"x" * 8) + b"\xff",
            "a name that is no ASCII",
        ),
        (bytes((IDENTITY, VERSION)), "an identity that says nothing"),
        (bytes((SELF_TEST,)) + bytes(33), "-128 is no reading"),
        (bytes((SNAPSHOT, 1)), "too long"),
        (bytes((SET_RATE, 1)), "too short"),
        (bytes((ACK,)), "too short"),
        (b"\x55\x01", "no such type"),
    ],
)
def test_a_whole_message_that_breaks_the_rules_of_its_type_is_none(body: bytes, what: str) -> None:
    decoder = Decoder()
    assert decoder.feed(pack(body)) == [], what
    assert decoder.counts.corrupt == 1


def test_an_identity_of_another_version_tells_its_version_and_nothing_else() -> None:
    assert Decoder().feed(pack(bytes((IDENTITY, 2)) + b"whatever comes then")) == [Identity(2)]
    assert Decoder().feed(pack(bytes((IDENTITY, 9)))) == [Identity(9)]


# Passes to scans


def coded(*readings: tuple[int, int], fill: int = 0) -> bytes:
    """240 values as they travel: `fill`, but for some by index."""
    values = [fill] * VALUES
    for index, value in readings:
        values[index] = value
    return bytes(value + 128 for value in values)


def full(number: int, kind: int = FULL, session: int = 7, data: bytes = b"") -> Pass:
    return Pass(kind, session, number, number * 10_000 % 2**32, data or coded())


def changed(number: int, base: int, *pairs: int) -> Pass:
    return Pass(CHANGED, 7, number, number * 10_000, bytes(pairs), base)


def test_values_are_parted_into_readings_and_references() -> None:
    values = coded((0, -127), (14, 5), (15, 58), (16, 127), (224 + 15, 59), (224 + 14, -1))
    scan = Passes().take(full(1, data=values))
    assert scan is not None
    assert (len(scan.readings), len(scan.references)) == (225, 15)
    signed = struct.unpack("225b", scan.readings)
    assert {at: n for at, n in enumerate(signed) if n} == {0: -127, 14: 5, 15: 127, 224: -1}
    assert struct.unpack("15b", scan.references) == (58, *[0] * 13, 59)


def test_what_is_missing_is_told_with_the_next_pass_once() -> None:
    passes = Passes()
    scans = [passes.take(full(n)) for n in (10, 11, 15, 16)]
    assert [scan.lost for scan in scans if scan] == [0, 0, 3, 0]
    assert [scan.fresh for scan in scans if scan] == [True, False, False, False]
    assert passes.counts.lost == 3


def test_numbers_go_round() -> None:
    passes = Passes()
    scans = [passes.take(full(n % 2**32)) for n in (2**32 - 2, 2**32 - 1, 2**32 + 1)]
    assert [scan.lost for scan in scans if scan] == [0, 0, 1]


def test_each_pass_comes_once_and_in_order() -> None:
    passes = Passes()
    given_numbers = [1, 2, 2, 5, 4, 4, 5, 6, 3, 2]
    assert [scan.number for n in given_numbers if (scan := passes.take(full(n)))] == [1, 2, 5, 6]
    assert (passes.counts.lost, passes.counts.duplicate, passes.counts.late) == (2, 4, 2)


def test_a_single_number_far_off_is_no_pass_and_a_second_one_confirms_it() -> None:
    passes = Passes()
    passes.take(full(1))
    assert passes.take(full(3_000_000)) is None
    second = passes.take(full(2))
    assert second is not None
    assert (second.lost, second.fresh) == (0, False)
    assert passes.take(full(500_000)) is None
    jumped = passes.take(full(500_001))
    assert jumped is not None
    assert jumped.fresh
    assert passes.counts.corrupt == 2


def test_a_scanner_that_has_restarted_begins_anew() -> None:
    passes = Passes()
    passes.take(full(5000, KEY))
    scan = passes.take(full(1, session=8))
    assert scan is not None
    assert (scan.fresh, scan.lost) == (True, 0)
    assert passes.counts.restarts == 1
    assert passes.ack == Ack(8, 1, NO_KEY), "keys of the session before are worth nothing"


def test_a_session_that_begins_with_changes_begins_with_its_first_scan() -> None:
    """Its clock has begun anew, whenever there is a pass that can be read."""
    passes = Passes()
    passes.take(full(5000, KEY, session=6))
    assert passes.take(changed(1, 9, 0, 200)) is None
    scans = [passes.take(full(n, KEY)) for n in (2, 3)]
    assert [(scan.fresh, scan.lost) for scan in scans if scan] == [(True, 1), (False, 0)]


def test_changes_are_put_on_the_pass_that_they_were_made_from() -> None:
    passes = Passes()
    passes.take(full(1, KEY, data=coded((3, 50))))
    assert passes.ack == Ack(7, 1, 1)
    first = passes.take(changed(2, 1, 4, 128 + 60))
    second = passes.take(changed(5, 1, 3, 128, 5, 129))
    assert first is not None
    assert second is not None
    assert first.readings[:6] == bytes((0, 0, 0, 50, 60, 0))
    assert second.readings[:6] == bytes((0, 0, 0, 0, 0, 1)), "lost changes between do not matter"
    assert second.lost == 2


def test_changes_without_their_base_are_lost_and_a_snapshot_is_wanted() -> None:
    passes = Passes()
    passes.take(full(1))
    assert passes.take(changed(2, 1, 4, 200)) is None, "a pass that was not a key is not kept"
    assert passes.wants_snapshot
    assert passes.take(changed(3, 1, 4, 200)) is None
    scan = passes.take(full(4, KEY))
    assert scan is not None
    assert scan.lost == 2
    assert not passes.wants_snapshot
    assert passes.counts.without_base == passes.counts.lost == 2


def test_changes_from_the_key_before_the_last_are_still_understood() -> None:
    passes = Passes()
    for number in (1, 2):
        passes.take(full(number, KEY))
    assert passes.take(changed(3, 1, 0, 200)) is not None
    passes.take(full(4, KEY))
    assert passes.take(changed(5, 1, 0, 200)) is None


@FEW
@given(st.lists(st.tuples(st.sampled_from([FULL, KEY]), st.integers(0, 3), U32), max_size=40))
def test_any_order_of_passes_gives_rising_numbers(given_passes: list[tuple[int, int, int]]) -> None:
    passes = Passes()
    last: Pass | None = None
    for kind, session, number in given_passes:
        one = full(number, kind, session)
        scan = passes.take(one)
        if scan is None:
            continue
        if last is not None and not scan.fresh:
            assert one.session == last.session
            assert 0 < (one.number - last.number) % 2**32 <= Passes.LEAP
            assert scan.lost >= (one.number - last.number) % 2**32 - 1
        last = one


def test_a_bad_line_loses_what_it_loses_and_invents_nothing() -> None:
    """Of 3000 passes over a line that flips, drops, doubles and swaps, each comes as it was sent."""
    chance = random.Random(11)  # noqa: S311
    decoder, passes = Decoder(), Passes()
    sent = {n: coded((n % VALUES, 99), (n // VALUES, 55)) for n in range(3000)}
    held = b""
    wrong = came = lost = 0
    for number, data in sent.items():
        wire = bytearray(encode(full(number, data=data)))
        if chance.random() < 0.1:
            wire[chance.randrange(len(wire))] ^= 1 << chance.randrange(8)
        if chance.random() < 0.1:
            del wire[chance.randrange(len(wire))]
        if chance.random() < 0.1:
            wire *= 2
        if chance.random() < 0.1 and not held:
            held = bytes(wire)
            continue
        for message in decoder.feed(bytes(wire) + held):
            assert isinstance(message, Pass)
            scan = passes.take(message)
            if scan is not None:
                came += 1
                lost += scan.lost
                wrong += message.data != sent[scan.number]
        held = b""
    assert wrong == 0
    assert 1800 < came < 2700
    assert came + lost >= 3000 - 10
    assert came + lost <= 3000
