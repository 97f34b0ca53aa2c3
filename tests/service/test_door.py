"""Who comes to the arbiter's side: this machine, or whoever has a PIN, in a role, from our own pages.

The table of routes is walked: one that is for everybody is named here, every other one names its roles.
"""

import asyncio
from collections.abc import Callable
from importlib import resources
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Route

from firmware_host.errors import BoardError
from firmware_host.service import pins
from firmware_host.service.door import ARBITER, STAFF, Guarded, Tls
from firmware_host.service.pins import Pins
from firmware_host.service.sign_in import FREE_TRIES, SECOND, SignIn
from firmware_host.service.web import create_app
from tests.service.web_table import SENSED, Simulator, Table, ask

PIN = "4711"
OPERATOR = "112233"
HALL = ("192.0.2.7", 50000)


@pytest.mark.parametrize(
    "path",
    ["/arbiter", "/arbiter.json", "/arbiter/events", "/check", "/check/events", "/table", "/sim/events"],
)
def test_the_arbiters_and_the_simulated_side_answer_only_this_machine(path: str) -> None:
    answer = ask(Table(Simulator()), "GET", path, client="192.0.2.7")
    assert answer.status_code == 403
    assert answer.json()["error"].startswith(f"{path} answers only to the machine of the board itself")
    rebound = ask(Table(Simulator()), "GET", path, base="http://board.example")
    through_a_proxy = ask(Table(Simulator()), "GET", path, headers={"X-Forwarded-For": "192.0.2.7"})
    assert (rebound.status_code, through_a_proxy.status_code) == (403, 403)


@pytest.mark.parametrize(
    ("client", "base"), [("::1", "http://[::1]:80"), ("::ffff:127.0.0.1", "http://localhost")]
)
def test_this_machine_has_more_than_one_name(client: str, base: str) -> None:
    assert ask(Table(), "GET", "/arbiter.json", client=client, base=base).status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://elsewhere.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_foreign_page_gives_no_orders(headers: dict[str, str]) -> None:
    table = Table()
    answer = ask(table, "POST", "/command", json={"do": "start"}, headers=headers)
    assert (answer.status_code, table.done) == (403, [])
    assert answer.json()["error"] == "/command takes orders only from the board's own pages"


