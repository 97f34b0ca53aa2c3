"""The font of the sheets: a TrueType font of this machine that has Chinese and Japanese as well as Latin.

`fonts-wqy-microhei` is recommended. It is looked for where systems keep it, then asked of fontconfig. A font
with PostScript outlines (most of Noto CJK) cannot be put into a PDF by reportlab and is passed over.
"""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

RECOMMENDED: Final = "fonts-wqy-microhei"

KNOWN: Final = (
    ("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc", 0),
    ("/usr/share/fonts/wqy-microhei/wqy-microhei.ttc", 0),
    ("/usr/share/fonts/wenquanyi/wqy-microhei/wqy-microhei.ttc", 0),
    ("/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc", 0),
    ("/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf", 0),
)
"""Where distributions keep fonts with Chinese and Japanese, best first."""

ASKED: Final = ("sans-serif:lang=zh-cn:fontformat=TrueType", "sans-serif:fontformat=TrueType")
"""What fontconfig is asked for, one after the other."""

ASKING_S: Final = 5
TRUETYPE: Final = (b"\0\1\0\0", b"true", b"ttcf")
"""The first bytes of font files with TrueType outlines, and of collections; Source: OpenType, font file."""


class FontFile(NamedTuple):
    """A font: its file, and which one it is in a collection."""

    path: Path
    number: int = 0


def find_fonts(known: Sequence[tuple[str, int]] = KNOWN, asked: Sequence[str] = ASKED) -> Iterator[FontFile]:
    """The fonts that may do, best first; fontconfig is asked only when the known ones are used up."""
    for path, index in known:
        if _is_truetype(Path(path)):
            yield FontFile(Path(path), index)
    for pattern in asked:
        font = _ask(pattern)
        if font is not None and _is_truetype(font.path):
            yield font


def _ask(pattern: str) -> FontFile | None:
    """What fontconfig has for a pattern; None without fontconfig."""
    program = shutil.which("fc-match")
    if program is None:
        return None
    try:
        answer = subprocess.run(  # noqa: S603
            [program, "--format", "%{index}\n%{file}", pattern],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=ASKING_S,
            check=True,
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    index, _, path = answer.partition("\n")
    # The upper half of fontconfig's index numbers a named instance of a variable font.
    return FontFile(Path(path), int(index) & 0xFFFF) if path and index.isdigit() else None


def _is_truetype(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(4) in TRUETYPE
    except OSError:
        return False
