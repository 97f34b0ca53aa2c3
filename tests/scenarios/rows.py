"""The rows of the referee's tables that scenarios show, and how a run proves that it has shown one.

A scenario declares rows in comments (`; shows irregular slide, not irregular drop`); each is proved by what
was ruled when it was played. The names come from the tables themselves, so a row that is added there and
shown nowhere fails a test. `not` is what looks alike and is not it: mostly, a claim of it fails.
`wanted` are the rows that are too many to declare: it is enough that some run has come through each.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, NamedTuple, get_args

from firmware_host.board import POINTS, TENGEN
from firmware_host.referee.commands import COMMANDS, DECISIONS, WORDS
from firmware_host.referee.inputs import Command, KeyPress
from firmware_host.referee.irregular import IRREGULAR, LYING, OTHER_CLAIMS
from firmware_host.referee.phases import ORDERS, TRANSITIONS
from firmware_host.referee.procedures import PROCEDURES, Step
from firmware_host.referee.rulings import AnyRuling, Decided, ForbiddenKind, Irregular, Reason, Refused
from firmware_host.referee.settings import CHOICES, MatchSettings
from hw import Sensors
from tests.scenarios.script import Scenario, parse
from tests.scenarios.stage import Noted, Stage

PHASES: Final = {"opening": "playing", "paused": "stopped", "restoring": "stopped"}
"""What `Referee.phase` says -> the phase of the tables."""


class Run(NamedTuple):
    """A scenario that was played on one kind of sensors."""

    scenario: Scenario
    settings: MatchSettings
    notes: tuple[Noted, ...]
    reason: str | None
    """Why the game is over at the end."""

    def all(self, tag: str, **fields: Any) -> list[Any]:
        """The rulings of this name with these values."""
        return [ruling for note in self.notes for ruling in note.rulings if _has(ruling, tag, fields)]

    def told(self, tag: str, **fields: Any) -> bool:
        """Whether there was one."""
        return bool(self.all(tag, **fields))

    def refused(self, do: str, **fields: Any) -> bool:
        """Whether a command with these fields was refused."""
        return any(_refusal(note) for note in self.given(do, **fields))

    def obeyed(self, do: str, **fields: Any) -> bool:
        """Whether a command with these fields was carried out."""
        return any(not _refusal(note) for note in self.given(do, **fields))

    def given(self, do: str, **fields: Any) -> Iterator[Noted]:
        """The inputs that were such a command."""
        for note in self.notes:
            given = note.given
            if isinstance(given, Command) and given.do == do and _fields(given, fields):
                yield note

    def failed(self, code: str) -> bool:
        """Whether a claim of this code was refused or rejected."""
        at_once = self.refused("claim", code=code)
        named = at_once or self.refused("uphold", code=code) or self.told("rejected", code=code)
        return named or (self.told("claimed", code=code) and self.refused("uphold", code=None))

    def undone(self, do: str, **fields: Any) -> bool:
        """Whether a decision of this kind was undone."""
        made = (r for note in self.given(do, **fields) for r in note.rulings if isinstance(r, Decided))
        return any(self.told("decided", do="compensate", undoes=decided.entry) for decided in made)


@cache
def run(file: Path, sensors: Sensors) -> Run:
    """Play a scenario; raises ScenarioError at the first line that does not come out as expected."""
    scenario = parse(file.read_text("utf-8"))
    stage = Stage(scenario, sensors)
    stage.play()
    over = stage.referee.over
    return Run(scenario, stage.settings, tuple(stage.notes), over.reason if over else None)


def _fields(value: Any, fields: dict[str, Any]) -> bool:
    return all(getattr(value, name) == wanted for name, wanted in fields.items())


def _has(ruling: AnyRuling, tag: str, fields: dict[str, Any]) -> bool:
    return type(ruling).__struct_config__.tag == tag and _fields(ruling, fields)


def _refusal(note: Noted) -> bool:
    do = note.given.do if isinstance(note.given, Command) else ""
    return any(isinstance(ruling, Refused) and ruling.do == do for ruling in note.rulings)


# -- rows that scenarios declare

Proof = Callable[[Run], bool]


ONLY_CLAIMED: Final = ("occupied",)
"""Sensed by the table of irregular actions, and not by these sensors: a stone is not felt through another."""


def _irregular(code: str) -> Iterator[tuple[str, Proof]]:
    yield f"irregular {code}", lambda run: run.told("irregular", code=code)
    yield f"upheld {code}", lambda run: run.told("upheld", code=code)
    yield f"waived {code}", lambda run: run.told("waived", code=code)
    if IRREGULAR[code].sensed and code not in ONLY_CLAIMED:
        yield f"not irregular {code}", lambda run: not run.told("irregular", code=code) and run.failed(code)
        yield f"lapsed {code}", lambda run: run.told("lapsed", code=code, audience="public")
    else:  # it is entered by being claimed, so it cannot be passed over, and the claim may be wrong
        yield f"rejected {code}", lambda run: run.told("rejected", code=code)
    if code in LYING and code not in ONLY_CLAIMED:
        yield f"gone {code}", lambda run: run.told("lapsed", code=code, audience="arbiter")


def _forbidden(kind: str) -> Iterator[tuple[str, Proof]]:
    yield f"forbidden {kind}", lambda run: run.told("forbidden", kind=kind)
    yield f"not forbidden {kind}", lambda run: not run.told("forbidden", kind=kind) and run.failed(kind)
    yield f"upheld {kind}", lambda run: run.told("upheld", code=kind)
    yield f"lapsed {kind}", lambda run: run.told("lapsed", code=kind, audience="public")
    yield f"waived {kind}", lambda run: run.told("waived", code=kind)


def _other_claim(code: str) -> Iterator[tuple[str, Proof]]:
    yield f"upheld {code}", lambda run: run.told("upheld", code=code)
    yield f"rejected {code}", lambda run: run.told("rejected", code=code) and run.failed(code)


LOOKS_ALIKE: Final[dict[str, Proof]] = {
    "five": lambda run: run.failed("five"),
    "forbidden": lambda run: run.told("forbidden"),
    "time": lambda run: run.told("flag") or run.told("rejected", code="flag"),
    "resignation": lambda run: run.refused("resign") or run.undone("resign"),
    "agreement": lambda run: run.told("draw", answer="refuse"),
    "passes": lambda run: run.told("move", point=None, missing=False),
    "full-board": lambda run: len(_points(run)) == POINTS,
    "absence": lambda run: run.told("arrived"),
    "penalty": lambda run: run.told("penalty"),
    "left": lambda run: run.refused("left") or run.undone("left"),
    "arbiter": lambda run: run.refused("result") or run.undone("result"),
}
"""What happens in a game that does not end for a reason, and might seem to."""


def _points(run: Run) -> set[int]:
    return {move.point for move in run.all("move") if move.point is not None}


def _over(reason: str) -> Iterator[tuple[str, Proof]]:
    yield f"over {reason}", lambda run: run.told("over", reason=reason)
    yield f"not over {reason}", lambda run: run.reason != reason and LOOKS_ALIKE[reason](run)


NEVER_REFUSED: Final = {
    "mask": "any sensor may be distrusted, in every phase",
    "unmask": "the same",
    "note": "a remark may be made in every phase",
    "violation": "it can be counted in every phase, also after the end [2.20]",
}
"""Commands of the arbiter that nothing can be wrong with, once they can be read."""


def _command(do: str) -> Iterator[tuple[str, Proof]]:
    yield f"command {do}", lambda run: run.obeyed(do)
    if do not in NEVER_REFUSED:
        yield f"not command {do}", lambda run: run.refused(do)


NEVER_WRONG: Final = ("moved back", "colours stands")
"""Decisions that nothing speaks against, and that leave nothing to be undone."""


def _decision(do: str, field: str, word: str) -> Iterator[tuple[str, Proof]]:
    yield f"decision {do} {word}", lambda run: run.obeyed(do, **{field: word})
    if f"{do} {word}" not in NEVER_WRONG:
        yield (
            f"not decision {do} {word}",
            lambda run: run.refused(do, **{field: word}) or run.undone(do, **{field: word}),
        )


def _wrong_opening(run: Run) -> bool:
    codes = ("first-not-tengen", "not-an-opening", "offers-wrong", "wrong-removal")
    return (
        any(run.told("irregular", code=code) for code in codes)
        or run.refused("choose")
        or run.refused("swap")
        or run.refused("opening")
    )


def _procedure(name: str) -> Iterator[tuple[str, Proof]]:
    def through(run: Run) -> bool:
        return run.settings.opening == name and any(note.next_step.do == "play" for note in run.notes)

    yield f"procedure {name}", through
    yield f"not procedure {name}", lambda run: run.settings.opening == name and _wrong_opening(run)


def _chosen(run: Run) -> bool:
    return run.told("swap") or run.told("keep")


def _off_tengen_first(run: Run) -> bool:
    return any(move.point != TENGEN for move in run.all("move", n=1))


def _first_key(run: Run) -> str | None:
    """The key of the first press, if that was Black's."""
    keys = (note.given.key for note in run.notes if isinstance(note.given, KeyPress))
    return next(keys, None) if run.told("press") and run.all("press")[0].side == "black" else None


