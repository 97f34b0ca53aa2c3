"""The configuration: a TOML file and `--set` overrides become frozen structs, or one clear refusal.

The structs below are the table of settings: a field's type and `Meta` say what is allowed and what it
means, its default is the default. `ROWS` is that table read back; parsing, `docs/configuration.md`
(`markdown`) and `renju-board check` all go through it, so that none of them can differ from another.
"""

import difflib
import os
import pwd
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

import msgspec
from msgspec import Meta

from firmware_host.errors import BoardError, ConfigError
from firmware_host.referee.procedures import PROCEDURES, procedure_of
from firmware_host.referee.settings import CHOICES, TRUTH, YES_NO, MatchSettings, match_settings
from firmware_host.sensing.settings import ALLOWED as SENSING_ALLOWED
from firmware_host.sensing.settings import SensingSettings
from firmware_host.service.clock_settings import ClockDevices, Keys
from firmware_host.service.publish_settings import Publish
from firmware_host.service.record_settings import Records
from firmware_host.service.scanner_settings import GpioScanner, I2cScanner, SerialScanner
from firmware_host.service.table_settings import Table
from firmware_host.service.web_settings import SECRETS, Web

PathText = Annotated[
    str,
    Meta(pattern=r"^[^\x00]*$", extra={"allowed": "the path of a file, or an empty text for the default"}),
]


class Scanner(msgspec.Struct, frozen=True, kw_only=True):
    """What reads the 225 sensors."""

    kind: Annotated[
        Literal["simulator", "serial", "gpio", "i2c"],
        Meta(
            description="the scanner; `simulator` needs no hardware, `serial` is the one with a Pico,"
            " `gpio` a matrix of switches on the Pi's own pins, `i2c` a board on port expanders"
        ),
    ] = "simulator"
    sensors: Annotated[
        Literal["linear", "switch"],
        Meta(description="`linear` Hall sensors tell the colour of a stone; a `switch` only its place"),
    ] = "linear"
    rate_hz: Annotated[int, Meta(ge=50, le=400, description="frames a second")] = 200


class JournalFiles(msgspec.Struct, frozen=True, kw_only=True):
    """Where the journal and the saved traces lie."""

    path: Annotated[
        PathText,
        Meta(description="the journal; empty: `journal.db` in the state directory"),
    ] = ""
    keep_minutes: Annotated[
        int, Meta(ge=1, le=30, description="minutes of frames kept in memory for a trace")
    ] = 5
    traces: Annotated[
        int, Meta(ge=1, le=1000, description="saved traces to keep beside the journal; the oldest goes first")
    ] = 40
    traces_mb: Annotated[
        int, Meta(ge=10, le=10000, description="megabytes that the saved traces may take together")
    ] = 200


class Simulator(msgspec.Struct, frozen=True, kw_only=True):
    """The table in software."""

    seed: Annotated[
        int, Meta(ge=0, le=2**31 - 1, description="the same seed gives the same sensors, noise and hands")
    ] = 1
    noise: Annotated[
        float, Meta(ge=0, le=10, description="noise of a linear sensor, standard deviation in counts")
    ] = 2.0
    mistakes: Annotated[
        str,
        Meta(
            max_length=300,
            pattern=r"^[0-9A-Za-z, ]*$",
            description="mistakes of its maker, such as `dead C4, select 3 4` (all: [making](making.md))",
            extra={"allowed": "a text of letters, digits, blanks and commas"},
        ),
    ] = ""


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """All settings of one table."""

    table: Table = Table()
    match: MatchSettings = MatchSettings()
    scanner: Scanner = Scanner()
    serial_scanner: SerialScanner = SerialScanner()
    gpio_scanner: GpioScanner = GpioScanner()
    i2c_scanner: I2cScanner = I2cScanner()
    sensing: SensingSettings = SensingSettings()
    clock: ClockDevices = ClockDevices()
    keys: Keys = Keys()
    web: Web = Web()
    publish: Publish = Publish()
    journal: JournalFiles = JournalFiles()
    records: Records = Records()
    simulator: Simulator = Simulator()


KEY_NAMES: Final = ("near", "far", "near_call", "far_call", "arbiter")