def test_behind_a_proxy_that_ends_tls_the_boards_own_page_gives_orders() -> None:
    headers = {"Origin": "https://board.example", "Sec-Fetch-Site": "same-origin"}
    assert ask(Table(), "POST", "/command", json={"do": "start"}, headers=headers).status_code == 200


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hash costs is not what is tested here."""
    monkeypatch.setattr(pins, "COST", 16)


class Empty:
    """An empty board that can be measured, and is fit or not."""

    may = True
    refused = ""

    async def measure(self) -> None:
        if self.refused:
            raise BoardError(self.refused)


class Hall:
    """A table with PINs, and clocks that stand still; each browser is one session of httpx."""

    def __init__(self, pin: str = PIN, tls: Tls | None = None) -> None:
        self.table = Table(Simulator())
        self.now_ns = 0
        self.restarts = 0
        self.empty = Empty()
        self.tls = tls
        self.app = create_app(
            self.table,
            signing=SignIn(Pins({"arbiter": pin, "operator": pin and OPERATOR})),
            sensed=SENSED,
            monotonic_ns=lambda: self.now_ns,
            tls=lambda: self.tls,
            restart=self.restart,
            empty=self.empty,
        )

    def restart(self) -> None:
        self.restarts += 1

    def browser(
        self, client: tuple[str, int] = HALL, host: str = "board.local", scheme: str = "http"
    ) -> httpx.AsyncClient:
        transport = httpx.ASGITransport(self.app, client=client, raise_app_exceptions=False)
        port = {"http": 8080, "https": 8443}[scheme]
        return httpx.AsyncClient(transport=transport, base_url=f"{scheme}://{host}:{port}")

    async def enter(self, browser: httpx.AsyncClient, pin: str) -> dict[str, Any]:
        answer = await browser.post("/arbiter/sign-in", json={"pin": pin})
        assert answer.status_code == 200
        return dict(answer.json())


def run(test: Callable[[Hall], Any], pin: str = PIN, tls: Tls | None = None) -> None:
    asyncio.run(test(Hall(pin, tls)))


PUBLIC = {
    ("GET", "/"),
    ("GET", "/overlay"),
    ("GET", "/qr.svg"),
    ("GET", "/events"),
    ("GET", "/game.json"),
    ("GET", "/game.svg"),
    ("GET", "/game.pdf"),
    ("GET", "/health"),
    ("GET", "/health/ready"),
    ("GET", "/metrics"),
    ("GET", "/favicon.ico"),
    ("GET", "/arbiter/sign-in"),
    ("POST", "/arbiter/sign-in"),
}
"""What is for everybody, beside the files of `web/` and `locale/`; whatever else there is names its roles."""

OPERATORS = {
    ("GET", "/check"),
    ("GET", "/check/events"),
    ("GET", "/devices.json"),
    ("POST", "/devices/mask"),
    ("POST", "/devices/unmask"),
    ("POST", "/devices/restart"),
    ("POST", "/devices/measure"),
    ("POST", "/arbiter/sign-out"),
}
"""All that an operator may do: devices, and no decision of the game."""

Row = tuple[str, str, Route]


def walked(app: Starlette) -> list[Row]:
    """Every method and path that the application answers, with its route."""
    rows = []
    for route in app.routes:
        assert isinstance(route, Route), f"{route} is no plain route: say here who may use it"
        assert route.methods
        rows += [(method, route.path, route) for method in sorted(route.methods - {"HEAD"})]
    return rows


ROUTES = walked(Hall(pin="").app)
GUARDED = [(method, path) for method, path, route in ROUTES if isinstance(route, Guarded)]


def test_every_route_is_for_everybody_by_name_or_has_its_roles() -> None:
    files = {
        f"/{folder}/{entry.name}"
        for folder in ("web", "locale")
        for entry in resources.files("firmware_host").joinpath(folder).iterdir()
        if not entry.name.endswith(".html")
    }
    for method, path, route in ROUTES:
        if isinstance(route, Guarded):
            assert route.roles == (STAFF if (method, path) in OPERATORS else ARBITER), path
        else:
            assert (method, path) in PUBLIC or (method == "GET" and path in files), path
    assert {(method, path) for method, path, _ in ROUTES} >= OPERATORS
    assert {method for method, _, _ in ROUTES} == {"GET", "POST"}


async def answer_to(browser: httpx.AsyncClient, method: str, path: str, **options: Any) -> tuple[int, Any]:
    """Status and sentence; a stream that begins is as good as answered, and is not waited for."""
    if path.endswith("/events"):
        options["timeout"] = 0.5
    try:
        given = {"json": {}} if method == "POST" else {}
        answer = await asyncio.wait_for(browser.request(method, path, **given, **options), 0.5)
    except TimeoutError:
        return 200, None
    said = answer.json().get("error") if answer.headers["content-type"] == "application/json" else None
    return answer.status_code, said


def test_every_guarded_route_refuses_strangers_foreign_pages_and_operators_in_one_sentence() -> None:
    async def test(hall: Hall) -> None:
        foreign = {"Origin": "http://elsewhere.example"}
        async with hall.browser() as browser:
            browser.cookies.set("arbiter-8080", "guessed")
            for method, path in GUARDED:
                status, said = await answer_to(browser, method, path)
                assert (status, said.endswith(": sign in with the PIN")) == (401, True), path
        async with hall.browser() as browser:
            assert (await hall.enter(browser, OPERATOR))["role"] == "operator"
            for method, path in GUARDED:
                if (method, path) not in OPERATORS:
                    assert await answer_to(browser, method, path) == (
                        403,
                        f"{path} is for the arbiter; you are signed in as the operator",
                    )
                if method == "POST":
                    status, said = await answer_to(browser, method, path, headers=foreign)
                    assert (status, said) == (403, f"{path} takes orders only from the board's own pages")
        assert (hall.table.done, hall.restarts) == ([], 0)
        assert hall.table.sim is not None
        assert hall.table.sim.done == []

    run(test)


@pytest.mark.parametrize("pin", [PIN, OPERATOR])
def test_what_a_role_may_do_answers(pin: str) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await hall.enter(browser, pin)
            mine = [row for row in GUARDED if pin == PIN or row in OPERATORS]
            for method, path in mine:
                if path == "/arbiter/sign-out":
                    continue  # which ends it
                status, said = await answer_to(browser, method, path)
                assert status not in (401, 403), (path, said)

    run(test)


def test_an_operator_masks_a_sensor_and_begins_the_board_anew() -> None:
    async def test(hall: Hall) -> None:
        hall.table.rulings = [{"ruling": "irregular", "code": "slide"}, {"ruling": "refused", "why": "no"}]
        async with hall.browser() as browser:
            await hall.enter(browser, OPERATOR)
            seen = (await browser.get("/devices.json")).json()
            assert seen == {
                "health": hall.table.health(),
                "masked": ["C4"],
                "may": ["mask", "unmask", "restart", "measure"],
            }
            answer = await browser.post("/devices/mask", json={"point": "H8", "do": "resign", "by": "near"})
            assert answer.json() == {"rulings": [{"ruling": "refused", "why": "no"}]}
            await browser.post("/devices/unmask", json={"point": "C4"})
            assert hall.table.done == [
                {"do": "mask", "point": "H8", "by": "organiser"},
                {"do": "unmask", "point": "C4", "by": "organiser"},
            ]
            assert (await browser.post("/devices/restart", json={})).json() == {"done": True}
            assert hall.restarts == 1
            hall.empty.refused = "nothing was kept: H8 stone-left"
            answer = await browser.post("/devices/measure", json={})
            assert (answer.status_code, answer.json()) == (400, {"error": hall.empty.refused})
            assert hall.restarts == 1
            hall.empty.refused = ""
            assert (await browser.post("/devices/measure", json={})).json() == {"done": True}
            hall.empty.may = False
            assert "measure" not in (await browser.get("/devices.json")).json()["may"]
        assert hall.restarts == 2

    run(test)


def test_a_board_without_orders_masks_nothing_and_one_by_hand_does_not_restart() -> None:
    for path, status in (("/devices/mask", 403), ("/devices/restart", 404), ("/devices/measure", 404)):
        answer = ask(Table(), "POST", path, json={"point": "H8"}, app={"orders": False})
        assert answer.status_code == status
    assert ask(Table(), "GET", "/devices.json", app={"orders": False}).json()["may"] == []


def test_without_a_pin_this_machine_is_the_arbiter() -> None:
    state = ask(Table(), "GET", "/arbiter/sign-in").json()
    assert state == {"pin": False, "role": "arbiter", "clear": False, "fingerprint": None}
    afar = ask(Table(), "GET", "/arbiter/sign-in", client="192.0.2.7").json()
    assert afar == {"pin": False, "role": None, "clear": True, "fingerprint": None}


def test_a_page_of_another_role_says_who_is_signed_in() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await hall.enter(browser, OPERATOR)
            page = await browser.get("/arbiter", headers={"Accept": "text/html"})
            assert (page.status_code, 'id="pin"' in page.text) == (403, True)
            assert (await browser.get("/arbiter/sign-in")).json()["role"] == "operator"

    run(test)


# TLS

SECRET = Tls(8443, "AA:BB")


def test_a_board_with_tls_shows_the_arbiters_side_in_the_clear_to_its_own_machine_alone() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            page = await browser.get("/arbiter?lang=zh", headers={"Accept": "text/html"})
            assert page.status_code == 307
            assert page.headers["location"] == "https://board.local:8443/arbiter?lang=zh"
            assert page.headers["cache-control"] == "no-store"
            for method, path in GUARDED:
                status, said = await answer_to(browser, method, path)
                assert (status, said) == (
                    403,
                    f"{path} answers only over TLS: https://board.local:8443{path}",
                )
            refused = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            assert (refused.status_code, "only over TLS" in refused.json()["error"]) == (403, True)
            assert (await browser.get("/")).status_code == 200
            state = (await browser.get("/arbiter/sign-in")).json()
            assert state == {"pin": True, "role": None, "clear": True, "fingerprint": None}
        async with hall.browser(("127.0.0.1", 50000), "localhost") as browser:
            await hall.enter(browser, PIN)
            assert (await browser.get("/arbiter.json")).status_code == 200
        async with hall.browser(("::1", 50000), "[2001:db8::7]") as browser:
            moved = await browser.get("/check", headers={"Accept": "text/html"})
            assert moved.headers["location"] == "https://[2001:db8::7]:8443/check"
            nameless = await browser.get("/check", headers={"Accept": "text/html", "Host": ""})
            assert nameless.status_code == 400

    run(test, tls=SECRET)


def test_a_session_from_before_the_board_had_tls_is_none_in_the_clear() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await hall.enter(browser, PIN)
            hall.tls = SECRET
            assert (await browser.get("/arbiter/sign-in")).json()["role"] is None
            assert (await browser.get("/arbiter.json")).status_code == 403

    run(test)


def test_over_tls_the_cookie_is_secure_and_bound_to_the_host() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser(scheme="https") as browser:
            given = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            cookie = given.headers["set-cookie"]
            assert cookie.startswith("__Host-arbiter-8443=")
            assert {"HttpOnly", "Secure", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
            assert "domain" not in cookie.lower()
            assert (await browser.get("/arbiter.json")).status_code == 200
            assert (await browser.get("/arbiter/sign-in")).json() == {
                "pin": True, "role": "arbiter", "clear": False, "fingerprint": "AA:BB",
            }  # fmt: skip
            gone = await browser.post("/arbiter/sign-out", json={})
            assert "Secure" in gone.headers["set-cookie"]
            assert (await browser.get("/arbiter.json")).status_code == 401

    run(test, tls=SECRET)


# The PIN


def test_a_browser_is_asked_for_the_pin_once() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            asked = await browser.get("/arbiter", headers={"Accept": "text/html"})
            assert (asked.status_code, asked.headers["cache-control"]) == (401, "no-store")
            assert 'id="pin"' in asked.text
            wrong = await browser.post("/arbiter/sign-in", json={"pin": "4712"})
            assert (wrong.status_code, wrong.json()) == (
                401,
                {"error": "this is not the PIN", "wait_s": 0},
            )
            right = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            assert right.status_code == 200
            cookie = right.headers["set-cookie"]
            assert "HttpOnly" in cookie
            assert "SameSite=strict" in cookie
            assert "Secure" not in cookie
            assert PIN not in cookie
            assert (await browser.get("/arbiter.json")).json()["claimable"] == ["double-three"]
            assert (await browser.post("/command", json={"do": "start"})).status_code == 200
            assert hall.table.done == [{"do": "start"}]
            async with hall.browser() as another:
                assert (await another.get("/arbiter.json")).status_code == 401
            await browser.post("/arbiter/sign-out")
            assert (await browser.get("/arbiter.json")).status_code == 401

    run(test)


def test_wrong_pins_are_answered_with_how_long_to_wait() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            for _ in range(FREE_TRIES + 1):
                await browser.post("/arbiter/sign-in", json={"pin": "0000"})
            late = await browser.post("/arbiter/sign-in", json={"pin": PIN})
            assert (late.status_code, late.headers["retry-after"]) == (429, "2")
            hall.now_ns = 2 * SECOND
            assert (await browser.post("/arbiter/sign-in", json={"pin": PIN})).status_code == 200

    run(test)


def test_a_foreign_page_cannot_use_the_session_or_try_pins() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await browser.post("/arbiter/sign-in", json={"pin": PIN})
            foreign = {"Origin": "http://elsewhere.example"}
            for path, sent in (("/command", {"do": "start"}), ("/arbiter/sign-in", {"pin": PIN})):
                assert (await browser.post(path, json=sent, headers=foreign)).status_code == 403
            form = await browser.post("/command", data={"do": "start"})
            assert form.status_code == 415
        assert hall.table.done == []

    run(test)


@pytest.mark.parametrize("pin", [4711, None, ["4711"]])
def test_a_pin_is_a_text(pin: object) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            answer = await browser.post("/arbiter/sign-in", json={"pin": pin})
            assert (answer.status_code, answer.json()) == (
                400,
                {"error": 'the PIN is a text: {"pin": "48217735"}'},
            )

    run(test)


def test_without_a_pin_set_another_machine_is_told_how_to_set_one() -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            told = await browser.get("/arbiter", headers={"Accept": "text/html,*/*"})
            assert told.status_code == 403
            assert "renju-board pin" in told.text
            assert (await browser.post("/arbiter/sign-in", json={"pin": ""})).status_code == 404
            assert (await browser.get("/arbiter.json")).status_code == 403

    run(test, pin="")


@pytest.mark.parametrize("by", ["near", "far", "hub", 1, ["arbiter"]])
def test_nobody_speaks_for_a_seat_over_http(by: object) -> None:
    async def test(hall: Hall) -> None:
        async with hall.browser() as browser:
            await browser.post("/arbiter/sign-in", json={"pin": PIN})
            answer = await browser.post("/command", json={"do": "resign", "side": "black", "by": by})
            assert answer.status_code == 400
            assert "allowed: arbiter, chief, organiser" in answer.json()["error"]
            for official in ("arbiter", "chief", "organiser"):
                assert (
                    await browser.post("/command", json={"do": "note", "by": official})
                ).status_code == 200
        assert len(hall.table.done) == 3

    run(test)


@pytest.mark.parametrize(
    ("client", "shared"),
    [("192.0.2.8", False), ("::ffff:192.0.2.7", True), ("2001:db8::2", False), ("2001:db8:1::2", False)],
)
def test_an_address_waits_alone_and_a_network_of_ipv6_is_one(client: str, shared: bool) -> None:
    async def test(hall: Hall) -> None:
        first = "2001:db8::1" if client == "2001:db8::2" else HALL[0]
        async with hall.browser((first, 50000)) as browser:
            for _ in range(FREE_TRIES + 1):
                await browser.post("/arbiter/sign-in", json={"pin": "0000"})
        async with hall.browser((client, 50000)) as another:
            answer = await another.post("/arbiter/sign-in", json={"pin": PIN})
            assert answer.status_code == (429 if shared or client == "2001:db8::2" else 200)

    run(test)
