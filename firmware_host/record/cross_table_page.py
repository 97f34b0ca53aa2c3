"""A cross table as a page to print (HTML without any request to elsewhere) and as CSV for a spreadsheet.

An encounter is the opponent's row, the colour and the points: `12●1` is a win with Black against the player
of row 12. `+` and `−` are points without a game, `*` is a game without a result yet.
"""

from html import escape
from typing import Final

from firmware_host.board import BLACK, WHITE, Colour
from firmware_host.record.cross_table import CrossTable, Encounter, Line
from firmware_host.record.header import Person

LANGUAGES: Final = ("en", "zh", "ja")

WORDS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "title": "Cross table", "place": "Place", "player": "Player", "round": "Round {n}",
        "none": "No round", "points": "Points", "games": "Games", "record": "W / D / L",
        "sum": "Points of the round",
        "black": "Black", "white": "White", "bye": "bye", "open": "not over", "forfeit": "not played",
        "unfinished": "Games without a result yet: {n}", "nameless": "Games without names: {n}",
        "key": "opponent's number, colour, points", "table": "table {n}", "players": "Players: {n}",
        "played": "Games: {n}",
    },
    "zh": {
        "title": "交叉表", "place": "名次", "player": "棋手", "round": "第{n}轮", "none": "无轮次",
        "points": "积分", "games": "局数", "record": "胜 / 和 / 负", "sum": "本轮得分",
        "black": "黑", "white": "白", "bye": "轮空", "open": "未结束", "forfeit": "弃权",
        "unfinished": "尚无结果的对局：{n}", "nameless": "未署名的对局：{n}",
        "key": "对手序号、执子颜色、得分", "table": "{n}台", "players": "棋手：{n}",
        "played": "对局：{n}",
    },
    "ja": {
        "title": "対戦表", "place": "順位", "player": "棋士", "round": "{n}回戦", "none": "回戦なし",
        "points": "得点", "games": "局数", "record": "勝 / 分 / 負", "sum": "回戦の得点",
        "black": "黒", "white": "白", "bye": "不戦", "open": "未了", "forfeit": "不戦勝・不戦敗",
        "unfinished": "結果のない対局：{n}", "nameless": "名前のない対局：{n}",
        "key": "相手の番号・色・得点", "table": "{n}番卓", "players": "棋士：{n}",
        "played": "対局：{n}",
    },
}  # fmt: skip

_STYLE: Final = """
:root { --ink: #1d1b18; --soft: #6f675c; --line: #d9d1c3; --wood: #f6efe1; --paper: #fffdf9; --win: #7a4a12; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 78rem; padding: 2.2rem 1.6rem 3rem; background: var(--paper);
  color: var(--ink); font: .94rem/1.45 "Noto Sans", "Noto Sans CJK SC", "Noto Sans CJK JP",
  "WenQuanYi Micro Hei", "Hiragino Sans", "Microsoft YaHei", "Yu Gothic", "Segoe UI", sans-serif; }
h1 { margin: 0; font-size: 1.75rem; font-weight: 650; letter-spacing: .01em; }
header p { margin: .25rem 0 1.4rem; color: var(--soft); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .5rem .65rem; border-bottom: 1px solid var(--line); text-align: center;
  white-space: nowrap; }
thead th { border-bottom: 2px solid var(--ink); font-weight: 600; font-size: .86rem; color: var(--soft);
  vertical-align: bottom; }
thead th:nth-child(2) { text-align: left; }
tbody tr:nth-child(odd) { background: var(--wood); }
tbody th { text-align: left; font-weight: 600; max-width: 22rem; min-width: 9rem; white-space: normal;
  overflow-wrap: anywhere; }
tbody th small { display: block; font-weight: 400; color: var(--soft); }
.place { color: var(--soft); }
.points { font-weight: 700; font-size: 1.1rem; }
.met { display: block; }
.stone { display: inline-block; width: .72em; height: .72em; margin: 0 .28em -.03em; border-radius: 50%;
  border: 1.5px solid var(--ink); background: #fff; }
.stone.black { background: var(--ink); }
.met b { font-weight: 700; }
.met.won b { color: var(--win); }
.met.lost b { font-weight: 400; color: var(--soft); }
.met.open, .bye { color: var(--soft); }
tfoot td, tfoot th { border-bottom: 0; color: var(--soft); font-size: .9rem; }
tfoot th { text-align: left; font-weight: 400; }
footer { margin-top: 1.2rem; color: var(--soft); font-size: .86rem; }
footer p { margin: .15rem 0; }
@page { size: A4 landscape; margin: 12mm; }
@media print {
  html { font-size: 12px; }
  body { max-width: none; padding: 0; background: #fff;
    -webkit-print-color-adjust: exact; print-color-adjust: exact; }
  .wide { overflow: visible; }
  thead { display: table-header-group; }
  tr { break-inside: avoid; }
  th, td { padding: .32rem .4rem; }
}
"""


def points_text(score: float) -> str:
    """`2½`, `½`, `0`, `3`; another fraction as a decimal."""
    whole, rest = divmod(score, 1)
    if rest == 0.5:
        return f"{int(whole) or ''}½"
    return f"{score:g}"


