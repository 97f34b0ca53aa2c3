"""Games as the lines of a RenLib library, and all games of an event as one opening tree with comments.

The file's form is in `renlib_tree`. A comment of a node is a remark after its move; the root's comment is a
remark before move 1. A library's games are its lines, one for each last move. Several games in one tree are
told apart by the comment that `write_all` puts at the end of each, in the words that RenLib gives to a game
which it imports (`Game.cpp`, `resultInfo`): `Black - White 1-0`.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from firmware_host.board import BLACK, WHITE, Point
from firmware_host.errors import RecordError
from firmware_host.record.game import GameRecord, Move, Remark
from firmware_host.record.held import bare, in_turn
from firmware_host.record.reading import Game, Games, records
from firmware_host.record.renlib_tree import Node, Tree, build, parse
from firmware_host.record.text_format import one_line

CANNOT: Final[tuple[str, ...]] = (
    "a stone out of turn or one that was not seen: the game ends before it",
    "times and instants",
    "players, event, round, table, date, place and arbiter (a library of an event says them in comments)",
    "opening, swaps, N and fifth offers",
    "irregular actions, claims, penalties and corrections",
    "the result (a library of an event says it in comments)",
    "two remarks after one move as two, line breaks at the ends of a remark, the characters 00 and 08",
)

LIMIT_GAMES: Final = 10_000


# Model -> bytes


def write(record: GameRecord) -> bytes:
    """One game as a library of one line."""
    held = holdable(record)
    texts = {remark.after: remark.text for remark in held.remarks}
    nodes = tuple(
        Node(parent=n - 1, point=move.point, text=texts.get(move.n, "")) for n, move in enumerate(held.moves)
    )
    return build(Tree(nodes, texts.get(0, "")))


def holdable(record: GameRecord) -> GameRecord:
    """The record with only what a library of one line can hold."""
    moves = in_turn(record, passes=True)
    texts: dict[int, list[str]] = {}
    for remark in record.remarks:
        if text := _plain(remark.text):
            texts.setdefault(min(max(remark.after, 0), len(moves)), []).append(text)
    return GameRecord(
        moves=tuple(bare(move.n, move.point) for move in moves),
        remarks=tuple(Remark(after=after, text="\n".join(texts[after])) for after in sorted(texts)),
    )


def _plain(text: str) -> str:
    """A text without what a comment's end and its first line are marked with."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "").replace("\b", "")
    return plain.strip("\n").encode("utf-8", "replace").decode("utf-8")


def write_all(games_of: Iterable[GameRecord]) -> bytes:
    """The opening tree of many games: moves that are the same are one; comments say whose game ends where."""
    return build(tree_of(games_of))


def tree_of(games_of: Iterable[GameRecord]) -> Tree:
    """The tree of the games, depth first, variants in the order of the games."""
    points: list[Point | None] = [None]
    below: list[dict[Point | None, int]] = [{}]
    texts: list[list[str]] = [[]]
    for record in games_of:
        held = holdable(record)
        line = [0]
        for move in held.moves:
            node = below[line[-1]].get(move.point)
            if node is None:
                node = below[line[-1]][move.point] = len(points)
                points.append(move.point)
                below.append({})
                texts.append([])
            line.append(node)
        texts[line[-1]].append(_about(record))
        for remark in held.remarks:
            texts[line[remark.after]].append(remark.text)
    nodes: list[Node] = []
    waiting = [(-1, node) for node in reversed(below[0].values())]
    while waiting:
        parent, node = waiting.pop()
        nodes.append(Node(parent=parent, point=points[node], text=_joined(texts[node])))
        waiting += [(len(nodes) - 1, child) for child in reversed(below[node].values())]
    return Tree(tuple(nodes), _joined(texts[0]))


def _joined(texts: list[str]) -> str:
    return "\n".join(dict.fromkeys(text for text in texts if text))


def _about(record: GameRecord) -> str:
    """`Black - White 1-0`, and below it where that was."""
    header, result = record.header, record.result
    score = "" if result is None else f" {result.black:g}-{result.white:g}"
    names = " - ".join(one_line(record.name(colour)) or "?" for colour in (BLACK, WHITE))
    where = [one_line(header.event), "" if header.round is None else f"round {header.round}"]
    where += [f"table {one_line(header.table)}" if header.event else "", one_line(header.date)]
    place = ", ".join(part for part in where if part)
    known = result is not None or header.first.name or header.second.name
    return _plain("\n".join(part for part in (names + score if known else "", place) if part))


# Bytes -> model


def read(data: bytes, encoding: str | None = None) -> tuple[GameRecord, ...]:
    """The games of a library, one for each last move. Raises RecordError naming the byte and the reason."""
    return records(games(data, encoding))


def games(data: bytes, encoding: str | None = None) -> Games:
    """The games one after the other, or what is wrong with the library."""
    try:
        tree = parse(data, encoding)
    except RecordError as error:
        yield error
        return
    for n, (moves, remarks) in enumerate(lines(tree)):
        if n == LIMIT_GAMES:
            yield RecordError(f"the library has more than {LIMIT_GAMES} lines; allowed: {LIMIT_GAMES}")
            return
        yield Game(line=1, record=GameRecord(moves=moves, remarks=remarks))


def lines(tree: Tree) -> Iterator[tuple[tuple[Move, ...], tuple[Remark, ...]]]:
    """The moves and remarks of every line, in the tree's order; an empty tree is one line without moves."""
    continued = {node.parent for node in tree.nodes if node.stone}
    before = (Remark(after=0, text=text),) if (text := _plain(tree.text)) else ()
    if -1 not in continued:
        yield (), before
    moves: list[Move] = []
    remarks: list[Remark] = list(before)
    depths: list[int] = []
    for n, node in enumerate(tree.nodes):
        depth = depths[node.parent] + 1 if node.parent >= 0 else 1
        depths.append(depth)
        if not node.stone:
            continue
        del moves[depth - 1 :]
        while remarks and remarks[-1].after >= depth:
            remarks.pop()
        moves.append(bare(depth, node.point))
        if text := _plain(node.text):
            remarks.append(Remark(after=depth, text=text))
        if n not in continued:
            yield tuple(moves), tuple(remarks)