def _longest(run: Run) -> int:
    return max((len(over.line) for over in run.all("over", reason="five")), default=0)


def _wrong_claim(run: Run, kind: str | None) -> bool:
    kinds = [penalty.kind for penalty in run.all("penalty", reason="wrong claim")]
    return run.told("rejected") and kinds == ([kind] if kind else [])


EFFECTS: Final[dict[tuple[str, str], Proof]] = {
    ("forbidden", "claim"): lambda run: run.told("upheld") and run.reason == "forbidden",
    ("forbidden", "automatic"): lambda run: run.told("forbidden") and run.told("over", reason="forbidden"),
    ("forbidden", "off"): lambda run: run.failed("double-three"),
    ("black_sits", "near"): lambda run: _first_key(run) == "near",
    ("black_sits", "far"): lambda run: _first_key(run) == "far",
    ("swap", "bowls"): lambda run: run.told("swap", black_seat="far"),
    ("swap", "seats"): lambda run: run.told("swap", black_seat="near"),
    ("flag", "automatic"): lambda run: run.told("flag") and run.told("over", reason="time"),
    ("flag", "claim"): lambda run: run.told("flag") and run.told("upheld", code="flag"),
    ("overline", "wins"): lambda run: _longest(run) > 5,
    ("overline", "nothing"): lambda run: run.failed("five") and run.settings.forbidden == "off",
    ("five", "ends"): lambda run: run.told("over", reason="five") and not run.told("upheld", code="five"),
    ("five", "claim"): lambda run: run.told("upheld", code="five"),
    ("drop", "back"): lambda run: run.told("upheld", code="drop") and run.reason != "penalty",
    ("drop", "loss"): lambda run: run.told("upheld", code="drop") and run.reason == "penalty",
    ("replace", "back"): lambda run: run.told("upheld", code="replace") and run.reason != "penalty",
    ("replace", "loss"): lambda run: run.told("upheld", code="replace") and run.reason == "penalty",
    ("overline_claim", "at-once"): lambda run: run.told("lapsed", code="overline"),
    ("overline_claim", "any-time"): lambda run: run.told("upheld", code="overline"),
    ("free_first", "anywhere"): lambda run: (
        _off_tengen_first(run) and not run.told("irregular", code="first-not-tengen")
    ),
    ("free_first", "tengen"): lambda run: run.told("irregular", code="first-not-tengen"),
    ("designated_swap", "yes"): _chosen,
    ("designated_swap", "no"): lambda run: not _chosen(run) and run.refused("swap"),
    ("wrong_claim", "none"): partial(_wrong_claim, kind=None),
    ("wrong_claim", "time"): partial(_wrong_claim, kind="time"),
    ("wrong_claim", "violation"): partial(_wrong_claim, kind="violation"),
}  # fmt: skip
"""What is otherwise than with the other value of a setting; an opening is shown by its procedure."""


