"""Journals that the tests of this room write, copy and damage."""

import sqlite3
from pathlib import Path
from typing import Any

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.record.header import Header, Person
from firmware_host.referee.inputs import Command, Input, KeyPress, Tick
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Lifted, Placed
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.journal import Journal

H8, S = parse_point("H8"), 1_000_000_000
FREE = match_settings({"opening": "free", "time": "15m"})
STEPS: tuple[Input, ...] = (
    Command(t_ns=0, do="start"),
    Placed(t_ns=1 * S, point=H8, colour=BLACK),
    KeyPress(t_ns=2 * S, key="near"),
    Tick(t_ns=3 * S),
    Command(t_ns=4 * S, do="resign", side=WHITE),
    Lifted(t_ns=5 * S, point=H8, colour=BLACK),
)
"""One game. The last one comes after the end and gives no ruling."""


def write_games(path: Path, count: int) -> list[str]:
    """Games of the same steps; their heads at the end."""
    heads = []
    with Journal.open(path) as journal:
        for number in range(1, count + 1):
            game = journal.begin_game(
                header=Header(table="7", round=number, first=Person(name="林 ✓", id="8", rating=2310)),
                settings=FREE,
                sensors="linear",
                rules_version=RULES_VERSION,
            )
            referee = Referee(FREE)
            for given in STEPS:
                journal.append(given, referee.rule(given)).result(5)
            heads.append(journal.reader.head(game))
    return heads


def rows_of(path: Path) -> list[tuple[Any, ...]]:
    """Every row of the games and the entries."""
    file = sqlite3.connect(path)
    rows = file.execute("SELECT * FROM games ORDER BY number").fetchall()
    rows += file.execute("SELECT * FROM entries ORDER BY game, seq").fetchall()
    file.close()
    return rows


def change(path: Path, *orders: str) -> None:
    """Change the file behind the program's back."""
    with sqlite3.connect(path) as file:
        for order in orders:
            file.execute(order)
    file.close()
