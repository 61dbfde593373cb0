"""The bars of scoring: all systems of newstest2013 fr-en, from gzipped files to numbers, ours against sacreBLEU.

One run prints the whole table: BLEU, chrF, chrF++ and TER of all systems, and the paired bootstrap with 1,000 samples
of all systems by BLEU, chrF and TER. Each side works in a process of its own; times are CPU seconds of one thread from
after the imports on (other work on the machine does not count, but slows caches), the best of three for ours. The gain
of two threads is wall time, the best of five. Memory is the largest resident set of the process, imports included.

sacreBLEU needs minutes for TER and for the paired bootstrap, so these run on the first systems only, the same for both
sides, unless --full is given.

    python bench/metrics.py [--full] [DATA]
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from needs import real_data

PAIR = "fr-en"
PAIRED = "paired bootstrap"
BARS = {"bleu": 50, "chrf": 50, "chrf++": 50, "ter": 40, PAIRED: 100}
TWO_THREADS = 1.7
SAMPLE = {"ter": 2, PAIRED: 3}  # systems of a quick run
TRIALS = 1000


def files(data: Path, count: int) -> tuple[Path, list[Path]]:
    folder = data / "newstest2013"
    return folder / "references" / "newstest2013.en.gz", sorted((folder / PAIR).glob("*.gz"))[:count]


def theirs(name: str, ref: Path, systems: list[Path], n_threads: int) -> list[float]:  # noqa: ARG001 - it has one
    from sacrebleu.metrics import BLEU, CHRF, TER
    from sacrebleu.significance import PairedTest

    def lines(path: Path) -> list[str]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            return [line.rstrip("\n") for line in file]

    def metric(name: str, refs: list[list[str]]):
        if name == "bleu":
            return BLEU(references=refs, force=True)
        return TER(references=refs) if name == "ter" else CHRF(references=refs, word_order=2 if "+" in name else 0)

    refs = [lines(ref)]
    if name == PAIRED:
        metrics = {each: metric(each, refs) for each in ("bleu", "chrf", "ter")}
        outputs = [(path.name, lines(path)) for path in systems]
        _, found = PairedTest(outputs, metrics, None, test_type="bs", n_samples=TRIALS)()
        return [float(each.p_value or 0) for label in found if label != "System" for each in found[label]]
    made = metric(name, refs)
    return [made.corpus_score(lines(path), None).score for path in systems]


def ours(name: str, ref: Path, systems: list[Path], n_threads: int) -> list[float]:
    from dragoman.metrics import as_test_set, sacrebleu_report, score
    from dragoman.text import read_text_streams

    lines, *outputs = read_text_streams([ref, *systems], n_threads=n_threads)
    named = dict(zip([path.name for path in systems], outputs, strict=True))
    if name == PAIRED:
        report = sacrebleu_report(
            as_test_set(named, [lines]),
            ["bleu", "chrf", "ter"],
            test="sacrebleu-bs",
            trials=TRIALS,
            n_threads=n_threads,
        )
        return [scores[m].p or 0.0 for m in range(3) for scores in report.scores]
    return score(named, [lines], metrics=[name], n_threads=n_threads).values[:, 0, 0].tolist()


def work(side: str, name: str, data: Path, count: int) -> None:
    """One side's work in this process: times, numbers and memory, as JSON."""
    ref, systems = files(data, count)
    run = {"theirs": theirs, "ours": ours}[side]
    if side == "ours":
        import dragoman.metrics.sacrebleu  # noqa: F401
    else:
        import sacrebleu.significance  # noqa: F401

    def forget() -> None:
        """No run finds what an earlier one has digested or drawn."""
        if side == "ours":
            from dragoman.metrics import ter, words
            from dragoman.stats import compat

            words.forget_references()
            ter._DIGESTED.clear()
            compat._kept_counts.cache_clear()

    def timed(clock, n_threads: int) -> tuple[float, list[float]]:
        forget()
        start = clock()
        numbers = run(name, ref, systems, n_threads)
        return clock() - start, numbers

    if side == "theirs":
        seconds, numbers = timed(time.process_time, 1)
        walls = [0.0, 0.0]
    else:
        for path in (ref, *systems):
            path.read_bytes()  # pages of files are not part of it
        seconds, numbers = min(timed(time.process_time, 1) for _ in range(3))
        one = peak()
        walls = [min(timed(time.perf_counter, n)[0] for _ in range(5)) for n in (1, 2)]
    memory = one if side == "ours" else peak()
    print(json.dumps({"seconds": seconds, "numbers": numbers, "walls": walls, "memory": memory}))


def peak() -> float:
    """The largest resident set so far in MB; not ru_maxrss, which begins with what the parent held."""
    status = dict(line.split(":", 1) for line in Path("/proc/self/status").read_text().splitlines())
    return int(status["VmHWM"].split()[0]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("data", nargs="?", type=Path)
    parser.add_argument("--full", action="store_true", help="all systems also where sacreBLEU needs minutes")
    parser.add_argument("--work", nargs=3, metavar=("SIDE", "NAME", "COUNT"), help=argparse.SUPPRESS)
    args = parser.parse_args()
    args.data = real_data(args.data)
    if args.work:
        work(args.work[0], args.work[1], args.data, int(args.work[2]))
        return
    _, systems = files(args.data, 1000)
    load = os.getloadavg()[0]
    print(f"newstest2013 {PAIR}, 3,000 segments, {len(systems)} systems, from files to numbers; load {load:.1f}")
    print("work              systems  sacreBLEU s   ours s  ratio   bar  2 threads   bar  MB theirs  MB ours")
    for name, bar in BARS.items():
        count = len(systems) if args.full else min(SAMPLE.get(name, len(systems)), len(systems))

        def measured(side: str, name: str = name, count: int = count) -> dict:
            command = [sys.executable, __file__, str(args.data), "--work", side, name, str(count)]
            return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

        peer, own = measured("theirs"), measured("ours")
        assert max(abs(a - b) for a, b in zip(peer["numbers"], own["numbers"], strict=True)) < 1e-9, name
        ratio, gain = peer["seconds"] / own["seconds"], own["walls"][0] / own["walls"][1]
        print(
            f"{name:17} {count:7} {peer['seconds']:12.2f} {own['seconds']:8.3f} {ratio:5.0f}× {bar:4}× {gain:9.2f}×"
            f" {TWO_THREADS:4}× {peer['memory']:10.0f} {own['memory']:8.0f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
