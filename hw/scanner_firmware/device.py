"""What the scanner says to the host: passes as messages, commands and their answers. No pin is touched here.

The same code runs under MicroPython on the scanner and under Python in the simulator.
"""

import struct

from .wire import changes, crc16, stuff, unstuff

VERSION = 1
NAME = b"renju-board scanner 1.0"
ROWS = 15
ROW_VALUES = 16
VALUES = ROWS * ROW_VALUES
LEAST_HZ = 10

FULL = 0x01
KEY = 0x02
CHANGED = 0x03
IDENTITY = 0x10
RATE = 0x11
SELF_TEST = 0x12
REFUSED = 0x13
ACK = 0x80
IDENTIFY = 0x90
SET_RATE = 0x91
RUN_SELF_TEST = 0x92
SNAPSHOT = 0x93
UNKNOWN_COMMAND = 1
BAD_VALUE = 2

NO_KEY = 0xFFFFFFFF
NO_TEMPERATURE = -32768
HEAD = 11
BASE = 4
MOST_CHANGES = (VALUES - BASE) // 2 - 1
"""More of them, and the full pass is not longer."""
REKEY = 100
"""Passes after which a key is old: the board has moved on, and less would have to be sent from a new one."""
PENDING = 50
"""Passes to wait for a key's acknowledgement."""
SILENT = 300
"""Passes without an acknowledgement after which nothing is taken to be held by the host."""
TEST_PASSES = 16
LONGEST_COMMAND = 24
MOST_ANSWERS = 4


class Device:
    """The scanner's end of the link. What is to be sent is in `wire`, as long as a method said.

    `uid`: 8 bytes of the chip. `session`: 0..65535, another one at each start. `most_hz`: the fastest rate
    that the electronics can keep, at most 200.
    """

    def __init__(self, uid: bytes, session: int, most_hz: int, rate_hz: int = 100) -> None:
        self.uid = uid
        self.session = session
        self.most_hz = most_hz
        self.rate_hz = min(rate_hz, most_hz)
        self.temperature = NO_TEMPERATURE
        self.wire = bytearray(256)
        self._body = bytearray(256)
        self._received = bytearray(LONGEST_COMMAND)
        self._command = bytearray(LONGEST_COMMAND)
        self._size = 0
        self._answers: list[bytes] = []
        self._key = bytearray(VALUES)
        self._key_number = NO_KEY
        self._key_age = 0
        self._next = bytearray(VALUES)
        self._next_number = NO_KEY
        self._next_age = 0
        self._unheard = 0
        self._testing = 0
        self._least = bytearray(ROWS)
        self._greatest = bytearray(ROWS)

    def receive(self, byte: int) -> None:
        """One byte from the host."""
        if byte:
            if self._size < LONGEST_COMMAND:
                self._received[self._size] = byte
            self._size += 1
            return
        size, self._size = self._size, 0
        if 4 <= size <= LONGEST_COMMAND:
            command = self._command
            size = unstuff(self._received, size, command) - 2
            if size > 0 and crc16(command, size) == command[size] | command[size + 1] << 8:
                self._obey(command, size)

    def frame(self, number: int, t_us: int, values: bytearray) -> int:
        """A pass of 240 values (1..255: plus 128) as a message; its length. `number`, `t_us`: 0..2**32-1."""
        self._unheard += 1
        if self._unheard > SILENT:
            self.forget()
        if self._testing:
            self._test(values)
        body = self._body
        self._key_age += 1
        self._next_age += 1
        if self._next_number != NO_KEY and self._next_age > PENDING:
            self._next_number = NO_KEY
        if self._next_number == NO_KEY and (self._key_number == NO_KEY or self._key_age > REKEY):
            self._next[:] = values
            self._next_number = number
            self._next_age = 0
            kind = KEY
        else:
            kind = FULL
            if self._key_number != NO_KEY:
                count = changes(values, self._key, VALUES, body, HEAD + BASE, MOST_CHANGES)
                if count >= 0:
                    struct.pack_into("<BHIII", body, 0, CHANGED, self.session, number, t_us, self._key_number)
                    return self._seal(HEAD + BASE + 2 * count)
        struct.pack_into("<BHII", body, 0, kind, self.session, number, t_us)
        body[HEAD : HEAD + VALUES] = values
        return self._seal(HEAD + VALUES)

    def answer(self) -> int:
        """The next answer that waits, as a message; its length, 0 when none waits."""
        if not self._answers:
            return 0
        answer = self._answers.pop(0)
        self._body[: len(answer)] = answer
        return self._seal(len(answer))

    def forget(self) -> None:
        """The host holds no pass: the next one is a key."""
        self._key_number = NO_KEY
        self._next_number = NO_KEY
        self._unheard = 0

    def _seal(self, size: int) -> int:
        body = self._body
        crc = crc16(body, size)
        body[size] = crc & 0xFF
        body[size + 1] = crc >> 8
        length: int = stuff(body, size + 2, self.wire)
        return length

    def _obey(self, command: bytearray, size: int) -> None:
        kind = command[0]
        if kind == ACK and size == 11:
            _, session, _, key = struct.unpack_from("<BHII", command, 0)
            if session == self.session:
                self._acknowledged(key)
        elif kind == IDENTIFY and size == 1:
            who = (IDENTITY, VERSION, self.session, self.rate_hz, self.most_hz, self.uid)
            self._say(struct.pack("<BBHHH8s", *who) + NAME)
        elif kind == SET_RATE and size == 3:
            rate_hz = command[1] | command[2] << 8
            if rate_hz < LEAST_HZ:
                self._say(struct.pack("<BBB", REFUSED, kind, BAD_VALUE))
            else:
                self.rate_hz = min(rate_hz, self.most_hz)
                self._say(struct.pack("<BH", RATE, self.rate_hz))
        elif kind == RUN_SELF_TEST and size == 1:
            self._testing = TEST_PASSES
            for row in range(ROWS):
                self._least[row] = 255
                self._greatest[row] = 1
        elif kind == SNAPSHOT and size == 1:
            self.forget()
        elif kind & 0x80:
            self._say(struct.pack("<BBB", REFUSED, kind, UNKNOWN_COMMAND))

    def _say(self, answer: bytes) -> None:
        if len(self._answers) < MOST_ANSWERS:
            self._answers.append(answer)

    def _acknowledged(self, key: int) -> None:
        self._unheard = 0
        if key != NO_KEY and key == self._next_number:
            self._key, self._next = self._next, self._key
            self._key_number = key
            self._key_age = 0
            self._next_number = NO_KEY

    def _test(self, values: bytearray) -> None:
        for row in range(ROWS):
            value = values[row * ROW_VALUES + ROW_VALUES - 1]
            self._least[row] = min(self._least[row], value)
            self._greatest[row] = max(self._greatest[row], value)
        self._testing -= 1
        if not self._testing:
            head = struct.pack("<BBh", SELF_TEST, TEST_PASSES, self.temperature)
            self._say(head + self._least + self._greatest)
