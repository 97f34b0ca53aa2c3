"""Games as RenjuNet's database has them, with the players, tournaments and rules that they name by id.

The file's form is in `renjunet_xml`. Where no source says what an attribute means, this is taken: `black` and
`white` are the players who held the colours in the end, `bresult` is Black's score. `alt` names the fifth
stones that were offered and not taken (a game h8 h9 h7 h6 i9 has `alt="i8"`, by the rule of two fifths);
where it is something else it is left alone and said. `swap` has a letter for each time that the colours could
be changed, R where they were. The openings' ids are 1 to 13 for I1 to I13, 14 to 26 for D1 to D13, as h8 h9
i8 is 19 and h8 h9 h7 is 21. `btime` and `wtime` have no unit that is known, and are not read or written.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import count
from typing import Final

from firmware_host.board import BLACK, NAMES, WHITE, Point, parse_moves
from firmware_host.errors import NotationError, RecordError
from firmware_host.record.game import Choice, GameRecord, Move, Remark, Result
from firmware_host.record.header import Header, Person
from firmware_host.record.held import bare, in_turn, take
from firmware_host.record.psq import decided, won
from firmware_host.record.reading import Game, Games, records
from firmware_host.record.renjunet_xml import Database, Row, build, fit, parse
from firmware_host.referee.settings import MatchSettings, match_settings
from firmware_host.rules import OPENINGS

CANNOT: Final[tuple[str, ...]] = (
    "a pass, a stone out of turn or one that was not seen: the game ends before it",
    "times and instants",
    "an id that is no number, the table and the arbiter",
    "of the date more than the day",
    "of the players more than name and federation",
    "settings but the opening's procedure, N, the order of the fifth offers",
    "choices of colours at other moves than the procedure's, and their times",
    "irregular actions, claims, penalties and corrections",
    "why the game ended, a result that is no win and no draw, and the stones of a five",
    "remarks apart: they are one text about the whole game",
    "characters that XML cannot hold, spaces at the ends of a remark",
)

LIMIT_GAMES: Final = 50_000
LIMIT_NOTES: Final = 100
LIMIT_TEXT: Final = 4_000
"""Characters of moves, and of `alt`: 225 points and what stands between them."""

RULES: Final[dict[str, tuple[str, tuple[int, ...]]]] = {
    "rif-classic": ("RIF", (3,)),
    "yamaguchi": ("Yamaguchi", (3,)),
    "soosyrv-8": ("Soosyrv-8", (3, 4)),
    "taraguchi-10": ("Taraguchi-10", (1, 2, 3, 4, 5)),
    "tarannikov": ("Tarannikov", (1, 2, 3, 4, 5)),
    "designated": ("Designated opening", (3,)),
    "swap2": ("Swap2", (3, 5)),
    "free": ("Free opening", ()),
}
"""Procedure -> the name of the rule, and after which moves colours may be changed [docs/rules.md, 9]."""

_BY_NAME: Final = {name.casefold(): opening for opening, (name, _) in RULES.items()} | {
    "soosõrv-8": "soosyrv-8",
    "soosorv-8": "soosyrv-8",
}
_IDS: Final = {opening.code: int(opening.code[1:]) + 13 * (opening.code[0] == "D") for opening in OPENINGS}
_ROMAJI: Final = {opening.code: opening.romaji for opening in OPENINGS}
_SCORES: Final = {"1": BLACK, "0.5": None, "0": WHITE}
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,8}")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_FIFTH: Final = 5


# Model -> text


def write(record: GameRecord) -> bytes:
    """The file of one game, in UTF-8."""
    return write_all((record,))


def write_all(games_of: Iterable[GameRecord]) -> bytes:
    """The file of many games, each player, tournament and country in it once."""
    tables = _Rows()
    given = list(games_of)
    held = [holdable(record) for record in given]
    days: dict[tuple[str, str], list[str]] = {}
    for game in held:
        days.setdefault(_event(game), []).extend(filter(None, [game.header.date]))
    for number, game in zip(_numbers(given), held, strict=True):
        tables.add_game(game, number, sorted(set(days[_event(game)])))
    return build(tables.rows).encode()


def _numbers(games_of: list[GameRecord]) -> list[str]:
    """The id of each game: its own, where that is a number and no earlier game's, else the next free one."""
    taken = {game.header.id for game in games_of}
    free = (str(n) for n in count(1) if str(n) not in taken)
    used: set[str] = set()
    numbers = []
    for game in games_of:
        own = game.header.id
        number = own if _NUMBER.fullmatch(own) and own not in used else next(free)
        used.add(number)
        numbers.append(number)
    return numbers


