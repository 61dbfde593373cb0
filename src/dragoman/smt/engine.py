"""The translation engine: a phrase table, a language model, weights, and what is done to the text before and behind."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import read_lines, write_lines
from dragoman.lm import ClassModel, LanguageModel
from dragoman.smt.constraints import LATTICE, Constraints, TargetWords, UnknownWords, core_constraints
from dragoman.smt.decoded import Decoded
from dragoman.smt.hypergraph import SearchGraph
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.related_words import RelatedWords
from dragoman.smt.search import SearchLimits
from dragoman.smt.sparse import SparseNames, SparseRows, sparse_weights
from dragoman.text import Truecaser

__all__ = ["Engine", "Weights", "default_weights"]

Weights = Mapping[str, float]

_PHRASES, _LM, _CLASSES, _WEIGHTS, _REPORT = "phrases", "lm", "classes", "weights.tsv", "report.json"
_CASERS = ("truecaser.source", "truecaser.target")
_LONGEST = 1000  # tokens of a sentence: beyond it a search takes minutes, and nobody writes such sentences

# Moses' weights before tuning. Features are to be made large, so that a penalty, a negative count, with a weight below
# zero rewards what it counts.
_DEFAULTS = {
    "word-penalty": -1.0,
    "phrase-penalty": -0.2,
    "distortion": 0.3,
    "unknown": 100.0,
    "lm": 0.5,
    "class-lm": 0.2,
}
_LM_NAMES = {"lm1": "lm", "lm2": "class-lm"}


def default_weights(names: Sequence[str]) -> dict[str, float]:
    """A weight for each feature, as Moses sets them before tuning."""
    return {name: _default_weight(name) for name in names}


def _default_weight(name: str) -> float:
    group = name.partition(".")[0]
    return _DEFAULTS.get(group, 0.3 if group in {"before", "behind"} else 0.2)


@dataclass(frozen=True, eq=False)
class _Task:
    """Lines on their way into the decoder."""

    batch: _core.text.TokenBatch
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: TargetWords
    asked: Sequence[Constraints | None] | None
    constraints: list[_core.phrase.Constraints | None] | None

    def tokens(self, sentence: int) -> list[str]:
        """The tokens that a sentence's copied words are counted in: its own, or those of its lattice's arcs."""
        asked = self.asked[sentence] if self.asked else None
        return asked.lattice.tokens if asked and asked.lattice else self.batch.tokens(sentence)


class Engine(Artifact):
    """Translates text: `Engine.load("model").translate(["A man is sleeping."])`."""

    kind: ClassVar[str] = "translation engine"
    format: ClassVar[int] = 1

    recipe: EngineRecipe
    phrases: PhraseTable
    lm: LanguageModel
    classes: ClassModel | None  # whose model of classes is the second language model
    source: TextSide
    target: TextSide
    weights: dict[str, float]  # by feature: in the order of `feature_names`, then sparse ones
    report: dict[str, Any]  # what training told: steps, ladder, curves of tuning; fit for JSON

    def __init__(
        self,
        recipe: EngineRecipe,
        phrases: PhraseTable,
        lm: LanguageModel,
        *,
        classes: ClassModel | None = None,
        truecasers: tuple[Truecaser | None, Truecaser | None] = (None, None),
        weights: Weights | None = None,
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
        report: Mapping[str, Any] | None = None,
    ) -> None:
        self.recipe = recipe
        self.phrases = phrases
        self.lm = lm
        self.classes = classes
        related = RelatedWords(phrases.source, phrases.count) if recipe.text.related else None
        self.source = TextSide(recipe.source_lang, recipe.text, truecasers[0], related)
        self.target = TextSide(recipe.target_lang, recipe.text, truecasers[1])
        self.seed = seed
        self.data = dict(data or {})
        self.report = dict(report or {})
        orientation = _core.phrase.Orientation[_orientation(phrases)]
        models = _language_models(phrases.target.words(), lm, classes)
        self.core = _core.phrase.Engine.make(
            [(phrases.core, 4)], models, orientation, given=list(_lattice_first(recipe.given)),
            features=list(recipe.features),
        )  # fmt: skip
        self.sparse_names = SparseNames(recipe.features, phrases.source, phrases.target)
        if weights is None:
            weights = default_weights(self.feature_names) | dict.fromkeys(recipe.given, 1.0)
        self.weights = self._checked(weights)

    def __repr__(self) -> str:
        return f"<Engine {self.recipe.source_lang}-{self.recipe.target_lang}: {self.phrases!r}, {self.lm!r}>"

    @cached_property
    def feature_names(self) -> tuple[str, ...]:
        """The features of a translation, in the order of weight vectors."""
        # The core numbers several language models; here each has a name.
        return tuple(_LM_NAMES.get(name, name) for name in self.core.names())

    @property
    def dense_weights(self) -> dict[str, float]:
        """The weights of `feature_names`."""
        return {name: self.weights[name] for name in self.feature_names}

    @cached_property
    def _sparse(self) -> _core.phrase.SparseWeights | None:
        return self.sparse_names.weights({n: w for n, w in self.weights.items() if n not in self._places})

    @cached_property
    def _places(self) -> frozenset[str]:
        return frozenset(self.feature_names)

    def shown_weights(self, most: int = 10) -> list[tuple[str, float]]:
        """The weights for a table: all but sparse ones, and of these the `most` largest."""
        sparse = [(name, weight) for name, weight in self.weights.items() if name not in self._places]
        return [*self.dense_weights.items(), *sorted(sparse, key=lambda each: -abs(each[1]))[:most]]

    def with_features(self, *features: str, given: Sequence[str] = ()) -> Engine:
        """The same engine with more features, named as in the recipe; new ones have the weights they start with."""
        recipe = replace(
            self.recipe, features=(*self.recipe.features, *features), given=(*self.recipe.given, *given)
        )  # fmt: skip
        casing = (self.source.truecaser, self.target.truecaser)
        other = Engine(recipe, self.phrases, self.lm, classes=self.classes, truecasers=casing)
        return Engine(
            recipe, self.phrases, self.lm, classes=self.classes, truecasers=casing,
            weights={**other.weights, **self.weights}, seed=self.seed, data=self.data, report=self.report,
        )  # fmt: skip

    def with_weights(
        self, weights: Weights, *, search: SearchLimits | None = None, report: Mapping[str, Any] | None = None
    ) -> Engine:
        """The same engine with other weights, perhaps with other limits and a new report; the models are shared."""
        return Engine(
            replace(self.recipe, search=search or self.recipe.search), self.phrases, self.lm, classes=self.classes,
            truecasers=(self.source.truecaser, self.target.truecaser), weights=weights, seed=self.seed, data=self.data,
            report=self.report if report is None else report,
        )  # fmt: skip

    def translate(self, lines: Sequence[str], *, limits: SearchLimits | None = None, n_threads: int = 1) -> list[str]:
        """The translation of each line of text. Words without a translation are copied."""
        tokens = self.source.prepare(lines, n_threads=n_threads)
        return self.target.restore(self.decode(tokens, limits=limits, n_threads=n_threads).best(), n_threads=n_threads)

    def decode(
        self,
        token_lines: Sequence[str],
        *,
        weights: Weights | NDArray[np.floating[Any]] | None = None,
        sparse: Mapping[int, float] | None = None,
        n_best: int = 1,
        distinct: bool = True,
        features: bool = False,
        limits: SearchLimits | None = None,
        constraints: Sequence[Constraints | None] | None = None,
        unknown_words: UnknownWords | None = None,
        confidence: bool = False,
        scale: float = 1.0,
        n_threads: int = 1,
    ) -> Decoded:
        """Translations of prepared lines (see `TextSide.prepare`), `n_best` of each if there are so many.

        `weights` are the engine's own unless given, by name or as a vector in the order of `feature_names`; with a
        vector go weights of sparse features by key (see `SparseNames`), `sparse`. With `distinct` no two translations
        of a sentence have the same words; else no two have the same phrases.
        `constraints` has what is asked of each line, or `None`; a line for which it cannot be met has no translation.
        `unknown_words` is asked what to try for a word without a translation. `confidence` gives each word of a
        translation a probability, made of scores multiplied by `scale`.
        """
        if n_best < 1:
            raise DataError(f"A search gives one translation or more, got n_best={n_best}.")
        task = self._task(token_lines, constraints, unknown_words, n_threads=n_threads)
        vector = self._vector(weights)
        found = self.core.decode(
            task.ids, task.offsets, vector, self._limits(limits, vector),
            n_best=n_best, distinct=distinct, features=features, n_threads=n_threads,
            constraints=task.constraints, confidence=confidence, scale=scale, sparse=self._sparse_of(weights, sparse),
        )  # fmt: skip
        return Decoded(
            texts=self._texts(found, task),
            offsets=found["path_offsets"],
            scores=found["scores"],
            features=found["features"],
            feature_names=self.feature_names,
            links=found["links"],
            link_offsets=found["link_offsets"],
            phrases=found["phrases"],
            phrase_offsets=found["phrase_offsets"],
            effort={"hypotheses": found["hypotheses"], "lm_queries": found["lm_queries"]},
            confidences=found["confidences"],
            word_offsets=found["word_offsets"],
            sparse=SparseRows(found["sparse_offsets"], found["sparse_keys"], found["sparse_values"]),
        )

    def graphs(
        self,
        token_lines: Sequence[str],
        *,
        weights: Weights | NDArray[np.floating[Any]] | None = None,
        features: bool = False,
        limits: SearchLimits | None = None,
        constraints: Sequence[Constraints | None] | None = None,
        n_threads: int = 1,
    ) -> list[SearchGraph]:
        """All that the search finds for each prepared line, as a graph; with `features`, those of every arc."""
        task = self._task(token_lines, constraints, None, n_threads=n_threads)
        vector = self._vector(weights)
        cores = _core.phrase.hypergraphs(
            self.core, task.ids, task.offsets, vector, self._limits(limits, vector),
            constraints=task.constraints, features=features, n_threads=n_threads,
            sparse=self._sparse_of(weights, None),
        )  # fmt: skip
        more = list(task.words.more)
        graphs = []
        for number, core in enumerate(cores):
            ids = sorted({int(each) for each in core.words})
            tokens = task.tokens(number)
            vocabulary = {
                each: tokens[-2 - each] if each < 0 else (
                    self._words[each] if each < len(self._words) else more[each - len(self._words)]
                )
                for each in ids
            }  # fmt: skip
            names = (*self.feature_names, *["sparse"] * bool(self.sparse_names.families)) if features else ()
            graphs.append(SearchGraph(core, tuple(tokens), vocabulary, names))
        return graphs

    def _task(
        self,
        token_lines: Sequence[str],
        constraints: Sequence[Constraints | None] | None,
        unknown_words: UnknownWords | None,
        *,
        n_threads: int,
    ) -> _Task:
        if isinstance(token_lines, str):
            raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
        batch = _core.text.surface_tokeniser("none").batch(token_lines, n_threads=n_threads)
        ids, offsets = self.phrases.source.core.encode_batch(batch, n_threads=n_threads)
        _check_lengths(offsets)
        words = TargetWords(self.phrases.target)
        if constraints is None and unknown_words is None:
            return _Task(batch, ids, offsets, words, None, None)
        asked = constraints or [None] * len(token_lines)
        check_parallel({"lines": token_lines, "constraints": asked})
        cores = [
            core_constraints(
                each, batch.tokens(i), source=self.phrases.source, words=words, unknown_words=unknown_words,
                given=_lattice_first(self.recipe.given),
            )
            for i, each in enumerate(asked)
        ]  # fmt: skip
        return _Task(batch, ids, offsets, words, asked, cores)

    @cached_property
    def _words(self) -> NDArray[np.object_]:
        return np.array(self.phrases.target.words(), dtype=object)

    def _texts(self, found: Mapping[str, Any], task: _Task) -> list[str]:
        """Words for ids; a negative one, -2 - i, is the source's word i, one behind the vocabulary a constraint's."""
        ids, ends = found["words"], found["word_offsets"]
        words = self._words[np.where((ids < 0) | (ids >= len(self._words)), 0, ids)]
        copied = np.flatnonzero(ids < 0)
        paths = np.searchsorted(ends, copied, side="right") - 1
        sentences = np.searchsorted(found["path_offsets"], paths, side="right") - 1
        for place, sentence in zip(copied.tolist(), sentences.tolist(), strict=True):
            words[place] = task.tokens(sentence)[-2 - int(ids[place])]
        if task.words.more:
            more = list(task.words.more)
            for place in np.flatnonzero(ids >= len(self._words)).tolist():
                words[place] = more[int(ids[place]) - len(self._words)]
        flat, cuts = words.tolist(), ends.tolist()
        return [" ".join(flat[begin:end]) for begin, end in pairwise(cuts)]

    def _vector(self, weights: Weights | NDArray[np.floating[Any]] | None) -> NDArray[np.float32]:
        if weights is None:
            weights = self.weights
        if isinstance(weights, Mapping):
            checked = self._checked(weights)
            return np.array([checked[name] for name in self.feature_names], dtype=np.float32)
        vector = np.ascontiguousarray(weights, dtype=np.float32)
        if vector.shape != (len(self.feature_names),):
            raise DataError(f"The engine has {len(self.feature_names)} features, got weights of shape {vector.shape}.")
        if not np.isfinite(vector).all():
            raise DataError("Weights must be finite numbers.")
        return vector

    def _limits(self, limits: SearchLimits | None, weights: NDArray[np.float32]) -> _core.phrase.DecodeOptions:
        chosen = limits or self.recipe.search
        core, factors = chosen.core(), chosen.future_factors()
        unknown = [name for name in factors if name not in self._places]
        if unknown:
            raise DataError(f"No feature is called {', '.join(unknown)}. Known: {', '.join(self.feature_names)}.")
        if factors:
            pairs = zip(self.feature_names, weights.tolist(), strict=True)
            core.future_weights = [weight * factors.get(name, 1.0) for name, weight in pairs]
        return core

    def _sparse_of(
        self, weights: Weights | NDArray[np.floating[Any]] | None, sparse: Mapping[int, float] | None
    ) -> _core.phrase.SparseWeights | None:
        if weights is None:
            return self._sparse
        if isinstance(weights, Mapping):
            return self.sparse_names.weights({n: w for n, w in weights.items() if n not in self._places})
        return sparse_weights(sparse.keys(), sparse.values()) if sparse else None

    def _checked(self, weights: Weights) -> dict[str, float]:
        missing = [name for name in self.feature_names if name not in weights]
        sparse = [name for name in weights if name not in self._places]
        unknown = [name for name in sparse if not self.sparse_names.is_sparse(name)]
        if missing or unknown:
            parts = [f"no weight for {', '.join(missing)}"] * bool(missing)
            parts += [f"no feature {', '.join(unknown)}"] * bool(unknown)
            raise DataError(f"The weights are not those of this engine: {'; '.join(parts)}.")
        broken = [name for name, value in weights.items() if not np.isfinite(value)]
        if broken:
            raise DataError(f"Weights must be finite numbers; those of {', '.join(broken)} are not.")
        return {name: float(weights[name]) for name in (*self.feature_names, *sparse)}

    def _write(self, folder: Path) -> None:
        self.phrases.save(folder / _PHRASES)
        self.lm.save(folder / _LM)
        if self.classes:
            self.classes.save(folder / _CLASSES)
        for name, side in zip(_CASERS, (self.source, self.target), strict=True):
            if side.truecaser:
                side.truecaser.save(folder / name)
        write_weights(folder / _WEIGHTS, self.weights)
        text = json.dumps(self.report, ensure_ascii=False, indent=1) + "\n"
        (folder / _REPORT).write_text(text, encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        # The parts are artifacts, too; their files have been checked with those of the whole.
        casers = tuple(
            Truecaser._read(folder / name, read_manifest(folder / name)) if (folder / name).is_dir() else None
            for name in _CASERS
        )
        return cls(
            EngineRecipe.from_dict(manifest.recipe),
            PhraseTable._read(folder / _PHRASES, read_manifest(folder / _PHRASES)),
            LanguageModel._read(folder / _LM, read_manifest(folder / _LM)),
            classes=ClassModel._read(folder / _CLASSES, read_manifest(folder / _CLASSES))
            if (folder / _CLASSES).is_dir()
            else None,
            truecasers=(casers[0], casers[1]),
            weights=read_weights(folder / _WEIGHTS),
            seed=manifest.seed,
            data=manifest.data,
            report=json.loads((folder / _REPORT).read_text(encoding="utf-8")),
        )


def _language_models(
    words: Sequence[str], lm: LanguageModel, classes: ClassModel | None
) -> list[tuple[_core.lm.Model, list[int]]]:
    """The models with the numbers that they have for the target's words, or for the classes of these."""
    models = [(lm.core, [lm.core.find(word) for word in words])]
    if classes:
        core, of_word = classes.model.core, classes.classes.classes
        numbers = {name: core.find(name) for name in set(of_word.values())}
        unknown = core.find("<unk>")
        models.append((core, [numbers[of_word[word]] if word in of_word else unknown for word in words]))
    return models


