"""Schematics of `hw/docs`: the clock, and the three boards."""

from collections.abc import Sequence

from tests.hardware_pages.sheet import INK, NETS, SOFT, Point, Sheet
from tests.hardware_pages.wiring import (
    CLOCK,
    COLUMNS,
    DECODER,
    EXPANDER,
    GPIO,
    HEADER,
    I2C,
    KEYS,
    MULTIPLEXER,
    PICO,
    expander_pin,
    firmware_pins,
    jumpers,
    select_pins,
    sense_pins,
)


def clock() -> Sheet:
    """The clock: Pi, level shifter, faces, buzzer or piezo, keys."""
    sheet = Sheet(1000, 640, "Clock: faces, buzzer and keys")
    keys = (
        ("clock key, near seat", KEYS.near),
        ("clock key, far seat", KEYS.far),
        ("call key, near seat", KEYS.near_call),
        ("call key, far seat", KEYS.far_call),
        ("arbiter's key", KEYS.arbiter),
    )
    bus = ("5 V", "3.3 V", "SDA  GPIO2", "SCL  GPIO3", "ground")
    pins = {
        "5 V": "2",
        "3.3 V": "1",
        "SDA  GPIO2": str(HEADER[2]),
        "SCL  GPIO3": str(HEADER[3]),
        "ground": "6",
    }
    names = {f"GPIO{pin}": str(HEADER[pin]) for _, pin in keys} | {
        f"GPIO{CLOCK.piezo_pin}": str(HEADER[CLOCK.piezo_pin])
    }
    right = [*bus, "", "", *[f"GPIO{pin}" for _, pin in keys], "", f"GPIO{CLOCK.piezo_pin}", "ground "]
    pi = sheet.chip(
        40,
        90,
        170,
        "Raspberry Pi",
        right=right,
        small=pins | names | {"ground ": "14"},
        below=("40-pin header",),
    )
    shifter = sheet.chip(
        350,
        104,
        130,
        "level shifter",
        left=("LV", "LV1", "LV2", "GND"),
        right=("HV", "HV1", "HV2", "GND "),
        below=("two MOSFETs",),
    )
    x5, sda, scl = 520.0, 545.0, 570.0
    faces = []
    for n, (seat, address) in enumerate((("near", CLOCK.near_address), ("far", CLOCK.far_address))):
        faces.append(
            sheet.chip(
                680,
                70 + n * 170,
                250,
                f"face of the {seat} seat",
                left=("VCC", "SDA", "SCL", "GND"),
                below=(f"HT16K33 at 0x{address:02x}: A2 A1 A0 = {jumpers(address, 0x70)}",),
            )
        )
    buzzer = sheet.chip(
        680,
        410,
        250,
        "Qwiic Buzzer",
        left=("3.3 V", "SDA", "SCL", "GND"),
        below=(f"at 0x{CLOCK.buzzer_address:02x}",),
    )
    # 5 V from the Pi round the shifter to its high side and the faces.
    five = pi["5 V"]
    sheet.wire(
        five,
        (five[0] + 60, five[1]),
        (five[0] + 60, 66),
        (x5, 66),
        (x5, faces[1]["VCC"][1]),
        faces[1]["VCC"],
        net="5V",
    )
    sheet.wire((x5, faces[0]["VCC"][1]), faces[0]["VCC"], net="5V")
    sheet.wire(shifter["HV"], (x5, shifter["HV"][1]), net="5V")
    sheet.dot((x5, faces[0]["VCC"][1]), "5V")
    sheet.dot((x5, shifter["HV"][1]), "5V")
    for line, high, pin, net in ((sda, "HV1", "SDA", "data"), (scl, "HV2", "SCL", "clock")):
        first, second, high_side = faces[0][pin], faces[1][pin], shifter[high]
        sheet.wire(first, (line, first[1]), (line, second[1]), second, net=net)
        sheet.wire(high_side, (line, high_side[1]), net=net)
        sheet.dot((line, high_side[1]), net)
    for face in faces:
        at = face["GND"]
        sheet.wire(at, (at[0] - 20, at[1]), net="ground")
        sheet.ground((at[0] - 20, at[1]))
    # 3.3 V side: bus and supply run on to the buzzer.
    for name, low_pin, chip_pin, x, net in (
        ("3.3 V", "LV", "3.3 V", 275.0, "3V3"),
        ("SDA  GPIO2", "LV1", "SDA", 295.0, "data"),
        ("SCL  GPIO3", "LV2", "SCL", 315.0, "clock"),
    ):
        start, shift, chip = pi[name], shifter[low_pin], buzzer[chip_pin]
        sheet.wire(start, (x, start[1]), (x, shift[1]), shift, net=net)
        sheet.wire((x, shift[1]), (x, chip[1]), chip, net=net)
        sheet.dot((x, shift[1]), net)
    for at in (shifter["GND"], shifter["GND "], buzzer["GND"], pi["ground"]):
        x = at[0] + (14 if at in (shifter["GND "], pi["ground"]) else -14)
        sheet.wire(at, (x, at[1]), net="ground")
        sheet.ground((x, at[1]))
    # Keys.
    for words, bcm in keys:
        at = pi[f"GPIO{bcm}"]
        sheet.switch(at, (at[0] + 30, at[1]))
        sheet.text(at[0] + 110, at[1] + 4.5, words, size=12.5)
    first, last = pi[f"GPIO{keys[0][1]}"], pi[f"GPIO{keys[-1][1]}"]
    sheet.wire((first[0] + 30, first[1]), (last[0] + 30, last[1] + 2), net="ground")
    sheet.ground((last[0] + 30, last[1] + 2))
    piezo, back = pi[f"GPIO{CLOCK.piezo_pin}"], pi["ground "]
    sheet.wire(piezo, (piezo[0] + 130, piezo[1]), net="signal", dashed=True)
    sheet.wire(back, (back[0] + 130, back[1]), net="ground", dashed=True)
    sheet.rect(piezo[0] + 130, piezo[1] - 7, 54, 34, "#fbfaf5", rx=4)
    sheet.text(piezo[0] + 157, piezo[1] + 14, "piezo", size=12.5, anchor="middle")
    sheet.text(
        piezo[0] + 196, piezo[1] + 14, "instead of the buzzer, 100 Ohm in series", size=12, colour=SOFT
    )
    sheet.note(
        40,
        586,
        "Small figures: pins of the header. Keys use the Pi's own pull-ups; beyond half a metre "
        "of wire add 1 kOhm in series and "
        "10 kOhm to 3.3 V at the Pi. Pull-ups of the bus: 1.8 kOhm on the Pi's side (on the Pi), "
        "10 kOhm on the 5 V side (on shifter "
        "and backpacks). A backpack with a separate I/O supply (VIO, VCC_IO) needs no shifter: 5 "
        "V to its LED supply, 3.3 V there.",
    )
    return sheet


