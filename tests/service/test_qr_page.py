"""The address of the live board as a picture."""

import re

import pytest
import segno

from tests.service.web_table import Table, ask


def title(svg: str) -> str:
    found = re.search("<title>(.*)</title>", svg)
    assert found
    return found[1]


@pytest.mark.parametrize(
    "base", ["http://board-3.local:8080", "https://192.168.1.5", "http://[fe80::1]:8080", "http://localhost"]
)
def test_it_is_the_address_under_which_the_board_was_asked(base: str) -> None:
    answer = ask(Table(), "GET", "/qr.svg", base=base, client="192.0.2.7")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert title(answer.text) == base + "/"


@pytest.mark.parametrize("base", ["http://127.0.0.1:8080", "http://[::1]:8080", "http://localhost:8080"])
def test_the_boards_own_screen_shows_what_others_can_reach(base: str) -> None:
    app = {"reached": lambda: "http://192.168.1.5:8080"}
    assert title(ask(Table(), "GET", "/qr.svg", base=base, app=app).text) == "http://192.168.1.5:8080/"
    answer = ask(Table(), "GET", "/qr.svg", base="http://board-3.local:8080", app=app)
    assert title(answer.text) == "http://board-3.local:8080/"


def test_the_configured_address_wins() -> None:
    answer = ask(Table(), "GET", "/qr.svg", app={"address": "https://go.example/board-3"})
    assert title(answer.text) == "https://go.example/board-3"


def test_the_dark_squares_are_those_of_the_code() -> None:
    svg = ask(Table(), "GET", "/qr.svg", base="http://board-3.local:8080").text
    path = re.search(r'stroke="#1c1d1f" d="([^"]+)"', svg)
    assert path
    dark = sum(int(run) for run in re.findall(r"h(\d+)", path[1]))
    code = segno.make("http://board-3.local:8080/", error="m", micro=False)
    assert dark == sum(map(sum, code.matrix))


@pytest.mark.parametrize(
    "host", ["evil.example/path", "a b", "<script>", "board@evil", "x" * 300, "board:port", "", "[::1"]
)
def test_a_host_that_is_none_becomes_no_picture(host: str) -> None:
    answer = ask(Table(), "GET", "/qr.svg", headers={"host": host})
    assert answer.status_code == 400
    assert host == "" or host not in answer.text