def write_weights(path: Path, weights: Weights) -> None:
    """Write weights as lines `feature⇥weight` below a heading, as `read_weights` reads them."""
    write_lines(path, ("feature\tweight", *(f"{name}\t{weight!r}" for name, weight in weights.items())))


def read_weights(path: Path) -> dict[str, float]:
    """Weights by feature from a file of lines `feature⇥weight` below a heading."""
    weights: dict[str, float] = {}
    if not path.is_file():
        raise ModelError(f"There is no file of weights {path}.")
    for number, line in enumerate(read_lines(path), start=1):
        name, tab, value = line.partition("\t")
        if number == 1 and line == "feature\tweight":
            continue
        try:
            weights[name] = float(value)
        except ValueError:
            tab = ""
        if not tab:
            raise FormatError(f"expected a feature, a tab and a weight; found {line[:60]!r}.", path=path, line=number)
    return weights


def _lattice_first(given: Sequence[str]) -> tuple[str, ...]:
    """Names of given features; the core takes the first for the scores of lattices' arcs."""
    return tuple(sorted(given, key=lambda name: name != LATTICE))


def _orientation(phrases: PhraseTable) -> str:
    return str(getattr(phrases.recipe, "orientation", "none")) if phrases.oriented else "none"


def _check_lengths(offsets: NDArray[np.int64]) -> None:
    lengths = np.diff(offsets)
    if len(lengths) and lengths.max() > _LONGEST:
        line = int(np.argmax(lengths > _LONGEST))
        raise DataError(
            f"Line {line + 1} has {int(lengths[line])} tokens; a sentence to translate has at most {_LONGEST}. "
            "Cut the text into sentences first: dragoman split-sentences."
        )