def serial_board() -> Sheet:
    """The serial board: one row in full, the sixteenth multiplexer, Pico, reference and supply."""
    first, sense, leave = firmware_pins()
    sheet = Sheet(1000, 740, "Serial board: 225 linear Hall sensors and a Pico")
    row = sheet.chip(
        250,
        96,
        190,
        "row multiplexer r",
        below=("CD74HC4067, 15 of them",),
        left=("I0", "I1", "I2", "", "I14", "I15"),
        right=("common", "", "S0", "S1", "S2", "S3", "E"),
        small={name: str(pin) for name, pin in MULTIPLEXER.items()},
    )
    top = sheet.chip(
        560,
        96,
        180,
        "the sixteenth",
        below=("CD74HC4067",),
        left=("I0", "I(r-1)", "I14", "I15"),
        right=("common", "", "S0", "S1", "S2", "S3", "E"),
        small={name: str(pin) for name, pin in MULTIPLEXER.items()},
    )
    pico = sheet.chip(
        560,
        400,
        230,
        "Raspberry Pi Pico",
        below=("with scanner_firmware",),
        left=(*[f"GP{first + n}" for n in range(4)], "", "ADC_VREF", "AGND", "3V3_EN"),
        right=(*[f"GP{first + 4 + n}" for n in range(4)], f"GP{sense}", f"GP{leave}", "USB"),
        small={
            **{f"GP{n}": str(PICO[n]) for n in (*range(first, first + 8), sense, leave)},
            "ADC_VREF": "35",
            "AGND": "33",
            "3V3_EN": "37",
        },
    )
    # Sensors.
    for label, name in (("I0", "A"), ("I1", "B"), ("I2", "C"), ("I14", "O")):
        at = row[label]
        sheet.rect(120, at[1] - 8, 84, 16, "#fbfaf5", rx=3)
        sheet.text(162, at[1] + 4, f"sensor {name}", size=11.5, anchor="middle")
        sheet.wire((204, at[1]), at)
    gap = (row["I2"][1] + row["I14"][1]) / 2
    sheet.text(162, gap + 4, ":", size=13, anchor="middle")
    # Reference divider.
    ref = row["I15"]
    sheet.wire(ref, (84, ref[1]))
    sheet.dot((84, ref[1]))
    sheet.supply((84, ref[1] - 62), "3V3")
    sheet.resistor((84, ref[1] - 62), (84, ref[1]), "10 kOhm", left=True)
    sheet.resistor((84, ref[1]), (84, ref[1] + 62), "15 kOhm", left=True)
    sheet.ground((84, ref[1] + 62))
    sheet.text(40, ref[1] + 104, "one divider for all rows", size=12, colour=SOFT)
    # Commons.
    mid = 500.0
    sheet.wire(row["common"], (mid, row["common"][1]), (mid, top["I(r-1)"][1]), top["I(r-1)"])
    for label in ("I0", "I14"):
        at = top[label]
        sheet.wire((at[0] - 22, at[1]), at)
    sheet.text(top["I0"][0] - 26, top["I0"][1] - 6, "other rows", size=11.5, anchor="end", colour=SOFT)
    at = top["I15"]
    sheet.text(at[0] - 6, at[1] + 4, "open", size=11.5, anchor="end", colour=SOFT)
    # To the ADC.
    start, end = top["common"], pico[f"GP{sense}"]
    sheet.wire(start, (900, start[1]), (900, 300))
    sheet.resistor((900, 300), (900, 380), "1 kOhm")
    sheet.wire((900, 380), (900, end[1]), end)
    # Select lines, all four of a group as one.
    for chip, x, pins, side in ((row, 470.0, pico, "left"), (top, 830.0, pico, "right")):
        begin = first if side == "left" else first + 4
        for n in range(4):
            a, b = chip[f"S{n}"], pins[f"GP{begin + n}"]
            line = x + 10 * n
            sheet.wire(a, (line, a[1]), (line, b[1]), b, net="clock" if side == "left" else "data")
        enable = chip["E"]
        sheet.wire(enable, (enable[0] + 4, enable[1]), net="ground")
        sheet.ground((enable[0] + 4, enable[1]))
    sheet.text(462, 385, "to all 15", size=11.5, anchor="end", colour=NETS["clock"])
    sheet.text(462, 400, "row multiplexers,", size=11.5, anchor="end", colour=NETS["clock"])
    sheet.text(462, 415, "100 Ohm in each", size=11.5, anchor="end", colour=NETS["clock"])
    # Pico's supply pins.
    vref, agnd = pico["ADC_VREF"], pico["AGND"]
    sheet.wire(vref, (440, vref[1]), net="3V3")
    sheet.supply((440, vref[1]), "3V3", "3.3 V of the sensors")
    sheet.wire(agnd, (500, agnd[1]), (500, agnd[1] + 34), net="ground")
    sheet.ground((500, agnd[1] + 34))
    sheet.text(pico["3V3_EN"][0] - 6, pico["3V3_EN"][1] + 4, "open", size=11.5, anchor="end", colour=SOFT)
    leave_at = pico[f"GP{leave}"]
    sheet.switch(leave_at, (leave_at[0] + 60, leave_at[1]))
    sheet.wire(
        (leave_at[0] + 60, leave_at[1]),
        (leave_at[0] + 66, leave_at[1]),
        (leave_at[0] + 66, leave_at[1] + 8),
        net="ground",
    )
    sheet.ground((leave_at[0] + 66, leave_at[1] + 8))
    usb = pico["USB"]
    sheet.wire(usb, (usb[0] + 16, usb[1]), (usb[0] + 16, usb[1] + 30), (940, usb[1] + 30), net="5V")
    sheet.text(usb[0] + 22, usb[1] + 48, "to the Raspberry Pi", size=12, colour=SOFT)
    regulator = sheet.chip(
        130, 570, 130, "regulator", left=("5 V", "ground"), right=("3.3 V",), below=("5 V to 3.3 V, 3 A",)
    )
    five, sunk, three = regulator["5 V"], regulator["ground"], regulator["3.3 V"]
    sheet.wire(five, (70, five[1]), net="5V")
    sheet.supply((70, five[1]), "5V")
    sheet.wire(sunk, (70, sunk[1]), net="ground")
    sheet.ground((70, sunk[1]))
    sheet.wire(three, (three[0] + 30, three[1]), net="3V3")
    sheet.text(three[0] + 36, three[1] + 4, "to all sensors and multiplexers", size=12, colour=SOFT)
    # A sensor in full.
    sensor = sheet.chip(
        130,
        430,
        130,
        "sensor",
        left=("VCC", "GND"),
        right=("OUT",),
        below=("DRV5055A2, SOT-23",),
        small={"VCC": "1", "GND": "3", "OUT": "2"},
    )
    sheet.wire(sensor["VCC"], (70, sensor["VCC"][1]), net="3V3")
    sheet.supply((70, sensor["VCC"][1]), "3V3")
    sheet.capacitor((70, sensor["VCC"][1]), (70, sensor["VCC"][1] + 62), "")
    sheet.text(56, sensor["VCC"][1] + 35, "100 nF", size=12, anchor="end")
    sheet.wire(
        sensor["GND"],
        (104, sensor["GND"][1]),
        (104, sensor["VCC"][1] + 62),
        (70, sensor["VCC"][1] + 62),
        net="ground",
    )
    sheet.ground((70, sensor["VCC"][1] + 62))
    out = sensor["OUT"]
    sheet.wire(out, (out[0] + 30, out[1]))
    sheet.text(out[0] + 36, out[1] + 4, "to its multiplexer", size=12, colour=SOFT)
    sheet.note(
        40,
        694,
        "Small figures: pins of the chips and of the Pico. VCC of every multiplexer (pin 24) at "
        "3.3 V, GND (pin 12) at ground, 100 nF beside it. "
        f"Inputs I0 to I14 of row r: its sensors A to {COLUMNS[-1]}; input I(r-1) of the sixteenth: "
        "row r. Sensors are on the underside, marked face down.",
    )
    return sheet


