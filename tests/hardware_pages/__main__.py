"""Draw the drawings of `hw/docs` and fill its tables anew: `python -m tests.hardware_pages`."""

from tests.hardware_pages.pages import DRAWINGS, filled
from tests.hardware_pages.wiring import DOCS

for name, draw in DRAWINGS.items():
    (DOCS / name).write_text(draw().svg(), encoding="utf-8")
for path in sorted(DOCS.glob("*.md")):
    path.write_text(filled(path.read_text(encoding="utf-8")), encoding="utf-8")
