"""The pins of a Raspberry Pi Pico (RP2040): the only file that knows them. NOT YET TRIED ON A PICO.

The second core scans and never does anything else: it writes the passes alternately into the two halves of a
buffer. The first core copies the half that is complete, talks to the host, and may be late.

Addresses and bits: RP2040 data sheet, 2.3.1.7 (SIO), 4.9.6 (ADC), 4.6.5 (timer). 12-bit conversions of 96
cycles of 48 MHz: 2 us.
"""

import _thread
import os
import select
import sys
from array import array

import machine
import micropython

from .device import NO_TEMPERATURE, VALUES

SELECT_PIN = 2
"""The first of eight pins: four choose the point (S0..S3 of all 15 row multiplexers), four the row."""
LEAVE_PIN = 15
"""To ground at the start: the scanner does not run, and the prompt of MicroPython can be reached."""
SENSE_PIN = 26
"""ADC input 0, the output of the sixteenth multiplexer."""

SIO = 0xD0000000
ADC = 0x4004C000
TIMER = 0x40054000

SETTLING = 4
KEPT = 8
"""Conversions of a point: the first are thrown away while its voltage settles, the others are summed."""

PERIOD, DONE, STAMPS, STOP, CHIP, WORDS = 0, 1, 2, 4, 5, 6
"""Words that the cores share: period in us, passes done, instants of the two halves, stop, chip's sensor."""


@micropython.viper
def scan(state: ptr32, out: ptr8, sio: ptr32, adc: ptr32, timer: ptr32, enable: int, passes: int):
    """Scan `passes` times (negative: for ever) into the halves of `out`, until the word STOP is set.

    Everything by address, so that a test can lay out the registers in ordinary memory. `enable` is what the
    control register of the ADC needs beside the input and the start.
    """
    due = int(timer[10])
    number = int(state[1])
    while passes != 0:
        while int(timer[10]) - due < 0:
            if int(state[4]) != 0:
                return
        now = int(timer[10])
        due += int(state[0])
        if due - now < 0:
            due = now
        half = ((number + 1) & 1) * 240
        state[2 + ((number + 1) & 1)] = now
        for index in range(240):
            sio[7] = (((int(sio[4]) >> 2) ^ index) & 0xFF) << 2
            total = 0
            for n in range(12):
                adc[0] = enable | 4
                while int(adc[0]) & 0x100 == 0:
                    pass
                if n >= 4:
                    total += int(adc[1])
            value = (((total - 16384) * 9) >> 9) + 128
            if value < 1:
                value = 1
            if value > 255:
                value = 255
            out[half + index] = value
        adc[0] = enable | 0x4000 | 4
        while int(adc[0]) & 0x100 == 0:
            pass
        state[5] = int(adc[1])
        number += 1
        state[1] = number
        passes -= 1


class Pico:
    """What `serve` needs of the machine."""

    MOST_HZ = 120

    def __init__(self):
        for pin in range(SELECT_PIN, SELECT_PIN + 8):
            machine.Pin(pin, machine.Pin.OUT, value=0)
        machine.ADC(machine.Pin(SENSE_PIN))
        machine.ADC(machine.ADC.CORE_TEMP)
        self.number = 0
        self.t_us = 0
        self._state = array("I", [0] * WORDS)
        self._halves = bytearray(2 * VALUES)
        self._running = False
        self._watchdog = None
        self._cut = False
        self._poll = select.poll()
        self._poll.register(sys.stdin, select.POLLIN)
        # A byte of a command may be 3, which would end the program as a Ctrl-C.
        micropython.kbd_intr(-1)

    def uid(self):
        """8 bytes that no other chip has."""
        return machine.unique_id()

    def session(self):
        """Another number 0..65535 at each start."""
        drawn = os.urandom(2)
        return drawn[0] | drawn[1] << 8

    def scan(self, rate_hz):
        """Scan at this rate from now on."""
        self._state[PERIOD] = 1000000 // rate_hz
        if not self._running:
            self._running = True
            # EN and TS_EN of the control register.
            _thread.start_new_thread(scan, (self._state, self._halves, SIO, ADC, TIMER, 3, -1))
            self._watchdog = machine.WDT(timeout=4000)

    def take(self, values):
        """Copy the newest pass, when it is a new one: its `number` and `t_us`."""
        state = self._state
        done = state[DONE]
        if done == self.number:
            return False
        while True:
            half = done & 1
            self.t_us = state[STAMPS + half]
            values[:] = self._halves[half * VALUES : (half + 1) * VALUES]
            newest = state[DONE]
            if newest == done:
                self.number = done
                return True
            done = newest  # that half is being written again already

    def temperature(self):
        """Tenths of a degree of the chip: 0.706 V at 27 C, -1.721 mV a degree [RP2040 data sheet 4.9.5]."""
        raw = self._state[CHIP]
        return int(270 - (raw * 3.3 / 4096 - 0.706) / 0.0001721) if raw else NO_TEMPERATURE

    def receive(self):
        """The bytes that have come; waits up to a millisecond for one."""
        got = b""
        while len(got) < 64 and self._poll.poll(0 if got else 1):
            byte = sys.stdin.buffer.read(1)
            if not byte:
                break
            got += byte
        return got

    def send(self, wire, size):
        """Send `size` bytes; without a host they are overwritten by later ones in the USB driver.

        The driver gives up half a second after a host has stopped reading, in the middle of a message: a
        zero then keeps the next one apart. [MicroPython, shared/tinyusb/mp_usbd_cdc.c]
        """
        out = sys.stdout.buffer
        if self._cut:
            self._cut = out.write(b"\0") != 1
        if not self._cut:
            self._cut = out.write(memoryview(wire)[:size]) != size

    def alive(self):
        """A pass has been made and sent: both cores work."""
        self._watchdog.feed()


def asked_to_leave():
    """Whether somebody holds the pin that keeps the scanner from running."""
    return not machine.Pin(LEAVE_PIN, machine.Pin.IN, machine.Pin.PULL_UP).value()
