"""`make bench`: the figures, each beside what it should be. Times are CPU time on one core here."""

import importlib
import os
import platform
import sys

SUITES = (
    "bench_rules",
    "bench_sensing",
    "bench_hardware",
    "bench_gpio",
    "bench_i2c",
    "bench_recovery",
    "bench_table",
    "bench_records",
    "bench_sheets",
)


def main() -> None:
    load = os.getloadavg()[0]
    print(
        f"Python {platform.python_version()} on {platform.machine()}, {os.cpu_count()} cores, load {load:.1f}"
    )
    for name in SUITES:
        print(f"\n{name.removeprefix('bench_')}")
        for figure, value in importlib.import_module(f"tests.bench.{name}").run():
            print(f"  {figure:<60} {value}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
