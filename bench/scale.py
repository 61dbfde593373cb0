"""Training in parts: time, processor time and memory of one process, of a cluster with one worker, and with two.

The text is Multi30k en-de again and again, each copy with other spellings of a tenth of its words, so that vocabulary
and phrases grow with it. Scheduler and workers are processes of their own on this machine, a thread each. What all runs
leave in their work directories is compared byte by byte. A last run has two workers that are killed at the
first part of every kind.

    python bench/scale.py [--data DATA] [--pairs 20000] [--part 4000] [--workers 1 2] [--no-kill] [--folder FOLDER]
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from zlib import crc32

from needs import real_data

from dragoman.files import read_lines
from dragoman.smt.cost import TrainingCost

# The sampler cannot be cut into parts; tuning and classes are done in one process either way.
SETTINGS = ("align.method=diagonal", "tune.method=none", "classes.number=0", "features=", "lm.memory=256m")


@dataclass
class Usage:
    """What a run took; memory at its highest, in MB, of whoever directs and of each worker."""

    name: str
    wall: float
    cpu: float
    memory: float
    workers: list[float] = field(default_factory=list)
    steps: list[dict[str, object]] = field(default_factory=list)
    roles: dict[str, float] = field(default_factory=dict)  # processor time of who directs, schedules, works
    cost: TrainingCost | None = None  # of its parts, by their own accounts


def write_text(data: Path, folder: Path, n_pairs: int) -> None:
    """Both sides, so many pairs."""
    for lang in ("en", "de"):
        lines = read_lines(data / "multi30k" / f"train.{lang}.gz")
        with (folder / f"text.{lang}").open("w", encoding="utf-8") as stream:
            for number in range(n_pairs):
                copy, place = divmod(number, len(lines))
                words = lines[place].split(" ")
                if copy:
                    words = [f"{word}{copy}" if _turn(word) == copy % 10 and word.isalpha() else word for word in words]
                stream.write(" ".join(words) + "\n")


def _turn(word: str) -> int:
    return crc32(word.encode()) % 10


def train(folder: Path, name: str, *options: str) -> Usage:
    """Run `dragoman smt train` as a process of its own."""
    run = [sys.executable, "-c", "from dragoman.cli.main import main; main()", "smt", "train"]
    text = ["--src", f"{folder}/text.en", "--tgt", f"{folder}/text.de"]
    places = ["-m", f"{folder}/{name}", "--work", f"{folder}/{name}.work"]
    command = [*run, *text, *places, "--json", "--threads", "1", *options]
    for setting in SETTINGS:
        command += ["--set", setting]
    with (folder / f"{name}.json").open("wb") as out:
        start = time.monotonic()
        process = subprocess.Popen(command, stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - start
    if status:
        raise SystemExit(f"{name}: the training failed")
    told = json.loads((folder / f"{name}.json").read_text())
    cost = TrainingCost.from_dict(told["meta"]["cost"]) if told["meta"]["cost"] else None
    seconds = usage.ru_utime + usage.ru_stime
    return Usage(name, wall, seconds, usage.ru_maxrss / 1024, [], told["rows"], {"directs": seconds}, cost)


# Kills a worker at the first task of every kind.
KILLER = """
import os, signal
from pathlib import Path
from distributed.diagnostics.plugin import WorkerPlugin

class Killer(WorkerPlugin):
    def transition(self, key, start, finish, **more):
        if finish == "executing" and str(key).startswith("dragoman-"):
            mark = Path(os.environ["KILLER"]) / str(key).removeprefix("dragoman-").rsplit("-", 2)[0]
            try:
                os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                return
            os.kill(os.getpid(), signal.SIGKILL)

async def dask_setup(worker):
    await worker.plugin_add(Killer(), name="killer")
