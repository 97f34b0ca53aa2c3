"""Importing a library that makes files where it stands."""

import os
import sys
from pathlib import Path

import pytest

from hw.pins import import_pin_library


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A module that does as lgpio does."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "pipe_maker.py").write_text("import os\nos.mkfifo('.lgd-nfy0')\nwhere = os.getcwd()\n")
    (shelf / "not_here.py").write_text("raise RuntimeError('no such chip')\n")
    monkeypatch.syspath_prepend(str(shelf))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    sys.modules.pop("pipe_maker", None)


def test_the_working_directory_stays_what_and_as_it_was(library):
    module = import_pin_library("pipe_maker")
    assert Path.cwd() == library
    assert os.listdir(library) == ["shelf"]
    assert not Path(module.where).exists()


def test_no_other_thread_is_moved_meanwhile(library):
    (library / "shelf" / "slow_maker.py").write_text(
        "import os\nwhere = os.getcwd()\nothers = os.readlink(f'/proc/{os.getpid()}/cwd')\n"
    )
    module = import_pin_library("slow_maker")
    sys.modules.pop("slow_maker")
    assert module.others == str(library)
    assert module.where != module.others


def test_an_import_that_fails_leaves_the_working_directory_too(library):
    with pytest.raises(RuntimeError, match="no such chip"):
        import_pin_library("not_here")
    assert Path.cwd() == library