def _event(game: GameRecord) -> tuple[str, str]:
    return game.header.event, game.header.place


class _Rows:
    """The tables as they grow with each game."""

    def __init__(self) -> None:
        self.rows: dict[str, list[tuple[dict[str, str], dict[str, str]]]] = {}
        self._ids: dict[tuple[str, tuple[str, ...]], str] = {}

    def _id(self, table: str, key: tuple[str, ...], attributes: Mapping[str, str], number: int = 0) -> str:
        """The id of a row, which is added unless it is there; without a name it has none."""
        if not any(key):
            return ""
        known = self._ids.get((table, key))
        if known is None:
            rows = self.rows.setdefault(table, [])
            known = self._ids[table, key] = str(number or len(rows) + 1)
            rows.append(({"id": known, **attributes}, {}))
        return known

    def _country(self, name: str) -> str:
        return self._id("countries", (name,), {"name": name})

    def _player(self, person: Person) -> str:
        country = self._country(person.federation)
        key = (person.name, person.federation)
        return self._id("players", key, {"surname": person.name, "country": country})

    def _tournament(self, game: GameRecord, days: list[str]) -> str:
        header = game.header
        city = self._id("cities", (header.place,), {"name": header.place})
        dates = {"year": days[0][:4], "start": days[0], "end": days[-1]} if days else {}
        key = (*_event(game), *dates.values())
        return self._id("tournaments", key, {"name": header.event, "city": city, **dates})

    def add_game(self, game: GameRecord, number: str, days: list[str]) -> None:
        """Add a game that `holdable` gave; `days` are those on which its tournament was played, in order."""
        header, code = game.header, game.opening or ""
        rule, _ = RULES[game.settings.opening]
        kept = game.kept
        attributes = {
            "id": number,
            "tournament": self._tournament(game, days),
            "round": "" if header.round is None else str(header.round),
            "rule": self._id("rules", (rule,), {"name": rule}),
            "black": self._player(game.person(BLACK)),
            "white": self._player(game.person(WHITE)),
            "bresult": "" if game.result is None else f"{game.result.black:g}",
            "opening": self._id(
                "openings", (code,), {"abbr": code, "name": _ROMAJI.get(code, "")}, _IDS.get(code, 0)
            ),
            "alt": " ".join(NAMES[p].lower() for p in game.offers if p != kept),
            "swap": "".join("R" if choice.swap else "-" for choice in game.choices),
        }
        texts = {"move": " ".join(NAMES[move.point].lower() for move in game.moves if move.point is not None)}
        if game.remarks:
            texts["info"] = game.remarks[0].text
        self.rows.setdefault("games", []).append((attributes, texts))


