"""Encoders: a vector for each token of a text, by a net that a user brings or by spelling alone.

What is made of the vectors, metrics and quality features, knows this contract and no library.
"""

from __future__ import annotations

import hashlib
import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import checksum
from dragoman.cache import digest_of
from dragoman.errors import DataError, ModelError, NotAvailable
from dragoman.options import check_options, option
from dragoman.registry import Registry

__all__ = ["ENCODERS", "Encoded", "Encoder", "Spelling", "TransformersEncoder", "load_pretrained", "make_encoder"]

Vectors = NDArray[np.float32]


class Encoded(NamedTuple):
    """The tokens of a text, and a row of a matrix for each."""

    tokens: tuple[str, ...]
    vectors: Vectors


class Encoder(ABC):
    """Turns texts into vectors; a text's vectors depend on that text alone."""

    name: ClassVar[str]

    @property
    @abstractmethod
    def size(self) -> int:
        """Numbers of a vector."""

    def encode(self, lines: Sequence[str]) -> list[Encoded]:
        """The tokens and vectors of each text; of an empty one, none."""
        _core.text.check_lines(list(lines))  # lone surrogates
        return self.encoded(lines)

    @abstractmethod
    def encoded(self, lines: Sequence[str]) -> list[Encoded]:
        """What `encode` gives, of lines that are text."""

    @property
    def fingerprint(self) -> str:
        """What tells its vectors from those of others, beside its options."""
        return ""

    def sentences(self, lines: Sequence[str]) -> Vectors:
        """A vector for each text, of length 1: the mean of its tokens'; of a text without tokens, zeros."""
        rows = np.zeros((len(lines), self.size), np.float32)
        for row, each in zip(rows, self.encode(lines), strict=True):
            if each.tokens:
                mean = each.vectors.mean(axis=0)
                row += mean / max(float(np.linalg.norm(mean)), 1e-12)
        return rows


ENCODERS: Registry[Encoder] = Registry(
    "encoder",
    {
        "spelling": "dragoman.text.encoders:Spelling",
        "transformers": "dragoman.text.encoders:TransformersEncoder",
    },
)


def make_encoder(spec: str) -> Encoder:
    """The encoder that a specification names: `spelling`, `transformers:FOLDER,layer=9`, or a folder alone."""
    name = spec.partition(":")[0]
    if name not in ENCODERS and Path(spec.partition(",")[0]).is_dir():
        spec = f"transformers:{spec}"
    return _made(spec)


@lru_cache(maxsize=4)
def _made(spec: str) -> Encoder:
    return ENCODERS.make(spec)


_TOKEN = re.compile(r"\w+|[^\w\s]")


@dataclass(frozen=True)
class Spelling(Encoder):
    """Words by their letters, without any net: the sum of chance vectors of a word's character n-grams.

    Words that share letters are alike, whatever they mean. It is for trying what encoders are for where there is none.
    """

    name: ClassVar[str] = "spelling"

    shortest: int = option(2, low=1, high=9, text="characters of the shortest n-grams")
    longest: int = option(4, low=1, high=9, text="characters of the longest n-grams")
    dimensions: int = option(128, low=8, high=512, text="numbers of a vector; a multiple of 8")

    def __post_init__(self) -> None:
        check_options(self)
        if self.dimensions % 8 or self.shortest > self.longest:
            raise DataError(
                f"The encoder spelling has n-grams of {self.shortest} to {self.longest} characters and "
                f"{self.dimensions} numbers; take a range, and a multiple of 8."
            )

    @property
    def size(self) -> int:
        """As asked for."""
        return self.dimensions

    def encoded(self, lines: Sequence[str]) -> list[Encoded]:
        """Words and marks."""
        cut = [tuple(_TOKEN.findall(line)) for line in lines]
        empty = np.zeros((0, self.size), np.float32)
        return [Encoded(words, np.stack([_word(self, word) for word in words]) if words else empty) for words in cut]


@lru_cache(maxsize=100_000)
def _word(encoder: Spelling, word: str) -> Vectors:
    text = f"<{word}>"
    sizes = range(encoder.shortest, encoder.longest + 1)
    grams = {text[place : place + size] for size in sizes for place in range(len(text) - size + 1)} | {text}
    n_bytes = encoder.dimensions // 8
    digests = b"".join(
        hashlib.blake2b(gram.encode("utf-8", "replace"), digest_size=n_bytes).digest() for gram in sorted(grams)
    )
    bits = np.unpackbits(np.frombuffer(digests, np.uint8)).reshape(len(grams), -1)
    total = bits.sum(axis=0, dtype=np.float32) * 2 - len(grams)
    vector: Vectors = (total / max(float(np.linalg.norm(total)), 1e-12)).astype(np.float32)
    return vector


