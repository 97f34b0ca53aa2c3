"""What the board says of itself, and with which status."""

from typing import Any

import pytest

from tests.service.web_table import Table, ask


class Ailing(Table):
    """A table of which something does not work."""

    def health(self) -> dict[str, Any]:
        return super().health() | {"status": "degraded", "faults": ["the far key is stuck"]}


@pytest.mark.parametrize("client", ["127.0.0.1", "192.0.2.7"])
def test_a_daemon_that_answers_is_not_to_be_restarted_and_a_monitor_hears_what_is_wrong(client: str) -> None:
    assert ask(Ailing(), "GET", "/health", client=client).status_code == 200
    answer = ask(Ailing(), "GET", "/health/ready", client=client)
    assert answer.status_code == 503
    assert answer.json()["faults"] == ["the far key is stuck"]
    assert ask(Table(), "GET", "/health/ready", client=client).status_code == 200


def test_the_feed_is_told() -> None:
    table = Table()
    table.public.publish()
    table.public.followers = 3
    told = ask(table, "GET", "/health").json()
    assert told["feed"] == {"messages": 1, "most_followers": table.public.most}
    assert told["followers"] == 3
