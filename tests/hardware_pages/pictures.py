"""Pictures of `hw/docs`: the table from above, a stone on a sensor in section, and the Pi's header."""

from typing import Final

from tests.hardware_pages.sheet import INK, NETS, SOFT, Sheet
from tests.hardware_pages.wiring import COLUMNS, HEADER, SUPPLIES, clock_pins, gpio_pins

WOOD: Final = "#eed9a8"
BLACK: Final = "#26292e"
WHITE: Final = "#fdfdfb"
NORTH: Final = "#c23b33"
SOUTH: Final = "#3b6fb0"
COPPER: Final = "#4d7c4a"


def table() -> Sheet:
    """The table from above: which corner is A1, and what is near and far."""
    sheet = Sheet(900, 650, "The table from above: A1, near and far")
    left, top, step_x, step_y = 250.0, 140.0, 24.0, 25.0
    right, bottom = left + 14 * step_x, top + 14 * step_y
    sheet.rect(left - 30, top - 30, 14 * step_x + 60, 14 * step_y + 60, WOOD, rx=4)
    for n in range(15):
        x, y = left + n * step_x, bottom - n * step_y
        sheet.path(f"M{x} {top}V{bottom}M{left} {y}H{right}", width=0.8)
        sheet.text(x, bottom + 22, COLUMNS[n], size=11, anchor="middle")
        sheet.text(left - 12, y + 4, str(n + 1), size=11, anchor="end")
    sheet.circle(left, bottom, 8, "#d94f45", line="#d94f45")
    for x, y in ((3, 3), (11, 3), (7, 7), (3, 11), (11, 11)):
        sheet.circle(left + x * step_x, top + (14 - y) * step_y, 2.6, INK)
    middle = (left + right) / 2
    for y, words, under in (
        (600.0, "near seat", 'side of rank 1; Black sits here unless match.black_sits = "far"'),
        (72.0, "far seat", "side of rank 15"),
    ):
        sheet.text(middle, y, words, size=16, bold=True, anchor="middle")
        sheet.text(middle, y + 18, under, size=12.5, anchor="middle", colour=SOFT)
    sheet.rect(660, 235, 96, 160, "#f2f1ec", rx=8)
    sheet.text(708, 306, "clock", size=15, bold=True, anchor="middle")
    sheet.text(708, 325, "faces and keys", size=12, anchor="middle", colour=SOFT)
    sheet.text(708, 255, "far face", size=12, anchor="middle")
    sheet.text(708, 384, "near face", size=12, anchor="middle")
    sheet.lines(770, 306, ["at the right", "of the near seat;", "at its left:", "clock.mirror"], size=12)
    sheet.text(24, 480, "sensor A1", size=14, bold=True, colour="#b3261e")
    sheet.lines(24, 500, ["the first value of a", "frame, select line 1,", "sense line A"], size=12)
    sheet.path(f"M106 476L{left - 22} {bottom - 2}", line="#d94f45")
    sheet.path(f"M{left} {bottom - 46}v-60m-5 9l5 -9l5 9", line="#b3261e", width=2)
    sheet.path(f"M{left + 46} {bottom}h60m-9 -5l9 5l-9 5", line="#1f5fa8", width=2)
    sheet.lines(
        24,
        150,
        ["Select lines run", "along the ranks:", "1 to 15, from the", "near to the far seat."],
        size=12,
    )
    sheet.lines(
        24,
        250,
        ["Sense lines run", "along the files:", "A to O, from the", "near seat's left", "to its right."],
        size=12,
    )
    sheet.lines(640, 500, ["24 mm between files (across),", "25 mm between ranks (along)"], size=12)
    return sheet