def matrix(
    sheet: Sheet,
    corner: Point,
    selects: Sequence[Point],
    senses: Sequence[Point],
    *,
    pull_y: float,
    bends: tuple[float, float],
) -> None:
    """Three of the ranks and columns: select lines come from the left, sense lines go up to their pull-ups.

    `selects` and `senses` are the pins that they come from; their wires turn at the two `bends`.
    """
    (x, y), ranks, files = corner, ("rank 1", "rank 2", "rank 15"), ("A", "B", "O")
    step_x, step_y = 110.0, 92.0
    bottom = y + step_y * (len(ranks) - 1)
    for n, name in enumerate(files):
        across = x + 74 + n * step_x
        sheet.supply((across, pull_y), "3V3")
        sheet.resistor((across, pull_y), (across, pull_y + 56), "10 kOhm" if n == 0 else "", left=True)
        sheet.wire((across, pull_y + 56), (across, bottom - 40), net="data")
        sheet.text(across + 8, pull_y + 70, name, size=12.5, bold=True, colour=NETS["data"])
    for m, name in enumerate(ranks):
        down = y + m * step_y
        sheet.wire((x - 30, down), (x + 74 + step_x * (len(files) - 1), down), net="signal")
        sheet.text(x + 24, down - 7, name, size=12.5, bold=True, anchor="end", colour=NETS["signal"])
        for n in range(len(files)):
            across = x + 74 + n * step_x
            sheet.dot((across, down - 62), "data")
            sheet.path(f"M{across} {down - 62}H{across - 40}", line=INK)
            sheet.switch((across - 40, down - 62), (across - 40, down - 30))
            sheet.diode((across - 40, down - 30), (across - 40, down))
            sheet.dot((across - 40, down), "signal")
    for m, at in enumerate(selects):
        bend, down = bends[0] - m * 14, y + m * step_y
        sheet.wire(at, (bend, at[1]), (bend, down), (x - 30, down), net="signal")
    for n, at in enumerate(senses):
        bend, across, height = bends[1] - n * 14, x + 74 + n * step_x, pull_y + 62 + n * 12
        sheet.wire(at, (bend, at[1]), (bend, height), (across, height), net="data")
        sheet.dot((across, height), "data")
    sheet.text(
        x + 74 + step_x / 2,
        bottom + 34,
        "and so on: 15 x 15 crossings, a switch and a diode in each",
        size=12.5,
        anchor="middle",
        colour=SOFT,
    )


