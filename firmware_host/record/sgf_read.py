"""Reading SGF: the trees of a file to records, with notes of what was left open or not read."""

import re
from typing import Final, get_args

from msgspec.structs import replace

from firmware_host.board import BLACK, SIZE, WHITE, Colour, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.reading import Game, Games, placed, short
from firmware_host.record.sgf_settings import rules_of, time_of
from firmware_host.record.sgf_text import MAX_LINE, Node, Tree, decode, trees
from firmware_host.record.sgf_values import (
    APP,
    PASSES,
    UNSEEN,
    exact_of,
    ms_of,
    number_of,
    point_of,
    rank_of,
    result_of,
    round_of,
    simple_of,
    text_of,
)
from firmware_host.record.values import Move, Remark, Result
from firmware_host.referee.rulings import Reason
from firmware_host.referee.settings import MatchSettings
from firmware_host.rules import OPENINGS, five_line

_REASONS: Final[tuple[Reason, ...]] = get_args(Reason)
KNOWN: Final = frozenset(
    re.findall(
        r"\w+",
        "AB AE AN AP AR AW B BL BM BR BT C CA CP CR DD DM DO DT EV FF FG GB GC GM GN GW HA HO IT KM KO LB LN"
        " MA MN N OB ON OT OW PB PC PL PM PW RE RO RU SL SO SQ ST SZ TB TE TM TR TW UC US V VW W WL WR WT"
        " BS CH EL EX ID IS L LT M OM OP OV RG SC SE SI TC WS",
    )
)
"""The properties of FF[4] for any game and for Go, and older ones. Another one might be a move."""

_COLOURS: Final[dict[str, Colour]] = {"B": BLACK, "W": WHITE}


def games(data: bytes) -> Games:
    """The games of a collection one after the other, with an error where one cannot be read.

    What breaks the form of the file ends it; a game with a wrong move is an error among the others.
    """
    count = 0
    try:
        text, notes = decode(data)
        for tree in trees(text):
            count += 1
            try:
                reader = _Reader(tree)
                yield Game(line=tree.line, record=reader.record(), notes=(*notes, *reader.notes))
            except RecordError as error:
                yield RecordError(error.reason, line=error.line or tree.line, move=error.move)
            notes = ()
        if not count:
            yield RecordError("there is no game; an SGF game begins with (;")
    except RecordError as error:
        yield error