def stone() -> Sheet:
    """A section through a stone of each colour, the board, and the sensors below."""
    sheet = Sheet(940, 470, "Stones, magnets and sensors (section)")
    scale = 8.0
    surface = 210.0
    wood, pcb = 5.0 * scale, 1.6 * scale
    sheet.rect(110, surface, 570, wood, WOOD)
    sheet.rect(110, surface + wood, 570, pcb, COPPER)
    for centre, colour, down in ((240.0, BLACK, "N"), (520.0, WHITE, "S")):
        half, thick = 10.5 * scale, 8 * scale
        y = surface - thick
        waist = surface - thick / 2
        left, right, in_left, in_right = (centre + f * half for f in (-1, 1, -0.5, 0.5))
        sheet.path(
            f"M{left} {waist}C{left} {y + 8} {in_left} {y} {centre} {y}"
            f"C{in_right} {y} {right} {y + 8} {right} {waist}"
            f"C{right} {surface - 8} {in_right} {surface} {centre} {surface}"
            f"C{in_left} {surface} {left} {surface - 8} {left} {waist}z",
            fill=colour,
        )
        width, height = 6 * scale, 3 * scale
        low = surface - 1 * scale
        upper = {"N": "S", "S": "N"}[down]
        fill = {"N": NORTH, "S": SOUTH}
        sheet.rect(centre - width / 2, low - height, width, height / 2, fill[upper])
        sheet.rect(centre - width / 2, low - height / 2, width, height / 2, fill[down])
        sheet.text(
            centre, low - height / 2 - 2, upper, size=10.5, bold=True, anchor="middle", colour="#ffffff"
        )
        sheet.text(centre, low - 2, down, size=10.5, bold=True, anchor="middle", colour="#ffffff")
        chip = surface + wood + pcb
        sheet.rect(centre - 12, chip, 24, 9, "#3a3f45")
        sheet.path(f"M{centre - 9} {chip + 9}h18", line="#e8c547", width=2)
        sheet.path(f"M{centre} {surface - 2}V{chip + 4}", line=SOFT, dashed=True)
        arrow = (centre + 34, surface + 6), (centre + 34, chip + 22)
        sheet.arrow(*(arrow if down == "N" else arrow[::-1]), colour=fill[down])
    sheet.text(240, 82, "black: N pole down", size=15, bold=True, anchor="middle")
    sheet.text(240, 102, "field goes down into the board", size=12.5, anchor="middle", colour=SOFT)
    sheet.text(520, 82, "white: S pole down", size=15, bold=True, anchor="middle")
    sheet.text(520, 102, "field comes up out of the board", size=12.5, anchor="middle", colour=SOFT)
    for y, at, words in (
        (150.0, surface - 46, "stone, at most 8 mm thick"),
        (195.0, surface - 20, "magnet 6 x 3 mm, N42,"),
        (252.0, surface + 20, "playing surface, 5 mm"),
        (282.0, surface + wood + 6, "circuit board, 1.6 mm"),
        (312.0, surface + wood + pcb + 6, "sensor on the underside,"),
    ):
        ends = {195.0: 544, 150.0: 590, 312.0: 534}.get(y, 682)
        sheet.path(f"M706 {y - 4}H692L{ends} {at}", line=SOFT, width=1)
        sheet.text(712, y, words, size=12.5)
    sheet.text(712, 211, "1 mm above the underside", size=12, colour=SOFT)
    sheet.text(712, 328, "its marked face down", size=12, colour=SOFT)
    y = surface + wood + pcb
    sheet.path(f"M82 {surface - 2.5 * scale}h14M82 {y + 5}h14M89 {surface - 2.5 * scale}V{y + 5}", width=1)
    sheet.text(78, surface + 26, "10 mm", size=12, anchor="end", colour=SOFT)
    sheet.text(36, 350, "output", size=12.5, bold=True)
    sheet.text(240, 350, "above half the supply: + (black)", size=12.5, anchor="middle")
    sheet.text(520, 350, "below half the supply: - (white)", size=12.5, anchor="middle")
    sheet.text(36, 396, "Compass", size=13.5, bold=True)
    sheet.lines(
        36,
        417,
        [
            "Hold the stone's underside beside a compass. The needle's north-seeking end is a north pole:",
            "it turns away from a black stone's underside, and towards a white stone's.",
            "Check the compass first: without a magnet near, that end points north.",
        ],
        size=12.5,
        colour=INK,
    )
    return sheet


def header() -> Sheet:
    """The 40-pin header from above: what the clock and a `gpio` board have at each pin."""
    sheet = Sheet(900, 640, "The Pi's 40-pin header, seen from above")
    clock, board = clock_pins(), gpio_pins()
    gpios = {pin: bcm for bcm, pin in HEADER.items()}
    fills = {"3.3 V": NETS["3V3"], "5 V": NETS["5V"], "ground": INK}
    top, step = 104.0, 25.0
    sheet.rect(412, top - 20, 76, 20 * step + 14, "#f2f1ec", rx=6)
    for x, anchor in ((196.0, "end"), (704.0, "start")):
        sheet.text(x, top - 28, "clock", size=13, bold=True, anchor=anchor, colour=NETS["signal"])
    for x, anchor in ((320.0, "end"), (580.0, "start")):
        sheet.text(x, top - 28, "gpio board", size=13, bold=True, anchor=anchor, colour=NETS["data"])
    for pin in range(1, 41):
        left = pin % 2 == 1
        out = -1 if left else 1
        anchor = "end" if left else "start"
        y = top + (pin - 1) // 2 * step
        x = 450.0 + out * 17
        supply = SUPPLIES.get(pin)
        bcm = gpios.get(pin)
        used = bcm in clock or bcm in board
        fill = fills[supply] if supply else "#e3c565" if used else "#ffffff"
        sheet.circle(x, y, 10.5, fill)
        inside = "#ffffff" if supply else INK
        sheet.text(x, y + 4, str(pin), size=10.5, anchor="middle", colour=inside)
        sheet.text(450 + out * 50, y + 4.5, supply or f"GPIO{bcm}", size=12.5, anchor=anchor)
        if bcm is None:
            continue
        sheet.text(
            450 + out * 130, y + 4.5, board.get(bcm, ""), size=12.5, anchor=anchor, colour=NETS["data"]
        )
        word = clock.get(bcm, "")
        sheet.text(450 + out * 254, y + 4.5, word, size=12.5, anchor=anchor, colour=NETS["signal"])
    sheet.text(450, top + 20 * step + 12, "towards the USB sockets", size=12, anchor="middle", colour=SOFT)
    return sheet
