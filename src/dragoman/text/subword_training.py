"""Subword models: byte-pair encoding and unigram pieces, trained by sentencepiece (Kudo & Richardson, EMNLP 2018).

A model is a folder with `model.spm`, a sentencepiece model that any tool reads, and `pieces.tsv`, which people read.
"""

from __future__ import annotations

import heapq
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.files import write_lines
from dragoman.options import Recipe, option
from dragoman.rng import Stream

__all__ = ["SubwordModel", "SubwordRecipe"]

_MODEL, _PIECES = "model.spm", "pieces.tsv"

# The result depends on how sentences are dealt out to threads, not on how many run at a time; so one number for all.
_THREADS = 16
# sentencepiece 0.2 passes over lines of more bytes than its limit, is slow on long repetitive lines, and ends the
# process at a word of 65,536 characters. A line counts the same in parts, so long ones are cut. (NFKC makes at most 18
# characters of one, so the parts stay below that bound.)
_LONGEST = 2000
# The unigram trainer's search for repeated substrings takes quadratic time where long stretches of lines repeat (a
# document that is in the corpus twice). Lines out of their order do not repeat so; shuffled by blocks of this many.
_BLOCK = 1 << 16
# It also passes over every line that has this character, its mark for unknown ones.
_RESERVED = "\u2585"
_OWN_PIECES = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class SubwordRecipe(Recipe):
    """How to learn subword pieces from text."""

    method: str = option("unigram", choices=("unigram", "bpe"), text="unigram language model or byte-pair encoding")
    vocab_size: int = option(8000, low=4, text="how many pieces, <unk>, <s> and </s> included")
    character_coverage: float = option(0.9995, low=0.98, high=1.0, text="share of the characters that get a piece")
    normalisation: str = option(
        "nmt_nfkc",
        choices=("nmt_nfkc", "nmt_nfkc_cf", "nfkc", "nfkc_cf", "identity"),
        text="what happens to text before it is cut; _cf folds case",
    )
    byte_fallback: bool = option(False, choices=(False, True), text="spell unknown characters as bytes")
    split_digits: bool = option(False, choices=(False, True), text="every digit is a piece of its own")
    max_piece_length: int = option(16, low=1, high=512, text="longest piece, in characters")
    symbols: tuple[str, ...] = option((), text="pieces that are never cut, such as tags")
    max_lines: int = option(0, low=0, text="train on so many lines, drawn by chance; 0 takes all")

    def check(self) -> Self:
        """Return the recipe if every field keeps its rule, the symbols included."""
        super().check()
        for symbol in self.symbols:
            if not symbol or symbol.split() != [symbol]:
                raise DataError(f"{symbol!r} cannot be a symbol: it is empty or has white space inside.")
            if symbol in _OWN_PIECES or self.symbols.count(symbol) > 1:
                raise DataError(f"The symbol {symbol!r} is there already; name each once, and not {_OWN_PIECES}.")
        return self

    def train(self, lines: Iterable[str], *, seed: int = 0) -> SubwordModel:
        """Learn pieces from lines of text (not tokenised: white space is part of the pieces)."""
        spm = _sentencepiece("Training subwords")
        self.check()
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        chosen: Iterable[str] = _sample(lines, self.max_lines, seed) if self.max_lines else lines
        feed = _Feed(chosen)
        model = io.BytesIO()
        try:
            spm.SentencePieceTrainer.train(
                sentence_iterator=_shuffled(feed),
                model_writer=model,
                model_type=self.method,
                vocab_size=self.vocab_size,
                character_coverage=self.character_coverage,
                normalization_rule_name=self.normalisation,
                byte_fallback=self.byte_fallback,
                split_digits=self.split_digits,
                max_sentencepiece_length=self.max_piece_length,
                user_defined_symbols=list(self.symbols),
                max_sentence_length=1 << 30,
                num_threads=_THREADS,
                minloglevel=2,
            )
        except RuntimeError as error:
            if feed.failure is not None:
                raise feed.failure from None
            raise _explained(str(error), feed, self.vocab_size) from error
        return SubwordModel(
            self, model.getvalue(), seed=seed if self.max_lines else None, data={"text": feed.digest.hexdigest()}
        )


