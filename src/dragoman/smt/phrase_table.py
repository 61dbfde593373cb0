"""A phrase table with its vocabularies, as an artifact, and the recipes that give one: extraction and combination."""

from __future__ import annotations

import json
import mmap
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, ModelError
from dragoman.options import Recipe, filled, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.pooling import DOMAINS, POOLED, domain_features, pair_scores, pooled_scores
from dragoman.smt.table_weights import likeliest_weights
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "COMBINATIONS",
    "EXTRACTED",
    "ORIENTATIONS",
    "UNKNOWN",
    "PhraseExtraction",
    "PhrasePair",
    "PhraseTable",
    "TableCombination",
    "interpolation_weights",
]

UNKNOWN = " "  # the word for the unknown: no token holds white space, so no text can hold it

ORIENTATIONS = ("none", "word", "hierarchical")
SIGNIFICANCES = ("none", "a-e", "a+e")
SMOOTHINGS = ("none", "good-turing", "kneser-ney")
COMBINATIONS = ("both", "either", "back-off", "fill-up", "interpolated", *POOLED)
EXTRACTED = ("table.1", "table.2", "table.3", "table.4")  # features of a table as it was extracted

_EPSILON = 0.001  # in −log p: larger than any rounding, smaller than any difference
_TABLE, _SOURCE, _TARGET = "phrases.bin", "source.vocabulary", "target.vocabulary"
_FEATURES = "features.json"


@dataclass(frozen=True)
class PhrasePair:
    """A source phrase, one translation of it, how their words are linked (source-target, from 0), and its scores."""

    source: str
    target: str
    links: tuple[tuple[int, int], ...]
    scores: tuple[float, ...]  # natural logarithms


