"""The whole study: edits, effort of three kinds, how they go together, and the segments where they do not."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dragoman.analysis.post_editing.contrasts import Case, ContrastSets, Thresholds, mine_contrasts
from dragoman.analysis.post_editing.data import MEASURES, PostEdited
from dragoman.analysis.post_editing.labels import CLASSES, Edited, Words, label_words
from dragoman.analysis.post_editing.profile import CATEGORIES, EditProfile, profile_edits, share_table
from dragoman.errors import DataError
from dragoman.metrics import hter
from dragoman.report import Column, Figure, Result, Section, Table, page
from dragoman.stats.correlation import complete, spearman
from dragoman.text import TOKENISERS
from dragoman.text.annotate import check_needs
from dragoman.text.layers import annotate_once, layer_annotator

__all__ = ["Correlation", "PostEditing", "analyse_post_editing", "correlation"]

_MOST_SHOWN = 30  # segments of each contrast set on the page
_MEANINGS = {
    "score": "perceived quality",
    "seconds per word": "temporal effort",
    "keystrokes per word": "technical effort, as typed",
    "hter": "technical effort, as edited",
    "words": "words of the output",
}


@dataclass(frozen=True)
class Correlation:
    """Spearman's ρ with its p-value by Student's t, as the paper's stars have it."""

    rho: float  # NaN where one side is constant
    n: int

    @property
    def p(self) -> float:
        """Two-sided p-value; NaN for fewer than three items."""
        from scipy import stats

        if self.n < 3 or math.isnan(self.rho):
            return math.nan
        if abs(self.rho) >= 1.0:
            return 0.0
        t = self.rho * math.sqrt((self.n - 2) / (1 - self.rho**2))
        return float(2 * stats.t.sf(abs(t), self.n - 2))

    @property
    def stars(self) -> str:
        """`*` below .05, `**` below .01, `***` below .001."""
        return "" if math.isnan(self.p) else "*" * sum(self.p < level for level in (0.05, 0.01, 0.001))

    def cells(self) -> tuple[float | None, str]:
        """ρ and stars for a table."""
        return (None if math.isnan(self.rho) else self.rho), self.stars


def correlation(x: ArrayLike, y: ArrayLike) -> Correlation:
    """Spearman's ρ of the items that have both values."""
    both = complete(x, y)
    left, right = np.asarray(x, dtype=np.float64)[both], np.asarray(y, dtype=np.float64)[both]
    return Correlation(spearman(left, right), int(both.sum()))


