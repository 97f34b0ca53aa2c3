"""`renju-board check` and `calibrate` as they are called: output, exit code, the files that they leave."""

import json
import os
import pty
import select
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from firmware_host.cli import main
from firmware_host.sensing.sensor_report import Finding
from firmware_host.service.check_page import CheckPage
from firmware_host.service.check_screen import Screen, picture
from firmware_host.service.maker import Person
from firmware_host.service.pins import Pins
from firmware_host.service.sensor_bench import BoardView, SensorBench, Time, VirtualTime, in_words
from firmware_host.service.sign_in import SignIn
from hw import Frame, LinkError


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of its own."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    return tmp_path / "state"


def call(*arguments: str, **given: Any) -> Result:
    return CliRunner().invoke(main, arguments, **given)


def test_without_devices_it_tells_the_configuration_and_touches_nothing(state: Path) -> None:
    done = call("check")
    assert done.exit_code == 0
    assert 'kind = "simulator"' in done.output
    assert "Devices" not in done.output
    assert call("check", "--no-devices", "--set", "clock.faces=ht16k33").output.startswith("[table]")
    assert not state.exists()


def test_a_sound_table_passes(state: Path) -> None:
    done = call("check", "--devices")
    assert done.exit_code == 0, done.output
    assert "configuration: ok" in done.output
    assert "\nPASS\n" in done.output
    report = json.loads((state / "check.json").read_text())
    assert report["passed"] is True
    assert report["when"].endswith("UTC")
    assert set(report["sensors"]["H8"]) == {"zero", "noise", "stone"}
    assert (state / "check.txt").read_text().startswith("PASS\n")


def test_a_table_with_mistakes_fails_and_the_report_names_them(tmp_path: Path, state: Path) -> None:
    stem = tmp_path / "reports" / "table-3"
    done = call(
        "check",
        "--devices",
        "--report",
        str(stem),
        "--set",
        "simulator.mistakes=dead C4, sense E F, weak M13",
    )
    assert done.exit_code == 1
    report = json.loads(stem.with_name("table-3.json").read_text())
    assert report["passed"] is False
    assert [(f["kind"], f["where"], f["fails"]) for f in report["findings"]] == [
        ("dead", "C4", True),
        ("sense-swapped", "files E and F", True),
        ("weak-sensor", "M13", False),
    ]
    text = stem.with_name("table-3.txt").read_text()
    assert all(finding["words"] in text for finding in report["findings"])
    assert "look at its three solder joints" in text
    assert not state.exists()


def test_a_switch_matrix_without_a_diode(state: Path) -> None:
    done = call(
        "check", "--devices", "--set", "scanner.sensors=switch", "--set", "simulator.mistakes=diode A1"
    )
    assert done.exit_code == 1
    assert "A1: with stones on three corners of a rectangle" in done.output


def test_without_questions_what_needs_hands_is_left_out(state: Path) -> None:
    done = call("check", "--devices", "--no-questions")
    assert done.exit_code == 0
    assert done.output.count("not judged") >= 4


def test_a_real_device_is_tested_without_being_asked_for(state: Path) -> None:
    done = call("check", "--set", "clock.faces=ht16k33", "--set", "clock.i2c_bus=30")
    assert done.exit_code == 1
    assert "likely: there is no /dev/i2c-30" in done.output or "likely: bus 30" in done.output


def test_a_report_that_cannot_be_written(tmp_path: Path, state: Path) -> None:
    (tmp_path / "file").touch()
    done = call("check", "--devices", "--no-questions", "--report", str(tmp_path / "file" / "x"))
    assert done.exit_code == 2
    assert "cannot be written" in done.output


def test_a_calibration_is_kept_and_a_check_of_it_says_so(state: Path) -> None:
    done = call("calibrate", "--set", "scanner.rate_hz=50")
    assert done.exit_code == 0, done.output
    assert "225 of 225 sensors are calibrated" in done.output
    assert json.loads((state / "calibration.json").read_text())["board"] == "simulator, seed 1"


def test_white_stones_too(state: Path) -> None:
    done = call("calibrate", "--white", "--set", "scanner.rate_hz=50")
    assert done.exit_code == 0, done.output


def test_switches_and_nobody_are_refused_in_one_sentence(state: Path) -> None:
    done = call("calibrate", "--set", "scanner.sensors=switch")
    assert done.exit_code == 2
    assert "nothing to calibrate" in done.output
    done = call("calibrate", "--set", "clock.faces=ht16k33")
    assert done.exit_code == 2
    assert "needs somebody at a terminal" in done.output
    assert not state.exists()


