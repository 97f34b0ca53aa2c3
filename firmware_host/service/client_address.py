"""Who a client is by its address: this machine itself, or the network that counts as one asker."""

import ipaddress
from typing import Final

IPV6_PREFIX: Final = 64
"""One household or phone has a whole network of IPv6 addresses, and counts as one [RFC 6177]."""


def is_loopback(host: str) -> bool:
    """Whether an address, or the name `localhost`, is this machine's own."""
    if host == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return address.is_loopback or (mapped is not None and mapped.is_loopback)


def network_of(host: str) -> str:
    """What counts as one asker: an IPv4 address, or the network of an IPv6 address."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv4Address):
        return host
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ipaddress.ip_network((int(address), IPV6_PREFIX), strict=False))