class SubwordModel(Artifact):
    """Cuts text into the pieces it was trained for, and puts them together again."""

    kind: ClassVar[str] = "subword model"
    format: ClassVar[int] = 1

    recipe: SubwordRecipe

    def __init__(
        self, recipe: SubwordRecipe, model: bytes, *, seed: int | None = None, data: dict[str, str] | None = None
    ) -> None:
        spm = _sentencepiece("A subword model")
        self.recipe = recipe
        self.seed = seed
        self.data = dict(data or {})
        self._model = model
        try:
            self._processor = spm.SentencePieceProcessor(model_proto=model or b"\0")  # nothing is taken for a model
        except RuntimeError:
            raise ModelError("This is no model of sentencepiece's. Train it again, or copy it whole.") from None

    def __len__(self) -> int:
        """The number of pieces."""
        return len(self.pieces)

    @cached_property
    def pieces(self) -> tuple[str, ...]:
        """The vocabulary; a piece's place is its id."""
        return tuple(self._processor.id_to_piece(list(range(self._processor.get_piece_size()))))

    def encode(self, lines: Sequence[str], *, n_threads: int = 1) -> list[list[str]]:
        """Each line as pieces; `▁` stands for a space, and an unknown character for itself."""
        _check_lines(lines)
        cut: list[list[str]] = self._processor.encode(list(lines), out_type=str, num_threads=n_threads)
        return cut

    def encode_ids(self, lines: Sequence[str], *, n_threads: int = 1) -> list[list[int]]:
        """Each line as ids of pieces; an unknown character is id 0."""
        _check_lines(lines)
        cut: list[list[int]] = self._processor.encode(list(lines), out_type=int, num_threads=n_threads)
        return cut

    def sample_ids(self, lines: Sequence[str], *, rate: float, seed: int) -> list[list[int]]:
        """Each line as ids of pieces that chance has a hand in, which makes a learner robust.

        Of byte pairs, a share of `rate` is not joined (Provilkov et al., ACL 2020); of a unigram model, `rate` flattens
        the distribution that a cut is drawn from (Kudo, ACL 2018). The same seed gives the same cuts.
        """
        _check_lines(lines)
        _sentencepiece("Subword sampling").set_random_generator_seed(seed)
        cut: list[list[int]] = self._processor.encode(
            list(lines), out_type=int, enable_sampling=True, alpha=rate, nbest_size=-1, num_threads=1
        )
        return cut

    def decode(self, pieces: Sequence[Sequence[str]]) -> list[str]:
        """Each sequence of pieces as text; pieces of another model stand for themselves."""
        # Pieces that the model does not know come back as they are, with the mark of the space.
        return [self._processor.decode_pieces(list(line)).replace("▁", " ") if line else "" for line in pieces]

    def decode_ids(self, ids: Sequence[Sequence[int]]) -> list[str]:
        """Each sequence of ids as text."""
        for number, line in enumerate(ids, start=1):
            wrong = [piece for piece in line if not 0 <= piece < len(self)]
            if wrong:
                raise DataError(f"Line {number} has the id {wrong[0]}; this model has ids from 0 to {len(self) - 1}.")
        return [self._processor.decode_ids(list(line)) if line else "" for line in ids]

    def _write(self, folder: Path) -> None:
        (folder / _MODEL).write_bytes(self._model)
        scores = self._processor.get_score(list(range(len(self))))
        rows = (f"{_escaped(piece)}\t{score:.6g}" for piece, score in zip(self.pieces, scores, strict=True))
        write_lines(folder / _PIECES, ["piece\tscore", *rows])

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = SubwordRecipe.from_dict(manifest.recipe)
        model = cls(recipe, (folder / _MODEL).read_bytes(), seed=manifest.seed, data=manifest.data)
        _ = model.pieces  # raises where one is no text
        return model