def holdable(record: GameRecord) -> GameRecord:
    """The record with only what RenjuNet's database can hold."""
    header, settings = record.header, record.settings
    moves = tuple(bare(move.n, move.point) for move in in_turn(record, passes=False))
    choices = _choices(record)
    swapped = sum(choice.swap for choice in choices) % 2 == 1
    black, white = (_person(record.person(colour)) for colour in (BLACK, WHITE))
    day = _DAY.match(header.date)
    text = "\n".join(filter(None, (fit(remark.text).strip() for remark in record.remarks)))
    result = record.result
    return GameRecord(
        header=Header(
            id=header.id if _NUMBER.fullmatch(header.id) else "1",
            event=fit(header.event),
            round=header.round if header.round is not None and 0 < header.round < 10**9 else None,
            place=fit(header.place),
            first=white if swapped else black,
            second=black if swapped else white,
            date=day[0] if day else "",
        ),
        settings=match_settings({"opening": settings.opening}),
        moves=moves,
        opening=record.opening if record.opening in _IDS else None,
        offers=_offers(record, moves),
        choices=choices,
        result=won(result.winner) if result is not None and decided(result) else None,
        remarks=(Remark(after=0, text=text.strip()),) if text.strip() else (),
    )


def _person(person: Person) -> Person:
    return Person(name=fit(person.name), federation=fit(person.federation))


def _choices(record: GameRecord) -> tuple[Choice, ...]:
    """The choices of colours, one for each time up to the last; none where they are not the procedure's."""
    _, times = RULES[record.settings.opening]
    made = {choice.after: choice.swap for choice in record.choices}
    if len(made) < len(record.choices) or not made or not set(made) <= set(times):
        return ()
    return tuple(
        Choice(t_ns=0, after=after, swap=made.get(after, False)) for after in times if after <= max(made)
    )


def _offers(record: GameRecord, moves: tuple[Move, ...]) -> tuple[Point, ...]:
    """The fifth offers, the one that was taken first; none where they are not of move 5."""
    if record.fifth != _FIFTH:
        return ()
    if len(moves) < _FIFTH:
        return tuple(dict.fromkeys(record.offers))
    taken = moves[_FIFTH - 1].point
    others = tuple(p for p in dict.fromkeys(record.offers) if p != taken)
    return (taken, *others) if taken in record.offers and taken is not None and others else ()


# Text -> model


def read(data: bytes) -> tuple[GameRecord, ...]:
    """The games of a database file. Raises RecordError naming the line and the reason."""
    return records(games(data))


def games(data: bytes) -> Games:
    """The games of a file, or what is wrong with one; notes say what was found in it and not understood."""
    try:
        database = parse(data)
        rows = database.get("games", [])
        if len(rows) > LIMIT_GAMES:
            raise RecordError(f"more than {LIMIT_GAMES} games", line=rows[LIMIT_GAMES].line)
    except RecordError as error:
        yield error
        return
    reader = _Reader(database)
    for row in rows:
        try:
            record = reader.game(row)
        except RecordError as error:
            yield error
            continue
        yield Game(line=row.line, record=record, notes=reader.notes())


