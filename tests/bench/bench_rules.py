"""CPU time of forbidden moves and of whole games, the best of three runs over the same positions."""

import gzip
import json
import sys
from collections.abc import Callable, Iterable
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
ROUNDS = 3


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    mixed, games = mixed_positions(), game_positions()
    texts = [position.text() for position, _ in games]
    found = sum(len(forbidden_points(Position.from_text(text))) for text in texts)
    warm = min(_spent(_map_all, texts) for _ in range(ROUNDS))
    one = min(_spent(_judge_moves, games) for _ in range(ROUNDS))
    cold = min(_spent(_map_all, mixed, forget=True) for _ in range(ROUNDS))
    text = (DATA / "forbidden-games.txt").read_text() * 4
    judged = _spent(_adjudicate, text)
    lines, size = full_memo()
    return [
        (
            "forbidden points, texts of game positions, warm (<= 25 us)",
            f"{_each(warm, len(texts), 'boards')}, {found} points",
        ),
        ("forbidden points, mixed texts, cold (<= 150 us)", _each(cold, len(mixed), "boards")),
        ("forbidden, the move just made, then put (<= 5 us)", _each(one, len(games), "moves")),
        ("memo, full (<= 16 MB)", f"{size / 1e6:.1f} MB, {lines} lines"),
        (
            "adjudicate a file of games (>= 20,000 moves/s)",
            f"{4 * len(games) / judged * 1e9:,.0f} moves/s ({4 * len(games)} moves)",
        ),
    ]


def _spent(act: Callable[[Any], None], given: Any, *, forget: bool = False) -> int:
    """CPU time of one call in nanoseconds; `forget` empties the memo first."""
    if forget:
        for memo in SHAPES:
            memo.clear()
    start = process_time_ns()
    act(given)
    return process_time_ns() - start


def _map_all(texts: Iterable[str]) -> None:
    for text in texts:
        forbidden_points(Position.from_text(text))


def _judge_moves(games: Iterable[tuple[Position, Point]]) -> None:
    for before, move in games:
        forbidden_at(before, move)
        before.put(move, BLACK)


def _adjudicate(text: str) -> None:
    for game in read_games(text, "moves"):
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


def _each(total_ns: int, count: int, what: str) -> str:
    return f"{total_ns / count / 1000:.1f} us ({count} {what})"
