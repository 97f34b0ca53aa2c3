"""The simulated table as the pages see it: verbs of the hand in, stones and virtual chips out."""

import asyncio
import math
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, NamedTuple

from firmware_host.board import LETTERS, NAMES, POINTS, SIZE, parse_point
from firmware_host.errors import NotationError
from firmware_host.service.axis import Axis
from firmware_host.service.robot import Robot
from firmware_host.service.sse import Channel
from hw.devices import VirtualClock
from hw.simulator.faults import KINDS, Faults
from hw.simulator.physics import position, sensor_index
from hw.simulator.table import KEYS, Act, HandError, SimulatedTable

SAMPLE_S: Final = 0.05
TONES: Final = 6
"""So many of the newest tones are told: more than begin between two looks."""
ARM_MM: Final = 20.0
"""How far from its way a sleeve takes stones with it."""
ELBOW_MM: Final = 40.0
"""How far from a point, when it comes down on one place."""
MOST_VIA: Final = 100
CLEAR_MS: Final = 50.0
"""From stone to stone when the board is cleared: two hands, and nobody waits for a demonstration."""
SPEEDS_MM_S: Final = (40, 2000)
"""How fast a hand can push, both ends included."""


class Verb(NamedTuple):
    """The fields that a verb needs, as texts, and those that it may have."""

    needs: tuple[str, ...] = ()
    may: tuple[str, ...] = ()


VERBS: Final[dict[str, Verb]] = {
    "place": Verb(("point", "colour")),
    "drop": Verb(("point", "colour")),
    "slide": Verb(("from", "to"), ("via", "speed")),
    "lift": Verb(("point",)),
    "adjust": Verb(("point",)),
    "nudge": Verb(("point",)),
    "move": Verb(("from", "to")),
    "sweep": Verb(("from", "to"), ("speed",)),
    "press": Verb(("key",)),
    "hold": Verb(("key",)),
    "clear": Verb(),
}
"""Verb -> its fields; points are those of the board.

`hold`: a call key has been kept closed for a second. `adjust`: lifted a little and set down there again;
`nudge`: straightened by a fingertip. `via`: points between, such as `H9 I9`; `speed`: mm/s, a number.
`sweep`: a sleeve takes the stones along the way with it, or those about one point.
"""


