"""Inflection: the form of a lemma with given features, learnt from treebanks by edit scripts.

Forms that a treebank has are remembered. For others an averaged perceptron chooses among the scripts that were met with
the same part of speech and features, by how the lemma ends and begins.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from dragoman._core import syntax as core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError
from dragoman.files import read_lines, write_lines
from dragoman.notation import list_of_texts
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.rng import Stream
from dragoman.syntax.training import Arrays, TagWeights
from dragoman.text.conllu import NOTHING, Sentence
from dragoman.text.edit_scripts import apply_script, edit_script

__all__ = [
    "Inflected",
    "InflectionEvaluation",
    "InflectionRecipe",
    "Inflector",
    "Slot",
    "evaluate_inflection",
    "read_slots",
]

_FORMS, _LABELS = "forms.tsv", "labels.json"
_ARRAYS = ("keys", "counts", "classes", "weights")
_MOST_SCRIPTS = 16_000


class Slot(NamedTuple):
    """What is to be inflected: a lemma, and the part of speech and features that are wanted."""

    lemma: str
    upos: str
    feats: str = NOTHING

    @property
    def tag(self) -> str:
        """Part of speech and features as one label."""
        return f"{self.upos}|{self.feats}"


class Inflected(NamedTuple):
    """A form, how it came about, and by how much its script was ahead of the next."""

    form: str
    by: str  # "seen" with the treebank's form, "script", or "left": the lemma itself, for lack of confidence
    margin: float | None = None


@dataclass(frozen=True)
class InflectionRecipe(Recipe):
    """How to learn inflection."""

    least: int = option(2, low=1, text="words that a script must explain")
    epochs: int = option(8, low=1, high=1000, text="rounds over the words")
    runs: int = option(2, low=1, high=100, text="perceptrons that learn in different orders and are averaged")

    def train(self, sentences: Iterable[Sentence], *, seed: int = 1) -> Inflector:
        """Learn from the words of treebanks that have lemmas."""
        self.check()
        return self.train_forms(slot_forms(sentences), seed=seed)

    def train_forms(self, forms: Mapping[Slot, Counter[str]], *, seed: int = 1) -> Inflector:
        """Learn from forms, counted by what they are forms of."""
        best = {slot: max(counts, key=lambda form: (counts[form], form)) for slot, counts in forms.items()}
        slots = sorted(best)
        scripts = [edit_script(slot.lemma, best[slot]) for slot in slots]
        counts = Counter(scripts)
        names = tuple(sorted(script for script, count in counts.items() if count >= self.least))[:_MOST_SCRIPTS]
        if not names:
            raise DataError(
                f"No change from lemma to form is made by {self.least} words; inflection is learnt from a large "
                "treebank with lemmas (column LEMMA)."
            )
        number = {script: i for i, script in enumerate(names)}
        learnt = [(slot, number[script]) for slot, script in zip(slots, scripts, strict=True) if script in number]
        tags = tuple(sorted({slot.tag for slot, _ in learnt}))
        weights = self._learn([slot for slot, _ in learnt], [label for _, label in learnt], tags, len(names), seed)
        digest = sha256("".join(f"{slot}\t{best[slot]}\n" for slot in slots).encode("utf-8", "surrogatepass"))
        return Inflector(self, best, names, tags, weights, seed=seed, data={"words": digest.hexdigest()})

    def _learn(
        self, slots: Sequence[Slot], labels: Sequence[int], tags: Sequence[str], n_scripts: int, seed: int
    ) -> TagWeights:
        number = {tag: i for i, tag in enumerate(tags)}
        given = np.array([number[slot.tag] for slot in slots], dtype=np.uint16)
        own = np.array(labels, dtype=np.uint16)
        allowed = np.zeros((len(tags), n_scripts), dtype=np.uint8)
        allowed[given, own] = 1
        looks = _looks(slots)
        runs = [
            core.learn_tags(looks, given, own, allowed, epochs=self.epochs, key=Stream(seed, f"inflection {run}").key)
            for run in range(self.runs)
        ]
        return TagWeights(core.mean_weights(runs, smallest=0.0), allowed)


class Inflector(Artifact):
    """Makes forms of lemmas."""

    kind: ClassVar[str] = "inflection model"
    format: ClassVar[int] = 1

    recipe: InflectionRecipe

    def __init__(
        self,
        recipe: InflectionRecipe,
        forms: Mapping[Slot, str],
        scripts: Sequence[str],
        tags: Sequence[str],
        weights: TagWeights,
        *,
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe = recipe
        self.forms = dict(forms)
        self.scripts = tuple(scripts)
        self.tags = tuple(tags)
        self.seed = seed
        self.data = dict(data or {})
        self._weights = weights
        self._layer = weights.layer()
        self._numbers = {tag: i for i, tag in enumerate(self.tags)}

    def inflect(self, slots: Sequence[Slot], *, least_margin: float = 0.0, n_threads: int = 1) -> list[Inflected]:
        """The form of each lemma; where the best script is less than so far ahead, the lemma is left as it is."""
        if not slots:
            return []
        for number, slot in enumerate(slots, start=1):
            if not slot.lemma or not slot.upos:
                raise DataError(f"Word {number} lacks a lemma or a part of speech: {tuple(slot)!r}.")
        given = np.array([self._nearest(slot) for slot in slots], dtype=np.uint16)
        labels, margins = self._layer.tag(_looks(slots), given, n_threads=n_threads)
        return [
            self._form(slot, label, margin, least_margin)
            for slot, label, margin in zip(slots, labels.tolist(), margins.tolist(), strict=True)
        ]

    def _form(self, slot: Slot, label: int, margin: float, least: float) -> Inflected:
        if slot in self.forms:
            return Inflected(self.forms[slot], "seen")
        form = apply_script(self.scripts[label], slot.lemma)
        if form is None or margin < least:
            return Inflected(slot.lemma, "left", margin)
        return Inflected(form, "script", margin)

    def _nearest(self, slot: Slot) -> int:
        """The tag that is asked for; one never met stands for the met one that shares most of it."""
        if slot.tag not in self._numbers:
            wanted = set(slot.feats.split("|"))

            def shared(tag: str) -> tuple[bool, int, int]:
                upos, _, feats = tag.partition("|")
                own = set(feats.split("|"))
                return upos == slot.upos, len(wanted & own), -len(wanted ^ own)

            self._numbers[slot.tag] = self._numbers[max(self.tags, key=shared)]
        return self._numbers[slot.tag]

    def _write(self, folder: Path) -> None:
        rows = ("\t".join([*slot, form]) for slot, form in sorted(self.forms.items()))
        write_lines(folder / _FORMS, rows)
        about = {"scripts": self.scripts, "tags": self.tags}
        (folder / _LABELS).write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        for name, array in zip(_ARRAYS, self._weights.arrays, strict=True):
            np.save(folder / f"{name}.npy", np.asarray(array), allow_pickle=False)
        np.save(folder / "allowed.npy", self._weights.allowed, allow_pickle=False)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        about = json.loads((folder / _LABELS).read_text(encoding="utf-8"))
        forms: dict[Slot, str] = {}
        for number, line in enumerate(read_lines(folder / _FORMS), start=1):
            cells = line.split("\t")
            if len(cells) != 4:
                raise FormatError(
                    "expected a lemma, a part of speech, features, a form.", path=folder / _FORMS, line=number
                )
            forms[Slot(*cells[:3])] = cells[3]
        keys, counts, classes, weights = (np.load(folder / f"{name}.npy", allow_pickle=False) for name in _ARRAYS)
        arrays: Arrays = (keys, counts, classes, weights)
        allowed: NDArray[np.uint8] = np.load(folder / "allowed.npy", allow_pickle=False)
        if allowed.shape != (len(about["tags"]), len(about["scripts"])):
            raise FormatError("the table of scripts by tag does not fit its names.", path=folder / "allowed.npy")
        return cls(
            InflectionRecipe.from_dict(manifest.recipe),
            forms,
            list_of_texts(about["scripts"]),
            list_of_texts(about["tags"]),
            TagWeights(arrays, allowed),
            seed=manifest.seed,
            data=manifest.data,
        )


def _looks(slots: Sequence[Slot]) -> core.TokenLooks:
    """Lemmas as lines of one token."""
    return core.TokenLooks([slot.lemma for slot in slots], np.arange(len(slots) + 1, dtype=np.int64))


def slot_forms(sentences: Iterable[Sentence]) -> dict[Slot, Counter[str]]:
    """The forms of treebanks by lemma and features, words with letters alone; capitals that a lemma lacks are small."""
    forms: dict[Slot, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for word in sentence.words:
            if word.lemma != NOTHING and word.upos != NOTHING and word.form.isalpha() and "\t" not in word.lemma:
                form = word.form if word.lemma[:1].isupper() else word.form.lower()
                forms[Slot(word.lemma, word.upos, word.feats)][form] += 1
    if not forms:
        raise DataError("The treebank has no words with lemmas (column LEMMA) and parts of speech to learn from.")
    return forms


def read_slots(lines: Iterable[str], path: str = "<text>") -> list[Slot]:
    """Lines of lemma, part of speech and features between tabs; features are as in CoNLL-U, `_` or nothing is none."""
    slots = []
    for number, line in enumerate(lines, start=1):
        cells = line.split("\t")
        if not 2 <= len(cells) <= 3 or not cells[0] or not cells[1]:
            raise FormatError(
                "expected a lemma, a part of speech and features between tabs, as in muž⇥NOUN⇥Case=Gen; got "
                f"{line[:60]!r}.",
                path=path,
                line=number,
            )
        slots.append(Slot(cells[0], cells[1], cells[2] if len(cells) == 3 and cells[2] else NOTHING))
    return slots


@dataclass(frozen=True)
class InflectionEvaluation(Result):
    """How many hidden forms were made right, by part of speech."""

    kind: ClassVar[str] = "inflection of hidden forms"

    rows: tuple[tuple[str, int, int, int], ...]  # part of speech, forms, right, right if the lemma were the form
    hidden: float
    seed: int

    def tables(self) -> list[Table]:
        """A row for each part of speech, and one for all."""
        whole = [("all", *np.sum([row[1:] for row in self.rows], axis=0).tolist())]
        columns = "pos", "forms", "right", Column("percent", digits=1), Column("lemma_percent", "lemma %", digits=1)
        rows = [(pos, n, right, 100 * right / n, 100 * same / n) for pos, n, right, same in (*self.rows, *whole)]
        share = f"{100 * self.hidden:g} % of the forms were hidden (seed {self.seed})"
        note = f"{share}; lemma %: where the form is the lemma."
        return [Table.of("Hidden forms", columns, rows, note=note)]


def evaluate_inflection(
    sentences: Iterable[Sentence], recipe: InflectionRecipe | None = None, *, hidden: float = 0.05, seed: int = 1
) -> InflectionEvaluation:
    """Hide a share of the forms of treebanks, learn from the others, and make the hidden ones.

    What is hidden is a lemma with its features, so that no other line of the treebank gives the form away.
    """
    if not 0 < hidden < 1:
        raise DataError(f"A share of forms between 0 and 1 is hidden, got {hidden}.")
    forms = slot_forms(sentences)
    slots = sorted(forms)
    order = Stream(seed, "hidden forms").permutation(len(slots))
    chosen = [slots[i] for i in order[: max(1, round(hidden * len(slots)))].tolist()]
    away = set(chosen)
    model = (recipe or InflectionRecipe()).train_forms(
        {slot: counts for slot, counts in forms.items() if slot not in away}, seed=seed
    )
    counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    for slot, found in zip(chosen, model.inflect(chosen), strict=True):
        right = counts[slot.upos]
        right[0] += 1
        right[1] += found.form in forms[slot]
        right[2] += slot.lemma in forms[slot]
    rows = tuple((pos, n, right, same) for pos, (n, right, same) in sorted(counts.items()))
    return InflectionEvaluation(rows, hidden, seed)
