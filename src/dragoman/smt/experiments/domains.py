"""What texts of several kinds give an engine, where and why (Haddow & Koehn, WMT 2012).

How far each is from the test set; what engines lose without it; which words it helps, by how often the first text,
the one of the right kind, has them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import log2
from typing import Any, ClassVar

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.lm import KneserNey, perplexity
from dragoman.metrics.scoring import ScoreRecipe, score_test_set
from dragoman.report import Column, Figure, Progress, Result, Table
from dragoman.report.table import shown_number
from dragoman.smt.corpora import Corpora
from dragoman.smt.experiments.precision import FrequencyBin, bins_of, word_credit
from dragoman.smt.experiments.trials import Trial, Trials
from dragoman.smt.experiments.unseen import Unseen, word_counts
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.ladder import difference, metrics_for
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.training_tables import read_parts

__all__ = ["Distance", "Domains", "PartEngine", "compare_domains", "domain_distances", "jensen_shannon"]

ALL = "all"
_ORDER = 3  # of the language models, as in the paper


@dataclass(frozen=True)
class Distance:
    """How far one side of a text is from the same side of the test set."""

    text: str
    side: str
    n_words: int
    perplexity: float  # of the test set, trigrams, over words that all texts have
    unseen_tokens: float  # per cent of the test set
    unseen_types: float
    divergence: float  # Jensen–Shannon, of word frequencies, in bits: 0 alike, 1 nothing in common


@dataclass(frozen=True)
class PartEngine:
    """An engine of some of the texts."""

    texts: str
    n_pairs: int
    bleu: float
    low: float
    high: float
    delta: float | None  # BLEU above the engine of all texts
    p: float | None


@dataclass(frozen=True)
class Domains(Result):
    """What each text gives."""

    kind: ClassVar[str] = "domains"

    texts: tuple[str, ...]  # the first is of the right kind
    distances: tuple[Distance, ...]
    engines: tuple[PartEngine, ...]
    first: tuple[FrequencyBin, ...]  # precision of the first text's engine, by its frequencies
    whole: tuple[FrequencyBin, ...]  # precision of all texts' engine, by the same frequencies

    def answer(self) -> str:
        """What leaving out each text does."""
        lost = [engine for engine in self.engines if engine.texts.startswith("without ")]
        said = []
        for engine in lost:
            if engine.delta is None or engine.p is None:
                continue
            name = engine.texts.removeprefix("without ")
            verdict = f"p = {engine.p:.3g}" if engine.p < 0.05 else f"p = {engine.p:.3g}: this test set cannot tell"
            said.append(f"{name} gives {shown_number(-engine.delta, 2, sign='+')} BLEU to the others ({verdict})")
        return "; ".join(said) + "." if said else ""

    def tables(self) -> list[Table]:
        """Distances, engines, and precision by frequency."""
        distances = Table.of(
            "Distance of the test set",
            [
                "text",
                "side",
                Column("n_words", "words"),
                Column("perplexity", digits=1),
                Column("unseen_tokens", "unseen tokens %", digits=1),
                Column("unseen_types", "unseen types %", digits=1),
                Column("divergence", digits=3),
            ],
            [tuple(asdict(each).values()) for each in self.distances],
            note="Perplexity is of trigrams over the words that all texts have; divergence is Jensen and Shannon's.",
        )
        engines = Table.of(
            "Engines",
            [
                "texts",
                Column("n_pairs", "pairs"),
                Column("bleu", "BLEU", digits=2),
                Column("low", digits=2),
                Column("high", digits=2),
                Column("delta", "Δ BLEU", digits=2, figures=1),
                Column("p", alpha=0.05),
            ],
            [tuple(asdict(each).values()) for each in self.engines],
            note="Δ and p compare with the engine of all texts (two-sided, paired approximate randomisation).",
        )
        return [distances, engines, self._precision()]

    def _precision(self) -> Table:
        rows = [
            (_range(a), a.n_types, a.n_tokens, a.precision, b.precision, b.precision - a.precision)
            for a, b in zip(self.first, self.whole, strict=True)
        ]
        columns: list[str | Column] = [
            Column("frequency", f"times in {self.texts[0]}"),
            Column("n_types", "types"),
            Column("n_tokens", "tokens"),
            Column("first", self.texts[0], digits=1),
            Column("all", digits=1),
            Column("gain", digits=1, figures=1),
        ]
        note = "Per cent of the translations of a source word that stand in the reference, mean over different words."
        return Table.of("Precision by frequency", columns, rows, note=note)

    def figures(self) -> list[Figure]:
        """Precision of both engines by frequency."""
        series = [(self.texts[0], self.first), (ALL, self.whole)]
        rows = [(_range(each), name, each.precision) for name, bins in series for each in bins]
        table = Table.of("Precision by frequency", ["frequency", "engine", Column("precision", digits=1)], rows)
        return [Figure("Precision by frequency", "line", table, "frequency", "precision", series="engine")]

    def meta(self) -> dict[str, Any]:
        """The texts, the first of the right kind."""
        return {"texts": list(self.texts)}


def jensen_shannon(one: Mapping[str, int], other: Mapping[str, int]) -> float:
    """The Jensen–Shannon divergence of two counts, in bits, from 0 to 1."""
    totals = sum(one.values()), sum(other.values())
    if not all(totals):
        raise DataError("There is nothing to compare: one of the texts has no words.")
    divergence = 0.0
    for word in one.keys() | other.keys():
        p, q = one.get(word, 0) / totals[0], other.get(word, 0) / totals[1]
        middle = (p + q) / 2
        divergence += sum(share / 2 * log2(share / middle) for share in (p, q) if share)
    return min(1.0, max(0.0, divergence))


def domain_distances(
    parts: Mapping[str, Bitext], test: TestSet, recipe: EngineRecipe, *, n_threads: int = 1
) -> list[Distance]:
    """How far the test set is from each text and from all of them, on both sides."""
    srcs, refs = held_out_sides(test)
    pairs = {name: read_parts([bitext]) for name, bitext in parts.items()}
    distances = []
    for side, lang, lines in (("source", recipe.source_lang, srcs), ("target", recipe.target_lang, refs.lines(0))):
        raw = {name: text.sources if side == "source" else text.targets for name, text in pairs.items()}
        if len(raw) > 1:
            raw[ALL] = [line for each in raw.values() for line in each]
        distances += _side_distances(side, lang, raw, lines, recipe, n_threads)
    return distances


def _side_distances(
    side: str, lang: str, raw: Mapping[str, Sequence[str]], lines: Sequence[str], recipe: EngineRecipe, n_threads: int
) -> list[Distance]:
    prepare = TextSide(lang, recipe.text)
    tokens = {
        name: [line.lower() for line in prepare.tokenise(each, n_threads=n_threads) if line]
        for name, each in raw.items()
    }
    counts = {name: Counter(word for line in each for word in line.split()) for name, each in tokens.items()}
    tested = word_counts(lines, lang, recipe, n_threads=n_threads)
    shared = sorted(set.intersection(*(set(count) for count in counts.values())))
    held_out = [line.lower() for line in prepare.tokenise(lines, n_threads=n_threads)]
    distances = []
    for name, count in counts.items():
        model = KneserNey(order=_ORDER).train(tokens[name], vocabulary=shared, n_threads=n_threads)
        known = perplexity(model, held_out, n_threads=n_threads).known
        unseen = Unseen.of(tested, count)
        distances.append(
            Distance(
                name,
                side,
                count.total(),
                float("nan") if known is None else known,
                unseen.tokens_percent,
                unseen.types_percent,
                jensen_shannon(tested, count),
            )
        )
    return distances


def compare_domains(
    parts: Mapping[str, Bitext],
    test: TestSet,
    recipe: EngineRecipe,
    *,
    work: StrPath,
    dev: TestSet | None = None,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Domains:
    """Train engines on each text, on all of them as one, and on all but one; the first text is of the right kind."""
    if len(parts) < 2:
        raise DataError(f"Domains are compared with each other: name two texts or more, got {len(parts)}.")
    if ALL in parts:
        raise DataError(f"No text may be called {ALL!r}: that is all of them.")
    srcs, _ = held_out_sides(test)
    desk = Trials(work, n_threads=n_threads, progress=progress)
    metric = metrics_for(recipe.target_lang)[0]
    distances = domain_distances(parts, test, recipe, n_threads=n_threads)
    trials = {name: _trial(name, chosen, parts, recipe, dev) for name, chosen in _choices(list(parts)).items()}
    outputs = {name: desk.translate(trial, srcs) for name, trial in trials.items()}
    whole = TestSet(refs=test.refs, systems=outputs)
    sheet = score_test_set(whole, ScoreRecipe(metrics=(metric,), ci=True), n_threads=n_threads)
    engines = []
    for name, output in outputs.items():
        score = sheet.score(name, metric)
        base = None if name == ALL else outputs[ALL]
        delta, p = difference(test, base, output, metric, n_threads=n_threads)
        n_pairs = sum(1 for _ in trials[name].text.bitexts[0])
        engines.append(PartEngine(name, n_pairs, score.value, score.low or 0.0, score.high or 0.0, delta, p))
    first = next(iter(parts))
    frequencies = word_counts((src for src, _ in parts[first]), recipe.source_lang, recipe, n_threads=n_threads)
    bins = [
        tuple(bins_of(word_credit(desk.train(trials[name]), test, n_threads=n_threads), frequencies))
        for name in (first, ALL)
    ]
    return Domains(tuple(parts), tuple(distances), tuple(engines), bins[0], bins[1])


def _choices(names: Sequence[str]) -> dict[str, list[str]]:
    """Which texts each engine has: each alone, all, and all but one."""
    alone = {name: [name] for name in names}
    without = {f"without {name}": [other for other in names if other != name] for name in names}
    return {**alone, ALL: list(names), **without}


def _trial(
    name: str, chosen: Sequence[str], parts: Mapping[str, Bitext], recipe: EngineRecipe, dev: TestSet | None
) -> Trial:
    pairs = read_parts([parts[each] for each in chosen])
    langs = {"source_lang": recipe.source_lang, "target_lang": recipe.target_lang}
    return Trial(name, Corpora.of(Bitext.from_lines(pairs.sources, pairs.targets, **langs)), recipe, dev)


def _range(each: FrequencyBin) -> str:
    return str(each.low) if each.low == each.high else f"{each.low}–{each.high}"
