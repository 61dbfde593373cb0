"""How far metrics agree with people: newstest2013 fr-en against the judgements of WMT 2013, as docs/metrics.md.

Trained metrics score the segments that they did not learn from: one model learns from each half. Resources are made
from the bitexts at hand, none of which has a segment of the test set; those that cannot be made are left out and named.

    python bench/agreement.py DATA FOLDER [METRIC…] > docs/metrics.md      # hours
    python bench/agreement.py                                             # without those that take longest

FOLDER keeps resources and scores between runs; the metrics named after it are left out.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path

import numpy as np
from needs import real_data

from dragoman.data.testset import TestSet
from dragoman.errors import DragomanError
from dragoman.files import read_lines
from dragoman.lm import KneserNey
from dragoman.metrics import MetaEvaluation, MetaRecipe, MetricTraining, as_test_set, make_metric, meta_evaluate
from dragoman.metrics.meta import HumanRankings, read_rankings
from dragoman.metrics.noref import NorefRecipe
from dragoman.metrics.references import ScoredText
from dragoman.metrics.training_data import only_segments
from dragoman.smt.pivots import PivotRecipe
from dragoman.syntax import ParserRecipe
from dragoman.text import TOKENISERS
from dragoman.text.conllu import read_conllu

HALVES = ((1, 1500), (1501, 3000))
BITEXTS = ("multi30k/train", "news-commentary-sample/nc-5k")  # .en.gz and .fr.gz
PEOPLE = "the other half's judgements"

# By the metric's specification, in which {…} is a resource: what it compares, and what it needs beside the text.
METRICS = {
    "bleu": ("n-grams of words, precision", ""),
    "bleu+1": ("BLEU, smoothed by adding one", ""),
    "sentbleu": ("BLEU, the mean over segments", ""),
    "nist": ("n-grams of words, weighed by information", ""),
    "chrf": ("n-grams of characters, F", ""),
    "chrf++": ("n-grams of characters and words, F", ""),
    "rouge-1": ("words, F", ""),
    "rouge-2": ("pairs of words, F", ""),
    "rouge-l": ("longest common subsequence, F", ""),
    "gtm": ("runs of words, F", ""),
    "ribes": ("order of words", ""),
    "ter": ("edits and shifts of words", ""),
    "wer": ("edits of words", ""),
    "per": ("words whatever their place", ""),
    "cder": ("edits and jumps of words", ""),
    "cer": ("edits of characters", ""),
    "amber": ("n-grams of words, ten penalties and order", ""),
    "amber1": ("n-grams of words and ten penalties", ""),
    "worderrcats": ("five classes of errors, by words", ""),
    "blockerrcats": ("five classes of errors, by runs of words", ""),
    "wordblockerrcats": ("five classes of errors, by words and by runs", ""),
    "xenerrcats": ("five classes of errors, weighed for translation into English", ""),
    "enxerrcats": ("five classes of errors, weighed for translation out of English", ""),
    "terrorcat": ("five classes of errors", ""),
    "terrorcat:errors=addicter": ("nine classes of errors by alignment", ""),
    "meteor": ("words by form, stem, synonym, paraphrase; order", "function words"),
    "tesla-m": ("n-grams of words by stem, synonym and part of speech, F", "function words"),
    "tesla-m:synonyms=wordnet+place={meteor}": ("TESLA-M with synonyms", "METEOR's synonyms"),
    "tesla-s": ("TESLA-M for summaries", "function words"),
    "tesla-b:pivots={pivots}": ("TESLA-M and n-grams of translations", "a bitext"),
    "tesla-f:pivots={pivots},lms={lm}": ("TESLA-B and fluency", "a bitext, a language model"),
    "pem:pivots={pivots}": ("n-grams of translations, F", "a bitext"),
    "spede": ("all edits from reference to hypothesis, as SMTeuroparl taught", ""),
    "spede:jump=5": ("SPEDE with swaps of words", ""),
    "sagan": ("words by what they are kinds of", "WordNet"),
    "meant:frames=parser+model={parser}": ("who did what to whom", "a treebank"),
    "noref:{noref}": ("source and fluency; no reference", "a bitext"),
}
TRAINED = ["terrorcat", "tesla-m", "meteor"]
TRAINED += ["terrorcat:errors=both", "tesla-b:pivots={pivots}", "tesla-f:pivots={pivots},lms={lm}"]

# What a run without a folder leaves out: minutes each.
LONG = ("meant", "spede:jump=5", "tesla-b", "tesla-f", "pem", "sagan", "noref", "terrorcat:errors=addicter")

HEAD = """# Metrics and people

