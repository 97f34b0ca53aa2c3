"""The commands. Each imports what it needs when it is called, so that a small one stays quick.

Bad input ends in one sentence on standard error and exit code 2.
"""

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial, wraps
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, ParamSpec

import click

from firmware_host import __version__
from firmware_host.errors import BoardError, ConfigError, NotationError, RecordError

if TYPE_CHECKING:
    from firmware_host.service.journal_file import Game, JournalReader

P = ParamSpec("P")

READER_GONE: Final = 141
"""The exit code when standard output was closed: 128 + SIGPIPE, which a shell shows for other programs."""

FORMS: Final = ("moves", "json")
"""The formats of game files, by the names that `record.game_files` gives them."""

DEMO_JOURNAL: Final = "demo.db"
"""The journal of the demo, beside that of a table."""

PACE_S: Final = (0.1, 60)
"""How long a robot may think about a move, both ends included."""


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
            click.echo(f"renju-board: {error}", err=True)
            sys.exit(2)

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """The controller of an electronic renju board."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a terminal of few letters shows the others by their numbers
            stream.reconfigure(errors="backslashreplace")


def daemon_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that `run` and `demo` share."""
    for option in (
        click.option("--config", "config_path", type=click.Path(path_type=Path), help="a board.toml"),
        click.option(
            "--set", "overrides", multiple=True, metavar="KEY=VALUE", help="a setting, e.g. match.time=15m"
        ),
        click.option(
            "--record-trace", type=click.Path(path_type=Path), help="write every frame, key and command here"
        ),
    ):
        command = option(command)
    return command


@main.command()
@daemon_options
@one_sentence
def run(config_path: Path | None, overrides: tuple[str, ...], record_trace: Path | None) -> None:
    """Run the table of a configuration until SIGTERM."""
    from firmware_host.service.config import load_config
    from firmware_host.service.daemon import serve

    serve(load_config(config_path, overrides), record_trace=record_trace)


@main.command()
@daemon_options
@click.option("--game", type=click.Path(path_type=Path), help="a file of move lists; a robot hand plays one")
@click.option("--number", default=1, show_default=True, help="which game of the file, from 1")
@click.option("--new", is_flag=True, help="begin a new game even if the last one is not over")
@click.option(
    "--pace", default=1.2, show_default=True, help="seconds that the robot thinks about a move, 0.1 to 60"
)
@one_sentence
def demo(
    config_path: Path | None,
    overrides: tuple[str, ...],
    record_trace: Path | None,
    game: Path | None,
    number: int,
    new: bool,
    pace: float,
) -> None:
    """Open a simulated table in the browser.

    A game that was not over goes on; with --game a robot hand plays a recorded one from its beginning.
    """
    from msgspec.structs import replace

    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.daemon import serve
    from firmware_host.service.robot import read_game

    low, high = PACE_S
    if not low <= pace <= high:
        raise ConfigError("--pace", pace, f"{low:g} to {high:g} seconds")
    moves = read_game(game, number) if game else None
    defaults = [*DEMO, *(["match.opening=free"] if moves else [])]
    config = load_config(config_path, [*defaults, *overrides])
    if not config.journal.path:
        path = str(journal_path(config).with_name(DEMO_JOURNAL))
        config = replace(config, journal=replace(config.journal, path=path))
    serve(
        config,
        record_trace=record_trace,
        robot=moves,
        pace_s=pace,
        new=new or moves is not None,
        asked="ARGS=--new (the option --new) begins another with what was asked",
    )


DEMO = (
    "scanner.kind=simulator",
    "clock.faces=simulator",
    "clock.buzzer=simulator",
    "match.time=15m",
    "table.name=demo",
)


@main.command()
@click.argument("trace", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="one JSON object a line")
@click.option(
    "--set",
    "overrides",
    multiple=True,
    metavar="match.KEY=VALUE",
    help="a match setting over the trace's own",
)
@one_sentence
def replay(trace: Path, as_json: bool, overrides: tuple[str, ...]) -> None:
    """Play a recorded trace through sensing and referee and print what happened."""
    from firmware_host.service.replay import replay as play

    for line in play(trace, match_overrides(overrides)):
        click.echo(to_json(line) if as_json else in_words(line))