@dataclass(frozen=True)
class PostEditing(Result):
    """What post-editors did and what it cost them."""

    kind: ClassVar[str] = "post-editing"

    data: PostEdited
    labelled: tuple[tuple[Edited, ...], ...]
    measures: dict[str, tuple[float, ...]]  # by segment: score, seconds per word, keystrokes per word, hter, words
    profile: EditProfile
    contrasts: ContrastSets | None  # None: no scores
    signature: str

    @property
    def contrast_sets(self) -> ContrastSets:
        """The contrast sets, which need scores."""
        if self.contrasts is None:
            raise DataError("There are no scores to contrast with the edits. Give a score of each segment.")
        return self.contrasts

    def tables(self) -> list[Table]:
        """The profile; effort against effort; then, with scores, the contrast sets and what goes with the score."""
        tables = [self.profile.tables()[0], self.effort_table()]
        if self.contrasts is not None:
            tables += [self.set_table(), self.category_table()]
            if self.profile.by_class:
                tables.append(self.class_table())
        return tables

    def effort_table(self) -> Table:
        """Spearman's ρ of every two measures of effort."""
        names = list(self.measures)
        rows = []
        for place, first in enumerate(names):
            for second in names[place + 1 :]:
                correlated = correlation(self.measures[first], self.measures[second])
                rows.append((first, second, *correlated.cells(), correlated.n))
        columns = [Column("measure"), Column("with"), Column("rho", "ρ", digits=3), Column("stars"), Column("n")]
        meant = "; ".join(f"{name}: {_MEANINGS[name]}" for name in names)
        return Table.of("Effort against effort", columns, rows, note=f"Spearman's ρ. {meant}.")

    def set_table(self) -> Table:
        """The contrast sets with their sizes and how much was edited and moved."""
        columns = [
            Column("case"),
            Column("score"),
            Column("segments"),
            Column("words"),
            Column("words_per_segment", "words/segment", digits=1),
            Column("edited", digits=3),
            Column("reordered", digits=3),
        ]
        rows = []
        for case in self.contrast_sets.cases:
            for name, places in (("low", case.hard), ("high", case.easy)):
                profile = profile_edits([self.labelled[place] for place in places])
                mean = profile.n_tokens / len(places) if places else None
                meta = profile.meta()
                rows.append((case.name, name, len(places), profile.n_tokens, mean, meta["edited"], meta["reordered"]))
        limits = self.contrast_sets.thresholds
        note = (
            f"Low score: at most {limits.low_score:.4g}, high: at least {limits.high_score:.4g}; "
            f"low TER: at most {limits.few_edits:.4g}, high: at least {limits.many_edits:.4g}."
        )
        return Table.of("Contrast sets", columns, rows, note=note)

    def category_table(self) -> Table:
        """ρ of the score with the share of each kind of edit, in both cases."""
        return self._correlations("Score against edits", [("words", None), *((name, None) for name in CATEGORIES)])

    def class_table(self) -> Table:
        """The same by class of words."""
        pairs = [(name, cls) for cls in CLASSES if cls in self.profile.by_class for name in CATEGORIES]
        return self._correlations("Score against edits, by class of words", pairs)

    def _correlations(self, title: str, wanted: Sequence[tuple[str, Any]]) -> Table:
        by_class = any(cls is not None for _, cls in wanted)
        columns = [
            *([Column("class")] if by_class else []),
            Column("category"),
            Column("low_ter", "ρ low TER", digits=2),
            Column("low_stars", " "),
            Column("high_ter", "ρ high TER", digits=2),
            Column("high_stars", " "),
        ]
        correlations = [{pair: self._with_score(case, *pair) for pair in wanted} for case in self.contrast_sets.cases]
        rows = [
            (
                *([cls] if by_class else []),
                name,
                *correlations[0][name, cls].cells(),
                *correlations[1][name, cls].cells(),
            )
            for name, cls in wanted
        ]
        n = " and ".join(str(len(case.pooled)) for case in self.contrast_sets.cases)
        return Table.of(title, columns, rows, note=f"Spearman's ρ over both sets of a case, {n} segments.")

    def _with_score(self, case: Case, category: str, cls: Any) -> Correlation:
        places = list(case.pooled)
        score = [self.contrast_sets.scores[place] for place in places]
        if category == "words":
            return correlation(score, [self.measures["words"][place] for place in places])
        shares = share_table([self.labelled[place] for place in places], cls)
        return correlation(score, shares[:, CATEGORIES.index(category)])

    def figures(self) -> list[Figure]:
        """Score against edits, where there are scores."""
        if self.contrasts is None:
            return []
        columns = [Column("hter", "edits per word", digits=2), Column("score", digits=2)]
        rows = zip(self.measures["hter"], self.measures["score"], strict=True)
        table = Table.of("Edits and scores", columns, [row for row in rows if not any(map(math.isnan, row))])
        return [Figure("Perceived quality against edits", "scatter", table, "hter", "score")]

    def segment_table(self, case: Case) -> Table:
        """The segments of a case on which score and edits disagree, with their texts."""
        places = case.hard if case.name == "low TER" else case.easy
        columns = [
            Column("segment"),
            Column("score", digits=2),
            Column("hter", digits=2),
            Column("output", is_text=True),
            Column("post_edit", "post-edit", is_text=True),
        ]
        rows = [
            (
                place + 1,
                self.measures["score"][place],
                self.measures["hter"][place],
                self.data.outputs[place],
                self.data.post_edits[place],
            )
            for place in places[:_MOST_SHOWN]
        ]
        return Table.of(case.name, columns, rows, note=f"{len(rows)} of {len(places)} segments.")

    def meta(self) -> dict[str, Any]:
        """Counts and how the words were told."""
        limits = {} if self.contrasts is None else self.contrasts.meta()
        return {"n_segments": len(self.data), "signature": self.signature, **self.profile.meta(), **limits}

    def html(self, *, title: str = "Post-editing") -> str:
        """The study as one page."""
        sections = [
            Section("What was edited", "", (self.profile.tables()[0],)),
            Section("What it cost", "", (self.effort_table(), *self.figures())),
        ]
        if self.contrasts is not None:
            tables = self.tables()[2:]
            sections.append(Section("What goes with the effort people feel", _ADVICE, tables))
            low, high = self.contrasts.cases
            sections += [
                Section("Few edits, much effort", "", (self.segment_table(low),)),
                Section("Many edits, little effort", "", (self.segment_table(high),)),
            ]
        return page(title, sections)


