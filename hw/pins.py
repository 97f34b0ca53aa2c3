"""Libraries for GPIO pins, loaded so that they leave nothing behind."""

import ctypes
import importlib
import os
import tempfile
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Final

CLONE_FS: Final = 0x200
"""The working directory of a thread becomes its own [unshare(2)]; no right is needed for it."""


def import_pin_library(name: str) -> ModuleType:
    """Import a module that may be, or may import, lgpio.

    lgpio makes a pipe `.lgd-nfy0` in the working directory when it is imported, which fails where that cannot
    be written to, and stays there for ever. Both its ends are open when the import is over, so a directory
    for just so long will do; a variable of the environment (LG_WD) moves one end only [lgpio 0.2.2]. A thread
    of its own does it, whose working directory is no other's where the kernel allows that. Raises whatever
    the import raises.
    """
    with ThreadPoolExecutor(1, "import") as aside:
        return aside.submit(_import_aside, name).result()


def _import_aside(name: str) -> ModuleType:
    """Import in a directory of its own, which then is gone."""
    alone = ctypes.CDLL(None).unshare(CLONE_FS) == 0
    before = os.open(".", os.O_RDONLY | os.O_DIRECTORY)
    try:
        with tempfile.TemporaryDirectory(prefix="lgpio-") as aside:
            os.chdir(aside)
            try:
                return importlib.import_module(name)
            finally:
                if not alone:
                    os.fchdir(before)
    finally:
        os.close(before)


def reason(error: BaseException) -> str:
    """What an error of a pin library says; its name where it says nothing."""
    return str(error) or type(error).__name__
