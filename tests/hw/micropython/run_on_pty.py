"""Runs under MicroPython's unix port: the scanner's program, with a stand-in for the pins.

Standard input and output are the link. Whenever a pass is due it is asked for with one byte on descriptor
`argv[2]`; 240 bytes come back on descriptor `argv[1]`.
"""

import select
import sys
import time

from scanner_firmware.serve import serve


class UnixHardware:
    MOST_HZ = 200

    def __init__(self, readings, wishes):
        self.number = 0
        self.t_us = 0
        self._readings = open(readings, "rb")
        self._wishes = open(wishes, "wb")
        self._period_us = 10000
        self._due_us = time.ticks_us()
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)

    def uid(self):
        return b"UNIXPORT"

    def session(self):
        return time.ticks_us() & 0xFFFF

    def temperature(self):
        return 235

    def scan(self, rate_hz):
        self._period_us = 1000000 // rate_hz

    def take(self, values):
        now_us = time.ticks_us()
        if time.ticks_diff(now_us, self._due_us) < 0:
            return False
        self._due_us = time.ticks_add(self._due_us, self._period_us)
        self._wishes.write(b"?")
        self._readings.readinto(values)
        self.number += 1
        self.t_us = now_us & 0xFFFFFFFF
        return True

    def receive(self):
        if not self._poll.poll(1):
            return b""
        got = sys.stdin.buffer.read(1)
        if not got:
            sys.exit(0)
        while self._poll.poll(0):
            got += sys.stdin.buffer.read(1)
        return got

    def send(self, wire, size):
        sys.stdout.buffer.write(memoryview(wire)[:size])

    def alive(self):
        pass


serve(UnixHardware(int(sys.argv[1]), int(sys.argv[2])))
