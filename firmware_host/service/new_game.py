"""A new game as the organiser asks for it: who plays, in which round, by which settings.

What was asked for last is the default of the next game, over restarts too: it is kept in a file beside the
journal. The configuration file is never written. For each setting the file keeps what was entered and what
the configuration said at that time, and a setting that was changed in the configuration since holds instead:
of the two the newer one does.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import msgspec
from msgspec.structs import asdict, replace

from firmware_host.errors import BoardError, ConfigError
from firmware_host.referee.procedures import PROCEDURES, procedure_of
from firmware_host.referee.settings import DEFAULTS_OF, match_settings
from firmware_host.service.config import ROWS, Config, Row
from firmware_host.service.safe_files import replace_file
from firmware_host.service.small_file import read_small_file
from firmware_host.service.table_settings import IN_HEADER

FORMAT: Final = "renju-board-next-game"
VERSION: Final = 1
MOST_BYTES: Final = 100_000

ASKED: Final[Mapping[str, Row]] = {
    row.key: row
    for row in ROWS
    if row.section == "match" or (row.section == "table" and row.name in IN_HEADER)
}
"""The settings that a new game takes: those of its head, and all of its match."""

PERSON: Final = ("", "_id", "_federation", "_rating", "_title")
"""What follows `table.black` and `table.white` in the settings of a player."""

OTHER: Final = {"near": "far", "far": "near"}


class NotPossible(BoardError):
    """A new game that cannot be as it was asked for; `errors` has what is wrong, by the setting's key."""

    def __init__(self, errors: Mapping[str, ConfigError]) -> None:
        super().__init__("; ".join(map(str, errors.values())))
        self.errors = errors


def values_of(config: Config) -> dict[str, Any]:
    """The settings that a new game takes, by their keys."""
    return {key: getattr(getattr(config, row.section), row.name) for key, row in ASKED.items()}


def texts_of(config: Config) -> dict[str, str]:
    """The same as texts, as they are typed; nothing given is an empty one."""
    return {key: "" if value is None else str(value) for key, value in values_of(config).items()}


def asked_for(given: Mapping[str, Any], base: Config) -> Config:
    """`base` with the settings of a new game changed; values may be texts, as they are typed.

    N is left out where the opening has a number of its own, or no offers. Raises NotPossible.
    """
    errors: dict[str, ConfigError] = {}
    read: dict[str, dict[str, Any]] = {"table": {}, "match": {}}
    for key, value in given.items():
        row = ASKED.get(key)
        try:
            if row is None:
                raise ConfigError(key, value, f"a setting of a new game: {', '.join(ASKED)}")
            read[row.section][row.name] = _read(row, value)
        except ConfigError as error:
            errors[key] = error
    match = {**asdict(base.match), **_own_defaults(read["match"], base), **read["match"]}
    if "match.opening" not in errors and not _leaves_n_open(match["opening"]):
        match["offers"] = None
        errors.pop("match.offers", None)
    if not any(key.startswith("match.") for key in errors):
        try:
            procedure_of(match_settings(match))
        except ConfigError as error:
            errors[error.key] = error
    if errors:
        raise NotPossible(errors)
    return replace(base, table=replace(base.table, **read["table"]), match=match_settings(match))


def _leaves_n_open(opening: str) -> bool:
    """Whether the number of fifth offers is for the players or the organiser to name."""
    procedure = PROCEDURES[opening]
    return procedure.fewest_offers != procedure.most_offers


def _read(row: Row, value: Any) -> Any:
    """One value; raises ConfigError for one that is not allowed by itself."""
    is_text = isinstance(value, str)
    read = row.read(value.strip() if is_text else value, text=is_text)
    if row.section == "match" and row.name != "opening":
        match_settings({row.name: read})
    elif row.section == "match":
        procedure_of(match_settings({row.name: read}))
    return read


def _own_defaults(match: Mapping[str, Any], base: Config) -> Mapping[str, str]:
    """What another opening than that of `base` has for settings that are not given with it."""
    opening = match.get("opening", base.match.opening)
    return {} if opening == base.match.opening else DEFAULTS_OF.get(opening, {})


def exchanged(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of the match's next game: the players have the other colours.

    Players who trade bowls keep their seats, so Black sits on the other side then.
    """
    traded = dict(values)
    for part in PERSON:
        black, white = f"table.black{part}", f"table.white{part}"
        traded[black], traded[white] = values[white], values[black]
    if values["match.swap"] == "bowls":
        traded["match.black_sits"] = OTHER.get(str(values["match.black_sits"]), "")
    return traded


class _Kept(msgspec.Struct, frozen=True, kw_only=True):
    """A setting that was entered, and what the configuration said then."""

    entered: Any
    file: Any


class _File(msgspec.Struct, frozen=True, kw_only=True):
    """What the file holds; see the module."""

    format: str = FORMAT
    version: int = VERSION
    values: dict[str, _Kept]


def kept_at(journal: Path) -> Path:
    """The file of a journal's table."""
    return journal.with_name(f"{journal.name}.next-game.json")


def keep(journal: Path, config: Config, asked: Config) -> None:
    """Keep what was asked for, whole and synced, for the next game; raises RecordError.

    `config` is the configuration as it is without.
    """
    now, then = values_of(asked), values_of(config)
    kept = _File(
        values={key: _Kept(entered=now[key], file=then[key]) for key in now if now[key] != then[key]}
    )
    replace_file(kept_at(journal), msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")


def recall(journal: Path, config: Config) -> tuple[Config, str]:
    """The defaults of the next game, and a sentence if what was kept for it cannot be used."""
    path = kept_at(journal)
    if not path.exists():
        return config, ""
    then = values_of(config)
    try:
        kept = read_small_file(path, _File, "of the next game", MOST_BYTES, (FORMAT, VERSION))
        asked = {key: each.entered for key, each in kept.values.items() if each.file == then.get(key)}
        return asked_for(asked, config), ""
    except BoardError as error:
        return config, f"what was asked for the last game is no default: {error}"
