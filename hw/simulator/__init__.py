"""The whole table in software: magnets and sensors, a hand, and chips on a virtual I2C bus.

It is the default hardware of the product and what its tests run on; `hw/docs/simulator.md` says how to use
it, and where it is simpler than a real board.
"""

from hw.simulator.physics import sensor_index, sensor_name
from hw.simulator.table import Act, HandError, SimulatedTable

__all__ = ["Act", "HandError", "SimulatedTable", "sensor_index", "sensor_name"]