How far the metrics of this package agree with people, measured: newstest2013 French–English, 3,000 segments, the 13
systems that WMT 2013 judged, 80,741 pairs of translations of which people called one the better. τ is Kendall's as WMT
2013 counted it (pairs that a metric scores alike are left out). r is Pearson's over the 13 systems' scores, and
Williams' test says whether it is higher or lower than BLEU's, in words where p < .05 ({n} tests, one-sided, not
corrected for their number); ρ is Spearman's. Intervals hold 95 % and are by bootstrap. *Trained* metrics score each
segment with weights learnt from the judgements of the other half of the segments, never its own; a system's score is
then the mean of its segments'. `bench/agreement.py` writes this page.

| metric | what it compares | needs | τ of segments | interval | r of systems | interval | Williams | ρ | segments/s |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""

TAIL = """
Segments a second are of one thread of a shared machine, tokenising and annotating included. Scores of all metrics here
go from 0 to 100, but for error rates, which have no limit, and NIST, whose limit depends on the references. Bitexts are
Multi30k's and the sample of News Commentary, 34,000 pairs, mostly of captions: little for news.

TESLA-CELAB (`celab`) is for scripts without word boundaries, for which no judgements are at hand; it gives its authors'
ten published scores (`tests/published/test_celab.py`). `bertscore`, `bertscore-idf` and `cosine` ask a neural encoder,
`gemba-da` and `gemba-mqm` a chat model, `comet` a checkpoint of that name, of which none is at hand.
"""


def bitext(data: Path, lang: str) -> list[str]:
    return list(chain.from_iterable(read_lines(data / f"{name}.{lang}.gz") for name in BITEXTS))


def parser(data: Path, folder: Path) -> Path:
    trees = list(read_conllu(data / "ud" / "en_lines-ud-train.conllu.gz"))
    return ParserRecipe(xpos=False).train(trees).save(folder)


RESOURCES: dict[str, Callable[[Path, Path], Path]] = {
    "meteor": lambda data, _: data / "meteor",
    "pivots": lambda data, folder: PivotRecipe().find(bitext(data, "fr"), bitext(data, "en")).save(folder),
    "lm": lambda data, to: KneserNey(order=4).train(TOKENISERS.make("13a").tokenise(bitext(data, "en"))).save(to),
    "noref": lambda data, folder: NorefRecipe().train(bitext(data, "fr"), bitext(data, "en")).save(folder),
    "parser": parser,
}


class Bench:
    """The test set, the people, and what is made on the way."""

    def __init__(self, data: Path, folder: Path) -> None:
        self.data, self.folder = data, folder
        rankings = read_rankings(data / "wmt-judgments" / "wmt13.fr-en.train.csv.gz")
        assert rankings is not None
        self.people: HumanRankings = rankings["fr-en"]
        files = sorted((data / "newstest2013" / "fr-en").glob("*.gz"))
        systems = {file.name.removesuffix(".gz"): read_lines(file) for file in files}
        judged = {name: lines for name, lines in systems.items() if name in self.people.systems}
        ref, src = (
            read_lines(data / "newstest2013" / "references" / f"newstest2013.{lang}.gz") for lang in ("en", "fr")
        )
        self.test_set: TestSet = as_test_set(judged, [ref], src)

    def spec(self, pattern: str) -> str:
        """The metric with the resources that it names, made if need be."""
        for name, make in RESOURCES.items():
            if f"{{{name}}}" in pattern:
                place = self.folder / name
                made = place if place.exists() else make(self.data, place)
                pattern = pattern.replace(f"{{{name}}}", str(made))
        return pattern

    def scores(
        self, name: str, make: Callable[[], tuple[np.ndarray, np.ndarray]]
    ) -> tuple[np.ndarray, np.ndarray, float]:
        """Scores of segments and of systems, and the processor's seconds; kept in the folder."""
        file = self.folder / (name.replace("/", "_") + ".npz")
        if not file.exists():
            start = time.process_time()
            segments, systems = make()
            np.savez(file, segments=segments, systems=systems, seconds=time.process_time() - start)
        with np.load(file) as stored:
            return stored["segments"], stored["systems"], float(stored["seconds"])

    def plain(self, spec: str) -> tuple[np.ndarray, np.ndarray]:
        """Scores of a metric as it is."""
        metric, text = make_metric(spec), ScoredText.of(self.test_set)
        rows = metric.batch_rows(text, 1)
        single = metric.for_segments()
        segments = single.values(rows if single == metric else single.batch_rows(text, 1))
        return segments, metric.values(rows.sum(axis=1))

    def held_out(self, spec: str) -> tuple[np.ndarray, np.ndarray]:
        """Scores of each half by the model that learnt from the other one."""
        text = ScoredText.of(self.test_set)
        whole = np.zeros((len(self.test_set.systems), len(self.test_set)))
        for seen, (first, last) in zip(HALVES, HALVES[::-1], strict=True):
            learnt = MetricTraining().train(make_metric(spec), self.test_set, only_segments(self.people, *seen)).metric
            metric = learnt.for_segments()
            part = list(range(first - 1, last))
            whole[:, part] = metric.values(metric.batch_rows(text.only(part), 1))
        return whole, whole.mean(axis=1)

    def agreement(self, scores: dict[str, np.ndarray], level: str) -> MetaEvaluation:
        """Metrics held against the people."""
        tables = {name: dict(zip(self.test_set.systems, rows.tolist(), strict=True)) for name, rows in scores.items()}
        errors = tuple(name for name in scores if name.partition(",")[0] in LOWER)
        recipe = MetaRecipe(level=level, trials=300, lower_is_better=errors)
        return meta_evaluate(tables, self.people, replace(recipe, variant="wmt13") if level == "seg" else recipe)


