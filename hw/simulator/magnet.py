"""One magnet of the simulated table: how strong it is, where it lies, and what will be done with it."""

from hw.simulator.hand import AWAY_MM, Motion
from hw.simulator.physics import Field, Pose, dipole_field


class Magnet:
    """A magnet of `strength` (see `dipole_field`), its rest, and its motions to come in time order."""

    def __init__(self, strength: float, rest: Pose, motions: list[Motion]) -> None:
        self.strength = strength
        self.rest = rest
        self.motions = motions
        self._field: tuple[Pose, Field] | None = None

    def pose(self, t_ns: int) -> Pose:
        """Where it is at `t_ns`."""
        pose = self.rest
        for motion in self.motions:
            if motion.start_ns > t_ns:
                break
            pose = motion.pose(t_ns)
        return pose

    def aim(self, t_ns: int) -> Pose | None:
        """Where it will lie once what has begun by `t_ns` is done; None if it is gone, or not yet there."""
        begun = [m for m in self.motions if m.start_ns <= t_ns]
        if not begun:
            return self.rest if self.rest.height_mm < AWAY_MM else None
        return None if begun[-1].gone else begun[-1].rest

    def rest_field(self) -> Field:
        """Its field while it lies at `rest`."""
        if self._field is None or self._field[0] is not self.rest:
            self._field = (self.rest, dipole_field(self.rest, self.strength))
        return self._field[1]