class Simulated:
    """One simulated table. `turned`: Black sat at the far side at the start."""

    def __init__(
        self,
        table: SimulatedTable,
        clock: VirtualClock | None,
        axis: Axis,
        *,
        turned: bool,
        faults: Faults | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._table = table
        self._clock = clock
        self._axis = axis
        self._turned = turned
        self._faults = faults or Faults(table, None, None)
        self._sleep = sleep
        self.robot: Robot | None = None
        self.channel = Channel("sim", self.state, keep=1, sample_s=SAMPLE_S)

    async def hand(self, given: Mapping[str, Any]) -> None:
        """Do one verb, and come back when the hand has let go; raises NotationError in one sentence."""
        do = given.get("do")
        verb = VERBS.get(do) if isinstance(do, str) else None
        if verb is None:
            raise NotationError(f"do = {do!r} is nothing that a hand does; allowed: {', '.join(VERBS)}")
        wrong = set(given) - {"do", *verb.needs, *verb.may}
        if wrong or any(not isinstance(given.get(f), str) for f in verb.needs):
            raise NotationError(f"{do} takes {' and '.join(verb.needs) or 'no field'} as texts")
        now_ns = self._now_ns()
        try:
            act = self._do(str(do), given, now_ns)
        except HandError as error:
            raise NotationError(str(error)) from error
        if act is not None:
            await self._sleep(max(0, act.end_ns - now_ns) / 1e9)
        self.channel.publish()

    def fault(self, given: Mapping[str, Any]) -> None:
        """`{"do": "break", "kind", "at"}`, `{"do": "mend", "kind", "at"}` or `{"do": "mend-all"}`.

        `at` is a point or a line of the board, for the kinds that need one. Raises NotationError.
        """
        do, kind, at = given.get("do"), given.get("kind", ""), given.get("at", "")
        if do not in ("break", "mend", "mend-all") or set(given) - {"do", "kind", "at"}:
            raise NotationError("that is no fault; allowed: do = break or mend with kind and at, mend-all")
        if not isinstance(kind, str) or not isinstance(at, str):
            raise NotationError("kind and at are texts")
        try:
            if do == "mend-all":
                self._faults.end_all(self._now_ns())
            else:
                change = self._faults.begin if do == "break" else self._faults.end
                change(self._now_ns(), kind, self._seen_from_there(kind, at.upper()))
        except HandError as error:
            raise NotationError(str(error)) from error
        self.channel.publish()

    def _now_ns(self) -> int:
        return self._axis.monotonic_ns(self._axis.now_ns())

    def _do(self, do: str, given: Mapping[str, Any], now_ns: int) -> Act | None:
        match do:
            case "place":
                colour, strength = _stone(given["colour"]), self._faults.strength
                return self._table.place(now_ns, self._sensor(given["point"]), colour, strength=strength)
            case "drop":
                colour = _stone(given["colour"])
                return self._table.drop(now_ns, self._sensor(given["point"]), colour)
            case "slide":
                path = [given["from"], *_way(given.get("via", "")), given["to"]]
                speed = _speed(given.get("speed", 250))
                return self._table.slide(now_ns, [self._sensor(p) for p in path], speed_mm_s=speed)
            case "lift":
                return self._table.lift(now_ns, self._sensor(given["point"]))
            case "adjust":
                return self._table.adjust(now_ns, self._sensor(given["point"]))
            case "nudge":
                return self._table.nudge(now_ns, self._sensor(given["point"]))
            case "move":
                return self._table.move(now_ns, self._sensor(given["from"]), self._sensor(given["to"]))
            case "sweep":
                return self._sweep(now_ns, given["from"], given["to"], _speed(given.get("speed", 600)))
            case "clear":
                return self._table.clear(now_ns, every_ms=CLEAR_MS)
        key = next((k for k in KEYS if k == given["key"]), None)
        if key is None:
            raise NotationError(f"key = {given['key']!r} does not exist; allowed: {', '.join(KEYS)}")
        self._table.press(now_ns, key, held=do == "hold")
        return None

    def _sweep(self, now_ns: int, start: str, end: str, speed: float) -> Act:
        """The sleeve takes every stone that lies near its way, or near the one point it comes down on."""
        a, b = (position(sensor_index(self._sensor(name))) for name in (start, end))
        reach = ELBOW_MM if a == b else ARM_MM
        lying = [
            stone.point
            for stone in self._table.stones(now_ns)
            if stone.point is not None and _far_from(a, b, (stone.x_mm, stone.y_mm)) <= reach
        ]
        if not lying:
            raise NotationError(f"there is no stone between {start} and {end}")
        toward = (b[0] - a[0], b[1] - a[1]) if a != b else (1.0, 0.3)
        return self._table.sweep(now_ns, dict.fromkeys(lying), toward=toward, speed_mm_s=speed)

    def _sensor(self, name: str) -> str:
        """The name of a point on the sensor plane."""
        p = parse_point(name)
        return NAMES[POINTS - 1 - p if self._turned else p]

    def turn(self, *, turned: bool) -> None:
        """Another game: where Black sits at its start."""
        self._turned = turned
        self.channel.publish()

    def _seen_from_there(self, kind: str, at: str) -> str:
        """The name in the plane of a place on the board, or the other way round: both are the same turn."""
        if not at or KINDS.get(kind) == "point":
            return self._sensor(at) if at else ""
        if not self._turned:
            return at
        if at.isdecimal() and len(at) < 3:
            return str(SIZE + 1 - int(at))
        return LETTERS[SIZE - 1 - LETTERS.index(at)] if at in LETTERS else at

    def lay(self, stones: str) -> None:
        """Stones that lie there from the start, 225 of `.XO` in the board's order."""
        self._table.set_up(stones[::-1] if self._turned else stones)

    def state(self) -> dict[str, Any]:
        """What a person sees of the table at this instant, as `sim_pages.SimulatedTable` has it."""
        now_ns = self._now_ns()
        return {
            "turned": self._turned,
            "stones": [
                {
                    "colour": stone.colour,
                    "x_mm": round(stone.x_mm, 1),
                    "y_mm": round(stone.y_mm, 1),
                    "height_mm": round(stone.height_mm, 1),
                }
                for stone in self._table.stones(now_ns)
            ],
            "faces": {seat: self._face(seat) for seat in ("near", "far")},
            "buzzer": self._buzzer(),
            "faults": [{"kind": k, "at": self._seen_from_there(k, at)} for k, at in self._faults.on],
            "breakable": {kind: KINDS[kind] for kind in self._faults.kinds},
            "robot": self.robot.state() if self.robot is not None else None,
        }

    def _face(self, seat: str) -> dict[str, Any]:
        if self._clock is None:
            return {"on": False, "blink": None, "brightness": 0, "digits": [0, 0, 0, 0], "colon": False}
        chip = self._clock.faces[seat]  # type: ignore[index]
        shown = chip.picture()
        return {
            "on": chip.oscillator and chip.display,
            "blink": shown.blink_hz or None,
            "brightness": shown.brightness,
            "digits": list(shown.segments),
            "colon": shown.colon,
        }

    def _buzzer(self) -> dict[str, Any]:
        tone = self._clock.buzzer.sounding() if self._clock is not None else None
        begun = list(self._clock.buzzer.tones)[-TONES:] if self._clock is not None else []
        return {
            "sounding": tone is not None,
            "frequency_hz": tone.frequency_hz if tone else 0,
            "volume": tone.volume if tone else 0,
            "tones": [
                {
                    "at_ms": each.start_ns // 1_000_000,
                    "frequency_hz": each.frequency_hz,
                    "duration_ms": each.duration_ms,
                    "volume": each.volume,
                }
                for each in begun
            ],
        }


def _stone(colour: str) -> Any:
    if colour not in ("black", "white"):
        raise NotationError(f"colour = {colour!r} is no stone; allowed: black, white")
    return colour


def _way(given: object) -> list[str]:
    points = given.split() if isinstance(given, str) else None
    if points is None or len(points) > MOST_VIA:
        raise NotationError(f"via is a text of at most {MOST_VIA} points, such as H9 I9")
    return points


def _speed(given: object) -> float:
    low, high = SPEEDS_MM_S
    if isinstance(given, bool) or not isinstance(given, int | float) or not low <= given <= high:
        raise NotationError(f"speed = {given!r} is not possible; allowed: {low} to {high} mm/s")
    return float(given)


def _far_from(a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]) -> float:
    """How far a place lies from the straight way between two others; all in millimetres."""
    along = (b[0] - a[0], b[1] - a[1])
    length2 = along[0] ** 2 + along[1] ** 2
    share = ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / length2 if length2 else 0.0
    share = min(1.0, max(0.0, share))
    return math.hypot(p[0] - a[0] - share * along[0], p[1] - a[1] - share * along[1])
