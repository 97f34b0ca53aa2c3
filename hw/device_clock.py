"""A device's microseconds on the host's monotonic clock. Pure; the caller gives the times.

What a device stamps arrives later than it was, by an amount that changes: a busy host, a USB hub. The least
delay is the nearly constant one, so the offset between the clocks is taken from the messages that were
fastest (the lower envelope of arrival minus stamp). It may fall at once, since nothing arrives before it was
sent; it rises no faster than two crystals can drift apart, however late everything comes for a while.
"""

from typing import Final

US: Final = 1000
WRAP_US: Final = 1 << 32
DRIFT_PPM: Final = 200
"""Crystals of both sides are within 100 ppm. [RP2040 hardware design guide: 30 ppm; a Pi's is better]"""
WINDOW_NS: Final = 5_000_000_000
OFF_NS: Final = 100_000_000
"""When all of a window came later than this after their instants, the offset itself is wrong."""
LEAP_NS: Final = 10_000_000_000
STRANGE: Final = 10
"""A stamp that is so far ahead of the host is no measure, unless so many in a row are."""


class DeviceClock:
    """Stamps of one device, which may wrap at 2**32 us (71 minutes), to host nanoseconds."""

    def __init__(self) -> None:
        self._last_ns = -1
        self.restart()

    def restart(self) -> None:
        """The device's clock has begun anew; host times still grow."""
        self._offset_ns: int | None = None
        self._device_us = 0
        self._arrival_ns = 0
        self._window_ns = 0
        self._least_ns: int | None = None
        self._strange = 0

    def stamps(self, arrival_ns: int, t_us: list[int]) -> list[int]:
        """Host times of stamps that arrived together at `arrival_ns`, in the order in which they were made.

        Each is later than all before it (also of earlier calls), and not after `arrival_ns` as long as that
        grows.
        """
        if not t_us:
            return []
        unwrapped = []
        for stamp in t_us:
            ahead_us = (stamp - self._device_us) % WRAP_US
            # Half way round is behind: passes come in order, but a stamp may be wrong.
            self._device_us += ahead_us if ahead_us < WRAP_US // 2 else ahead_us - WRAP_US
            unwrapped.append(self._device_us * US)
        # Of what comes together the newest has waited least.
        offset_ns = self._follow(arrival_ns, arrival_ns - max(unwrapped))
        found = []
        for behind, device_ns in zip(reversed(range(len(unwrapped))), unwrapped, strict=True):
            self._last_ns = max(min(device_ns + offset_ns, arrival_ns - behind), self._last_ns + 1)
            found.append(self._last_ns)
        return found

    def _follow(self, arrival_ns: int, measured_ns: int) -> int:
        """The offset with one more measure of it."""
        passed_ns = arrival_ns - self._arrival_ns
        self._arrival_ns = arrival_ns
        offset_ns = self._offset_ns
        if offset_ns is None:
            return self._anchor(arrival_ns, measured_ns)
        offset_ns += passed_ns * DRIFT_PPM // 1_000_000
        if measured_ns < offset_ns - LEAP_NS:
            self._strange += 1
            if self._strange >= STRANGE:
                return self._anchor(arrival_ns, measured_ns)
            self._offset_ns = offset_ns
            return offset_ns
        self._strange = 0
        offset_ns = min(offset_ns, measured_ns)
        self._least_ns = measured_ns if self._least_ns is None else min(self._least_ns, measured_ns)
        if arrival_ns - self._window_ns >= WINDOW_NS:
            if self._least_ns - offset_ns > OFF_NS:
                offset_ns = self._least_ns
            self._window_ns = arrival_ns
            self._least_ns = None
        self._offset_ns = offset_ns
        return offset_ns

    def _anchor(self, arrival_ns: int, measured_ns: int) -> int:
        self._offset_ns = measured_ns
        self._window_ns = arrival_ns
        self._least_ns = None
        self._strange = 0
        return measured_ns
