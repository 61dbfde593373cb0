"""Ctrl-C while worker processes are busy: the command ends at once, and says no more than that it was stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.samples import phrasebook

RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever is started in the background would not hear it
from dragoman.cli.main import main
main()
"""


def parent(pid: int) -> int | None:
    """The process that started a process; None if it does not live, be its end noticed or not."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:  # it ended just now
        return None
    return None if fields[0] == "Z" else int(fields[1])


def children(pid: int) -> list[int]:
    """Processes that a process started and that live."""
    return [each for each in map(int, (path.name for path in Path("/proc").glob("[0-9]*"))) if parent(each) == pid]


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks processes up in /proc")
@pytest.mark.parametrize("done", ["", "tokens-*"])  # while the workers start, and while they work
def test_a_training_with_workers_is_stopped_without_a_traceback(tmp_path: Path, done: str) -> None:
    for lang in ("en", "de"):
        (tmp_path / f"train.{lang}").write_text("\n".join(phrasebook()[lang] * 200) + "\n")
    words = ["smt", "train", "--src", "train.en", "--tgt", "train.de", "-o", "engine", "--workers", "2"]
    run = subprocess.Popen(
        [sys.executable, "-c", RUN, *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    while len(workers := children(run.pid)) < 2:  # the tracker of resources and a worker
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    while done and not list((tmp_path / "engine.work").glob(done)):  # one step of many: most of the work is to come
        assert run.poll() is None, run.communicate()
        time.sleep(0.01)
    os.killpg(run.pid, signal.SIGINT)  # as a terminal does
    output, talk = run.communicate(timeout=60)
    assert (run.returncode, output) == (1, "")
    assert "Traceback" not in talk
    assert "Aborted!" in talk
    assert not (tmp_path / "engine").exists()
    deadline = time.monotonic() + 120
    while any(parent(pid) is not None for pid in workers):
        assert time.monotonic() < deadline, "workers live on"
        time.sleep(0.05)
