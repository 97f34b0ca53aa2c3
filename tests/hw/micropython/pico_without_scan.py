"""Runs under MicroPython's unix port with the stub of `machine`: a Pico whose second core is this script."""

import sys

from machine import WDT, Pin
from scanner_firmware import pico

made = pico.Pico()
made._watchdog = WDT(4000)
values = bytearray(240)
print("select", sorted(number for number in Pin.levels if number < 20), "leave", pico.asked_to_leave())
print("before the first pass", made.take(values), made.temperature())


def core_1(number, t_us, value):
    """A pass is complete."""
    half = number & 1
    made._state[pico.STAMPS + half] = t_us
    made._halves[half * 240 : (half + 1) * 240] = bytes([value]) * 240
    made._state[pico.DONE] = number


core_1(1, 1000, 11)
print("first", made.take(values), made.number, made.t_us, set(values), made.take(values))
core_1(2, 2000, 22)
core_1(3, 4000000000, 33)
print("one was missed", made.take(values), made.number, made.t_us, set(values))
made._state[pico.CHIP] = 876
print("warm", made.temperature())
made.alive()
print("fed", WDT.fed, made.uid() == b"\x01\x02\x03\x04\x05\x06\x07\x08", 0 <= made.session() < 65536)
print("received", made.receive())


class Out:
    """A driver that has no room for more than it is told."""

    room = 0
    sent = b""

    def write(self, data):
        taken = bytes(data[: self.room])
        self.room -= len(taken)
        self.sent += taken
        return len(taken)


class Stdio:
    stdin = sys.stdin
    stdout = Out()


Stdio.stdout.buffer = Stdio.stdout
pico.sys = Stdio
for room in (3, 0, 10, 10):
    Stdio.stdout.room = room
    made.send(b"abcd\0rest", 5)
print("sent", Stdio.stdout.sent)
Pin.levels[pico.LEAVE_PIN] = 0
print("leave", pico.asked_to_leave())
