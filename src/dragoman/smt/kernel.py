"""The core's decoder over an engine's models: made once, or, with an index, for each batch of lines it looks up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.lm import LanguageModel
from dragoman.smt.constraints import LATTICE, Constraints, TargetWords, UnknownWords, core_constraints
from dragoman.smt.factors import PLAIN, FactorSection, FactorWords, model_name
from dragoman.smt.language_models import BilingualModel, numbers_of
from dragoman.smt.models import Models
from dragoman.smt.search import SearchLimits
from dragoman.smt.series import lattice_phrases
from dragoman.text.vocabulary import Vocabulary

__all__ = ["Kernel", "Task"]

# Name, model, and its numbers of the target's words or what it reads in their place.
_LanguageModels = list[tuple[str, _core.lm.Model, list[int] | _core.phrase.BilingualView]]

_LONGEST = 1000  # tokens of a sentence: beyond it a search takes minutes, and nobody writes such sentences


@dataclass(frozen=True, eq=False)
class Task:
    """Lines on their way into the decoder, and the core that has their phrases."""

    core: _core.phrase.Engine
    vocabulary: NDArray[np.object_]  # the target words by id
    batch: _core.text.TokenBatch
    ids: NDArray[np.int32]
    offsets: NDArray[np.int64]
    words: TargetWords
    asked: Sequence[Constraints | None] | None = None
    constraints: list[_core.phrase.Constraints | None] | None = None

    def decode(self, weights: NDArray[np.float32], limits: Any, **how: Any) -> _core.phrase.Translations:
        """Translations of all lines."""
        return self.core.decode(self.ids, self.offsets, weights, limits, constraints=self.constraints, **how)

    def graphs(self, weights: NDArray[np.float32], limits: Any, **how: Any) -> list[_core.graph.Hypergraph]:
        """The graph of each line's search."""
        return _core.phrase.hypergraphs(
            self.core, self.ids, self.offsets, weights, limits, constraints=self.constraints, **how
        )

    def tokens(self, sentence: int) -> list[str]:
        """The tokens that a sentence's copied words are counted in: its own, or those of its lattice's arcs."""
        asked = self.asked[sentence] if self.asked else None
        return asked.lattice.copied if asked and asked.lattice else self.batch.tokens(sentence)

    def spelt(self, sentence: int, ids: Sequence[int]) -> dict[int, str]:
        """Words for ids; a negative one, -2 - i, is the source's word i, one behind the vocabulary a constraint's."""
        tokens, more, n_words = self.tokens(sentence), list(self.words.more), len(self.vocabulary)
        return {
            each: tokens[-2 - each] if each < 0 else self.vocabulary[each] if each < n_words else more[each - n_words]
            for each in ids
        }

    def texts(self, decoded: _core.phrase.Translations) -> list[str]:
        """The words of all paths that the decoder found."""
        ids, ends = decoded.words, decoded.word_offsets
        odd = (ids < 0) | (ids >= len(self.vocabulary))
        words = self.vocabulary[np.where(odd, 0, ids)]
        places = np.flatnonzero(odd)
        paths = np.searchsorted(ends, places, side="right") - 1
        sentences = np.searchsorted(decoded.path_offsets, paths, side="right") - 1
        for place, sentence in zip(places.tolist(), sentences.tolist(), strict=True):
            word = int(ids[place])
            words[place] = self.spelt(sentence, [word])[word]
        flat, cuts = words.tolist(), ends.tolist()
        return [" ".join(flat[begin:end]) for begin, end in pairwise(cuts)]


