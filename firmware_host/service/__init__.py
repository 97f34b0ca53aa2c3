"""The only code that does I/O or reads a clock: configuration, journal, web and the daemon."""
