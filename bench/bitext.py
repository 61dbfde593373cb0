"""A bitext of a million pairs: what it costs to open, to read, to count, to clean and to split.

Each step runs in a process of its own, on a hundredth of the pairs and on all of them; peak memory that stays the same
is memory that does not grow with the corpus. Python's own loop over two files is the peer of reading.

    python bench/bitext.py [PAIRS]      # 5000000 takes a quarter of an hour
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from dragoman.samples import phrasebook

STEPS = {
    "peer: zip(open(de), open(en))": "n = sum(1 for _ in zip(open(src), open(tgt)))",
    "open": "next(iter(bitext)); n = 0",
    "iterate": "n = sum(1 for _ in bitext)",
    "batches": "n = sum(len(batch.srcs) for batch in bitext.batches())",
    "fingerprint": "bitext.fingerprint(); n = size",
    "statistics": "n = corpus_statistics(bitext).sides[0].sentences",
    "clean (Moses' filters)": "n = clean(bitext).pairs",
    "clean (and duplicates)": "n = clean(bitext, ['empty', 'length', 'ratio', 'long-token', 'duplicate']).pairs",
    "split by source": "split(bitext, {'dev': 1000, 'test': 1000}, by='source', seed=1); n = size",
}

SCRIPT = """
import json, resource, sys, time
src, tgt, size = sys.argv[1], sys.argv[2], int(sys.argv[3])
from dragoman.data.bitext import Bitext
from dragoman.corpus import clean, corpus_statistics, split
bitext = Bitext.from_files(src, tgt)
base = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
started = time.process_time()
{step}
spent = time.process_time() - started
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps([n, spent, base / 1024, peak / 1024]))
"""


def generate(folder: Path, size: int) -> list[str]:
    """Two files of two sentences of the phrasebook a line, no line twice."""
    book = phrasebook()
    paths = []
    for lang in ("de", "en"):
        lines = book[lang]
        path = folder / f"{size}.{lang}"
        with path.open("w", encoding="utf-8") as stream:
            stream.writelines(
                f"{lines[number % 600]} {lines[number // 600 % 600]} ({number // 360_000})\n" for number in range(size)
            )
        paths.append(str(path))
    return paths


def main() -> None:
    size = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    print(f"{'step':32}{'pairs':>10}{'CPU s':>9}{'pairs/s':>12}{'MB before':>11}{'MB peak':>9}")
    with tempfile.TemporaryDirectory() as folder:
        started = time.time()
        files = {n: generate(Path(folder), n) for n in (size // 100, size)}
        print(f"(files made in {time.time() - started:.0f} s)")
        for name, step in STEPS.items():
            code = SCRIPT.replace("{step}", step)
            for n, (src, tgt) in files.items():
                done = subprocess.run(
                    [sys.executable, "-c", code, src, tgt, str(n)], capture_output=True, text=True, check=False
                )
                if done.returncode:
                    sys.exit(done.stderr)
                count, spent, base, peak = json.loads(done.stdout)
                rate = f"{count / spent:,.0f}" if count else "–"
                print(f"{name:32}{n:>10,}{spent:>9.2f}{rate:>12}{base:>11.0f}{peak:>9.0f}")


if __name__ == "__main__":
    main()
