"""The simulated table as the pages see it: verbs of the hand in, stones and virtual chips out."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

from firmware_host.board import NAMES, POINTS, parse_point
from firmware_host.errors import NotationError
from firmware_host.service.axis import Axis
from firmware_host.service.sse import Channel
from hw.devices import VirtualClock
from hw.simulator.table import KEYS, Act, HandError, SimulatedTable

SAMPLE_S: Final = 0.05
VERBS: Final[dict[str, tuple[str, ...]]] = {
    "place": ("point", "colour"),
    "slide": ("from", "to"),
    "lift": ("point",),
    "adjust": ("point",),
    "move": ("from", "to"),
    "press": ("key",),
    "hold": ("key",),
    "clear": (),
}
"""Verb -> its fields; points are those of the board. `hold`: a call key has been kept closed for a second."""


class Simulated:
    """One simulated table. `turned`: Black sat at the far side at the start."""

    def __init__(
        self,
        table: SimulatedTable,
        clock: VirtualClock | None,
        axis: Axis,
        *,
        turned: bool,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._table = table
        self._clock = clock
        self._axis = axis
        self._turned = turned
        self._sleep = sleep
        self.channel = Channel("sim", self.state, keep=1, sample_s=SAMPLE_S)

    async def hand(self, given: dict[str, Any]) -> None:
        """Do one verb, and come back when the hand has let go; raises NotationError in one sentence."""
        do = given.get("do")
        fields = VERBS.get(do) if isinstance(do, str) else None
        if fields is None:
            raise NotationError(f"do = {do!r} is nothing that a hand does; allowed: {', '.join(VERBS)}")
        wrong = set(given) - {"do", *fields}
        if wrong or any(not isinstance(given.get(f), str) for f in fields):
            raise NotationError(f"{do} takes {' and '.join(fields) or 'no field'} as texts")
        now_ns = self._axis.monotonic_ns(self._axis.now_ns())
        try:
            act = self._do(str(do), given, now_ns)
        except HandError as error:
            raise NotationError(str(error)) from error
        if act is not None:
            await self._sleep(max(0, act.end_ns - now_ns) / 1e9)
        self.channel.publish()

    def _do(self, do: str, given: Mapping[str, str], now_ns: int) -> Act | None:
        match do:
            case "place":
                colour = given["colour"]
                if colour not in ("black", "white"):
                    raise NotationError(f"colour = {colour!r} is no stone; allowed: black, white")
                return self._table.place(now_ns, self._sensor(given["point"]), colour)  # type: ignore[arg-type]
            case "slide":
                return self._table.slide(now_ns, [self._sensor(given["from"]), self._sensor(given["to"])])
            case "lift":
                return self._table.lift(now_ns, self._sensor(given["point"]))
            case "adjust":
                return self._table.adjust(now_ns, self._sensor(given["point"]))
            case "move":
                return self._table.move(now_ns, self._sensor(given["from"]), self._sensor(given["to"]))
            case "clear":
                return self._table.clear(now_ns)
        key = next((k for k in KEYS if k == given["key"]), None)
        if key is None:
            raise NotationError(f"key = {given['key']!r} does not exist; allowed: {', '.join(KEYS)}")
        self._table.press(now_ns, key, held=do == "hold")
        return None

    def _sensor(self, name: str) -> str:
        """The name of a point on the sensor plane."""
        p = parse_point(name)
        return NAMES[POINTS - 1 - p if self._turned else p]

    def turn(self, *, turned: bool) -> None:
        """Another game: where Black sits at its start."""
        self._turned = turned
        self.channel.publish()

    def lay(self, stones: str) -> None:
        """Stones that lie there from the start, 225 of `.XO` in the board's order."""
        self._table.set_up(stones[::-1] if self._turned else stones)

    def state(self) -> dict[str, Any]:
        """What a person sees of the table at this instant, as `web.SimulatedTable` has it."""
        now_ns = self._axis.monotonic_ns(self._axis.now_ns())
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
        return {
            "sounding": tone is not None,
            "frequency_hz": tone.frequency_hz if tone else 0,
            "volume": tone.volume if tone else 0,
        }
