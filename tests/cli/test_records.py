"""`renju-board export`, `import`, `event`: what is written, where to, and what is said when it cannot be."""

import json
import os
import re
import stat
import sys
from pathlib import Path
from subprocess import PIPE

import pytest
from click.testing import CliRunner, Result

from firmware_host.board import BLACK, WHITE, parse_point
from firmware_host.cli import main
from firmware_host.record.formats import FORMATS
from firmware_host.record.game import GameRecord
from firmware_host.record.header import Header, Person
from firmware_host.record.json_format import read
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.match import Referee
from firmware_host.referee.rulings import Started
from firmware_host.referee.settings import match_settings
from firmware_host.sensing.events import Placed, Slid
from firmware_host.service.game import RULES_VERSION, record_of
from firmware_host.service.game_exports import WRITTEN, Names
from firmware_host.service.game_sources import record_in
from firmware_host.service.journal import Journal
from firmware_host.service.journal_reader import JournalReader
from firmware_host.service.safe_files import replace_files
from tests.programs import started

S = 1_000_000_000
PLAYERS = ("Anna", "王小明", "Bo/../<b>")


def begin(journal: Journal, header: Header) -> None:
    """A game in which a stone was slid, that White wins."""
    settings = match_settings({"opening": "free", "time": "5m"})
    journal.begin_game(header=header, settings=settings, sensors="linear", rules_version=RULES_VERSION)
    referee = Referee(settings)
    h8, h9, i9 = map(parse_point, ("H8", "H9", "I9"))
    for given in (
        Command(t_ns=0, do="start"),
        Slid(t_ns=2 * S, path=(h9, h8), colour=BLACK, first_contact_ns=2 * S - 50),
        KeyPress(t_ns=3 * S, key="near"),
        Placed(t_ns=4 * S, point=i9, colour=WHITE),
        Command(t_ns=5 * S, do="violation", side=WHITE, reason="noise"),
        Command(t_ns=6 * S, do="resign", side=BLACK),
    ):
        journal.append(given, referee.rule(given))


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal of four games: two rounds of an event, and two others."""
    path = tmp_path_factory.mktemp("journal") / "journal.db"
    writer = Journal.open(path)
    anna, wang, bo = (Person(name=name) for name in PLAYERS)
    begin(writer, Header(table="9", event="Other"))
    begin(writer, Header(table="1", event="Open", round=1, first=anna, second=wang))
    begin(writer, Header(table="1", event="Open", round=1, first=anna, second=wang))
    begin(writer, Header(table="1", event="Open", round=2, first=bo, second=anna))
    writer.close()
    return path


def call(*args: object, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, [str(arg) for arg in args], input=stdin, catch_exceptions=False)


def refused(*args: object) -> str:
    """The one sentence of a command that ends with exit code 2."""
    done = call(*args)
    assert (done.exit_code, done.stdout) == (2, "")
    (sentence,) = done.stderr.splitlines()
    assert sentence.startswith("renju-board: ")
    return sentence.removeprefix("renju-board: ")


# -- export


def test_the_last_game_one_some_and_all_are_exported(journal: Path) -> None:
    def rounds(*args: object) -> list[tuple[str, int | None]]:
        done = call("export", "--journal", journal, "--format", "json", *args)
        assert done.exit_code == 0, done.stderr
        return [(record.header.event, record.header.round) for record in read(done.stdout)]

    assert rounds() == [("Open", 2)]
    assert rounds(1) == [("Other", None)]
    assert rounds("4", "1-2") == [("Open", 2), ("Other", None), ("Open", 1)]
    assert len(rounds("--all")) == 4


@pytest.mark.parametrize("form", WRITTEN)
def test_every_format_goes_to_standard_output_and_to_files(journal: Path, tmp_path: Path, form: str) -> None:
    done = call("export", "--journal", journal, "--format", form, 2)
    assert done.exit_code == 0, done.stderr
    assert done.stdout_bytes
    folder = tmp_path / "new" / "folder"
    assert (
        call("export", "--journal", journal, "--format", form, "--all", "--out", f"{folder}/").exit_code == 0
    )
    suffix = FORMATS[form].suffixes[0]
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        f"{name}{suffix}"
        for name in (
            "table-9",
            "round-1-table-1-Anna-王小明",
            "round-1-table-1-Anna-王小明-2",
            "round-2-table-1-Bo-b-Anna",
        )
    )
    assert (folder / f"round-1-table-1-Anna-王小明{suffix}").read_bytes() == done.stdout_bytes
    one = call("export", "--journal", journal, "--format", form, "--all", "--out", tmp_path / "all")
    if FORMATS[form].write_all is None:
        assert one.exit_code == 2
        assert "holds one game, and these are 4; give a folder with --out FOLDER/" in one.stderr
        assert not (tmp_path / "all").exists()
    else:
        assert one.exit_code == 0, one.stderr


def test_what_is_exported_is_the_record_with_its_head_and_for_others_what_they_may_know(
    journal: Path,
) -> None:
    with JournalReader.open(journal) as reader:
        game = reader.games()[1]
        assert record_in(reader, game) == record_of(game, reader.entries(game))
        assert record_in(reader, game).journal_head == reader.head(game)
    (arbiter,) = read(call("export", "--journal", journal, "--format", "json", 2).stdout)
    (public,) = read(call("export", "--journal", journal, "--format", "json", "--for", "public", 2).stdout)
    assert (arbiter.audience, public.audience) == ("arbiter", "public")
    assert len(arbiter.penalties) == 1
    assert (public.penalties, public.decisions, public.journal_head) == ((), (), arbiter.journal_head)


def test_games_of_files_are_exported_too(journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    call("export", "--journal", journal, "--all", "--format", "json", "--out", file)
    done = call("export", "--from", file, "--format", "moves", 3)
    assert done.stdout.split() == ["h8i9"]
    assert len(call("export", "--from", file, "--format", "moves").stdout.split()) == 4


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["7"], "game 7 is not in the journal; allowed: 1 to 4"),
        (["0"], "game 0 is not in the journal; allowed: 1 to 4"),
        (["3-9"], "games 3-9 are not all there; allowed: 1 to 4"),
        (["3-1"], "games 3-1 are not all there; allowed: 1 to 4"),
        (["last"], "'last' is no game; allowed: a number such as 3, or two such as 3-7"),
        (["9" * 30], f"'{'9' * 30}' is no game"),
        (["--from", "x.json"], "--from reads files, --journal, --config and --for a journal"),
    ],
)
def test_games_that_are_not_there(journal: Path, args: list[str], says: str) -> None:
    assert says in refused("export", "--journal", journal, *args)


def test_a_file_is_replaced_as_a_whole_or_not_at_all(journal: Path, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text("old")
    assert call("export", "--journal", journal, "--format", "json", "--out", file).exit_code == 0
    assert read(file.read_text())
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]
    in_the_way = tmp_path / "folder"
    (in_the_way / "round-2-table-1-Bo-b-Anna.json").mkdir(parents=True)
    sentence = refused("export", "--journal", journal, "--format", "json", "--out", in_the_way)
    assert sentence.endswith("cannot be written: Is a directory")
    assert [path.name for path in in_the_way.iterdir()] == ["round-2-table-1-Bo-b-Anna.json"]


def test_old_files_stand_until_the_new_ones_are_whole(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("old")

    def files() -> object:
        yield "a", b"new"
        assert (tmp_path / "a").read_text() == "old"
        raise OSError(28, "No space left on device")

    with pytest.raises(ValueError, match="a cannot be written: No space left on device"):
        replace_files(tmp_path, files())  # type: ignore[arg-type]
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"a": "old"}
    assert stat.S_ISREG((tmp_path / "a").stat().st_mode)


def test_no_device_and_no_pipe_is_replaced(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "null").symlink_to("/dev/null")
    os.mkfifo(tmp_path / "pipe")
    for name in ("null", "pipe"):
        sentence = refused("export", "--journal", journal, "--out", tmp_path / name)
        assert sentence == f"{tmp_path / name} is a device or a pipe; allowed: a file, or none yet"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["null", "pipe"]
    assert (tmp_path / "null").is_char_device()
    assert (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("letter", ["a", "林"])
def test_a_name_as_long_as_a_file_may_have_is_written_and_a_longer_one_refused(
    journal: Path, tmp_path: Path, letter: str
) -> None:
    longest = tmp_path / (letter * (255 // len(letter.encode())))
    assert call("export", "--journal", journal, "--out", longest).exit_code == 0
    sentence = refused("export", "--journal", journal, "--out", f"{longest}{letter}")
    assert sentence.endswith("cannot be written: File name too long")
    assert list(tmp_path.iterdir()) == [longest]


def test_standard_output_that_is_full_is_one_sentence(journal: Path) -> None:
    command = [sys.executable, "-m", "firmware_host.cli", "export", "--journal", str(journal)]
    with Path("/dev/full").open("w") as full, started(command, stdout=full, stderr=PIPE) as process:
        _, said = process.communicate()
    assert (process.returncode, said) == (
        2,
        "renju-board: standard output cannot be written: No space left on device\n",
    )


def test_names_of_files_are_safe_and_never_the_same_twice() -> None:
    names = Names()
    wild = GameRecord(
        header=Header(table="../../etc", first=Person(name="\n/"), second=Person(name="王" * 300))
    )
    assert re.fullmatch("table-etc-王+", name := names.of(wild))
    assert len(name.encode()) < 120
    record = read(json.dumps({"format": "renju-board-record", "version": 1}))[0]
    assert [names.of(record) for _ in range(3)] == ["table-1", "table-1-2", "table-1-3"]


# -- import


def test_a_file_of_one_format_becomes_one_of_another_and_what_is_lost_is_told_once(
    journal: Path, tmp_path: Path
) -> None:
    file = tmp_path / "all.json"
    call("export", "--journal", journal, "--all", "--format", "json", "--out", file)
    again = call("import", file)
    assert (again.exit_code, again.stderr, again.stdout) == (0, "", file.read_text())
    done = call("import", file, "--to", "moves")
    assert done.stdout.split() == ["h8i9"] * 4
    told = done.stderr.splitlines()
    assert len(told) == len(set(told))
    assert "renju-board: moves does not hold all of this: times of moves (of 4 games)" in told
    assert "renju-board: moves does not hold all of this: names of players (of 3 games)" in told
    assert done.exit_code == 0


def test_what_cannot_be_read_is_named_and_the_rest_is_written(tmp_path: Path) -> None:
    good, bad, empty = (tmp_path / name for name in ("good.txt", "bad.json", "empty.txt"))
    good.write_text("h8i9\n")
    bad.write_text('{"format": "renju-board-record", "version": 1,\n oops')
    empty.write_text("\n")
    done = call("import", bad, good, empty, tmp_path / "none.txt", "--to", "moves")
    assert (done.exit_code, done.stdout) == (2, "h8i9\n")
    first, *rest = done.stderr.splitlines()
    assert first.startswith(f"renju-board: {bad}: line 2: not JSON")
    assert rest == [
        f"renju-board: {empty} holds no game",
        f"renju-board: {tmp_path / 'none.txt'} cannot be read: No such file or directory",
    ]


def test_what_a_file_left_open_is_told_and_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_bytes(b"(;GM[1]SZ[15];B[hh](;W[hg])(;W[gg]))")
    done = call("import", file, "--to", "sgf")
    assert done.exit_code == 0
    assert done.stdout.endswith(";B[hh];W[hg])\n")
    assert done.stderr.splitlines()[:2] == [
        "renju-board: game.sgf: GM[1] means Go; by the board of 15 x 15 it is read as gomoku or renju",
        "renju-board: game.sgf: 1 variation is not read, the main line is the game",
    ]
    file.write_bytes(b"(;GM[4];B[hh];W[hh])")
    done = call("import", file)
    assert (done.exit_code, done.stderr) == (2, f"renju-board: {file}: line 1: move 2: H8 is occupied\n")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "a.sgf")
    sentence = refused("import", tmp_path / "a.sgf")
    assert sentence == f"{tmp_path / 'a.sgf'} is a pipe; give a file, or - for standard input"


def test_a_name_with_the_end_of_a_line_in_it_is_one_sentence(tmp_path: Path) -> None:
    sentence = refused("import", tmp_path / "a\nb\u202e林\u3000.sgf")
    assert sentence == rf"{tmp_path}/a\nb\u202e林{chr(0x3000)}.sgf cannot be read: No such file or directory"
    file = tmp_path / "c\nd.sgf"
    file.write_bytes(b"")
    assert refused("import", file).startswith(rf"{tmp_path}/c\nd.sgf: there is no game")


def test_standard_input_is_a_file_too() -> None:
    done = call("import", "-", "--to", "diagram", stdin=b"h8i9")
    assert done.stdout.count("X") == 1
    assert "diagram cannot hold" in done.stderr


def test_a_format_that_is_not_read_back_or_not_known_is_refused(tmp_path: Path) -> None:
    done = call("import", tmp_path, "--format", "text")
    assert done.exit_code == 2
    assert "'text' is not one of json" in done.stderr


# -- event


def test_a_whole_event_of_journals_and_again_of_its_files(journal: Path, tmp_path: Path) -> None:
    done = call("event", "--journal", journal, "--out", tmp_path / "ev", "--lang", "ja")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == "renju-board: 1 game of other events left out; --every takes all\n"
    assert done.stdout.startswith(f"{tmp_path / 'ev'}: 3 games of 3 players, ")
    names = {path.name for path in (tmp_path / "ev").iterdir()}
    assert names >= {
        *("cross-table.html", "cross-table.csv", "games", "games.json", "games.sgf", "games.lib"),
        "score-sheets.pdf",
    }
    assert (tmp_path / "ev" / "score-sheets.pdf").read_bytes().startswith(b"%PDF")
    assert '<html lang="ja">' in (tmp_path / "ev" / "cross-table.html").read_text()
    table = (tmp_path / "ev" / "cross-table.csv").read_text()
    assert "王小明" in table
    assert len(read((tmp_path / "ev" / "games.json").read_text())) == 3
    again = call("event", tmp_path / "ev", "--lang", "ja")
    assert again.exit_code == 0, again.stderr
    assert (tmp_path / "ev" / "event" / "cross-table.csv").read_text() == table
    third = call("event", tmp_path / "ev", "--lang", "ja")
    assert third.stdout == again.stdout, "what it wrote itself is no game of its own"


def test_a_game_that_two_journals_have_is_one(journal: Path, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_bytes(journal.read_bytes())
    done = call("event", "--journal", journal, "--journal", copy, "--out", tmp_path / "ev", "--every")
    assert done.stdout.startswith(f"{tmp_path / 'ev'}: 4 games of 3 players")


def test_a_game_whose_place_another_one_took_is_none_of_the_events(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal.db") as writer:
        for mistyped in ("Ana", "Annna"):
            head = Header(event="Open", first=Person(name=mistyped), second=Person(name="Bo"))
            writer.begin_game(header=head, settings=match_settings({}), sensors="linear", rules_version="1")
            writer.append(Command(t_ns=0, do="start"), [Started(t_ns=0)])
        begin(writer, Header(event="Open", first=Person(name="Anna"), second=Person(name="Bo")))
        head = Header(event="Open", round=2, first=Person(name="Bo"), second=Person(name="Anna"))
        writer.begin_game(header=head, settings=match_settings({}), sensors="linear", rules_version="1")
    done = call("event", "--journal", tmp_path / "journal.db", "--out", tmp_path / "ev")
    assert done.stdout.startswith(f"{tmp_path / 'ev'}: 2 games of 2 players"), done.stdout + done.stderr


def test_an_event_with_a_file_that_cannot_be_read(journal: Path, tmp_path: Path) -> None:
    call("export", "--journal", journal, "--all", "--format", "json", "--out", f"{tmp_path}/")
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "notes.md").write_text("no game")
    done = call("event", tmp_path)
    assert done.exit_code == 2
    assert f"renju-board: {tmp_path / 'broken.json'}: line 1: not JSON" in done.stderr
    assert "3 games of 3 players" in done.stdout


def test_an_event_with_a_journal_that_cannot_be_read(journal: Path, tmp_path: Path) -> None:
    (tmp_path / "no.db").write_bytes(b"no journal" * 1000)
    tables = ("--journal", tmp_path / "no.db", "--journal", tmp_path / "none.db", "--journal", journal)
    done = call("event", *tables, "--out", tmp_path / "ev")
    assert done.exit_code == 2
    assert "no.db is not a journal" in done.stderr
    assert f"{tmp_path / 'none.db'}: there is no such journal" in done.stderr
    assert done.stdout.startswith(f"{tmp_path / 'ev'}: 3 games of 3 players")


def test_a_folder_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    """A real process of a user who may not look everywhere."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "names").mkdir()
    for name in ("a.sgf", "closed/b.sgf", "names/c.sgf"):
        (tmp_path / name).write_bytes(b"(;GM[4];B[hh])")
    tmp_path.chmod(0o755)
    (tmp_path / "closed").chmod(0)
    (tmp_path / "names").chmod(0o444)
    code = (
        "import os, sys\n"
        "from pathlib import Path\n"
        "from firmware_host.service.event import files_of\n"
        "os.chdir(sys.argv[1])\n"
        "if os.getuid() == 0: os.setuid(54321)\n"
        "said = []\n"
        "print(files_of(Path(), Path('out'), said.append), said)\n"
    )
    with started([sys.executable, "-c", code, str(tmp_path)]) as process:
        said, _ = process.communicate()
    for name in ("closed", "names"):
        (tmp_path / name).chmod(0o755)
    assert said == "['a.sgf', 'names/c.sgf'] ['closed cannot be read: Permission denied']\n"


def test_an_event_of_nothing(journal: Path, tmp_path: Path) -> None:
    assert refused("event") == "give a folder of game files, or --journal FILE for each table"
    assert refused("event", tmp_path) == "there is no game of which anything could be made"
    assert refused("event", tmp_path / "none").endswith("there is no such folder")
    assert refused("event", journal).endswith("it is a file; give the folder it lies in")
    nothing = refused("event", "--journal", journal, "--event", "Nobody", "--out", tmp_path / "ev")
    assert nothing == "there is no game of which anything could be made"
    assert not (tmp_path / "ev").exists()
    assert "there is no such journal" in refused("event", "--journal", tmp_path / "none.db")


@pytest.mark.parametrize("command", ["export", "import", "event"])
def test_help_names_the_formats(command: str) -> None:
    done = call(command, "--help")
    assert done.exit_code == 0
    if command != "event":
        assert "renjunet" in done.stdout
