"""What is wrong with a body is the sender's mistake, and said in one sentence."""

from typing import Any

import pytest

from firmware_host.service.http_body import BODY_LIMIT
from tests.service.web_table import Table, ask


@pytest.mark.parametrize(
    ("sent", "status", "words"),
    [
        ({"content": b'{"do": "start"}'}, 415, "application/json"),
        ({"content": b"{", "headers": {"Content-Type": "application/json"}}, 400, "not JSON"),
        ({"content": b"\xff\xfe", "headers": {"Content-Type": "application/json"}}, 400, "not JSON"),
        ({"json": ["start"]}, 400, "not a JSON object"),
        ({"json": {"do": "start", "text": "x" * BODY_LIMIT}}, 413, f"longer than {BODY_LIMIT} bytes"),
        ({"json": {"do": "dance"}}, 400, "'dance' is not a command"),
        ({"json": {"do": "break"}}, 500, "its log says which"),
    ],
)
def test_what_is_wrong_with_an_order_is_said_in_one_sentence(
    sent: dict[str, Any], status: int, words: str
) -> None:
    table = Table()
    answer = ask(table, "POST", "/command", **sent)
    assert (answer.status_code, table.done) == (status, [])
    assert words in answer.json()["error"]


def test_a_body_too_deep_for_the_reader_is_the_senders_mistake() -> None:
    deep = {"content": b"[" * 10_000, "headers": {"content-type": "application/json"}}
    answer = ask(Table(), "POST", "/command", **deep)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("the body is not JSON")