def to_html(table: CrossTable, language: str = "en") -> str:
    """The table as one page of its own in a language of `LANGUAGES`."""
    words = WORDS[language]
    heads = [_round_name(number, words) for number in table.rounds]
    title = table.event or words["title"]
    facts = [words["players"].format(n=len(table.lines)), words["played"].format(n=table.games)]
    stones = (f"{_stone(met, words)} {words[met]}" for met in (BLACK, WHITE))
    below = [" · ".join((*stones, words["key"], f"+ / − {words['forfeit']}", f"* {words['open']}"))]
    below += [
        words[key].format(n=n)
        for key, n in (("unfinished", table.unfinished), ("nameless", table.nameless))
        if n
    ]
    under = " · ".join(_safe(part) for part in (words["title"], table.place, *facts) if part)
    parts = [
        f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{_safe(title)} · {words['title']}</title>\n<style>{_STYLE}</style>\n</head>\n<body>",
        f"<header><h1>{_safe(title)}</h1>",
        f"<p>{under}</p></header>",
        '<div class="wide"><table>\n<thead><tr>',
        *(f'<th scope="col">{_safe(head)}</th>' for head in ("#", words["player"], *heads)),
        *(f'<th scope="col">{_safe(words[key])}</th>' for key in ("points", "place", "games", "record")),
        "</tr></thead>\n<tbody>",
        *(_row(table, n, words) for n in range(1, len(table.lines) + 1)),
        f'</tbody>\n<tfoot><tr><td></td><th scope="row">{_safe(words["sum"])}</th>',
        *(f"<td>{points_text(total)}</td>" for total in table.sums),
        f"<td>{points_text(sum(table.sums))}</td><td></td><td></td><td></td></tr></tfoot>\n</table></div>",
        "<footer>",
        *(f"<p>{text}</p>" for text in below),
        "</footer>\n</body>\n</html>\n",
    ]
    return "\n".join(parts)


def _row(table: CrossTable, n: int, words: dict[str, str]) -> str:
    line = table.lines[n - 1]
    known = " · ".join(_safe(text) for text in _known(line.person))
    small = f"<small>{known}</small>" if known else ""
    cells = "".join(
        f"<td>{''.join(_met(table, met, words) for met in mets) or '<span class=bye>·</span>'}</td>"
        for mets in line.rounds
    )
    return (
        f'<tr><td class="place">{n}</td><th scope="row">{_safe(line.person.name) or "–"}{small}</th>{cells}'
        f'<td class="points">{points_text(line.points)}</td><td class="place">{_places(line)}</td>'
        f"<td>{line.games}</td><td>{line.wins} / {line.draws} / {line.losses}</td></tr>"
    )


def _known(person: Person) -> list[str]:
    rating = "" if person.rating is None else str(person.rating)
    return [text for text in (person.title, person.federation, rating, person.id) if text]


def _met(table: CrossTable, met: Encounter, words: dict[str, str]) -> str:
    """One encounter, with the opponent's name and the table as its tooltip."""
    kind = {None: "open", 1.0: "won", 0.0: "lost"}.get(met.score, "drawn")
    against = words["bye"] if met.opponent is None else table.lines[met.opponent].person.name
    hint = " · ".join(filter(None, (against, words["table"].format(n=met.table) if met.table else "")))
    if met.opponent is None:
        who = f'<span class="bye">{_safe(words["bye"])}</span> '
    else:
        who = f"{met.opponent + 1}{_stone(met.colour, words)}"
    return f'<span class="met {kind}" title="{_safe(hint)}">{who}<b>{_score_text(met)}</b></span>'


def _score_text(met: Encounter) -> str:
    if met.score is None:
        return "*"
    if met.forfeit and met.score in (0, 1):
        return "+" if met.score else "−"
    return points_text(met.score)


def _places(line: Line) -> str:
    return str(line.place) if line.place == line.last_place else f"{line.place}–{line.last_place}"


def _stone(colour: Colour, words: dict[str, str]) -> str:
    return f'<span class="stone {colour}" role="img" aria-label="{words[colour]}"></span>'


def _round_name(number: int | None, words: dict[str, str]) -> str:
    return words["none"] if number is None else words["round"].format(n=number)


def _safe(text: str) -> str:
    return escape(" ".join(text.split()))


# CSV


def to_csv(table: CrossTable, language: str = "en") -> str:
    """The table as CSV: a row a player, rows ended by CR LF, with a byte order mark for spreadsheets."""
    words = WORDS[language]
    head = ["#", words["place"], words["player"], "ID", "FED", "RATING", "TITLE"]
    head += [_round_name(number, words) for number in table.rounds]
    head += [words["points"], words["games"], *words["record"].split(" / ")]
    rows = [head]
    for n, line in enumerate(table.lines, 1):
        person = line.person
        rating = "" if person.rating is None else str(person.rating)
        met = [" ".join(_csv_met(one, words) for one in mets) for mets in line.rounds]
        counts = (line.games, line.wins, line.draws, line.losses)
        rows.append(
            [str(n), _places(line), person.name, person.id, person.federation, rating, person.title, *met,
             f"{line.points:g}", *map(str, counts)]
        )  # fmt: skip
    return "\ufeff" + "".join(",".join(map(_cell, row)) + "\r\n" for row in rows)


def _csv_met(met: Encounter, words: dict[str, str]) -> str:
    """`12b1`, `3w½`, `bye 1`, `7b*`."""
    if met.opponent is None:
        return f"{words['bye']} {_score_text(met)}"
    return f"{met.opponent + 1}{met.colour[0]}{_score_text(met)}"


def _cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula, quoted where CSV asks for it (RFC 4180)."""
    text = " ".join(text.split())
    if text[:1] in ("=", "+", "-", "@"):
        text = f"'{text}"
    return '"' + text.replace('"', '""') + '"' if any(c in text for c in ',"') else text