def match_overrides(texts: tuple[str, ...]) -> dict[str, Any]:
    """`match.opening=free` -> {"opening": "free"}; raises ConfigError."""
    from firmware_host.service.config import read_override

    read = (read_override(text, "match") for text in texts)
    return {row.name: value for row, value in read}


def in_words(line: dict[str, Any]) -> str:
    """One line for people; of the end several."""
    if "final" in line:
        return end_in_words(line["final"])
    rest = {k: v for k, v in line.items() if k not in ("t", "event", "ruling")}
    what = line.get("event") or f"  {line['ruling']}"
    told = (k if v is True else f"{k} {value_in_words(v)}" for k, v in rest.items() if v not in (None, False))
    return f"{line['t']:9.3f}  {what:<20} {'  '.join(told)}".rstrip()


def value_in_words(value: object) -> str:
    """A value of a JSON object, without brackets and quotes."""
    match value:
        case dict():
            return ", ".join(f"{k} {value_in_words(v)}" for k, v in value.items() if v is not None)
        case list() | tuple() if any(isinstance(item, dict) for item in value):
            return "; ".join(map(value_in_words, value)) or "none"
        case list() | tuple():
            return " ".join(map(value_in_words, value)) or "none"
        case float():
            return f"{value:g}"
        case None:
            return "-"
    return str(value)


def end_in_words(end: dict[str, Any]) -> str:
    """The game at the end of a trace, a line each; among the moves `-` is a pass or one that nobody knows."""
    result = "not over"
    if end["result"]:
        winner = f"{end['winner']} wins" if end["winner"] else "draw"
        result = f"{winner}, {value_in_words(end['result'])}, {end['reason']}"
    left = [f"{side} {ms / 1000:g} s" for side, ms in (end["remaining_ms"] or {}).items()]
    irregular = [f"{found['code']} {found['point'] or ''}".rstrip() for found in end["irregular"]]
    return "\n".join(
        (
            f"moves: {value_in_words(end['moves'])}",
            f"irregular actions: {', '.join(irregular) or 'none'}",
            f"result: {result}",
            f"time left: {', '.join(left) or 'no limit'}",
        )
    )


def to_json(line: dict[str, Any]) -> str:
    """One line of JSON."""
    import msgspec

    return msgspec.json.encode(line).decode()


@main.command()
@click.option("--json", "as_json", is_flag=True, help="one JSON object a line (else names and kinds)")
@one_sentence
def forbidden(as_json: bool) -> None:
    """Forbidden points of the positions on standard input, one a line.

    A position is 225 characters `.XO` (A1 B1 .. O1 A2 .. O15) or a move list `h8 i9 j10`.
    """
    import msgspec

    from firmware_host.rules.query import forbidden_line

    for number, text in numbered_lines():
        try:
            answer = forbidden_line(text)
        except (NotationError, BoardError) as error:
            sys.stdout.flush()
            raise NotationError(f"line {number}: {error}") from error
        if as_json:
            sys.stdout.write(answer + "\n")
        else:
            found = msgspec.json.decode(answer)["forbidden"]
            sys.stdout.write((", ".join(f"{p} {kind}" for p, kind in found.items()) or "none") + "\n")
    sys.stdout.flush()


