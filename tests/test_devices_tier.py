"""The devices tier says what it lacks, and never passes for having done nothing."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def _run(script: str, *arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [ROOT / "scripts" / script, *arguments],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_machine_that_cannot_build_the_kernel_fails_with_a_sentence(tmp_path: Path) -> None:
    uname = tmp_path / "uname"
    uname.write_text("#!/bin/sh\necho aarch64\n")
    uname.chmod(0o755)
    done = _run("devices-kernel", XDG_CACHE_HOME=str(tmp_path), PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1
    assert done.stderr == (
        "the devices kernel cannot be built here: User-Mode Linux runs on x86_64, and this is aarch64\n"
    )


def test_without_its_kernel_nothing_runs(tmp_path: Path) -> None:
    done = _run("in-kernel", "true", XDG_CACHE_HOME=str(tmp_path))
    assert done.returncode == 125
    assert done.stderr == "the devices kernel is not there; run scripts/devices-kernel\n"


def test_elsewhere_none_of_its_tests_is_collected_and_that_is_a_failure() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "tests/devices"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "no tests ran" in done.stdout
    assert done.returncode == 5
