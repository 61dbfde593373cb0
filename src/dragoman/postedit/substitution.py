"""A rule-based sentence as the template, with phrases of other engines in its slots (DFKI at WMT 2012).

Slots are noun phrases, main verbs and adjectives of the template, by parts of speech. Each other output is aligned with
the template, target with target, so that any engine can join; what stands between the same neighbours is a candidate. A
learner decides by factors of slot and candidate; labels are silver: what the exchange is worth against a reference.
Nothing of the template is reordered.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.learn.folds import make_folds
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import Recipe, option
from dragoman.postedit.choice import best_set
from dragoman.postedit.gain import Edit, Exchange, edited
from dragoman.postedit.tokens import GLUE, Words, cut, guarded, joined
from dragoman.postedit.worth import Worth
from dragoman.report import Column, Result, Table
from dragoman.stats.arrays import Floats
from dragoman.text.annotate.base import Annotator
from dragoman.text.layers import annotate_once, make_annotator

__all__ = ["FACTORS", "Slot", "Substituted", "Substituter", "SubstitutionRecipe", "train_substituter"]

FACTORS = (
    "frequency",  # share of the slot's candidates, the template's own among them, that are the same
    "lm",  # the phrase's log10 p, less that of the template's phrase
    "lm right",  # with the word behind it
    "lm left",  # with the word before it
    "context tags",  # share of the two neighbours whose tags are the same in the other output
    "tag lm",
    "tag lm right",
    "tag lm left",
    "stem",  # whether a word of four letters or more begins like one of the template's phrase
    "longer by",
)

# Universal parts of speech, a letter each; auxiliaries are no main verbs.
_LETTERS = {"NOUN": "n", "PROPN": "n", "ADJ": "a", "DET": "d", "VERB": "v"}
_SLOTS = re.compile(r"d?a*n+|v|a+")


@dataclass(frozen=True)
class SubstitutionRecipe(Recipe):
    """How to learn which phrases of other engines to put into a template."""

    target_lang: str = option("", text="BCP 47 tag of the language translated into")
    tagger: str = option("", text="annotator that gives parts of speech: hanta:lang=de")
    longest: int = option(6, low=1, high=20, text="most tokens of a candidate")
    learner: str = option("boosting:n_trees=60,depth=3,rate=0.1,min_leaf=10", text="who learns what is worth it")
    most_examples: int = option(25_000, low=100, text="candidates to learn from, evenly spread")
    lm_order: int = option(4, low=1, high=9, text="order of the language models")
    n_folds: int = option(3, low=2, high=20, text="folds: factors of a line come from models of others")
    seed: int = option(1, low=0, text="of folds and learners")

    def annotator(self) -> Annotator[str]:
        """Who tags the words."""
        if not self.tagger:
            raise DataError("Slots are found by parts of speech; say who gives them: --tagger hanta:lang=de.")
        return make_annotator(self.tagger, ("pos",))


@dataclass(frozen=True, slots=True)
class Slot:
    """A candidate for a slot of a line's template: by which system, with which factors, and what became of it."""

    line: int  # from 1
    begin: int
    end: int
    template: str
    system: str
    candidate: str
    factors: tuple[tuple[str, float], ...]
    worth: float
    chosen: bool


@dataclass(frozen=True)
class Substituted(Result):
    """Templates with phrases substituted, and every candidate with its factors and the decision."""

    kind: ClassVar[str] = "substituted phrases"

    lines: tuple[str, ...]
    templates: tuple[str, ...]
    slots: tuple[Slot, ...]

    def tables(self) -> list[Table]:
        """The lines, and the candidates that were chosen."""
        lines = list(zip(range(1, len(self.lines) + 1), self.templates, self.lines, strict=True))
        first = [Column("line"), Column("template", is_text=True), Column("substituted", is_text=True)]
        chosen = [
            (each.line, each.template, each.candidate, each.system, each.worth) for each in self.slots if each.chosen
        ]
        names = [Column("line"), Column("template", is_text=True), Column("candidate", is_text=True)]
        names += [Column("system"), Column("worth", digits=3)]
        return [Table.of("Lines", first, lines), Table.of("Substituted", names, chosen)]

    def meta(self) -> dict[str, Any]:
        """All candidates, span by span: factors and decision."""
        return {"slots": [{**asdict(each), "factors": dict(each.factors)} for each in self.slots]}


