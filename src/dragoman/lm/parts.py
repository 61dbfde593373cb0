"""Counting a text for a language model in parts: sorted runs of n-gram counts, merged while the model is estimated."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from dragoman import _core
from dragoman.errors import DataError
from dragoman.lm.kneser_ney import SPECIAL
from dragoman.lm.levels import to_level
from dragoman.lm.model import KneserNey, LanguageModel
from dragoman.parts import PART, Cut, Workshop, cut_lines, keep_text, read_cut
from dragoman.text.vocabulary import Vocabulary

__all__ = ["mapped", "model_in_parts", "train_in_parts"]

_WORDS, _RUN = "words.vocabulary", "counts.run"


def train_in_parts(shop: Workshop, lines: Iterable[str], recipe: KneserNey, *, part: int = PART) -> LanguageModel:
    """What `recipe.train` gives of tokenised lines, counted by the workers of a shop; its files lie there."""
    recipe.check()
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
    digest = sha256()

    def batches() -> Iterator[list[list[str]]]:
        for batch in cut_lines(lines, part):
            digest.update("".join(f"{line}\n" for line in batch).encode())
            yield [batch]

    cuts = [each["text"] for each in keep_text(shop.folder, ["text"], batches(), part)]
    folder = model_in_parts(shop, cuts, recipe, digest.hexdigest(), filled=False)
    return LanguageModel.load(folder / "lm")


def model_in_parts(shop: Workshop, cuts: Sequence[Cut], recipe: KneserNey, text: str, *, filled: bool = True) -> Path:
    """The folder with the model of a text, as `lm`; its lines have the SHA-256 `text`. `filled`, without empty ones."""
    own = [{"cut": cut, "level": recipe.level, "filled": filled} for cut in cuts]
    words = [str(folder) for folder in shop.map(find_words, own)]
    vocabulary = str(shop.one(merge_words, parts=words))
    runs = shop.map(count_part, [{**each, "order": recipe.order, "vocabulary": vocabulary} for each in own])
    return shop.one(
        estimate_model, runs=list(map(str, runs)), vocabulary=vocabulary, recipe=recipe.to_dict(), text=text
    )


def _units(cut: Cut, level: str, filled: bool) -> Sequence[str]:
    lines = read_cut(cut)
    return to_level(level, list(filter(None, lines)) if filled else lines)


def find_words(folder: Path, cut: Cut, level: str, filled: bool) -> None:
    """The words of a part, in the order in which they are met."""
    words = Vocabulary(SPECIAL, unk=SPECIAL[0])
    words.core.encode(_units(cut, level, filled), _core.text.surface_tokeniser("none"), n_threads=1)
    words.save(folder / _WORDS)


def merge_words(folder: Path, parts: Sequence[str]) -> None:
    """The words of all parts, in the order in which the whole text has them."""
    first, *others = (Vocabulary.load(Path(part) / _WORDS) for part in parts)
    first.merge(*others).vocabulary.save(folder / _WORDS)


def count_part(folder: Path, cut: Cut, level: str, filled: bool, order: int, vocabulary: str) -> None:
    """The counts of a part as one sorted run."""
    words = Vocabulary.load(Path(vocabulary) / _WORDS)
    estimator = KneserNey(order=order).estimator(folder=tempfile.gettempdir(), n_threads=1)
    estimator.add(*words.core.encode(_units(cut, level, filled), _core.text.surface_tokeniser("none"), n_threads=1))
    (folder / _RUN).write_bytes(estimator.sorted_run())


def estimate_model(folder: Path, runs: Sequence[str], vocabulary: str, recipe: Mapping[str, Any], text: str) -> None:
    """The model of what all parts counted."""
    kneser_ney = KneserNey.from_dict(recipe)
    estimator = kneser_ney.estimator(folder=str(folder), n_threads=1)
    estimator.take_runs([mapped(Path(run) / _RUN) for run in runs])
    words = Vocabulary.load(Path(vocabulary) / _WORDS)
    LanguageModel(kneser_ney.finish(estimator, words), kneser_ney, data={"text": text}).save(folder / "lm")


def mapped(path: Path) -> memoryview:
    """The content of a file, read as it is looked at."""
    with path.open("rb") as stream:
        if not path.stat().st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
