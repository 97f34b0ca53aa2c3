"""The page of the sensors' readings, at a table that plays and while a board is checked."""

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from firmware_host.service.door import STAFF, Door
from firmware_host.service.http_body import json_answer
from firmware_host.service.sign_in import SignIn
from firmware_host.service.sse import Channel
from firmware_host.service.web_app import assemble
from firmware_host.service.web_files import file_routes, read_files


def sensor_routes(door: Door, sensors: Channel) -> list[Route]:
    """The page and its stream, for who may enter."""
    return [
        door.page("/check", "check.html", STAFF),
        door.stream("/check/events", sensors, STAFF),
    ]


def create_check_app(sensors: Channel, signing: SignIn) -> Starlette:
    """The application of a check: the sensors' page alone, for the same people as at a table that plays."""
    files = read_files()
    door = Door(signing, files)

    async def no_table(_: Request) -> Response:
        return json_answer(None)

    alone = [door.page("/", "check.html", STAFF), door.get("/devices.json", no_table, STAFF)]
    return assemble([*alone, *file_routes(files), *door.routes(), *sensor_routes(door, sensors)])
