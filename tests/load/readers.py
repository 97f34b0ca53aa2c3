"""Many readers of one event stream, as cheap as they can be: `python -m tests.load.readers PORT COUNT SLOW`.

Of COUNT readers each takes what comes at once; SLOW more read their first bytes and then no more. Prints
`ready` when everybody is served; an end of standard input ends it, with one JSON object: `arrivals`, for each
message id the instants (monotonic nanoseconds) at which it was complete at its readers; `out_of_order`, how
often a reader missed a message or got one twice; `lost`, how many readers lost their connection;
`slow_dropped`, how many of the slow ones were given up by the server.
"""

import contextlib
import json
import re
import select
import socket
import sys
import time
from collections import defaultdict
from typing import Final

REQUEST: Final = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
ID: Final = re.compile(rb"\nid: \S*?(\d+)\n")
END: Final = b"\n\n"
SMALL_BUFFER: Final = 4096
"""A slow reader's window: what it does not read is the server's to keep."""


class Reader:
    """One connection, and what it has of a message that is not complete yet."""

    def __init__(self, port: int, *, slow: bool = False) -> None:
        self.slow = slow
        self.socket = socket.socket()
        if slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(REQUEST)
        self.socket.setblocking(False)
        self.rest = b""
        self.last = 0

    def take(self) -> list[int]:
        """Ids of the messages that are complete now; raises EOFError when the server has let go."""
        got = self.socket.recv(1 << 18)
        if not got:
            raise EOFError
        *whole, self.rest = (self.rest + got).split(END)
        if whole and not self.last and b" 200 " not in whole[0].partition(b"\r\n")[0]:
            raise EOFError(whole[0].decode("latin-1"))
        return [int(found[1]) for message in whole if (found := ID.search(b"\n" + message + b"\n"))]


class Crowd:
    """All readers of one process."""

    def __init__(self, port: int, count: int, slow: int) -> None:
        self.arrivals: dict[int, list[int]] = defaultdict(list)
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
            ids = reader.take()
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
                self.arrivals[message].append(now_ns)
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