class _Reader:
    """Reads the record of one tree; `notes` gathers what was left open or not read."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.notes: list[str] = []
        self.own = simple_of(tree.nodes[0].value("AP") or "").startswith(f"{APP}:")
        self.turns: list[tuple[Colour, Point | None]] = []
        self.lines: list[int] = []
        self.left: dict[int, int] = {}
        self.missing: list[int] = []
        self.comments: dict[int, list[str]] = {}
        self.offers: tuple[Point, ...] = ()
        self.fifth = 5

    def record(self) -> GameRecord:
        self._game_and_board()
        info = _Info(self.tree, own=self.own)
        for node in self.tree.nodes:
            self._node(node)
        try:
            moves = placed(self.turns, self.missing)
        except RecordError as error:
            raise RecordError(
                error.reason, line=self.lines[(error.move or 1) - 1], move=error.move
            ) from error
        if self.tree.others:
            self.notes.append(_variations(self.tree.others))
        unknown = dict.fromkeys(
            name for node in self.tree.nodes for name, _ in node.properties if name not in KNOWN
        )
        if unknown:
            names = ", ".join(name[:9] for name in list(unknown)[:9])
            self.notes.append(f"properties that are not known, and not read: {names}")
        if info.remarks:
            self.comments[0] = [*self.comments.get(0, []), *info.remarks]
        self.notes += info.notes
        return GameRecord(
            header=info.header,
            settings=info.settings,
            moves=tuple(replace(move, left_ms=self.left.get(move.n)) for move in moves),
            opening=info.opening,
            offers=self.offers,
            fifth=self.fifth,
            result=info.result if info.exact else _reasoned(info.result, moves),
            remarks=tuple(
                Remark(after=after, text="\n".join(lines)) for after, lines in sorted(self.comments.items())
            ),
        )

    def _game_and_board(self) -> None:
        """FF, GM and SZ; raises RecordError for another game, another board, a later form."""
        root = self.tree.nodes[0]
        form, game, size = (root.value(name) for name in ("FF", "GM", "SZ"))
        if form is not None and number_of(form) not in (1, 2, 3, 4):
            raise RecordError(f"FF = {short(form)} is not known; allowed: 1 to 4", line=root.line)
        kind = 1 if game is None else number_of(game)
        if kind not in (1, 4):
            raise RecordError(
                f"GM = {short(game)} is another game; allowed: 4 (gomoku, renju), or 1 with SZ[{SIZE}]",
                line=root.line,
            )
        if size is not None and size.replace(" ", "") not in (str(SIZE), f"{SIZE}:{SIZE}"):
            raise RecordError(f"SZ = {short(size)} is another board; allowed: {SIZE}", line=root.line)
        if kind == 1 and size is None:
            told = "GM = 1" if game else "there is no GM, which means 1"
            raise RecordError(f"{told}: Go, on 19 x 19; allowed: GM[4], or SZ[{SIZE}]", line=root.line)
        if kind == 1:
            told = "GM[1] means Go" if game else "there is no GM, which means Go"
            self.notes.append(f"{told}; by the board of {SIZE} x {SIZE} it is read as gomoku or renju")

    def _node(self, node: Node) -> None:
        """The moves of a node in the order of the file, and what belongs to the last of them."""
        held: dict[str, list[str]] = {}
        for name, value in node.properties:
            held.setdefault(name, []).append(value)
        if "AB" in held or "AW" in held:
            blacks, whites = ([value for value in held.get(name, ()) if value] for name in ("AB", "AW"))
            self._set_up(node, blacks, whites)
        if "AE" in held:
            raise RecordError("AE takes stones off the board, which no game here does", line=node.line)
        before = len(self.turns)
        for name, value in node.properties:
            if name in _COLOURS:
                self._turn(_COLOURS[name], value, node)
        for letter, colour in _COLOURS.items():
            if letter in held and f"{letter}L" in held:
                self._time_left(colour, f"{letter}L", held[f"{letter}L"][0], node)
        n = len(self.turns)
        if self.own and n > before and simple_of(held.get("N", [""])[0]) == UNSEEN:
            self.missing.append(n)
        if self.own and "LB" in held:
            labelled = [point_of(value.partition(":")[0]) for value in held["LB"]]
            self.offers, self.fifth = tuple(p for p in labelled if p is not None), n + 1
        text = "\n".join(text_of(value) for value in held.get("C", ()))
        if text:
            self.comments.setdefault(n, []).append(text)

    def _time_left(self, colour: Colour, name: str, value: str, node: Node) -> None:
        """What the last move of a side in this node left it."""
        ms = ms_of(value)
        if ms is None:
            self.notes.append(f"line {node.line}: {name} = {short(value)} is no time, and not read")
            return
        n = len(self.turns)
        while self.turns[n - 1][0] is not colour:
            n -= 1
        self.left[n] = ms

    def _turn(self, colour: Colour, value: str, node: Node) -> None:
        n = len(self.turns) + 1
        if n > MAX_LINE:
            raise RecordError(f"more than {MAX_LINE} moves are no game", line=node.line, move=n)
        p = None if value in PASSES else point_of(value)
        if p is None and value not in PASSES:
            what = f"{short(value)} is not a point; allowed: aa to oo, and nothing for a pass"
            raise RecordError(what, line=node.line, move=n)
        self.turns.append((colour, p))
        self.lines.append(node.line)

    def _set_up(self, node: Node, blacks: list[str], whites: list[str]) -> None:
        """Stones that were put down before the first move are read as moves by turns, in the order given."""
        if self.turns:
            raise RecordError("AB or AW after a move: stones that are no moves", line=node.line)
        if len(blacks) - len(whites) not in (0, 1):
            raise RecordError(
                f"{len(blacks)} black and {len(whites)} white stones are set up; allowed: as many of each, or"
                " one black more, so that they can be moves by turns",
                line=node.line,
            )
        for n in range(len(blacks) + len(whites)):
            colour, value = (WHITE, whites[n // 2]) if n % 2 else (BLACK, blacks[n // 2])
            if value in PASSES:
                raise RecordError(f"{short(value)} is not a point; allowed: aa to oo", line=node.line)
            self._turn(colour, value, node)
        self.notes.append("stones that were set up are read as moves by turns, in the order of the file")


def _variations(others: int) -> str:
    return f"{others} variation{' is' if others == 1 else 's are'} not read, the main line is the game"


def _reasoned(result: Result | None, moves: tuple[Move, ...]) -> Result | None:
    """The result with `five` for its reason where the file gives none and the last stone made one."""
    if result is None or result.reason != "arbiter" or result.winner is None or not moves:
        return result
    last = moves[-1]
    if last.point is None or last.colour is not result.winner:
        return result
    line = five_line(GameRecord(moves=moves).position, last.point)
    return result if line is None else replace(result, reason="five", line=line)


class _Info:
    """What a game says of itself, from whatever node; `remarks` is what there is no place for.

    `exact`: the result is told in full, so that nothing is to be found out about its reason.
    """

    def __init__(self, tree: Tree, *, own: bool) -> None:
        self.values: dict[str, str] = {}
        for node in tree.nodes:
            for name, value in node.properties:
                self.values.setdefault(name, value)
        self.own = own
        self.exact = False
        self.notes: list[str] = []
        self.remarks: list[str] = []
        self.header = self._header()
        self.settings = self._settings()
        self.opening = self._opening()
        self.result = self._result()
        foreign = ("GC", "SO", "AN", "CP") if own else ("GC", "SO", "AN", "US", "CP")
        self.remarks += [
            f"{name}: {text}" for name in foreign if (text := text_of(self.values.get(name, "")))
        ]

    def text(self, name: str) -> str:
        return simple_of(self.values.get(name, ""))

    def _header(self) -> Header:
        number, table, kind = round_of(self.text("RO"))
        if kind:
            self.remarks.append(f"RO: {kind}")
        persons = []
        for letter in _COLOURS:
            title, rating = rank_of(self.text(f"{letter}R"))
            person = Person(
                name=self.text(f"P{letter}"), federation=self.text(f"{letter}T"), rating=rating, title=title
            )
            persons.append(person)
        return Header(
            id=self.text("GN"),
            table=table,
            event=self.text("EV"),
            round=number,
            place=self.text("PC"),
            arbiter=self.text("US") if self.own else "",
            first=persons[0],
            second=persons[1],
            date=self.text("DT"),
        )

    def _settings(self) -> MatchSettings:
        rules = self.text("RU")
        settings = rules_of(rules) if rules else MatchSettings()
        if settings is None:
            self.notes.append(f"RU = {short(rules)} is not known: the rules are taken for those of renju")
            settings = MatchSettings()
        main, overtime = self.values.get("TM"), self.values.get("OT")
        if self.own or (main is None and overtime is None):
            return settings
        time = time_of(main, None if overtime is None else simple_of(overtime))
        if time is None:
            words = f"TM = {short(main or '')}, OT = {short(overtime or '')}"
            self.notes.append(f"{words}: the time is not understood, and not read")
        return settings if time is None else replace(settings, time=time)

    def _opening(self) -> str | None:
        name = self.text("ON")
        words = {word.lower() for word in name[:200].split()}
        for opening in OPENINGS:
            if words & {text.lower() for text in (opening.code, opening.zh, opening.ja, opening.romaji)}:
                return opening.code
        if name:
            self.remarks.append(f"ON: {name}")
        return None

    def _result(self) -> Result | None:
        if self.own and (exact := exact_of(text_of(self.values.get("GC", "")), _REASONS)) is not None:
            del self.values["GC"]
            self.exact = True
            return exact
        value = self.text("RE")
        result = result_of(value)
        if result == "unknown":
            known = "B+, W+, B+R, W+T, B+F, 0, Draw, Void, ?"
            self.notes.append(f"RE = {short(value)} is not known, and not read; allowed: {known}")
            return None
        return result
