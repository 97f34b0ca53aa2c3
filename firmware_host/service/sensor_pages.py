"""The page of the sensors' readings, at a table that plays and while a board is checked."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.service.door import STAFF, Door
from firmware_host.service.sse import Channel, stream
from firmware_host.service.web_app import assemble
from firmware_host.service.web_files import file_routes, read_files


def sensor_routes(door: Door, sensors: Channel) -> list[Route]:
    """The page and its stream, for who may enter."""

    async def events(request: Request) -> Response:
        return stream(sensors, request, lambda: door.may_enter(request))

    return [
        door.page("/check", "check.html", STAFF),
        door.get("/check/events", events, STAFF),
    ]


def create_check_app(sensors: Channel, *, pin: str = "") -> Starlette:
    """The application of a check: the sensors' page alone, for the same people as the arbiter's page."""
    files = read_files()
    door = Door(pin, files)
    home = door.page("/", "check.html", STAFF)
    return assemble([home, *file_routes(files), *door.routes(), *sensor_routes(door, sensors)])
