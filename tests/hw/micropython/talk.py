"""Runs under MicroPython's unix port: a device that is told everything in lines, and prints what it sends.

`byte N..`: bytes of the host; `frame NUMBER T_US HEX`: a pass; `answer`: the next answer that waits.
"""

import binascii
import sys

from scanner_firmware.device import Device

device = Device(b"TESTCHIP", 4711, 150)
for line in sys.stdin:
    words = line.split()
    size = 0
    if words[0] == "bytes":
        for byte in binascii.unhexlify(words[1]):
            device.receive(byte)
    elif words[0] == "frame":
        size = device.frame(int(words[1]), int(words[2]), bytearray(binascii.unhexlify(words[3])))
    else:
        size = device.answer()
    print(binascii.hexlify(device.wire[:size]).decode())
