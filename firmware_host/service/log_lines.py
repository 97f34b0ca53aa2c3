"""Lines of the log that nobody can forge: a name or path in them shows its control characters as numbers.

What a stranger sends (a path, a name with a newline) must not look like a line of ours, nor move a terminal's
cursor. Source: CWE-117, improper output neutralization for logs.
"""

import logging
import unicodedata
from typing import Any, Final

UNSAFE: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Unicode categories: controls, invisible marks (some turn the direction), surrogates, line ends."""


def one_line(text: object) -> str:
    r"""A text in one line: what is no letter, sign or blank is written as `\n`, `\x1b`, `\u202e`."""
    return "".join(c if unicodedata.category(c) not in UNSAFE else _escaped(c) for c in str(text))


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")


class SafeFormatter(logging.Formatter):
    """A record in one line, and a traceback indented below it, so that only our lines begin at the margin."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - logging's name
        """The line."""
        record.message = one_line(record.message.rstrip("\n"))
        return super().formatMessage(record)

    def formatException(self, ei: Any) -> str:  # noqa: N802 - logging's name
        """The traceback."""
        return "\n".join("    " + one_line(line) for line in super().formatException(ei).split("\n"))


CONFIG: Final[dict[str, Any]] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"safe": {"()": SafeFormatter, "fmt": "web: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "safe"}},
    "loggers": {"uvicorn": {"handlers": ["stderr"], "level": "ERROR", "propagate": False}},
}
"""The log of the web server: its mistakes alone. A line for every bad request would let anybody fill it."""
