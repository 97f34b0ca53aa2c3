"""Players who come late, in a recorded trace (competition rules 8.4, 8.5; docs/rules.md, section 6)."""

import base64
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.board import parse_point
from firmware_host.service.replay import replay


def lines(script: str) -> list[dict[str, Any]]:
    """`2 H8` a stone, `3 n` or `3 f` a key, `5 +white` an arrival, `8 .` nothing; times in seconds."""
    stones = bytearray(225)
    built: list[dict[str, Any]] = [{"t_us": 0, "f": base64.b64encode(stones).decode()}]
    for part in script.split(","):
        at, what = part.split()
        line: dict[str, Any] = {"t_us": round(float(at) * 1_000_000)}
        if what in "nf":
            line["key"] = {"n": "near", "f": "far"}[what]
        elif what.startswith("+"):
            line["command"] = {"do": "arrive", "side": what[1:]}
        else:
            if what != ".":
                stones[parse_point(what)] = 1
            line["f"] = base64.b64encode(stones).decode()
        built.append(line)
    return built


def final(tmp_path: Path, script: str, **match: str) -> dict[str, Any]:
    header = {"format": "renju-board-trace", "version": 1, "sensors": "switch", "rate_hz": 100}
    path = tmp_path / "late.trace.gz"
    with gzip.open(path, "wt") as file:
        for line in ({**header, "match": {"opening": "free", "time": "20s", **match}}, *lines(script)):
            file.write(json.dumps(line) + "\n")
    found: dict[str, Any] = list(replay(path))[-1]["final"]
    return found


# script, settings -> moves, seconds left of Black and White
ARRIVALS: dict[str, tuple[str, dict[str, str], str, tuple[float, float]]] = {
    "nobody is late": ("1 H8, 2 n, 8 .", {}, "H8", (18, 14)),
    "White, after Black's move": ("1 H8, 2 n, 5 +white, 6 H9, 7 f, 8 .", {}, "H8 H9", (19, 13)),
    "White, before any move": ("5 +white, 6 H8, 7 n, 8 .", {}, "H8", (18, 14)),
    "Black": ("5 +black, 6 H8, 7 n, 8 .", {}, "H8", (13, 19)),
    "both, Black first": ("3 +black, 5 +white, 6 H8, 7 n, 8 .", {}, "H8", (15, 14)),
    "both, White first": ("3 +white, 5 +black, 6 H8, 7 n, 8 .", {}, "H8", (13, 16)),
    "a stone is the arrival": ("2 H8, 5 +black, 7 n, 8 .", {}, "H8", (13, 19)),
    "White's stone is his arrival": ("2 H8, 3 n, 4 H9, 5 +white, 7 f, 8 .", {}, "H8 H9", (19, 13)),
    "White's press is his arrival": ("2 f, 5 +white, 8 .", {}, "", (14, 18)),
    "at the limit": ("4 +white, 8 .", {"late": "4s"}, "", (16, 16)),
    "with an increment": ("1 H8, 2 n, 5 +white, 6 .", {"time": "20s+2s"}, "H8", (22, 14)),
}


@pytest.mark.parametrize(("script", "match", "moves", "left"), ARRIVALS.values(), ids=ARRIVALS)
def test_who_is_late_loses_that_time(
    tmp_path: Path, script: str, match: dict[str, str], moves: str, left: tuple[float, float]
) -> None:
    found = final(tmp_path, script, **match)
    assert (found["moves"], found["irregular"], found["reason"]) == (moves.split(), [], None)
    assert found["remaining_ms"] == {"black": left[0] * 1000, "white": left[1] * 1000}


# script, settings -> winner, reason, seconds left of Black and White
FORFEITS: dict[str, tuple[str, dict[str, str], str | None, str, tuple[float, float]]] = {
    "White": ("5 +white, 8 .", {"late": "4s"}, "black", "absence", (20, 16)),
    "Black": ("5 +black, 8 .", {"late": "4s"}, "white", "absence", (16, 20)),
    "both": ("5 +white, 6 +black, 8 .", {"late": "4s"}, None, "absence", (16, 20)),
    "out of time before": ("5 +white, 8 .", {"time": "3s", "late": "4s"}, "black", "time", (3, 0)),
    "the limit of the rules": ("901 +white, 902 .", {"time": "20m"}, "black", "absence", (1200, 300)),
}


@pytest.mark.parametrize(("script", "match", "winner", "reason", "left"), FORFEITS.values(), ids=FORFEITS)
def test_who_is_too_late_has_lost(
    tmp_path: Path,
    script: str,
    match: dict[str, str],
    winner: str | None,
    reason: str,
    left: tuple[float, float],
) -> None:
    found = final(tmp_path, script, **match)
    assert (found["winner"], found["reason"]) == (winner, reason)
    assert found["remaining_ms"] == {"black": left[0] * 1000, "white": left[1] * 1000}
    scores = {c: 1.0 if c == winner else 0.0 for c in ("black", "white")}
    assert found["result"] == scores