@dataclass(frozen=True)
class TransformersEncoder(Encoder):
    """A net of the `transformers` library from a local folder; nothing is downloaded: `transformers:FOLDER,layer=9`.

    A text longer than the net takes is encoded in parts. Tokens that the tokeniser adds have no part.
    """

    name: ClassVar[str] = "transformers"

    folder: str = option("", positional=True, text="folder with config.json, weights and tokeniser")
    layer: int = option(
        -1, low=-100, high=100, text="layer whose vectors are taken, from 0, the embeddings; -1: the last"
    )
    parts: int = option(0, low=0, text="tokens of a part at most; 0: as many as the net takes")
    device: str = option("cpu", choices=("cpu", "cuda"), text="where it is computed")

    def __post_init__(self) -> None:
        check_options(self)
        if not self.folder:
            raise DataError("The encoder transformers needs a folder: transformers:FOLDER.")

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        tokeniser, net = load_pretrained(self.folder, "AutoModel")
        net = net.get_encoder() if net.config.is_encoder_decoder else net
        n_layers = net.config.num_hidden_layers
        if not -n_layers - 1 <= self.layer <= n_layers:
            raise DataError(f"The net in {self.folder} has {n_layers} layers; there is no layer {self.layer}.")
        return tokeniser, net.to(self.device)

    @cached_property
    def fingerprint(self) -> str:
        """The content of the folder."""
        files = sorted(path for path in Path(self.folder).iterdir() if path.is_file())
        return digest_of("".join(map(checksum, files)).encode())[:12]

    @property
    def size(self) -> int:
        """Of the net's vectors."""
        return int(self._loaded[1].config.hidden_size)

    def encoded(self, lines: Sequence[str]) -> list[Encoded]:
        """Pieces in their context."""
        tokeniser, _ = self._loaded
        longest = self._longest()
        ids = [tokeniser(line, add_special_tokens=False)["input_ids"] for line in lines]
        parts = [[each[k : k + longest] for k in range(0, len(each), longest)] for each in ids]
        found = self._vectors({tuple(part) for each in parts for part in each})
        empty = np.zeros((0, self.size), np.float32)
        return [
            Encoded(
                tuple(tokeniser.convert_ids_to_tokens(each)),
                np.concatenate([found[tuple(part)] for part in pieces]) if pieces else empty,
            )
            for each, pieces in zip(ids, parts, strict=True)
        ]

    def _longest(self) -> int:
        tokeniser, net = self._loaded
        places = getattr(net.config, "max_position_embeddings", 0) or 512
        most = min(places, tokeniser.model_max_length) - tokeniser.num_special_tokens_to_add() - 2
        return max(1, min(int(most), self.parts or int(most)))

    def _vectors(self, parts: set[tuple[int, ...]]) -> dict[tuple[int, ...], Vectors]:
        """The vectors of each part; those of one length together, so that none is filled up."""
        import torch

        tokeniser, net = self._loaded
        by_length: dict[int, list[tuple[int, ...]]] = {}
        for part in sorted(parts):
            by_length.setdefault(len(part), []).append(part)
        found: dict[tuple[int, ...], Vectors] = {}
        for same in by_length.values():
            for some in (same[k : k + 32] for k in range(0, len(same), 32)):
                rows = [tokeniser.build_inputs_with_special_tokens(list(part)) for part in some]
                begin = _begin(rows[0], some[0])
                with torch.no_grad():
                    states = net(torch.tensor(rows, device=self.device), output_hidden_states=True).hidden_states
                for part, row in zip(some, states[self.layer].float().cpu().numpy(), strict=True):
                    found[part] = row[begin : begin + len(part)]
        return found


def _begin(row: list[int], part: tuple[int, ...]) -> int:
    """Where the text stands among what the tokeniser puts around it."""
    return next(place for place in range(len(row)) if row[place : place + len(part)] == list(part))


def load_pretrained(folder: str, kind: str) -> tuple[Any, Any]:
    """The tokeniser and the net of a local folder; `kind` is the class of the library that opens the net."""
    try:
        import torch  # noqa: F401, the library is of no use without it
        import transformers
    except ImportError:
        raise NotAvailable.package("A model of Hugging Face's", package="transformers", extra="transformers") from None
    if not (Path(folder) / "config.json").is_file():
        raise ModelError(f"{folder} is no folder of a model: it has no config.json. Nothing is downloaded here.")
    try:
        library: Any = transformers
        tokeniser = library.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        net = getattr(library, kind).from_pretrained(folder, local_files_only=True, attn_implementation="eager")
    except (OSError, ValueError, KeyError, RuntimeError, ImportError) as error:
        raise ModelError(f"transformers cannot open {folder}: {str(error)[:200]}.") from None
    return tokeniser, net.eval()
