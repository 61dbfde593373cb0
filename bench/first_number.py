"""The first number: from the shell to a BLEU score of newstest2013, ours against sacreBLEU, imports and all.

Both commands get the same plain files (3,000 lines each), turn by turn, and the best of several runs counts: one system
(at most 0.12 s, and 4 times as fast as sacreBLEU) and 22 systems into English (20 times). These bars are of processor
time, which other work on the machine changes least. By the clock, 22 systems are to be 30 times as fast, as two threads
score them; that is judged only where little else runs. What scoring costs after the imports is in `bench/metrics.py`.

    python bench/first_number.py [DATA]
"""

from __future__ import annotations

import gzip
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from needs import real_data

SECONDS = 0.12  # for one system
RATIOS = {1: 4.0, 22: 20.0}  # systems → how many times as fast as sacreBLEU, in processor time
ELAPSED = {22: 30.0}  # the same by the clock, two threads against one
QUIET = 0.5  # the load average of each processor below which the clock is judged
ROUNDS = {1: 9, 22: 3}


def unpacked(data: Path, folder: Path, count: int) -> tuple[Path, list[Path]]:
    """The reference and the systems into English as plain files."""
    source = data / "newstest2013"
    packed = [path for pair in ("fr-en", "es-en") for path in sorted((source / pair).glob("*.gz"))][:count]
    files = []
    for path in [source / "references" / "newstest2013.en.gz", *packed]:
        files.append(folder / path.name.removesuffix(".gz"))
        files[-1].write_bytes(gzip.decompress(path.read_bytes()))
    return files[0], files[1:]


def seconds(command: list[str]) -> tuple[float, float]:
    """Return a command's processor time and elapsed time."""
    start, before = time.perf_counter(), processor()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return processor() - before, time.perf_counter() - start


def processor() -> float:
    """Return the processor time of all commands so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    data = real_data(sys.argv[1] if len(sys.argv) > 1 else None)
    failed = False
    programs = Path(sys.executable).parent
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
    with tempfile.TemporaryDirectory() as folder:
        ref, systems = unpacked(data, Path(folder), max(RATIOS))
        quiet = os.getloadavg()[0] < QUIET * (os.cpu_count() or 1)
        for count, bar in RATIOS.items():
            ours = [str(programs / "dragoman"), "score", *map(str, systems[:count]), "-r", str(ref)]
            theirs = [str(programs / "sacrebleu"), str(ref), "-i", *map(str, systems[:count])]
            runs = [(*seconds(ours), *seconds(theirs)) for _ in range(ROUNDS[count])]
            own, own_elapsed, other, other_elapsed = (min(column) for column in zip(*runs, strict=True))
            limit = f", bar {SECONDS} s" if count == 1 else ""
            print(
                f"{count:2} system{'s' if count > 1 else ' '}  dragoman score {own:6.3f} s  sacrebleu {other:6.3f} s  "
                f"{other / own:5.1f} × (bar {bar:.0f} ×{limit}); by the clock {own_elapsed:.3f} s and "
                f"{other_elapsed:.3f} s{'' if quiet else ', not judged on a busy machine'}"
            )
            failed |= other / own < bar or (count == 1 and own > SECONDS)
            failed |= quiet and other_elapsed / own_elapsed < ELAPSED.get(count, 0.0)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
