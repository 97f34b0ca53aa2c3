"""Copied to the top of the Pico's file system as `main.py`: the scanner runs as soon as it has power."""

from scanner_firmware.pico import Pico, asked_to_leave
from scanner_firmware.serve import serve

if not asked_to_leave():
    serve(Pico())