# The person


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """The other end of the terminal at which a person sits."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs) as stdin:
        monkeypatch.setattr("sys.stdin", stdin)
        yield ours
    os.close(ours)


def test_enter_goes_on_without(terminal: int) -> None:
    person = Person(lambda _: None, lambda: None)
    assert not person.gives_up()
    os.write(terminal, b"\n")
    select.select([], [], [], 0.05)
    assert person.gives_up()
    assert not person.gives_up()


def test_questions_let_go_of_the_picture_first(terminal: int) -> None:
    done: list[str] = []
    person = Person(done.append, lambda: done.append("paused"))
    os.write(terminal, b"n\ny\n\n")
    assert person.sees("near", "nEAr") is False
    assert person.hears() is True
    person.clear_board()
    assert done == ["paused"] * 3
    assert person.lay(0, -1)
    assert person.press("near-call")
    assert "white stone on A1" in done[3]
    assert "call key of the near seat" in done[4]


# The picture


def view(**other: Any) -> BoardView:
    readings = np.zeros(225, np.float32)
    readings[112], readings[0], readings[14] = 92, -80, 3
    given: dict[str, Any] = {
        "sensors": "linear",
        "step": "stones",
        "readings": readings,
        "noise": readings * 0,
    }
    return BoardView(**{**given, **other})


def shown(of: BoardView, width: int = 90) -> str:
    console = Console(record=True, width=width, force_terminal=True, file=open(os.devnull, "w"))  # noqa: SIM115
    console.print(picture(of))
    console.file.close()
    return console.export_text()


def test_the_map_has_every_reading_where_it_is() -> None:
    lines = shown(
        view(asked=113, colour="white", findings=(Finding("dead", "C4"), Finding("line-dead", "rank 12")))
    ).splitlines()
    assert "white stone on I8" in lines[0]
    assert lines[1].startswith(" 15 ")
    eighth = next(line for line in lines if line.startswith("  8 "))
    assert "92 ▸" in eighth
    first = next(line for line in lines if line.startswith("  1 "))
    assert first.split() == ["1", "-80", *["·"] * 13, "3"]
    assert next(line for line in lines if line.startswith(" 12 ")).count("!") == 15
    assert any(line.startswith("C4") for line in lines)


def test_switches_are_open_or_closed() -> None:
    closed = np.zeros(225, np.float32)
    closed[112] = 1
    text = shown(view(sensors="switch", readings=closed))
    assert text.count("●") == 1


def test_many_findings_do_not_push_the_map_away() -> None:
    text = shown(view(findings=tuple(Finding("dead", f"A{n}") for n in range(1, 16))))
    assert "and 3 more, in the report" in text


def test_without_a_terminal_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    screen = Screen()
    screen.show(view())
    screen.pause()
    screen.say("a line [that] is said")
    assert capsys.readouterr().out == "a line [that] is said\n"


def test_findings_in_words() -> None:
    said = in_words(Finding("dead", "C4", "noise 0.0"))
    assert said.startswith("C4: reads the very same in every frame")
    assert "(noise 0.0). Likely: " in said


# The page


def test_the_page_is_served_while_it_lasts_to_this_machine_alone() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    page = CheckPage(listening, SignIn(Pins()))
    page.show(view())
    with httpx.Client() as client, client.stream("GET", page.address + "/events") as events:
        assert events.status_code == 200
        lines = events.iter_lines()
        assert next(lines) == "event: check"
        next(lines)
        first = json.loads(next(lines).removeprefix("data: "))
        assert first["readings"][112] == 92
        threading.Timer(0.1, page.show, [view(step="done")]).start()
        assert (
            json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))[
                "step"
            ]
            == "done"
        )
    assert httpx.get(page.address).status_code == 200
    assert httpx.get(page.address, headers={"x-forwarded-for": "10.0.0.9"}).status_code == 403
    page.close()
    with pytest.raises(httpx.ConnectError):
        httpx.get(page.address)


def test_behind_a_pin_nobody_sees_it_without() -> None:
    listening = socket.create_server(("127.0.0.1", 0))
    page = CheckPage(listening, SignIn(Pins({"arbiter": "4711"})))
    page.show(view())
    assert httpx.get(page.address + "/events").status_code == 401
    signed = httpx.post(page.address.replace("/check", "/arbiter/sign-in"), json={"pin": "4711"})
    assert httpx.get(page.address, cookies=signed.cookies).status_code == 200
    page.close()


# The scanner


class Flaky:
    """A scanner that is gone for a while."""

    sensors = "linear"
    rate_hz = 100

    def __init__(self, clock: VirtualTime, gone: int) -> None:
        self.clock = clock
        self.gone = gone

    def read(self) -> Frame | None:
        self.gone -= 1
        if self.gone >= 0:
            raise LinkError("the scanner is gone")
        self.clock.sleep(0.01)
        return Frame(self.clock.now, bytes(225))

    def close(self) -> None: ...


def test_a_scanner_that_comes_back_is_waited_for_and_one_that_does_not_is_given_up() -> None:
    clock = VirtualTime()
    bench = SensorBench(Flaky(clock, 20), clock=Time(clock.now_ns, clock.sleep))  # type: ignore[arg-type]
    assert bench.read().readings == bytes(225)
    with pytest.raises(LinkError, match="the scanner is gone"):
        SensorBench(Flaky(clock, 1000), clock=Time(clock.now_ns, clock.sleep)).read()  # type: ignore[arg-type]