def i2c_board() -> Sheet:
    """The board on port expanders."""
    sheet = Sheet(1000, 730, "Board on I2C: one expander selects ranks, another senses columns")
    select, sense = select_pins(), sense_pins()
    shown = [expander_pin(select[n]) for n in (0, 1)] + ["", expander_pin(select[14])]
    one = sheet.chip(
        190,
        300,
        180,
        "select expander",
        below=(f"PCA9555 at 0x{I2C.select_address:02x}", f"A2 A1 A0 = {jumpers(I2C.select_address, 0x20)}"),
        left=("VCC", "SDA", "SCL", "GND"),
        right=shown,
        small={k: str(v) for k, v in EXPANDER.items()},
    )
    columns = [expander_pin(sense[n]) for n in (0, 1)] + ["", expander_pin(sense[14])]
    two = sheet.chip(
        190,
        90,
        180,
        "sense expander",
        below=(f"PCA9555 at 0x{I2C.sense_address:02x}", f"A2 A1 A0 = {jumpers(I2C.sense_address, 0x20)}"),
        left=("VCC", "SDA", "SCL", "GND"),
        right=columns,
        small={k: str(v) for k, v in EXPANDER.items()},
    )
    three = sheet.chip(
        190,
        500,
        180,
        "second sense expander",
        below=(f"PCA9555 at 0x{I2C.second_address:02x}", f"A2 A1 A0 = {jumpers(I2C.second_address, 0x20)}"),
        left=("VCC", "SDA", "SCL", "GND"),
        right=(),
        dashed=True,
        small={k: str(v) for k, v in EXPANDER.items()},
    )
    for chip in (one, two, three):
        for pin, x, net in (("VCC", 60.0, "3V3"), ("SDA", 95.0, "data"), ("SCL", 130.0, "clock")):
            sheet.wire(chip[pin], (x, chip[pin][1]), net=net, dashed=chip is three)
            if chip is not three:
                sheet.dot((x, chip[pin][1]), net)
        at = chip["GND"]
        sheet.wire(at, (at[0] - 10, at[1]), net="ground")
        sheet.ground((at[0] - 10, at[1]))
    for pin, x, net in (("VCC", 60.0, "3V3"), ("SDA", 95.0, "data"), ("SCL", 130.0, "clock")):
        begin, end = two[pin][1], three[pin][1]
        sheet.wire((x, 76), (x, begin), (x, end), net=net)
        word = {"VCC": "3.3 V", "SDA": "SDA", "SCL": "SCL"}[pin]
        sheet.text(x, 70, word, size=12, anchor="middle", colour=NETS[net])
    # The matrix: select lines at the heights of three ranks.
    x, y = 560.0, 330.0
    selects = [one[label] for label in (shown[0], shown[1], shown[3])]
    senses = [two[label] for label in (columns[0], columns[1], columns[3])]
    matrix(sheet, (x, y), selects, senses, pull_y=150.0, bends=(520.0, 440.0))
    sheet.note(
        420,
        602,
        'Dashed: only with planes = "poles". Its 15 inputs sense a second set of switches, those '
        "which south poles close, on the same select lines; each plane has its own diodes and "
        "pull-ups.",
    )
    sheet.note(
        40,
        690,
        "Small figures: pins of a PCA9555 in SO24 or TSSOP24. 100 nF between VCC and GND of "
        "each. Pull-ups of the bus: on bus 1 the Pi "
        "has them (1.8 kOhm); any other bus needs 2.2 to 4.7 kOhm from SDA and from SCL to 3.3 "
        "V, once.",
    )
    return sheet


