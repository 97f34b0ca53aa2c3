"""The names and addresses of this machine, also for a service that may do no more than its unit says."""

import subprocess
import sys
from pathlib import Path

from firmware_host.service.machine import addresses

ROOT = Path(__file__).parents[2]

WITHOUT_NETLINK = """
import ctypes, platform, socket, struct
SOCKET = {"x86_64": 41, "aarch64": 198, "armv7l": 281}[platform.machine()]
LOAD, IS, GIVE = 0x20, 0x15, 0x06
rules = [
    (LOAD, 0, 0, 0), (IS, 0, 3, SOCKET), (LOAD, 0, 0, 16), (IS, 0, 1, socket.AF_NETLINK),
    (GIVE, 0, 0, 0x00050000 | 97), (GIVE, 0, 0, 0x7FFF0000),
]
program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *rule) for rule in rules))
class Filter(ctypes.Structure):
    _fields_ = [("count", ctypes.c_ushort), ("rules", ctypes.c_void_p)]
given = Filter(len(rules), ctypes.addressof(program))
system = ctypes.CDLL(None)
assert system.prctl(38, 1, 0, 0, 0) == 0
assert system.prctl(22, 2, ctypes.byref(given), 0, 0) == 0
try:
    socket.socket(socket.AF_NETLINK, socket.SOCK_RAW)
except OSError as error:
    assert error.errno == 97
else:
    raise AssertionError("netlink is open")
from firmware_host.service.machine import addresses
print(*addresses())
"""
"""What `RestrictAddressFamilies=` of the systemd unit does. Source: prctl(2), seccomp(2)."""


def test_a_service_without_netlink_knows_its_addresses() -> None:
    program = [sys.executable, "-c", WITHOUT_NETLINK]
    done = subprocess.run(program, capture_output=True, text=True, cwd=ROOT)
    assert (done.stderr, done.stdout.split()) == ("", [str(each) for each in addresses()])
    assert "127.0.0.1" in done.stdout.split()
