"""What the rules say of a whole game: opening, forbidden moves, the first win that nobody saw, the result.

The moves alone are judged, each by the position before it; time, claims and words are not in them. Source:
docs/rules.md, sections 2, 3, 4 and 8.
"""

from collections.abc import Mapping
from typing import Literal, Self

import msgspec

from firmware_host.board import BLACK, POINTS, WHITE, Colour, Point, Position
from firmware_host.record.game_files import Outcome, Played, Turn
from firmware_host.rules import ForbiddenKind, Opening, five_line, forbidden_at, opening_of


class Rules(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a match that decide what its moves are worth; docs/rules.md, sections 3 and 10."""

    forbidden: Literal["claim", "automatic", "off"] = "claim"
    overline: Literal["wins", "nothing"] = "wins"
    five: Literal["ends", "claim"] = "ends"

    @classmethod
    def of(cls, *layers: Mapping[str, str | None]) -> Self:
        """The rules that these layers give, the first that names a setting decides it."""
        named = {
            key: next((layer[key] for layer in layers if layer.get(key)), None)
            for key in cls.__struct_fields__
        }
        return msgspec.convert({key: value for key, value in named.items() if value}, cls)


class ForbiddenMove(msgspec.Struct, frozen=True):
    """A forbidden move: its number from 1, its point, the kind."""

    n: int
    point: Point
    kind: ForbiddenKind


class Win(msgspec.Struct, frozen=True):
    """What gave `winner` a win: move `n` on `point`, a row that wins or a forbidden move."""

    n: int
    point: Point
    winner: Colour
    reason: Literal["five", "overline", "double-four", "double-three"]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What the moves decide: `reason` is five, forbidden, passes or full-board, by move `n`.

    `if_claimed`: it is the last move, and White (or whoever has five) has still to say so.
    """

    winner: Colour | None
    reason: Literal["five", "forbidden", "passes", "full-board"]
    n: int
    if_claimed: bool = False


class Findings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything about one game.

    `forbidden` has all forbidden moves, those after a win too. `unclaimed` is the first win after which the
    game went on: a five with any move after it, a forbidden move with a move of White's after it. `result`
    is what the moves decide, None when they decide nothing; `recorded` is what the file says.
    """

    moves: int
    opening: Opening | None
    forbidden: tuple[ForbiddenMove, ...]
    unclaimed: Win | None
    result: Result | None
    recorded: Outcome | None

    @property
    def contradicts(self) -> bool:
        """Whether the file tells another winner than the moves decide without a word of anybody."""
        if self.result is None or self.recorded is None or self.result.if_claimed:
            return False
        return self.recorded[0] is not self.result.winner


def adjudicate(game: Played, rules: Rules) -> Findings:
    """Judge a game by its moves; `rules` decides over what the file names (see `Rules.of`)."""
    cells = bytearray(POINTS)
    wins: list[Win] = []
    forbidden: list[ForbiddenMove] = []
    opening = None
    stones = last = 0
    for n, turn in enumerate(game.turns, 1):
        p = turn.point
        if p is None:
            continue
        before = Position(bytes(cells))
        win = None
        last = n
        if turn.colour is BLACK and rules.forbidden != "off" and (kind := forbidden_at(before, p)):
            forbidden.append(ForbiddenMove(n, p, kind))
            win = Win(n, p, WHITE, kind)
        cells[p] = 1 if turn.colour is BLACK else 2
        stones += 1
        if win is None and _is_five(Position(bytes(cells)), p, rules):
            win = Win(n, p, turn.colour, "five")
        if win is not None:
            wins.append(win)
        if stones == 3:
            opening = opening_of(Position(bytes(cells)))
    return Findings(
        moves=len(game.turns),
        opening=opening,
        forbidden=tuple(forbidden),
        unclaimed=next((win for win in wins if _played_on(win, game.turns)), None),
        result=_result(game.turns, wins, rules, last if stones == POINTS else None),
        recorded=game.recorded,
    )


def _is_five(position: Position, p: Point, rules: Rules) -> bool:
    if rules.forbidden != "off":
        return five_line(position, p) is not None
    return five_line(position, p, overline="wins" if rules.overline == "wins" else "exact") is not None


def _played_on(win: Win, turns: tuple[Turn, ...]) -> bool:
    """Whether the game went on although it was won: for a forbidden move White has to have played on."""
    after = turns[win.n :]
    return any(win.reason == "five" or turn.colour is win.winner for turn in after)


def _result(turns: tuple[Turn, ...], wins: list[Win], rules: Rules, full: int | None) -> Result | None:
    """The first thing that ends the game by itself, else what its last move gives a claim to.

    `full` is the move that filled the board.
    """
    for win in wins:
        reason: Literal["five", "forbidden"] = "five" if win.reason == "five" else "forbidden"
        by_itself = rules.five == "ends" if reason == "five" else rules.forbidden == "automatic"
        if by_itself:
            return _earlier(turns, Result(winner=win.winner, reason=reason, n=win.n))
        if not _played_on(win, turns):
            ends = _earlier(turns, None)
            return ends or Result(winner=win.winner, reason=reason, n=win.n, if_claimed=True)
    full_board = Result(winner=None, reason="full-board", n=full) if full else None
    return _earlier(turns, full_board)


def _earlier(turns: tuple[Turn, ...], end: Result | None) -> Result | None:
    """Two passes in a row, if they came before `end`."""
    for n in range(1, end.n if end else len(turns)):
        if all(turn.point is None and turn.seen for turn in turns[n - 1 : n + 1]):
            return Result(winner=None, reason="passes", n=n + 1)
    return end
