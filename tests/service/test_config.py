"""The configuration: what is read, what is refused, and in which words."""

import os
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from firmware_host.errors import ConfigError
from firmware_host.referee.settings import MatchSettings
from firmware_host.service.config import (
    ROWS,
    SECTIONS,
    Config,
    ConfigFileError,
    describe,
    journal_path,
    load_config,
    markdown,
    toml_text,
)
from hw import devices, gpio_scanner

ROOT = Path(__file__).parents[2]


def write(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_every_setting_has_its_default() -> None:
    assert load_config() == Config()
    for row in ROWS:
        assert getattr(getattr(load_config(), row.section), row.name) == row.default


def test_a_file_of_all_defaults_is_the_default_configuration(tmp_path: Path) -> None:
    lines = []
    for section in SECTIONS:
        lines.append(f"[{section}]")
        lines += [
            f"{row.name} = {toml_text(row, row.default)}"
            for row in ROWS
            if row.section == section and row.default is not None
        ]
    assert load_config(write(tmp_path, "\n".join(lines))) == Config()


def test_a_file_sets_what_it_names_and_nothing_else(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        '[table]\nname = "天元 3"\nround = 2\n[match]\nopening = "free"\ntime = "5m+3s"\n'
        "[clock]\nnear_address = 0x72\n[simulator]\nnoise = 2\n",
    )
    config = load_config(path)
    assert config.table.name == "天元 3"
    assert config.table.round == 2
    assert config.match == MatchSettings(opening="free", time="5m+3s")
    assert config.clock.near_address == 0x72
    assert config.simulator.noise == 2.0
    assert config.web == Config().web


def test_overrides_are_typed_by_their_field_and_win_over_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "[web]\nport = 1\n[table]\nround = 4\n")
    config = load_config(
        path,
        [
            "web.port=0",
            "table.name=0x7",
            "table.event=a=b",
            "table.round=",
            "clock.far_address=0x73",
            "simulator.noise=0.5",
            "match.opening = free",
            "match.time=5m+3s",
        ],
    )
    assert config.web.port == 0
    assert config.table == type(config.table)(name="0x7", event="a=b")
    assert config.clock.far_address == 0x73
    assert config.simulator.noise == 0.5
    assert (config.match.opening, config.match.time) == ("free", "5m+3s")


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("web.port=99999", "web.port = '99999' is not possible; allowed: a whole number from 0 to 65535"),
        ("web.port=http", "web.port = 'http' is not possible; allowed: a whole number from 0 to 65535"),
        ("web.console=all", "web.console = 'all' is not possible; allowed: loopback, off"),
        ("web.arbiter_pin=47a1", 'web.arbiter_pin = "****" is not possible; allowed: a text of 4 to 12'),
        ("web.host=", "web.host = '' is not possible; allowed: an address or a host name, such as"),
        ("table.round=0", "table.round = '0' is not possible; allowed: a whole number from 1 to 999, or not"),
        ("table.name=a/b", "table.name = 'a/b' is not possible; allowed: a text of 1 to 60 characters"),
        ("scanner.rate_hz=49", "scanner.rate_hz = '49' is not possible; allowed: a whole number from 50"),
        ("simulator.noise=nan", "simulator.noise = 'nan' is not possible; allowed: a number from 0 to 10"),
        ("match.opening=open", "match.opening = 'open' is not possible; allowed: free, designated"),
        ("match.offers=0", "match.offers"),
        ("match.time=5", "match.time = '5' is not possible: character 1: 5 has no unit (h, m, s or ms)"),
        (
            "match.time=5min",
            "match.time = '5min' is not possible: character 3: 'in' where + or then is due; allowed: none, ",
        ),
        ("match.late=soon", "match.late = 'soon' is not possible: character 1: 'soon' is not a time"),
        ("match.offers=0", "match.offers = 0 is not possible; allowed: a whole number from 1 to 221"),
        ("keys.near=27", "keys.far = 27 is not possible; allowed: a pin of its own; keys.near has this one"),
        ("clock.buzzer_address=0x70", "allowed: an address of its own; clock.near_address has this one"),
        ("scanner.kind=i2c", "scanner.sensors = 'linear' is not possible; allowed: switch, with scann"),
        ("i2c_scanner.sense_pins=A-O", "allowed: a text of 15 different pins, as numbers and ranges"),
        ("web.prot=1", "web.prot = '1' is not possible; allowed: the keys of [web]: host, port, console, "),
        ("wbe.port=1", "perhaps web.port"),
        ("port=1", "--set 'port=1' is not possible; allowed: TABLE.KEY=VALUE, such as match.opening=free"),
        ("x", "--set 'x' is not possible; allowed: TABLE.KEY=VALUE, such as match.opening=free, where"),
        ("match=", "--set 'match=' is not possible; allowed: TABLE.KEY=VALUE"),
        ("=1", "--set '=1' is not possible; allowed: TABLE.KEY=VALUE"),
        ("match.", "--set 'match.' is not possible; allowed: TABLE.KEY=VALUE"),
        ("", "--set '' is not possible; allowed: TABLE.KEY=VALUE"),
        ("match.opening", "--set 'match.opening' is not possible; allowed: match.opening=VALUE, where"),
        ("web.prot", "perhaps web.port"),
        ("clock.far_address=0x70", "clock.far_address = 0x70 is not possible; allowed: an address of its"),
        ("clock.far_address=0x99", "clock.far_address = '0x99' is not possible; allowed: an I2C address"),
    ],
)  # fmt: skip
def test_an_override_that_is_not_possible_is_refused_in_one_sentence(override: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(None, [override])
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[web]\nport = true", "web.port"),
        ('[web]\nport = "8080"', "web.port"),
        ("[web]\nport = 8080.5", "web.port"),
        ("[web.port]\nx = 1", "web.port"),
        ("[table]\nname = 1979-05-27", "table.name"),
        ("[match]\ntime = 15", "match.time"),
        ("[match]\noffers = true", "match.offers"),
        ("[scanner]\nkind = 'abacus'", "scanner.kind"),
        ("[simulator]\nnoise = inf", "simulator.noise"),
        ("web = 3", "web"),
        ("[[web]]\nport = 1", "web"),
        ("[wbe]\nport = 1", "wbe"),
        ("port = 1", "port"),
        ("[match]\nopenings = 'free'", "match.openings"),
    ],
)
def test_a_value_of_a_wrong_type_or_place_is_refused_by_its_full_key(
    tmp_path: Path, text: str, key: str
) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(write(tmp_path, text))
    assert refused.value.key == key
    assert refused.value.allowed


