"""Trace files: what is written can be read, and every broken line is named."""

import base64
import gzip
import json
import threading
from pathlib import Path

import pytest

from hw import Frame, Press
from hw.trace import TraceError, TraceLine, TraceReader, TraceWriter

MS = 1_000_000
HEADER = {
    "format": "renju-board-trace",
    "version": 1,
    "sensors": "linear",
    "rate_hz": 200,
    "match": {"time": "5m"},
}


def frame_line(t_us: int, readings: bytes = bytes(225)) -> str:
    return json.dumps({"t_us": t_us, "f": base64.b64encode(readings).decode()})


def write(path: Path, *lines: str, header: object = HEADER) -> Path:
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.write("\n".join([header if isinstance(header, str) else json.dumps(header), *lines]) + "\n")
    return path


def read(path: Path) -> list[TraceLine]:
    with TraceReader(path) as trace:
        return list(trace)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.trace.gz"


def test_what_is_written_can_be_read(path: Path) -> None:
    one, two = bytes(225), bytes(112) + b"\x5c" + bytes(112)
    writer = TraceWriter(
        path, sensors="linear", rate_hz=200, match={"time": "5m+3s"}, extra={"version": 9, "by": "x"}
    )
    writer.frame(Frame(0, one))
    writer.frame(Frame(5 * MS, one))
    writer.frame(Frame(10 * MS, two))
    writer.press(Press(12 * MS, "near"))
    writer.command(13 * MS, {"do": "pause"})
    writer.frame(Frame(30 * MS, two, lost=3))
    writer.close()
    writer.close()
    with TraceReader(path) as trace:
        assert (trace.header.sensors, trace.header.rate_hz, trace.header.match) == (
            "linear",
            200,
            {"time": "5m+3s"},
        )
        lines = list(trace)
    assert lines == [
        TraceLine(0, readings=one, number=2),
        TraceLine(10_000, readings=two, number=3),
        TraceLine(12_000, key="near", number=4),
        TraceLine(13_000, command={"do": "pause"}, number=5),
        TraceLine(30_000, lost=3, number=6),
    ]


def test_the_rate_of_the_header_is_the_one_at_which_frames_come(path: Path) -> None:
    rate_hz = 200
    writer = TraceWriter(path, sensors="linear", rate_hz=lambda: rate_hz)
    rate_hz = 120
    writer.frame(Frame(0, bytes(225)))
    writer.close()
    with TraceReader(path) as trace:
        assert trace.header.rate_hz == 120


def test_what_comes_late_is_put_in_its_place(path: Path) -> None:
    writer = TraceWriter(path, sensors="switch", rate_hz=200, origin_ns=1000 * MS)
    for n in range(300):
        writer.frame(Frame(1000 * MS + n * 5 * MS, bytes([n % 2]) * 225))
    writer.press(Press(1700 * MS, "far"))
    writer.press(Press(1050 * MS, "near"))  # so late that its place has been written
    writer.close()
    lines = read(path)
    assert [line.t_us for line in lines] == sorted(line.t_us for line in lines)
    assert [(line.t_us, line.key) for line in lines if line.key] == [(495_000, "near"), (700_000, "far")]


def test_at_equal_times_a_frame_comes_before_a_key_and_a_key_before_a_command(path: Path) -> None:
    writer = TraceWriter(path, sensors="switch", rate_hz=200)
    writer.command(5 * MS, {"do": "pause"})
    writer.press(Press(5 * MS, "far"))
    writer.frame(Frame(5 * MS, bytes(225), lost=1))
    writer.close()
    assert [(x.lost, x.readings is not None, x.key, x.command) for x in read(path)] == [
        (1, False, None, None),
        (0, True, None, None),
        (0, False, "far", None),
        (0, False, None, {"do": "pause"}),
    ]


def test_a_trace_that_was_not_closed_is_readable_up_to_two_seconds_before(path: Path) -> None:
    writer = TraceWriter(path, sensors="switch", rate_hz=200)
    for n in range(1000):
        writer.frame(Frame(n * 5 * MS, bytes([n % 2]) * 225))
    copy = path.with_name("copy.trace.gz")
    copy.write_bytes(path.read_bytes())
    seen = []
    with pytest.raises(TraceError, match="cut off"), TraceReader(copy) as trace:
        seen.extend(trace)
    assert seen[-1].t_us > 2_900_000
    writer.close()
    assert len(read(path)) == 1000


