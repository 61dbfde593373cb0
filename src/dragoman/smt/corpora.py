"""Texts to train an engine on, each for what it is good for: a role, files, perhaps a weight."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.data.bitext import Bitext
from dragoman.data.bitext_files import read_bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, DragomanError, FormatError
from dragoman.files import StrPath, iter_lines, read_text
from dragoman.notation import parse_toml
from dragoman.options import Recipe, option
from dragoman.registry import Registry
from dragoman.smt.pair_weights import PairWeights
from dragoman.smt.work import fingerprint

__all__ = ["CORPUS_ROLES", "Corpora", "Corpus", "Monolingual", "corpora_of", "read_corpora", "read_corpus_tables"]

CORPUS_ROLES: Registry[Corpus] = Registry(
    "corpus role",
    {
        "all": "dragoman.smt.corpora:WholeCorpus",
        "phrases": "dragoman.smt.corpora:PhraseCorpus",
        "lm": "dragoman.smt.corpora:TargetCorpus",
        "tune": "dragoman.smt.corpora:TuningCorpus",
    },
)

_FILES = ("path", "src", "tgt")


@dataclass(frozen=True)
class Corpus(Recipe):
    """A text, named by its files, and what it is for."""

    role: ClassVar[str]

    path: str = option("", text="both sides in one file, as TMX, instead of src and tgt")
    src: str = option("", text="source side, a sentence a line")
    tgt: str = option("", text="target side, line by line its translation")

    def check(self) -> Self:
        """Return the corpus if its files are named as its role needs them."""
        super().check()
        self._check_files()
        return self

    def _check_files(self) -> None:
        if bool(self.path) == bool(self.src or self.tgt) or bool(self.src) != bool(self.tgt):
            raise DataError(f"A corpus of role {self.role!r} has two sides: name src and tgt, or path; got {self}.")

    def __str__(self) -> str:
        named = [f"{name}={getattr(self, name)!r}" for name in _FILES if getattr(self, name)]
        return ", ".join(named) or "none of them"

    def from_folder(self, folder: Path) -> Self:
        """The same corpus, its files being meant from a folder."""
        named = [name for name in (*_FILES, "pair_weights") if getattr(self, name, "")]
        return replace(self, **{name: str(folder / getattr(self, name)) for name in named})

    def bitext(self) -> Bitext:
        """Both sides."""
        return read_bitext([self.path] if self.path else [self.src, self.tgt])


@dataclass(frozen=True)
class WeightedCorpus(Corpus):
    """A text with a language model of its own, which a mixture gives a weight."""

    weight: float | None = option(None, text="in the mixture of language models; none: learnt on the tuning set")

    def check(self) -> Self:
        """Return the corpus if it keeps its rules and its weight is a positive number."""
        super().check()
        if self.weight is not None and not 0 < self.weight < math.inf:
            raise DataError(f"The weight of a corpus is a number above 0, got {self.weight!r} for {self}.")
        return self


@dataclass(frozen=True)
class ExtractedCorpus(Corpus):
    """Sentence pairs that phrases are extracted from, where each may count more or less than others."""

    pair_weight: float = option(1.0, text="what each of its pairs counts when phrases are extracted")
    pair_weights: str = option("", text="file with such a number for each pair, one a line")

    def check(self) -> Self:
        """Return the corpus if it keeps its rules and its pairs count something."""
        super().check()
        if not 0 < self.pair_weight < math.inf:
            raise DataError(f"The pairs of a corpus weigh more than 0, got {self.pair_weight!r} for {self}.")
        return self


@dataclass(frozen=True)
class WholeCorpus(WeightedCorpus, ExtractedCorpus):
    """Sentence pairs for everything: words are aligned, phrases extracted, and the target side is modelled."""

    role: ClassVar[str] = "all"


@dataclass(frozen=True)
class PhraseCorpus(ExtractedCorpus):
    """Sentence pairs for phrases alone: aligned and extracted, while the language model does not see them."""

    role: ClassVar[str] = "phrases"


@dataclass(frozen=True)
class TargetCorpus(WeightedCorpus):
    """Text of the target language alone, for its language model; `path` or `tgt`, a sentence a line."""

    role: ClassVar[str] = "lm"

    def _check_files(self) -> None:
        if self.src or bool(self.path) == bool(self.tgt):
            raise DataError(f"A corpus of role 'lm' has the target side alone: name it as path or tgt; got {self}.")


@dataclass(frozen=True)
class TuningCorpus(Corpus):
    """Held-out sentence pairs that weights are tuned on, those of the features and those of language models."""

    role: ClassVar[str] = "tune"


@dataclass(frozen=True)
class Monolingual:
    """Lines of a file, read when asked for: there may be more than fit into memory."""

    path: str

    def __iter__(self) -> Iterator[str]:
        return iter_lines(self.path)

    def fingerprint(self) -> str:
        """What it holds, as one hash."""
        return fingerprint(self)


@dataclass(frozen=True)
class Corpora:
    """The texts of a training by what they are for."""

    bitexts: tuple[Bitext, ...]  # phrases are extracted from all of them
    modelled: tuple[bool, ...]  # by bitext: whether the language model sees its target side
    texts: tuple[Monolingual, ...] = ()  # of the target language, for the language model
    weights: tuple[float, ...] = ()  # in the mixture: of bitexts that are modelled, then of texts; none: learnt
    dev: TestSet | None = None
    pair_weights: tuple[PairWeights, ...] = ()  # by bitext; none: every pair counts 1

    @classmethod
    def of(cls, *bitexts: Bitext) -> Self:
        """Bitexts for everything; one language model sees all of them."""
        return cls(bitexts, (True,) * len(bitexts))

    @property
    def mixed(self) -> bool:
        """Whether each text has a language model of its own, which are mixed."""
        return bool(self.texts or self.weights) or not all(self.modelled)

    @property
    def labels(self) -> tuple[str, ...]:
        """What the language models are of, in the order of weights."""
        pairs = zip(self.bitexts, self.modelled, strict=True)
        return (*(bitext.label for bitext, modelled in pairs if modelled), *(text.path for text in self.texts))


def corpora_of(corpora: Sequence[Corpus], bitexts: Sequence[Bitext] = (), dev: TestSet | None = None) -> Corpora:
    """Corpora behind bitexts for everything, opened and checked against each other."""
    checked = [corpus.check() for corpus in corpora]
    _check_files(checked)
    pairs = [each for each in checked if isinstance(each, WholeCorpus | PhraseCorpus)]
    texts = [each for each in checked if isinstance(each, TargetCorpus)]
    tuning = [each for each in checked if isinstance(each, TuningCorpus)]
    if len(tuning) + (dev is not None) > 1:
        raise DataError(f"There are {len(tuning) + (dev is not None)} tuning sets; put them into one.")
    if not bitexts and not pairs:
        raise DataError("There are no sentence pairs to train on. Name a corpus of role 'all' or 'phrases'.")
    modelled = (True,) * len(bitexts) + tuple(isinstance(each, WholeCorpus) for each in pairs)
    if not any(modelled) and not texts:
        raise DataError("There is no text for the language model. Name a corpus of role 'all' or 'lm'.")
    weights = [None] * len(bitexts) + [each.weight for each in (*pairs, *texts) if isinstance(each, WeightedCorpus)]
    return Corpora(
        (*bitexts, *(each.bitext() for each in pairs)),
        modelled,
        tuple(Monolingual(each.path or each.tgt) for each in texts),
        _checked_weights(weights),
        dev if not tuning else _test_set(tuning[0]),
        _pair_weights(len(bitexts), pairs),
    )


def _pair_weights(n_plain: int, corpora: Sequence[ExtractedCorpus]) -> tuple[PairWeights, ...]:
    """What pairs count, behind bitexts of which nothing is said; nothing if all count the same."""
    weights = [PairWeights()] * n_plain + [PairWeights(each.pair_weight, each.pair_weights) for each in corpora]
    return tuple(weights) if any(each != PairWeights() for each in weights) else ()


def _check_files(corpora: Sequence[Corpus]) -> None:
    seen: dict[Path, int] = {}
    for number, corpus in enumerate(corpora, start=1):
        for name in filter(None, (getattr(corpus, name) for name in _FILES)):
            before = seen.setdefault(Path(name).resolve(), number)
            if before != number or (name == corpus.src == corpus.tgt):
                roles = " and ".join(repr(corpora[n - 1].role) for n in sorted({before, number}))
                raise DataError(f"{name} is named twice, by corpus {before} and corpus {number} (role {roles}).")


def _checked_weights(weights: Sequence[float | None]) -> tuple[float, ...]:
    """Weights that add up to 1; none if none were given."""
    numbers = [weight for weight in weights if weight is not None]
    if numbers and len(numbers) < len(weights):
        raise DataError(
            f"{len(numbers)} of {len(weights)} texts of the language model have a weight: give one to each, or to "
            "none, and they are learnt on the tuning set."
        )
    return tuple(weight / sum(numbers) for weight in numbers)


def _test_set(corpus: TuningCorpus) -> TestSet:
    pairs = list(corpus.bitext())
    return TestSet(srcs=[src for src, _ in pairs], refs={"ref": [tgt for _, tgt in pairs]})


def read_corpus_tables(path: StrPath) -> tuple[Corpus, ...]:
    """The tables `[[corpus]]` of a recipe in TOML; their files are meant from the recipe's folder."""
    return read_corpora(parse_toml(read_text(path), path=path).get("corpus", []), path)


def read_corpora(tables: Any, path: StrPath) -> tuple[Corpus, ...]:
    """Corpora of tables in TOML, which `path` holds."""
    if not isinstance(tables, list) or not all(isinstance(table, Mapping) for table in tables):
        raise FormatError("a corpus is a table of its own: write [[corpus]], with two brackets.", path=path)
    corpora = []
    for number, table in enumerate(tables, start=1):
        options = {name: value for name, value in table.items() if name != "role"}
        try:
            corpus = CORPUS_ROLES.get(str(table.get("role", "all"))).from_dict(options)
        except DragomanError as error:
            raise FormatError(f"[[corpus]] {number}: {error}", path=path) from None
        corpora.append(corpus.from_folder(Path(path).parent))
    return tuple(corpora)
