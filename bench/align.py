"""Word alignment: ours against systran-align (fast_align's model) and eflomal, time and error rate in one run.

CPU seconds of both directions, one thread's worth, so that other work on the machine does not count. Time: Multi30k
en-de. Error rates: the hand-made links of alignment-gold, aligned together with news-commentary-sample (en-fr) and
small-enja (ja-en). The peers are taken from the Python that DRAGOMAN_PEERS names (by default this one); those that are
not installed are left out: pip install systran-align eflomal.

    python bench/align.py [DATA]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from needs import real_data

from dragoman.align import ALIGNERS, AlignmentResult, align, evaluate_alignments
from dragoman.data.alignments import Alignment
from dragoman.data.formats.pharaoh import PharaohFormat, parse_alignment
from dragoman.files import read_lines
from dragoman.text import TOKENISERS

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the definition of symmetrisation, which the tests hold

Pair = tuple[list[str], list[str]]
JOINS = ("intersection", "grow-diag", "grow-diag-final-and")

SYSTRAN = """
import sys, systran_align as peer
folder = sys.argv[1]
peer.generate_alignment_probabilities(
    f"{folder}/joint", f"{folder}/forward", f"{folder}/backward", iterations=5, favor_diagonal=True,
    optimize_tension=True, variational_bayes=True)
"""
SYSTRAN_ALIGN = """
import sys, systran_align as peer
folder, n = sys.argv[1], int(sys.argv[2])
aligner = peer.Aligner(f"{folder}/forward", f"{folder}/backward")
sides = [[line.split() for line in open(f"{folder}/{side}", encoding="utf-8")][:n] for side in ("source", "target")]
for found in aligner.align_batch(*sides):
    print(" ".join(f"{s}-{t}" for s, t in found["alignments"]))
"""
EFLOMAL = """
import sys
from eflomal import Aligner
folder = sys.argv[1]
with open(f"{folder}/source", encoding="utf-8") as source, open(f"{folder}/target", encoding="utf-8") as target:
    Aligner().align(source, target, f"{folder}/eflomal.forward", f"{folder}/eflomal.backward")
"""


def data() -> Path:
    named = sys.argv[1] if len(sys.argv) > 1 else None
    return real_data(named)


def tokenised(name: str, lang: str) -> list[str]:
    tokeniser = TOKENISERS.make(f"moses:lang={lang},escape=no")
    return [line.lower() for line in tokeniser.core.tokenise(read_lines(data() / name), n_threads=2)]


def with_gold(name: str, text: Pair) -> tuple[Pair, list[Alignment]]:
    """Text with reference links, and more text of the languages behind it."""
    pairs = [line.split("|||") for line in read_lines(data() / "alignment-gold" / f"{name}.src-tgt.gz")]
    sides = tuple([" ".join(pair[side].lower().split()) for pair in pairs] + text[side] for side in (0, 1))
    return (sides[0], sides[1]), list(PharaohFormat(first=1).read(data() / "alignment-gold" / f"{name}.gold.gz"))


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def peer(code: str, *arguments: str) -> tuple[float, str] | None:
    """CPU seconds and output of a peer, or None if it is not there or crashed."""
    python = os.environ.get("DRAGOMAN_PEERS", sys.executable)
    before = cpu_of_children()
    done = subprocess.run([python, "-c", code, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  (peer left out: {(done.stderr.strip().splitlines() or [f'signal {-done.returncode}'])[-1]})")
        return None
    return cpu_of_children() - before, done.stdout


def write(text: Pair, folder: Path) -> None:
    for name, side in zip(("source", "target"), text, strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in side), encoding="utf-8")
    joint = (f"{s} ||| {t}\n" for s, t in zip(*text, strict=True))
    (folder / "joint").write_text("".join(joint), encoding="utf-8")


def joined(folder: Path, n: int, how: str) -> Iterator[Alignment]:
    """Eflomal's directions made one, by the definition."""
    from tests.align.naive import symmetrise

    directions = [
        [set(parse_alignment(line).sure) for line in read_lines(folder / f"eflomal.{name}")[:n]]
        for name in ("forward", "backward")
    ]
    for forward, backward in zip(*directions, strict=True):
        yield Alignment(tuple(symmetrise(forward, backward, how)))


