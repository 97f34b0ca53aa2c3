"""Random bytes, and good files and messages with something done to them; the same for the same seed."""

import gzip
import json
import random
from base64 import b64encode
from collections.abc import Iterator, Sequence

from hw.serial_protocol import (
    CHANGED,
    FULL,
    IDENTIFY,
    KEY,
    SET_RATE,
    VALUES,
    VERSION,
    Ack,
    Identity,
    Message,
    Order,
    Pass,
    Rate,
    Refused,
    SelfTest,
    encode,
)

MOST_BYTES = 1200


def mutated(seeds: Sequence[bytes], number: int, seed: int) -> Iterator[bytes]:
    """So many inputs: one in eight random, the others made of the seeds by one to four changes."""
    chance = random.Random(seed)  # noqa: S311
    for _ in range(number):
        if chance.random() < 0.125:
            yield chance.randbytes(int(chance.random() ** 3 * MOST_BYTES))
            continue
        data = bytearray(seeds[int(chance.random() * len(seeds))])
        for _ in range(1 + int(chance.random() * 4)):
            _change(data, seeds, chance)
        yield bytes(data[:MOST_BYTES])


def _change(data: bytearray, seeds: Sequence[bytes], chance: random.Random) -> None:
    size = len(data)
    at = int(chance.random() * (size + 1))
    length = int(chance.random() ** 4 * 64) + 1
    kind = int(chance.random() * 7)
    if kind == 0 and at < size:
        data[at] ^= 1 << int(chance.random() * 8)
    elif kind == 1 and at < size:
        data[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, 34, 45, 123))
    elif kind == 2:
        del data[at : at + length]
    elif kind == 3:
        data[at:at] = chance.randbytes(length)
    elif kind == 4:
        data[at:at] = data[at : at + length]
    elif kind == 5:
        data[at:] = seeds[int(chance.random() * len(seeds))][-length * 8 :]
    else:
        del data[at:]


def serial_seeds() -> list[bytes]:
    """Everything that a scanner and a host can say, and streams of it."""
    chance = random.Random(1)  # noqa: S311
    quiet = bytes([128]) * VALUES
    messages: list[Message] = [
        Identity(VERSION, 7, 100, 120, b"12345678", "renju-board scanner 1.0"),
        Identity(VERSION + 1),
        Rate(100),
        SelfTest(16, (58,) * 15, (60,) * 15, 23.5),
        Refused(0x99, 1),
        Ack(7, 3, 1),
        Order(IDENTIFY),
        Order(SET_RATE, 100),
    ]
    passes = [
        Pass(
            KEY if n % 20 == 0 else CHANGED if n % 3 else FULL,
            7 + n // 20,
            n,
            n * 10_000,
            bytes((n % 100, 200, 200, 90))
            if n % 20 and n % 3
            else bytes(chance.randrange(1, 256) for _ in range(VALUES))
            if n % 2
            else quiet,
            n // 20 * 20,
        )
        for n in range(60)
    ]
    single = [encode(message) for message in (*messages, *passes)]
    return [*single, b"".join(single[:12]), b"".join(single[20:30])]


def trace_seeds() -> list[bytes]:
    """Small traces, packed and plain, and single lines of them."""
    header = {"format": "renju-board-trace", "version": 1, "sensors": "linear", "rate_hz": 200, "match": {}}
    frame = b64encode(bytes(range(225)).replace(b"\x80", b"\x81")).decode()
    lines: list[dict[str, object]] = [
        {"t_us": 0, "f": frame},
        {"t_us": 5000, "lost": 3},
        {"t_us": 9000, "key": "near"},
        {"t_us": 9500, "command": {"do": "pause"}},
        {"t_us": 10_000, "f": b64encode(bytes(225)).decode()},
    ]
    linear = b"".join(json.dumps(line).encode() + b"\n" for line in (header, *lines))
    switch = linear.replace(b'"linear"', b'"switch"').replace(frame.encode(), b64encode(bytes(225)))
    heads = [json.dumps({**header, "rate_hz": rate}).encode() + b"\n" for rate in (1, 1000, 200)]
    return [linear, switch, *heads, gzip.compress(linear, mtime=0), gzip.compress(switch, 1, mtime=0)]
