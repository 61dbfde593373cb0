"""How fast the surface tokenisers are, against sacreBLEU in the same process on the same lines:  make bench.

The lines are 200,000 distinct sentences of newstest2013 (references and system outputs), Multi30k and News Commentary.
sacreBLEU keeps the results of its last 65,536 calls; on distinct lines that cache can only cost time, so its functions
are called beneath it (`__wrapped__`, inner tokeniser included), which favours sacreBLEU. Each time is the best of
several runs, the result freed outside the measurement: processor time for one thread, which other processes disturb
least, wall clock for the comparison of two threads with one. Memory is what the process grows to beyond the lines
themselves, in a fork of its own before anything else has run.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from needs import real_data
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from dragoman.files import read_lines
from dragoman.text import TOKENISERS, Vocabulary

N_LINES = 200_000
BAR = {"13a": 40.0, "intl": 40.0}  # times sacreBLEU, one thread, Python strings included
PEERS = {"13a": Tokenizer13a, "intl": TokenizerV14International, "zh": TokenizerZh, "char": TokenizerChar}
FILES = ["newstest2013/*/*.gz", "multi30k/train.*.gz", "news-commentary-sample/nc-5k.*.gz"]


def real_lines() -> list[str]:
    """The first 200,000 distinct lines of the real data."""
    root = real_data()
    lines: dict[str, None] = {}
    for path in (path for pattern in FILES for path in sorted(root.glob(pattern))):
        lines.update(dict.fromkeys(read_lines(path)))
        if len(lines) >= N_LINES:
            return list(lines)[:N_LINES]
    sys.exit(
        f"This benchmark needs {N_LINES} real sentences under {root}; set DRAGOMAN_DATA to the folder that has them."
    )


def uncached(peer: Any) -> Callable[[str], str]:
    """The peer's tokeniser without its caches."""
    call = type(peer).__call__.__wrapped__
    if hasattr(peer, "_post_tokenizer"):
        inner = peer._post_tokenizer
        beneath = type(inner).__call__.__wrapped__
        peer._post_tokenizer = lambda line: beneath(inner, line)
    return lambda line: str(call(peer, line))


def seconds(work: Callable[[], object], repeats: int, clock: Callable[[], float] = time.process_time) -> float:
    """The shortest of several runs."""
    best = float("inf")
    for _ in range(repeats):
        start = clock()
        result = work()
        best = min(best, clock() - start)
        del result
    return best


def speed_up(work: Callable[[int], object]) -> float:
    """How much faster two threads are than one, by the wall clock."""
    one, two = (seconds(lambda n=n: work(n), 7, time.perf_counter) for n in (1, 2))
    return one / two


def megabytes(work: Callable[[], object]) -> float:
    """By how much the process grows at most while it works, in a fork."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        before = int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
        kept = work()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        os.write(send, str(peak - before).encode())
        del kept
        os._exit(0)
    os.waitpid(child, 0)
    os.close(send)
    with os.fdopen(receive) as stream:
        return int(stream.read()) / 1e6


class Contest:
    """sacreBLEU's tokeniser and ours on the same lines."""

    def __init__(self, name: str, lines: Sequence[str]) -> None:
        self.name, self.lines = name, lines
        self.peer, self.tokeniser = uncached(PEERS[name]()), TOKENISERS.get(name)()

    def theirs(self) -> list[str]:
        """The strings of sacreBLEU."""
        return [self.peer(line) for line in self.lines]

    def strings(self, n_threads: int = 1) -> list[str]:
        """Our strings."""
        return self.tokeniser.tokenise(self.lines, n_threads=n_threads)

    def ids(self, n_threads: int = 1) -> object:
        """Our ids, with a vocabulary that grows from nothing."""
        return self.tokeniser.encode(self.lines, Vocabulary(), n_threads=n_threads)

    def memory(self) -> str:
        """Three columns: the peer's strings, our strings, our ids."""
        return f"{megabytes(self.theirs):9.0f} {megabytes(self.strings):8.0f} {megabytes(self.ids):8.0f}"

    def run(self) -> tuple[float, str]:
        """The ratio that the bar is about, and the columns of times."""
        if self.theirs() != self.strings():
            sys.exit(f"{self.name}: the output differs from sacreBLEU's.")
        peer, strings, ids = seconds(self.theirs, 2), seconds(self.strings, 7), seconds(self.ids, 5)
        return peer / strings, (
            f"{peer:9.2f} s {strings * 1e3:8.0f} ms {peer / strings:6.0f}× {speed_up(self.strings):8.2f}×"
            f" {ids * 1e3:8.0f} ms {peer / ids:6.0f}× {speed_up(self.ids):8.2f}×"
        )


def main() -> None:
    lines = real_lines()
    length, ascii_lines = sum(map(len, lines)) / len(lines), sum(line.isascii() for line in lines) / len(lines)
    print(f"{len(lines)} distinct lines, {length:.0f} characters each, {ascii_lines:.0%} ASCII")
    print(f"{os.cpu_count()} processors, load {os.getloadavg()[0]:.1f} before the start (2 threads need two idle ones)")
    print(
        f"{'':6} {'sacreBLEU':>11} {'strings':>11} {'ratio':>7} {'2 threads':>9}"
        f" {'ids':>11} {'ratio':>7} {'2 threads':>9} {'peer MB':>9} {'strings':>8} {'ids':>8}"
    )
    contests = [Contest(name, lines) for name in PEERS]
    memory = [contest.memory() for contest in contests]
    missed = []
    for contest, megabyte_columns in zip(contests, memory, strict=True):
        ratio, columns = contest.run()
        print(f"{contest.name:6} {columns} {megabyte_columns}", flush=True)
        if ratio < BAR.get(contest.name, 0.0):
            missed.append(f"{contest.name} ({ratio:.0f}×)")
    print(f"bar (13a, intl: strings ≥ 40×, one thread): {'missed by ' + ', '.join(missed) if missed else 'kept'}")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
