"""Error classes shown: profiles of systems, and texts with every word labelled (see `classer` for the classes)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.metrics.base import check_threads
from dragoman.metrics.classer import (
    BASE_LAYERS,
    CLASSES,
    PREFIX,
    BlockErrors,
    Classified,
    EnxErrors,
    WordBlockErrors,
    WordErrors,
    WordReader,
    Words,
    XenErrors,
    class_rates,
    classify,
    nearest_reference,
)
from dragoman.metrics.cut_texts import CutTexts
from dragoman.metrics.error_labels import LABELS, ErrorLabels, LabelledSegment, LabelledWord
from dragoman.metrics.references import References, RefsInput, ScoredText
from dragoman.report import Column, Figure, Result, Table

__all__ = ["ErrorProfile", "error_profile", "label_words"]

# Short forms that stand above the words, and the sums with the names the papers give them.
_SUMS = {
    "WΣER": WordErrors.weights,
    "BΣER": BlockErrors.weights,
    "WBΣER": WordBlockErrors.weights,
    "XENΣER": XenErrors.weights,
    "ENXΣER": EnxErrors.weights,
}


@dataclass(frozen=True, eq=False)
class ErrorProfile(Result):
    """How many errors of each class each system makes, in words and in blocks of them."""

    kind: ClassVar[str] = "error profile"

    systems: tuple[str, ...]
    totals: NDArray[np.float64]  # (systems, 12): words and blocks of each class, lengths of hypotheses and references
    ref_totals: NDArray[np.float64]  # (systems, 10): the same counts on the references' side
    edits: NDArray[np.int64]  # (systems)
    n_segments: int
    options: dict[str, Any]

    def rates(self, system: str) -> dict[str, tuple[float, float]]:
        """Word rate and block rate of each class, in per cent."""
        shares = class_rates(self.totals[self._index(system)]).tolist()
        return {name: (shares[k], shares[len(CLASSES) + k]) for k, name in enumerate(CLASSES)}

    def sums(self, system: str) -> dict[str, float]:
        """WΣER, BΣER, WBΣER, XENΣER and ENXΣER, in per cent."""
        rates = class_rates(self.totals[self._index(system)])
        return {name: fsum(rates * np.array(weights)) for name, weights in _SUMS.items()}  # alike on all processors

    def tables(self) -> list[Table]:
        """One row per system and class; then sums by system; then the references' side."""
        return [self._classes(), self._sums(), self._reference_side()]

    def figures(self) -> list[Figure]:
        """The word rate of each class, a bar per system."""
        rates = self._classes()
        names = ("system", "class", "word_rate")
        columns = [column for column in rates.columns if column.name in names]
        table = Table.of("Word rate by error class", columns, zip(*map(rates.column, names), strict=True))
        return [Figure(table.title, "bar", table, x="class", y="word_rate", series="system")]

    def by_class(self) -> Table:
        """Word rates with a row per class and a column per system, to be read across."""
        rates = class_rates(self.totals)
        columns = [Column("class"), *(Column(f"system:{name}", name, digits=2) for name in self.systems)]
        rows = [(name, *rates[:, k]) for k, name in enumerate(CLASSES)]
        return Table.of("Word rate by error class", columns, rows, note=self._note(), is_matrix=True)

    def meta(self) -> dict[str, Any]:
        """How words and base forms were found, and what was counted."""
        sums = {system: self.sums(system) for system in self.systems}
        return {**self.options, "n_segments": self.n_segments, "sums": sums}

    def _classes(self) -> Table:
        n = len(CLASSES)
        rates = class_rates(self.totals)
        rows = [
            (system, name, int(self.totals[s, k]), int(self.totals[s, n + k]), rates[s, k], rates[s, n + k])
            for s, system in enumerate(self.systems)
            for k, name in enumerate(CLASSES)
        ]
        note = self._note("A block is a run of words of one class. ")
        return Table.of("Error classes", _class_columns(), rows, note=note)

    def _note(self, blocks: str = "") -> str:
        return (
            f"Rates per hundred words of the hypothesis, for missing words of the reference. {blocks}All are errors: "
            "lower is better. Classes by the alignment of WER and the words and base forms that both sides share "
            f"(Popović & Ney 2011), against the reference of lowest WER. {self._base_note()}"
        )

    def _base_note(self) -> str:
        base = self.options["base"]
        if base == PREFIX:
            return (
                "Base forms: the first four letters of a word, which need nothing more; an annotator's lemmas or stems "
                "tell inflection errors from lexical ones more surely."
            )
        return "Base forms: as given." if base == "given" else f"Base forms: by {base}."

    def _sums(self) -> Table:
        rows = [
            (
                system,
                100.0 * self.edits[s] / max(self.totals[s, -1], 1.0),
                *self.sums(system).values(),
                int(self.totals[s, -2]),
                int(self.totals[s, -1]),
            )
            for s, system in enumerate(self.systems)
        ]
        columns = [
            Column("system"),
            Column("WER", digits=2),
            *(Column(name, digits=2) for name in _SUMS),
            Column("hyp_words", "words"),
            Column("ref_words", "words of references"),
        ]
        return Table.of("Sums of error rates", columns, rows)

    def _reference_side(self) -> Table:
        n = len(CLASSES)
        rows = []
        for s, system in enumerate(self.systems):
            length = max(self.totals[s, -1], 1.0)
            for k, name in enumerate(CLASSES):
                if name != "extra":
                    words, blocks = self.ref_totals[s, k], self.ref_totals[s, n + k]
                    rows.append((system, name, int(words), int(blocks), 100 * words / length, 100 * blocks / length))
        note = "The same errors seen from the references, per hundred of their words. There are no extra words here."
        return Table.of("Error classes of reference words", _class_columns(), rows, note=note)

    def _index(self, system: str) -> int:
        if system not in self.systems:
            raise DataError(f"The profile has no system {system!r}. Known: {', '.join(self.systems)}.")
        return self.systems.index(system)


