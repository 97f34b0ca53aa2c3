"""Libraries in C that tests preload into programs, built once for each state of their source."""

import hashlib
import os
import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]


def built(source: Path) -> Path:
    """The library of a C source."""
    state = hashlib.sha256(source.read_bytes()).hexdigest()[:16]
    library = ROOT / ".cache" / f"{source.stem}-{state}.so"
    if not library.exists():
        assert shutil.which("gcc"), "gcc is missing; scripts/setup dev installs it"
        library.parent.mkdir(exist_ok=True)
        new = library.with_suffix(f".{os.getpid()}")
        warnings = ("-Wall", "-Wextra", "-Werror")
        subprocess.run(
            ["gcc", "-O2", "-shared", "-fPIC", *warnings, "-o", new, source, "-ldl", "-lpthread"], check=True
        )
        new.replace(library)
    return library
