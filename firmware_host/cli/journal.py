"""`renju-board journal`: the games in a journal, whether they are what was written, and what to do if not."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from firmware_host.cli.common import journal_option, one_sentence, open_journal, pick_game, printable
from firmware_host.cli.words import to_json, value_in_words
from firmware_host.errors import RecordError

if TYPE_CHECKING:
    from firmware_host.service.journal_rows import Entry
    from firmware_host.service.journal_summary import Summary


@click.group("journal")
def journal_group() -> None:
    """The games in a journal."""


json_option = click.option("--json", "as_json", is_flag=True, help="one JSON object a line")


@journal_group.command("list")
@journal_option
@json_option
@one_sentence
def journal_list(path: Path | None, config_path: Path | None, as_json: bool) -> None:
    """One line a game: when, where, who, how many moves, its result or its state."""
    import msgspec

    from firmware_host.service.journal_summary import summary

    with open_journal(path, config_path) as reader:
        for game in reader.games():
            found = summary(reader, game)
            click.echo(msgspec.json.encode(found).decode() if as_json else list_line(found))


def list_line(found: "Summary") -> str:
    """A game of the list, for people."""
    header = found.header
    players = f"{header.first.name or 'Black'} - {header.second.name or 'White'}"
    result = found.result
    end = f"{result.black:g}-{result.white:g} {result.reason}" if result else found.state
    if found.state == "pruned" and result:
        end += ", pruned"
    moves = "? moves" if found.moves is None else f"{found.moves} moves"
    event = f"{header.event}  " if header.event else ""
    round_ = f"round {header.round}  " if header.round is not None else ""
    where = f"{event}{round_}table {header.table}"
    return printable(f"{found.number:4}  {header.date}  {where}  {players}  {moves}  {end}")


@journal_group.command("show")
@journal_option
@json_option
@click.argument("number", type=int, required=False)
@one_sentence
def journal_show(path: Path | None, config_path: Path | None, as_json: bool, number: int | None) -> None:
    """Every input of a game (the last one if no number is given) with its rulings."""
    from firmware_host.service.journal_chain import short
    from firmware_host.service.journal_summary import summary
    from firmware_host.wire import to_wire

    with open_journal(path, config_path) as reader:
        game = pick_game(reader, number)
        entries = reader.entries(game)
        if not as_json:
            click.echo(list_line(summary(reader, game)).strip())
            click.echo(f"head {short(reader.head(game))}, program {game.code_version}")
        for entry in entries:
            if not as_json:
                click.echo(show_lines(entry))
                continue
            line = {
                "seq": entry.seq,
                "input": to_wire(entry.given),
                "rulings": [to_wire(ruling) for ruling in entry.rulings],
                "late_ns": entry.late_ns,
                "wall_ns": entry.wall_ns,
                "synchronised": entry.synchronised,
                "boot_id": entry.boot_id,
                "hash": entry.hash,
            }
            click.echo(to_json(line))


def show_lines(entry: "Entry") -> str:
    """An input and its rulings, for people: when it was by the game's time, its number, and what it was."""
    from firmware_host.wire import to_wire

    given = to_wire(entry.given)
    given.pop("t_ns")
    what = given.pop("event")
    late = f"  (came {entry.late_ns / 1e9:.3f} s late)" if entry.late_ns else ""
    lines = [f"{entry.t_ns / 1e9:10.3f}  {entry.seq:5}  {what:<9} {fields_in_words(given)}".rstrip() + late]
    for ruling in entry.rulings:
        told = to_wire(ruling)
        told.pop("t_ns")
        kind = told.pop("ruling")
        lines.append(f"{'':17}    -> {kind} {fields_in_words(told)}".rstrip())
    return "\n".join(lines)


def fields_in_words(fields: dict[str, Any]) -> str:
    """The fields of an input or a ruling, for people; what is not so is left out."""
    if isinstance(stones := fields.get("stones"), str):
        fields = {**fields, "stones": stones_in_words(stones)}
    said = (
        k if v is True else f"{k} {value_in_words(v)}"
        for k, v in fields.items()
        if v not in (None, False, [])
    )
    return " ".join("  ".join(said).split("\n"))