def _setting(key: str, value: str) -> tuple[str, Proof]:
    return (
        f"setting {key} {value}",
        lambda run: getattr(run.settings, key) == value and EFFECTS[key, value](run),
    )


def _rows() -> Iterator[tuple[str, Proof]]:
    for code in IRREGULAR:
        yield from _irregular(code)
    for kind in get_args(ForbiddenKind):
        yield from _forbidden(kind)
    for code in OTHER_CLAIMS:
        yield from _other_claim(code)
    for reason in get_args(Reason):
        yield from _over(reason)
    for do in COMMANDS:
        yield from _command(do)
    for (do, field), words in {**DECISIONS, ("draw", "answer"): WORDS["answer"]}.items():
        for word in words:
            yield from _decision(do, field, word)
    for name in PROCEDURES:
        yield from _procedure(name)
    for key, values in CHOICES.items():
        for value in values if key != "opening" else ():
            yield _setting(key, value)


ROWS: Final[dict[str, Proof]] = dict(_rows())
"""The name of a row, as scenarios declare it, and what proves that a run has shown it."""


# -- rows that some run has to come through


def wanted() -> set[str]:
    """Inputs and commands in each phase, the steps of each opening, who gives commands, the rulings."""
    return {
        *(f"{phase}: {kind.__name__}" for phase, row in TRANSITIONS.items() for kind in row),
        *(f"{phase}: command {do}" for phase in TRANSITIONS for do in ORDERS),
        *(f"by {giver}" for giver in WORDS["by"]),
        *(f"ruling {kind.__struct_config__.tag}" for kind in get_args(AnyRuling)),
        *(row for name, procedure in PROCEDURES.items() for row in _steps(name, procedure.steps)),
    }