class Kernel:
    """Makes tasks of tokenised lines."""

    grows: ClassVar[bool] = False  # whether parts can be found when wholes ask for them

    def __init__(
        self,
        models: Models,
        *,
        features: Sequence[str],
        given: Sequence[str],
        factors: FactorSection = PLAIN,
    ) -> None:
        self.models = models
        self._factors = FactorWords(factors.carried) if factors else None
        self._modelled = {model_name(factor): factor for factor in factors.models if factor in factors.carried}
        self.features = list(features)
        # The core takes the first of the given features for the scores of lattices' arcs.
        self.given = tuple(sorted(given, key=lambda name: name != LATTICE))
        self._words: tuple[Vocabulary, _LanguageModels, NDArray[np.object_]] | None = None
        self.core = self._core(models.phrases.target, self._nothing())
        self.names = tuple(self.core.names())

    def task(
        self,
        token_lines: Sequence[str],
        constraints: Sequence[Constraints | None] | None,
        unknown_words: UnknownWords | None,
        *,
        n_threads: int,
    ) -> Task:
        """What the decoder needs to translate lines."""
        if isinstance(token_lines, str):
            raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
        batch = _core.text.surface_tokeniser("none").batch(token_lines, n_threads=n_threads)
        source, target, ids, offsets, core = self._looked_up(batch, n_threads, constraints or ())
        _check_lengths(offsets)
        words, vocabulary = self._target_words(target), self._words_of(target)[1]
        constraints = self._with_foreground(batch, constraints)
        if self.models.paths is not None:
            unknown_words = None  # words are known by their factors, not by their forms alone
        if constraints is None and unknown_words is None:
            return Task(core, vocabulary, batch, ids, offsets, words)
        asked = constraints or [None] * len(token_lines)
        if self._factors and any(each and (each.target is not None or each.prefix is not None) for each in asked):
            raise DataError("An engine with factors is not told a translation's words: it does not know their tags.")
        check_parallel({"lines": token_lines, "constraints": asked})
        if self.models.paths and self.models.paths.recipe.search < 2 and any(each and each.lattice for each in asked):
            raise DataError("An engine of a factored setup with several steps or paths does not take lattices.")
        if self.models.index is not None and any(each and each.lattice for each in asked):
            raise DataError(
                "An engine that looks phrases up in a text does not take lattices. Train one with a table alone: "
                "dragoman smt train --set index.use=none."
            )
        cores = [
            core_constraints(
                each, batch.tokens(i), source=source, words=words, unknown_words=unknown_words, given=self.given
            )
            for i, each in enumerate(asked)
        ]
        return Task(core, vocabulary, batch, ids, offsets, words, asked, cores)

    def limits(self, chosen: SearchLimits, weights: NDArray[np.float32]) -> _core.phrase.DecodeOptions:
        """Limits of a search as the core takes them."""
        if chosen.grow and not self.grows:
            raise DataError("Only engines with grammars grow cubes; leave the limit 'grow' off.")
        core, factors = chosen.core(), chosen.future_factors()
        unknown = [name for name in factors if name not in self.names]
        if unknown:
            raise DataError(f"No feature is called {', '.join(unknown)}. Known: {', '.join(self.names)}.")
        if factors:
            pairs = zip(self.names, weights.tolist(), strict=True)
            core.future_weights = [weight * factors.get(name, 1.0) for name, weight in pairs]
        return core

    def _with_foreground(
        self, batch: _core.text.TokenBatch, constraints: Sequence[Constraints | None] | None
    ) -> Sequence[Constraints | None] | None:
        """What is asked of each line, and as one more possibility how its phrases were translated when taught."""
        if self.models.index is None or not len(self.models.index.foreground):
            return constraints
        asked = [each or Constraints() for each in constraints or [None] * len(batch)]
        terms = [self.models.index.foreground.terms(batch.tokens(i)) for i in range(len(batch))]
        return [replace(each, terms=(*each.terms, *more)) for each, more in zip(asked, terms, strict=True)]

    def _looked_up(
        self, batch: _core.text.TokenBatch, n_threads: int, asked: Sequence[Constraints | None] = ()
    ) -> tuple[Vocabulary, Vocabulary, NDArray[np.int32], NDArray[np.int64], _core.phrase.Engine]:
        """Vocabularies, the lines' ids, and a core that has their phrases."""
        if self.models.paths is not None:
            paths, lines = self.models.paths, [" ".join(batch.tokens(i)) for i in range(len(batch))]
            lattices = [each.lattice for each in asked if each and each.lattice]
            more = dict.fromkeys(each for lattice in lattices for each in lattice_phrases(lattice, paths.longest))
            sample = paths.sample([*lines, *more], n_threads=n_threads)
            offsets = sample.offsets[: len(lines) + 1]
            ids = sample.ids[: offsets[-1]]
            return sample.source, sample.target, ids, offsets, self._core(sample.target, sample.table)
        if self.models.index is None:
            source, target = self.models.source, self.models.target
            ids, offsets = source.core.encode_batch(batch, n_threads=n_threads)
            return source, target, ids, offsets, self.core
        sample = self.models.index.sample(batch, n_threads=n_threads)
        return sample.source, sample.target, sample.ids, sample.offsets, self._core(sample.target, sample.table)

    def _nothing(self) -> _core.phrase.PhraseTable | None:
        index = self.models.index
        if self.models.paths is not None:
            return self.models.paths.sample([]).table
        if index is None:
            return None
        return index.core.table(np.zeros(0, np.int32), np.zeros(1, np.int64), index.recipe.core())

    def _core(self, target: Vocabulary, sampled: _core.phrase.PhraseTable | None) -> _core.phrase.Engine:
        """The core with the table, if there is one, and with what was found in the index."""
        uses: list[tuple[_core.phrase.PhraseTable, int]] = []
        names: list[list[str]] = []
        if self.models.table is not None:
            features = list(self.models.table.features)
            uses.append((self.models.table.core, len(features)))
            names.append(features)
        if sampled is not None and self.models.paths is not None:
            names.append(list(self.models.paths.features))
            uses.append((sampled, len(names[-1])))
        elif sampled is not None:
            own = "index" if uses else "table"
            uses.append((sampled, 4))
            names.append([f"{own}.{i}" for i in range(1, 5)])
        models, words = self._words_of(target)
        tables = self.models.feature_tables
        return _core.phrase.Engine.make(
            uses,
            models,
            _core.phrase.Orientation[self.models.phrases.orientation],
            given=list(self.given),
            features=[tables.resources(spec, words) for spec in self.features],
            table_names=names,
            labelled=self.models.table is not None and self.models.table.labelled,
        )

    def _words_of(self, target: Vocabulary) -> tuple[_LanguageModels, NDArray[np.object_]]:
        """The language models with their numbers of the target words, and the words; those of a grown one are added."""
        held = self._words
        if held is None or held[0] is not target:
            words = target.words()
            n_known = len(held[2]) if held and len(held[2]) <= len(words) else 0
            models = self._read_by_models(target, words[n_known:], held[1] if held and n_known else [])
            shown = list(map(self._factors.form, words)) if self._factors else words
            held = self._words = (target, models, np.array(shown, dtype=object))
        return held[1], held[2]

    def _read_by_models(
        self, target: Vocabulary, new: Sequence[str], models_before: _LanguageModels
    ) -> _LanguageModels:
        """What each language model reads; `new` words are behind those that it is known to have numbers for."""
        before = {name: numbers for name, _, numbers in models_before if isinstance(numbers, list)}
        models: _LanguageModels = []
        for name, model in self.models.language_models.items():
            if isinstance(model, BilingualModel):
                models.append((name, model.model.core, model.view(self.models.source, target)))
                continue
            core = model.core if isinstance(model, LanguageModel) else model.model.core
            models.append((name, core, [*before.get(name, ()), *numbers_of(model, self._read_as(name, new))]))
        return models

    def _read_as(self, model: str, words: Sequence[str]) -> Sequence[str]:
        """What a language model reads of words: their forms, or the factor that it is of."""
        if self._factors is None:
            return words
        factor = self._modelled.get(model, self._factors.factors[0])
        return [self._factors.value(word, factor) for word in words]

    def _target_words(self, target: Vocabulary) -> TargetWords:
        return TargetWords(target, self._factors.numbers(target) if self._factors else None)


def _check_lengths(offsets: NDArray[np.int64]) -> None:
    lengths = np.diff(offsets)
    if len(lengths) and lengths.max() > _LONGEST:
        line = int(np.argmax(lengths > _LONGEST))
        raise DataError(
            f"Line {line + 1} has {int(lengths[line])} tokens; a sentence to translate has at most {_LONGEST}. "
            "Cut the text into sentences first: dragoman text split-sentences."
        )
