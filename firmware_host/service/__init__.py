"""The only code that does I/O or reads a clock: configuration, journal, web and the daemon."""

import os

# Sensing needs no linear algebra; a pool of idle threads would cost start-up time and memory on a Pi.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
