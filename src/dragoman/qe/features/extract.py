"""From sentences to features."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from dragoman.data import check_parallel
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.qe.features.base import Feature, feature_set
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.cache import FeatureCache
from dragoman.qe.features.pairs import check_pair
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.notes import listed
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import RESOURCES, HeldOut, Resources, TraceIndex, options_for
from dragoman.qe.resources.material import digest
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS

__all__ = ["Work", "extract_features"]

# Sets of papers have what is left without these, which few have at hand.
_OPTIONAL = ("quartiles", "trace", "source_dictionary", "target_dictionary", "source_names", "target_names")
_NAMED = 4  # features that an error names
_AT_ONCE = 20_000  # sentences whose tokens, links and scores are held in memory together


def extract_features(
    sources: Sequence[str],
    outputs: Sequence[str],
    recipe: FeatureRecipe | None = None,
    *,
    resources: Resources | None = None,
    trace: TraceIndex | None = None,
    cache: StrPath | None = None,
    n_threads: int = 1,
) -> FeatureTable:
    """The features of translations: sets (`surface`, `baseline17`, `black-box`, …) and specifications from `FEATURES`.

    Language models and corpora must have been tokenised as the recipe's tokenisers cut; `none` takes text that is
    tokenised already. Resources that a feature needs and that are not there are named before any work, and resources of
    other languages than the text's are refused (unless not `check_languages`). Features of sentences that the resources
    were built from are computed from resources that have not seen them (`HeldOut`); a model keeps no such, and the
    table says of which sentences its resources have read post-edits (`read_before`), and which have no translation
    (`empty`). `cache` is a folder where columns
    are kept by the content of text, feature and resources; resources must then have been loaded from a folder.
    `trace` has what an engine did with the sources; without it, or without dictionaries or taggers of
    names, sets of papers have the rest.
    """
    asked = (recipe or FeatureRecipe()).check()
    languages = asked.languages
    for name, lines in (("sources", sources), ("outputs", outputs)):
        if isinstance(lines, str):
            raise DataError(f"{name}: expected lines of text, got one str. Pass a sequence of lines.")
    check_parallel({"sources": sources, "outputs": outputs})
    have = resources or Resources()
    if trace is not None:
        have = have.having(trace=trace)
    chosen = feature_set(asked.features, compat=asked.compat, lacking=have.missing(_OPTIONAL))
    lacking = {feature.spec(): missing for feature in chosen if (missing := have.missing(feature.needed()))}
    if lacking:
        wanted = sorted({name for missing in lacking.values() for name in missing})
        raise DataError(f"The features {listed(list(lacking), _NAMED)} need {', '.join(wanted)}. " + _advice(wanted))
    if languages and have.languages and languages != have.languages:
        raise DataError(
            f"The resources are of {have.languages}, the text is {languages}. Build resources of this pair."
        )
    if languages:
        have = replace(have, languages=languages)
    work = Work(list(sources), list(outputs), have, asked.tokenisers, n_threads)
    if asked.check_languages and any(feature.needed() for feature in chosen):
        check_pair(work.batch(range(min(len(sources), 1000)), have))
    store = FeatureCache(cache, work.sources, work.outputs, have, work.tokenisers) if cache is not None else None
    columns: dict[str, Floats] = {}
    for feature in chosen:
        if store is not None and (column := store.get(feature)) is not None:
            columns[feature.spec()] = column
    todo = [feature for feature in chosen if feature.spec() not in columns]
    if todo:
        for feature, column in zip(todo, work.values(todo), strict=True):
            columns[feature.spec()] = column
            if store is not None:
                store.put(feature, column)
    names = [feature.spec() for feature in chosen]
    values = np.column_stack([columns[name] for name in names]) if names else np.zeros((len(sources), 0))
    signatures = {
        side: TOKENISERS.make(each).signature()
        for side, each in zip(("source", "target"), work.tokenisers, strict=True)
    }
    marks = {name: numbers for name in ("read_before", "empty") if (numbers := getattr(work, name)())}
    return FeatureTable.of(names, values, tokenisers=signatures, **marks)


def _advice(wanted: Sequence[str]) -> str:
    """How to come by what is missing."""
    built = [name for name in wanted if name != "trace"]
    advice = ["Give traces of the sentences with --trace, or an engine with --engine."] if "trace" in wanted else []
    if built:
        options = options_for(built)
        how = f"with {' '.join(options)}" if options else "from a bitext (dragoman qe resources)"
        parsed = any(option.endswith("-parser") for option in options)
        other = "sets without parses, such as black-box" if parsed else "the set surface, which needs none"
        advice.append(f"Build the resources {how}, or take {other}.")
    return " ".join(advice)


class Work:
    """Sentences and how to look at them."""

    def __init__(
        self, sources: list[str], outputs: list[str], resources: Resources, tokenisers: tuple[str, str], n_threads: int
    ) -> None:
        self.sources, self.outputs = sources, outputs
        self.resources = resources
        self.tokenisers = tokenisers
        self.n_threads = n_threads

    def batch(self, rows: Sequence[int], resources: Resources) -> Batch:
        """Some of the sentences with their tokens."""
        return Batch(
            [self.sources[row] for row in rows],
            [self.outputs[row] for row in rows],
            resources,
            source_tokeniser=self.tokenisers[0],
            target_tokeniser=self.tokenisers[1],
            n_threads=self.n_threads,
        )

    def values(self, features: Sequence[Feature]) -> list[Floats]:
        """The columns of features, a part of the sentences at a time."""
        columns = [np.zeros(len(self.sources)) for _ in features]
        for rows, batch in self.batches():
            for column, feature in zip(columns, features, strict=True):
                column[rows] = feature.values(batch)
        return columns

    def batches(self) -> Iterator[tuple[list[int], Batch]]:
        """Rows and what is known of them, so many at a time that they fit in memory."""
        for rows, resources in self._parts():
            for first in range(0, len(rows), _AT_ONCE):
                some = rows[first : first + _AT_ONCE]
                yield some, self.batch(some, resources)

    def read_before(self) -> list[int]:
        """The sentences, from 1, whose post-edits the resources have read: what features say of them is skewed."""
        read = self.resources.read_sources
        if not read:
            return []
        lines = TOKENISERS.make(self.tokenisers[0]).tokenise(self.sources, n_threads=self.n_threads)
        return [number for number, line in enumerate(lines, start=1) if digest(line) in read]

    def empty(self) -> list[int]:
        """The sentences, from 1, that have a source and no translation."""
        pairs = enumerate(zip(self.sources, self.outputs, strict=True), start=1)
        return [number for number, (source, output) in pairs if source.strip() and not output.strip()]

    def _parts(self) -> Iterator[tuple[list[int], Resources]]:
        """Rows with the resources to ask about them; one part's resources are in memory at a time."""
        held = self.resources.held_out
        if held is None:
            yield list(range(len(self.sources))), self.resources
            return
        lines = TOKENISERS.make(self.tokenisers[0]).tokenise(self.sources, n_threads=self.n_threads)
        part_of = held.part_of(lines)
        for part in np.unique(part_of).tolist():
            rows = [int(row) for row in np.flatnonzero(part_of == part)]
            yield rows, self._without(held, part) if part >= 0 else self.resources

    def _without(self, held: HeldOut, part: int) -> Resources:
        """The resources that have not seen a part, with what has learnt nothing from it, such as parsers and traces."""
        whole = {name: self.resources.get(name) for name, resource in RESOURCES.items() if resource.impartial}
        return replace(held.without(part).having(**whole), languages=self.resources.languages)
