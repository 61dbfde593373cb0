"""What a neural engine is made of and how it is trained: numbers that are given, or follow from the corpus' size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Self

from dragoman.errors import DataError
from dragoman.options import Recipe, option

__all__ = ["NeuralRecipe", "Shape"]


class Shape(NamedTuple):
    """The measures of a Transformer: what its weights' sizes follow from."""

    n_pieces: int
    width: int
    inner: int
    heads: int
    encoder_layers: int
    decoder_layers: int


class _Preset(NamedTuple):
    most_pairs: float
    pieces: int
    width: int
    inner: int
    heads: int
    layers: int
    dropout: float
    rate: float
    warmup: int


# By the number of sentence pairs: little text takes a narrow net and much dropout (Sennrich & Zhang, ACL 2019).
_PRESETS = {
    "tiny": _Preset(5_000, 1_000, 128, 256, 4, 2, 0.1, 2e-3, 200),
    "small": _Preset(100_000, 8_000, 256, 1_024, 4, 4, 0.3, 1.5e-3, 1_500),
    "medium": _Preset(1_000_000, 16_000, 512, 1_024, 8, 6, 0.2, 7e-4, 4_000),
    "large": _Preset(float("inf"), 32_000, 512, 2_048, 8, 6, 0.1, 7e-4, 4_000),
}


@dataclass(frozen=True)
class NeuralRecipe(Recipe):
    """How to train a Transformer. A zero is filled in by the preset, which the size of the corpus chooses."""

    src_lang: str = option("", text="language of the source, a BCP 47 tag")
    tgt_lang: str = option("", text="language of the target")
    size: str = option("auto", choices=("auto", *_PRESETS), text="preset; auto goes by the number of sentence pairs")
    pieces: int = option(0, low=0, text="subword pieces, shared by both languages")
    width: int = option(0, low=0, text="width of the net, a multiple of its heads")
    inner: int = option(0, low=0, text="width of the feed-forward layers")
    heads: int = option(0, low=0, text="heads of each attention")
    encoder_layers: int = option(0, low=0, text="layers that read")
    decoder_layers: int = option(0, low=0, text="layers that write")
    dropout: float = option(
        -1.0, low=-1.0, high=0.9, text="share of each block's values left out in training; -1 by the preset"
    )
    inner_dropout: float = option(
        0.1, low=0.0, high=0.9, text="share of attention's weights and hidden values left out in training"
    )
    smoothing: float = option(0.1, low=0.0, high=0.5, text="label smoothing")
    consistency: float = option(
        0.0, low=0.0, text="weight of the divergence of two dropouts of one batch; doubles the work"
    )
    sampling: float = option(
        0.1, low=0.0, high=1.0, text="byte pairs left unmerged by chance in training, anew each epoch"
    )
    rate: float = option(0.0, low=0.0, text="highest learning rate")
    warmup: int = option(0, low=0, text="steps until it is reached; then it falls with their root")
    batch: int = option(8_192, low=64, text="pieces of one side in a batch, padding included")
    max_length: int = option(128, low=8, high=1_024, text="longer training pairs, in pieces, are left out")
    epochs: int = option(200, low=1, text="times that the corpus is read, at most")
    every: int = option(4, low=1, text="epochs between two looks at the development set")
    patience: int = option(10, low=1, text="looks without a better BLEU until training stops")
    averaged: int = option(8, low=1, text="best checkpoints whose mean is the engine")
    minutes: float = option(0.0, low=0.0, text="stop after so many minutes; 0 has no limit")
    precision: str = option(
        "auto", choices=("auto", "float32", "bfloat16"), text="of the products; auto is half on a GPU"
    )
    beam: int = option(4, low=1, high=64, text="hypotheses kept in decoding")

    def check(self) -> Self:
        """Return the recipe if every field keeps its rule and the heads divide the width."""
        super().check()
        if self.width and self.heads and self.width % self.heads:
            raise DataError(f"The heads share the width: {self.width} is no multiple of {self.heads}.")
        return self

    def resolved(self, n_pairs: int) -> NeuralRecipe:
        """The recipe with every number that was left open filled in, for so many sentence pairs."""
        size = self.size if self.size != "auto" else next(k for k, p in _PRESETS.items() if n_pairs < p.most_pairs)
        preset = _PRESETS[size]
        filled = {
            name: getattr(self, name) or getattr(preset, name)
            for name in ("pieces", "width", "inner", "heads", "rate", "warmup")
        }
        layers = {name: getattr(self, name) or preset.layers for name in ("encoder_layers", "decoder_layers")}
        dropout = self.dropout if self.dropout >= 0 else preset.dropout
        return NeuralRecipe.from_dict({**self.to_dict(), **filled, **layers, "dropout": dropout, "size": size}).check()

    def shape(self, n_pieces: int) -> Shape:
        """The measures of the net; of a resolved recipe."""
        return Shape(n_pieces, self.width, self.inner, self.heads, self.encoder_layers, self.decoder_layers)
