"""`renju-board export`, `import` and `event`: games out of a journal or files, in every format."""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from firmware_host.cli.common import complain, journal_option, one_sentence, open_journal, pick_game
from firmware_host.errors import RecordError

if TYPE_CHECKING:
    from firmware_host.service.game_sources import Source
    from firmware_host.service.journal_reader import JournalReader
    from firmware_host.service.journal_rows import Game

AUDIENCES: Final = ("arbiter", "players", "public")
LANGUAGES: Final = ("en", "zh", "ja")


class FormatName(click.ParamType):  # type: ignore[type-arg]  # an older click has no argument there
    """The name of a format that is written, or read; the table is read when it is asked for."""

    name = "format"

    def __init__(self, way: str) -> None:
        self.way = way

    def names(self) -> list[str]:
        """The formats that go this way."""
        from firmware_host.record.formats import FORMATS

        return [name for name, row in FORMATS.items() if getattr(row, self.way) is not None]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name, if it is one; raises click.BadParameter."""
        if value not in self.names():
            self.fail(f"{value!r} is not one of {', '.join(self.names())}", param, ctx)
        return str(value)

    def get_metavar(self, *_: Any, **__: Any) -> str:
        """What help shows in place of a value."""
        return f"[{'|'.join(self.names())}]"


out_option = click.option(
    "--out", metavar="PATH", help="a file, or a folder (it is one, or ends with /) with a file for each game"
)


@click.command("export")
@journal_option
@click.option("--format", "form", type=FormatName("write"), default="text", show_default=True)
@click.option("--from", "files", multiple=True, metavar="FILE", help="games of a file, not of the journal")
@click.option("--all", "every", is_flag=True, help="all games")
@click.option(
    "--for", "audience", type=click.Choice(AUDIENCES), default="arbiter", show_default=True,
    help="leave out what they may not know (games of a journal)",
)  # fmt: skip
@out_option
@click.argument("games", nargs=-1, metavar="[GAME | FIRST-LAST]...")
@one_sentence
def export_command(
    path: Path | None,
    config_path: Path | None,
    form: str,
    files: tuple[str, ...],
    every: bool,
    audience: Any,
    out: str | None,
    games: tuple[str, ...],
) -> None:
    """Games of a journal, or of files, in any format: the last one, those named by number, or all."""
    from firmware_host.service.game_sources import from_file, from_journal

    if files:
        if path or config_path or audience != "arbiter":
            raise RecordError("--from reads files, --journal, --config and --for a journal; give one of them")
        found = [source for file in files for source in from_file(file)]
        chosen = range(1, len(found) + 1) if every or not games else numbers(games, len(found))
        write([found[number - 1] for number in chosen], form, out)
        return
    with open_journal(path, config_path) as reader:
        write(list(from_journal(reader, picked(reader, games, every), audience)), form, out)


def picked(reader: "JournalReader", games: tuple[str, ...], every: bool) -> list["Game"]:
    """The games that are asked for, the last one without a word; raises RecordError."""
    if not games and not every:
        return [pick_game(reader, None)]
    known = {game.number: game for game in reader.games()}
    if every:
        if not known:
            raise RecordError(f"{reader.path} holds no game")
        return list(known.values())
    chosen = numbers(games, max(known, default=0))
    return [known[n] if n in known else pick_game(reader, n) for n in chosen]


def numbers(texts: tuple[str, ...], last: int) -> list[int]:
    """`3 5-7` as numbers from 1, each once, in the order given; raises RecordError."""
    found: dict[int, None] = {}
    for text in texts:
        first, dash, end = text.partition("-")
        high = end if dash else first
        if not (first.isdecimal() and high.isdecimal() and max(len(first), len(high)) < 10):
            raise RecordError(f"{text!r} is no game; allowed: a number such as 3, or two such as 3-7")
        low, top = int(first), int(high)
        if not 1 <= low <= top <= last:
            allowed = f"1 to {last}" if last else "none yet"
            what = f"game {text} is not in the journal" if not dash else f"games {text} are not all there"
            raise RecordError(f"{what}; allowed: {allowed}")
        found |= dict.fromkeys(range(low, top + 1))
    return list(found)


def write(sources: list["Source"], form: str, out: str | None) -> None:
    """Games to standard output, a file, or a folder."""
    from firmware_host.service.game_exports import into_folder, joined
    from firmware_host.service.safe_files import replace_file

    if out is None:
        to_standard_output(joined(form, sources))
    elif out.endswith("/") or os.path.isdir(out):  # Path fails on a name that is too long
        into_folder(Path(out), form, sources)
    else:
        replace_file(Path(out), joined(form, sources))


def to_standard_output(data: bytes) -> None:
    """All of it; raises RecordError where it cannot be written, BrokenPipeError where nobody reads."""
    sys.stdout.flush()
    try:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still buffered goes nowhere: Python would fail again, and say so, when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise RecordError(f"standard output cannot be written: {error.strerror}") from error


@click.command("import")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--format", "form", type=FormatName("read"), help="what the files hold; else as they look")
@click.option("--to", type=FormatName("write"), default="json", show_default=True, help="what is written")
@out_option
@one_sentence
def import_command(files: tuple[str, ...], form: str | None, to: str, out: str | None) -> None:
    """Read games of any format and write them in another; `-` is standard input.

    What the other format does not hold is told on standard error, once for each kind of thing. A file that
    cannot be read is named, the rest is written, and the exit code is 2.
    """
    from firmware_host.service.game_exports import tell_losses
    from firmware_host.service.game_sources import from_files

    wrong: list[str] = []

    def tell(sentence: str) -> None:
        wrong.append(sentence)
        complain(sentence)

    sources = list(from_files(files, form, tell))
    for source in sources:
        tell_notes(source)
    if sources:
        write(sources, to, out)
        tell_losses(to, sources, complain)
    sys.exit(2 if wrong else 0)


@click.command("event")
@click.argument("folder", required=False, metavar="[FOLDER]", type=click.Path(readable=False, path_type=Path))
@click.option(
    "--journal", "journals", multiple=True, type=click.Path(readable=False, path_type=Path),
    help="a table's journal; one for each table",
)  # fmt: skip
@click.option("--event", "event", metavar="NAME", help="games of this event alone; else of the last game's")
@click.option("--every", is_flag=True, help="games of all events")
@click.option(
    "--out",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="where to; else event, in FOLDER if it is given",
)
@click.option("--lang", "language", type=click.Choice(LANGUAGES), default="en", show_default=True)
@click.option(
    "--for", "audience", type=click.Choice(AUDIENCES), default="arbiter", show_default=True,
    help="leave out what they may not know (games of journals)",
)  # fmt: skip
@one_sentence
def event_command(
    folder: Path | None,
    journals: tuple[Path, ...],
    event: str | None,
    every: bool,
    out: Path | None,
    language: str,
    audience: Any,
) -> None:
    """A whole event at once, of a folder of game files or of the tables' journals.

    Written are the files of every game, all score sheets in one PDF, a cross table to print and one for
    spreadsheets. What cannot be read is named, the rest is written, and the exit code is 2.
    """
    from firmware_host.service.event import (
        files_of,
        games_of_files,
        games_of_journal,
        in_order,
        make_event,
    )

    if (folder is None) is not bool(journals):
        raise RecordError("give a folder of game files, or --journal FILE for each table")
    wrong: list[str] = []
    out = out or (folder or Path()) / "event"
    with progress() as done:
        if folder is not None:
            sources = games_of_files(files_of(folder, out, wrong.append), wrong.append, done)
        else:
            sources = []
            for journal in journals:
                sources += games_of_journal(journal, audience, wrong.append, done)
        sources = in_order(sources)
        if not every and event is None and sources:
            event = max(sources, key=lambda source: source.record.header.date).record.header.event
        known = len(sources)
        if not every:
            sources = [source for source in sources if source.record.header.event == event]
        if sources and (others := known - len(sources)):
            complain(f"{counted(others, 'game')} of other events left out; --every takes all")
        for source in sources:
            tell_notes(source)
        try:
            if wrong and not known:
                sys.exit(2)
            made = make_event(sources, out, language, event or None, done, complain)
        finally:
            for sentence in wrong:
                complain(sentence)
    games, players = counted(made.games, "game"), counted(made.players, "player")
    click.echo(f"{out}: {games} of {players}, {counted(len(made.files), 'file')}")
    sys.exit(2 if wrong else 0)


def tell_notes(source: "Source") -> None:
    """Say how a file was taken where it left something open, and what of it was not read."""
    for note in source.notes:
        complain(f"{source.name}: {note}")


def counted(count: int, what: str) -> str:
    """`1 game`, `2 games`."""
    return f"{count} {what}" if count == 1 else f"{count} {what}s"


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """A bar on standard error if that is a terminal; what it gives is told how many of how many are done."""
    if not sys.stderr.isatty():
        yield lambda _what, _done, _of: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True, redirect_stdout=False) as bar:
        tasks: dict[str, Any] = {}

        def done(what: str, count: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bar.add_task(what, total=of)
            bar.update(tasks[what], completed=count, total=of)

        yield done
