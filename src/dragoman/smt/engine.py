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
from dragoman.align import Aligner
from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import read_lines, write_lines
from dragoman.lm import ClassModel, LanguageModel
from dragoman.smt.bitext_index import BitextIndex
from dragoman.smt.constraints import LATTICE, Constraints, TargetWords, UnknownWords, core_constraints
from dragoman.smt.decoded import Decoded
from dragoman.smt.hypergraph import SearchGraph
from dragoman.smt.journal import LearntPair
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.related_words import RelatedWords
from dragoman.smt.search import SearchLimits
from dragoman.smt.sparse import SparseNames, SparseRows, sparse_weights
from dragoman.text import Truecaser
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Engine", "Weights", "default_weights"]

Weights = Mapping[str, float]
_Models = list[tuple[_core.lm.Model, list[int]]]  # language models with their numbers of the target's words

_PHRASES, _LM, _CLASSES, _WEIGHTS, _REPORT = "phrases", "lm", "classes", "weights.tsv", "report.json"
_INDEX, _ALIGNER = "index", "aligner"
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
    """Lines on their way into the decoder, and the core that has their phrases."""

    core: _core.phrase.Engine
    vocabulary: NDArray[np.object_]  # the target words by id
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
    phrases: PhraseTable | BitextIndex
    index: BitextIndex | None  # a text that is searched while translating; `phrases` itself, or beside it
    aligner: Aligner | None  # links the words of what is to be learnt
    lm: LanguageModel
    classes: ClassModel | None  # whose model of classes is the second language model
    source: TextSide
    target: TextSide
    weights: dict[str, float]  # by feature: in the order of `feature_names`, then sparse ones
    report: dict[str, Any]  # what training told: steps, ladder, curves of tuning; fit for JSON

    def __init__(
        self,
        recipe: EngineRecipe,
        phrases: PhraseTable | BitextIndex,
        lm: LanguageModel,
        *,
        classes: ClassModel | None = None,
        index: BitextIndex | None = None,
        aligner: Aligner | None = None,
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
        self.index = phrases if isinstance(phrases, BitextIndex) else index
        self.aligner = aligner
        if self.index and self.index.target.words()[: len(phrases.target)] != phrases.target.words():
            raise DataError("The index and the phrase table number their words differently. Make them of one text.")
        if self.index and self.index.orientation != phrases.orientation:
            raise DataError(
                f"The index has orientations of the kind {self.index.orientation}, the phrase table of the kind "
                f"{phrases.orientation}. Make them with the same."
            )
        self._known: tuple[Vocabulary, _Models, NDArray[np.object_]] | None = None
        self.core = self._engine_for(self.phrases.target, self._nothing())
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
            index=self.index, aligner=self.aligner, truecasers=(self.source.truecaser, self.target.truecaser),
            weights=weights, seed=self.seed, data=self.data,
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
        found = task.core.decode(
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
            task.core, task.ids, task.offsets, vector, self._limits(limits, vector),
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
                    task.vocabulary[each] if each < len(task.vocabulary) else more[each - len(task.vocabulary)]
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
        source, target, ids, offsets, core = self._looked_up(batch, n_threads)
        _check_lengths(offsets)
        words, vocabulary = TargetWords(target), self._words_of(target)[1]
        if constraints is None and unknown_words is None:
            return _Task(core, vocabulary, batch, ids, offsets, words, None, None)
        asked = constraints or [None] * len(token_lines)
        check_parallel({"lines": token_lines, "constraints": asked})
        if self.index and any(each and each.lattice for each in asked):
            raise DataError("An engine that looks phrases up in a text does not take lattices. Use one with a table.")
        cores = [
            core_constraints(
                each,
                batch.tokens(i),
                source=source,
                words=words,
                unknown_words=unknown_words,
                given=_lattice_first(self.recipe.given),
            )
            for i, each in enumerate(asked)
        ]
        return _Task(core, vocabulary, batch, ids, offsets, words, asked, cores)

    def _looked_up(
        self, batch: _core.text.TokenBatch, n_threads: int
    ) -> tuple[Vocabulary, Vocabulary, NDArray[np.int32], NDArray[np.int64], _core.phrase.Engine]:
        """Vocabularies, the lines' ids, and a core that has their phrases."""
        if self.index is None:
            ids, offsets = self.phrases.source.core.encode_batch(batch, n_threads=n_threads)
            return self.phrases.source, self.phrases.target, ids, offsets, self.core
        found = self.index.sample(batch, n_threads=n_threads)
        return found.source, found.target, found.ids, found.offsets, self._engine_for(found.target, found.table)

    def _nothing(self) -> _core.phrase.PhraseTable | None:
        if self.index is None:
            return None
        none = np.zeros(0, np.int32), np.zeros(1, np.int64)
        return self.index.core.table(*none, self.index.recipe.core())

    def _engine_for(self, target: Vocabulary, sampled: _core.phrase.PhraseTable | None) -> _core.phrase.Engine:
        """The core with the table, if there is one, and with what was found in the index."""
        uses: list[tuple[_core.phrase.PhraseTable, int]] = []
        names: list[list[str]] = []
        if isinstance(self.phrases, PhraseTable):
            uses.append((self.phrases.core, len(self.phrases.features)))
            names.append(list(self.phrases.features))
        if sampled is not None:
            own = "index" if uses else "table"
            uses.append((sampled, 4))
            names.append([f"{own}.{i}" for i in range(1, 5)])
        return _core.phrase.Engine.make(
            uses, self._words_of(target)[0], _core.phrase.Orientation[self.phrases.orientation],
            given=list(_lattice_first(self.recipe.given)), features=list(self.recipe.features), table_names=names,
        )  # fmt: skip

    def _words_of(self, target: Vocabulary) -> tuple[_Models, NDArray[np.object_]]:
        """The language models with their numbers of the target words, and the words; those of a grown one are added."""
        known = self._known
        if known is None or known[0] is not target:
            words = target.words()
            n_known = len(known[2]) if known and len(known[2]) <= len(words) else 0
            models = _language_models(words[n_known:], self.lm, self.classes)
            if known and n_known:
                pairs = zip(known[1], models, strict=True)
                models = [(core, [*numbers, *more]) for (core, numbers), (_, more) in pairs]
            known = self._known = (target, models, np.array(words, dtype=object))
        return known[1], known[2]

    def learn(self, source: str | Sequence[str], target: str | Sequence[str], *, n_threads: int = 1) -> int:
        """Learn sentence pairs of raw text: the next translation can use them. How many there are now.

        They are aligned by what the engine learnt of words in training, and, if it was loaded from a folder, they are
        on disk there before this returns.
        """
        if self.index is None or self.aligner is None:
            raise DataError(
                "This engine cannot learn: its phrases are in a table. Train one that looks them up in its text: "
                "dragoman smt train --set index.use=only."
            )
        sources = [source] if isinstance(source, str) else list(source)
        targets = [target] if isinstance(target, str) else list(target)
        check_parallel({"source": sources, "target": targets})
        tokens = self.source.cased(sources, n_threads=n_threads), self.target.cased(targets, n_threads=n_threads)
        found = self.aligner.align(*tokens, symmetrisation=self.recipe.align.symmetrisation, n_threads=n_threads)
        ends = found.offsets.tolist()
        links = [" ".join(f"{s}-{t}" for s, t in found.links[a:b].tolist()) for a, b in pairwise(ends)]
        self.index.learn([LearntPair(*each) for each in zip(*tokens, links, strict=True)])
        return len(self.index)

    def _texts(self, found: Mapping[str, Any], task: _Task) -> list[str]:
        """Words for ids; a negative one, -2 - i, is the source's word i, one behind the vocabulary a constraint's."""
        ids, ends = found["words"], found["word_offsets"]
        n_words = len(task.vocabulary)
        words = task.vocabulary[np.where((ids < 0) | (ids >= n_words), 0, ids)]
        copied = np.flatnonzero(ids < 0)
        paths = np.searchsorted(ends, copied, side="right") - 1
        sentences = np.searchsorted(found["path_offsets"], paths, side="right") - 1
        for place, sentence in zip(copied.tolist(), sentences.tolist(), strict=True):
            words[place] = task.tokens(sentence)[-2 - int(ids[place])]
        if task.words.more:
            more = list(task.words.more)
            for place in np.flatnonzero(ids >= n_words).tolist():
                words[place] = more[int(ids[place]) - n_words]
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
        if isinstance(self.phrases, PhraseTable):
            self.phrases.save(folder / _PHRASES)
        if self.index:
            self.index.save(folder / _INDEX)
        if self.aligner:
            self.aligner.save(folder / _ALIGNER)
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
        recipe = EngineRecipe.from_dict(manifest.recipe)
        index = aligner = None
        if (folder / _INDEX).is_dir():
            index = BitextIndex._read(folder / _INDEX, read_manifest(folder / _INDEX))
        if (folder / _ALIGNER).is_dir():
            aligner = Aligner._read(folder / _ALIGNER, read_manifest(folder / _ALIGNER))
        phrases: PhraseTable | BitextIndex | None = index
        if (folder / _PHRASES).is_dir():
            phrases = PhraseTable._read(folder / _PHRASES, read_manifest(folder / _PHRASES))
        if phrases is None:
            raise ModelError(f"{folder} has neither a phrase table nor an index. Train it again or copy it whole.")
        return cls(
            recipe,
            phrases,
            LanguageModel._read(folder / _LM, read_manifest(folder / _LM)),
            classes=ClassModel._read(folder / _CLASSES, read_manifest(folder / _CLASSES))
            if (folder / _CLASSES).is_dir()
            else None,
            index=index,
            aligner=aligner,
            truecasers=(casers[0], casers[1]),
            weights=read_weights(folder / _WEIGHTS),
            seed=manifest.seed,
            data=manifest.data,
            report=json.loads((folder / _REPORT).read_text(encoding="utf-8")),
        )


def _language_models(words: Sequence[str], lm: LanguageModel, classes: ClassModel | None) -> _Models:
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


def _check_lengths(offsets: NDArray[np.int64]) -> None:
    lengths = np.diff(offsets)
    if len(lengths) and lengths.max() > _LONGEST:
        line = int(np.argmax(lengths > _LONGEST))
        raise DataError(
            f"Line {line + 1} has {int(lengths[line])} tokens; a sentence to translate has at most {_LONGEST}. "
            "Cut the text into sentences first: dragoman split-sentences."
        )
