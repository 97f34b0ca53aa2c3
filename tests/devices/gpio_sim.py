"""A GPIO chip of the kernel's gpio-sim, as the Raspberry Pi's: pulls set from outside, levels read back.

Documentation/admin-guide/gpio/gpio-sim.rst of the kernel has its configfs tree. Works in the devices kernel
only, where /sys/kernel/config is mounted.
"""

import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

CONFIGFS = Path("/sys/kernel/config/gpio-sim")
PI_LINES = 54


class GpioSim:
    """A chip. `hogs`: lines that the kernel keeps for itself, with the consumer's name."""

    def __init__(
        self,
        label: str = "pinctrl-bcm2711",
        lines: int = PI_LINES,
        hogs: Mapping[int, str] | None = None,
        name: str = "pi",
    ) -> None:
        self._device = CONFIGFS / name
        self._bank = self._device / "bank0"
        self._device.mkdir()
        self._bank.mkdir()
        (self._bank / "num_lines").write_text(str(lines))
        (self._bank / "label").write_text(label)
        self._hogs = dict(hogs or {})
        for line, consumer in self._hogs.items():
            hog = self._bank / f"line{line}" / "hog"
            hog.parent.mkdir()
            hog.mkdir()
            (hog / "name").write_text(consumer)
            (hog / "direction").write_text("input")
        (self._device / "live").write_text("1")
        chip = (self._bank / "chip_name").read_text().strip()
        device = (self._device / "dev_name").read_text().strip()
        self.label = label
        self.path = f"/dev/{chip}"
        self._lines = Path("/sys/devices/platform") / device / chip

    def pull(self, line: int, up: bool) -> None:
        """What the world outside does to a line."""
        self._file(line, "pull").write_text("pull-up" if up else "pull-down")

    def level(self, line: int) -> int:
        """What is on the line."""
        return int(self._file(line, "value").read_text())

    def close(self) -> None:
        """Take the chip away."""
        (self._device / "live").write_text("0")
        for line in self._hogs:
            (self._bank / f"line{line}" / "hog").rmdir()
            (self._bank / f"line{line}").rmdir()
        self._bank.rmdir()
        self._device.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _file(self, line: int, name: str) -> Path:
        return self._lines / f"sim_gpio{line}" / name


class MatrixWires:
    """/dev/gpio-matrix: the sense pins of a chip follow its select pins by a table."""

    def __init__(
        self, chip: GpioSim, select: Sequence[int], sense: Sequence[int], enable: int = 0xFFFF
    ) -> None:
        self._head = struct.pack("32s4H15HH", chip.label.encode(), *select, *sense, enable)
        self._device = open("/dev/gpio-matrix", "wb", buffering=0)  # noqa: SIM115 - closed by close

    def set(self, table: Sequence[int], idle: int = 0) -> None:
        """The sense lines that are low for each code 0..15, and while the decoder is off; bit 0 the first."""
        self._device.write(self._head + struct.pack("17H", *table, idle))

    def close(self) -> None:
        """The pins are those of gpio-sim again."""
        self._device.close()
