"""A real browser before the real pages, and a stage that shows them any state of a game."""

import copy
import functools
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

from firmware_host.board import NAMES, parse_moves, parse_point
from firmware_host.errors import BoardError
from firmware_host.referee.phases import ORDERS
from firmware_host.service.pins import Pins
from firmware_host.service.sign_in import SignIn
from firmware_host.service.sse import Channel
from firmware_host.service.web import create_app
from hw.simulator.faults import KINDS

FIND_CHROMIUM = Path(__file__).parents[2] / "scripts" / "chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def game(moves: str = "", **changed: Any) -> dict[str, Any]:
    """A public snapshot after a move list, with some of its keys changed."""
    played = [
        {"n": n + 1, "point": NAMES[p], "colour": ("black", "white")[n % 2], "used_ms": 4000}
        for n, p in enumerate(parse_moves(moves))
    ]
    side = {
        "remaining_ms": 900_000, "used_ms": 0, "periods_left": None, "byo_yomi": False, "to_make": None,
        "text": "15:00",
    }  # fmt: skip
    return {
        "format": "renju-board-game",
        "version": 1,
        "id": "1",
        "table": "1",
        "event": "",
        "round": None,
        "players": {"black": {"name": "", "seat": "near"}, "white": {"name": "", "seat": "far"}},
        "settings": {
            "opening": "designated",
            "time": "15m",
            "forbidden": "claim",
            "time_words": {"en": "15 minutes each", "zh": "每方15分钟", "ja": "持ち時間15分"},
        },
        "phase": "playing" if played else "waiting",
        "to_move": ("black", "white")[len(played) % 2],
        "moves": played,
        "offers": [],
        "offered": None,
        "opening": None,
        "clock": {"running": None, "shared": False, "tenths": True, "black": side, "white": dict(side)},
        "irregular": [],
        "forbidden": [],
        "result": None,
        **changed,
    }


REFEREE_PHASE = {"opening": "playing", "paused": "stopped", "restoring": "stopped"}


def desk(phase: str) -> dict[str, Any]:
    """What the arbiter's snapshot adds: what may be ordered in a phase, and that nothing waits."""
    inside = REFEREE_PHASE.get(phase, phase)
    may = [do for do, order in ORDERS.items() if inside in order.phases]
    return {
        "may": [*may, "start"] if phase == "over" else may,
        "decisions": [],
        "claim": None,
        "absent": [],
        "draw_offer": None,
        "violations": {"black": 0, "white": 0},
        "wrong_claim": "none",
        "away_ms": 0,
        "may_resume": False,
        "may_place": ["black", "white"],
        "undoable": [],
        "happened": [],
        "times": {"now_ns": 0, "wall_ms": 0, "since_ns": 0, "started_ns": 0},
        "sensed": "",
    }


class Stage:
    """A table that shows what a test wants and remembers what it was told. Calls may come from any thread."""

    def __init__(self, pin: str = "", operator_pin: str = "") -> None:
        self.pin = pin
        self.operator_pin = operator_pin
        self.public = Channel("game", lambda: self.game)
        self.arbiter = Channel("arbiter", lambda: {**self.game, **desk(self.game["phase"]), **self.secret})
        self.channel = Channel("sim", self.state, keep=1)
        self.view: dict[str, Any] = {}
        self.sensed = Channel("check", lambda: self.view, keep=1)
        self.robot = None
        self.port = 0
        self._server: uvicorn.Server | None = None
        self.clear()

    def clear(self) -> None:
        """An empty board before a game, and nothing told."""
        self.game = game()
        self.secret: dict[str, Any] = dict.fromkeys(
            ("claimable", "differences", "faults", "masked", "told"), ()
        )
        self.stones: dict[int, dict[str, Any]] = {}
        dark = {"on": True, "blink": None, "brightness": 15, "digits": [0, 0, 0, 0], "colon": False}
        self.faces = {"near": dark, "far": dark}
        self.tones: list[dict[str, int]] = []
        self.broken: list[dict[str, str]] = []
        self.done: list[dict[str, Any]] = []
        self.answer = "the game is over"

    @property
    def sim(self) -> "Stage":
        return self

    def health(self) -> dict[str, Any]:
        return {"status": "ok", "faults": []}

    may = True

    async def measure(self) -> None:
        """Of the empty board; it is begun anew afterwards."""

    def masked(self) -> list[str]:
        return list(self.secret["masked"])

    def state(self) -> dict[str, Any]:
        return {
            "turned": False,
            "stones": list(self.stones.values()),
            "faces": self.faces,
            "buzzer": {"sounding": False, "frequency_hz": 2730, "volume": 3, "tones": self.tones},
            "faults": self.broken,
            "breakable": dict(KINDS),
            "robot": None,
        }

    async def command(self, given: dict[str, Any]) -> list[dict[str, Any]]:
        self.done.append(given)
        return [{"ruling": "refused", "do": given["do"], "why": self.answer}]

    async def hand(self, given: dict[str, Any]) -> None:
        self.done.append(given)
        if given["do"] == "lift" and not self.stones.pop(parse_point(given["point"]), None):
            raise BoardError(f"there is no stone on {given['point']}")
        if given["do"] == "place":
            self.lay(given["point"], given["colour"])
        if given["do"] == "clear":
            self.stones.clear()
        if given["do"] == "slide":
            self.lay(given["to"], self.stones.pop(parse_point(given["from"]))["colour"])
        self.channel.publish()

    def fault(self, given: dict[str, Any]) -> None:
        self.done.append(given)
        named = {"kind": given.get("kind", ""), "at": given.get("at", "")}
        if given["do"] == "break":
            self.broken.append(named)
        elif given["do"] == "mend":
            self.broken.remove(named)
        else:
            self.broken.clear()
        self.channel.publish()

    def lay(self, point: str, colour: str) -> None:
        """A stone that lies a little beside its point, as stones do."""
        p = parse_point(point)
        self.stones[p] = {
            "colour": colour,
            "x_mm": p % 15 * 24 + 1.5,
            "y_mm": p // 15 * 25 - 2,
            "height_mm": 0,
        }

    def show(self, shown: dict[str, Any]) -> None:
        """Publish a snapshot to both sides."""
        self.game = copy.deepcopy(shown)
        self.call(self.public.publish)
        self.call(self.arbiter.publish)

    def call(self, what: Callable[[], object]) -> None:
        """Run something on the server's loop and wait for it."""
        assert self._server is not None
        done = threading.Event()
        self._server.servers[0].get_loop().call_soon_threadsafe(lambda: (what(), done.set()))
        assert done.wait(60)

    def drop_followers(self) -> None:
        """End every public connection, as a network does; the feed goes on."""
        dropped = self.public
        self.public = Channel("game", lambda: self.game, last_id=dropped.last_id)
        dropped.close()

    def serve(self, listening: socket.socket) -> threading.Thread:
        """Serve the pages from a thread of its own."""
        self.port = listening.getsockname()[1]
        config = uvicorn.Config(
            create_app(
                self,
                signing=SignIn(Pins({"arbiter": self.pin, "operator": self.operator_pin})),
                sensed=self.sensed,
                restart=lambda: self.done.append({"do": "restart"}),
                empty=self,
            ),
            log_level="warning",
            lifespan="off",
        )
        self._server = uvicorn.Server(config)
        thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]})
        thread.start()
        while not self._server.started:
            thread.join(0.01)
        return thread

    def stop(self) -> None:
        """End the server and every follower."""
        assert self._server is not None
        self._server.should_exit = True
        for channel in (self.public, self.arbiter, self.channel, self.sensed):
            self.call(channel.close)


