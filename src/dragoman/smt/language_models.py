"""Further language models of an engine, by name: of words, of classes or tags, of words with what they translate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import ClassVar, Self

import numpy as np

from dragoman import _core
from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.errors import DataError, ModelError
from dragoman.lm import ClassKneserNey, ClassModel, KneserNey, LanguageModel, WordClasses, cluster_words
from dragoman.options import Recipe, option
from dragoman.smt.aligned_text import AlignedText
from dragoman.text.vocabulary import Vocabulary

__all__ = ["BilingualModel", "MoreModel", "NamedModel", "bilingual_lines", "numbers_of", "read_model"]

_MARK = "␟"  # between a target word and the source words that it translates
_KINDS = ("words", "classes", "tags", "bilingual")
_TAKEN = ("lm", "class-lm")  # names of the models that have a section of their own in a recipe


class BilingualModel(Artifact):
    """A language model whose tokens are target words with the source words they are linked to (Niehues et al. 2011)."""

    kind: ClassVar[str] = "bilingual language model"
    format: ClassVar[int] = 1

    def __init__(self, model: LanguageModel) -> None:
        self.model = model
        self.recipe = model.recipe
        self.data = dict(model.data)

    def __repr__(self) -> str:
        return f"<BilingualModel {self.model!r}>"

    def view(self, source: Vocabulary, target: Vocabulary) -> _core.phrase.BilingualView:
        """What the decoder reads for it; tokens whose words are in no vocabulary cannot come up."""
        tokens = [(number, token.split(_MARK)) for number, token in enumerate(self.model.words()) if _MARK in token]
        target_ids = target.find([parts[0] for _, parts in tokens])
        linked = [[word for word in parts[1:] if word] for _, parts in tokens]
        source_ids = iter(source.find([word for words in linked for word in words]))
        targets, sources, offsets, numbers = [], [], [0], []
        for (number, _), target_id, words in zip(tokens, target_ids, linked, strict=True):
            ids = list(islice(source_ids, len(words)))
            if target_id < 0 or -1 in ids:
                continue
            targets.append(target_id)
            sources += ids
            offsets.append(len(sources))
            numbers.append(number)
        return _core.phrase.BilingualView(
            np.array(targets, np.int32),
            np.array(offsets, np.int64),
            np.array(sources, np.int32),
            np.array(numbers, np.uint32),
        )

    def _write(self, folder: Path) -> None:
        self.model.save(folder / "tokens")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:  # noqa: ARG003 (the tokens have one of their own)
        return cls(LanguageModel.read_part(folder / "tokens"))


MoreModel = LanguageModel | ClassModel | BilingualModel


@dataclass(frozen=True)
class NamedModel(Recipe):
    """A language model beside those of words (`lm`) and of classes (`class-lm`): a table `[[models]]` of a recipe."""

    name: str = option("", text="of its feature and weight")
    kind: str = option("words", choices=_KINDS, text="what its tokens are")
    order: int = option(5, low=1, high=9, text="length of its longest n-grams")
    number: int = option(200, low=1, text="of kind classes: how many")
    table: str = option("", text="of kind tags: a file of lines word, tab, tag")

    def check(self) -> Self:
        """Return the recipe if its options fit each other."""
        super().check()
        if not self.name or self.name in _TAKEN or not self.name.replace("-", "").isalnum():
            raise DataError(
                f"A further language model needs a name of letters, digits and hyphens other than "
                f"{' and '.join(_TAKEN)}; got {self.name!r}."
            )
        if (self.kind == "tags") != bool(self.table):
            raise DataError(
                f"The language model {self.name!r}: a table of tags goes with the kind tags, and with no other."
            )
        return self

    def train(self, lines: Sequence[str], linked: Sequence[str], *, n_threads: int = 1) -> MoreModel:
        """The model of tokenised target lines; of the kind bilingual, of `linked` lines (see `bilingual_lines`)."""
        self.check()
        text = [line for line in lines if line]
        if self.kind == "bilingual":
            return BilingualModel(KneserNey(order=self.order).train(filter(None, linked), n_threads=n_threads))
        if self.kind == "words":
            return KneserNey(order=self.order).train(text, n_threads=n_threads)
        tags = self.kind == "tags"
        classes = WordClasses.read(self.table) if tags else cluster_words(text, self.number, n_threads=n_threads)
        return ClassKneserNey(order=self.order).fit(text, classes, n_threads=n_threads)


def bilingual_lines(text: AlignedText, source: Vocabulary, target: Vocabulary) -> list[str]:
    """Each target line with its words marked by the source words that they are linked to, in their order."""
    lines = []
    source_words, target_words = source.words(), target.words()
    ends = text.link_offsets.tolist()
    for number in range(len(text)):
        words = [source_words[each] for each in text.source[number].tolist()]
        linked: dict[int, list[int]] = {}
        for s, t in text.links[ends[number] : ends[number + 1]].tolist():
            linked.setdefault(t, []).append(s)
        tokens = [
            _MARK.join([target_words[each], *(words[s] for s in sorted(linked.get(place, ())))])
            for place, each in enumerate(text.target[number].tolist())
        ]
        lines.append(" ".join(token if _MARK in token else token + _MARK for token in tokens))
    return lines


def numbers_of(model: LanguageModel | ClassModel, words: Sequence[str]) -> list[int]:
    """The numbers that a model has for words, or for their classes."""
    if isinstance(model, LanguageModel):
        return model.core.find_words(words)
    of_word = model.classes.classes
    names = ["<unk>", *set(of_word.values())]
    numbers = dict(zip(names, model.model.core.find_words(names), strict=True))
    return [numbers[of_word.get(word, "<unk>")] for word in words]


def read_model(folder: Path) -> MoreModel:
    """The language model in a folder whose checksums have been checked, whichever it is."""
    manifest = read_manifest(folder)
    for kind in (LanguageModel, ClassModel, BilingualModel):
        if manifest.kind == kind.kind:
            return kind._read(folder, manifest)
    raise ModelError(f"{folder} is a {manifest.kind}, not a language model. Train the engine again or copy it whole.")
