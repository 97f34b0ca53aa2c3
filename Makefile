# make demo            open a simulated table and print its address
# make demo GAME=file  a robot hand plays a recorded game
# make test            set everything up; ruff, mypy, all tests
# make test-devices    tests on real device nodes, in a kernel that is built once (5 to 10 minutes)
# make fuzz            a million bad inputs for each reader of foreign bytes (some minutes)
# make crash-test      a thousand kills in mid-game, torn copies of journals (half an hour); KILLS=100 for fewer
# make load            a thousand viewers, a hundred who do not read, ten thousand bad requests (some minutes)
# make bench           print the figures
.PHONY: demo test test-devices fuzz crash-test load bench clean
demo:
	@scripts/setup run
	@exec .venv/bin/renju-board demo $(if $(GAME),--game "$(GAME)") $(ARGS)

test:
	@scripts/test

test-devices:
	@scripts/test-devices

fuzz:
	@scripts/setup dev
	@.venv/bin/python -m tests.fuzz $(INPUTS)

crash-test:
	@scripts/setup dev
	@KILLS=$(KILLS) GAMES=$(GAMES) LIVES=$(LIVES) SEED=$(SEED) .venv/bin/python -m tests.crash

load:
	@scripts/setup dev
	@READERS=$(READERS) SLOW=$(SLOW) JUNK=$(JUNK) SPELL=$(SPELL) .venv/bin/python -m tests.load

bench:
	@scripts/setup dev
	@.venv/bin/python -m tests.bench

clean:
	rm -rf .venv .cache build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
