"""What the commands share: errors in one sentence, and the journal that is meant."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec
from unicodedata import category

import click

from firmware_host.errors import BoardError, RecordError

if TYPE_CHECKING:
    from firmware_host.service.journal_reader import JournalReader
    from firmware_host.service.journal_rows import Game

P = ParamSpec("P")

READER_GONE: Final = 141
"""The exit code when standard output was closed: 128 + SIGPIPE, which a shell shows for other programs."""

DEMO_JOURNAL: Final = "demo.db"
"""The journal of the demo, beside that of a table."""


def complain(sentence: str) -> None:
    """One line on standard error."""
    click.echo(f"renju-board: {printable(sentence)}", err=True)


def printable(text: str) -> str:
    """The text with what cannot be printed, such as the end of a line in a name, escaped."""
    return "".join(c if _shown(c) else c.encode("unicode_escape").decode() for c in text)


def _shown(c: str) -> bool:
    return c.isprintable() or category(c) == "Zs"


def one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that are meant for people into one sentence and exit code 2."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        from hw import DeviceError

        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            # What is still buffered goes nowhere: Python would fail, and say so, when it flushes at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(READER_GONE)
        except (BoardError, DeviceError) as error:
            complain(str(error))
            sys.exit(2)

    return wrapped


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the journal is: `--journal FILE`, or as a configuration says."""
    for option in (
        click.option(
            "--journal", "path", type=click.Path(readable=False, path_type=Path), help="the journal's file"
        ),
        click.option("--config", "config_path", type=click.Path(path_type=Path), help="a board.toml"),
    ):
        command = option(command)
    return command


@contextmanager
def open_journal(path: Path | None, config_path: Path | None) -> Iterator["JournalReader"]:
    """A journal to read, while a daemon may write it."""
    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.journal_reader import JournalReader

    path = path or journal_path(load_config(config_path))
    demo = path.with_name(DEMO_JOURNAL)
    if not os.path.exists(path) and os.path.exists(demo):  # Path fails where it may not look
        raise RecordError(f"{path}: there is no such journal; to read the demo's add --journal {demo}")
    with JournalReader.open(path) as reader:
        yield reader


def pick_game(reader: "JournalReader", number: int | None) -> "Game":
    """Game `number`, or the last one; raises RecordError."""
    games = reader.games()
    found = next((game for game in reversed(games) if number in (None, game.number)), None)
    if found is None:
        numbers = f"1 to {games[-1].number}" if games else "none yet"
        raise RecordError(f"game {number} is not in the journal; allowed: {numbers}")
    return found