def test_writers_of_several_threads(path: Path) -> None:
    writer = TraceWriter(path, sensors="switch", rate_hz=200)
    threads = [
        threading.Thread(target=lambda: [writer.press(Press(n * MS, "near")) for n in range(200)]),
        threading.Thread(
            target=lambda: [writer.frame(Frame(n * MS, bytes([n % 2]) * 225)) for n in range(200)]
        ),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    writer.close()
    assert len(read(path)) == 400


def test_plain_json_lines_are_read_too(tmp_path: Path) -> None:
    path = tmp_path / "a.trace"
    path.write_text(f"{json.dumps(HEADER)}\n{frame_line(0)}\n\n", encoding="utf-8")
    assert len(read(path)) == 1


def test_unknown_keys_are_ignored(path: Path) -> None:
    write(path, '{"t_us": 1, "key": "near", "note": "x"}', header={**HEADER, "seed": 1, "name": "n"})
    assert read(path)[0].key == "near"


def test_a_held_call_key_has_a_name_of_its_own(path: Path) -> None:
    writer = TraceWriter(path, sensors="linear", rate_hz=200)
    writer.press(Press(7 * MS, "far-menu"))
    writer.close()
    assert [(line.t_us, line.key) for line in read(path)] == [(7_000, "far-menu")]


def test_every_command_is_known_before_the_frames_are_read(path: Path) -> None:
    commands = [{"do": "start"}, {"do": "arrive", "side": "white"}]
    write(path, frame_line(0), *(json.dumps({"t_us": 5, "command": command}) for command in commands))
    with TraceReader(path) as trace:
        assert trace.commands() == commands
        assert len(list(trace)) == 3


def test_commands_are_known_as_far_as_a_torn_file_goes(path: Path) -> None:
    write(path, frame_line(0), json.dumps({"t_us": 5, "command": {"do": "start"}}), "{torn")
    with TraceReader(path) as trace:
        assert trace.commands() == [{"do": "start"}]


GOOD = frame_line(100)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"t_us": 200, "key": "ne', "is not JSON"),
        ("[1, 2]", "is not a JSON object"),
        ('{"key": "near"}', "t_us = None is not a time; allowed: whole microseconds"),
        ('{"t_us": 1.5, "key": "near"}', "t_us = 1.5 is not a time"),
        ('{"t_us": "7", "key": "near"}', "t_us = '7' is not a time"),
        ('{"t_us": -1, "key": "near"}', "t_us = -1 is not a time"),
        ('{"t_us": true, "key": "near"}', "t_us = True is not a time"),
        ('{"t_us": 99, "key": "near"}', "t_us = 99 goes back; allowed: 100 or later"),
        (f'{{"t_us": {10**30}, "key": "near"}}', "is too late; allowed: 0 to 604800000000 (a week)"),
        ('{"t_us": 200}', "it has none of f, lost, key, command"),
        ('{"t_us": 200, "key": "near", "lost": 2}', "it has lost and key of"),
        ('{"t_us": 200, "key": "middle"}', "key = 'middle' does not exist; allowed: near, far"),
        ('{"t_us": 200, "lost": 0}', "lost = 0 is no number of frames"),
        ('{"t_us": 200, "lost": -3}', "lost = -3 is no number of frames"),
        ('{"t_us": 200, "lost": "x"}', "lost = 'x' is no number of frames"),
        ('{"t_us": 200, "command": "pause"}', "command = 'pause' is not an object"),
        ('{"t_us": 200, "f": "AA==="}', "f is not base64"),
        ('{"t_us": 200, "f": "!!!!"}', "f is not base64"),
        ('{"t_us": 200, "f": 7}', "f is not base64"),
        (frame_line(200, bytes(224)), "f holds 224 readings; allowed: 225"),
        (frame_line(200, bytes(226)), "f holds 226 readings; allowed: 225"),
        (frame_line(200, bytes(3) + b"\x80" + bytes(221)), "reading 3 of f is -128; allowed: -127 to 127"),
    ],
)
def test_a_broken_line_is_named(path: Path, line: str, message: str) -> None:
    write(path, GOOD, line, GOOD)
    seen = []
    with pytest.raises(TraceError) as caught, TraceReader(path) as trace:
        seen.extend(trace)
    assert caught.value.line == 3
    assert str(caught.value).startswith("line 3: ")
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert len(seen) == 1


def test_a_switch_reads_0_or_1(path: Path) -> None:
    write(path, frame_line(0, bytes(224) + b"\x02"), header={**HEADER, "sensors": "switch"})
    with pytest.raises(TraceError, match="reading 224 of f is 2; allowed: 0, 1, 92 or -92"):
        read(path)


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({**HEADER, "format": "other"}, "format = 'other' is not a trace"),
        ({**HEADER, "version": 2}, "version = 2 cannot be read; allowed: 1"),
        ({**HEADER, "sensors": "optical"}, "no trace header"),
        ({**HEADER, "rate_hz": 0}, "rate_hz = 0 is not possible; allowed: 1 to 1000"),
        ({**HEADER, "match": []}, "no trace header"),
        ({"format": "renju-board-trace"}, "missing required field `version`"),
        ("not JSON at all", "it begins with 'not JSON at all'"),
        ("", "no trace header"),
    ],
)
def test_a_broken_header_is_named(path: Path, header: object, message: str) -> None:
    write(path, GOOD, header=header)
    with pytest.raises(TraceError) as caught:
        TraceReader(path)
    assert caught.value.line == 1
    assert message in str(caught.value)


def test_files_that_are_no_traces(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match=r"none\.trace\.gz cannot be read: No such file"):
        TraceReader(tmp_path / "none.trace.gz")
    with pytest.raises(TraceError, match="cannot be read"):
        TraceReader(tmp_path)
    empty = tmp_path / "empty.trace.gz"
    empty.write_bytes(b"")
    with pytest.raises(TraceError, match="no trace header"):
        TraceReader(empty)
    torn = tmp_path / "torn.trace.gz"
    torn.write_bytes(gzip.compress(json.dumps(HEADER).encode())[:40])
    with pytest.raises(TraceError, match="cut off"):
        TraceReader(torn)
    spoiled = tmp_path / "spoiled.trace.gz"
    data = bytearray(gzip.compress((json.dumps(HEADER) + "\n" + f"{GOOD}\n" * 2000).encode()))
    data[len(data) // 2 :] = b"\xff" * (len(data) - len(data) // 2)
    spoiled.write_bytes(data)
    with pytest.raises(TraceError, match=r"spoiled\.trace\.gz cannot be read|cut off"):
        read(spoiled)


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(TraceError, match="cannot be written: No such file"):
        TraceWriter(tmp_path / "no" / "a.trace.gz", sensors="linear", rate_hz=200)