def again(result: AlignmentResult, n: int, how: str) -> Iterator[set[tuple[int, int]]]:
    """Our directions made one by the same definition, so that nothing is trained twice."""
    from tests.align.naive import symmetrise

    for i in range(n):
        forward = result.forward[result.target.offsets[i] : result.target.offsets[i + 1]].tolist()
        backward = result.backward[result.source.offsets[i] : result.source.offsets[i + 1]].tolist()
        yield symmetrise(
            {(s, t) for t, s in enumerate(forward) if s >= 0}, {(s, t) for s, t in enumerate(backward) if t >= 0}, how
        )


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def speed() -> None:
    text = tokenised("multi30k/train.en.gz", "en"), tokenised("multi30k/train.de.gz", "de")
    print(f"Multi30k en-de, {len(text[0])} pairs, both directions: CPU seconds")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(text, folder)
        theirs = {"systran-align (training)": peer(SYSTRAN, name), "eflomal": peer(EFLOMAL, name)}
    for peer_name, found in theirs.items():
        if found:
            print(f"  {peer_name:26} {found[0]:6.2f}")
    for method in ALIGNERS.names():
        own = timed(lambda method=method: align(*text, method=method))  # type: ignore[misc]
        ratios = ", ".join(f"{found[0] / own:.1f}x {peer_name}" for peer_name, found in theirs.items() if found)
        print(f"  {'ours, ' + method:26} {own:6.2f}  {ratios}")


def errors(label: str, text: Pair, gold: list[Alignment]) -> None:
    print(f"{label}, {len(gold)} pairs with reference links of {len(text[0])}: AER by symmetrisation")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(text, folder)
        if peer(SYSTRAN, name) and (found := peer(SYSTRAN_ALIGN, name, str(len(gold)))):
            links = [parse_alignment(line) for line in found[1].splitlines()]
            print(f"  {'systran-align':26} its own {evaluate_alignments(links, gold).error_rate:.4f}")
        if used := peer(EFLOMAL, name):
            rates = (
                f"{how} {evaluate_alignments(joined(folder, len(gold), how), gold).error_rate:.4f}" for how in JOINS
            )
            print(f"  {'eflomal':26} {', '.join(rates)}; {used[0]:.1f} s")
    for method in ALIGNERS.names():
        start = time.process_time()
        recipe = ALIGNERS.get(method)()
        _, result = recipe.train_and_align(*text, posteriors=True)
        own = time.process_time() - start
        rates = []
        for how in JOINS:
            own_links = (Alignment(tuple(links)) for links in again(result, len(gold), how))
            rates.append(f"{how} {evaluate_alignments(own_links, gold).error_rate:.4f}")
        best = (result.posterior(pair) >= 0.4 for pair in range(len(gold)))
        links = [Alignment(tuple(map(tuple, np.argwhere(each).tolist()))) for each in best]
        rates.append(f"posterior {evaluate_alignments(links, gold).error_rate:.4f}")
        print(f"  {'ours, ' + method:26} {', '.join(rates)}; {own:.1f} s")


def main() -> None:
    speed()
    news = [tokenised(f"news-commentary-sample/nc-5k.{lang}.gz", lang) for lang in ("en", "fr")]
    errors("en-fr", *with_gold("enfr", (news[0], news[1])))
    tatoeba = [[line.lower() for line in read_lines(data() / f"small-enja/train.{lang}.gz")] for lang in ("ja", "en")]
    errors("ja-en", *with_gold("jaen", (tatoeba[0], tatoeba[1])))


if __name__ == "__main__":
    main()