class _Reader:
    """Reads games with the tables that they name."""

    def __init__(self, database: Database) -> None:
        self._tables = {
            table: {row.get("id"): row for row in reversed(rows)} for table, rows in database.items()
        }
        self._moves: dict[tuple[int, Point], Move] = {}  # one value for all games that have it
        self._unknown: set[tuple[str, str]] = set()
        self._notes: list[str] = []

    def notes(self) -> tuple[str, ...]:
        """Sentences about the last game: what in it was not understood, and has not been said before."""
        notes, self._notes = tuple(self._notes), []
        return notes

    def _named(self, table: str, number: str, attribute: str = "name") -> str:
        row = self._tables.get(table, {}).get(number)
        return "" if row is None else row.get(attribute)

    def _not_known(self, what: str, value: str) -> None:
        if (what, value) not in self._unknown and len(self._unknown) < LIMIT_NOTES:
            self._unknown.add((what, value))
            self._notes.append(f"{what} {value[:40]!a} is not known, and left out")

    def game(self, row: Row) -> GameRecord:
        """One game; raises RecordError for a move that cannot be and a result that is none."""
        moves = self._played(row)
        settings = self._settings(row)
        choices = self._swaps(row, settings.opening)
        black, white = (self._person(row.get(side)) for side in ("black", "white"))
        swapped = sum(choice.swap for choice in choices) % 2 == 1
        code = self._named("openings", row.get("opening"), "abbr")
        if code and code not in _IDS:
            self._not_known("opening", code)
        info = row.texts.get("info", "").strip()
        return GameRecord(
            header=self._header(row, white if swapped else black, black if swapped else white),
            settings=settings,
            moves=moves,
            opening=code if code in _IDS else None,
            offers=self._alternatives(row, moves),
            choices=choices,
            result=_result(row),
            remarks=(Remark(after=0, text=info),) if info else (),
        )

    def _header(self, row: Row, first: Person, second: Person) -> Header:
        tournament = self._tables.get("tournaments", {}).get(row.get("tournament"))
        event = place = date = ""
        if tournament is not None:
            event, date = tournament.get("name"), tournament.get("start")
            places = (
                self._named("cities", tournament.get("city")),
                self._named("countries", tournament.get("country")),
            )
            place = ", ".join(filter(None, places))
            if date != tournament.get("end") or _DAY.fullmatch(date) is None:
                date = ""  # a tournament of several days does not tell a game's
        turn = row.get("round")
        if turn and _NUMBER.fullmatch(turn) is None:
            self._not_known("round", turn)
        return Header(
            id=row.get("id"),
            event=event,
            round=int(turn) if _NUMBER.fullmatch(turn) else None,
            place=place,
            first=first,
            second=second,
            date=date,
        )

    def _person(self, number: str) -> Person:
        row = self._tables.get("players", {}).get(number)
        if row is None:
            return Person()
        name = " ".join(filter(None, (row.get("name"), row.get("surname"))))
        return Person(name=name, federation=self._named("countries", row.get("country")))

    def _settings(self, row: Row) -> MatchSettings:
        rule = self._named("rules", row.get("rule"))
        opening = _BY_NAME.get(rule.casefold())
        if opening is None:
            if rule or row.get("rule"):
                self._not_known("rule", rule or row.get("rule"))
            return MatchSettings()
        return match_settings({"opening": opening})

    def _swaps(self, row: Row, opening: str) -> tuple[Choice, ...]:
        letters, (_, times) = row.get("swap"), RULES[opening]
        if len(letters) > len(times) or set(letters) - {"R", "-"}:
            self._not_known("swap", letters)
            return ()
        return tuple(
            Choice(t_ns=0, after=after, swap=letter == "R")
            for after, letter in zip(times, letters, strict=False)
        )

    def _played(self, row: Row) -> tuple[Move, ...]:
        taken: set[Point] = set()
        moves: list[Move] = []
        text = row.texts.get("move", "")
        if len(text) > LIMIT_TEXT:
            raise RecordError(f"{len(text)} characters of moves; allowed: {LIMIT_TEXT}", line=row.line)
        try:
            points = parse_moves(" ".join(text.split()))
        except NotationError as error:
            raise RecordError(f"game {row.get('id')[:20]!a}: {error}", line=row.line) from error
        for n, p in enumerate(points, 1):
            take(p, taken, row.line, n)
            moves.append(self._moves.setdefault((n, p), bare(n, p)))
        return tuple(moves)

    def _alternatives(self, row: Row, moves: tuple[Move, ...]) -> tuple[Point, ...]:
        text = row.get("alt")
        try:
            if len(text) > LIMIT_TEXT:
                raise NotationError("too long")
            others = tuple(dict.fromkeys(parse_moves(text)))
        except NotationError:
            self._not_known("alt", text)
            return ()
        if len(moves) < _FIFTH or not others:
            return others
        taken = moves[_FIFTH - 1].point
        return () if taken is None else (taken, *(p for p in others if p != taken))


def _result(row: Row) -> Result | None:
    score = row.get("bresult")
    if not score:
        return None
    if score not in _SCORES:
        raise RecordError(f"bresult = {score[:20]!a} is not possible; allowed: 1, 0.5, 0", line=row.line)
    return won(_SCORES[score])
