"""The decoder: models, weights and text sides of an engine, asked for translations of prepared lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.smt import foreground
from dragoman.smt.asked import with_walls
from dragoman.smt.constraints import LATTICE, Constraints, UnknownWords
from dragoman.smt.decoded import Decoded
from dragoman.smt.factors import FORM, FactorReader
from dragoman.smt.grammar.kernel import ChartKernel
from dragoman.smt.grammar.kinds import spans_of_lines
from dragoman.smt.hypergraph import SearchGraph, numbers_in
from dragoman.smt.kernel import Kernel
from dragoman.smt.models import Models
from dragoman.smt.morphology import EndingTransfer
from dragoman.smt.number_tags import NumberTags
from dragoman.smt.ordering import OrderedInput
from dragoman.smt.preparation import TextSide
from dragoman.smt.recent import RecentSearches
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.related_words import RelatedWords
from dragoman.smt.search import SearchLimits
from dragoman.smt.series import passed_on
from dragoman.smt.sparse import SparseNames, sparse_weights
from dragoman.smt.unknown_words import UnknownWordRules, cognate, ending_transfer
from dragoman.smt.weights import Weights, default_weights
from dragoman.text import Truecaser

__all__ = ["Decoder"]

_KEPT = 4  # batches of lines whose lattices are remembered


class Decoder:
    """Translates tokens by phrases. What an engine does with it, text and roles, is in `dragoman.smt.engine`."""

    recipe: EngineRecipe
    models: Models
    source: TextSide
    target: TextSide
    weights: dict[str, float]  # by feature: in the order of `feature_names`, then sparse ones
    data: Mapping[str, str]
    report: dict[str, Any]  # what training told: steps, ladder, curves of tuning; fit for JSON

    def __init__(
        self,
        recipe: EngineRecipe,
        models: Models,
        *,
        truecasers: tuple[Truecaser | None, Truecaser | None] = (None, None),
        weights: Weights | None = None,
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
        report: Mapping[str, Any] | None = None,
        before: Self | None = None,
    ) -> None:
        """`before` is the engine of the search before, where there are several in series."""
        self.recipe = recipe
        self.before = before
        self._passed: dict[tuple[str, ...], list[Constraints]] = {}
        features = recipe.decoder_features
        self.models = replace(models, feature_tables=models.feature_tables.of(features))
        source, target = models.splitters
        own = TextSide(recipe.source_lang, recipe.text, truecasers[0], self._related(), source)
        self.source = before.source if before else own
        self.target = TextSide(recipe.target_lang, recipe.text, truecasers[1], splitter=target)
        self.seed = seed
        self.data = dict(data or {})
        self.report = dict(report or {})
        self.sparse_names = SparseNames(features, models, self.models.feature_tables.names)
        self._recent = RecentSearches()
        self._trained = weights
        self._adapt()

    def _adapt(self) -> None:
        """Have the features and weights that go with what was learnt; without any, those of training."""
        index, models, given = self.models.index, self.models, self.recipe.given_features
        has_learnt = index is not None and len(index.foreground) > 0
        if index is not None and has_learnt:
            models = replace(models, more={**models.more, foreground.MODEL: index.foreground.language_model})
            given = (*given, foreground.FEATURE)
        self.kernel = self._kernel(models, given)
        self._places = frozenset(self.feature_names)
        given_weights = self._first_weights() if self._trained is None else self._trained
        weights = foreground.with_foreground if has_learnt else foreground.without_foreground
        self.weights = self._checked(weights(given_weights))
        self._sparse = self.sparse_names.weights({n: w for n, w in self.weights.items() if n not in self._places})

    def _kernel(self, models: Models, given: Sequence[str]) -> Kernel | ChartKernel:
        """The search: for a grammar a chart, for phrases stacks."""
        features = self.recipe.decoder_features
        if models.grammar is None:
            return Kernel(models, features=features, given=given, factors=self.recipe.factors)
        kind, parser = self.recipe.grammar, models.parser
        parse = partial(spans_of_lines, kind, parser) if parser else None
        return ChartKernel(models, features=features, given=given, span=kind.span, parse=parse)

    @property
    def trained_weights(self) -> dict[str, float]:
        """The weights that it has when nothing is learnt."""
        given = foreground.without_foreground(self._first_weights() if self._trained is None else self._trained)
        return {name: float(given[name]) for name in self.weights if name in given}

    def __repr__(self) -> str:
        pair = f"{self.recipe.source_lang}-{self.recipe.target_lang}"
        return f"<{type(self).__name__} {pair}: {self.models.phrases!r}, {self.models.lm!r}>"

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The features of a translation, in the order of weight vectors."""
        return self.kernel.names

    def _factored(self, token_lines: Sequence[str]) -> Sequence[str]:
        """Lines as phrases know them: of words with factors, where the recipe has such."""
        return self._reader.read(token_lines) if self._reader else token_lines

    @cached_property
    def _reader(self) -> FactorReader | None:
        section, table = self.recipe.factors, self.models.table
        if not section or section.read == (FORM,) or section.search > 1 or table is None:
            return None
        return FactorReader(section, table.source, table.count)

    def _related(self) -> RelatedWords | None:
        if self.models.paths or (self.recipe.factors and self.recipe.factors.read != (FORM,)):
            return None  # words that carry factors are read by their forms
        latest = self.models.known
        keep = self._endings.translations if self._endings else None
        if not self.recipe.text.related:
            return None
        text, lang = self.recipe.text, self.recipe.source_lang
        grammar = self.models.grammar
        alone = grammar.translates if grammar is not None and latest is grammar else None
        return RelatedWords(latest.source, latest.count, keep, alone=alone, capitals=text.capitals, lang=lang)

    @cached_property
    def _endings(self) -> EndingTransfer | None:
        least, table = self.recipe.text.endings, self.models.table
        if least and table is None:
            raise DataError("text.endings needs a phrase table; an engine that looks phrases up in its text has none.")
        return ending_transfer(table, self.models.target, least) if least and table is not None else None

    @cached_property
    def _unknown_words(self) -> UnknownWords | None:
        """What is tried for words without a translation, if the recipe names anything."""
        rules: list[UnknownWords] = [self._numbers.translations] if self._numbers else []
        rules += [self._endings.translations] if self._endings else []
        rules += [cognate] if self.recipe.text.cognates else []
        return UnknownWordRules(*rules) if rules else None

    @cached_property
    def _numbers(self) -> NumberTags | None:
        return NumberTags(self.recipe.source_lang, self.recipe.target_lang) if self.recipe.text.numbers else None

    def _first_weights(self) -> dict[str, float]:
        names = [name for name in self.feature_names if name not in (foreground.MODEL, foreground.FEATURE)]
        return default_weights(names) | dict.fromkeys(self.recipe.given_features, 1.0)

    @property
    def dense_weights(self) -> dict[str, float]:
        """The weights of `feature_names`."""
        return {name: self.weights[name] for name in self.feature_names}

    def shown_weights(self, most: int = 10) -> list[tuple[str, float]]:
        """The weights for a table: all but sparse ones, and of these the `most` largest."""
        sparse = [(name, weight) for name, weight in self.weights.items() if name not in self._places]
        return [*self.dense_weights.items(), *sorted(sparse, key=lambda each: -abs(each[1]))[:most]]

    def with_features(self, *features: str, given: Sequence[str] = ()) -> Self:
        """The same engine with more features, named as in the recipe; new ones have the weights they start with."""
        recipe = replace(self.recipe, features=(*self.recipe.features, *features), given=(*self.recipe.given, *given))
        other = self._like(recipe)
        weights = {**other.trained_weights, **self.trained_weights}
        return self._like(recipe, weights=weights, report=self.report)

    def with_weights(
        self, weights: Weights, *, search: SearchLimits | None = None, report: Mapping[str, Any] | None = None
    ) -> Self:
        """The same engine with other weights, perhaps with other limits and a new report; the models are shared."""
        recipe = replace(self.recipe, search=search or self.recipe.search)
        return self._like(recipe, weights=weights, report=self.report if report is None else report)

    def _like(
        self,
        recipe: EngineRecipe,
        *,
        weights: Weights | None = None,
        report: Mapping[str, Any] | None = None,
        models: Models | None = None,
    ) -> Self:
        return type(self)(
            recipe,
            models or self.models,
            truecasers=(self.source.truecaser, self.target.truecaser),
            weights=weights,
            seed=self.seed,
            data=self.data,
            report=report,
            before=self.before,
        )

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
        summary: bool = False,
        layer: Sequence[Sequence[str]] | None = None,
        n_threads: int = 1,
    ) -> Decoded:
        """Translations of prepared lines (see `TextSide.prepare`), `n_best` of each if there are so many.

        `weights` are the engine's own unless given, by name or as a vector in the order of `feature_names`; with a
        vector go weights of sparse features by key (see `SparseNames`), `sparse`. With `distinct` no two translations
        of a sentence have the same words; else no two have the same phrases.
        `constraints` has what is asked of each line, or `None`; a line for which it cannot be met has no translation.
        `unknown_words` is asked what to try for a word without a translation. `confidence` gives each word of a
        translation a probability, made of scores multiplied by `scale`. `summary` counts the nodes of each search and
        says how its scores are spread (see `dragoman.smt.tracing`). `layer` has what each token of each line is
        annotated with, for features that look at it; else who makes it, the recipe says (`layers`).
        """
        if n_best < 1:
            raise DataError(f"A search gives one translation or more, got n_best={n_best}.")
        constraints = self._given_before(token_lines, constraints, n_threads)
        ordered = self._ordered(token_lines, constraints, n_threads)
        if ordered:
            token_lines, constraints = ordered.token_lines, ordered.constraints
        tags = self._numbers if constraints is None else None  # what is asked of a line names numbers as they are
        read = self._factored(tags.tag(token_lines) if tags else token_lines)
        if (limits or self.recipe.search).walls:
            constraints = with_walls(token_lines, constraints)
        task = self.kernel.task(read, constraints, unknown_words or self._unknown_words, n_threads=n_threads)
        vector = self._vector(weights)
        paths = task.decode(
            vector,
            self.kernel.limits(limits or self.recipe.search, vector),
            n_best=n_best,
            distinct=distinct,
            features=features,
            n_threads=n_threads,
            confidence=confidence,
            scale=scale,
            sparse=self._sparse_of(weights, sparse),
            summary=summary,
            layer=self._layer(token_lines, layer, task.offsets),
        )
        decoded = Decoded.of(paths, task.texts(paths), self.feature_names)
        decoded = tags.restored(decoded, token_lines) if tags else decoded
        return ordered.restored(decoded) if ordered else decoded

    def _given_before(
        self, token_lines: Sequence[str], constraints: Sequence[Constraints | None] | None, n_threads: int
    ) -> Sequence[Constraints | None] | None:
        """What the search before gives for the lines, as lattices; the last are kept, for tuning asks again."""
        if self.before is None:
            return constraints
        if constraints is not None:
            raise DataError("An engine of several searches in series is told nothing of a translation but its source.")
        key = tuple(token_lines)
        if key not in self._passed:
            passed = self.recipe.factors.passed
            lattices = passed_on(self.before.decode(token_lines, n_best=passed, n_threads=n_threads))
            while len(self._passed) >= _KEPT:
                self._passed.pop(next(iter(self._passed)))
            self._passed[key] = [each if line else Constraints() for line, each in zip(key, lattices, strict=True)]
        return self._passed[key]

    @property
    def reads_lattices(self) -> bool:
        """True if lines are read as lattices: graphs of their searches name nodes, not words."""
        ordered = self.models.reorderer is not None and self.recipe.reorder.use == LATTICE
        return ordered or self.models.alternatives is not None or self.before is not None

    def _ordered(
        self, token_lines: Sequence[str], constraints: Sequence[Constraints | None] | None, n_threads: int
    ) -> OrderedInput | None:
        """The lines in the order in which they are read, or in all their layers, if that is not as they stand."""
        if self.models.alternatives is not None:
            return OrderedInput(list(token_lines), self.models.alternatives.asked(token_lines, constraints), None)
        reorderer = self.models.reorderer
        if reorderer is None:
            return None
        return OrderedInput.of(reorderer, self.recipe.reorder.use, token_lines, constraints, n_threads=n_threads)

    def graphs(
        self,
        token_lines: Sequence[str],
        *,
        weights: Weights | NDArray[np.floating[Any]] | None = None,
        features: bool = False,
        limits: SearchLimits | None = None,
        constraints: Sequence[Constraints | None] | None = None,
        layer: Sequence[Sequence[str]] | None = None,
        n_threads: int = 1,
    ) -> list[SearchGraph]:
        """All that the search finds for each prepared line, as a graph; with `features`, those of every arc."""
        constraints = self._given_before(token_lines, constraints, n_threads)
        ordered = self._ordered(token_lines, constraints, n_threads)
        if ordered:
            token_lines, constraints = ordered.token_lines, ordered.constraints
        if (limits or self.recipe.search).walls:
            constraints = with_walls(token_lines, constraints)
        read = self._factored(token_lines)
        task = self.kernel.task(read, constraints, self._unknown_words, n_threads=n_threads)
        vector = self._vector(weights)
        cores = task.graphs(
            vector,
            self.kernel.limits(limits or self.recipe.search, vector),
            features=features,
            n_threads=n_threads,
            sparse=self._sparse_of(weights, None),
            layer=self._layer(token_lines, layer, task.offsets),
        )
        names = (*self.feature_names, *["sparse"] * bool(self.sparse_names.families)) if features else ()
        return [
            SearchGraph(
                core,
                tuple(task.tokens(number)),
                task.spelt(number, numbers_in(core)),
                names,
                ordered.places[number] if ordered and ordered.places else None,
            )
            for number, core in enumerate(cores)
        ]

    def graph(self, token_line: str) -> SearchGraph:
        """The graph of one prepared line, without features; the last ones are kept until something is learnt."""
        index = self.models.index
        state = 0 if index is None else index.n_changes
        return self._recent.graph((token_line, state), lambda: self.graphs([token_line])[0])

    def _layer(
        self, token_lines: Sequence[str], layer: Sequence[Sequence[str]] | None, offsets: NDArray[np.int64]
    ) -> NDArray[np.int32] | None:
        """What the tokens are annotated with, as numbers; nothing unless a feature has a table of such."""
        if not self.models.feature_tables.tables:
            return None
        if layer is None and self.recipe.layers:
            layer = self._annotated(token_lines)
        return None if layer is None else self.models.feature_tables.layer(layer, np.diff(offsets).tolist())

    def _annotated(self, token_lines: Sequence[str]) -> list[list[str]]:
        """What the recipe's annotator says of source tokens."""
        from dragoman.text.layers import annotate_once, layer_annotator, read_layers  # who asks for none need not wait

        layers = read_layers(self.recipe.layers, source_lang=self.recipe.source_lang)
        annotator = layer_annotator(layers, tuple(layers))
        return annotate_once(annotator, [line.split() for line in token_lines]) if annotator else []

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