def _steps(name: str, steps: tuple[Step, ...]) -> Iterator[str]:
    for index, step in enumerate(steps):
        yield f"{name} {index}: {step.do}"
        for choice in step.choices:
            yield f"{name} {index}: choice {choice.name}"
        if step.where != "anywhere":
            yield f"{name} {index}: outside {step.where}"


def come_through(run: Run) -> Iterator[str]:
    """The rows of `wanted` that a run came through."""
    steps = PROCEDURES[run.settings.opening].steps
    index = {id(step): i for i, step in enumerate(steps)}
    for note in run.notes:
        phase = PHASES.get(note.phase, note.phase)
        if isinstance(note.given, Command):
            yield f"{phase}: command {note.given.do}"
            yield f"by {note.given.by}"
        else:
            yield f"{phase}: {type(note.given).__name__}"
        for ruling in note.rulings:
            yield f"ruling {type(ruling).__struct_config__.tag}"
        at, on = index.get(id(note.step)), index.get(id(note.next_step))
        if on is not None:
            yield f"{run.settings.opening} {on}: {note.next_step.do}"
        if at is not None:
            yield from (f"{run.settings.opening} {at}: choice {name}" for name in _chosen_in(note))
        yield from (f"{run.settings.opening} {i}: outside {steps[i].where}" for i in _outside(steps, note))


def _chosen_in(note: Noted) -> Iterator[str]:
    for ruling in note.rulings:
        for choice in note.step.choices:
            by_word = _has(ruling, "choose", {"branch": choice.name}) and choice.does == "branch"
            if by_word or (type(ruling).__struct_config__.tag == choice.does):
                yield choice.name


def _outside(steps: tuple[Step, ...], note: Noted) -> Iterator[int]:
    for ruling in note.rulings:
        if isinstance(ruling, Irregular) and ruling.code in ("first-not-tengen", "not-an-opening"):
            n = ruling.n or 1
            yield from (i for i, step in enumerate(steps) if step.n <= n < step.n + max(1, len(step.stones)))
