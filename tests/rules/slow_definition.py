"""The definition of Black's forbidden moves, transcribed word for word: the judge of `firmware_host.rules`.

Nothing here is shared with the package, nothing is fast, and nothing is reasoned away: fours and threes are
sets of stones, and they are counted as sets. A position is 225 characters `.XO`, A1 B1 .. O1 A2 .. O15.
"""

EMPTY, BLACK, OUTSIDE = ".", "X", "#"
Place = tuple[int, int]
Board = dict[Place, str]


def forbidden(text: str) -> dict[str, str]:
    """Name of each point where Black may not play, with the kind, in the order of the text."""
    board = {(i % 15, i // 15): text[i] for i in range(225)}
    answers = {f"{'ABCDEFGHIJKLMNO'[x]}{y + 1}": kind(board, (x, y)) for (x, y) in empties(board)}
    return {name: answer for name, answer in answers.items() if answer not in ("legal", "five")}


def kind(board: Board, stone: Place) -> str:
    """What Black's stone would be: five, overline, double-four, double-three or legal."""
    board = {**board, stone: BLACK}
    rows = [len(row(board, stone, way)) for way in ((1, 0), (0, 1), (1, 1), (1, -1))]
    if 5 in rows:
        return "five"
    if max(rows) > 5:
        return "overline"
    if len(fours(board, stone)) >= 2:
        return "double-four"
    if len(threes(board, stone)) >= 2:
        return "double-three"
    return "legal"


def empties(board: Board) -> list[Place]:
    return [place for place, content in board.items() if content == EMPTY]


def row(board: Board, stone: Place, way: Place) -> list[Place]:
    """The unbroken row of black stones through a black stone."""
    found = [stone]
    while board.get(step(found[-1], way, 1)) == BLACK:
        found.append(step(found[-1], way, 1))
    while board.get(step(found[0], way, -1)) == BLACK:
        found.insert(0, step(found[0], way, -1))
    return found


def step(place: Place, way: Place, steps: int) -> Place:
    return place[0] + steps * way[0], place[1] + steps * way[1]


def fours(board: Board, stone: Place) -> set[frozenset[Place]]:
    """Each four stones, the new one among them, that one more stone makes exactly five in a row."""
    found = set()
    for way in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for last in near(board, stone, way):
            five = row({**board, last: BLACK}, last, way)
            if len(five) == 5 and stone in five:
                found.add(frozenset(five) - {last})
    return found


def threes(board: Board, stone: Place) -> set[frozenset[Place]]:
    """Each three stones, the new one among them, that a legal stone makes a straight four."""
    found = set()
    for way in ((1, 0), (0, 1), (1, 1), (1, -1)):
        for fourth in near(board, stone, way):
            four = row({**board, fourth: BLACK}, fourth, way)
            if (
                len(four) == 4
                and stone in four
                and all(makes_five({**board, fourth: BLACK}, four, end, way) for end in (-1, 4))
                and kind(board, fourth) == "legal"
            ):
                found.add(frozenset(four) - {fourth})
    return found


def near(board: Board, stone: Place, way: Place) -> list[Place]:
    """The empty points of the line through a stone, up to five steps away."""
    line = [step(stone, way, steps) for steps in range(-5, 6)]
    return [place for place in line if board.get(place, OUTSIDE) == EMPTY]


def makes_five(board: Board, four: list[Place], end: int, way: Place) -> bool:
    place = step(four[0], way, end)
    return board.get(place) == EMPTY and len(row({**board, place: BLACK}, place, way)) == 5