_ADVICE = (
    "Both sets of a case were edited about as much; what differs between them is what people feel. A share that goes "
    "down with the score (negative ρ) marks edits that are felt as hard."
)


def analyse_post_editing(
    data: PostEdited,
    *,
    tokeniser: str = "13a",
    layers: Mapping[str, str] | None = None,
    thresholds: Thresholds | None = None,
    quantiles: bool = True,
    matched: bool = False,
    n_threads: int = 1,
) -> PostEditing:
    """Study post-edited segments.

    `layers` says which annotators make lemmas and parts of speech (`{"lemma": "simplemma:lang=es"}`); without lemmas
    no word counts as changed in form only, without tags there are no classes of words. Contrast sets are taken at
    quantiles of the data, or at `thresholds`; see `mine_contrasts` for `matched`.
    """
    annotators = {"lemmas": layer_annotator(layers or {}, ("lemma",)), "tags": layer_annotator(layers or {}, ("pos",))}
    check_needs([annotator for annotator in annotators.values() if annotator is not None])
    method = TOKENISERS.make(tokeniser)
    sides = []
    for lines in (data.outputs, data.post_edits):
        tokens = [line.split() for line in method.tokenise(list(lines), n_threads=n_threads)]
        values = {name: None if each is None else annotate_once(each, tokens) for name, each in annotators.items()}
        sides.append(
            [
                Words(forms, *(None if layer is None else layer[number] for layer in values.values()))
                for number, forms in enumerate(tokens)
            ]
        )
    outputs, post_edits = sides
    labelled = tuple(label_words(outputs, post_edits, n_threads=n_threads))
    ter = data.hter
    if ter is None:
        ter = hter(*([" ".join(words.forms) for words in side] for side in sides), n_threads=n_threads).values
    measures = _measures(data, [len(words.forms) for words in outputs], ter)
    contrasts = None
    if data.score is not None:
        limits = thresholds or (Thresholds.of_quantiles(data.score, ter) if quantiles else Thresholds())
        contrasts = mine_contrasts(data.score, ter, limits, matched=matched)
    signature = "|".join(
        [f"tok:{tokeniser}", *(f"{name}:{each.signature()}" for name, each in annotators.items() if each is not None)]
    )
    return PostEditing(data, labelled, measures, profile_edits(labelled), contrasts, signature)


def _measures(data: PostEdited, lengths: Sequence[int], ter: Sequence[float]) -> dict[str, tuple[float, ...]]:
    """The measures that there are, those that grow with the sentence as shares of its words."""
    measures: dict[str, tuple[float, ...]] = {}
    for name in MEASURES:
        values = getattr(data, name)
        if values is None:
            continue
        if name == "score":
            measures[name] = values
        else:
            measures[f"{name} per word"] = tuple(
                value / length if length else math.nan for value, length in zip(values, lengths, strict=True)
            )
    return {**measures, "hter": tuple(ter), "words": tuple(map(float, lengths))}
