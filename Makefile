# make demo            open a simulated table and print its address
# make demo GAME=file  a robot hand plays a recorded game
# make test            set everything up; ruff, mypy, all tests
# make bench           print the figures
.PHONY: demo test bench clean
demo:
	@scripts/setup run
	@exec .venv/bin/renju-board demo $(if $(GAME),--game "$(GAME)") $(ARGS)

test:
	@scripts/test

bench:
	@scripts/setup dev
	@.venv/bin/python -m tests.bench

clean:
	rm -rf .venv .cache build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis
