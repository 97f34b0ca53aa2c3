"""Libraries for GPIO pins, loaded so that they leave nothing behind."""

import importlib
import os
import tempfile
from types import ModuleType


def import_pin_library(name: str) -> ModuleType:
    """Import a module that may be, or may import, lgpio.

    lgpio makes a pipe `.lgd-nfy0` in the working directory when it is imported, which fails where that cannot
    be written to, and stays there for ever. Both its ends are open when the import is over, so a directory
    for just so long will do; a variable of the environment (LG_WD) moves one end only [lgpio 0.2.2]. Raises
    whatever the import raises.
    """
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        with tempfile.TemporaryDirectory(prefix="lgpio-") as aside:
            os.chdir(aside)
            try:
                return importlib.import_module(name)
            finally:
                os.fchdir(before)
    finally:
        os.close(before)
