"""The walls of the house, held by reading every module's syntax tree.

Data goes one way: a room imports only from rooms before it. Everything but `service`, `cli` and `hw` is pure.
The rules and their reasons are in `docs/architecture.md`.
"""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

import pytest

ROOT: Final = Path(__file__).parents[1]
HOST: Final = ROOT / "firmware_host"
LONGEST: Final = 600

ROOMS: Final[dict[str, frozenset[str]]] = {
    "errors": frozenset(),
    "board": frozenset({"errors"}),
    "rules": frozenset({"errors", "board"}),
    "sensing": frozenset({"errors", "board"}),
    "clock": frozenset({"errors"}),
    "referee": frozenset({"errors", "board", "rules", "sensing.events", "clock"}),
    "faces": frozenset({"errors", "clock"}),
    "announce": frozenset({"errors", "clock"}),
    "wire": frozenset({"errors", "board", "sensing.events", "referee"}),
    "record": frozenset({"errors", "board", "rules", "sensing.events", "clock", "referee", "wire"}),
    "feed": frozenset(
        {"errors", "board", "rules", "sensing.events", "clock", "referee", "wire", "faces", "record"}
    ),
    "adjudicate": frozenset({"errors", "board", "rules", "record"}),
    "menu": frozenset({"errors", "board", "sensing.events", "clock", "referee"}),
    "pipeline": frozenset({"errors", "board", "sensing", "clock", "referee", "menu"}),
}
"""What each room of the pure part may import of `firmware_host`, beside itself."""

IMPURE_ROOMS: Final = frozenset({"service", "cli"})

FORBIDDEN: Final = frozenset(
    {
        *(
            "asyncio",
            "concurrent",
            "contextvars",
            "multiprocessing",
            "queue",
            "sched",
            "selectors",
            "threading",
        ),
        *("datetime", "time", "zoneinfo", "random", "secrets", "uuid"),
        *("atexit", "ctypes", "fcntl", "mmap", "os", "platform", "resource", "signal", "subprocess", "sys"),
        *("glob", "io", "logging", "pathlib", "pickle", "shutil", "sqlite3", "tempfile", "warnings"),
        *("socket", "urllib", "gpiozero", "serial", "smbus2", "starlette", "uvicorn"),
    }
)
"""Modules that know the time, the machine or chance; the pure part has none of them."""
FORBIDDEN_CALLS: Final = frozenset({"open", "print", "input", "exec", "eval", "__import__", "globals"})
MUTATORS: Final = frozenset(
    {
        *("add", "append", "appendleft", "clear", "discard", "extend", "insert", "pop", "popitem", "popleft"),
        *("remove", "setdefault", "sort", "update"),
    }
)


class Module(NamedTuple):
    """One file of the tree."""

    name: str
    path: Path
    tree: ast.Module
    lines: int

    @property
    def room(self) -> str:
        """`rules` of `firmware_host.rules.lines`; the package itself is ``."""
        return self.name.split(".")[1] if "." in self.name else ""

    @property
    def pure(self) -> bool:
        return self.name.startswith("firmware_host.") and self.room not in IMPURE_ROOMS


def modules() -> list[Module]:
    found = []
    for package in ("firmware_host", "hw"):
        for path in sorted((ROOT / package).rglob("*.py")):
            if "scanner_firmware" in path.parts:
                continue  # MicroPython, for another machine
            name = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
            text = path.read_text(encoding="utf-8")
            found.append(Module(name, path, ast.parse(text), text.count("\n")))
    return found


MODULES: Final = modules()
NAMES: Final = frozenset(module.name for module in MODULES)


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Line and full name of everything that a module imports, inside functions too."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = "." * node.level + (node.module or "")
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield node.lineno, whole if whole in NAMES else base


def complaints_about_imports(module: Module) -> list[str]:
    """Imports that go against the one way."""
    wrong = []
    for line, name in imports(module):
        top, _, rest = name.partition(".")
        said = f"{module.name}:{line} imports {name}"
        if name.startswith("."):
            wrong.append(f"{said}: imports are absolute")
        elif module.name.startswith("hw") and top == "firmware_host":
            wrong.append(f"{said}: hw knows nothing of renju")
        elif module.pure and top == "hw":
            wrong.append(f"{said}: only the service knows both")
        elif module.pure and top in FORBIDDEN:
            wrong.append(f"{said}: the pure part knows no time, machine or chance")
        elif module.pure and top == "firmware_host" and rest:
            room = rest.split(".")[0]
            allowed = ROOMS.get(module.room, frozenset())
            if room != module.room and room not in allowed and rest not in allowed:
                wrong.append(f"{said}: {module.room} may import {', '.join(sorted(allowed)) or 'nothing'}")
        elif module.room == "service" and (name + ".").startswith("firmware_host.cli."):
            wrong.append(f"{said}: the command line is the last room")
    return wrong