@main.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option("--json", "as_json", is_flag=True, help="one JSON object a game")
@click.option("--format", "form", type=click.Choice(FORMS), help="what the files hold; else as they look")
@click.option(
    "--forbidden", type=click.Choice(["claim", "automatic", "off"]), help="who acts on a forbidden move"
)
@click.option("--overline", type=click.Choice(["wins", "nothing"]), help="without forbidden moves")
@click.option("--five", type=click.Choice(["ends", "claim"]), help="whether a five ends the game by itself")
@one_sentence
def adjudicate(files: tuple[str, ...], as_json: bool, form: str | None, **rules: str | None) -> None:
    """Opening, forbidden moves, the first win that nobody claimed and the result of recorded games.

    A file holds move lists, one a line, or records as JSON; `-` is standard input. Rules that are not given
    are those of the record, else claim, wins, ends. A game that cannot be read is named on standard error,
    the rest go on, and the exit code is 2.
    """
    from firmware_host.service.game_reports import report_files

    sound = report_files(
        files,
        rules,
        form=form,
        as_json=as_json,
        say=click.echo,
        complain=lambda sentence: click.echo(f"renju-board: {sentence}", err=True),
    )
    sys.exit(0 if sound else 2)


def numbered_lines() -> Iterator[tuple[int, str]]:
    """The lines of standard input, from 1, whatever the locale; a broken encoding is a NotationError."""
    if sys.stdin is None:
        raise NotationError("standard input is closed; positions are read from it, one a line")
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            yield number, raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise NotationError(f"line {number}: byte {error.start + 1} is not UTF-8") from error


def maker_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options that `check` and `calibrate` share."""
    for option in (
        click.option("--config", "config_path", type=click.Path(path_type=Path), help="a board.toml"),
        click.option(
            "--set",
            "overrides",
            multiple=True,
            metavar="KEY=VALUE",
            help="a setting, e.g. scanner.rate_hz=100",
        ),
        click.option("--page", is_flag=True, help="show the sensors at /check too, at web.host and web.port"),
    ):
        command = option(command)
    return command


@main.command()
@maker_options
@click.option("--devices/--no-devices", default=None, help="test the devices; else only if one is real")
@click.option("--no-questions", is_flag=True, help="ask nothing; what needs hands is left out")
@click.option("--watch", is_flag=True, help="show the sensors' readings until Ctrl-C, and test nothing")
@click.option(
    "--report", type=click.Path(path_type=Path), help="where the report goes: FILE.txt and FILE.json"
)
@one_sentence
def check(
    config_path: Path | None,
    overrides: tuple[str, ...],
    no_questions: bool,
    page: bool,
    devices: bool | None,
    watch: bool,
    report: Path | None,
) -> None:
    """Say what a configuration means, or what is wrong with it; then test its devices.

    Devices are tested when one of them is real, simulated ones with --devices. The exit code is 1 if the
    table is not fit for play.
    """
    from firmware_host.service.check import is_simulated
    from firmware_host.service.config import describe, load_config
    from firmware_host.service.workbench import run_check, run_watch

    config = load_config(config_path, overrides)
    if watch:
        run_watch(config, page=page)
    elif devices is False or (devices is None and is_simulated(config)):
        click.echo(describe(config))
    else:
        click.echo("configuration: ok (--no-devices prints it)")
        sys.exit(0 if run_check(config, report, questions=not no_questions, page=page) else 1)


@main.command()
@maker_options
@click.option("--white", is_flag=True, help="sweep with white stones as well")
@one_sentence
def calibrate(config_path: Path | None, overrides: tuple[str, ...], page: bool, white: bool) -> None:
    """Measure zero and gain of every linear sensor: the empty board, then stones over all points.

    The result is calibration.json in the state directory, and sensing begins with it.
    """
    from firmware_host.service.config import load_config
    from firmware_host.service.workbench import run_calibrate

    run_calibrate(load_config(config_path, overrides), page=page, white=white)


@main.command("time")
@click.argument("control", nargs=-1)
@one_sentence
def time_control(control: tuple[str, ...]) -> None:
    """A time control in words, such as 60m then 10 moves/5m repeating; without one, the usual ones."""
    from firmware_host.clock import GRADES, LANGUAGES, control_words, parse_control

    for text in [" ".join(control)] if control else GRADES:
        read = parse_control(text)
        click.echo(read.text)
        for language in LANGUAGES:
            click.echo(f"    {control_words(read, language)}")


@main.group()
def journal() -> None:
    """The games in a journal."""


def journal_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where the journal is: `--journal FILE`, or as a configuration says."""
    for option in (
        click.option("--journal", "path", type=click.Path(path_type=Path), help="the journal's file"),
        click.option("--config", "config_path", type=click.Path(path_type=Path), help="a board.toml"),
    ):
        command = option(command)
    return command


