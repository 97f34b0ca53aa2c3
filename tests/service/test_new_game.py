"""What an organiser asks for a new game, and the file that keeps it for the next one."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.errors import RecordError
from firmware_host.service.config import Config, load_config
from firmware_host.service.new_game import (
    ASKED,
    NotPossible,
    asked_for,
    exchanged,
    keep,
    kept_at,
    recall,
    texts_of,
    values_of,
)
from firmware_host.service.new_game_pages import in_words

PLAIN = Config()


def wrong(given: dict[str, Any], base: Config = PLAIN) -> dict[str, str]:
    with pytest.raises(NotPossible) as caught:
        asked_for(given, base)
    return {key: str(error) for key, error in caught.value.errors.items()}


def test_what_a_page_shows_asks_for_the_same_game_again() -> None:
    config = load_config(
        None, ["table.round=3", "table.black=Wu", "match.time=5m+3s", "match.opening=yamaguchi"]
    )
    assert asked_for(texts_of(config), PLAIN) == config
    assert asked_for(values_of(config), PLAIN) == config
    assert set(ASKED) >= {f"match.{name}" for name in msgspec.structs.asdict(config.match)}
    assert "table.start" not in ASKED


def test_texts_are_taken_without_the_blanks_around_them_and_numbers_are_read() -> None:
    asked = asked_for({"table.black": "  Wu \t", "table.round": " 7 ", "match.time": " 1h "}, PLAIN)
    assert (asked.table.black, asked.table.round, asked.match.time) == ("Wu", 7, "1h")
    assert asked_for({"table.round": ""}, asked).table.round is None


def test_all_that_is_wrong_is_told_at_once_by_its_field() -> None:
    found = wrong(
        {
            "table.black": "x" * 61,
            "table.white": "two\nlines",
            "table.name": "a/b",
            "table.round": "0",
            "table.white_rating": "strong",
            "match.time": "5m+3q",
            "match.late": "",
            "match.five": "maybe",
            "match.opening": "polka",
            "web.port": "1",
        }
    )
    assert sorted(found) == [
        "match.five", "match.late", "match.opening", "match.time", "table.black", "table.name", "table.round",
        "table.white", "table.white_rating", "web.port",
    ]  # fmt: skip
    assert "character 4: 3 has no unit" in found["match.time"]
    assert "1 to 999" in found["table.round"]


@pytest.mark.parametrize(
    ("opening", "offers", "kept"),
    [
        ("designated", "221", 221),
        ("designated", "", None),
        ("yamaguchi", "12", 12),
        ("soosyrv-8", "8", 8),
        ("rif-classic", "7", None),
        ("taraguchi-10", "3", None),
        ("free", "5", None),
        ("free", "900", None),
        ("tarannikov", "many", None),
    ],
)
def test_the_number_of_offers_is_asked_for_where_the_opening_leaves_it_open(
    opening: str, offers: str, kept: int | None
) -> None:
    assert asked_for({"match.opening": opening, "match.offers": offers}, PLAIN).match.offers == kept


@pytest.mark.parametrize(
    ("opening", "offers"), [("yamaguchi", "13"), ("soosyrv-8", "9"), ("designated", "222")]
)
def test_a_number_that_the_opening_does_not_have_is_refused(opening: str, offers: str) -> None:
    assert list(wrong({"match.opening": opening, "match.offers": offers})) == ["match.offers"]


def test_another_opening_brings_its_own_default() -> None:
    assert asked_for({"match.opening": "swap2"}, PLAIN).match.forbidden == "off"
    assert asked_for({"match.opening": "swap2", "match.forbidden": "claim"}, PLAIN).match.forbidden == "claim"


def test_exchanged_players_have_the_other_colours_and_keep_their_seats_or_their_sides() -> None:
    config = load_config(None, ["table.black=Wu", "table.black_rating=2000", "table.white=Ito"])
    traded = asked_for(exchanged(values_of(config)), PLAIN)
    assert (traded.table.black, traded.table.white) == ("Ito", "Wu")
    assert (traded.table.black_rating, traded.table.white_rating) == (None, 2000)
    assert traded.match.black_sits == "far"
    assert asked_for(exchanged(values_of(traded)), PLAIN) == config
    seats = asked_for({"match.swap": "seats"}, config)
    assert asked_for(exchanged(values_of(seats)), PLAIN).match.black_sits == "near"


def test_what_was_asked_for_is_the_default_of_the_next_game(tmp_path: Path) -> None:
    config = load_config(None, ["table.event=Open", "match.time=15m"])
    asked = asked_for({"table.black": "吴", "match.time": "1h"}, config)
    keep(tmp_path / "journal.db", config, asked)
    assert recall(tmp_path / "journal.db", config) == (asked, "")
    assert recall(tmp_path / "demo.db", config) == (config, ""), "another table's"


def test_a_setting_that_was_changed_in_the_configuration_since_holds(tmp_path: Path) -> None:
    config = load_config(None, ["table.event=Open", "table.black=Wu", "match.time=15m"])
    keep(tmp_path / "j", config, asked_for({"table.black": "Ito", "match.time": "1h"}, config))
    newer = load_config(None, ["table.event=Masters", "table.black=Sun", "match.time=15m"])
    asked, _ = recall(tmp_path / "j", newer)
    assert (asked.table.event, asked.table.black, asked.match.time) == ("Masters", "Sun", "1h")


def test_what_does_not_go_with_the_configuration_any_more_is_told_and_left(tmp_path: Path) -> None:
    config = load_config(None, ["match.opening=designated"])
    keep(tmp_path / "j", config, asked_for({"match.offers": "40"}, config))
    newer = load_config(None, ["match.opening=yamaguchi"])
    asked, told = recall(tmp_path / "j", newer)
    assert asked == newer
    assert "match.offers = 40" in told


@pytest.mark.parametrize(
    "raw",
    [b"", b"[]", b"\xff", b'{"values": {}, "version": 9}', b'{"values": {"table.black": 3}}', b"[" * 5000],
)
def test_a_damaged_file_is_told_and_the_configuration_holds(tmp_path: Path, raw: bytes) -> None:
    kept_at(tmp_path / "journal.db").write_bytes(raw)
    asked, told = recall(tmp_path / "journal.db", PLAIN)
    assert asked == PLAIN
    assert "journal.db.next-game.json" in told


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(RecordError, match="cannot be written"):
        keep(tmp_path / "file" / "journal.db", PLAIN, PLAIN)


def test_a_time_is_said_in_every_language() -> None:
    assert in_words("match.time", "5m+3s") == {
        "en": "5 minutes each and 3 seconds more after each move",
        "zh": "每方5分钟，每着加3秒",
        "ja": "持ち時間5分、一手ごとに3秒加算",
    }
    assert in_words("match.late", "90s")["en"] == "1 minute 30 seconds"
