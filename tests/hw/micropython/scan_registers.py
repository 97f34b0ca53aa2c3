"""Runs under MicroPython's unix port: the scanning loop of the Pico on registers laid out in memory.

`argv[1]`: what the converter reads, 0..4095. Prints the state words, the select lines, and both halves.
"""

import binascii
import sys
from array import array

from scanner_firmware.pico import scan

state = array("I", [10000, 0, 0, 0, 0, 0])
halves = bytearray(480)
sio, adc, timer = array("I", [0] * 8), array("I", [0] * 2), array("I", [0] * 11)
sio[4] = 0xFFFFFC03 & 0xFFFFFFFF
adc[1] = int(sys.argv[1])
timer[10] = 123456
for _ in range(int(sys.argv[2])):
    # The converter's READY bit (0x100) is part of what is written, since nothing else sets it here.
    scan(state, halves, sio, adc, timer, 0x103, 1)
print(list(state), hex(adc[0]), hex(sio[7]), binascii.hexlify(halves).decode())
