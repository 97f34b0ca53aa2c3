"""What strangers sent cannot begin a line of the log, nor move the cursor of who reads it."""

import logging
import logging.config

import pytest

from firmware_host.service.log_lines import CONFIG, one_line


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("李 Müller-松", "李 Müller-松"),
        ("A\n2026-11-30 renju-board: PIN accepted", r"A\n2026-11-30 renju-board: PIN accepted"),
        ("\r\x1b[2Jgone\x00", r"\r\x1b[2Jgone\x00"),
        ("a\u202eb\u2028c\ud800", r"a\u202eb\u2028c\ud800"),
        (ValueError("x\ny"), r"x\ny"),
    ],
)
def test_one_line(given: object, shown: str) -> None:
    assert one_line(given) == shown


def test_a_traceback_is_indented_with_what_was_forged(
    capsys: pytest.CaptureFixture[str],
) -> None:
    logging.config.dictConfig(CONFIG)
    log = logging.getLogger("uvicorn.error")
    try:
        raise ValueError("bad name 'A\nweb: all is well'")
    except ValueError:
        log.exception("path %s", "/x\nweb: nothing happened")
    log.warning("every bad request")
    first, *others = capsys.readouterr().err.splitlines()
    assert first == r"web: path /x\nweb: nothing happened"
    assert len(others) > 3
    assert all(line.startswith("    ") for line in others)
