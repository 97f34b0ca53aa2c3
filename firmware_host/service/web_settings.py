"""The configuration of the web pages: where they are served, to whom, and how."""

from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

HostName = Annotated[
    str,
    Meta(
        pattern=r"^[0-9A-Za-z:.%_-]+$",
        extra={"allowed": "an address or a host name, such as 127.0.0.1, ::, 0.0.0.0 or board-3.local"},
    ),
]
PinCode = Annotated[
    str,
    Meta(
        pattern=r"^([0-9]{4,12})?\Z",
        extra={"allowed": "a text of 4 to 12 digits, or an empty text"},
    ),
]
PathText = Annotated[
    str,
    Meta(pattern=r"^[^\x00]*$", extra={"allowed": "the path of a file, or an empty text for none"}),
]

SECRETS: Final = frozenset({"web.arbiter_pin", "web.operator_pin"})
"""Settings whose value is never shown."""


class Web(msgspec.Struct, frozen=True, kw_only=True):
    """The web pages."""

    host: Annotated[
        HostName, Meta(description="the address to listen on; `0.0.0.0` or `::` for the whole network")
    ] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535, description="the TCP port; 0 takes any free one")] = 8080
    console: Annotated[
        Literal["loopback", "off"],
        Meta(
            description="who may give commands over HTTP: this machine (with a PIN: who is signed in),"
            " or nobody"
        ),
    ] = "loopback"
    arbiter_pin: Annotated[
        PinCode,
        Meta(
            description="the PIN of the arbiter; empty: the one that `renju-board pin` has set, or that was"
            " made when the board first listened beyond this machine ([security](security.md))"
        ),
    ] = ""
    operator_pin: Annotated[
        PinCode,
        Meta(
            description="the PIN of an operator, who looks after the devices and decides nothing; empty: the"
            " one that `renju-board pin --operator` has set, else there is no operator"
        ),
    ] = ""
    tls: Annotated[
        Literal["off", "self-signed", "files"],
        Meta(
            description="whether the board speaks TLS too, at `tls_port`: with a certificate of its own"
            " making, or with that of `certificate` and `key`. The arbiter's side is then closed in the clear"
        ),
    ] = "off"
    tls_port: Annotated[
        int, Meta(ge=0, le=65535, description="the TCP port of TLS; 0 takes any free one")
    ] = 8443
    certificate: Annotated[
        PathText, Meta(description='with `tls = "files"`: the certificate and those that it rests on, PEM')
    ] = ""
    key: Annotated[PathText, Meta(description='with `tls = "files"`: its private key, PEM')] = ""
    followers: Annotated[
        int,
        Meta(ge=1, le=5000, description="event streams of the public that are open at once"),
    ] = 1200
    connections_of_one: Annotated[
        int,
        Meta(
            ge=8,
            le=6000,
            description="connections that one other address may have; a proxy or a hall behind one address"
            " needs as many as it has viewers",
        ),
    ] = 300
    requests_per_s: Annotated[
        int,
        Meta(
            ge=1,
            le=10000,
            description="requests a second that one other address may make in the long run; ten seconds'"
            " worth may come at once",
        ),
    ] = 30