@contextmanager
def open_journal(path: Path | None, config_path: Path | None) -> Iterator["JournalReader"]:
    """A journal to read, while a daemon may write it."""
    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.journal_file import JournalReader

    path = path or journal_path(load_config(config_path))
    demo = path.with_name(DEMO_JOURNAL)
    if not path.exists() and demo.exists():
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


@journal.command("list")
@journal_option
@one_sentence
def journal_list(path: Path | None, config_path: Path | None) -> None:
    """One line a game."""
    from firmware_host.service.game import record_of
    from firmware_host.service.wall_clock import wall_text

    with open_journal(path, config_path) as reader:
        for game in reader.games():
            record = record_of(game, reader.entries(game))
            result = record.result
            end = f"{result.black:g}-{result.white:g} {result.reason}" if result else "not over"
            players = f"{record.header.first.name or 'Black'} - {record.header.second.name or 'White'}"
            click.echo(
                f"{game.number:4}  {wall_text(game.started_wall_ns)}  table {game.table}  {players}  "
                f"{len(record.moves)} moves  {end}"
            )


@journal.command("show")
@journal_option
@click.argument("number", type=int, required=False)
@one_sentence
def journal_show(path: Path | None, config_path: Path | None, number: int | None) -> None:
    """Every input of a game (the last one if no number is given) with its rulings, as JSON lines."""
    import msgspec

    from firmware_host.wire import to_wire

    with open_journal(path, config_path) as reader:
        for entry in reader.entries(pick_game(reader, number)):
            line = {
                "seq": entry.seq,
                "input": to_wire(entry.given),
                "rulings": [to_wire(ruling) for ruling in entry.rulings],
            }
            click.echo(msgspec.json.encode(line).decode())


@journal.command("verify")
@journal_option
@one_sentence
def journal_verify(path: Path | None, config_path: Path | None) -> None:
    """Rule every game again and compare; missing entries and differences are named, exit code 1."""
    from firmware_host.referee.match import Referee
    from firmware_host.service.game import rule_again
    from firmware_host.service.journal_file import verify

    wrong = 0
    with open_journal(path, config_path) as reader:
        for game in reader.games():
            entries = reader.entries(game)
            for first, last in reader.gaps(game):
                wrong += 1
                click.echo(f"game {game.number}: entries {first} to {last} are missing")
            try:
                referee = Referee(game.settings)
            except BoardError as error:
                wrong += 1
                click.echo(f"game {game.number}: cannot be ruled by this version: {error}")
                continue
            for difference in verify(entries, partial(rule_again, referee)):
                wrong += 1
                click.echo(f"game {game.number}, entry {difference.seq}, as ruled: {difference.journalled}")
                click.echo(f"game {game.number}, entry {difference.seq}, today:    {difference.recomputed}")
            click.echo(f"game {game.number}: {len(entries)} entries")
    sys.exit(1 if wrong else 0)


@main.command()
@journal_option
@click.option("--format", "form", type=click.Choice(["json", "text"]), default="text", show_default=True)
@click.argument("number", type=int, required=False)
@one_sentence
def export(path: Path | None, config_path: Path | None, form: str, number: int | None) -> None:
    """Print a game of the journal (the last one if no number is given)."""
    from firmware_host.record.json_format import to_json as record_json
    from firmware_host.record.text_format import to_text
    from firmware_host.service.game import record_of

    with open_journal(path, config_path) as reader:
        game = pick_game(reader, number)
        record = record_of(game, reader.entries(game))
    click.echo(record_json(record) if form == "json" else to_text(record))


if __name__ == "__main__":
    main()
