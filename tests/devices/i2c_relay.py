"""A real I2C bus of the devices kernel, whose transfers the chips of a `VirtualBus` answer."""

import errno
import fcntl
import os
import struct
import threading

from hw.simulator.i2c_bus import I2C_M_RD, VirtualBus

RELAY_ATTACH = 0x5201
RELAY_UNPLUG = 0x5202
"""_IO('R', 1) and _IO('R', 2) of kernel/drivers/i2c-relay.c, which describes the rest."""
_TRANSFER = struct.Struct("=II")
_MESSAGE = struct.Struct("=HHHH")
_ANSWER = struct.Struct("=Ii")
_LONG_S = 20.0


class I2cRelay:
    """/dev/i2c-N for as long as this is open. A bus that is stuck takes the kernel the adapter's time-out."""

    def __init__(self, bus: VirtualBus, number: int = 1) -> None:
        self._bus = bus
        self._file = os.open("/dev/i2c-relay", os.O_RDWR)
        fcntl.ioctl(self._file, RELAY_ATTACH, number)
        self._open = True
        self._closing = threading.Lock()
        self._thread = threading.Thread(target=self._run, name=f"i2c-{number}", daemon=True)
        self._thread.start()

    def unplug(self) -> None:
        """Take the adapter away; its node is gone when nobody has it open any more."""
        with self._closing:
            if self._open:
                fcntl.ioctl(self._file, RELAY_UNPLUG)

    def close(self) -> None:
        """Take the adapter away, and wait until nobody has it open."""
        self.unplug()
        self._thread.join(_LONG_S)
        assert not self._thread.is_alive(), "somebody has the bus open"

    def _run(self) -> None:
        try:
            self._serve()
        finally:
            with self._closing:  # not while somebody unplugs, or it would speak to a file that is closed
                self._open = False
            os.close(self._file)

    def _serve(self) -> None:
        while True:
            try:
                request = os.read(self._file, 8192)
            except OSError as error:
                if error.errno == errno.ENODEV:
                    return
                raise
            number, count = _TRANSFER.unpack_from(request)
            messages: list[tuple[int, bytes | int]] = []
            data = _TRANSFER.size + count * _MESSAGE.size
            for at in range(count):
                address, flags, length, _ = _MESSAGE.unpack_from(request, _TRANSFER.size + at * _MESSAGE.size)
                if flags & I2C_M_RD:
                    messages.append((address, length))
                else:
                    messages.append((address, request[data : data + length]))
                    data += length
            try:
                answers = self._bus.transfer(messages)
            except OSError as error:
                answer = _ANSWER.pack(number, -(error.errno or errno.EIO))
            else:
                answer = _ANSWER.pack(number, count) + b"".join(answers)
            try:
                os.write(self._file, answer)
            except OSError as error:
                if error.errno not in (errno.ESTALE, errno.ENODEV):  # given up or unplugged meanwhile
                    raise
