"""What a configuration says of a table and its players stands in the head of a record."""

from pathlib import Path

import msgspec
import pytest

from firmware_host.errors import ConfigError
from firmware_host.record.header import Header, Person
from firmware_host.service.config import load_config
from firmware_host.service.table_settings import IN_HEADER, Table, header_asked

NOT_KEPT = {"start"}
TOML = """
[table]
name = "3"
event = "春季公开赛"
round = 2
place = "Town hall"
arbiter = "C. Arbiter"
black = "王一"
black_id = "CHN-17"
black_federation = "CHN"
black_rating = 2310
black_title = "5段"
white = "B. White"
white_id = "4711"
white_federation = "EST"
white_rating = 2295
white_title = "GM"
"""


def test_every_setting_of_a_table_is_in_the_head(tmp_path: Path) -> None:
    path = tmp_path / "board.toml"
    path.write_text(TOML, encoding="utf-8")
    assert header_asked(load_config(path).table) == Header(
        table="3",
        event="春季公开赛",
        round=2,
        place="Town hall",
        arbiter="C. Arbiter",
        first=Person(name="王一", id="CHN-17", federation="CHN", rating=2310, title="5段"),
        second=Person(name="B. White", id="4711", federation="EST", rating=2295, title="GM"),
    )


def test_no_field_of_the_head_and_no_setting_is_forgotten() -> None:
    assert set(IN_HEADER) | NOT_KEPT == set(Table.__struct_fields__)
    people = [f"{side}.{field}" for side in ("first", "second") for field in Person.__struct_fields__]
    of_journal = {"id", "date", "synchronised", "first", "second"}
    assert set(IN_HEADER.values()) == {*people, *(set(Header.__struct_fields__) - of_journal)}
    assert header_asked(Table()) == Header()


@pytest.mark.parametrize(
    ("setting", "allowed"),
    [
        ("table.black_rating=10000", "a whole number from 0 to 9999, or not given"),
        ("table.white_rating=strong", "a whole number from 0 to 9999, or not given"),
        (f"table.black_id={'7' * 31}", "a text of at most 30 characters in one line"),
        (f"table.place={'x' * 61}", "a text of at most 60 characters in one line"),
    ],
)
def test_what_is_out_of_range_is_refused(setting: str, allowed: str) -> None:
    with pytest.raises(ConfigError, match=allowed):
        load_config(None, [setting])


def test_no_rating_can_be_said() -> None:
    rated = msgspec.structs.replace(Table(), black_rating=1)
    assert header_asked(rated).first.rating == 1
    assert load_config(None, ["table.black_rating="]).table.black_rating is None