"""


# What Dask does fifty times a second costs an idle worker 3 % of a core; so it does it once.
QUIET = {"DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s", "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False"}


@contextmanager
def cluster(folder: Path, n_workers: int, *options: str) -> Iterator[tuple[str, list[int]]]:
    """A scheduler's address and the numbers of all processes, the scheduler's first."""
    about = folder / f"scheduler{n_workers}.json"
    about.unlink(missing_ok=True)
    log = (folder / f"cluster{n_workers}.log").open("ab")
    run, environment = [sys.executable, "-m"], {**os.environ, **QUIET}
    scheduler = [*run, "distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard"]
    scheduler += ["--scheduler-file", str(about)]
    processes = [subprocess.Popen(scheduler, stdout=log, stderr=log, env=environment)]
    try:
        while not (about.is_file() and about.stat().st_size):
            time.sleep(0.1)
        address = json.loads(about.read_text())["address"]
        worker = [*run, "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
        worker += ["--memory-limit", "0", "--local-directory", str(folder), *(options or ("--no-nanny",))]
        processes += [subprocess.Popen(worker, stdout=log, stderr=log, env=environment) for _ in range(n_workers)]
        time.sleep(5)  # until they have joined
        yield address, [process.pid for process in processes]
    finally:
        for process in processes:
            process.terminate()
            process.wait()
        log.close()


def peak(pid: int) -> float:
    """The most memory that a process has had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def cpu(pid: int) -> float:
    """Seconds of processor time of a process so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def same(folder: Path, name: str, other: str) -> bool:
    """True if two runs left the same files."""
    both = [
        {path.relative_to(root): path.read_bytes() for path in root.rglob("*") if path.is_file()}
        for root in (folder / f"{name}.work", folder / f"{other}.work")
    ]
    return both[0] == both[1]


def killed(folder: Path, part: int) -> list[str]:
    """Train with workers that are killed at the first part of every kind; the kinds."""
    marks = folder / "marks"
    marks.mkdir()
    (folder / "killer.py").write_text(KILLER)
    os.environ["KILLER"] = str(marks)
    with cluster(folder, 2, "--nanny", "--preload", str(folder / "killer.py")) as (address, _):
        train(folder, "killed", "--cluster", address, "--part", str(part))
    if not same(folder, "one-process", "killed"):
        raise SystemExit("workers killed: other bytes than one process gives")
    return sorted(path.name for path in marks.iterdir())


def show(runs: list[Usage], n_pairs: int) -> None:
    print(f"{'':22}{'wall s':>9}{'cpu s':>9}{'directs MB':>12}  workers MB")
    for run in runs:
        workers = " ".join(f"{memory:.0f}" for memory in run.workers)
        print(f"{run.name:22}{run.wall:9.1f}{run.cpu:9.1f}{run.memory:12.0f}  {workers}")
    print("\nseconds for a million pairs, by step")
    for run in runs:
        steps = " ".join(f"{step['step']} {float(str(step['seconds'])) * 1e6 / n_pairs:.1f}" for step in run.steps)
        print(f"{run.name:22}{steps}")
    print("\nprocessor time by role; of the parts by their own accounts; their critical path with 1, 2, 4, 8 workers")
    for run in runs:
        roles = " ".join(f"{role} {seconds:.1f}" for role, seconds in run.roles.items())
        paths = [3600 * run.cost.estimate(n_pairs, n).hours[1] for n in (1, 2, 4, 8)] if run.cost else []
        print(f"{run.name:22}{roles}  | " + " ".join(f"{seconds:.1f}" for seconds in paths))
    by_name = {run.name: run for run in runs}
    if {"one-worker", "two-workers"} <= by_name.keys():
        one, two, whole = by_name["one-worker"], by_name["two-workers"], by_name["one-process"]
        print(f"\nmemory: one process {whole.memory:.0f} MB, a worker at most {max(two.workers):.0f} MB (bar: 1/3)")
        print(f"processor time, two workers against one process: {two.cpu / whole.cpu:.2f} × (bar: 1.3)")
        print(f"wall time, two workers against one: {one.wall / two.wall:.2f} × as fast (bar: 1.6)")
        for run in filter(lambda run: run.cost, (one, two)):
            alone, both = (run.cost.estimate(n_pairs, n).hours[1] for n in (1, 2))
            print(f"critical path of {run.name}'s parts, with two against with one: {alone / both:.2f} × as fast")
        print(f"wall time, two workers against one process: {whole.wall / two.wall:.2f} × as fast")
        print(f"load of the machine at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", type=Path)
    options.add_argument("--pairs", type=int, default=20_000)
    options.add_argument("--part", type=int, default=4000)
    options.add_argument("--workers", type=int, nargs="*", default=[1, 2])
    options.add_argument("--no-kill", action="store_true")
    options.add_argument("--folder", type=Path)
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = given.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        write_text(real_data(given.data), folder, given.pairs)
        runs = [train(folder, "one-process")]
        names = {1: "one-worker", 2: "two-workers"}
        for n_workers in given.workers:
            name = names.get(n_workers, f"{n_workers}-workers")
            with cluster(folder, n_workers) as (address, pids):
                before = list(map(cpu, pids))
                run = train(folder, name, "--cluster", address, "--part", str(given.part))
                took = [now - then for now, then in zip(map(cpu, pids), before, strict=True)]
                run.cpu += sum(took)
                run.roles |= {"schedules": took[0], "works": sum(took[1:])}
                # Parts count the memory of their process anew: its own highest is what they say or what it has now.
                parts = [kind.memory for step, kind in run.cost.kinds if step != "directing"] if run.cost else []
                run.workers = [max(peak(pid), *parts) for pid in pids[1:]]
            runs.append(run)
            if not same(folder, "one-process", name):
                raise SystemExit(f"{name}: other bytes than one process gives")
        show(runs, given.pairs)
        if not given.no_kill:
            kinds = killed(folder, given.part)
            print(f"\nworkers killed at {len(kinds)} kinds of parts, the same bytes: {', '.join(kinds)}")
        print(f"\n{given.pairs} pairs in parts of {given.part}; the same bytes in all work directories")
        shutil.rmtree(folder / "one-process.work")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    main()
