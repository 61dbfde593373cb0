"""Judgements of screens of five systems: what it costs to load them, to say what they imply, and to add some more.

Each step runs in a process of its own, on a tenth of the screens and on all of them: time that grows tenfold is linear.
Python's own `csv.reader`, which only splits the file, is the peer.

    python bench/judgements.py [SCREENS]      # 100,000 by default
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

STEPS = {
    "peer: list(csv.reader(file))": ("csv", "import csv; n = len(list(csv.reader(open(path, newline='')))) - 1"),
    "read_judgements, WMT's CSV": ("csv", "n = len(read_judgements(path))"),
    "read_judgements, pairs": ("pairs", "n = len(read_judgements(path))"),
    "read_judgements, own table": ("table", "n = len(read_judgements(path))"),
    "read_judgements, log": ("log", "n = len(read_judgements(path))"),
    "compare_pairwise": ("csv", "n = len(compare_pairwise(read_judgements(path)))"),
    "JudgementLog, append at once": (
        "csv",
        "rows = list(read_judgements(path).rows()); started = time.process_time()\n"
        "JudgementLog(path + '.new', ranking_schema(5)).append(rows); n = len(rows)",
    ),
}

SCRIPT = """
import json, sys, time
path = sys.argv[1]
from dragoman.data import JudgementLog, compare_pairwise, read_judgements
from dragoman.data.judgements import own, pairs, ranking_schema  # not to be counted
def memory():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
base = memory()
started = time.process_time()
{step}
spent = time.process_time() - started
peak = memory()
print(json.dumps([n, spent, base / 1024, peak / 1024]))
"""


def generate(folder: Path, screens: int) -> dict[str, str]:
    """The same screens in four formats; a tenth of them as pairs, of which a screen has ten."""
    from dragoman.data import FORMATS, read_judgements

    chance = random.Random(2012)
    systems = [f"newstest.fr-en.system-{n}.{2500 + 7 * n}" for n in range(13)]
    names = [f"system{n}" for n in range(1, 6)]
    paths = {"csv": str(folder / f"{screens}.rnk.csv")}
    with Path(paths["csv"]).open("w", encoding="utf-8") as stream:
        columns = [f"{name}{what}" for name in names for what in ("Number", "Id")] + [f"{name}rank" for name in names]
        stream.write(",".join(["srclang,trglang,srcIndex,documentId,segmentId,judgeId", *columns]) + "\n")
        for _ in range(screens):
            segment = chance.randrange(1, 3004)
            shown = ",".join(f"-1,{system}" for system in chance.sample(systems, 5))
            ranks = ",".join(chance.choices(("1", "2", "3", "4", "5", "-1"), (20, 20, 20, 20, 20, 1), k=5))
            stream.write(f"French,English,{segment},-1,{segment},judge{chance.randrange(300)},{shown},{ranks}\n")
    judgements = read_judgements(paths["csv"])
    for kind, format_, suffix in (
        ("table", "judgement-table", ".judgements.tsv"),
        ("log", "judgement-log", ".judgements.jsonl"),
        ("pairs", "pairwise-ranking", ".pairwise.csv"),
    ):
        paths[kind] = str(folder / f"{screens}{suffix}")
        some = (
            judgements
            if kind != "pairs"
            else type(judgements).of(
                judgements.schema, [row for row, _ in zip(judgements.rows(), range(screens // 10), strict=False)]
            )
        )
        FORMATS.make(format_).write(some, paths[kind])
    return paths


def measure(step: str, path: str) -> tuple[int, float, float, float]:
    """Rows, processor seconds, and megabytes before and at the peak."""
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.replace("{step}", step), path], check=True, capture_output=True, text=True
    )
    return tuple(json.loads(done.stdout))  # type: ignore[return-value]


def main() -> None:
    """Print a row a step."""
    screens = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        few, many = generate(Path(folder), screens // 10), generate(Path(folder), screens)
        print(f"{'step':<32} {'rows':>9} {'s':>7} {'µs/row':>7} {'MB':>6}   growth for 10× the rows")
        for name, (kind, step) in STEPS.items():
            n_few, seconds_few, _, _ = measure(step, few[kind])
            n, seconds, base, peak = measure(step, many[kind])
            growth = (seconds / seconds_few) / (n / n_few) * 10
            print(f"{name:<32} {n:>9} {seconds:>7.2f} {seconds / n * 1e6:>7.2f} {peak - base:>6.0f}   {growth:.1f}×")


if __name__ == "__main__":
    main()