class PhraseTable(Artifact):
    """Source phrases and their translations, each with scores, as natural logarithms but for the counts.

    First its `features`, of an extracted table p(s|t), its lexical weight, p(t|s), its lexical weight; then, if
    `oriented`, the probabilities of monotone, swapped and discontinuous towards what is before and behind, and, if
    `labelled`, the same given the label of the target phrase; last, if `counted`, how often pair, source and target
    were met.
    """

    kind: ClassVar[str] = "phrase table"
    format: ClassVar[int] = 1

    core: _core.phrase.PhraseTable  # what kernels take
    source: Vocabulary
    target: Vocabulary

    def __init__(
        self,
        core: _core.phrase.PhraseTable,
        source: Vocabulary,
        target: Vocabulary,
        recipe: Recipe,
        *,
        features: Sequence[str] = EXTRACTED,
        orientation: str | None = None,
        labelled: bool = False,
        data: Mapping[str, str] | None = None,
        file: Path | None = None,
    ) -> None:
        self.core = core
        self.file = file  # that `core` lies on: saved by copying it
        self.features = tuple(features)
        self.orientation = str(getattr(recipe, "orientation", "none")) if orientation is None else orientation
        self.labelled = labelled  # six more orientation scores, of what target phrases are called
        self.source = source.freeze()
        self.target = target.freeze()
        self.recipe = recipe
        self.data = dict(data or {})

    def __len__(self) -> int:
        """The number of phrase pairs."""
        return len(self.core)

    def __repr__(self) -> str:
        return f"<PhraseTable of {len(self):,} pairs of {self.n_sources:,} source phrases>"

    @property
    def n_sources(self) -> int:
        """The number of different source phrases."""
        return self.core.n_sources

    @property
    def oriented(self) -> bool:
        """True if the pairs have orientation scores, six behind the features."""
        return self.orientation != "none"

    @property
    def n_orientations(self) -> int:
        """Orientation scores: none, six, or twelve with those of labels."""
        return (6 if self.oriented else 0) + (6 if self.labelled else 0)

    @property
    def counted(self) -> bool:
        """True if the last three scores are counts."""
        return self.core.n_scores == len(self.features) + self.n_orientations + 3

    def translations(self, phrase: str) -> list[PhrasePair]:
        """The translations of a tokenised source phrase, the most probable first; none if the table lacks it."""
        words = phrase.split()
        ids = self.source.find(words)
        if not ids or -1 in ids:
            return []
        return [
            PhrasePair(" ".join(words), " ".join(map(self.target.word, target)), tuple(links), tuple(scores))
            for target, links, scores in self.core.find(np.array(ids, dtype=np.int32))
        ]

    def count(self, word: str) -> int:
        """How often a source word was met with a translation of its own; 0 if it has none."""
        number = self.source.get(word)
        translations = [] if number is None else self.core.find(np.array([number], dtype=np.int32))
        return int(translations[0][2][-2]) if translations else 0

    def _write(self, folder: Path) -> None:
        if self.file is not None:
            shutil.copyfile(self.file, folder / _TABLE)
        else:
            (folder / _TABLE).write_bytes(self.core.serialised())
        self.source.save(folder / _SOURCE)
        self.target.save(folder / _TARGET)
        own = self.orientation == getattr(self.recipe, "orientation", None) and not self.labelled
        if self.features != EXTRACTED or not own:
            layout: dict[str, Any] = {"features": list(self.features), "orientation": self.orientation}
            if self.labelled:
                layout["labelled"] = True
            (folder / _FEATURES).write_text(json.dumps(layout, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        file = folder / _TABLE
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the table again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        source, target = Vocabulary.load(folder / _SOURCE), Vocabulary.load(folder / _TARGET)
        try:
            core = _core.phrase.PhraseTable.on_file(content, len(target))
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None
        made_by: type[Recipe] = TableCombination if "mode" in manifest.recipe else PhraseExtraction
        layout: dict[str, Any] = {"features": EXTRACTED, "orientation": None}
        if (folder / _FEATURES).is_file():
            layout = json.loads((folder / _FEATURES).read_text(encoding="utf-8"))
        table = cls(core, source, target, made_by.from_dict(manifest.recipe), **layout, data=manifest.data)
        own = len(table.features) + table.n_orientations
        if core.n_scores not in (own, own + 3):
            raise ModelError(f"{file} does not fit the vocabularies and features beside it. Build it again.")
        return table


@dataclass(frozen=True)
class PhraseExtraction(Recipe):
    """How to extract and score phrase pairs."""

    longest: int = option(7, low=1, high=255, text="words of a phrase, on either side")
    smoothing: str = option(
        "kneser-ney", choices=SMOOTHINGS, text="of phrase probabilities (Foster, Kuhn & Johnson 2006)"
    )
    orientation: str = option("word", choices=ORIENTATIONS, text="what a phrase is oriented to")
    orientation_smoothing: float = option(0.5, low=0, text="weight of the orientations of all phrases together")
    significance: str = option(
        "none",
        choices=SIGNIFICANCES,
        text="prune pairs that meet by chance (Fisher's test, Johnson et al. 2007): a-e keeps what was met once in all "
        "ways, a+e does not",
    )
    translations_per_phrase: int = option(100, low=0, text="of one source phrase, the most probable; 0: all")

    def extract(self, text: AlignedText, source: Vocabulary, target: Vocabulary, *, n_threads: int = 1) -> PhraseTable:
        """The phrase table of an aligned bitext, whose ids are those of the vocabularies."""
        self.check()
        check_parallel({"source": text.source, "target": text.target, "alignment": text.link_offsets[1:]})
        options = filled(_core.phrase.ExtractOptions(), self, n_threads=n_threads)
        core, *_ = _core.phrase.extract(
            text.source.ids,
            text.source.offsets,
            text.target.ids,
            text.target.offsets,
            text.links,
            text.link_offsets,
            options,
            text.weights,
        )
        if self.significance != "none" and len(text):
            # Two phrases that occur once each, and together, have p = 1/n: that is the limit, with or without them.
            least = log(len(text)) + (_EPSILON if self.significance == "a+e" else -_EPSILON)
            core = _core.phrase.prune_by_significance(
                core,
                text.source.ids,
                text.source.offsets,
                text.target.ids,
                text.target.offsets,
                least=least,
                n_threads=n_threads,
            )
        return PhraseTable(core, source, target, self)


@dataclass(frozen=True)
class TableCombination(Recipe):
    """How several phrase tables become one.

    `both` keeps the pairs that all have, with the features of all; `either` all pairs, once for each table that has
    them, the others' features neutral (KIT, WMT 2009; Moses' alternative decoding paths); `back-off` asks a later table
    for the source phrases that earlier ones lack; `fill-up` takes a pair from the first table that has it and says so
    in a feature of its own (Bisazza, Ruiz & Federico, IWSLT 2011); `interpolated` adds up weighted probabilities.
    The others know the pool, the table of all texts together (Haddow & Koehn, WMT 2012): `pooled` is it, concatenation;
    `pooled-links` is the first table, of words that were linked in all texts; `pooled-scores` has its pairs with the
    scores of the pool; `pooled-entries` leaves them as they are and adds those that it lacks from the pool.
    """

    mode: str = option("fill-up", choices=COMBINATIONS, text="what becomes of the tables of several texts")
    weights: tuple[float, ...] = option(
        (), text="interpolated: one for each table; none: by EM on the tuning set's phrase pairs"
    )
    provenance: bool = option(
        False, choices=(False, True), text="either, back-off: features that tell which tables a pair is from"
    )
    backoff_longest: int = option(0, low=0, text="back-off: words of a phrase that later tables may have; 0: any")

    domains: str = option("none", choices=DOMAINS, text="pooled…: features that tell of which texts a pair is")

    def combine(
        self,
        tables: Sequence[PhraseTable],
        *,
        pairs: PhraseTable | None = None,
        pool: PhraseTable | None = None,
        names: Sequence[str] = (),
    ) -> PhraseTable:
        """One table of several, the first being the nearest to what is to be translated.

        Interpolation without weights sets them on `pairs`, the phrase pairs extracted from a tuning set. `pool` is the
        table of all texts; without it, its probabilities are made of the tables' counts. Errors call the tables by
        their `names`.
        """
        self.check()
        if not tables:
            raise DataError("There is no phrase table to combine.")
        if self.domains != "none" and self.mode not in POOLED:
            raise DataError(f"Features of domains go with the modes {', '.join(POOLED)}, not with {self.mode}.")
        self._check_shared(tables, names)
        if self.mode in POOLED:
            return self._pooled(tables, pool)
        return tables[0] if len(tables) == 1 else self._joined(tables, pairs)

    def _check_shared(self, tables: Sequence[PhraseTable], names: Sequence[str]) -> None:
        """Refuse tables with other features than the first where the mode has one set of features for all."""
        first, own = len(tables[0].features), self.mode in ("fill-up", "interpolated", *POOLED)
        odd = next((n for n, table in enumerate(tables) if own and len(table.features) != first), 0)
        if odd:
            one, other = (names[n] if names else f"table {n + 1}" for n in (0, odd))
            raise DataError(
                f"The mode {self.mode} gives all tables one set of features, but {one} has {first} "
                f"({', '.join(tables[0].features)}) and {other} has {len(tables[odd].features)} "
                f"({', '.join(tables[odd].features)}). Extract them with the same settings, or combine them with the "
                "mode either, back-off or both, which keep the features of each table."
            )

    def _pooled(self, tables: Sequence[PhraseTable], pool: PhraseTable | None) -> PhraseTable:
        """What the first table becomes by the pool, with features of domains if there are to be any."""
        if pool is None and len(tables) > 1 and self.mode != "pooled-links":
            pool = replace(self, mode="pooled")._joined(tables, None)
        first = tables[0]
        if pool is None or self.mode == "pooled-links":
            pairs, scores = first, _core.phrase.all_scores(first.core)
        elif self.mode == "pooled-scores":
            _check_alike([first, pool])
            if first.core.n_scores != pool.core.n_scores:
                raise DataError(
                    f"The table has {first.core.n_scores} scores a pair, the pool {pool.core.n_scores}. Extract them "
                    "alike."
                )
            pairs, scores = first, pooled_scores(first, pool)
        elif self.mode == "pooled-entries":
            pairs = replace(self, mode="fill-up")._joined([first, pool], None)
            scores = np.delete(_core.phrase.all_scores(pairs.core), len(first.features), axis=1)  # without its feature
        else:
            pairs, scores = pool, _core.phrase.all_scores(pool.core)
        features, n = first.features, len(first.features)
        if pool is not None and first.oriented and self.mode == "pooled-entries":
            # Haddow and Koehn's orientations are those of all texts, whatever the phrases are of.
            known = pair_scores(pool, pairs)[:, n : n + 6]
            scores = np.array(scores)
            scores[:, n : n + 6] = np.where(np.isfinite(known), known, scores[:, n : n + 6])
        if self.domains != "none":
            if not all(table.counted for table in (*tables, pairs)):
                raise DataError("Features of domains need tables with counts. Extract them anew.")
            more = domain_features(self.domains, pairs, tables)
            scores = np.concatenate([scores[:, :n], np.stack([*more.values()], axis=1), scores[:, n:]], axis=1)
            features = (*features, *more)
        core = _core.phrase.with_scores(pairs.core, np.ascontiguousarray(scores))
        return PhraseTable(core, pairs.source, pairs.target, self, features=features, orientation=first.orientation)

    def _joined(self, tables: Sequence[PhraseTable], pairs: PhraseTable | None) -> PhraseTable:
        """One table by a mode that the kernel knows."""
        _check_alike(tables)
        source = tables[0].source.merge(*(table.source for table in tables[1:]))
        target = tables[0].target.merge(*(table.target for table in tables[1:]))
        parts = [
            (table.core, len(table.features), source_ids, target_ids)
            for table, source_ids, target_ids in zip(tables, source.maps, target.maps, strict=True)
        ]
        recipe, weights = self, []
        if self.mode == "interpolated":
            weights = self._weights(tables, pairs).ravel().tolist()
            recipe = replace(self, weights=tuple(round(each, 6) for each in weights))
        counted, oriented = all(table.counted for table in tables), tables[0].oriented
        options = filled(_core.phrase.CombineOptions(), self, weights=weights, counts=counted, orientation=oriented)
        core = _core.phrase.combine(parts, options)
        return PhraseTable(
            core,
            source.vocabulary,
            target.vocabulary,
            recipe,
            features=self._features(tables),
            orientation=tables[0].orientation,
        )

    def _features(self, tables: Sequence[PhraseTable]) -> tuple[str, ...]:
        """The names of the combined features."""
        if self.mode in ("interpolated", "pooled"):
            return tables[0].features
        if self.mode == "fill-up":
            return (*tables[0].features, *(f"fill-up.{i}" for i in range(2, len(tables) + 1)))
        names = [
            f"table{i}.{name.removeprefix('table.')}"
            for i, table in enumerate(tables, start=1)
            for name in table.features
        ]
        if self.provenance and self.mode != "both":
            names += [*(f"provenance.{i}" for i in range(1, len(tables) + 1)), "provenance.shared"]
        return tuple(names)

    def _weights(self, tables: Sequence[PhraseTable], pairs: PhraseTable | None) -> NDArray[np.float64]:
        """For each feature the weight of each table."""
        n_features = len(tables[0].features)
        if self.weights:
            whole = np.array(self.weights, dtype=float)
            fits = whole.size in {len(tables), n_features * len(tables)}
            if not fits or not np.isfinite(whole).all() or (whole < 0).any() or not whole.any():
                raise DataError(
                    f"Interpolation needs a weight of 0 or more for each of {len(tables)} tables, got {self.weights}."
                )
            rows = np.broadcast_to(whole.reshape(-1, len(tables)), (n_features, len(tables)))
            return np.asarray(rows / rows.sum(axis=1, keepdims=True))
        if pairs is None or not len(pairs):
            raise DataError("Interpolation needs weights, or a tuning set whose phrase pairs set them.")
        return interpolation_weights(tables, pairs)


def _check_alike(tables: Sequence[PhraseTable]) -> None:
    if any(table.labelled for table in tables):
        raise DataError("Orientations of labels are learnt when tables have become one: combine those without them.")
    kinds = sorted({table.orientation for table in tables})
    if len(kinds) > 1:
        raise DataError(
            f"The tables have orientations of different kinds ({', '.join(kinds)}). Extract them with the same."
        )


def interpolation_weights(tables: Sequence[PhraseTable], pairs: PhraseTable) -> NDArray[np.float64]:
    """The weights under which the tables give the phrase pairs of a held-out text the highest probability, by EM.

    Row by feature, one weight for each table (Foster & Kuhn, WMT 2007; Sennrich, EACL 2012, §2.3). Pairs that no table
    has say nothing.
    """
    counts = _core.phrase.all_scores(pairs.core)[:, -3].astype(float)
    p = np.exp(np.stack([_scores(table, pairs) for table in tables], axis=2).astype(float))  # pair, feature, table
    return likeliest_weights(p, counts)


def _scores(table: PhraseTable, pairs: PhraseTable) -> NDArray[np.float32]:
    maps = [pairs.source.merge(table.source).maps[1], pairs.target.merge(table.target).maps[1]]
    return _core.phrase.scores_of((table.core, len(table.features), maps[0], maps[1]), pairs.core)
