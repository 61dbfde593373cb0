"""Do annotators agree on frames? Agreement at the five stages of HMEANT (Birch et al., WMT 2013, §5.1, Tables 3–9).

Agreement is F1 with one annotator as the truth: matches over the labels of either. Stages are pipelined: whoever did
not mark an action did not link it either.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar, Literal

from dragoman.data.frames import Frame, FrameAnnotation, FrameStudy, ReferenceFrames
from dragoman.errors import DataError
from dragoman.report import Column, Figure, Result, Sentence, Table, joined

__all__ = ["Confusion", "FrameAgreement", "StageAgreement", "frame_agreement"]

Side = Literal["reference", "output"]
Labels = Counter[Hashable]

_SHOWN = 5  # confusions in the table, as in Tables 5 and 6; the result has all


@dataclass(frozen=True)
class StageAgreement:
    """Agreement at one stage, pooled over all pairs of annotators of a text."""

    lang: str
    stage: str
    side: Side | None  # links have no side
    matches: int
    n_first: int  # labels of the annotators whose names come first
    n_second: int
    n_pairs: int  # pairs of annotations compared

    @property
    def f1(self) -> float | None:
        """2PR / (P + R), which is 2 · matches / all labels; None where nobody set a label."""
        return 2 * self.matches / (self.n_first + self.n_second) if self.n_first + self.n_second else None


@dataclass(frozen=True)
class Confusion:
    """How often two annotators gave one filler these two roles, in references and outputs."""

    lang: str
    roles: tuple[str, str]
    count: int


@dataclass(frozen=True)
class FrameAgreement(Result):
    """Agreement at every stage and language, and which roles were taken for which."""

    kind: ClassVar[str] = "frame-agreement"

    stages: tuple[StageAgreement, ...]
    confusions: tuple[Confusion, ...]
    compat: str | None
    provenance: Mapping[str, Any]

    def stage(self, lang: str, stage: str, side: Side | None = None) -> StageAgreement:
        """One row."""
        for each in self.stages:
            if (each.lang, each.stage, each.side) == (lang, stage, side):
                return each
        raise DataError(f"There is no agreement on {stage!r} of {side or 'links'} in {lang!r}.")

    def tables(self) -> list[Table]:
        """Stages, then confusions."""
        counts = ["lang", "stage", "side", "matches", "n_first", "n_second", "n_pairs"]
        rows = [(s.lang, s.stage, s.side, s.matches, s.n_first, s.n_second, s.n_pairs, s.f1) for s in self.stages]
        notes = [
            Sentence("F1 of one annotator against the other. Links count as missed where an action was not marked.")
        ]
        if self.compat:
            notes.append(Sentence("As published in 2013: see the guide for what the honest figures do otherwise."))
        note = joined(notes)
        shown = Sentence("The {n} most frequent of each language.", n=_SHOWN)
        langs = dict.fromkeys(each.lang for each in self.confusions)
        top = [[each for each in self.confusions if each.lang == lang][:_SHOWN] for lang in langs]
        confused = [(each.lang, *each.roles, each.count) for group in top for each in group]
        return [
            Table.of("Agreement on frames", [*counts, Column("f1", digits=3)], rows, note=note),
            Table.of("Roles taken for each other", ["lang", "role", "other_role", "count"], confused, note=shown),
        ]

    def figures(self) -> list[Figure]:
        """F1 by stage."""
        rows = [(f"{s.stage} ({s.side})" if s.side else s.stage, s.lang, s.f1) for s in self.stages]
        table = Table.of("Agreement by stage", ["stage", "lang", Column("f1", digits=3)], rows)
        return [Figure("Agreement by stage", "bar", table, x="stage", y="f1", series="lang")]

    def meta(self) -> dict[str, Any]:
        """Which annotations, read how."""
        return {**self.provenance, "compat": self.compat, "unit": "pairs of annotators of one text"}


def frame_agreement(study: FrameStudy, *, compat: Literal["wmt13"] | None = None) -> FrameAgreement:
    """Agreement of the annotators of a study.

    `compat="wmt13"` repeats two quirks behind the figures of Birch et al. (2013): where an annotator marked nothing in
    an output, the reference's frames stand for it (identification, Tables 3 and 7), and links are compared only where
    both marked something in the output (Tables 8 and 9).
    """
    if compat not in (None, "wmt13"):
        raise DataError(f"compat is 'wmt13' or nothing, got {compat!r}.")
    outputs = _pairs(study.annotations, lambda a: (a.lang, a.segment, a.system))
    references = _pairs(study.references, lambda a: (a.lang, a.segment))
    stages, confusions = [], []
    for lang in study.langs:
        mine = [pair for pair in outputs if pair[0].lang == lang]
        refs = [(a.frames, b.frames) for a, b in references if a.lang == lang]
        hyps = [(a.hyp, b.hyp) for a, b in mine]
        # An empty output annotation fell back to its copy of the reference.
        marked = [(a.hyp or a.ref, b.hyp or b.ref) for a, b in mine] if compat else hyps
        linked = [(a, b) for a, b in mine if a.hyp and b.hyp] if compat else mine
        for side, identified, classified in (("reference", refs, refs), ("output", marked, hyps)):
            stages += [
                _pooled(lang, "role identification", side, identified, _spans),
                _classified(lang, side, classified),
                _pooled(lang, "action identification", side, identified, _actions),
            ]
        stages += [
            _pooled(lang, "action alignment", None, linked, _action_links),
            _pooled(lang, "role alignment", None, linked, _role_links),
        ]
        confusions += [Confusion(lang, roles, count) for roles, count in _confusions([*refs, *hyps])]
    return FrameAgreement(tuple(stages), tuple(confusions), compat, study.provenance)


def _pairs(annotations: Sequence[Any], text: Callable[[Any], Hashable]) -> list[tuple[Any, Any]]:
    """All pairs of annotations of one text, the annotators in the order of their names."""
    by_text: dict[Hashable, list[FrameAnnotation | ReferenceFrames]] = {}
    for annotation in annotations:
        by_text.setdefault(text(annotation), []).append(annotation)
    return [pair for group in by_text.values() for pair in combinations(sorted(group, key=lambda a: a.annotator), 2)]


def _pooled(
    lang: str, stage: str, side: Any, pairs: Sequence[tuple[Any, Any]], labels: Callable[[Any], Labels]
) -> StageAgreement:
    matches = n_first = n_second = 0
    for first, second in pairs:
        a, b = labels(first), labels(second)
        matches += (a & b).total()
        n_first += a.total()
        n_second += b.total()
    return StageAgreement(lang, stage, side, matches, n_first, n_second, len(pairs))


def _spans(frames: Iterable[Frame]) -> Labels:
    """Stretches of all actions and fillers, whatever their frame."""
    labels: Labels = Counter()
    for frame in frames:
        labels[frame.action, frame.action + 1] += 1
        labels.update((filler.start, filler.end) for filler in frame.fillers)
    return labels


def _actions(frames: Iterable[Frame]) -> Labels:
    return Counter(frame.action for frame in frames)


def _roles(frames: Iterable[Frame]) -> dict[tuple[int, int, int], str]:
    return {(frame.action, s.start, s.end): s.role for frame in frames for s in frame.fillers}


def _classified(lang: str, side: Any, pairs: Sequence[tuple[Any, Any]]) -> StageAgreement:
    """Roles of the fillers that both found in one frame."""
    matches = shared = 0
    for first, second in pairs:
        a, b = _roles(first), _roles(second)
        both = a.keys() & b.keys()
        shared += len(both)
        matches += sum(a[place] == b[place] for place in both)
    return StageAgreement(lang, "role classification", side, matches, shared, shared, len(pairs))


def _confusions(pairs: Sequence[tuple[Any, Any]]) -> list[tuple[tuple[str, str], int]]:
    counts: Counter[tuple[str, str]] = Counter()
    for first, second in pairs:
        a, b = _roles(first), _roles(second)
        for place in a.keys() & b.keys():
            if a[place] != b[place]:
                low, high = sorted((a[place], b[place]))
                counts[low, high] += 1
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))


def _action_links(annotation: FrameAnnotation) -> Labels:
    """Pairs of linked actions, full and partial alike."""
    return Counter(
        (annotation.ref[link.ref].action, annotation.hyp[link.hyp].action) for link in annotation.action_links
    )


def _role_links(annotation: FrameAnnotation) -> Labels:
    """Links that count for the score, by frame and role: inside linked frames, of one role, wherever they stand."""
    linked = {(link.ref, link.hyp) for link in annotation.action_links}
    labels: Labels = Counter()
    for link in annotation.filler_links:
        (ref, r), (hyp, h) = link.ref, link.hyp
        role = annotation.ref[ref].fillers[r].role
        if (ref, hyp) in linked and role == annotation.hyp[hyp].fillers[h].role:
            labels[annotation.ref[ref].action, role] += 1
    return labels
