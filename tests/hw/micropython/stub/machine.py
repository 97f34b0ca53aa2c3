"""What a Pico's `machine` has, as far as the scanner asks for it."""


class Pin:
    IN, OUT, PULL_UP = 0, 1, 2
    levels = {}

    def __init__(self, number, mode=0, pull=0, value=1):
        self.number = number
        Pin.levels.setdefault(number, value)

    def value(self):
        return Pin.levels[self.number]


class ADC:
    CORE_TEMP = 4

    def __init__(self, source):
        self.source = source


class WDT:
    fed = 0

    def __init__(self, timeout):
        self.timeout = timeout

    def feed(self):
        WDT.fed += 1


def unique_id():
    return b"\x01\x02\x03\x04\x05\x06\x07\x08"
