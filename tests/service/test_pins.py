"""PINs: made, chosen, kept as hashes that their owner alone can read, and told apart by role."""

import os
import stat
from pathlib import Path

import msgspec
import pytest

from firmware_host.errors import NotationError, RecordError
from firmware_host.service.pins import DIGITS, Hashed, Pins, chosen, load, new_pin, plain, save, shown


def test_the_first_pin_is_random_told_once_and_kept_as_a_hash(tmp_path: Path) -> None:
    path = tmp_path / "state" / "pins.json"
    pins = Pins(path=path)
    assert not pins.locked
    pin = pins.make_first()
    assert (len(pin), pin.isdigit(), pins.locked) == (DIGITS, True, True)
    assert pins.make_first() == ""
    assert pins.role_of(pin) == "arbiter"
    assert Pins(path=path).role_of(pin) == "arbiter"
    text = path.read_text("ascii")
    assert pin not in text
    assert '"n": 16384' in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [entry.name for entry in path.parent.iterdir()] == ["pins.json"]


def test_pins_that_are_made_differ_and_may_begin_with_a_zero() -> None:
    made = {new_pin() for _ in range(2000)}
    assert len(made) > 1990
    assert {len(pin) for pin in made} == {DIGITS}
    assert {pin[0] for pin in made} == set("0123456789")


def test_nothing_is_made_where_a_pin_is_configured_or_the_file_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    assert Pins({"arbiter": "4711"}, path).make_first() == ""
    assert not path.exists()
    path.write_text("{")
    assert Pins(path=path).make_first() == ""
    assert path.read_text() == "{"


def test_each_role_has_its_own_pin_and_the_configuration_comes_first(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    save(path, "arbiter", "12345678")
    save(path, "operator", "87654321")
    pins = Pins(path=path)
    assert [pins.role_of(pin) for pin in ("12345678", "87654321", "", "1234567", "１２３４５６７８")] == [
        "arbiter", "operator", None, None, None,
    ]  # fmt: skip
    both = Pins({"arbiter": "4711", "operator": ""}, path)
    assert [both.role_of(pin) for pin in ("12345678", "87654321", "4711")] == [None, "operator", "arbiter"]
    with pytest.raises(NotationError, match="the other role's PIN"):
        save(path, "operator", "12345678")


def test_a_new_pin_holds_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    pins = Pins(path=path)
    for pin in ("12345678", "23456789"):
        save(path, "arbiter", pin)
        assert pins.role_of(pin) == "arbiter"
    assert pins.role_of("12345678") is None
    path.unlink()
    assert not pins.locked


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("{", "is not a file of PINs"),
        ("\xff", "is not a file of PINs"),
        ("[" * 5000, "is not a file of PINs"),
        ('{"format": "other", "version": 1, "pins": {}}', "is 'other', version 1"),
        ('{"format": "renju-board-pins", "version": 2, "pins": {}}', "version 2; allowed"),
        ('{"pins": {"chief": {"salt": "", "hash": ""}}}', "is not a file of PINs"),
        ('{"pins": {"arbiter": {"salt": "00", "hash": "00", "n": 2}}}', "is not a file of PINs"),
    ],
)
def test_a_file_that_cannot_be_read_lets_nobody_in_until_a_new_pin_is_set(
    tmp_path: Path, text: str, why: str
) -> None:
    path = tmp_path / "pins.json"
    path.write_text(text, "latin-1")
    with pytest.raises(RecordError, match=why):
        load(path)
    pins = Pins(path=path)
    assert pins.locked
    assert why in pins.trouble
    assert "renju-board pin" in pins.trouble
    assert pins.role_of("") is None
    save(path, "arbiter", "12345678")
    assert (pins.role_of("12345678"), pins.trouble) == ("arbiter", "")


def test_a_file_that_is_a_folder_is_told(tmp_path: Path) -> None:
    pins = Pins(path=tmp_path)
    assert pins.locked
    with pytest.raises(RecordError, match="cannot be written"):
        save(tmp_path, "arbiter", "12345678")


def test_the_same_pin_has_another_hash_each_time_unless_the_salt_is_given() -> None:
    assert Hashed.of("12345678") != Hashed.of("12345678")
    assert Hashed.of("12345678", b"s" * 16) == Hashed.of("12345678", b"s" * 16)
    assert msgspec.json.encode(Hashed.of("12345678")).count(b"12345678") == 0


@pytest.mark.parametrize("typed", ["482177", "4821 7735", "4821-7735", " 123456789012\n"])
def test_a_chosen_pin_may_be_grouped(typed: str) -> None:
    assert chosen(typed) == plain(typed)


@pytest.mark.parametrize("typed", ["", "12345", "1234567890123", "1111111", "121212", "12345a", "٤٨٢١٧٧"])
def test_a_pin_that_is_too_easy_is_refused(typed: str) -> None:
    with pytest.raises(NotationError, match="6 to 12 digits, three of them different"):
        chosen(typed)


def test_a_pin_is_shown_in_groups() -> None:
    assert (shown("48217735"), shown("482177")) == ("4821 7735", "4821 77")


def test_a_secret_of_root_belongs_to_the_folders_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    save(tmp_path / "pins.json", "arbiter", "12345678")
    assert given == [(tmp_path.stat().st_uid, tmp_path.stat().st_gid)]
