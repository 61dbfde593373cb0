"""A trained net as a CTranslate2 model, which decodes on any processor without the library that trained it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from dragoman.errors import NotAvailable
from dragoman.neural.decoder_check import POSITIONS
from dragoman.neural.recipe import Shape

__all__ = ["ctranslate2", "decoder_files"]


def ctranslate2() -> Any:
    """The library, or what to install."""
    try:
        import ctranslate2 as library
    except ImportError:
        raise NotAvailable.package("A neural engine", package="ctranslate2", extra="neural") from None
    return library


def decoder_files(
    weights: dict[str, Any], shape: Shape, pieces: Sequence[str], quantisation: str = "int8"
) -> dict[str, bytes]:
    """The files of a CTranslate2 model by name; `quantisation` is int8, or float32 for no loss."""
    ctranslate2()
    from ctranslate2.specs import TransformerSpec

    spec = TransformerSpec.from_config(
        (shape.encoder_layers, shape.decoder_layers), shape.heads, pre_norm=True, alignment_heads=shape.heads
    )
    _fill_side(spec.encoder, weights["encoder"], weights["encoder_norm"], shape)
    _fill_side(spec.decoder, weights["decoder"], weights["decoder_norm"], shape)
    spec.encoder.embeddings[0].weight = _single(weights["embedding"])
    spec.decoder.embeddings.weight = _single(weights["embedding"])
    spec.decoder.projection.weight = _single(weights["embedding"])
    spec.config.add_source_eos = True
    spec.register_source_vocabulary(list(pieces))
    spec.register_target_vocabulary(list(pieces))
    spec.validate()
    spec.optimize(quantization=None if quantisation == "float32" else quantisation)
    with TemporaryDirectory() as folder:
        spec.save(folder)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).iterdir())}


def _fill_side(side: Any, layers: dict[str, Any], norm: dict[str, Any], shape: Shape) -> None:
    import jax

    from dragoman.neural.network import positions

    side.position_encodings.encodings = positions(POSITIONS, shape.width)
    _fill_norm(side.layer_norm, norm)
    for number, place in enumerate(side.layer):
        layer = jax.tree.map(lambda stack, number=number: stack[number], layers)
        own = layer["own"]
        _fill_norm(place.self_attention.layer_norm, own["norm"])
        _fill_linear(place.self_attention.linear[0], own["qkv"])
        _fill_linear(place.self_attention.linear[1], own["out"])
        if "cross" in layer:
            cross = layer["cross"]
            _fill_norm(place.attention.layer_norm, cross["norm"])
            for linear, name in zip(place.attention.linear, ("q", "kv", "out"), strict=True):
                _fill_linear(linear, cross[name])
        feed = layer["feed"]
        _fill_norm(place.ffn.layer_norm, feed["norm"])
        _fill_linear(place.ffn.linear_0, feed["up"])
        _fill_linear(place.ffn.linear_1, feed["down"])


def _fill_norm(place: Any, weights: dict[str, Any]) -> None:
    place.gamma, place.beta = _single(weights["g"]), _single(weights["b"])


def _fill_linear(place: Any, weights: dict[str, Any]) -> None:
    place.weight, place.bias = np.ascontiguousarray(_single(weights["w"]).T), _single(weights["b"])


def _single(array: Any) -> np.ndarray:
    return np.array(array, dtype=np.float32)  # a copy: quantisation scales arrays where they are
