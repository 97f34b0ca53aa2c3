import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.errors import RecordError
from firmware_host.record import renlib_tree
from firmware_host.record.renlib_tree import LIMIT_BYTES, Node, Tree, build, parse

DATA = Path(__file__).parents[1] / "data" / "records"
HEAD_300 = b"\xffRenLib\xff\x03\x00" + b"\xff" * 10
HEAD_304 = b"\xffRenLib\xff\x03\x04" + b"\xff" * 10


def of_file(name: str) -> bytes:
    """The bytes of a file of hexadecimal digits with remarks behind #."""
    return bytes.fromhex(re.sub(r"#.*", "", (DATA / name).read_text()))


def node(parent: int, point: str | None, **fields: str | bool) -> Node:
    return Node(parent=parent, point=None if point is None else parse_point(point), **fields)  # type: ignore[arg-type]


def test_a_library_of_3_00_as_renlib_writes_it() -> None:
    data = of_file("opening-tree.lib.hex")
    tree = parse(data)
    assert tree == Tree(
        (
            node(-1, "H8"),
            node(0, "H9", text="Four "),
            node(1, "J9", mark=True),
            node(0, "I9"),
            node(3, "J10", stone=False, label="A"),
            node(0, "I8", text="Last\na\nb"),
        )
    )
    assert build(tree) == data


def test_a_library_of_3_04_has_a_root_and_passes() -> None:
    tree = parse(of_file("root-and-pass.lib.hex"))
    assert tree.text == "Open"
    assert tree.nodes == (
        node(-1, "A15", start=True),
        node(0, "O1"),
        node(1, None),
        node(2, "A1"),
        node(3, None),
        node(2, "O14"),
    )


def test_a_library_without_a_head_and_comments_in_two_older_codes() -> None:
    tree = parse(of_file("old-comment.lib.hex"))
    assert [(NAMES[n.point], n.text) for n in tree.nodes if n.point is not None] == [
        ("H8", "Mägi"),
        ("G9", "Kår 1"),
    ]


def test_an_encoding_may_be_named() -> None:
    data = HEAD_300 + b"\x78\x48" + "黑胜".encode("gb18030") + b"\0\0"
    assert parse(data, "gb18030").nodes[0].text == "黑胜"
    assert parse(data).nodes[0].text == "ºÚÊ¤"
    with pytest.raises(RecordError, match="byte 23: not utf-8"):
        parse(data, "utf-8")


def test_the_version_is_the_oldest_that_can_hold_the_tree() -> None:
    assert build(Tree((node(-1, "H8"),))) == HEAD_300 + b"\x78\x40"
    assert build(Tree((node(-1, "G7"),))) == HEAD_304 + b"\x00\x00\x87\x40"
    assert build(Tree((node(-1, "H8"), node(0, None)))) == HEAD_304 + b"\x00\x00\x78\x00\x00\x40"
    assert build(Tree((node(-1, "H8"),), "who")) == HEAD_304 + b"\x00\x08who\x00\x78\x40"
    assert build(Tree()) == HEAD_304 + b"\x00\x40"


@st.composite
def trees(draw: st.DrawFn) -> Tree:
    """Any library: points once in a line, variants anywhere, texts of every kind but 00 and 08."""
    texts = st.text(st.characters(codec="utf-8", exclude_characters="\0\b\r"), max_size=6)
    nodes: list[Node] = []
    line: list[int] = []
    for _ in range(draw(st.integers(0, 8))):
        del line[draw(st.integers(0, len(line))) :]
        taken = {nodes[n].point for n in line}
        point = draw(st.none() | st.integers(0, POINTS - 1).filter(lambda p, taken=taken: p not in taken))
        stone = point is None or draw(st.booleans())
        nodes.append(
            Node(
                parent=line[-1] if line else -1,
                point=point,
                stone=stone,
                text=draw(texts),
                label=draw(texts),
                mark=draw(st.booleans()),
                start=draw(st.booleans()),
            )
        )
        if stone:
            line.append(len(nodes) - 1)
    return Tree(tuple(nodes), draw(texts))


