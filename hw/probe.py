"""Why a device cannot be had on this machine: what a maker would look at first.

Read are only names, owners and permissions of device nodes, the firmware's configuration, and which chips
acknowledge on a bus. Sources: Linux i2c-dev, gpiochip and tty device nodes; `config.txt` of Raspberry Pi
(`dtparam=i2c_arm=on` for bus 1, an overlay `i2cN` for the others of a Pi 4 and 5).
"""

import grp
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from hw.i2c import Device

CONFIG_FILES: Final = ("boot/firmware/config.txt", "boot/config.txt")
ADDRESSES: Final = range(0x08, 0x78)

CHIPS: Final[dict[range, str]] = {
    range(0x20, 0x28): "a port expander (PCA9555, MCP23017)",
    range(0x34, 0x35): "a Qwiic buzzer",
    range(0x70, 0x78): "a face (HT16K33)",
}
"""What usually answers at these addresses; a 0x70 may be a TCA9548A as well."""


class Machine:
    """This machine's device nodes; `root` and `may_use` are others in tests."""

    def __init__(
        self,
        root: Path = Path("/"),
        may_use: Callable[[Path], bool] = lambda path: os.access(path, os.R_OK | os.W_OK),
    ) -> None:
        self.root = root
        self.may_use = may_use

    def i2c_trouble(self, bus: int) -> str:
        """Why `/dev/i2c-N` cannot be used, and what to do; empty if it can."""
        node = self.root / f"dev/i2c-{bus}"
        if node.exists():
            return self._forbidden(node)
        if (self.root / f"sys/bus/i2c/devices/i2c-{bus}").exists():
            return (
                f"the kernel has the bus but no /dev/i2c-{bus}: the module i2c-dev is not loaded"
                " (`sudo modprobe i2c-dev`; raspi-config, Interface Options, I2C loads it at each start)"
            )
        config = self._config()
        if config is None:
            return f"there is no /dev/i2c-{bus}; I2C is not enabled, or this machine is no Raspberry Pi"
        path, text = config
        if bus != 1:
            missing = f"dtoverlay=i2c{bus}"
            if _has_line(text, missing):
                return f"{path} has {missing}, but there is no /dev/i2c-{bus}: restart the Pi"
            return (
                f"bus {bus} is not enabled: {path} has no line {missing}"
                " (Pi 4 and 5; on others an i2c-gpio overlay with that bus number; restart afterwards)"
            )
        if _has_line(text, "dtparam=i2c_arm=on"):
            return f"{path} enables I2C, but there is no /dev/i2c-1: restart the Pi"
        return (
            f"I2C is not enabled: {path} has no line dtparam=i2c_arm=on"
            " (raspi-config, Interface Options, I2C; then restart)"
        )

    def gpio_trouble(self) -> str:
        """Why no GPIO chip can be used, and what to do; empty if one can."""
        chips = sorted(self.root.glob("dev/gpiochip*"))
        if not chips:
            return "there is no /dev/gpiochip: this machine has no GPIO pins, or its kernel is too old"
        troubles = [self._forbidden(chip) for chip in chips]
        return "" if "" in troubles else troubles[0]

    def serial_trouble(self, device: str) -> str:
        """Why a serial port (a path, or empty for any) cannot be used, and what to do; empty if one can."""
        if device and "*" not in device:
            ports = [self.root / device.lstrip("/")]
        else:
            ports = sorted([*self.root.glob("dev/ttyACM*"), *self.root.glob("dev/ttyUSB*")])
        ports = [port for port in ports if port.exists()]
        if not ports:
            there = (
                self._shown(self.root / device.lstrip("/")) if device else "/dev/ttyACM0 or another USB port"
            )
            return (
                f"there is no {there}: the scanner is not plugged in, its cable only charges, or it has no"
                " firmware yet (a Pico then shows itself as a disk)"
            )
        troubles = [self._forbidden(port) for port in ports]
        return "" if "" in troubles else troubles[0]

    def _forbidden(self, node: Path) -> str:
        if self.may_use(node):
            return ""
        try:
            group = grp.getgrgid(node.stat().st_gid).gr_name
        except (KeyError, OSError):
            group = "root"
        shown = self._shown(node)
        if group == "root":
            return f"{shown} belongs to root alone: its udev rule is missing (the installer brings it)"
        return (
            f"no permission for {shown}: this user is not in the group {group}"
            f" (`sudo usermod -aG {group} $USER`, then log in again)"
        )

    def _config(self) -> tuple[str, str] | None:
        for name in CONFIG_FILES:
            try:
                return f"/{name}", (self.root / name).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
        return None

    def _shown(self, path: Path) -> str:
        return f"/{path.relative_to(self.root)}"


def answering(device: Device) -> list[int]:
    """The addresses 0x08..0x77 at which a chip acknowledges a read of one byte."""
    from smbus2 import i2c_msg

    found = []
    for address in ADDRESSES:
        try:
            device.i2c_rdwr(i2c_msg.read(address, 1))
        except OSError:
            continue
        found.append(address)
    return found


def silent_chip(name: str, address: int, found: list[int]) -> str:
    """The likely cause why nothing answers at `address`, when `found` do on its bus."""
    if not found:
        return (
            "nothing at all answers on this bus: its plug, its 3.3 V or ground is open, or SDA and SCL are"
            " exchanged"
        )
    others = [other for other in found if chip_at(other) == chip_at(address) != ""]
    if others:
        shown = ", ".join(f"0x{other:02x}" for other in others)
        kind = chip_at(address)
        return f"{kind} answers at {shown}: the address jumpers of {name} differ from its setting"
    shown = ", ".join(f"0x{other:02x}" for other in found)
    return f"others answer ({shown}), so the bus works: {name} has no supply, or its own plug is open"


def chip_at(address: int) -> str:
    """What usually answers at an address; empty if nothing is known of it."""
    return next((chip for addresses, chip in CHIPS.items() if address in addresses), "")


def _has_line(text: str, line: str) -> bool:
    """Whether a config.txt has a line (with further parameters or not), and not as a comment."""
    return re.search(rf"^\s*{re.escape(line)}\b", text, re.MULTILINE) is not None
