"""A virtual bus behind a Unix socket: what another process takes for `/dev/i2c-N`.

One packet is one transfer (SOCK_SEQPACKET): a count, for each message its address, flags and length, then
what is written; back come the count or -errno, then what was read. A new connection is greeted with 0, or
with the -errno that opening the bus gives. All numbers are of the machine's own byte order.
"""

import contextlib
import errno
import socket
import struct
import threading
from pathlib import Path
from typing import Final

from hw.simulator.i2c_bus import I2C_M_RD, VirtualBus, VirtualSMBus

PACKET: Final = 65536
COUNT: Final = struct.Struct("=I")
MESSAGE: Final = struct.Struct("=HHHH")
RESULT: Final = struct.Struct("=i")


class BusServer:
    """Serves a virtual bus at `path` until it is closed."""

    def __init__(self, bus: VirtualBus, path: Path) -> None:
        self.bus = bus
        self.path = path
        self._links: list[socket.socket] = []
        self._listening = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._listening.bind(str(path))
        self._listening.listen()
        self._threads = [threading.Thread(target=self._accept, name=f"bus {path.name}", daemon=True)]
        self._threads[0].start()

    def close(self) -> None:
        """End all connections: for those at the other end the adapter has gone."""
        for link in (self._listening, *self._links):
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(5)
        self._listening.close()
        self.path.unlink(missing_ok=True)

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self._listening.accept()
            except OSError:
                return
            try:
                handle = self.bus.open()
            except OSError as error:
                with contextlib.suppress(OSError), link:
                    link.send(RESULT.pack(-(error.errno or errno.EIO)))
                continue
            self._links.append(link)
            thread = threading.Thread(target=self._serve, args=(link, handle), daemon=True)
            self._threads.append(thread)
            thread.start()

    def _serve(self, link: socket.socket, handle: VirtualSMBus) -> None:
        with link, contextlib.suppress(OSError), handle:
            link.send(RESULT.pack(0))
            while packet := link.recv(PACKET):
                link.send(self._answer(packet))

    def _answer(self, packet: bytes) -> bytes:
        (count,) = COUNT.unpack_from(packet)
        messages: list[tuple[int, bytes | int]] = []
        at = COUNT.size + count * MESSAGE.size
        for n in range(count):
            address, flags, length, _ = MESSAGE.unpack_from(packet, COUNT.size + n * MESSAGE.size)
            if flags & I2C_M_RD:
                messages.append((address, length))
            else:
                messages.append((address, packet[at : at + length]))
                at += length
        try:
            return RESULT.pack(count) + b"".join(self.bus.transfer(messages))
        except OSError as error:
            return RESULT.pack(-(error.errno or errno.EIO))
