"""The commands. Each imports what it needs when it is called, so that a small one stays quick.

Bad input ends in one sentence on standard error and exit code 2.
"""

import sys
from collections.abc import Callable, Iterator
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec

import click

from firmware_host import __version__
from firmware_host.errors import BoardError, ConfigError, NotationError

P = ParamSpec("P")


def one_sentence(command: Callable[P, None]) -> Callable[P, None]:
    """Turn the errors that are meant for people into one sentence and exit code 2."""

    @wraps(command)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> None:
        from hw import DeviceError

        try:
            command(*args, **kwargs)
        except BrokenPipeError:
            sys.stderr.close()
            sys.exit(0)
        except (BoardError, DeviceError) as error:
            click.echo(f"renju-board: {error}", err=True)
            sys.exit(2)

    return wrapped


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def main() -> None:
    """The controller of an electronic renju board."""


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
@click.option("--pace", default=1.2, show_default=True, help="seconds that the robot thinks about a move")
@one_sentence
def demo(
    config_path: Path | None,
    overrides: tuple[str, ...],
    record_trace: Path | None,
    game: Path | None,
    number: int,
    pace: float,
) -> None:
    """Open a simulated table in the browser; with --game a robot hand plays it."""
    from firmware_host.service.config import load_config
    from firmware_host.service.daemon import serve
    from firmware_host.service.robot import read_game

    moves = read_game(game, number) if game else None
    defaults = [*DEMO, *(["match.opening=free"] if moves else [])]
    config = load_config(config_path, [*defaults, *overrides])
    serve(config, record_trace=record_trace, robot=moves, pace_s=pace, fresh=True)


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
    built: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.startswith("match."):
            raise ConfigError(key, value, "match.NAME=VALUE, a match setting")
        built[key.removeprefix("match.")] = int(value) if value.isdecimal() else value
    return built


def in_words(line: dict[str, Any]) -> str:
    """One line for people."""
    if "final" in line:
        return "\n".join(f"{key}: {value}" for key, value in line["final"].items())
    rest = {k: v for k, v in line.items() if k not in ("t", "event", "ruling")}
    what = line.get("event") or f"  {line['ruling']}"
    return f"{line['t']:9.3f}  {what:<20} {'  '.join(f'{k} {v}' for k, v in rest.items())}"


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


def numbered_lines() -> Iterator[tuple[int, str]]:
    """The lines of standard input, from 1, whatever the locale; a broken encoding is a NotationError."""
    for number, raw in enumerate(sys.stdin.buffer, 1):
        try:
            yield number, raw.decode("utf-8").rstrip("\r\n")
        except UnicodeDecodeError as error:
            raise NotationError(f"line {number}: byte {error.start + 1} is not UTF-8") from error


@main.command()
@click.option("--config", "config_path", type=click.Path(path_type=Path), help="a board.toml")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE")
@one_sentence
def check(config_path: Path | None, overrides: tuple[str, ...]) -> None:
    """Read a configuration and say what it means, or what is wrong with it."""
    from firmware_host.service.config import describe, load_config

    click.echo(describe(load_config(config_path, overrides)))


if __name__ == "__main__":
    main()