class _Feed:
    """Hands lines to sentencepiece in a form it can take, and remembers what went through and what went wrong."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = lines
        self.digest = sha256()
        self.n_lines = 0
        self.has_text = False
        self.failure: BaseException | None = None  # sentencepiece would report it as an internal error of its own

    def __iter__(self) -> Iterator[bytes]:
        try:
            for line in self.lines:
                self.n_lines += 1
                try:
                    self.digest.update(f"{line}\n".encode())
                except UnicodeEncodeError:
                    raise DataError(f"Line {self.n_lines} holds a lone surrogate, which is no character.") from None
                for part in _parts(line.replace(_RESERVED, " ")):
                    self.has_text = self.has_text or not part.isspace()
                    yield part.encode()
        except BaseException as error:
            self.failure = error
            raise


def _shuffled(parts: Iterable[bytes]) -> Iterator[bytes]:
    order = Stream(0, "subword order")
    source = iter(parts)
    start = 0
    while block := list(islice(source, _BLOCK)):
        draws = order.bits(len(block), start=start)
        yield from (block[place] for place in draws.argsort(kind="stable"))
        start += len(block)


def _parts(line: str) -> Iterator[str]:
    """A line in parts of at most `_LONGEST` characters, cut at spaces where there are any."""
    while len(line) > _LONGEST:
        cut = line.rfind(" ", 1, _LONGEST)
        cut = cut if cut > 0 else _LONGEST
        yield line[:cut]
        line = line[cut:]
    if line:
        yield line


def _sample(lines: Iterable[str], n: int, seed: int) -> list[str]:
    """`n` lines in their order, every choice of them equally likely; the same for the same seed and text."""
    stream = Stream(seed, "subword lines")
    source = iter(lines)
    heap: list[tuple[int, int, str]] = []  # a heap of the n smallest draws, negated
    start = 0
    while batch := list(islice(source, 10_000)):
        for place, (draw, line) in enumerate(zip(stream.bits(len(batch), start=start), batch, strict=True)):
            entry = (-int(draw), start + place, line)
            if len(heap) < n:
                heapq.heappush(heap, entry)
            elif entry > heap[0]:
                heapq.heapreplace(heap, entry)
        start += len(batch)
    return [line for _, _, line in sorted(heap, key=lambda entry: entry[1])]


def _escaped(piece: str) -> str:
    return piece.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def _explained(message: str, feed: _Feed, vocab_size: int) -> DataError:
    if not feed.has_text:
        return DataError(f"There is no text to learn pieces from: {feed.n_lines} lines, all empty.")
    most = re.search(r"Vocabulary size too high \(\d+\)\. Please set it to a value <= (\d+)", message)
    if most:
        return DataError(
            f"The text has at most {most[1]} pieces; vocab_size is {vocab_size}. Choose {most[1]} or less."
        )
    least = re.search(r"smaller than required_chars\. \d+ vs (\d+)", message)
    if least:
        return DataError(
            f"The text needs {least[1]} pieces for its characters alone; vocab_size is {vocab_size}. "
            "Choose more, or a lower character_coverage."
        )
    return DataError(f"sentencepiece could not learn from the text: {message.strip()}")


def _check_lines(lines: Sequence[str]) -> None:
    if isinstance(lines, str):
        raise DataError("Expected a sequence of lines, got one str. Pass [line].")
    try:
        "".join(lines).encode()
    except UnicodeEncodeError:
        number = next(i for i, line in enumerate(lines, start=1) if re.search("[\ud800-\udfff]", line))
        raise DataError(f"Line {number} holds a lone surrogate, which is no character.") from None


def _sentencepiece(what: str) -> Any:
    try:
        import sentencepiece
    except ImportError:
        raise NotAvailable.package(what, package="sentencepiece", extra="spm") from None
    return sentencepiece
