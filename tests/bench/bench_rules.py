"""CPU time of forbidden moves and of whole games, over the same positions every time."""

import gzip
import json
import math
import sys
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from pathlib import Path
from time import process_time_ns
from typing import Any

import msgspec

from firmware_host.adjudicate import Rules, adjudicate
from firmware_host.board import BLACK, Point, Position, parse_moves
from firmware_host.record.game_files import Played, read_games
from firmware_host.rules import forbidden_at, forbidden_points
from firmware_host.rules.lines import REACH, SHAPES
from firmware_host.service.game_reports import as_object

DATA = Path(__file__).parent.parent / "data"
ROUNDS = 5


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    mixed, games = mixed_positions(), game_positions()
    texts = [position.text() for position, _ in games]
    found = sum(len(forbidden_points(Position.from_text(text))) for text in texts)
    cold = best_us(_map_all, mixed, forget=True)
    warm = best_us(_map_all, texts)
    one = best_us(_judge_moves, games)
    whole = (DATA / "forbidden-games.txt").read_text().splitlines()
    judged = best_us(_adjudicate, whole) * len(whole) / len(games)
    lines, size = full_memo()
    return [
        (
            "forbidden points, texts of game positions, warm (<= 25 us)",
            f"{warm:.1f} us ({len(texts)} boards, {found} points)",
        ),
        ("forbidden points, mixed texts, cold (<= 150 us)", f"{cold:.1f} us ({len(mixed)} boards)"),
        ("forbidden, the move just made, and put (<= 5 us)", f"{one:.1f} us ({len(games)} moves)"),
        ("memo, full (<= 16 MB)", f"{size / 1e6:.1f} MB ({lines} lines)"),
        (
            "adjudicate, files to JSON (>= 20,000 moves/s)",
            f"{1e6 / judged:,.0f} moves/s ({len(games)} moves)",
        ),
    ]


def best_us(act: Callable[[Any], None], given: Sequence[Any], *, forget: bool = False) -> float:
    """CPU time of one of the things given, each hundred of them at the best of the rounds.

    `forget`: the memo is emptied before each round, so that every round begins cold.
    """
    hundreds = [given[i : i + 100] for i in range(0, len(given), 100)]
    best = [math.inf] * len(hundreds)
    for _ in range(ROUNDS):
        if forget:
            for memo in SHAPES:
                memo.clear()
        for n, some in enumerate(hundreds):
            start = process_time_ns()
            act(some)
            best[n] = min(best[n], process_time_ns() - start)
    return sum(best) / len(given) / 1000


def _map_all(texts: Iterable[str]) -> None:
    for text in texts:
        forbidden_points(Position.from_text(text))


def _judge_moves(games: Iterable[tuple[Position, Point]]) -> None:
    for before, move in games:
        forbidden_at(before, move)
        before.put(move, BLACK)


def _adjudicate(games: Iterable[str]) -> None:
    for game in read_games("\n".join(games), "moves"):
        assert isinstance(game, Played)
        msgspec.json.encode(as_object(adjudicate(game, Rules())))


def full_memo() -> tuple[int, int]:
    """How many lines the memo holds when it holds all there are, and its bytes, keys included."""
    for before, after in product(range(REACH + 1), repeat=2):
        if before + 1 + after >= 5:
            for cells in product((0, 1, 2), repeat=before + after):
                SHAPES[before][bytes((*cells[:before], 0, *cells[before:]))]
    size = sum(sys.getsizeof(memo) + sum(map(sys.getsizeof, memo)) for memo in SHAPES)
    return sum(map(len, SHAPES)), size


def mixed_positions() -> list[str]:
    """A thousand positions of every kind, thin to crowded."""
    with gzip.open(DATA / "forbidden-1k.jsonl.gz", "rt") as lines:
        return [json.loads(line)["position"] for line in lines]


def game_positions() -> list[tuple[Position, Point]]:
    """Each position of the games with the move that was played on it."""
    played = []
    for game in (DATA / "forbidden-games.txt").read_text().splitlines():
        moves = parse_moves(game)
        played += [(Position.from_moves(moves[:n]), move) for n, move in enumerate(moves)]
    return played
