"""The scanner's loop: passes out, commands in, for as long as there is power."""

from .device import VALUES, Device


def serve(hardware):
    """Scan and answer. `hardware` is a `pico.Pico`, or what stands in for it; see there for its methods."""
    device = Device(hardware.uid(), hardware.session(), hardware.MOST_HZ)
    values = bytearray(VALUES)
    rate_hz = 0
    while True:
        for byte in hardware.receive():
            device.receive(byte)
        if device.rate_hz != rate_hz:
            rate_hz = device.rate_hz
            hardware.scan(rate_hz)
        size = device.answer()
        if size:
            hardware.send(device.wire, size)
        if hardware.take(values):
            device.temperature = hardware.temperature()
            size = device.frame(hardware.number, hardware.t_us, values)
            hardware.send(device.wire, size)
            hardware.alive()
