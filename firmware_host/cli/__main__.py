"""`python -m firmware_host.cli`."""

from firmware_host.cli import main

main()