class ConfigFileError(ConfigError):
    """A configuration file that cannot be read or is not TOML; names the file, the line and why."""

    def __init__(self, path: Path, why: str, line: int | None = None) -> None:
        BoardError.__init__(self, f"{path}{'' if line is None else f', line {line}'}: {why}")
        self.key = str(path)
        self.value = None
        self.allowed = "a TOML file"


class OverrideError(ConfigError):
    """A text after `--set` that is not the name of a setting, `=` and a value."""

    def __init__(self, text: str, allowed: str) -> None:
        BoardError.__init__(self, f"--set {text!r} is not possible; allowed: {allowed}")
        self.key = "--set"
        self.value = text
        self.allowed = allowed


SECTION_MEANINGS: Final[dict[str, str]] = {
    "match": "What was agreed for the match. [rules.md](rules.md) says what each setting decides (section 10)"
    " and how a time control is written (section 6).",
    "sensing": "How readings become stones.",
}
MATCH_MEANINGS: Final[dict[str, str]] = {
    "opening": "the opening procedure",
    "offers": "N, the number of fifth stones to offer; not given: declared at the table",
    "forbidden": "who enforces forbidden moves: White by a claim, the controller, or nobody (free gomoku);"
    " not given with swap2: nobody",
    "black_sits": "the seat of the player who holds Black at the start",
    "swap": "whether players trade bowls or seats when they swap colours",
    "time": "the time control",
    "flag": "whether a fallen flag ends the game by itself or must be claimed",
    "late": "how late a player may come",
    "overline": "what six or more in a row are without forbidden moves",
    "five": "whether a five ends the game when it is made or when it is claimed",
    "drop": "a stone dropped by accident: taken back, or the game lost",
    "replace": "a stone lifted and put elsewhere: put back, or the game lost",
    "overline_claim": "until when an overline may be claimed",
    "free_first": "where the first stone of a free opening may lie",
    "designated_swap": "whether White may swap after a designated opening",
    "wrong_claim": "what a wrong claim costs",
}
SENSING_MEANINGS: Final[dict[str, str]] = {
    "settle_ms": "how long a reading must have kept its place to be believed",
    "adjust_ms": "a stone that is back on its point within this time was adjusted",
    "hop_ms": "a gap shorter than this between neighbouring points is a slide",
    "hover_ms": "the settle time of a reading too weak for a sound stone",
    "rest_s": "the path of a slide goes on after a rest up to this",
    "scatter_ms": "the time within which stones leave their points together when a board is scattered",
    "scatter_stones": "how many settled stones must do so",
    "on_counts": "the least reading of a stone",
    "sound_counts": "the reading of a sound stone",
    "field_counts": "a reading of this size on empty points is a field from outside",
    "lag_ms": "how long something undecided may hold up the table",
}
MATCH_TEXTS: Final[dict[str, str]] = {
    "opening": ", ".join(PROCEDURES),
    "offers": "a whole number from 1 to 221, or not given",
    "time": "a text such as 15m, 5m+3s, 30s + 3x5s, 10 moves/10m, shared 3h or none",
    "late": "a text such as 15m, 90s or 1h",
}


