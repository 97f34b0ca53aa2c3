"""What the two faces and the buzzer do: the clock of the referee joined with the devices, seat by seat.

Faces and buzzer follow the clock at once; they never wait for the journal. A device that fails stops nothing:
its bus knows what is wrong, and the picture is sent again.
"""

import contextlib
from collections import deque
from typing import Final

from firmware_host.announce import LATEST_NS, Signal, Tone, due, flags
from firmware_host.clock import MS, Clock, Player
from firmware_host.faces import face_text, word_face
from firmware_host.menu import Menus
from firmware_host.referee.match import Referee
from firmware_host.service.axis import Axis
from hw import Buzzer, DeviceError, Faces, Seat
from hw.segments import segments

REFRESH_NS: Final = 5_000_000_000
"""How often a face is set up anew: a brown-out leaves it dark, and it still acknowledges."""

EVERY_NS: Final = 10 * MS
"""How often clocks are looked at while nothing happens.

Signals may be `LATEST_NS` late: who calls every 40 ms or more often misses none.
"""


class Display:
    """Shows a referee's clock and open menus; `show` is cheap where nothing changed."""

    def __init__(
        self,
        faces: Faces | None,
        buzzer: Buzzer | None,
        axis: Axis,
        brightness: int,
        *,
        last_minute: bool = False,
    ) -> None:
        self._faces = faces
        self._buzzer = buzzer
        self._axis = axis
        self._brightness = brightness
        self._last_minute = last_minute
        self._shown: dict[Seat, tuple[bytes, bool]] = {}
        self._refreshed_ns = 0
        self._clock: Clock | None = None
        self._seen = False
        self._looked_ns = 0
        self._began_ns = self._told_ns = axis.now_ns()
        self._flags: set[Signal] = set()
        self._tones: deque[tuple[int, Tone]] = deque()

    def show(self, referee: Referee, now_ns: int, menus: Menus = Menus()) -> None:  # noqa: B008 - immutable
        """Bring the faces to what they show at `now_ns`, and sound what became due since the last call.

        Between `EVERY_NS` it looks only at a referee who has ruled since.
        """
        clock, seen = referee.clock, referee.stone_seen
        if clock is self._clock and seen is self._seen and now_ns - self._looked_ns < EVERY_NS:
            return
        self._sound(clock, now_ns)
        self._clock, self._seen, self._looked_ns = clock, seen, now_ns
        refreshing = now_ns - self._refreshed_ns >= REFRESH_NS
        if refreshing:
            self._refreshed_ns = now_ns
            if self._buzzer is not None:
                self._buzzer.refresh()
        if self._faces is None:
            return
        try:
            paused = referee.phase in ("paused", "restoring")
            now = clock.at(now_ns)
            for player in Player:
                seat = referee.seat_of(player)
                face = face_text(now, player, now_ns, paused=paused, seen=seen and now.running is player)
                if (word := menus.word(referee, seat, now_ns)) is not None:
                    face = word_face(*word, now_ns, face)
                picture = segments(face.chars, face.points), face.colon
                if self._shown.get(seat) != picture:
                    self._faces.show(seat, *picture, brightness=self._brightness)
                    self._shown[seat] = picture
            if refreshing:
                self._faces.refresh()
        except DeviceError:
            self._shown.clear()

    def _sound(self, clock: Clock, now_ns: int) -> None:
        """Play each tone at its instant, or not at all: a beep that comes late would say something else.

        A flag says the same whenever it is certain: its tone is never left out. A newer signal ends the one
        that still sounds.
        """
        signals = due(clock, self._told_ns, now_ns, last_minute=self._last_minute)
        if self._clock is not None:  # what the clock of the last look passed before a press or a change
            changed_ns = min((clock.origin or clock).as_of_ns, now_ns)
            before = due(self._clock, self._told_ns, changed_ns, last_minute=self._last_minute)
            signals = [*before, *(signal for signal in signals if signal not in before)]
        fallen = [flag for flag in flags(clock) if flag.at_ns > self._began_ns and flag not in self._flags]
        self._flags.update(fallen)
        for signal in [*(signal for signal in signals if signal.kind != "flag"), *fallen]:
            at_ns = now_ns if signal.kind == "flag" else signal.at_ns
            self._tones.clear()
            for tone in signal.pattern:
                self._tones.append((at_ns, tone))
                at_ns += (tone.ms + tone.rest_ms) * MS
        self._told_ns = max(self._told_ns, now_ns)
        while self._tones and self._tones[0][0] <= now_ns:
            at_ns, tone = self._tones.popleft()
            if self._buzzer is None or now_ns - at_ns > LATEST_NS:
                continue
            with contextlib.suppress(DeviceError):
                self._buzzer.tone(tone.hz, tone.ms, latest_ns=self._axis.monotonic_ns(at_ns + LATEST_NS))
