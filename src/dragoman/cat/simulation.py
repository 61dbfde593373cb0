"""Simulated translators: how many keys and clicks a known translation costs, with an engine's help and without.

The user of interactive prediction has the reference in mind. She accepts the prediction up to its first wrong character
by a click there (none where the caret stands there already), types the right character, and gets another prediction; at
the end one click accepts the whole (Barrachina et al. 2009). Post-editing starts from the best translation and costs
its character edits (insertions, deletions, substitutions) and a click for each place at which they are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman._core import edit
from dragoman.data import TestSet
from dragoman.engines import Completes, Role, Translates
from dragoman.engines.roles import Completer
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.report import Column, Progress, Result, Table
from dragoman.stats import bootstrap_interval

__all__ = [
    "MODES",
    "Effort",
    "Simulation",
    "SimulationRecipe",
    "interactive_effort",
    "post_edit_effort",
    "simulate",
    "typing_effort",
]

_MEASURES = ("ksr", "mar", "ksmr", "wsr")
MODES = ("interactive", "post-edit", "typing")
_ROLES: dict[str, type[Role]] = {"interactive": Completes, "post-edit": Translates}
_MATCH, _DELETE = 0, 3  # of `edit.operations`


@dataclass(frozen=True)
class Effort:
    """What one segment cost. A word is corrected if a key was pressed in it."""

    keys: int
    clicks: int
    words: int  # corrected
    n_chars: int  # of the reference
    n_words: int
    seconds: tuple[float, ...] = ()  # of each answer to a key


def typing_effort(reference: str) -> Effort:
    """Everything is typed, and accepted."""
    n_words = len(reference.split())
    return Effort(len(reference), 1, n_words, len(reference), n_words)


def interactive_effort(complete: Callable[[str], str], reference: str) -> Effort:
    """What the reference costs to somebody who is helped by `complete`, which goes on from a prefix."""
    prefix, caret = "", 0
    keys, clicks = 0, 1
    touched: set[int] = set()
    seconds: list[float] = []
    while True:
        start = perf_counter()
        text = prefix + complete(prefix)
        seconds.append(perf_counter() - start)
        if not text.startswith(prefix):
            raise DataError(f"The completion of {prefix!r} changes what was typed.")
        if text == reference:
            break
        agreed = _agreed(text, reference)
        clicks += agreed > caret
        keys += 1  # the right character, or, behind the last one, the key that cuts off what is too much
        touched.add(len(reference[: agreed + 1].split()))
        if agreed == len(reference):
            break
        caret = agreed + 1
        prefix = reference[:caret]
    return Effort(keys, clicks, len(touched), len(reference), len(reference.split()), tuple(seconds))


def _agreed(text: str, reference: str) -> int:
    pairs = enumerate(zip(text, reference, strict=False))
    return next((place for place, (a, b) in pairs if a != b), min(len(text), len(reference)))


def post_edit_effort(translation: str, reference: str) -> Effort:
    """What it costs to make a translation the reference, character by character."""
    operations, _ = edit.operations(*_characters([translation]), *_characters([reference]))
    keys = clicks = place = 0
    touched: set[int] = set()
    editing = False
    for name in operations.tolist():
        is_edit = name != _MATCH
        keys += is_edit
        clicks += is_edit and not editing
        editing = is_edit
        if is_edit:
            touched.add(len(reference[: place + 1].split()))
        place += name != _DELETE
    return Effort(keys, clicks + 1, len(touched), len(reference), len(reference.split()))


def _characters(lines: Sequence[str]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    ids = np.array([ord(char) for line in lines for char in line], dtype=np.int32)
    return ids, np.cumsum([0, *map(len, lines)], dtype=np.int64)


@dataclass(frozen=True)
class SimulationRecipe(Recipe):
    """Ways of working, and how intervals are made."""

    modes: tuple[str, ...] = option(MODES, choices=MODES, text="way of working")
    trials: int = option(1000, low=1, text="resamples of the segments for intervals")
    seed: int = option(12345, low=0, text="seed of the resampling")


@dataclass(frozen=True)
class Simulation(Result):
    """Keys and clicks by way of working. Rates are per hundred characters of the reference, WSR per hundred words."""

    kind: ClassVar[str] = "simulated sessions"

    efforts: tuple[tuple[str, tuple[Effort, ...]], ...]  # by mode
    recipe: SimulationRecipe

    def tables(self) -> list[Table]:
        """A row for each mode and measure, with its 95 % interval over resampled segments."""
        rows: list[tuple[Any, ...]] = []
        for mode, efforts in self.efforts:
            rows += [(mode, measure, *self._rate(measure, efforts)) for measure in _MEASURES]
            seconds = [s for each in efforts for s in each.seconds]
            if seconds:
                rows += [(mode, f"p{q}_ms", 1000 * float(np.percentile(seconds, q)), None, None) for q in (50, 95)]
        columns = [*map(Column, ("mode", "measure")), *(Column(name, digits=2) for name in ("value", "low", "high"))]
        note = (
            "ksr, mar: keys and mouse actions per hundred characters of the reference, ksmr: both; wsr: words "
            "corrected per hundred words; p50_ms, p95_ms: milliseconds from a key to the prediction."
        )
        return [Table.of("Simulated sessions", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """How much was typed, and how intervals were made."""
        efforts = self.efforts[0][1]
        return {
            "segments": len(efforts),
            "characters": sum(each.n_chars for each in efforts),
            "words": sum(each.n_words for each in efforts),
            "trials": self.recipe.trials,
            "seed": self.recipe.seed,
        }

    def _rate(self, measure: str, efforts: Sequence[Effort]) -> tuple[float, float | None, float | None]:
        counts = np.array([_counts(measure, each) for each in efforts], dtype=np.float64)
        if len(counts) == 1:  # nothing varies
            return float(_rates(counts[0])), None, None
        interval = bootstrap_interval(counts, _rates, trials=self.recipe.trials, seed=self.recipe.seed)
        return interval.score, interval.low, interval.high


def _counts(measure: str, effort: Effort) -> tuple[int, int]:
    if measure == "wsr":
        return effort.words, effort.n_words
    keys = effort.keys if measure in ("ksr", "ksmr") else 0
    return keys + (effort.clicks if measure in ("mar", "ksmr") else 0), effort.n_chars


def _rates(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    rates: NDArray[np.float64] = 100 * sums[..., 0] / sums[..., 1]
    return rates


def simulate(
    engine: Role,
    test_set: TestSet,
    recipe: SimulationRecipe | None = None,
    *,
    n_threads: int = 1,
    progress: Progress | None = None,
) -> Simulation:
    """Translate the sources into the first reference in each mode of the recipe; count what it costs.

    A mode that the engine has no role for is refused before work starts. Segments whose reference is empty cost nothing
    and are left out.
    """
    recipe = (recipe or SimulationRecipe()).check()
    _check_modes(engine, recipe.modes)
    if test_set.srcs is None or not test_set.refs:
        raise DataError("A simulation needs sources, and a reference that is typed.")
    references = [" ".join(str(line).split()) for line in next(iter(test_set.refs.values()))]
    pairs = [(str(source), text) for source, text in zip(test_set.srcs, references, strict=True) if text]
    if not pairs:
        raise DataError("The reference is empty: there is nothing to type.")
    efforts: dict[str, tuple[Effort, ...]] = {}
    if isinstance(engine, Completes) and "interactive" in recipe.modes:
        efforts["interactive"] = tuple(_interactive(engine, pairs, progress))
    if isinstance(engine, Translates) and "post-edit" in recipe.modes:
        translations = engine.translate([source for source, _ in pairs], n_threads=n_threads)
        zipped = zip(translations, pairs, strict=True)
        efforts["post-edit"] = tuple(post_edit_effort(translation, text) for translation, (_, text) in zipped)
    if "typing" in recipe.modes:
        efforts["typing"] = tuple(typing_effort(text) for _, text in pairs)
    return Simulation(tuple(efforts.items()), recipe)


def _check_modes(engine: Role, modes: Sequence[str]) -> None:
    """Refuse modes that an engine has no role for; name those that it has."""
    if not modes:
        raise DataError(f"A simulation needs a mode. Choose from {', '.join(MODES)}.")
    missing = {mode: why for mode in modes if mode in _ROLES and (why := _why_not(engine, _ROLES[mode]))}
    if missing:
        left = [mode for mode in MODES if mode not in _ROLES or not _why_not(engine, _ROLES[mode])]
        raise DataError(
            " ".join(f"There is no mode {mode}: {why}" for mode, why in missing.items())
            + f" Choose from those that this engine has: {' '.join(f'--mode {mode}' for mode in left)}."
        )


def _why_not(engine: Role, role: type[Role]) -> str | None:
    """Why the engine cannot fill a role; None if it can."""
    if not isinstance(engine, role):
        doing = "complete translations" if role is Completes else "translate"
        return f"the engine cannot {doing}."
    return engine.lacks(role)


def _interactive(engine: Completes, pairs: Sequence[tuple[str, str]], progress: Progress | None) -> Iterator[Effort]:
    for done, (source, text) in enumerate(pairs, start=1):
        completer = engine.completer(source)

        def complete(prefix: str, completer: Completer = completer) -> str:
            return completer.complete(prefix)[0].text

        yield interactive_effort(complete, text)
        if progress:
            progress(done, len(pairs), "typing")