class Row(NamedTuple):
    """One setting: its dotted key, the type that checks a value, and what people read about it."""

    key: str
    type: Any
    allowed: str
    default: object
    meaning: str

    @property
    def section(self) -> str:
        """The name of the TOML table."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """The key within its TOML table."""
        return self.key.partition(".")[2]

    def read(self, value: object, *, text: bool = False) -> Any:
        """The value in its type; `text`: it is the text of a `--set` override. Raises ConfigError."""
        given = value
        if text and isinstance(value, str):
            if not value and self.default is None:
                return None
            if isinstance(self.default, tuple):
                given = [int(pin) if pin.strip().isdecimal() else pin for pin in value.strip("[]").split(",")]
            if isinstance(self.default, int) and re.fullmatch("0[xX][0-9a-fA-F]+", value):
                given = str(int(value, 16))
        if isinstance(value, bool) and self.section == "match" and CHOICES.get(self.name) == YES_NO:
            given = TRUTH[value]
        try:
            return msgspec.convert(given, self.type, strict=not text)
        except msgspec.ValidationError as error:
            raise self.refusal(value, self.allowed) from error

    def refusal(self, value: object, allowed: str) -> ConfigError:
        """The error that refuses a value: an address is shown as it is written, others as they are."""
        is_address = type(value) is int and "address" in self.name
        shown = toml_text(self, value) if is_address or self.key in SECRETS else None
        return ConfigError(self.key, value, allowed, shown)


def _allowed(kind: msgspec.inspect.Type) -> str:
    """What a type allows, in words."""
    match kind:
        case msgspec.inspect.Metadata():
            said = (kind.extra or {}).get("allowed")
            return said if isinstance(said, str) else _allowed(kind.type)
        case msgspec.inspect.LiteralType():
            return ", ".join(str(value) for value in kind.values)
        case msgspec.inspect.UnionType():
            (some,) = (t for t in kind.types if not isinstance(t, msgspec.inspect.NoneType))
            return f"{_allowed(some)}, or not given"
        case msgspec.inspect.BoolType():
            return "true or false"
        case msgspec.inspect.IntType():
            return f"a whole number{_range(kind)}"
        case msgspec.inspect.FloatType():
            return f"a number{_range(kind)}"
        case msgspec.inspect.StrType():
            return "a text"
    raise TypeError(f"a setting of type {kind} has no words")


def _range(kind: msgspec.inspect.IntType | msgspec.inspect.FloatType) -> str:
    return "" if kind.ge is None or kind.le is None else f" from {kind.ge} to {kind.le}"


def _meaning(kind: msgspec.inspect.Type) -> str:
    if isinstance(kind, msgspec.inspect.Metadata):
        return str((kind.extra_json_schema or {}).get("description", "")) or _meaning(kind.type)
    return ""


def _rows() -> Iterator[Row]:
    for section, kind in Config.__annotations__.items():
        info = msgspec.inspect.type_info(kind)
        assert isinstance(info, msgspec.inspect.StructType)  # noqa: S101
        types = msgspec.structs.fields(kind)
        for field, typed in zip(info.fields, types, strict=True):
            allowed, meaning = _allowed(field.type), _meaning(field.type)
            if kind is MatchSettings:
                meaning = MATCH_MEANINGS.get(field.name, "")
                allowed = MATCH_TEXTS.get(field.name) or ", ".join(CHOICES.get(field.name, ()))
            elif kind is SensingSettings:
                meaning = SENSING_MEANINGS.get(field.name, "")
                low, high, unit, _ = SENSING_ALLOWED[field.name]
                allowed = f"{low:g} to {high:g} {unit}"
            yield Row(f"{section}.{field.name}", typed.type, allowed, field.default, meaning)


ROWS: Final[tuple[Row, ...]] = tuple(_rows())
_BY_KEY: Final[Mapping[str, Row]] = {row.key: row for row in ROWS}
SECTIONS: Final[tuple[str, ...]] = tuple(dict.fromkeys(row.section for row in ROWS))


def load_config(path: Path | str | None = None, overrides: Sequence[str] = ()) -> Config:
    """The configuration of a TOML file (None: the defaults) with `key=value` overrides on top.

    Raises ConfigError for a key that does not exist, a value that is not allowed and settings that do not
    go together; ConfigFileError (a ConfigError) for a file that cannot be read or is not TOML.
    """
    values: dict[str, dict[str, Any]] = {}
    for section, table in ({} if path is None else _read_toml(Path(path))).items():
        if section not in SECTIONS:
            raise _unknown(section, table)
        if not isinstance(table, dict):
            raise ConfigError(section, table, f"a table [{section}]")
        for name, value in table.items():
            row = _BY_KEY.get(f"{section}.{name}")
            if row is None:
                raise _unknown(f"{section}.{name}", value)
            values.setdefault(section, {})[name] = row.read(value)
    for override in overrides:
        row, value = read_override(override)
        values.setdefault(row.section, {})[row.name] = value
    match = match_settings(values.pop("match", {}))
    built = {section: Config.__annotations__[section](**table) for section, table in values.items()}
    procedure_of(match)  # N must fit the opening: said here, before a game is begun with it
    config = Config(match=match, **built)
    _check_together(config)
    return config


def read_override(text: str, within: str = "") -> tuple[Row, Any]:
    """The setting that `KEY=VALUE` names, and its value; with `within` only a setting of this table.

    Raises ConfigError.
    """
    try:  # a locale of few letters hands the bytes over undecoded
        text = text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeDecodeError as error:
        key, _, value = text.partition("=")
        raise ConfigError(key, value, "UTF-8 text") from error
    key, equals, value = text.partition("=")
    key = key.strip()
    section, dot, name = key.partition(".")
    row = _BY_KEY.get(key)
    if not (dot and section and name) or (within and section != within):
        where = "" if within else f", where TABLE is one of {', '.join(SECTIONS)}"
        raise OverrideError(text, f"{within or 'TABLE'}.KEY=VALUE, such as match.opening=free{where}")
    if row is None:
        raise _unknown(key, value)
    if not equals:
        raise OverrideError(text, f"{key}=VALUE, where VALUE is: {row.allowed}")
    return row, row.read(value.strip(), text=True)


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConfigFileError(path, f"cannot be read: {error.strerror}") from error
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ConfigFileError(path, f"byte 0x{raw[error.start]:02x} is not UTF-8 text", line) from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        why = str(error)
        at = re.search(r" \(at line (\d+), column (\d+)\)$", why)
        if at is None:
            last = text.count("\n") + 1
            raise ConfigFileError(path, f"is not TOML: {why}", last) from error
        raise ConfigFileError(
            path, f"is not TOML: {why[: at.start()]} (column {at[2]})", int(at[1])
        ) from error


def _unknown(key: str, value: object) -> ConfigError:
    """A key that is not in the table, with the nearest one or all of its section."""
    section, dot, name = key.partition(".")
    if not dot:
        near = difflib.get_close_matches(section, SECTIONS, 1)
        tables = ", ".join(f"[{s}]" for s in SECTIONS)
        return ConfigError(key, value, f"the tables {tables}{f'; perhaps [{near[0]}]' if near else ''}")
    near = difflib.get_close_matches(key, _BY_KEY, 1, 0.7)
    if not near:
        near = [row.key for row in ROWS if row.name == name][:1]
    known = [row.name for row in ROWS if row.section == section]
    allowed = f"the keys of [{section}]: {', '.join(known)}" if known else f"a key of {', '.join(SECTIONS)}"
    return ConfigError(key, value, f"{allowed}{f'; perhaps {near[0]}' if near else ''}")


def _check_together(config: Config) -> None:
    """What the types cannot say: numbers that must differ, sensors a scanner has. Raises ConfigError."""
    if config.scanner.kind == "serial" and config.scanner.sensors != "linear":
        raise ConfigError("scanner.sensors", config.scanner.sensors, "linear, as the serial scanner has them")
    for section, names, thing in (
        ("clock", ("near_address", "far_address", "buzzer_address"), "an address"),
        ("keys", KEY_NAMES, "a pin"),
    ):
        taken: dict[int, str] = {}
        for name in names:
            value = getattr(getattr(config, section), name)
            if value in taken:
                raise _BY_KEY[f"{section}.{name}"].refusal(
                    value, f"{thing} of its own; {section}.{taken[value]} has this one"
                )
            taken[value] = name
    _check_tls(config.web)
    if config.scanner.kind == "i2c" and config.scanner.sensors != "switch":
        raise _BY_KEY["scanner.sensors"].refusal(config.scanner.sensors, "switch, with scanner.kind = i2c")
    _check_pins(config)


def _check_tls(web: Web) -> None:
    """A certificate has its key, and `tls` says that both are to be used. Raises ConfigError."""
    given = {name: getattr(web, name) for name in ("certificate", "key")}
    if web.tls == "files":
        for name, path in given.items():
            if not path:
                raise _BY_KEY[f"web.{name}"].refusal(path, "the path of a file, with web.tls = files")
    elif any(given.values()):
        raise _BY_KEY["web.tls"].refusal(web.tls, "files, with web.certificate or web.key given")
    if web.tls != "off" and web.port and web.port == web.tls_port:
        raise _BY_KEY["web.tls_port"].refusal(web.tls_port, "a port of its own; web.port has this one")
    if web.arbiter_pin and web.arbiter_pin == web.operator_pin:
        raise _BY_KEY["web.operator_pin"].refusal("****", "another PIN than web.arbiter_pin")


def _check_pins(config: Config) -> None:
    """Each pin that is used has one user, and a gpio scanner is told what it reads. Raises ConfigError."""
    given = config.gpio_scanner
    users: list[tuple[str, Sequence[int]]] = []
    if config.scanner.kind == "gpio":
        if config.scanner.sensors != "switch":
            raise _BY_KEY["scanner.sensors"].refusal(
                config.scanner.sensors, "switch, with scanner.kind = gpio"
            )
        enable = () if given.enable is None else (given.enable,)
        users += [
            ("gpio_scanner.select", given.select),
            ("gpio_scanner.sense", given.sense),
            ("gpio_scanner.enable", enable),
        ]
    if config.scanner.kind == "i2c" and config.i2c_scanner.reset_pin is not None:
        users.append(("i2c_scanner.reset_pin", (config.i2c_scanner.reset_pin,)))
    if config.clock.buzzer == "piezo":
        users.append(("clock.piezo_pin", (config.clock.piezo_pin,)))
    taken: dict[int, str] = {}
    if config.keys.factory not in ("simulator", "mock", "none"):
        taken = {getattr(config.keys, name): f"keys.{name}" for name in KEY_NAMES}
    for key, pins in users:
        for pin in pins:
            if pin in taken:
                raise _BY_KEY[key].refusal(pin, f"a pin of its own; {taken[pin]} has this one")
            taken[pin] = key


def journal_path(config: Config, environ: Mapping[str, str] = os.environ) -> Path:
    """Where the journal lies: `journal.path`, else `journal.db` in the state directory.

    The state directory is systemd's `$STATE_DIRECTORY`, else `$XDG_STATE_HOME/renju-board`, else
    `~/.local/state/renju-board`; without a usable home, `/var/tmp/renju-board-UID`, which outlives a reboot.
    """
    if config.journal.path:
        return Path(config.journal.path).absolute()
    if given := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
        return Path(given) / "journal.db"
    if given := environ.get("XDG_STATE_HOME", ""):
        return Path(given) / "renju-board" / "journal.db"
    for home in (environ.get("HOME", ""), _home_of_user()):
        if home and os.access(home, os.W_OK):
            return Path(home) / ".local" / "state" / "renju-board" / "journal.db"
    return Path("/var/tmp") / f"renju-board-{os.getuid()}" / "journal.db"  # noqa: S108


def _home_of_user() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_dir
    except KeyError:
        return ""


def toml_text(row: Row, value: object) -> str:
    """A value of a setting as TOML writes it; None, which TOML has not, as an empty text; no secret."""
    if value is None:
        return ""
    if value and row.key in SECRETS:
        return '"****"'
    if isinstance(value, int) and "address" in row.name:
        return f"{value:#04x}"
    return msgspec.json.encode(value).decode()


def markdown() -> str:
    """The tables of `docs/configuration.md`, one a section."""
    lines: list[str] = []
    for section in SECTIONS:
        doc = (Config.__annotations__[section].__doc__ or "").strip().partition("\n")[0]
        lines += [
            f"## [{section}]",
            "",
            SECTION_MEANINGS.get(section, doc),
            "",
            "| key | default | allowed | meaning |",
            "|---|---|---|---|",
        ]
        for row in ROWS:
            if row.section == section:
                default = toml_text(row, row.default)
                default = default and f"`{default}`"
                lines.append(f"| `{row.name}` | {default} | {row.allowed} | {row.meaning} |")
        lines.append("")
    return "\n".join(lines)


def describe(config: Config) -> str:
    """The whole configuration as TOML, each line with its meaning, and its default where it has another."""
    lines = []
    for section in SECTIONS:
        lines.append(f"[{section}]")
        for row in ROWS:
            if row.section == section:
                value = getattr(getattr(config, section), row.name)
                kept = value is None or (row.key in SECRETS and value)
                text = f"{'# ' if kept else ''}{row.name} = {toml_text(row, value)}".rstrip()
                default = toml_text(row, row.default) or "not given"
                lines.append(f"{text:<32} # {row.meaning}{'' if value == row.default else f' [{default}]'}")
        lines.append("")
    lines.append(f"# the journal: {journal_path(config)}")
    return "\n".join(lines)


if __name__ == "__main__":
    print(markdown(), end="")  # noqa: T201