def stones_in_words(stones: str) -> str:
    """What lies on the board, such as `X H8 I9, O H9`, of its 225 characters."""
    from firmware_host.board import NAMES

    found = {kind: [NAMES[p] for p, at in enumerate(stones) if at == kind] for kind in "XO?"}
    return ", ".join(" ".join((kind, *points)) for kind, points in found.items() if points) or "none"


@journal_group.command("verify")
@journal_option
@click.option("--head", default="", metavar="HASH", help="look for this hash, printed on a sheet or told")
@one_sentence
def journal_verify(path: Path | None, config_path: Path | None, head: str) -> None:
    """Check pages, chain, missing entries, and rule every game again.

    Each thing that is found is one sentence, and then the exit code is 1.
    """
    from firmware_host.service.journal_verify import verify

    wrong = False
    with open_journal(path, config_path) as reader:
        for said in verify(reader, head):
            wrong = wrong or said.wrong
            click.echo(f"wrong: {said.sentence}" if said.wrong else said.sentence)
    sys.exit(1 if wrong else 0)


@journal_group.command("repair")
@journal_option
@click.option("--to", type=click.Path(path_type=Path), help="the new file; else beside the old one")
@one_sentence
def journal_repair(path: Path | None, config_path: Path | None, to: Path | None) -> None:
    """Write what can be read of a damaged journal into a new one; the damaged one stays as it is.

    What is missing is named, and then the exit code is 1. A journal of an older version becomes one of this.
    """
    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.journal import held
    from firmware_host.service.journal_repair import repair

    path = (path or journal_path(load_config(config_path))).absolute()
    with held(path):
        done = repair(path, to)
    for sentence in done.told:
        click.echo(sentence)
    for sentence in done.missing:
        click.echo(f"wrong: {sentence}")
    click.echo(f"written: {done.path}; {path} is as it was")
    click.echo(
        f"to go on with it: move {path.name} and {path.name}-wal away and rename {done.path.name}, "
        f"or run with --set journal.path={done.path}"
    )
    sys.exit(1 if done.missing else 0)


@journal_group.command("prune")
@journal_option
@click.option("--older-than", "days", type=click.IntRange(0), metavar="DAYS", help="games that began before")
@click.option("--down-to", "megabytes", type=click.IntRange(0), metavar="MB", help="the oldest, to this size")
@click.option("--yes", is_flag=True, help="do not ask")
@click.argument("numbers", type=int, nargs=-1, metavar="[GAME]...")
@one_sentence
def journal_prune(
    path: Path | None,
    config_path: Path | None,
    days: int | None,
    megabytes: int | None,
    yes: bool,
    numbers: tuple[int, ...],
) -> None:
    """Remove the entries of games that are over; their rows stay, and the chain stays whole.

    It says which, and asks. Export what is worth keeping first: it cannot be undone.
    """
    from firmware_host.service.config import journal_path, load_config
    from firmware_host.service.journal import held
    from firmware_host.service.journal_prune import plan, prune
    from firmware_host.service.wall_clock import synchronised

    if days is None and megabytes is None and not numbers:
        raise RecordError("prune needs to know what: --older-than DAYS, --down-to MB, or numbers of games")
    path = (path or journal_path(load_config(config_path))).absolute()
    with held(path):
        planned = plan(path, numbers=numbers, older_than_days=days, down_to_mb=megabytes)
        for sentence in planned.stay:
            click.echo(sentence)
        for game, size in planned.go:
            click.echo(f"{list_line(game)}  {size / 1e6:.1f} MB")
        if not planned.go:
            click.echo("nothing to remove")
            return
        if days is not None and not synchronised():
            click.echo("the time of day is not synchronised: look at the dates above")
        count = "1 game" if len(planned.go) == 1 else f"{len(planned.go)} games"
        if not (yes or click.confirm(f"remove the entries of {count} for good?")):
            click.echo("nothing was removed")
            return
        before = path.stat().st_size
        trouble = prune(path, planned)
    click.echo(
        f"removed: {count}; {path} was {before / 1e6:.1f} MB and is {path.stat().st_size / 1e6:.1f} MB"
    )
    if trouble:
        click.echo(f"renju-board: {trouble}", err=True)
