"""The rules of renju and gomoku about positions: lines, forbidden moves, openings, fifth offers."""

from firmware_host.rules.forbidden import ForbiddenKind, forbidden_at, forbidden_points
from firmware_host.rules.lines import five_line
from firmware_host.rules.offers import offers_symmetric
from firmware_host.rules.openings import CENTRAL, OPENINGS, TOUCHING, Opening, opening_of

__all__ = [
    "CENTRAL",
    "OPENINGS",
    "TOUCHING",
    "ForbiddenKind",
    "Opening",
    "five_line",
    "forbidden_at",
    "forbidden_points",
    "offers_symmetric",
    "opening_of",
]
