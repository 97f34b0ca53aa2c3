"""Many readers of one event stream, as cheap as they can be: `python -m tests.load.readers PORT COUNT SLOW`.

Of COUNT readers each takes what comes at once; SLOW more read their first bytes and then no more. Prints
`ready` when everybody is served; an end of standard input ends it, with one JSON object: `arrivals`, for each
message id two instants (monotonic nanoseconds) for each reader: at which the kernel had all of it for him,
and at which he had read it, which also tells how busy the readers' machine is; `out_of_order`, how
often a reader missed a message or got one twice; `lost`, how many readers lost their connection;
`slow_dropped`, how many of the slow ones were given up by the server.
"""

import contextlib
import json
import re
import select
import socket
import struct
import sys
import time
from collections import defaultdict
from typing import Final

REQUEST: Final = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
ID: Final = re.compile(rb"^id: \S*?(\d+)$", re.MULTILINE)
HEAD: Final = 2000
"""A message's id is among its first bytes."""
SO_TIMESTAMPNS: Final = 35
"""The kernel says with what it gives when that came. Source: asm-generic/socket.h."""
END: Final = b"\n\n"
SMALL_BUFFER: Final = 4096
"""A slow reader's window: what it does not read is the server's to keep."""


class Reader:
    """One connection, and what it has of a message that is not complete yet."""

    def __init__(self, port: int, *, slow: bool = False) -> None:
        self.slow = slow
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
        if slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(REQUEST)
        self.socket.setblocking(False)
        self.rest: bytes | bytearray = b""
        self.last = 0

    def take(self, into: bytearray) -> tuple[list[int], int]:
        """Ids of the messages that are complete now, and when the kernel had the last byte, in wall time.

        Raises EOFError when the server has let go.
        """
        size, told, _, _ = self.socket.recvmsg_into([into], 64)
        if not size:
            raise EOFError
        seconds, ns = struct.unpack("qq", told[0][2]) if told else (0, 0)
        *whole, self.rest = (self.rest + into[:size]).split(END)
        if whole and not self.last and b" 200 " not in whole[0].partition(b"\r\n")[0]:
            raise EOFError(whole[0].decode("latin-1"))
        ids = [int(found[1]) for message in whole if (found := ID.search(message, 0, HEAD))]
        return ids, seconds * 1_000_000_000 + ns


class Crowd:
    """All readers of one process."""

    def __init__(self, port: int, count: int, slow: int) -> None:
        self.arrivals: dict[int, list[tuple[int, int]]] = defaultdict(list)
        self.buffer = bytearray(1 << 18)
        self.ahead_ns = time.time_ns() - time.monotonic_ns()
        self.out_of_order = self.lost = self.slow_dropped = 0
        self.poll = select.epoll()
        self.readers: dict[int, Reader] = {}
        for n in range(count + slow):
            reader = Reader(port, slow=n >= count)
            self.readers[reader.socket.fileno()] = reader
            self.poll.register(reader.socket, select.EPOLLIN | select.EPOLLRDHUP)
        self.waiting = count + slow

    def run(self) -> None:
        """Read until standard input ends."""
        self.poll.register(sys.stdin, select.EPOLLIN)
        ready = False
        while True:
            for number, events in self.poll.poll():
                if number == sys.stdin.fileno():
                    return
                self.hear(number, events)
            if not ready and not self.waiting:
                ready = True
                print("ready", flush=True)

    def hear(self, number: int, events: int) -> None:
        reader = self.readers[number]
        if reader.slow and reader.last:
            self.drop(number)
            return
        try:
            ids, kernel_ns = reader.take(self.buffer)
        except BlockingIOError:
            return
        except (OSError, EOFError):
            self.drop(number)
            return
        now_ns = time.monotonic_ns()
        for message in ids:
            if not reader.last:
                self.waiting -= 1
            else:
                self.out_of_order += message != reader.last + 1
                self.arrivals[message].append((kernel_ns - self.ahead_ns, now_ns))
            reader.last = message
        if reader.slow and reader.last:
            self.poll.modify(number, select.EPOLLRDHUP)

    def drop(self, number: int) -> None:
        reader = self.readers.pop(number)
        if reader.slow:
            self.slow_dropped += 1
        else:
            self.lost += 1
        if not reader.last:
            self.waiting -= 1
        self.poll.unregister(number)
        reader.socket.close()

    def told(self) -> str:
        """The object that is printed at the end."""
        return json.dumps(
            {
                "arrivals": self.arrivals,
                "out_of_order": self.out_of_order,
                "lost": self.lost,
                "slow_dropped": self.slow_dropped,
            }
        )


def main() -> None:
    port, count, slow = map(int, sys.argv[1:])
    crowd = Crowd(port, count, slow)
    crowd.run()
    print(crowd.told(), flush=True)
    for reader in crowd.readers.values():
        with contextlib.suppress(OSError):
            reader.socket.close()


if __name__ == "__main__":
    main()
