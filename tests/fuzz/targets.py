"""What is fed: it takes any bytes, raises nothing but its own error, and keeps nothing of them."""

from pathlib import Path

from hw import SENSORS
from hw.scanner_firmware.device import Device
from hw.serial_protocol import IDENTIFY, LONGEST, Decoder, Order, Pass, Passes, encode
from hw.trace import TraceError, TraceReader

ASK = Order(IDENTIFY)
AFTER = b"\0" + encode(ASK)


class SerialLink:
    """The host's end of a link, and the scanner's: both hear the same. One for all inputs, as in a game."""

    def __init__(self) -> None:
        self.decoder = Decoder()
        self.passes = Passes(self.decoder.counts)
        self.device = Device(b"12345678", 7, 120)

    def feed(self, data: bytes) -> None:
        """Take bytes; whatever they were, the message behind the next zero must be understood."""
        found = self.decoder.feed(data)
        found += self.decoder.feed(AFTER)
        assert found[-1] == ASK, "a good message was not understood"
        assert len(self.decoder._rest) <= LONGEST + 1
        for message in found:
            if isinstance(message, Pass):
                scan = self.passes.take(message)
                assert scan is None or (len(scan.readings) == SENSORS and 0x80 not in scan.readings)
        for byte in data[:64]:
            self.device.receive(byte)
        while self.device.answer():
            pass


class TraceFile:
    """A trace on a disk."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "fuzzed.trace.gz"

    def feed(self, data: bytes) -> None:
        """Read bytes as a trace to its end, or up to the error that tells what is wrong."""
        self.path.write_bytes(data)
        try:
            with TraceReader(self.path) as reader:
                for line in reader:
                    assert line.t_us >= 0
                reader.commands()
        except TraceError:
            return
