"""A back-off language model in the native core, mapped from its file, and the recipes that give one."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import StrPath, open_writer, read_bytes
from dragoman.lm.kneser_ney import Estimation
from dragoman.lm.levels import to_level
from dragoman.lm.storage import ArpaImport, Storage
from dragoman.lm.weights import check_weights
from dragoman.options import option

__all__ = ["Interpolation", "KneserNey", "LanguageModel", "ScoredTokens"]

_FILE = "lm.bin"


@dataclass(frozen=True)
class ScoredTokens:
    """The tokens of some lines with their probabilities; those of line i are [offsets[i], offsets[i + 1])."""

    log_p: NDArray[np.float32]  # log10
    n_matched: NDArray[np.uint8]  # length of the longest n-gram that the model holds there
    unknown: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    ends: bool  # the last token of each line is the sentence's end


class LanguageModel(Artifact):
    """How probable words are after others: log10 probabilities of a back-off model of order 1 to 9.

    Lines are tokenised text, tokens separated by white space; a model of characters or tags takes them apart itself.
    Words that the model does not know, and `<s>` inside a line, are scored as `<unk>`.
    """

    kind: ClassVar[str] = "language model"
    format: ClassVar[int] = 2  # 1 had hash tables only

    core: _core.lm.Model  # what kernels take
    recipe: Storage

    def __init__(self, core: _core.lm.Model, recipe: Storage, *, data: Mapping[str, str] | None = None) -> None:
        self.core = core
        self.recipe = recipe
        self.data = dict(data or {})

    def __repr__(self) -> str:
        counts = ", ".join(f"{n:,}" for n in self.n_ngrams)
        return f"<LanguageModel of order {self.order}: {counts} n-grams>"

    @property
    def order(self) -> int:
        """The length of the longest n-grams."""
        return self.core.order

    @property
    def n_ngrams(self) -> tuple[int, ...]:
        """How many n-grams it holds, by length from 1 on."""
        return tuple(self.core.n_ngrams(k) for k in range(1, self.order + 1))

    @property
    def structure(self) -> str:
        """What the n-grams are kept in: hash or trie."""
        return "trie" if self.core.is_trie else "hash"

    @property
    def level(self) -> str:
        """What its tokens are: word, char or tag."""
        return self.recipe.level

    def words(self) -> list[str]:
        """The vocabulary: `<unk>`, `<s>`, `</s>`, then the words."""
        return self.core.words()

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.core.find(word) != 0

    def score(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """log10 of the probability of each line, as a whole sentence unless `bos` or `eos` says otherwise."""
        units = to_level(self.level, lines)
        return self.core.score_totals(units, bos=bos, eos=eos, n_threads=n_threads)

    def score_tokens(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> ScoredTokens:
        """The same token by token; with `eos` the last token of a line is `</s>`."""
        units = to_level(self.level, lines)
        log_p, n_matched, unknown, offsets = self.core.score_lines(units, bos=bos, eos=eos, n_threads=n_threads)
        return ScoredTokens(log_p, n_matched, unknown.view(np.bool_), offsets, ends=eos)

    @classmethod
    def from_arpa(cls, path: StrPath, *, level: str = "word") -> Self:
        """The model in an ARPA file of any tool, compressed or not. What is wrong raises with line and reason."""
        content = read_bytes(path)
        try:
            core = _core.lm.read_arpa(content)
        except DataError as error:
            line, _, problem = str(error).removeprefix("line ").partition(": ")
            raise FormatError(problem, path=path, line=int(line)) from None
        return cls(
            core, ArpaImport(level=level, file=Path(path).name).check(), data={"arpa": sha256(content).hexdigest()}
        )

    def converted(self, structure: str, *, p_bits: int = 0, backoff_bits: int = 0) -> LanguageModel:
        """The same n-grams in another structure. What a quantised trie has lost stays lost."""
        recipe = replace(self.recipe, structure=structure, p_bits=p_bits, backoff_bits=backoff_bits)
        recipe.check_storage()
        return LanguageModel(self.core.converted(**recipe.storage()), recipe, data=self.data)

    def pruned(self, entropy: float) -> LanguageModel:
        """Without n-grams whose loss would raise the model's perplexity by a share below `entropy` (Stolcke 1998).

        Back-off weights make up for what goes, so that probabilities add up as before.
        """
        recipe = replace(self.recipe, entropy=entropy)
        recipe.check_storage()
        return LanguageModel(self.core.pruned(entropy, **recipe.storage()), recipe, data=self.data)

    def write_arpa(self, path: StrPath) -> None:
        """Write the model as an ARPA file, compressed as the suffix says."""
        with open_writer(path) as stream:
            self.core.write_arpa(lambda text: stream.write(text.decode()))

    @classmethod
    def open(cls, path: StrPath) -> Self:
        """The model in a folder of ours or in an ARPA file, whichever it is."""
        return cls.load(path) if Path(path).is_dir() else cls.from_arpa(path)

    def _write(self, folder: Path) -> None:
        (folder / _FILE).write_bytes(self.core.serialised())

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        file = folder / _FILE
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the model again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        try:
            core = _core.lm.Model.on_file(content)
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None
        return cls(core, _recipe(manifest.recipe), data=manifest.data)


@dataclass(frozen=True)
class KneserNey(Estimation):
    """How to estimate a language model from tokenised text."""

    def train(
        self,
        lines: Iterable[str],
        *,
        vocabulary: Iterable[str] | None = None,
        arpa: StrPath | None = None,
        folder: StrPath | None = None,
        n_threads: int = 1,
    ) -> LanguageModel:
        """Estimate a model from tokenised lines, which are read once and may be more than fit into memory.

        With a `vocabulary` all other words are counted as `<unk>`. What `max_words` and `min_count` leave out is
        counted as it is, then left to lower orders with every n-gram that holds it (after lmplz's --limit_vocab_file,
        not compared with it).
        `arpa` also writes the model as an ARPA file; `folder` is where sorting may put scratch files (by default where
        the system puts temporary ones).
        """
        core, text = self.estimate(lines, vocabulary=vocabulary, arpa=arpa, folder=folder, n_threads=n_threads)
        return LanguageModel(core, self, data={"text": text})


@dataclass(frozen=True)
class Interpolation(Storage):
    """How to make one back-off model of several, with the n-grams of all.

    Linear: Σ λ_i p_i. Log-linear: Π p_i^λ_i, normalised after every context (Heafield et al., ACL 2016).
    """

    weights: tuple[float, ...] = option((), text="one for each model; none: all alike")
    method: str = option("linear", choices=("linear", "log-linear"), text="sum or product of probabilities")

    def combine(self, models: Sequence[LanguageModel]) -> LanguageModel:
        """One back-off model of these, in memory. Weights of a linear interpolation add up to 1."""
        self.check_storage()
        if not models:
            raise DataError("An interpolation needs at least one model.")
        levels = {model.level for model in models}
        if len(levels) > 1:
            raise DataError(f"Models of {' and '.join(sorted(levels))} level cannot be made one.")
        weights = self.weights or (1 / len(models),) * len(models)
        check_weights(weights, len(models), total=1.0 if self.method == "linear" else None)
        # Pruned before it is quantised.
        storage = Storage().storage() if self.entropy else self.storage()
        core = _core.lm.interpolated(
            [model.core for model in models], list(weights), log_linear=self.method == "log-linear", **storage
        )
        if self.entropy:
            core = core.pruned(self.entropy, **self.storage())
        recipe = replace(self, weights=tuple(weights), level=levels.pop())
        data = {
            f"model {i}": sha256(repr(sorted(model.data.items())).encode()).hexdigest()
            for i, model in enumerate(models, start=1)
        }
        return LanguageModel(core, recipe, data=data)


def _recipe(values: Mapping[str, Any]) -> Storage:
    kind = ArpaImport if "file" in values else Interpolation if "weights" in values else KneserNey
    return kind.from_dict(values)
