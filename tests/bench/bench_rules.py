"""CPU time of the forbidden moves, on the same positions every time."""

import gzip
import json
from pathlib import Path
from time import process_time_ns

from firmware_host.board import Point, Position, parse_moves
from firmware_host.rules import forbidden_at, forbidden_points
from firmware_host.rules.lines import SHAPES

DATA = Path(__file__).parent.parent / "data"


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    mixed = mixed_positions()
    for memo in SHAPES:
        memo.clear()
    start = process_time_ns()
    for position in mixed:
        forbidden_points(position)
    cold = process_time_ns() - start

    games = game_positions()
    found = sum(len(forbidden_points(before)) for before, _ in games)
    start = process_time_ns()
    for before, _ in games:
        forbidden_points(before)
    warm = process_time_ns() - start
    start = process_time_ns()
    for before, move in games:
        forbidden_at(before, move)
    one = process_time_ns() - start
    return [
        ("forbidden points, mixed boards, cold", _each(cold, len(mixed), "boards")),
        ("forbidden points, boards of games, warm", _each(warm, len(games), f"boards, {found} points")),
        ("forbidden, the move just made", _each(one, len(games), "moves")),
    ]


def mixed_positions() -> list[Position]:
    """A thousand positions of every kind, thin to crowded."""
    with gzip.open(DATA / "forbidden-1k.jsonl.gz", "rt") as lines:
        return [Position.from_text(json.loads(line)["position"]) for line in lines]


def game_positions() -> list[tuple[Position, Point]]:
    """Each position of the games with the move that was played on it."""
    played = []
    for game in (DATA / "forbidden-games.txt").read_text().splitlines():
        moves = parse_moves(game)
        played += [(Position.from_moves(moves[:n]), move) for n, move in enumerate(moves)]
    return played


def _each(total_ns: int, count: int, what: str) -> str:
    return f"{total_ns / count / 1000:.1f} us ({count} {what})"
