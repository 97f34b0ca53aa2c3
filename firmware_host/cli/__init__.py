"""The commands. Each imports what it needs when it is called, so that a small one stays quick.

Bad input ends in one sentence on standard error and exit code 2.
"""

import sys
from collections.abc import Callable, Iterator
from io import TextIOWrapper
from pathlib import Path
from typing import Any, Final

import click

from firmware_host import __version__
from firmware_host.cli.common import DEMO_JOURNAL, one_sentence
from firmware_host.cli.journal import journal_group
from firmware_host.cli.pin import pin_command
from firmware_host.cli.records import event_command, export_command, import_command
from firmware_host.cli.sheet import sheet
from firmware_host.cli.words import in_words, to_json
from firmware_host.errors import BoardError, ConfigError, NotationError

FORMS: Final = ("moves", "json", "sgf", "psq", "renlib", "renjunet")
"""The formats of game files, by the names that `record.formats` gives them (a test compares)."""


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
    from firmware_host.service.robot import PACE_S, read_game

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

    A file is of any format with moves: records as JSON, SGF, PSQ, move lists, ..; `-` is standard input.
    Rules that are not given are those of the file, else claim, wins, ends. A game that cannot be read is
    named on standard error, the rest go on, and the exit code is 2.
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


main.add_command(journal_group)
for command in (export_command, import_command, event_command, pin_command, sheet):
    main.add_command(command)