@pytest.mark.parametrize(
    ("raw", "sentence"),
    [
        (b"[web]\nport = = 1\n", "board.toml, line 2: is not TOML: Invalid value (column 8)"),
        (b"[web]\n[web]\n", "board.toml, line 2: is not TOML"),
        (b"[table]\nname = 'x", "board.toml, line 2: is not TOML"),
        (b"[table]\nname = 'caf\xe9'\n", "board.toml, line 2: byte 0xe9 is not UTF-8 text"),
    ],
)
def test_a_broken_file_is_refused_with_file_line_and_reason(
    tmp_path: Path, raw: bytes, sentence: str
) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(raw)
    with pytest.raises(ConfigFileError) as refused:
        load_config(path)
    assert sentence in str(refused.value)


def test_a_file_that_is_not_there_or_not_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigFileError, match=r"none\.toml: cannot be read: No such file"):
        load_config(tmp_path / "none.toml")
    with pytest.raises(ConfigFileError, match="cannot be read: Is a directory"):
        load_config(tmp_path)


def test_a_byte_order_mark_and_windows_line_ends_are_read(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_bytes(b"\xef\xbb\xbf[web]\r\nport = 1\r\n")
    assert load_config(path).web.port == 1


def test_every_row_says_what_it_means_and_allows() -> None:
    assert {row.section for row in ROWS} == set(Config.__struct_fields__)
    for row in ROWS:
        assert row.meaning, row.key
        assert row.allowed, row.key
    assert len({row.key for row in ROWS}) == len(ROWS)


def test_devices_have_the_names_that_hw_knows_them_by() -> None:
    allowed = {row.key: set(row.allowed.split(", ")) for row in ROWS}
    assert allowed["scanner.kind"] == set(devices.SCANNERS)
    assert allowed["clock.faces"] == set(devices.FACES)
    assert allowed["clock.buzzer"] == set(devices.BUZZERS)
    assert allowed["keys.factory"] == set(devices.KEYS)
    pins = {key: getattr(Config().keys, key.replace("-", "_")) for key in devices.PINS}
    assert pins == devices.PINS
    assert allowed["gpio_scanner.backend"] == set(gpio_scanner.BACKENDS)
    wired = Config().gpio_scanner
    assert (wired.select, wired.sense) == (gpio_scanner.SELECT_PINS, gpio_scanner.SENSE_PINS)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["clock.buzzer=piezo", "clock.piezo_pin=17"], "clock.piezo_pin = 17 is not possible; allowed: a"),
        (
            ["scanner.kind=i2c", "scanner.sensors=switch", "i2c_scanner.reset_pin=24"],
            "i2c_scanner.reset_pin = 24 is not possible; allowed: a pin of its own; keys.arbiter has",
        ),
        (
            ["scanner.kind=gpio", "scanner.sensors=switch", "clock.buzzer=piezo", "clock.piezo_pin=8"],
            "clock.piezo_pin = 8 is not possible; allowed: a pin of its own; gpio_scanner.sense has this one",
        ),
        (
            ["scanner.kind=i2c", "scanner.sensors=switch", "i2c_scanner.reset_pin=5", "clock.buzzer=piezo",
             "clock.piezo_pin=5"],
            "clock.piezo_pin = 5 is not possible; allowed: a pin of its own; i2c_scanner.reset_pin has this",
        ),
    ],
)  # fmt: skip
def test_a_pin_has_one_user(given: list[str], sentence: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(None, ["keys.factory=lgpio", *given])
    assert sentence in str(caught.value)


GPIO = ["scanner.kind=gpio", "scanner.sensors=switch"]


def test_the_pins_of_the_gpio_scanner_are_lists_in_the_file_and_with_set(tmp_path: Path) -> None:
    pins = load_config(write(tmp_path, "[gpio_scanner]\nselect = [26, 25, 5, 6]\n")).gpio_scanner.select
    assert pins == (26, 25, 5, 6)
    for text in ("26,25,5,6", "[26, 25, 5, 6]"):
        assert load_config(None, [f"gpio_scanner.select={text}"]).gpio_scanner.select == pins
    config = load_config(None, GPIO)
    assert load_config(write(tmp_path, describe(config))) == config


@pytest.mark.parametrize(
    ("override", "sentence"),
    [
        ("gpio_scanner.select=4,5,6", "'4,5,6' is not possible; allowed: 4 different whole numbers"),
        ("gpio_scanner.select=4,5,6,x", "'4,5,6,x' is not possible; allowed: 4 different whole numbers"),
        ("gpio_scanner.select=4,5,6,28", "'4,5,6,28' is not possible; allowed: 4 different whole numbers"),
        ("gpio_scanner.select=4,5,6,6", "6 is not possible; allowed: a pin of its own; gpio_scanner.select"),
        ("gpio_scanner.select=4,5,6,8", "sense = 8 is not possible; allowed: a pin of its own; gpio_scanner"),
        ("gpio_scanner.select=4,5,6,17", "17 is not possible; allowed: a pin of its own; keys.near has this"),
        (
            "gpio_scanner.enable=26",
            "enable = 26 is not possible; allowed: a pin of its own; gpio_scanner.sense",
        ),
        ("gpio_scanner.settle_us=1001", "settle_us = '1001' is not possible; allowed: a whole number from 0"),
        ("scanner.sensors=linear", "'linear' is not possible; allowed: switch, with scanner.kind = gpio"),
    ],
)
def test_pins_that_the_gpio_scanner_cannot_have_are_refused(override: str, sentence: str) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(None, [*GPIO, "keys.factory=lgpio", override])
    assert sentence in str(refused.value)


def test_what_check_prints_is_itself_a_configuration(tmp_path: Path) -> None:
    config = load_config(None, ["match.offers=3", "table.name=裁判", "clock.near_address=0x72"])
    said = describe(config)
    assert load_config(write(tmp_path, said)) == config
    assert "offers = 3 " in said
    assert "[not given]" in said


def test_a_pin_is_read_and_never_shown(tmp_path: Path) -> None:
    config = load_config(write(tmp_path, '[web]\narbiter_pin = "0471"\n'))
    assert config.web.arbiter_pin == "0471"
    said = describe(config)
    assert "0471" not in said
    assert '# arbiter_pin = "****"' in said
    assert load_config(write(tmp_path, said)).web.arbiter_pin == ""
    for wrong in ("123", "1234567890123", "12 34", "1234\\n", "٤٧١١"):
        with pytest.raises(ConfigError) as refused:
            load_config(write(tmp_path, f'[web]\narbiter_pin = "{wrong}"\n'))
        assert wrong not in str(refused.value)


def test_an_address_of_a_file_is_refused_as_it_is_written_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        load_config(write(tmp_path, "[clock]\nnear_address = 0x200\n"))
    sentence = "clock.near_address = 0x200 is not possible; allowed: an I2C address from 0x08 to 0x77"
    assert str(refused.value) == sentence


def test_the_document_speaks_of_no_names_of_the_code() -> None:
    """It is for organisers: `ALLOWED` or `clock.parse_control` says nothing to them."""
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    prose = [line for line in written.splitlines() if not line.startswith(("|", "<!--"))]
    names = [name for line in prose for name in re.findall("`([^`]+)`", line)]
    code = {name for name in names if re.fullmatch(r"[A-Z]{2,}|\w+\.\w+", name)}
    assert code <= {row.key for row in ROWS} | {"journal.db", "calibration.json"}


def test_yes_and_no_may_be_booleans_of_toml(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    for written, meant in (("true", "yes"), ("false", "no"), ('"no"', "no")):
        file.write_text(f"[match]\ndesignated_swap = {written}\n", encoding="utf-8")
        assert load_config(file).match.designated_swap == meant
    file.write_text("[match]\nforbidden = true\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"match\.forbidden = True"):
        load_config(file)


def test_swap2_has_no_forbidden_moves_unless_they_are_given(tmp_path: Path) -> None:
    file = tmp_path / "board.toml"
    file.write_text('[match]\nopening = "swap2"\n', encoding="utf-8")
    assert load_config(file).match.forbidden == "off"
    assert load_config(file, ["match.forbidden=claim"]).match.forbidden == "claim"
    assert load_config(None, ["match.opening=tarannikov"]).match.forbidden == "claim"


def test_the_document_is_the_table() -> None:
    """`python -m firmware_host.service.config` prints what belongs there."""
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    assert markdown() in written


def test_the_documents_example_is_a_configuration(tmp_path: Path) -> None:
    written = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    example = written.partition("```toml\n")[2].partition("```")[0]
    assert load_config(write(tmp_path, example)).table.event == "Spring open"


def test_the_journal_lies_in_the_state_directory(tmp_path: Path) -> None:
    config = Config()
    asked = {"STATE_DIRECTORY": "/var/lib/a:/var/lib/b", "XDG_STATE_HOME": "/x", "HOME": str(tmp_path)}
    assert journal_path(config, asked) == Path("/var/lib/a/journal.db")
    del asked["STATE_DIRECTORY"]
    assert journal_path(config, asked) == Path("/x/renju-board/journal.db")
    del asked["XDG_STATE_HOME"]
    assert journal_path(config, asked) == tmp_path / ".local/state/renju-board/journal.db"
    named = msgspec.structs.replace(config, journal=type(config.journal)(path="j.db"))
    assert journal_path(named, asked) == Path.cwd() / "j.db"


def test_it_works_without_home_locale_and_writable_folder(tmp_path: Path) -> None:
    """A real process in the bare environment of a service, of a user who owns nothing."""
    path = write(tmp_path, '[table]\nname = "天元"\n')
    tmp_path.chmod(0o755)
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "import firmware_host.service.config as c\n"
        "text = Path(sys.argv[1]).read_bytes()\n"
        "read = c.load_config(sys.argv[1])\n"
        "if os.getuid() == 0: os.setuid(54321)\n"
        "os.chdir('/')\n"
        "journal = c.journal_path(read)\n"
        "print(ascii(read.table.name), journal)\n"
    )
    environ = {"PATH": os.environ["PATH"], "LC_ALL": "C", "LANG": "C", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-X", "utf8=0", "-c", code, path],
        env=environ, cwd=ROOT, capture_output=True, text=True, check=True, timeout=30,
    )  # fmt: skip
    name, journal = done.stdout.split()
    assert name == ascii("天元")
    assert journal.endswith("journal.db")
    if os.getuid() == 0:
        assert Path(journal).parent.name == "renju-board-54321"
