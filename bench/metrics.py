"""BLEU, chrF and chrF++ of all systems of newstest2013 fr-en, from files to scores: ours against sacreBLEU.

Both read the gzipped files, digest the reference once and score every system in turn or at once. Times are CPU seconds
of one thread (other work on the machine does not count), the best of three for ours; the gain of two threads is wall
time. Memory is the largest resident set of a process of its own that does nothing else.

    python bench/metrics.py [DATA]
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import time
from pathlib import Path

PAIR = "fr-en"
PEERS = {"bleu": {}, "chrf": {}, "chrf++": {"word_order": 2}}


def files(data: Path) -> tuple[Path, list[Path]]:
    folder = data / "newstest2013"
    return folder / "references" / "newstest2013.en.gz", sorted((folder / PAIR).glob("*.gz"))


def theirs(name: str, data: Path) -> list[float]:
    from sacrebleu.metrics import BLEU, CHRF

    def lines(path: Path) -> list[str]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file]

    ref, systems = files(data)
    metric = (
        BLEU(references=[lines(ref)], force=True) if name == "bleu" else CHRF(references=[lines(ref)], **PEERS[name])
    )
    return [metric.corpus_score(lines(path), None).score for path in systems]


def ours(name: str, data: Path, n_threads: int = 1) -> list[float]:
    from dragoman.metrics import score
    from dragoman.text import read_text_streams

    path, paths = files(data)
    ref, *outputs = read_text_streams([path, *paths], n_threads=n_threads)
    systems = dict(zip([path.name for path in paths], outputs, strict=True))
    return score(systems, [ref], metrics=[name], n_threads=n_threads).values[:, 0, 0].tolist()


def timed(work, *args, clock=time.process_time) -> tuple[float, list[float]]:
    start = clock()
    scores = work(*args)
    return clock() - start, scores


def memory(side: str, name: str, data: Path) -> float:
    """The largest resident set in MB of a process that does this and nothing else."""
    done = subprocess.run([sys.executable, __file__, str(data), side, name], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    data = Path(sys.argv[1] if len(sys.argv) > 1 else os.environ.get("DRAGOMAN_DATA", "../shared/data"))
    if len(sys.argv) > 2:
        {"theirs": theirs, "ours": ours}[sys.argv[2]](sys.argv[3], data)
        # Not ru_maxrss, which begins with what the parent held.
        status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
        print(int(status["VmHWM"].split()[0]) / 1024)
        return
    if not data.is_dir():
        print(f"bench/metrics.py: no real data in {data}; set DRAGOMAN_DATA.")
        return
    _, systems = files(data)
    print(f"{len(systems)} systems of newstest2013 {PAIR}, 3,000 segments each, from files to scores")
    print("metric    sacreBLEU s   ours s  ratio  2 threads  MB theirs  MB ours")
    for name in PEERS:
        ours(name, data)  # imports and pages of files are not part of it
        peer_time, peer_scores = timed(theirs, name, data)
        runs = [timed(ours, name, data) for _ in range(3)]
        own_time, own_scores = min(runs)
        assert max(abs(a - b) for a, b in zip(peer_scores, own_scores, strict=True)) < 1e-9
        wall = [min(timed(ours, name, data, n, clock=time.perf_counter)[0] for _ in range(5)) for n in (1, 2)]
        print(
            f"{name:8} {peer_time:12.2f} {own_time:8.3f} {peer_time / own_time:5.0f}× {wall[0] / wall[1]:9.2f}×"
            f" {memory('theirs', name, data):10.0f} {memory('ours', name, data):8.0f}"
        )


if __name__ == "__main__":
    main()