def _class_columns() -> list[Column]:
    return [
        Column("system"),
        Column("class"),
        Column("words"),
        Column("blocks"),
        Column("word_rate", "word rate", digits=2),
        Column("block_rate", "block rate", digits=2),
    ]


def error_profile(
    test_set: TestSet,
    *,
    tokeniser: str = "13a",
    lowercase: bool = False,
    hyp_bases: Mapping[str, Sequence[str]] | None = None,
    ref_bases: Sequence[Sequence[str]] | None = None,
    texts: CutTexts | None = None,
    n_threads: int = 1,
) -> ErrorProfile:
    """Errors of each class that each system makes. Of several references the one with the lowest WER counts.

    Base forms are the test set's layer `lemma` or `stem`, without one the first four letters. Or
    they are given, word by word, for each system (`hyp_bases`) and reference (`ref_bases`). `texts` are those of the
    test set where they have been cut by the tokeniser already, with their case.
    """
    if not test_set.systems:
        raise DataError("There are no systems; give at least one: systems={'name': lines}.")
    check_threads(n_threads)
    references, base = References.of_test_set(test_set), _base(test_set.layers)
    if texts is not None and hyp_bases is None and not lowercase:
        reader = WordReader(tokeniser=tokeniser, base=base, vocabulary=texts.vocabulary)
        refs = [reader.with_bases(ids) for ids in texts.refs]
        whole = {
            name: _against(reader.with_bases(ids), refs, references, n_threads) for name, ids in texts.systems.items()
        }
        return _profile(whole, references, _options(tokeniser, lowercase, base, references, has_bases=False))
    reader = WordReader(tokeniser=tokeniser, lowercase=lowercase, base=base)
    streams = _References(reader, references, ref_bases, has_bases=hyp_bases is not None, n_threads=n_threads)
    compared = {
        name: streams.compare(name, hyps, None if hyp_bases is None else hyp_bases.get(name))
        for name, hyps in test_set.systems.items()
    }
    return _profile(compared, references, _options(tokeniser, lowercase, base, references, streams.has_bases))


def label_words(
    hyps: Sequence[str],
    refs: RefsInput,
    *,
    system: str = "system",
    tokeniser: str = "13a",
    lowercase: bool = False,
    layers: Mapping[str, str] | None = None,
    hyp_bases: Sequence[str] | None = None,
    ref_bases: Sequence[Sequence[str]] | None = None,
    hyp_tags: Sequence[str] | None = None,
    ref_tags: Sequence[Sequence[str]] | None = None,
    n_threads: int = 1,
) -> ErrorLabels:
    """Every word of a system's output and of its references with its error class. Options as for `error_profile`.

    `hyp_tags` and `ref_tags` give the words' parts of speech, a tag a word; they change no class.
    """
    if (hyp_tags is None) != (ref_tags is None):
        raise DataError("Parts of speech must be given for both sides or for neither: hyp_tags and ref_tags.")
    check_threads(n_threads)
    references = ScoredText.of_streams([hyps], refs, None).refs
    base = _base(layers or {})
    reader = WordReader(tokeniser=tokeniser, lowercase=lowercase, base=base)
    streams = _References(reader, references, ref_bases, has_bases=hyp_bases is not None, n_threads=n_threads)
    compared = streams.compare(system, hyps, hyp_bases)
    classified, nearest = compared
    hyp_words = reader.words(classified[0].hyp.full)
    ref_words = [reader.words(each.ref.full) for each in classified]
    if ref_tags is not None and len(ref_tags) != len(references.streams):
        raise DataError(f"There are {len(references.streams)} references and parts of speech of {len(ref_tags)}.")
    hyp_side = _tag_lines(system, hyp_tags, classified[0].hyp.offsets)
    ref_sides = [
        _tag_lines(references.names[r], None if ref_tags is None else ref_tags[r], each.ref.offsets)
        for r, each in enumerate(classified)
    ]
    segments = []
    for i, r in enumerate(nearest.tolist()):
        each = classified[r]
        segments.append(
            LabelledSegment(
                _labelled(hyp_words, each.hyp_labels, each.hyp.offsets, i, hyp_side),
                _labelled(ref_words[r], each.ref_labels, each.ref.offsets, i, ref_sides[r]),
                references.names[r],
                int(each.edits[i]),
            )
        )
    options = _options(tokeniser, lowercase, base, references, streams.has_bases)
    return ErrorLabels(system, tuple(segments), _profile({system: compared}, references, options))