@dataclass(frozen=True, eq=False)
class _Line:
    """A template and the other outputs of a line, each as tokens and tags."""

    words: Words
    tags: tuple[str, ...]
    others: tuple[tuple[str, Words, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class _Candidate:
    edit: Edit
    system: str
    tags: tuple[str, ...]
    frequency: float
    context: float


def _lines(template: Sequence[str], others: Mapping[str, Sequence[str]], tagger: Annotator[str]) -> list[_Line]:
    check_parallel({"template": template, **others})
    if not others:
        raise DataError("There is no other output to take phrases from; give one beside the template.")
    sides = {name: [cut(line) for line in side] for name, side in {"": template, **others}.items()}
    tags = {
        name: annotate_once(tagger, [[word.strip(GLUE) or word for word in line] for line in side])
        for name, side in sides.items()
    }
    return [
        _Line(
            sides[""][n],
            tuple(tags[""][n]),
            tuple((name, sides[name][n], tuple(tags[name][n])) for name in others),
        )
        for n in range(len(template))
    ]


def _borders(template: Words, other: Words) -> dict[int, int]:
    """Borders between words of the template, and which border of the other output each is."""
    borders: dict[int, int] = {}
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, template, other, autojunk=False).get_opcodes():
        borders |= {i1: j1, i2: j2}
        if kind == "equal":
            borders |= {i1 + n: j1 + n for n in range(i2 - i1)}
    return borders


def _candidates(line: _Line, recipe: SubstitutionRecipe) -> Iterator[_Candidate]:
    """The candidates of a line, slot by slot; such that lose or double what is guarded are none."""
    letters = "".join(_LETTERS.get(tag, ".") for tag in line.tags)
    borders = [(each, _borders(line.words, each[1])) for each in line.others]
    for slot in _SLOTS.finditer(letters):
        begin, end = slot.span()
        own = line.words[begin:end]
        phrases = []
        for (name, words, tags), places in borders:
            low, high = places.get(begin), places.get(end)
            if low is not None and high is not None and low < high <= low + recipe.longest:
                pairs = (_tag(tags, low - 1), _tag(line.tags, begin - 1)), (_tag(tags, high), _tag(line.tags, end))
                alike = sum(a == b for a, b in pairs) / 2
                phrases.append((name, words[low:high], tags[low:high], alike))
        counts = Counter([own, *(words for _, words, _, _ in phrases)])
        seen = {own}
        for name, words, tags, alike in phrases:
            if words not in seen and guarded(words, recipe.target_lang) == guarded(own, recipe.target_lang):
                seen.add(words)
                yield _Candidate((begin, end, words), name, tags, counts[words] / counts.total(), alike)


def _tag(tags: Sequence[str], place: int) -> str:
    return tags[place] if 0 <= place < len(tags) else ""


def _factors(
    line: _Line, candidates: Sequence[_Candidate], lm: LanguageModel, tag_lm: LanguageModel
) -> list[tuple[float, ...]]:
    rows: list[tuple[float, ...]] = []
    for each in candidates:
        begin, end, words = each.edit
        forms = _differences(lm, line.words, begin, end, words)
        kinds = _differences(tag_lm, line.tags, begin, end, each.tags)
        starts = {word[:4].lower() for word in line.words[begin:end] if len(word) > 3}
        stem = float(any(word[:4].lower() in starts for word in words))
        rows.append((each.frequency, *forms, each.context, *kinds, stem, len(words) - (end - begin)))
    return rows


def _differences(
    lm: LanguageModel, line: Sequence[str], begin: int, end: int, words: Sequence[str]
) -> tuple[float, float, float]:
    """Of a phrase alone, with the word behind it and with the word before it: log10 p, less that of the template's."""
    left, right = tuple(line[max(0, begin - 1) : begin]), tuple(line[end : end + 1])
    new, old = tuple(words), tuple(line[begin:end])
    texts = [" ".join(text) for each in (new, old) for text in (each, (*each, *right), (*left, *each))]
    scores = lm.score(texts, bos=False, eos=False)
    return float(scores[0] - scores[3]), float(scores[1] - scores[4]), float(scores[2] - scores[5])


class Substituter(Artifact):
    """What decides on substitutions: language models of words and tags, and what factors are worth."""

    kind: ClassVar[str] = "substituter"
    format: ClassVar[int] = 1
    recipe: SubstitutionRecipe

    def __init__(
        self,
        recipe: SubstitutionRecipe,
        lm: LanguageModel,
        tag_lm: LanguageModel,
        worth: Worth,
        data: Mapping[str, str],
    ) -> None:
        self.recipe, self.lm, self.tag_lm, self.worth = recipe, lm, tag_lm, worth
        self.seed, self.data = recipe.seed, dict(data)

    def apply(self, template: Sequence[str], others: Mapping[str, Sequence[str]]) -> Substituted:
        """The template's lines with the phrases that are worth it; a line without any is what it was."""
        texts, slots = list(template), []
        for number, line in enumerate(_lines(template, others, self.recipe.annotator())):
            candidates = list(_candidates(line, self.recipe))
            rows = _factors(line, candidates, self.lm, self.tag_lm)
            worth = self.worth(np.array(rows).reshape(len(rows), len(FACTORS))).tolist()
            chosen, _ = best_set([each.edit for each in candidates], worth)
            if chosen and joined(line.words) == " ".join(template[number].split()):
                texts[number] = joined(edited(line.words, [candidates[n].edit for n in chosen]))
            slots += [
                Slot(
                    number + 1,
                    each.edit[0],
                    each.edit[1],
                    joined(line.words[each.edit[0] : each.edit[1]]),
                    each.system,
                    joined(each.edit[2]),
                    tuple(zip(FACTORS, map(float, rows[n]), strict=True)),
                    worth[n],
                    n in chosen and texts[number] != template[number],
                )
                for n, each in enumerate(candidates)
            ]
        return Substituted(tuple(texts), tuple(template), tuple(slots))

    def _write(self, folder: Path) -> None:
        self.lm.save(folder / "lm")
        self.tag_lm.save(folder / "tag-lm")
        self.worth.write(folder)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        models = [LanguageModel.read_part(folder / name) for name in ("lm", "tag-lm")]
        recipe = SubstitutionRecipe.from_dict(manifest.recipe)
        return cls(recipe, models[0], models[1], Worth.read(folder, FACTORS), manifest.data)


def train_substituter(
    template: Sequence[str],
    others: Mapping[str, Sequence[str]],
    refs: Sequence[str],
    recipe: SubstitutionRecipe,
    *,
    more_text: Sequence[str] = (),
) -> Substituter:
    """Learn from outputs and references what substitutions are worth; a line's factors come from models of others."""
    tagger = recipe.check().annotator()
    check_parallel({"template": template, "refs": refs})
    lines, targets = _lines(template, others, tagger), [cut(line) for line in refs]
    more = [cut(line) for line in more_text]
    exchange = Exchange.of([line.words for line in lines], targets)
    folds = make_folds(len(lines), recipe.n_folds, "shuffled", seed=recipe.seed)
    rows: list[tuple[float, ...]] = []
    gains: list[float] = []
    for fold in range(recipe.n_folds):
        rest = [target for target, each in zip(targets, folds, strict=True) if each != fold]
        models = _models([*rest, *more], tagger, recipe)
        for n in np.flatnonzero(folds == fold).tolist():
            candidates = list(_candidates(lines[n], recipe))
            rows += _factors(lines[n], candidates, *models)
            gains += exchange.gains(lines[n].words, targets[n], [each.edit for each in candidates])
    worth = Worth.learn(_array(rows), np.array(gains), recipe, FACTORS)
    data = {"template": sha256("\n".join(template).encode()).hexdigest()}
    return Substituter(recipe, *_models([*targets, *more], tagger, recipe), worth, data)


def _array(rows: Sequence[Sequence[float]]) -> Floats:
    return np.array(rows, dtype=np.float64).reshape(len(rows), len(FACTORS))


def _models(
    text: Sequence[Words], tagger: Annotator[str], recipe: SubstitutionRecipe
) -> tuple[LanguageModel, LanguageModel]:
    tags = annotate_once(tagger, [[word.strip(GLUE) or word for word in line] for line in text])
    lm = KneserNey(order=recipe.lm_order)
    return lm.train([" ".join(line) for line in text]), lm.train([" ".join(line) for line in tags])
