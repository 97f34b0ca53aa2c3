"""CPU time of many games: out of a journal as records, and records into the formats."""

import tempfile
from pathlib import Path
from time import process_time_ns

from firmware_host.board import BLACK, WHITE
from firmware_host.record.cross_table import cross_table
from firmware_host.record.cross_table_page import to_html
from firmware_host.record.header import Header, Person
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed
from firmware_host.service.game import RULES_VERSION
from firmware_host.service.game_exports import rendered
from firmware_host.service.game_sources import Source, from_journal
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader

GAMES = 1000
KEPT = 20
"""So many games lie in the journal, and are taken again and again."""

MOVES = 60
S = 1_000_000_000


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.db"
        fill(path)
        with JournalReader.open(path) as reader:
            games = reader.games()
            before = process_time_ns()
            for _ in range(GAMES // KEPT):
                sources = list(from_journal(reader, games))
            read_s = (process_time_ns() - before) / 1e9
    figures = [(f"{GAMES} games of {MOVES} moves out of a journal, as records", f"{read_s:.2f} s")]
    for form, most in (("sgf", " (<= 2 s)"), ("json", "")):
        before = process_time_ns()
        size = sum(len(rendered(form, sources[n % KEPT].record)) for n in range(GAMES))
        wrote_s = (process_time_ns() - before) / 1e9
        figures.append((f"{GAMES} games to {form}{most}", f"{wrote_s:.2f} s ({size / 1e6:.1f} MB)"))
        if form == "sgf":
            figures.append(
                (f"{GAMES} games from the journal to {form} (<= 2 s)", f"{read_s + wrote_s:.2f} s")
            )
    figures.append((f"cross table of {GAMES} games, as a page", f"{table_s(sources):.2f} s"))
    return figures


def table_s(sources: list[Source]) -> float:
    """CPU time of a cross table."""
    before = process_time_ns()
    to_html(cross_table(sources[n % KEPT].record for n in range(GAMES)))
    return (process_time_ns() - before) / 1e9


def fill(path: Path) -> None:
    """A journal of games in which stones are laid all over the board, none of them five in a row."""
    journal = Journal.open(path)
    settings = match_settings({"opening": "free", "time": "15m"})
    for game in range(KEPT):
        header = Header(round=1 + game // 4, first=Person(name=f"P{game % 7}"), second=Person(name="Q"))
        journal.begin_game(header=header, settings=settings, sensors="linear", rules_version=RULES_VERSION)
        referee = Referee(settings)
        t_ns = 0
        given = [Command(t_ns=0, do="start")]
        for n in range(MOVES):
            t_ns += 3 * S
            given.append(Placed(t_ns=t_ns, point=n * 32 % 225, colour=WHITE if n % 2 else BLACK))  # type: ignore[arg-type]
            given.append(KeyPress(t_ns=t_ns + S, key="far" if n % 2 else "near"))  # type: ignore[arg-type]
        given.append(Command(t_ns=t_ns + 2 * S, do="resign", side=BLACK))
        for one in given:
            journal.append(one, referee.rule(one))
        assert len(referee.position.text().replace(".", "")) == MOVES
    journal.close()
