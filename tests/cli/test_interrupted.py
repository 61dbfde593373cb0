"""A long run that is stopped by Ctrl-C, and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from dragoman.samples import copy_samples

SLOW = '''
import time
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar
import numpy as np
from dragoman.metrics.base import Metric, mean_rows

@dataclass(frozen=True)
class Slow(Metric):
    """Lengths of segments in characters, slowly; says when it begins, and from the third time waits to be let on."""
    name: ClassVar[str] = "slow"
    label_pattern: ClassVar[str] = "Slow"
    quick: ClassVar[bool] = False

    def batch_rows(self, text, n_threads):
        return np.stack([self.lengths(hyps) for hyps in text.systems])

    def lengths(self, hyps):
        with Path("begun").open("a") as log:
            log.write("x")
        begun = len(Path("begun").read_text())
        time.sleep(0.3)  # long enough to be kept
        while begun > 2 and not Path("go").exists():  # to be stopped here
            time.sleep(0.01)
        return mean_rows(np.array([float(len(h)) for h in hyps]))

    def values(self, totals):
        return totals[..., 0] / totals[..., 1]
'''
RUN = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever is started in the background would not hear it
from dragoman.cli.main import main
from dragoman.metrics.base import METRICS
METRICS._own["slow"] = "slow_metric:Slow"
main()
"""


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slow_metric.py").write_text(SLOW)
    Path("ref").write_text("a\nb\n")
    systems = [f"system{number}" for number in range(4)]
    for number, name in enumerate(systems):
        Path(name).write_text(f"{'x' * number}\nb\n")
    command = [sys.executable, "-c", RUN, "score", *systems, "-r", "ref", "-m", "slow", "--json"]
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "DRAGOMAN_HOME": str(tmp_path / "home")}

    def begun() -> int:
        return len(Path("begun").read_text()) if Path("begun").exists() else 0

    first = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while begun() < 3:  # the first two are done
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGINT)
    output, talk = first.communicate(timeout=60)
    assert first.returncode == 1
    assert output == ""
    assert "Aborted!" in talk
    assert "Traceback" not in talk
    stopped_at = begun()
    kept = len(list((tmp_path / "home" / "scores").glob("*/*")))
    assert (stopped_at, kept) == (3, 2)

    Path("go").touch()
    second = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert begun() - stopped_at == 4 - kept
    anew = subprocess.run([*command, "--no-cache"], env=environment, capture_output=True, text=True, check=True)
    assert begun() - stopped_at == 4 - kept + 4
    assert second.stdout == anew.stdout
    assert [row["score"] for row in json.loads(second.stdout)["rows"]] == [(number + 1) / 2 for number in range(4)]


def _heeded() -> None:
    """Signals as a shell leaves them, also where the tests were started by nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_findings_that_are_ended_leave_nothing(tmp_path: Path, number: signal.Signals) -> None:
    """Whoever ends the command (a batch system, a closed terminal, Ctrl-C): nothing half-written stays."""
    copy_samples(tmp_path / "samples")
    before = sorted(tmp_path.rglob("*"))
    script = RUN.replace('METRICS._own["slow"] = "slow_metric:Slow"\n', "")
    command = [sys.executable, "-c", script, "task", "findings", "samples/task", "--to", "out"]
    environment = os.environ | {"DRAGOMAN_HOME": str(tmp_path.parent / f"home-{number}")}
    with subprocess.Popen(
        command, env=environment, cwd=tmp_path, stderr=subprocess.PIPE, text=True, preexec_fn=_heeded
    ) as run:
        assert run.stderr is not None
        while "testing all pairs" not in (line := run.stderr.readline()):
            assert line, "it ended by itself"
        assert list(tmp_path.glob(".dragoman-*.tmp/scores/*")), "it is half-written"
        run.send_signal(number)
        talk = run.stderr.read()
    assert run.returncode == (1 if number == signal.SIGINT else 128 + number)
    assert sorted(tmp_path.rglob("*")) == before
    assert "Traceback" not in talk