LOWER = {name for name in METRICS if ":" not in name and not make_metric(name).higher_is_better}


def shown(pattern: str) -> str:
    """The metric without the places of its resources."""
    return pattern.partition("=")[0].partition(":")[0] if "{" in pattern else pattern


def williams(result: MetaEvaluation, name: str) -> str:
    """Whether a metric agrees better or worse with people than BLEU does, with the p of the direction that it has."""
    assert result.tests is not None
    if name == "bleu":
        return "–"
    higher, lower = result.tests.p_value(name, "bleu"), result.tests.p_value("bleu", name)
    p = higher if higher is not None else lower
    if p is None:
        return "the same"
    return f"{'higher' if higher is not None else 'lower'}, p = {p:.3f}" if p < 0.05 else f"p = {p:.3f}"


def main() -> None:
    data = real_data(sys.argv[1] if len(sys.argv) > 1 else None)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary)
        folder.mkdir(parents=True, exist_ok=True)
        out = sys.argv[3:] if sys.argv[2:] else [*LONG, *(f"{shown(each)}, trained" for each in TRAINED[1:])]
        sys.stdout.write(page(Bench(data, folder), out))


def page(bench: Bench, left_out: Sequence[str]) -> str:
    segments: dict[str, np.ndarray] = {}
    systems: dict[str, np.ndarray] = {}
    about: dict[str, tuple[str, str, str]] = {}
    missing = []
    n = len(bench.test_set) * len(bench.test_set.systems)
    jobs = [(shown(each), each, *METRICS[each]) for each in METRICS]
    jobs += [(f"{shown(each)}, trained", each, "weights learnt", PEOPLE) for each in TRAINED]
    for name, pattern, what, needs in jobs:
        name = f"{name}, synonyms" if "{meteor}" in pattern else name
        sys.stderr.write(f"{name}\n")
        if name in left_out:
            missing.append(f"`{name}`, which takes long.")
            continue
        try:
            spec = bench.spec(pattern)
            run = bench.held_out if name.endswith("trained") else bench.plain
            segments[name], systems[name], seconds = bench.scores(name, lambda: run(spec))  # noqa: B023 - called at once
        except DragomanError as error:
            missing.append(f"`{name}`. {error}")
            continue
        about[name] = (what, needs or "nothing", "–" if name.endswith("trained") else f"{n / seconds:,.0f}")
    by_segment, by_system = bench.agreement(segments, "seg"), bench.agreement(systems, "sys")
    text = HEAD.format(n=len(about) - 1)
    for name in sorted(segments, key=lambda each: -by_segment.agreement(each).values["tau"]):
        own, other = by_segment.agreement(name), by_system.agreement(name)
        what, needs, speed = about[name]
        text += (
            f"| {name} | {what} | {needs} | {own.values['tau']:.3f} | {own.low:.3f} to {own.high:.3f} | "
            f"{other.values['pearson']:.3f} | {other.low:.3f} to {other.high:.3f} | {williams(by_system, name)} | "
            f"{other.values['spearman']:.3f} | {speed} |\n"
        )
    return text + TAIL + ("\nLeft out:\n\n" + "".join(f"- {each}\n" for each in missing) if missing else "")


if __name__ == "__main__":
    main()
