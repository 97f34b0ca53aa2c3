"""`renju-board sheet`: the score sheet of a game of the journal, or a blank one, as PDF or SVG."""

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from firmware_host.cli.common import complain, journal_option, one_sentence, open_journal, pick_game
from firmware_host.errors import ConfigError

if TYPE_CHECKING:
    from firmware_host.record.drawing import Drawing
    from firmware_host.referee.rulings import Audience
    from firmware_host.service.config import Config

FORMS: Final = (".pdf", ".svg")


@click.command()
@journal_option
@click.option("--out", type=click.Path(path_type=Path), help="FILE.pdf or FILE.svg; else sheet-GAME.pdf here")
@click.option("--lang", type=click.Choice(["en", "zh", "ja"]), help="the language; else that of [records]")
@click.option(
    "--copy",
    type=click.Choice(["arbiter", "players", "public"]),
    default="arbiter",
    show_default=True,
    help="whose copy: irregular actions and penalties are on the arbiter's alone",
)
@click.option("--ranges", is_flag=True, help="moves 1-100 and the later ones on a diagram each")
@click.option("--blank", is_flag=True, help="an empty sheet to be written by hand")
@click.argument("number", metavar="[GAME]", type=int, required=False)
@one_sentence
def sheet(
    path: Path | None,
    config_path: Path | None,
    out: Path | None,
    lang: str | None,
    copy: "Audience",
    ranges: bool,
    blank: bool,
    number: int | None,
) -> None:
    """The score sheet of a game (the last one if no number is given), one A4 page.

    A configuration gives language and address, and with --blank the names that are already known.
    """
    from firmware_host.service.config import load_config
    from firmware_host.service.safe_files import replace_file

    if out is not None and out.suffix.lower() not in FORMS:
        raise ConfigError("--out", str(out), "a file that ends with .pdf or .svg")
    config = load_config(config_path)
    language = lang or config.records.language
    if blank:
        drawings, name = blank_sheet(config, language), "sheet-blank"
    else:
        drawings, name = game_sheet(path, config_path, config, number, copy, language, ranges)
    out = out or Path(f"{name}.pdf")
    replace_file(out, form_of(drawings, out.suffix.lower()))
    click.echo(str(out))


def blank_sheet(config: "Config", language: str) -> "tuple[Drawing, ...]":
    """An empty sheet with the names that a configuration knows."""
    from firmware_host.record.game import GameRecord
    from firmware_host.service.sheets import pages_of
    from firmware_host.service.table_settings import header_asked

    record = GameRecord(header=header_asked(config.table), settings=config.match)
    return pages_of(record, language=language, blank=True)


def game_sheet(
    path: Path | None,
    config_path: Path | None,
    config: "Config",
    number: int | None,
    copy: "Audience",
    language: str,
    ranges: bool,
) -> "tuple[tuple[Drawing, ...], str]":
    """The sheet of a game of the journal, and what its file is called."""
    from firmware_host.service.game_sources import record_in
    from firmware_host.service.sheets import pages_of

    with open_journal(path, config_path) as reader:
        game = pick_game(reader, number)
        record = record_in(reader, game, copy)
    drawings = pages_of(record, language=language, address=config.records.address, ranges=ranges)
    return drawings, f"sheet-{game.number}"


def form_of(drawings: "tuple[Drawing, ...]", suffix: str) -> bytes:
    """The pages in the form that a file's name asks for, of SVG the first; says what could not be drawn."""
    from firmware_host.record.svg import to_svg
    from firmware_host.service.pdf import to_pdf

    if suffix == ".svg":
        return to_svg(drawings[0]).encode()
    made = to_pdf(drawings)
    for note in made.notes:
        complain(note)
    return made.data
