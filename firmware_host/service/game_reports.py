"""`renju-board adjudicate`: files of games in, a line for each game out, for people or for programs."""

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import msgspec

from firmware_host.adjudicate import Findings, Result, Rules, Win, adjudicate
from firmware_host.board import NAMES
from firmware_host.errors import RecordError
from firmware_host.record.formats import FORMATS, format_of
from firmware_host.record.game_files import Malformed, Outcome, read_games

Say = Callable[[str], None]

STDIN: Final = "-"
DRAWN_EVERY_S: Final = 0.1


def report_files(
    paths: Sequence[str],
    given: Mapping[str, str | None],
    *,
    form: str | None,
    as_json: bool,
    say: Say,
    complain: Say,
) -> bool:
    """Judge every game of the files; True if everything could be read.

    `given` are the rules asked for, over what a file names; `form` is a key of `record.formats.FORMATS`,
    None for what each file looks like. `complain` is told in one sentence what cannot be read, and the rest
    goes on; and what was to be said of a game that was read.
    """
    files: dict[str, tuple[str, str | bytes]] = {}
    for path in dict.fromkeys(paths):
        try:
            files[path] = _read(path, form)
        except RecordError as error:
            complain(str(error))
    sound = len(files) == len(set(paths))
    held: list[str] = []
    tell = held.append if sys.stderr.isatty() and sys.stdout.isatty() else say  # no line into the bar
    if files and not as_json:
        tell(_columns(_HEAD))
    with _progress({path: _lines(data) for path, (_, data) in files.items()}) as done:
        for path, (kind, data) in files.items():
            empty = True
            for game in read_games(data, kind):
                if isinstance(game, Malformed):
                    sound = False
                    move = f", move {game.move}" if game.move else ""
                    complain(f"{path}: line {game.line}, game {game.game}{move}: {game.reason}")
                    if as_json:
                        tell(_json(path, msgspec.to_builtins(game)))
                else:
                    for note in game.notes:
                        complain(f"{path}: line {game.line}, game {game.game}: {note}")
                    found = adjudicate(game, Rules.of(given, game.rules))
                    if as_json:
                        tell(_json(path, {"line": game.line, "game": game.game, **as_object(found)}))
                    else:
                        tell(_columns((f"{Path(path).name}:{game.line}", *in_words(found))))
                done(path, game.line)
                empty = False
            if empty:
                sound = False
                complain(f"{path} holds no game")
    for line in held:
        say(line)
    return sound


def _read(path: str, form: str | None) -> tuple[str, str | bytes]:
    """The format of a file and what it holds: bytes, or for a format of text its characters."""
    if path == STDIN and sys.stdin is None:
        raise RecordError("standard input is closed; games are read from it")
    try:
        raw = sys.stdin.buffer.read() if path == STDIN else Path(path).read_bytes()
        kind = form or format_of(path, raw)
        return kind, raw if FORMATS[kind].binary else raw.decode("utf-8-sig")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise RecordError(f"{path} cannot be read: byte {error.start + 1} is not UTF-8") from error


def _lines(data: str | bytes) -> int:
    return 1 + (data.count(b"\n") if isinstance(data, bytes) else data.count("\n"))


@contextmanager
def _progress(lines: Mapping[str, int]) -> Iterator[Callable[[str, int], None]]:
    """A bar on standard error if that is a terminal; the function it gives is told how far a file is read."""
    if not sys.stderr.isatty():
        yield lambda _path, _line: None
        return
    from rich.console import Console
    from rich.progress import Progress

    # The bar's console takes over what is written to standard error; standard output stays what it is. It is
    # drawn here, not by a thread of its own, which could still be at it when the program ends.
    bar = Progress(console=Console(stderr=True), transient=True, redirect_stdout=False, auto_refresh=False)
    drawn_s = 0.0
    with bar as progress:
        bars = {path: progress.add_task(Path(path).name, total=total) for path, total in lines.items()}

        def done(path: str, line: int) -> None:
            nonlocal drawn_s
            now_s = time.monotonic()
            due = now_s - drawn_s >= DRAWN_EVERY_S
            drawn_s = now_s if due else drawn_s
            progress.update(bars[path], completed=line, refresh=due)

        yield done
        for path, total in lines.items():
            done(path, total)


# For programs


def _json(path: str, fields: dict[str, Any]) -> str:
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    return msgspec.json.encode({"file": name, **fields}).decode()


def as_object(found: Findings) -> dict[str, Any]:
    """The findings as a JSON object; docs/formats.md says what its keys hold."""
    opening = found.opening
    return {
        "moves": found.moves,
        "opening": opening and {"code": opening.code, "zh": opening.zh, "romaji": opening.romaji},
        "forbidden": [{"n": f.n, "point": NAMES[f.point], "kind": f.kind} for f in found.forbidden],
        "unclaimed": found.unclaimed and _win(found.unclaimed),
        "result": found.result and msgspec.to_builtins(found.result),
        "recorded": found.recorded and dict(zip(("winner", "reason"), found.recorded, strict=True)),
        "contradicts": found.contradicts,
    }


def _win(win: Win) -> dict[str, Any]:
    return {"n": win.n, "point": NAMES[win.point], "winner": win.winner, "reason": win.reason}


# For people

_HEAD: Final = ("file:line", "moves", "opening", "result", "not claimed", "forbidden moves")
_WIDTHS: Final = (20, 5, 17, 30, 28, 0)


def _columns(cells: Sequence[str]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(cells, _WIDTHS, strict=True)).rstrip()


def in_words(found: Findings) -> tuple[str, ...]:
    """The findings as the cells of a line: moves, opening, result, first win not claimed, forbidden moves."""
    unclaimed = found.unclaimed
    return (
        str(found.moves),
        f"{found.opening.code} {found.opening.romaji}" if found.opening else "-",
        _outcome(found.result, found.recorded) + (" (contradicts!)" if found.contradicts else ""),
        f"{unclaimed.winner}: {unclaimed.n} {NAMES[unclaimed.point]} {unclaimed.reason}"
        if unclaimed
        else "-",
        ", ".join(f"{f.n} {NAMES[f.point]} {f.kind}" for f in found.forbidden) or "-",
    )


def _outcome(result: Result | None, recorded: Outcome | None) -> str:
    """What is recorded, else what the moves decide."""
    if recorded is not None:
        winner, reason = recorded
        return f"{winner or 'draw'}, {reason} (recorded)"
    if result is None:
        return "open"
    claim = " if claimed" if result.if_claimed else ""
    return f"{result.winner or 'draw'}, {result.reason} {result.n}{claim}"
