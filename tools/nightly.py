"""The long checks, in parts of at most an hour: `make nightly`, or `python tools/nightly.py [PART …]`.

The output of each part, when it ran, on which commit, how long and in how much memory is kept under `build/nightly`. A
part that was green on this commit is not run again, so a run that was stopped goes on there; `--again` runs it anyhow.
Where work goes on while parts run, `--since COMMIT` takes what was green on that commit or a later one as green, too;
the table shows on which, and how many commits came after. `--table` prints what ran when, as Markdown with
`--markdown`, and runs nothing.

Ends with 0 if every part is green, with 1 if one is red or was broken off, and with 3 if none is red but some cannot
run on this machine: a part says so by ending with code 77 and the reason on its last line.
"""

from __future__ import annotations

import argparse
import fcntl
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from claims import Claim, broken_claims, load_claims
from costs import PeakMemory

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "nightly"
GREEN, RED, NOT_HERE, BROKEN_OFF = "green", "red", "not here", "broken off"
CANNOT_RUN = 77  # the code of a part that cannot run here, as Automake's tests have it
ALL_GREEN, SOME_RED, SOME_NOT_HERE = 0, 1, 3
LIMIT = 3600  # seconds of a part


@dataclass(frozen=True)
class Part:
    """One command of the nightly run."""

    name: str
    words: tuple[str, ...]
    settings: tuple[tuple[str, str], ...] = ()  # environment variables
    needs: str = ""  # a command that must succeed, or the part cannot run here
    claims: tuple[Claim, ...] = ()  # figures that its output must not fall short of


@dataclass(frozen=True)
class Run:
    """How a part went."""

    part: str
    status: str
    reason: str
    commit: str
    changed: bool  # the working tree had changes that were not committed
    started: str
    seconds: float
    cpu_seconds: float
    peak_mb: int  # of all its processes together


