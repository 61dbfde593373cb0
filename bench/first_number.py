"""The first number: from the shell to a BLEU score of newstest2013, ours against sacreBLEU, imports and all.

Wall time of the two commands on the same plain files (3,000 lines each), turn by turn, the best of several: one system
(at most 0.12 s, and 4 times as fast as sacreBLEU) and 22 systems into English (30 times as fast). What scoring costs
after the imports is in `bench/metrics.py`. The data come from `DATA` or `$DRAGOMAN_DATA`.

    python bench/first_number.py [DATA]
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from needs import real_data

SECONDS = 0.12  # for one system
RATIOS = {1: 4.0, 22: 30.0}  # systems → how many times as fast as sacreBLEU
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


def seconds(command: list[str]) -> float:
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def main() -> int:
    data = real_data(sys.argv[1] if len(sys.argv) > 1 else None)
    failed = False
    programs = Path(sys.executable).parent
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package is compiled once
    with tempfile.TemporaryDirectory() as folder:
        ref, systems = unpacked(data, Path(folder), max(RATIOS))
        for count, bar in RATIOS.items():
            ours = [str(programs / "dragoman"), "score", *map(str, systems[:count]), "-r", str(ref)]
            theirs = [str(programs / "sacrebleu"), str(ref), "-i", *map(str, systems[:count])]
            times = [(seconds(ours), seconds(theirs)) for _ in range(ROUNDS[count])]
            own, other = (min(column) for column in zip(*times, strict=True))
            limit = f", bar {SECONDS} s" if count == 1 else ""
            print(
                f"{count:2} system{'s' if count > 1 else ' '}  dragoman score {own:6.3f} s  sacrebleu {other:6.3f} s  "
                f"{other / own:5.1f} × (bar {bar:.0f} ×{limit})"
            )
            failed |= other / own < bar or (count == 1 and own > SECONDS)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
