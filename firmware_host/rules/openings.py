"""The 26 openings and the shapes that an opening may have (docs/rules.md, "Openings").

Black 1 is the black stone on H8, White 2 touches it, Black 3 lies in the 5 x 5 square about it. Up to the
eight symmetries about H8 that leaves 26 shapes, and each has its name: 13 direct (White 2 beside Black 1) and
13 indirect (White 2 diagonally off it).
Source: competition rules 2.16, 3.2 (the Chinese names); the numbering and the Japanese names are RIF's.
"""

from collections.abc import Mapping
from typing import Final

import msgspec

from firmware_host.board import BLACK, POINTS, SIZE, SYMMETRIES, TENGEN, WHITE, Point, Position, parse_point


class Opening(msgspec.Struct, frozen=True):
    """One of the 26 openings: `code` D1..D13 (direct) or I1..I13 (indirect), names in three scripts."""

    code: str
    zh: str
    ja: str
    romaji: str
    white2: Point
    black3: Point


_TABLE: Final = """
D1  H9 H10 寒星 寒星 Kansei
D2  H9 I10 溪月 渓月 Keigetsu
D3  H9 J10 疏星 疎星 Sosei
D4  H9 I9  花月 花月 Kagetsu
D5  H9 J9  残月 残月 Zangetsu
D6  H9 I8  雨月 雨月 Ugetsu
D7  H9 J8  金星 金星 Kinsei
D8  H9 H7  松月 松月 Shogetsu
D9  H9 I7  丘月 丘月 Kyugetsu
D10 H9 J7  新月 新月 Shingetsu
D11 H9 H6  瑞星 瑞星 Zuisei
D12 H9 I6  山月 山月 Sangetsu
D13 H9 J6  游星 遊星 Yusei
I1  I9 J10 长星 長星 Chosei
I2  I9 J9  峡月 峡月 Kyogetsu
I3  I9 J8  恒星 恒星 Kosei
I4  I9 J7  水月 水月 Suigetsu
I5  I9 J6  流星 流星 Ryusei
I6  I9 I8  云月 雲月 Ungetsu
I7  I9 I7  浦月 浦月 Hogetsu
I8  I9 I6  岚月 嵐月 Rangetsu
I9  I9 H7  银月 銀月 Gingetsu
I10 I9 H6  明星 明星 Myojo
I11 I9 G7  斜月 斜月 Shagetsu
I12 I9 G6  名月 名月 Meigetsu
I13 I9 F6  彗星 彗星 Suisei
"""


def _openings() -> tuple[Opening, ...]:
    rows = (line.split() for line in _TABLE.split("\n") if line)
    return tuple(
        Opening(code, zh, ja, romaji, parse_point(white2), parse_point(black3))
        for code, white2, black3, zh, ja, romaji in rows
    )


OPENINGS: Final = _openings()
"""The 26 openings, D1..D13 and I1..I13, each in the one of its eight images that the table shows."""

_BY_STONES: Final[Mapping[tuple[Point, Point], Opening]] = {
    (image[opening.white2], image[opening.black3]): opening for opening in OPENINGS for image in SYMMETRIES
}


def _square(side: int) -> frozenset[Point]:
    near, far = SIZE // 2 - side // 2, SIZE // 2 + side // 2
    return frozenset(p for p in range(POINTS) if near <= p % SIZE <= far and near <= p // SIZE <= far)


CENTRAL: Final[Mapping[int, frozenset[Point]]] = {side: _square(side) for side in (1, 3, 5, 7, 9)}
"""The squares of so many points a side about tengen that procedures name; Black 3 lies in that of 5."""

TOUCHING: Final = CENTRAL[3] - CENTRAL[1]
"""Where White 2 of a designated opening may lie: the eight neighbours of tengen."""


def opening_of(position: Position) -> Opening | None:
    """The opening of three stones, in any orientation; None if they are no opening.

    The black stone on H8 is Black 1 and the other black one is Black 3, whichever came first.
    """
    if position[TENGEN] is not BLACK or position.count(BLACK) != 2 or position.count(WHITE) != 1:
        return None
    white2 = next(p for p, colour in position.stones() if colour is WHITE)
    black3 = next(p for p, colour in position.stones() if colour is BLACK and p != TENGEN)
    return _BY_STONES.get((white2, black3))