def parts() -> list[Part]:
    """Every part, the shortest subjects first."""
    python = sys.executable
    pytest = (python, "-m", "pytest", "-q")
    jobs = str(os.cpu_count() or 2)
    spread = (*pytest, "-n", jobs, "--dist", "worksteal")
    deep = (*spread, "-m", "hypothesis and not slow", "--hypothesis-profile=deep")
    fixed = [
        Part("audit", (python, "tools/audit.py")),
        Part("docs", (python, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", "build/nightly/site")),
        Part("containers", ("docker", "build", "-t", "dragoman", "."), needs="docker info"),
        *(
            Part(f"slow-{folder}", (*spread, "-m", "slow", *files))
            for folder, files in _by_folder("mark.slow")
            if folder != "fuzz"
        ),
        *(Part(f"properties-{folder}", (*deep, *files)) for folder, files in _by_folder("hypothesis")),
        Part("coverage", ("make", "coverage")),
        Part("random-order", (*spread, "-m", "not slow", "--random-order", f"--random-order-seed={_today()}")),
        Part("fuzz", (*spread, "tests/fuzz"), (("DRAGOMAN_FUZZ", "20"),)),
        Part("sanitized-core", ("make", "sanitize-core")),
        Part("sanitized-extension", ("make", "sanitize-extension")),
        Part("oldest-packages", (python, "tools/oldest.py")),
        *(Part(f"wheel-{version}", (python, "tools/wheels.py", version)) for version in _pythons()),
    ]
    claims = load_claims()
    scripts = sorted((ROOT / "bench").glob("*.py"))
    benches = [
        Part(f"bench-{path.stem}", (python, f"bench/{path.name}"), claims=tuple(claims.get(path.stem, ())))
        for path in scripts
        if '__name__ == "__main__"' in path.read_text(encoding="utf-8")
    ]
    return fixed + benches


def _by_folder(word: str) -> list[tuple[str, list[str]]]:
    """Return the test files that contain a word, by folder; those in no folder are `tests`."""
    folders: dict[str, list[str]] = {}
    for path in sorted((ROOT / "tests").rglob("test_*.py")):
        if word in path.read_text(encoding="utf-8"):
            file = path.relative_to(ROOT)
            folders.setdefault(file.parts[1] if len(file.parts) > 2 else "tests", []).append(str(file))
    return sorted(folders.items())


def _pythons() -> list[str]:
    """Return the versions of Python that the package is declared for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [line.rpartition(" ")[2] for line in project["classifiers"] if re.search(r":: 3\.\d+$", line)]


def _today() -> str:
    return time.strftime("%Y%m%d")


def commit() -> tuple[str, bool]:
    """The commit that is checked out, and whether the working tree differs from it."""
    head = subprocess.run(["git", "rev-parse", "--short=10", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    status = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True)
    return head.stdout.strip() or "no checkout", bool(status.stdout.strip())


def commits_since(earlier: str) -> int | None:
    """Return the number of commits after an earlier one; None if it is not an ancestor of the checkout."""
    words = ["git", "rev-list", "--count", f"{earlier}..HEAD"]
    if subprocess.run(
        ["git", "merge-base", "--is-ancestor", earlier, "HEAD"], cwd=ROOT, capture_output=True
    ).returncode:
        return None
    return int(subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout)


def kept_runs() -> dict[str, Run]:
    """The last run of each part."""
    path = KEPT / "runs.json"
    return {row["part"]: Run(**row) for row in json.loads(path.read_text())} if path.exists() else {}


def keep(run: Run) -> None:
    """Add a run to the kept ones, under a lock: another process may run parts at the same time."""
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        runs = {**kept_runs(), run.part: run}
        new = KEPT / "runs.json.new"
        new.write_text(json.dumps([asdict(each) for each in runs.values()], indent=1) + "\n")
        new.replace(KEPT / "runs.json")


def stands(run: Run | None, given: argparse.Namespace, here: tuple[str, bool]) -> bool:
    """Return whether the last run of a part still counts."""
    if run is None or run.status not in (GREEN, NOT_HERE) or given.again:
        return False
    if given.red or (run.commit == here[0] and not run.changed and not here[1]):
        return True
    if not given.since:
        return False
    after, start = commits_since(run.commit), commits_since(given.since)
    return after is not None and start is not None and after <= start


def carry_out(part: Part, limit: float) -> Run:
    """Run a part; its output goes into a log of its own."""
    head, changed = commit()
    started, clock = time.strftime("%Y-%m-%d %H:%M"), time.perf_counter()
    log = KEPT / f"{part.name}.log"
    if missing := _missing(part.needs):
        return Run(part.name, NOT_HERE, missing, head, changed, started, 0.0, 0.0, 0)
    environment = {**os.environ, **dict(part.settings), "PYTHONUNBUFFERED": "1"}
    environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
    with log.open("wb") as output:
        process = subprocess.Popen(
            part.words, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
        memory = PeakMemory(process.pid)
        code, usage, stopped = _waited(process, limit)
    status, reason = _verdict(part, code, log.read_text(errors="replace"), stopped, limit)
    seconds, cpu = time.perf_counter() - clock, usage.ru_utime + usage.ru_stime
    peak = memory.end(usage)
    return Run(part.name, status, reason, head, changed, started, round(seconds, 1), round(cpu, 1), peak)


def _missing(needed: str) -> str:
    """Return why a command does not succeed here, or nothing if it does."""
    if not needed:
        return ""
    words = shlex.split(needed)
    if shutil.which(words[0]) is None:
        return f"{words[0]} is not installed"
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    said = (done.stderr or done.stdout).strip().splitlines()[-1:] or [f"it ended with {done.returncode}"]
    return f"{needed}: {said[0]}" if done.returncode else ""


def _waited(process: subprocess.Popen[bytes], limit: float) -> tuple[int, Any, bool]:
    """The exit code of a process and what it used, itself and its children; ended if it takes longer than `limit`."""
    stopped, end = False, time.monotonic() + limit
    while True:
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        if pid:
            process.returncode = os.waitstatus_to_exitcode(status)
            return process.returncode, usage, stopped
        if time.monotonic() > end and not stopped:
            stopped = True
            os.killpg(process.pid, 9)
        try:
            time.sleep(0.2)
        except KeyboardInterrupt:
            os.killpg(process.pid, 9)
            os.wait4(process.pid, 0)
            process.returncode = -9
            raise


def _verdict(part: Part, code: int, output: str, stopped: bool, limit: float) -> tuple[str, str]:
    lines = [line for line in output.splitlines() if line.strip()]
    last = lines[-1].strip() if lines else "it printed nothing"
    if stopped:
        return BROKEN_OFF, f"took longer than {limit:.0f} s"
    if code == CANNOT_RUN:
        return NOT_HERE, last
    if part.name == "audit" and code == 2:
        return NOT_HERE, last
    if code:
        return RED, last
    wrong = broken_claims(part.claims, output)
    return (RED, "; ".join(wrong)) if wrong else (GREEN, last if part.name.endswith("tests") else "")


def table(runs: dict[str, Run], names: list[str], *, markdown: bool) -> Iterator[str]:
    """What ran when, a line a part; the commit has a + if the working tree had changes, and how many came after it."""
    if markdown:
        yield "| part | result | when | commit | seconds | of processor time | MB | |"
        yield "| --- | --- | --- | --- | ---: | ---: | ---: | --- |"
    for name in names:
        run = runs.get(name)
        if run is None:
            yield f"| {name} | not run | | | | | | |" if markdown else f"{name:24} not run"
            continue
        after = commits_since(run.commit)
        head = run.commit + ("+" if run.changed else "") + (f" ({after} before)" if after else "")
        seconds, cpu = f"{run.seconds:.0f}", f"{run.cpu_seconds:.0f}"
        if markdown:
            cells = (name, run.status, run.started, head, seconds, cpu, run.peak_mb, run.reason.replace("|", "\\|"))
            yield f"| {' | '.join(map(str, cells))} |"
        else:
            times = f"{seconds:>7} s {cpu:>7} s CPU {run.peak_mb:6} MB"
            yield f"{name:24} {run.status:10} {run.started} {head:22} {times}  {run.reason[:120]}"


def main() -> int:
    """Run the parts, print the table, and say by the exit code how they went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="these alone, or those that begin so; all by default")
    parser.add_argument("--again", action="store_true", help="also what was green on this commit")
    parser.add_argument("--since", metavar="COMMIT", help="accept what was green on this commit or a later one")
    parser.add_argument("--red", action="store_true", help="what has not been green on any commit")
    parser.add_argument("--table", action="store_true", help="print what ran when, and run nothing")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--limit", type=float, default=LIMIT, help="seconds of a part (default: an hour)")
    given = parser.parse_args()
    os.environ.setdefault("DRAGOMAN_DATA", str(ROOT.parent / "shared" / "data"))
    known = parts()
    chosen = [part for part in known if not given.parts or part.name.startswith(tuple(given.parts))]
    unknown = [name for name in given.parts if not any(part.name.startswith(name) for part in known)]
    if unknown:
        parser.error(f"unknown part {unknown[0]!r}; choose from {', '.join(part.name for part in known)}")
    runs = kept_runs()
    if given.since and commits_since(given.since) is None:
        parser.error(f"unknown ancestor {given.since!r}: name a commit that HEAD descends from")
    KEPT.mkdir(parents=True, exist_ok=True)
    for number, part in enumerate([] if given.table else chosen, start=1):
        if stands(runs.get(part.name), given, commit()):
            continue
        print(f"[{number}/{len(chosen)}] {part.name}: {shlex.join(part.words)[:160]}", file=sys.stderr, flush=True)
        runs[part.name] = run = carry_out(part, given.limit)
        keep(run)
        print(
            f"    {run.status} in {run.seconds:.0f} s{f': {run.reason}' if run.reason else ''}",
            file=sys.stderr,
            flush=True,
        )
    print(*table(runs, [part.name for part in chosen], markdown=given.markdown), sep="\n")
    states = {runs[part.name].status if part.name in runs else BROKEN_OFF for part in chosen}
    if states & {RED, BROKEN_OFF}:
        return SOME_RED
    return SOME_NOT_HERE if NOT_HERE in states else ALL_GREEN


if __name__ == "__main__":
    sys.exit(main())
