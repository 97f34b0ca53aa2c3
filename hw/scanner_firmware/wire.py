"""Bytes as they travel: CRC-16, COBS, and what has changed. For MicroPython (as viper code) and Python.

The protocol is described in `hw/docs/serial-protocol.md`; `hw/serial_protocol.py` is the host's side of it,
and a test holds the two together byte by byte.
"""

try:
    import micropython
except ImportError:
    ptr8 = bytearray

    class micropython:  # noqa: N801 - the name under which the compiler of MicroPython knows it
        """What the decorators mean elsewhere: nothing."""

        @staticmethod
        def viper(function: object) -> object:
            """The function itself."""
            return function


@micropython.viper
def crc16(data: ptr8, size: int) -> int:
    """CRC-16/CCITT-FALSE of the first `size` bytes."""
    crc = 0xFFFF
    for at in range(size):
        x = (crc >> 8) ^ int(data[at])
        x ^= x >> 4
        crc = ((crc << 8) ^ (x << 12) ^ (x << 5) ^ x) & 0xFFFF
    return crc


@micropython.viper
def stuff(data: ptr8, size: int, out: ptr8) -> int:
    """COBS of `size` bytes (at most 253) and a zero at the end; gives the length of both in `out`."""
    code_at = 0
    at = 1
    for n in range(size):
        byte = int(data[n])
        if byte == 0:
            out[code_at] = at - code_at
            code_at = at
        else:
            out[at] = byte
        at += 1
    out[code_at] = at - code_at
    out[at] = 0
    return at + 1


@micropython.viper
def unstuff(data: ptr8, size: int, out: ptr8) -> int:
    """The reverse of `stuff` for what stands before the zero; 0 where it is no COBS."""
    at = 0
    length = 0
    while at < size:
        end = at + int(data[at])
        if end > size:
            return 0
        if at > 0:
            out[length] = 0
            length += 1
        at += 1
        while at < end:
            out[length] = int(data[at])
            length += 1
            at += 1
    return length


@micropython.viper
def changes(values: ptr8, base: ptr8, size: int, out: ptr8, at: int, most: int) -> int:
    """Pairs of index and value where passes differ, from `out[at]`; their number, or -1 if over `most`."""
    count = 0
    for index in range(size):
        value = int(values[index])
        if value != int(base[index]):
            if count == most:
                return -1
            out[at] = index
            out[at + 1] = value
            at += 2
            count += 1
    return count
