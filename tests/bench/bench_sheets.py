"""CPU time of score sheets, from the record to SVG or PDF, for a short game and the longest."""

from time import process_time_ns

from firmware_host.record.game import GameRecord
from firmware_host.record.sheet import Sheet, draw_sheet
from firmware_host.record.svg import to_svg
from firmware_host.service.pdf import to_pdf
from tests.record.sample_sheets import record, sheet

ROUNDS = 5


def run() -> list[tuple[str, str]]:
    """Name and value of each figure."""
    figures = []
    for moves in (37, 225):
        game, how = record(moves, "zh"), sheet("zh")
        svg_ms = best_ms(game, how, pdf=False)
        pdf_ms = best_ms(game, how, pdf=True)
        figures += [
            (f"score sheet of {moves} moves as SVG (<= 30 ms)", f"{svg_ms:.1f} ms"),
            (f"score sheet of {moves} moves as PDF (<= 1 s)", f"{pdf_ms / 1000:.2f} s"),
        ]
    return figures


def best_ms(game: GameRecord, how: Sheet, *, pdf: bool) -> float:
    """The best of some rounds, from the record to the bytes."""
    times = []
    for _ in range(ROUNDS):
        before = process_time_ns()
        drawing = draw_sheet(game, how)
        if pdf:
            to_pdf([drawing])
        else:
            to_svg(drawing)
        times.append(process_time_ns() - before)
    return min(times) / 1e6