_Compared = tuple[list[Classified], NDArray[np.int64]]  # the classes against each reference; the nearest ones


def _base(layers: Mapping[str, str]) -> str:
    return next((layers[layer] for layer in BASE_LAYERS if layer in layers), PREFIX)


def _options(tokeniser: str, lowercase: bool, base: str, references: References, has_bases: bool) -> dict[str, Any]:
    shown = "given" if has_bases else base
    return {"tokeniser": tokeniser, "lowercase": lowercase, "base": shown, "nrefs": references.nrefs}


def _profile(compared: Mapping[str, _Compared], references: References, options: dict[str, Any]) -> ErrorProfile:
    n = 2 * len(CLASSES) + 2
    rows = []
    for classified, nearest in compared.values():
        choices = np.stack(
            [
                np.concatenate([each.rows(), *each.counts(ref_side=True), each.edits[:, np.newaxis]], axis=1)
                for each in classified
            ]
        )
        rows.append(np.take_along_axis(choices, nearest[np.newaxis, :, np.newaxis], axis=0)[0].sum(axis=0))
    sums = np.array(rows)
    return ErrorProfile(
        systems=tuple(compared),
        totals=sums[:, :n],
        ref_totals=sums[:, n:-1],
        edits=sums[:, -1].astype(np.int64),
        n_segments=len(references),
        options=options,
    )


class _References:
    """References read once, for any number of systems."""

    def __init__(
        self,
        reader: WordReader,
        references: References,
        bases: Sequence[Sequence[str]] | None,
        *,
        has_bases: bool,
        n_threads: int,
    ) -> None:
        if has_bases != (bases is not None) or (bases is not None and len(bases) != len(references.streams)):
            raise DataError(
                "Base forms must be given for both sides or for neither: hyp_bases and, for each of the "
                f"{len(references.streams)} references, one stream of ref_bases."
            )
        self.reader, self.references, self.n_threads = reader, references, n_threads
        self.has_bases = has_bases
        self.streams = [
            reader.read(references.lines(r), n_threads=n_threads)
            if bases is None
            else reader.read_with_bases(references.lines(r), bases[r], name=references.names[r], n_threads=n_threads)
            for r in range(len(references.streams))
        ]

    def compare(self, name: str, hyps: Sequence[str], bases: Sequence[str] | None) -> _Compared:
        """The classes against each reference, and each segment's nearest reference."""
        if self.has_bases and bases is None:
            raise DataError(f"hyp_bases has no base forms of {name}.")
        if bases is None:
            hyp = self.reader.read(hyps, n_threads=self.n_threads)
        else:
            hyp = self.reader.read_with_bases(hyps, bases, name=name, n_threads=self.n_threads)
        return _against(hyp, self.streams, self.references, self.n_threads)


def _against(hyp: Words, refs: Sequence[Words], references: References, n_threads: int) -> _Compared:
    """A system's words against each reference, and each segment's nearest."""
    classified = [classify(hyp, ref, n_threads=n_threads) for ref in refs]
    return classified, nearest_reference(classified, references)


def _labelled(
    words: Sequence[str],
    labels: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    segment: int,
    tags: Sequence[Sequence[str]] | None,
) -> tuple[LabelledWord, ...]:
    begin, end = int(offsets[segment]), int(offsets[segment + 1])
    own: Sequence[str | None] = [None] * (end - begin) if tags is None else tags[segment]
    return tuple(
        LabelledWord(word, LABELS[label], tag)
        for word, label, tag in zip(words[begin:end], labels[begin:end].tolist(), own, strict=True)
    )


def _tag_lines(name: str, lines: Sequence[str] | None, offsets: NDArray[np.int64]) -> list[list[str]] | None:
    """The tags of each segment, as many as it has words."""
    if lines is None:
        return None
    lengths = np.diff(offsets).tolist()
    if len(lines) != len(lengths):
        raise DataError(f"Parts of speech of {name}: {len(lines)} lines for {len(lengths)} segments.")
    tags = [line.split() for line in lines]
    for number, (own, length) in enumerate(zip(tags, lengths, strict=True), start=1):
        if len(own) != length:
            raise DataError(
                f"Parts of speech of {name}, line {number}: {len(own)} tags for {length} words. Give the text as it "
                "was tagged, with the tokeniser none."
            )
    return tags
