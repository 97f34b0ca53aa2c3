"""The names and addresses by which this machine is called."""

import fcntl
import ipaddress
import os
import socket
import struct
from contextlib import suppress
from pathlib import Path
from typing import Final

SIOCGIFADDR: Final = 0x8915
"""Asks for the IPv4 address of an interface. Source: netdevice(7)."""

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def names() -> list[str]:
    """The names by which this machine is called, its own first."""
    host = socket.gethostname().lower()
    if not (host.isascii() and host.replace("-", "").replace(".", "").isalnum()):
        host = "localhost"  # no name that a certificate can hold
    return list(dict.fromkeys([host, *([] if "." in host else [f"{host}.local"]), "localhost"]))


def addresses() -> list[Address]:
    """The addresses of this machine, those that others can reach first; Linux tells them.

    `socket.if_nameindex` would ask by netlink, which the systemd unit does not let the daemon use.
    """
    found: list[Address] = []
    lines = Path("/proc/net/dev").read_text("utf-8", "surrogateescape").splitlines()[2:]
    interfaces = [line.rpartition(":")[0].strip() for line in lines]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        for interface in interfaces:
            with suppress(OSError):  # it has none
                asked = struct.pack("256s", os.fsencode(interface)[:15])
                answer = fcntl.ioctl(asking.fileno(), SIOCGIFADDR, asked)
                found.append(ipaddress.IPv4Address(answer[20:24]))
    with suppress(OSError):  # no IPv6
        lines = Path("/proc/net/if_inet6").read_text("ascii").splitlines()
        found += [ipaddress.IPv6Address(bytes.fromhex(line.split()[0])) for line in lines]
    return sorted(dict.fromkeys(found), key=lambda each: (each.is_loopback, each.is_link_local, each.version))


def shown_host(bound: str) -> str:
    """A bound address as it stands in a link: for all addresses the first that others can reach."""
    if bound in ("0.0.0.0", "::"):  # noqa: S104 - compared, not bound
        wanted = 4 if bound == "0.0.0.0" else 6  # noqa: S104
        own = [str(each) for each in addresses() if each.version == wanted and not each.is_link_local]
        bound = (own or ["127.0.0.1"])[0]
    return f"[{bound}]" if ":" in bound else bound
