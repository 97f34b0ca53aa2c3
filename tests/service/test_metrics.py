"""Figures for Prometheus: the numbers of the health page for everybody, the rest for the arbiter's side."""

import re
from pathlib import Path
from typing import Any

import pytest
from prometheus_client.parser import text_string_to_metric_families

from firmware_host.service.http_protocol import Connections
from firmware_host.service.metrics import Delays, Measures, private_numbers, public_numbers
from firmware_host.service.pins import Pins
from firmware_host.service.sign_in import SignIn
from tests.service.web_table import Table, ask

PAGE = Path(__file__).parents[2] / "docs" / "operations.md"
LOCKED: dict[str, Any] = {"signing": SignIn(Pins({"arbiter": "4711"}))}
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


class Board(Table):
    """A table with devices."""

    def health(self) -> dict[str, Any]:
        board = {"state": "degraded", "lost": 7, "port": "/dev/serial-of-the-board", "uid": "e66"}
        return super().health() | {
            "status": "degraded",
            "faults": ["weak H8"],
            "journal": "waiting",
            "scanner": "ok",
            "uptime_s": 3.5,
            "frames": 700,
            "frames_per_s": 199.5,
            "devices": {"board": board, 'bus "a\nb"': {"state": "ok", "failures": 2}},
        }


def figures(client: str, app: dict[str, Any] | None = None, **options: Any) -> Figures:
    answer = ask(Board(), "GET", "/metrics", client=client, app=app, **options)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_everybody_reads_what_the_health_page_says() -> None:
    read = figures("192.0.2.7")
    assert read[("renju_board_ok", ())] == 0
    assert read[("renju_board_faults", ())] == 1
    assert read[("renju_board_frames_total", ())] == 700
    assert read[("renju_board_journal_state", (("state", "waiting"),))] == 1
    assert read[("renju_board_journal_state", (("state", "ok"),))] == 0
    assert read[("renju_board_device_state", (("device", "board"), ("state", "degraded")))] == 1
    assert read[("renju_board_device_events_total", (("device", 'bus "a\nb"'), ("event", "failures")))] == 2


@pytest.mark.parametrize(("client", "app"), [("192.0.2.7", {}), ("127.0.0.1", LOCKED), ("192.0.2.7", LOCKED)])
def test_nobody_else_reads_how_the_machine_bears_it(client: str, app: dict[str, Any]) -> None:
    told = {
        name for _, name, *_ in public_numbers(Board().health() | {"followers": 0, "feed": {"messages": 0}})
    }
    read = {name.removeprefix("renju_board_").removesuffix("_total") for name, _ in figures(client, app)}
    assert read == told
    assert not {name for name in read if re.search("arbiter|order|process|delay|trace|answer", name)}


def test_a_port_or_a_number_of_a_device_is_nobodys_business() -> None:
    assert "serial-of-the-board" not in ask(Board(), "GET", "/metrics").text


def test_the_arbiters_side_reads_load_and_delays_too() -> None:
    measures = Measures(Connections(10, 10))
    measures.frame_delay.note(0.015)
    measures.frame_delay.note(0.5)
    read = figures("127.0.0.1", {"measures": measures})
    assert read[("renju_board_frame_delay_seconds_count", ())] == 2
    assert read[("renju_board_frame_delay_seconds_bucket", (("le", "0.02"),))] == 1
    assert read[("renju_board_connections", ())] == 0
    assert ("process_open_fds", ()) in read
    read = figures("127.0.0.1", {"measures": measures})
    assert read[("renju_board_answers_total", (("status", "200"),))] == 1


def test_delays_at_a_bound_belong_below_it() -> None:
    delays = Delays()
    for delay_s in (0.0, 0.005, 0.0051, 1.28, 99.0):
        delays.note(delay_s)
    counted = dict(delays.buckets())
    assert (counted["0.005"], counted["0.01"], counted["1.28"], counted["+Inf"]) == (2, 3, 4, 5)


def test_the_page_for_operators_names_every_figure() -> None:
    page = PAGE.read_text(encoding="utf-8")
    told = Board().health() | {"followers": 0, "feed": {"messages": 0}}
    measures = Measures(Connections(1, 1))
    measures.answered[200] += 1
    numbers = [*public_numbers(told), *private_numbers(Board(), measures)]
    wanted = {f"`renju_board_{name}{'_total' if kind == 'counter' else ''}`" for kind, name, *_ in numbers}
    named = set(re.findall(r"`renju_board_\w+`", page))
    assert wanted == named
