"""Phrase probabilities from the training text translated again as lattices (Wuebker & Ney, WMT 2012).

Every sentence pair is translated again, its target being told and its source a lattice of layers: which layers suit
which words shows in the phrases that are used. A phrase's probability is how often it was used, of all times that its
source stood in the text: a layer that is rarely used loses, where its own counts would never say so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.report import Column, Result, Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.alternatives import MARKS, AlternativeSection, LayeredLine
from dragoman.smt.constraints import Constraints, Lattice, TargetWords, core_constraints
from dragoman.smt.ngram_counts import count_ngrams
from dragoman.smt.phrase_table import PhraseExtraction, PhraseTable
from dragoman.smt.pooling import pair_scores
from dragoman.smt.search import SearchLimits
from dragoman.smt.weights import default_weights
from dragoman.text.tokens import TokenIds

__all__ = ["ForcedLattices", "force_lattices", "with_layer_features"]

_ONCE = -5.0  # log β: of a phrase that only the batch has, for each of its words
_BACKOFF = -12.0  # log γ: of a pair that is made up for a word without any; below β²
_LIMITS = SearchLimits(pop_limit=100, distortion_limit=12)
_RESTORED = 3  # translations that a word keeps if none of its own was used
_COUNTS = -3  # where a table's counts begin: of pair, source, target


@dataclass(frozen=True)
class ForcedLattices(Result):
    """What forced decoding of lattices found."""

    kind: ClassVar[str] = "forced lattices"

    n_pairs: int  # sentence pairs
    n_reached: int  # translated again
    n_backoff: int  # of these, only with pairs that were made up
    n_before: int  # phrase pairs
    n_left: int
    words: Mapping[str, float]  # by layer: source words of the phrases that were used, a derivation's mean

    def tables(self) -> list[Table]:
        """Sentence pairs and phrase pairs; words by layer."""
        rows = [
            ("sentence pairs translated again", self.n_reached, self.n_pairs, self.n_reached / max(1, self.n_pairs)),
            ("with pairs made up for words", self.n_backoff, self.n_pairs, self.n_backoff / max(1, self.n_pairs)),
            ("phrase pairs left", self.n_left, self.n_before, self.n_left / max(1, self.n_before)),
        ]
        total = sum(self.words.values()) or 1.0
        used = [(layer, round(n), n / total) for layer, n in self.words.items()]
        return [
            Table.of("Forced lattices", ["what", "n", "of", Column("share", digits=3)], rows),
            Table.of("Words used", ["layer", "words", Column("share", digits=3)], used),
        ]


def with_layer_features(table: PhraseTable, section: AlternativeSection) -> PhraseTable:
    """The table with two features for each layer: 1 for phrases of it, and the number of their words."""
    source, offsets, runs, _, _ = _core.phrase.phrases_of(table.core)
    layers = _layers_of(table, section.names)[source[offsets[:-1]]]
    values = np.zeros((len(table), 2 * len(section.names)), dtype=np.float32)
    of_pairs = np.repeat(np.arange(len(runs) - 1), np.diff(runs))
    n_words = np.diff(offsets)[of_pairs]
    for place in range(len(section.names)):
        own = layers[of_pairs] == place
        values[own, 2 * place] = 1.0
        values[own, 2 * place + 1] = n_words[own]
    scores, n = _core.phrase.all_scores(table.core), len(table.features)
    widened = np.concatenate([scores[:, :n], values, scores[:, n:]], axis=1)
    core = _core.phrase.with_scores(table.core, np.ascontiguousarray(widened))
    return _like(table, core, (*table.features, *section.feature_names))


def _like(table: PhraseTable, core: _core.phrase.PhraseTable, features: Sequence[str] | None = None) -> PhraseTable:
    return PhraseTable(
        core,
        table.source,
        table.target,
        table.recipe,
        features=table.features if features is None else features,
        orientation=table.orientation,
        data=table.data,
    )


def _layers_of(table: PhraseTable, names: Sequence[str]) -> NDArray[np.int64]:
    """The layer of each source word, by its number."""
    marks = [(place, MARKS[name]) for place, name in enumerate(names) if MARKS[name]]
    return np.array(
        [next((place for place, mark in marks if word.startswith(mark)), 0) for word in table.source.words()],
        dtype=np.int64,
    )


def force_lattices(
    table: PhraseTable,
    lines: Sequence[LayeredLine],
    targets: Sequence[str],
    text: AlignedText,
    section: AlternativeSection,
    *,
    weights: Mapping[str, float] | None = None,
    n_threads: int = 1,
) -> tuple[PhraseTable, ForcedLattices]:
    """The table with probabilities of the phrases that its text uses, and what was found on the way.

    `lines` and `targets` are the sentence pairs, `text` what the table was extracted from: all layers, one behind the
    other. While a batch of pairs is translated its own counts are left out. A pair that no derivation reaches is tried
    again with pairs made up for its words, which no table keeps; what is not reached then says nothing.
    """
    check_parallel({"lines": lines, "targets": targets})
    counts = np.zeros(len(table))
    reached = backed_off = 0
    words = dict.fromkeys(section.names, 0.0)
    forcing = _Forcing(table, section, weights or {}, n_threads)
    for begin in range(0, len(lines), section.batch):
        end = min(len(lines), begin + section.batch)
        own = forcing.left_out(text.between(begin, end, len(lines)))
        found = forcing.translate(own, lines[begin:end], targets[begin:end])
        counts += found.counts
        reached += found.n_reached
        backed_off += found.n_backoff
        for layer, n in zip(section.names, found.words, strict=True):
            words[layer] += n
    estimated = _estimated(table, counts, text, len(text) // (len(lines) * len(section.names)))
    return estimated, ForcedLattices(
        n_pairs=len(lines),
        n_reached=reached,
        n_backoff=backed_off,
        n_before=len(table),
        n_left=len(estimated),
        words=words,
    )


@dataclass(frozen=True)
class _Found:
    counts: NDArray[np.float64]  # by pair of the table
    words: list[float]  # by layer
    n_reached: int
    n_backoff: int


class _Forcing:
    """Translates sentence pairs again by the pairs of one table."""

    def __init__(
        self, table: PhraseTable, section: AlternativeSection, weights: Mapping[str, float], n_threads: int
    ) -> None:
        self.table = table
        self.section = section
        self.weights = weights
        self.n_threads = n_threads
        _, self.source_offsets, self.runs, _, target_offsets = _core.phrase.phrases_of(table.core)
        self.of_source = np.repeat(np.arange(len(self.runs) - 1), np.diff(self.runs))
        self.n_words = np.diff(self.source_offsets)[self.of_source] + np.diff(target_offsets)
        self.layers = _layers_of(table, section.names)
        self.scores = _core.phrase.all_scores(table.core)

    def left_out(self, batch: AlignedText) -> PhraseTable:
        """The table without the counts of a batch; p(source | target) of pairs that the batch lacks is as it was."""
        recipe = PhraseExtraction(
            longest=int(getattr(self.table.recipe, "longest", 7)), smoothing="none", translations_per_phrase=0
        )
        own = np.maximum(pair_scores(recipe.extract(batch, self.table.source, self.table.target), self.table), 0)
        scores = self.scores.copy()
        pair, source, target = (scores[:, _COUNTS + i].astype(float) for i in range(3))
        own_pair, own_source, own_target = (own[:, _COUNTS + i].astype(float) for i in range(3))
        # Every pair of a source phrase lacks what the batch has of the phrase, whether or not it has the pair.
        shared = np.maximum.reduceat(own_source, self.runs[:-1])[self.of_source] if len(own_source) else own_source
        once = _ONCE * self.n_words
        scores[:, 0] = _left_out(scores[:, 0], pair, target, own_pair, own_target, once)
        scores[:, 2] = _left_out(scores[:, 2], pair, source, own_pair, shared, once)
        return _like(self.table, _core.phrase.with_scores(self.table.core, scores))

    def translate(self, own: PhraseTable, lines: Sequence[LayeredLine], targets: Sequence[str]) -> _Found:
        """What the derivations of a batch use."""
        engine = _engine([own])
        counts, words = np.zeros(len(own)), [0.0] * len(self.section.names)
        missed = self._count(engine, [own], lines, targets, counts, words)
        made_up = self._made_up([lines[i] for i in missed], [targets[i] for i in missed])
        lost = len(missed)
        if made_up is not None:
            both = [own, made_up]
            again = [lines[i] for i in missed], [targets[i] for i in missed]
            lost = len(self._count(_engine(both), both, *again, counts, words))
        return _Found(counts, words, len(lines) - lost, len(missed) - lost)

    def _count(
        self,
        engine: _core.phrase.Engine,
        tables: Sequence[PhraseTable],
        lines: Sequence[LayeredLine],
        targets: Sequence[str],
        counts: NDArray[np.float64],
        words: list[float],
    ) -> list[int]:
        """Add what derivations use; returns which lines have none."""
        table = self.table
        lattices = [line.lattice(self.section.lattice, number_arcs=True)[0] for line in lines]
        numbers = TargetWords(table.target)
        constraints = [
            core_constraints(Constraints(lattice=lattice, target=target), (), source=table.source, words=numbers)
            for lattice, target in zip(lattices, targets, strict=True)
        ]
        lengths = [len(line.words) for line in lines]
        found = engine.decode(
            np.zeros(sum(lengths), dtype=np.int32),
            np.cumsum([0, *lengths], dtype=np.int64),
            self._vector(engine, tables),
            _LIMITS.core(),
            n_best=self.section.n_best,
            distinct=False,
            features=False,
            n_threads=self.n_threads,
            constraints=constraints,
        )
        pairs: list[tuple[list[int], list[int]]] = []
        shares: list[float] = []
        ids = [[numbers.id(word) for word in target.split()] for target in targets]
        find = {word: number for number, word in enumerate(table.source.words())}
        for line, arc, begin, end, first, n_target, share in _uses(found):
            way = _way(lattices[line], arc, begin, end, self.section.names)
            pairs.append(([find.get(token, -1) for token in way], ids[line][first : first + n_target]))
            shares.append(share)
        places = _found_in(table, pairs)
        for (source, _), place, share in zip(pairs, places.tolist(), shares, strict=True):
            if place >= 0:
                counts[place] += share
                words[self.layers[source[0]]] += share * len(source)
        return np.flatnonzero(np.diff(found.path_offsets) == 0).tolist()

    def _vector(self, engine: _core.phrase.Engine, tables: Sequence[PhraseTable]) -> NDArray[np.float32]:
        """The weights of the features, those of a made-up table as of the first."""
        names, n = engine.names(), len(self.table.features)
        shared = [*self.table.features, *self.table.features[:4]][: n + 4 * (len(tables) - 1)]
        known = default_weights([*shared, *names[len(shared) :]]) | dict(self.weights)
        return np.array([known[name] for name in [*shared, *names[len(shared) :]]], dtype=np.float32)

    def _made_up(self, lines: Sequence[LayeredLine], targets: Sequence[str]) -> PhraseTable | None:
        """Pairs of every word that has no translation in its sentence with every word there."""
        known: dict[str, frozenset[str]] = {}
        made: dict[tuple[str, str], None] = {}
        for line, target in zip(lines, targets, strict=True):
            grams = set(_grams(target.split(), self.table.core.longest))
            for layer in self.section.names:
                for token in line.line(layer).split():
                    if token not in known:
                        known[token] = frozenset(pair.target for pair in self.table.translations(token))
                    if not known[token] & grams:
                        made |= {(token, word): None for word in target.split()}
        usable = [
            (s, t) for s, t in made if self.table.source.get(s) is not None and self.table.target.get(t) is not None
        ]
        if not usable:
            return None
        sides = [
            TokenIds(np.array([side.get(each) for each in words], dtype=np.int32), np.arange(len(usable) + 1))
            for side, words in zip((self.table.source, self.table.target), zip(*usable, strict=True), strict=True)
        ]
        links = np.zeros((len(usable), 2), dtype=np.uint16)
        text = AlignedText(sides[0], sides[1], links, np.arange(len(usable) + 1))
        recipe = PhraseExtraction(smoothing="none", orientation=self.table.orientation, translations_per_phrase=0)
        table = recipe.extract(text, self.table.source, self.table.target)
        scores = _core.phrase.all_scores(table.core).copy()
        scores[:, 0] = scores[:, 2] = _BACKOFF
        return _like(table, _core.phrase.with_scores(table.core, scores))


def _engine(tables: Sequence[PhraseTable]) -> _core.phrase.Engine:
    """A decoder without language models: the translation is told."""
    uses = [(table.core, len(table.features)) for table in tables]
    return _core.phrase.Engine.make(uses, [], _core.phrase.Orientation[tables[0].orientation])


def _left_out(
    log_p: NDArray[np.float32],
    count: NDArray[np.float64],
    total: NDArray[np.float64],
    own_count: NDArray[np.float64],
    own_total: NDArray[np.float64],
    once: NDArray[np.float64],
) -> NDArray[np.float32]:
    """Log p without some counts (see `left_out` of the core), and `once` for what nothing is left of."""
    rest, left = total - own_total, count - own_count
    smoothed = np.exp(log_p.astype(float)) * total
    kept = np.where(smoothed > own_count, smoothed - own_count, smoothed * left / np.maximum(count, 1e-9))
    with np.errstate(divide="ignore", invalid="ignore"):
        log_kept = np.log(np.minimum(1.0, kept / rest))
    gone = (left <= 0) | (rest <= 0)
    changed = (own_count > 0) | (own_total > 0)
    values = np.where(gone, once, np.maximum(log_kept, once))
    return np.where(changed, values, log_p).astype(np.float32)


def _uses(found: _core.phrase.Translations) -> Iterator[tuple[int, int, int, int, int, int, float]]:
    """The phrases of all derivations, each once for its sentence: line, an arc of it, nodes, target words, share."""
    paths, word_ends, phrase_ends = found.path_offsets, found.word_offsets, found.phrase_offsets
    if not len(found.phrases):
        return
    arc_of = np.full(int(word_ends[-1]) + 1, -1, dtype=np.int64)
    link_paths = np.repeat(np.arange(len(word_ends) - 1), np.diff(found.link_offsets))
    arc_of[word_ends[link_paths] + found.links[:, 1]] = found.links[:, 0]
    phrases = found.phrases.astype(np.int64)
    path = np.repeat(np.arange(len(phrase_ends) - 1), np.diff(phrase_ends))
    ends = np.cumsum(phrases[:, 2])  # words of all derivations stand one behind the other
    first = ends - phrases[:, 2]
    says = phrases[:, 2] > 0
    arcs = np.maximum.reduceat(arc_of, first[says])
    line = np.repeat(np.arange(len(paths) - 1), np.diff(paths))[path]
    share = 1.0 / np.diff(paths)[line]
    rows = np.stack([line, path * 0, phrases[:, 0], phrases[:, 1], first - word_ends[path], phrases[:, 2]], axis=1)[
        says
    ]
    rows[:, 1] = arcs
    unique, inverse = np.unique(rows, axis=0, return_inverse=True)
    totals = np.bincount(inverse.ravel(), weights=share[says], minlength=len(unique))
    for (number, arc, begin, end, at, n_target), total in zip(unique.tolist(), totals.tolist(), strict=True):
        if arc >= 0:
            yield number, arc, begin, end, at, n_target, total


def _way(lattice: Lattice, arc: int, begin: int, end: int, names: Sequence[str]) -> list[str]:
    """The tokens between two nodes in the layer of an arc."""
    mark = _mark(lattice.arcs[arc][2], names)
    steps = {a: (b, token) for a, b, token, _ in lattice.arcs if _mark(token, names) == mark}
    tokens, node = [], begin
    while node < end and node in steps:
        node, token = steps[node]
        tokens.append(token)
    return tokens


def _mark(token: str, names: Sequence[str]) -> str:
    return next((MARKS[name] for name in names if MARKS[name] and token.startswith(MARKS[name])), "")


def _grams(words: Sequence[str], longest: int) -> Iterator[str]:
    for begin in range(len(words)):
        for end in range(begin + 1, min(len(words), begin + longest) + 1):
            yield " ".join(words[begin:end])


def _found_in(table: PhraseTable, pairs: Sequence[tuple[list[int], list[int]]]) -> NDArray[np.int64]:
    """The numbers of pairs in the table, -1 for those that it lacks."""
    flat: list[Any] = []
    for side in range(2):
        flat.append(np.array([word for pair in pairs for word in pair[side]], dtype=np.int32))
        flat.append(np.cumsum([0, *(len(pair[side]) for pair in pairs)], dtype=np.int64))
    return _core.phrase.find_pairs(table.core, *flat)


def _estimated(table: PhraseTable, counts: NDArray[np.float64], text: AlignedText, copies: int) -> PhraseTable:
    """The pairs that were used, with p = how often / how often the given phrase stands in all layers of the text.

    Each aligner has a copy of the text.
    """
    source, source_offsets, runs, target, target_offsets = _core.phrase.phrases_of(table.core)
    of_source = np.repeat(np.arange(len(runs) - 1), np.diff(runs))
    sources = count_ngrams(text.source, TokenIds(source, source_offsets))[of_source] / copies
    targets = count_ngrams(text.target, TokenIds(target, target_offsets)) / copies
    used = counts > 0
    least = counts[used].min() if used.any() else 1.0
    kept = np.where(used, counts, least)
    scores = _core.phrase.all_scores(table.core).copy()
    scores[:, 0] = np.log(np.minimum(1.0, kept / np.maximum(targets, kept)))
    scores[:, 2] = np.log(np.minimum(1.0, kept / np.maximum(sources, kept)))
    core = _core.phrase.with_scores(table.core, scores)
    return _like(table, _core.phrase.keep_used(core, used.astype(np.uint8), _RESTORED))