@pytest.fixture
def new_game() -> Callable[..., dict[str, Any]]:
    """`game`, for the tests."""
    return game


@pytest.fixture
def new_stage() -> Callable[..., Stage]:
    """`Stage`, for tests that need one of their own: behind a PIN."""
    return Stage


@pytest.fixture(scope="session")
def served_stage() -> Iterator[Stage]:
    """One server for all tests."""
    shown = Stage()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = shown.serve(listening)
        yield shown
        shown.stop()
        thread.join(60)
        assert not thread.is_alive()


@pytest.fixture
def stage(served_stage: Stage) -> Stage:
    """The stage, cleared."""
    served_stage.clear()
    return served_stage


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One headless Chromium for a module; while it is there, this thread's event loop is Playwright's."""
    path = subprocess.run([FIND_CHROMIUM], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


@pytest.fixture
def complaints() -> list[str]:
    """What pages wrote to the console, and requests to anywhere else; empty at the end of a test."""
    return []


@pytest.fixture(scope="module")
def page_for(browser: Browser) -> Callable[[str], Page]:
    """A page of a reader of a language, the same for a module: a new one costs more than all a test does."""
    return functools.cache(lambda locale: browser.new_page(locale=locale))


@pytest.fixture
def visit(
    page_for: Callable[[str], Page], stage: Stage, complaints: list[str]
) -> Iterator[Callable[..., Page]]:
    """Show a page of the stage."""
    home = f"http://127.0.0.1:{stage.port}"
    watches: dict[str, Callable[[Any], Any]] = {
        "console": lambda message: complaints.append(message.text),
        "pageerror": lambda error: complaints.append(str(error)),
        "request": lambda asked: asked.url.startswith(home) or complaints.append(asked.url),
    }
    shown: list[Page] = []

    def go(path: str = "/", width: int = 1280, height: int = 800, locale: str = "en-GB") -> Page:
        page = page_for(locale)
        if page not in shown:
            shown.append(page)
            for event, watch in watches.items():
                page.on(event, watch)  # type: ignore[call-overload]
        page.set_viewport_size({"width": width, "height": height})
        page.goto(home + path)
        page.wait_for_selector(".board", state="attached")
        return page

    yield go
    for page in shown:
        page.goto(home + "/web/icon.svg")
        page.evaluate("localStorage.clear()")
        for event, watch in watches.items():
            page.remove_listener(event, watch)
    assert complaints == []


@pytest.fixture
def place_of() -> Callable[[Page, str], tuple[float, float]]:
    """Where a point of the board is on the screen."""

    def on_screen(page: Page, point: str) -> tuple[float, float]:
        at = parse_point(point)
        x, y = page.locator(".board").evaluate(
            """(board, [x, y]) => {
                const at = new DOMPoint(x, y).matrixTransform(board.getScreenCTM());
                return [at.x, at.y];
            }""",
            [at % 15 * 24, (14 - at // 15) * 25],
        )
        return x, y

    return on_screen
