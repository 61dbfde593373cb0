"""Reading and checking a test set: 20 systems, 3,000 segments, one reference. Lines and tables must take < 0.3 s.

Made from newstest2013 where the real data are (DRAGOMAN_DATA, or ../shared/data beside the checkout), else from the
sample test set repeated. Beside each format stands what plain Python needs to read the same line files unchecked.
`lint` must take less than 2 s of processor time.

    python bench/testset.py
"""

from __future__ import annotations

import gzip
import sys
import tempfile
import time
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path

from needs import data_folder

from dragoman.corpus.lint import lint
from dragoman.data import TestSet, read_test_set, write_test_set
from dragoman.samples import __file__ as samples

BAR = 0.3  # seconds
LINT_BAR = 2.0  # seconds of processor time
MARKUP = {"sgm", "wmt-xml"}  # measured and shown, but not held to the bar: a parser's work is on top
ROUNDS = 15
N_SYSTEMS, N_SEGMENTS = 20, 3000
ROOT = Path(__file__).parents[1]


def real_lines(folder: Path) -> tuple[list[list[str]], list[str], list[str]]:
    """The outputs of the en-de systems of WMT 2013, its source and its reference."""

    def read(path: Path) -> list[str]:
        return gzip.decompress(path.read_bytes()).decode().splitlines()

    outputs = [read(path) for path in sorted((folder / "en-de").glob("*.gz"))[:N_SYSTEMS]]
    return (
        outputs,
        read(folder / "references" / "newstest2013.en.gz"),
        read(folder / "references" / "newstest2013.de.gz"),
    )


def sample_lines() -> tuple[list[list[str]], list[str], list[str]]:
    """The sample's streams, repeated to full size."""
    sample = read_test_set(Path(samples).parent / "testset")

    def long(lines: object) -> list[str]:
        return list(islice(cycle(lines), N_SEGMENTS))  # type: ignore[call-overload]

    outputs = [long(lines) for lines in islice(cycle(sample.systems.values()), N_SYSTEMS)]
    return outputs, long(sample.srcs), long(sample.refs["A"])


def big_test_set() -> tuple[TestSet, str]:
    data = data_folder() / "newstest2013"
    outputs, srcs, ref = real_lines(data) if data.is_dir() else sample_lines()
    test_set = TestSet(
        name="set",
        source_lang="en",
        target_lang="de",
        srcs=srcs,
        refs={"refA": ref},
        systems={f"system-{number:02}": lines for number, lines in enumerate(outputs, start=1)},
        docs=[f"doc-{number // 20}" for number in range(len(srcs))],
        domains=["news"] * len(srcs),
    )
    return test_set, "newstest2013 en-de" if data.is_dir() else "the sample, repeated"


def best(work: Callable[[], object], *, rounds: int = ROUNDS, clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds of the fastest of several runs."""
    times = []
    for _ in range(rounds):
        start = clock()
        work()
        times.append(clock() - start)
    return min(times)


def plain_python(folder: Path) -> list[list[str]]:
    """The line files read, not checked: what any script does."""
    files = [path for path in folder.rglob("*") if path.suffix in {".en", ".de"}]
    return [path.read_text(encoding="utf-8").split("\n") for path in files]


def main() -> int:
    test_set, origin = big_test_set()
    print(f"{len(test_set.systems)} systems, {len(test_set):,} segments ({origin}); best of {ROUNDS} runs")
    worst = 0.0
    with tempfile.TemporaryDirectory() as folder:
        lines = Path(folder) / "lines" / "set"
        lines.parent.mkdir()
        write_test_set(test_set, lines)
        plain = best(lambda: plain_python(lines))
        print(f"{'plain Python, lines':24}{plain:8.3f} s")
        for name, target in {
            "testset-lines": "lines/set",
            "mtme": "mtme/set",
            "testset-tsv": "set.tsv",
            "testset-jsonl": "set.jsonl",
            "sgm": "set.sgm",
            "wmt-xml": "set.xml",
        }.items():
            path = Path(folder) / target
            path.parent.mkdir(exist_ok=True)
            write_test_set(test_set, path, format=name)
            if read_test_set(path, format=name).systems != test_set.systems:
                raise SystemExit(f"{name} gave back something else")
            seconds = best(lambda path=path, name=name: read_test_set(path, format=name))  # type: ignore[misc]
            worst = max(worst, 0.0 if name in MARKUP else seconds)
            over = "  over the bar" if seconds >= BAR else ""
            print(f"{name:24}{seconds:8.3f} s  {seconds / plain:6.1f} × plain{over}")
    print(f"bar: {BAR} s; slowest of lines and tables, which must keep it: {worst:.3f} s")
    looked_over = best(lambda: lint(test_set), rounds=3, clock=time.process_time)
    print(f"{'lint':24}{looked_over:8.3f} s of processor time; bar: {LINT_BAR} s")
    return 0 if worst < BAR and looked_over < LINT_BAR else 1


if __name__ == "__main__":
    sys.exit(main())