@given(trees())
@settings(max_examples=80)
def test_every_tree_comes_back(tree: Tree) -> None:
    assert parse(build(tree)) == tree


@given(trees(), st.data())
@settings(max_examples=40)
def test_a_library_that_was_cut_anywhere_is_refused(tree: Tree, data: st.DataObject) -> None:
    whole = build(tree)
    cut = whole[: data.draw(st.integers(0, len(whole) - 1))]
    with pytest.raises(RecordError, match=r"byte \d+: "):
        parse(cut)


def test_every_cut_of_a_file_is_refused() -> None:
    whole = of_file("opening-tree.lib.hex")
    for end in range(len(whole)):
        with pytest.raises(RecordError, match=rf"byte {end + 1 if end >= 8 else 1}: "):
            parse(whole[:end])


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "byte 1: not a RenLib library; allowed: FF RenLib FF, or no head and H8 at once"),
        (b"FF RenLib FF", "byte 1: not a RenLib library"),
        (HEAD_300[:12], "byte 13: the file ends in its head"),
        (HEAD_304.replace(b"\4", b"\5"), "byte 9: version 3.05 is not known; allowed: up to 3.04"),
        (HEAD_300.replace(b"\3", b"\4"), "byte 9: version 4.00 is not known"),
        (HEAD_300, "byte 21: the file ends, but its last node is not the end of a line"),
        (HEAD_300 + b"\x78\x00", "byte 23: the file ends, but its last node"),
        (HEAD_300 + b"\x78\xc0", "byte 23: the file ends before a variant that it announces"),
        (HEAD_300 + b"\x78", "byte 22: the file ends in a node"),
        (HEAD_300 + b"\x78\x41", "byte 23: the file ends in a node"),
        (HEAD_300 + b"\x78\x48ab", "byte 25: the file ends in a comment that begins at byte 23"),
        (HEAD_300 + b"\x78\x48a\0bc\0", "byte 25: the tree has ended, but bytes follow"),
        (HEAD_300 + b"\x78\x41\0\1A", "byte 26: the file ends in a text on the board that begins at byte 25"),
        (HEAD_300 + b"\x78\x60ab", "byte 25: the file ends in a comment that begins at byte 23"),
        (HEAD_300 + b"\x78\x00\x78\x40", "byte 23: H8 is occupied"),
        (HEAD_300 + b"\x78\x00\x70\x40", "byte 23: 70 is no point; allowed: 01 to ef"),
        (HEAD_300 + b"\x78\x00\xf1\x40", "byte 23: f1 is no point"),
        (HEAD_300 + b"\x78\x02\x79\x40", "byte 23: a move below a text on the board"),
        (HEAD_304 + b"\x00\x00" + b"\x00\x00" * 601, "byte 1223: more than 600 moves in one line"),
        (bytes(LIMIT_BYTES + 1), "8388609 bytes are too many; allowed: 8388608"),
    ],
)
def test_what_is_no_library_is_refused_with_place_and_reason(data: bytes, says: str) -> None:
    with pytest.raises(RecordError, match=re.escape(says)):
        parse(data)


def test_more_nodes_than_allowed_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(renlib_tree, "LIMIT_NODES", 9)
    with pytest.raises(RecordError, match="byte 41: more than 9 nodes"):
        parse(HEAD_304 + b"\x00\x00" + b"\x78\xc0" * 10)


@given(st.binary(max_size=40))
@settings(max_examples=120)
def test_arbitrary_nodes_are_read_or_refused(data: bytes) -> None:
    for head in (HEAD_300, HEAD_304 + b"\0\0"):
        try:
            tree = parse(head + data)
        except RecordError:
            continue
        assert parse(build(tree)).nodes == tree.nodes