def test_there_is_something_to_hold() -> None:
    assert len(MODULES) > 20
    assert {module.room for module in MODULES if module.pure} == set(ROOMS)
    assert {module.room for module in MODULES if module.name.startswith("firmware_host.")} == {
        *ROOMS,
        *IMPURE_ROOMS,
    }


def test_the_page_names_only_what_is_there() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z_/0-9]+(?:\.py|/))`", page))
    assert len(named) > 40
    assert {name for name in named if not (HOST / name).exists() and not (ROOT / name).exists()} == set()
    assert {f"{room}/" if (HOST / room).is_dir() else f"{room}.py" for room in ROOMS} <= named


def test_imports_go_one_way() -> None:
    assert [wrong for module in MODULES for wrong in complaints_about_imports(module)] == []


def test_a_module_has_one_job_and_at_most_600_lines() -> None:
    assert {module.name: module.lines for module in MODULES if module.lines > LONGEST} == {}
    assert [module.name for module in MODULES if not ast.get_docstring(module.tree)] == []


def test_the_rooms_have_no_circle() -> None:
    """Import direction is an order: going up from any room never comes back to it."""
    seen: dict[str, bool] = {}

    def visit(room: str) -> None:
        assert seen.get(room) is not False, f"{room} imports itself by way of others"
        if room not in seen:
            seen[room] = False
            for other in ROOMS[room]:
                visit(other.split(".")[0])
            seen[room] = True

    for room in ROOMS:
        visit(room)


# No state


def is_final(node: ast.stmt) -> bool:
    return isinstance(node, ast.AnnAssign) and "Final" in ast.unparse(node.annotation).split("[")[0]


def top_level(module: Module) -> Iterator[ast.stmt]:
    """The statements that run when the module is imported, those in ifs, loops and withs included."""
    waiting = list(module.tree.body)
    while waiting:
        node = waiting.pop(0)
        yield node
        for part in ("body", "orelse", "finalbody"):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                waiting += getattr(node, part, [])


def names_set_at_top_level(module: Module) -> Iterator[tuple[str, ast.expr | None, ast.stmt]]:
    for node in top_level(module):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        yield name.id, node.value, node
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value, node


def is_mutable(value: ast.expr | None) -> bool:
    """Whether an expression makes something that can change: a container, or an object of unknown kind."""
    match value:
        case ast.List() | ast.Dict() | ast.Set() | ast.ListComp() | ast.DictComp() | ast.SetComp():
            return True
        case ast.Call(
            func=ast.Name(id="bytearray" | "list" | "dict" | "set" | "defaultdict" | "deque" | "Counter")
        ):
            return True
    return False


def complaints_about_state(module: Module) -> list[str]:
    """Module state: mutable tables that are not constants, globals, and tables that a function changes."""
    wrong = []
    tables: set[str] = set()
    for name, value, node in names_set_at_top_level(module):
        if name == "__all__":
            continue
        if is_mutable(value):
            tables.add(name)
            if not (is_final(node) and name.lstrip("_").isupper()):
                wrong.append(f"{module.name}:{node.lineno} {name} can change: a table is NAME: Final[..]")
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Global):
            wrong.append(f"{module.name}:{node.lineno} global {', '.join(node.names)}")
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FORBIDDEN_CALLS:
            wrong.append(f"{module.name}:{node.lineno} calls {node.func.id}")
    for function in ast.walk(module.tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        own = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        own |= {a.arg for a in ast.walk(function) if isinstance(a, ast.arg)}
        for node in ast.walk(function):
            changed = changed_name(node)
            if changed in tables and changed not in own:
                wrong.append(f"{module.name}:{node.lineno} {function.name} changes {changed}")
    return wrong


def changed_name(node: ast.AST) -> str | None:
    """The name whose object a node changes: `X[..] = `, `del X[..]`, `X.append(..)`."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in MUTATORS:
            return name
    return None


def test_the_pure_part_keeps_no_state() -> None:
    assert [wrong for module in MODULES if module.pure for wrong in complaints_about_state(module)] == []


def example(name: str, text: str) -> Module:
    return Module(name, Path(), ast.parse(text), 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("firmware_host.board", "from firmware_host.rules import lines"),
        ("firmware_host.sensing.watcher", "import firmware_host.referee.match"),
        ("firmware_host.referee.match", "from firmware_host.sensing.watcher import BoardWatcher"),
        ("firmware_host.clock", "import time"),
        ("firmware_host.clock", "def f():\n  from time import monotonic"),
        ("firmware_host.record.sgf", "from os.path import join"),
        ("firmware_host.feed", "import hw.trace"),
        ("firmware_host.pipeline", "from firmware_host.service import journal"),
        ("firmware_host.rules.lines", "from . import openings"),
        ("hw.i2c", "from firmware_host.errors import BoardError"),
        ("firmware_host.service.web", "from firmware_host.cli import main"),
    ],
)
def test_a_wrong_import_is_found(name: str, text: str) -> None:
    assert len(complaints_about_imports(example(name, text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "CACHE = {}",
        "cache: Final[dict] = {}",
        "from collections import deque\nLAST = deque()",
        "if True:\n  SEEN = set()",
        "def f():\n  global N\n  N = 1",
        "SEEN: Final = []\ndef f(x):\n  SEEN.append(x)",
        "SEEN: Final = {}\ndef f(x):\n  SEEN[x] = 1",
        "def f():\n  print(1)",
    ],
)
def test_state_is_found(text: str) -> None:
    assert len(complaints_about_state(example("firmware_host.rules.x", text))) == 1


@pytest.mark.parametrize(
    "text",
    [
        "TABLE: Final[dict[str, int]] = {'a': 1}",
        "_TABLE: Final = [1]\ndef f():\n  _TABLE = []\n  _TABLE.append(1)",
        "@functools.cache\ndef f(n):\n  out = []\n  out.append(n)\n  return out",
        "NAMES: Final = tuple(range(3))",
    ],
)
def test_constants_and_locals_are_no_state(text: str) -> None:
    assert complaints_about_state(example("firmware_host.rules.x", text)) == []


WALL_TIME: Final[dict[str, str]] = {
    "firmware_host/service/wall_clock.py": "the stamps of the journal",
    "firmware_host/service/trace_keeper.py": "the name of a trace file",
    "hw/keys.py": "edges that old kernels stamp in wall time, put on the monotonic axis",
}
"""The only places that read wall time, and what for: a time server may set it by hours at any moment."""

WALL_CLOCKS: Final = frozenset({"time", "time_ns", "localtime", "gmtime", "ctime", "now", "utcnow", "today"})


def wall_time_read(source: str) -> list[str]:
    """Names of `time` and `datetime` in a module that tell wall time."""
    return [
        f"{node.value.id}.{node.attr}"
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("time", "datetime", "date")
        and node.attr in WALL_CLOCKS
    ]


def test_wall_time_is_read_in_three_places_only() -> None:
    files = [*(ROOT / "firmware_host").rglob("*.py"), *(ROOT / "hw").rglob("*.py")]
    read = {str(file.relative_to(ROOT)) for file in files if wall_time_read(file.read_text("utf-8"))}
    assert read == set(WALL_TIME)
    assert wall_time_read("import time\ntime.monotonic_ns()\ntime.time_ns()") == ["time.time_ns"]


def test_pages_reckon_with_the_monotonic_clock_of_the_browser() -> None:
    pages = list((ROOT / "firmware_host" / "web").rglob("*.js"))
    assert pages
    assert [
        page.name for page in pages if "Date." in (text := page.read_text("utf-8")) or "new Date" in text
    ] == []


def test_a_daemon_begins_without_what_it_needs_later() -> None:
    """Formats, sheets, PDF and figures are loaded when somebody asks: a board is to be there at once."""
    later = ("record.formats", "record.sgf", "record.sheet", "service.game_exports")
    names = [*(f"firmware_host.{name}" for name in later), "reportlab", "segno", "prometheus_client"]
    program = f"import sys, firmware_host.service.daemon; print([n for n in {names!r} if n in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
