"""PDFs made by a process of their own, so that the table's event loop never waits for reportlab.

`python -m firmware_host.service.pdf_process` reads drawings as JSON from standard input and writes one line
of JSON, the notes, and then the PDF to standard output; an error is one sentence on standard error.
"""

import os
import subprocess
import sys
from collections.abc import Sequence
from typing import Final

import msgspec

from firmware_host.errors import BoardError
from firmware_host.record.drawing import Drawing
from firmware_host.service.pdf import NoPdf, Pdf, to_pdf

MOST_S: Final = 120
"""A PDF that takes longer is given up: a Raspberry Pi needs a few seconds."""

NICE: Final = 10
"""The table comes first."""


def pdf_apart(pages: Sequence[Drawing]) -> Pdf:
    """The drawings as one PDF, made by another process; raises NoPdf in one sentence."""
    command = [sys.executable, "-m", "firmware_host.service.pdf_process"]
    try:
        done = subprocess.run(  # noqa: S603
            command, input=msgspec.json.encode(pages), capture_output=True, timeout=MOST_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NoPdf(f"the PDF was given up after {MOST_S} s") from error
    except OSError as error:
        raise NoPdf(f"the PDF is not made: {error.strerror or error}") from error
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        raise NoPdf(said[-1] if said else f"the PDF is not made: its process ended with {done.returncode}")
    notes, _, data = done.stdout.partition(b"\n")
    try:
        return Pdf(data, msgspec.json.decode(notes, type=tuple[str, ...]))
    except msgspec.DecodeError as error:
        raise NoPdf("the PDF is not made: its process wrote something else") from error


def main() -> int:
    """Standard input to standard output."""
    os.nice(NICE)
    try:
        made = to_pdf(msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Drawing, ...]))
    except BoardError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.buffer.write(msgspec.json.encode(made.notes) + b"\n" + made.data)
    return 0


if __name__ == "__main__":
    sys.exit(main())