def gpio_board() -> Sheet:
    """The board on the Pi's own pins."""
    sheet = Sheet(1000, 620, "Board on GPIO: a decoder selects ranks, 15 pins sense columns")
    a = [f"GPIO{pin}" for pin in GPIO.select]
    s = [f"GPIO{pin}" for pin in GPIO.sense]
    small = {f"GPIO{bcm}": str(pin) for bcm, pin in HEADER.items()}
    pi = sheet.chip(
        40,
        110,
        150,
        "Raspberry Pi",
        below=("40-pin header",),
        right=(s[0], s[1], s[14], "", *a, "", "3.3 V", "ground"),
        small=small | {"3.3 V": "17", "ground": "20"},
    )
    decoder = sheet.chip(
        300,
        272,
        150,
        "decoder",
        below=("74HC154 at 3.3 V",),
        left=("A0", "A1", "A2", "A3", "E0", "E1"),
        right=("Y0", "Y1", "", "Y14", "Y15"),
        small={k: str(v) for k, v in DECODER.items()},
    )
    for n in range(4):
        start, end = pi[a[n]], decoder[f"A{n}"]
        bend = 280.0 - n * 10
        sheet.wire(start, (bend, start[1]), (bend, end[1]), end, net="clock")
    for pin in ("E0", "E1"):
        at = decoder[pin]
        sheet.wire(at, (268, at[1]), net="ground")
    sheet.wire((268, decoder["E0"][1]), (268, decoder["E1"][1] + 6), net="ground")
    sheet.ground((268, decoder["E1"][1] + 6))
    at = pi["ground"]
    sheet.wire(at, (at[0] + 10, at[1]), net="ground")
    sheet.ground((at[0] + 10, at[1]))
    at = pi["3.3 V"]
    sheet.wire(at, (at[0] + 26, at[1]), net="3V3")
    sheet.supply((at[0] + 26, at[1]), "3V3")
    x, y = 580.0, 324.0
    selects = [decoder[label] for label in ("Y0", "Y1", "Y14")]
    senses = [pi[label] for label in (s[0], s[1], s[14])]
    matrix(sheet, (x, y), selects, senses, pull_y=134.0, bends=(540.0, 350.0))
    at = decoder["Y15"]
    sheet.text(at[0] + 6, at[1] + 4, "open", size=11.5, colour=SOFT)
    sheet.note(
        40,
        584,
        "Small figures: pins of the header and of the decoder (pin 24: 3.3 V, pin 12: ground, "
        "100 nF between them). A diode's bar (its ring) is at "
        "the select line. The pull-ups are as close to the Pi as possible; on short wires its "
        "own will do.",
    )
    return sheet
