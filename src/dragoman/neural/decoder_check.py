"""Whether the files of a decoder are of the net that its recipe describes, looked at before CTranslate2 sees them.

CTranslate2 believes its files: a matrix of another shape than the layers around it makes it read outside of memory.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import NamedTuple

import numpy as np

from dragoman.errors import DataError, ModelError
from dragoman.neural.recipe import Shape
from dragoman.notation import parse_json

__all__ = ["POSITIONS", "check_decoder"]

POSITIONS = 2_048  # pieces of a sentence, at most

_MODEL, _CONFIG, _VOCABULARY = "model.bin", "config.json", "shared_vocabulary.json"
_VERSION = 6  # of the binary form that is known here; what is newer, CTranslate2 itself knows or refuses
_FLOAT, _INT8, _INT16 = 0, 1, 2
_SIZES = {_FLOAT: 4, _INT8: 1, _INT16: 2, 3: 4, 4: 2, 5: 2}  # bytes of a number, by the numbers of types
_SETTINGS = {
    "add_source_bos": False,
    "add_source_eos": True,
    "bos_token": "<s>",
    "decoder_start_token": "<s>",
    "eos_token": "</s>",
    "layer_norm_epsilon": None,
    "multi_query_attention": False,
    "unk_token": "<unk>",
}


class _Variable(NamedTuple):
    """An array of the file."""

    dims: tuple[int, ...]
    kind: int
    content: bytes


def check_decoder(files: Mapping[str, bytes], shape: Shape, pieces: Sequence[str]) -> None:
    """Raise `ModelError` unless the files are a decoder of this shape and these pieces."""
    try:
        _check_settings(parse_json(files[_CONFIG]))
        if parse_json(files[_VOCABULARY]) != list(pieces):
            raise ModelError(f"{_VOCABULARY} has other pieces than the model of pieces")
        variables = _variables(files[_MODEL])
        if variables is not None:
            _check_variables(variables, shape)
    except KeyError as error:
        raise ModelError(f"The decoder lacks {error}. Train the engine again, or copy its folder whole.") from None
    except (DataError, ModelError, struct.error, ValueError) as error:
        told = str(error).rstrip(".")
        raise ModelError(f"The decoder is damaged: {told}. Train the engine again, or copy its folder whole.") from None


def _check_settings(settings: object) -> None:
    if not isinstance(settings, dict):
        raise ModelError(f"{_CONFIG} holds no settings")
    missing = object()
    wrong = [
        name
        for name, value in _SETTINGS.items()
        if (found := settings.get(name, missing)) != value or type(found) is not type(value)
    ]
    wrong += [name for name in settings if name not in _SETTINGS]
    if wrong:
        raise ModelError(f"{_CONFIG} sets {wrong[0]!r} to what no engine has")


def _variables(content: bytes) -> dict[str, _Variable] | None:
    """The arrays by name, aliases among them; None if the file is of a form that is newer than what is known here."""
    reader = _Reader(content)
    version = reader.number("I")
    if version > _VERSION:
        return None
    if version < _VERSION:
        raise ModelError(f"{_MODEL} is of version {version}")
    reader.name()
    reader.number("I")  # the specification's revision
    found: dict[str, _Variable] = {}
    for _ in range(reader.number("I")):
        name = reader.name()
        dims = tuple(reader.number("I") for _ in range(reader.number("B")))
        kind, size = reader.number("B"), reader.number("I")
        if kind not in _SIZES or prod(dims) * _SIZES[kind] != size:
            raise ModelError(f"{name} has {size} bytes, which are not {dims} numbers of its type")
        found[name] = _Variable(dims, kind, reader.take(size))
    for _ in range(reader.number("I")):
        alias, name = reader.name(), reader.name()
        found[alias] = found[name]
        if f"{name}_scale" in found:
            found[f"{alias}_scale"] = found[f"{name}_scale"]
    if not reader.is_done:
        raise ModelError(f"{_MODEL} goes on behind its end")
    return found


class _Reader:
    def __init__(self, content: bytes) -> None:
        self._content = content
        self._place = 0

    @property
    def is_done(self) -> bool:
        return self._place == len(self._content)

    def take(self, size: int) -> bytes:
        """The next bytes."""
        self._place += size
        if self._place > len(self._content):
            raise ModelError(f"{_MODEL} is cut off")
        return self._content[self._place - size : self._place]

    def number(self, kind: str) -> int:
        """The next number, of one of `struct`'s types."""
        (value,) = struct.unpack(f"<{kind}", self.take(struct.calcsize(f"<{kind}")))
        return int(value)

    def name(self) -> str:
        """The next name, which ends in a NUL."""
        text = self.take(self.number("H"))
        if text[-1:] != b"\0" or b"\0" in text[:-1]:
            raise ModelError(f"{_MODEL} has a name without an end")
        return text[:-1].decode()


def _check_variables(found: Mapping[str, _Variable], shape: Shape) -> None:
    if shape.encoder_layers + shape.decoder_layers > len(found):  # a recipe may ask for more than can be listed
        raise ModelError(f"{_MODEL} has fewer arrays than its recipe has layers")
    settings, arrays = _known_settings(shape), dict(_known_arrays(shape))
    for name, (kind, value) in settings.items():
        variable = found.get(name)
        if variable is None and value == 0:  # what older versions do not write
            continue
        if variable is None or (variable.dims, variable.kind, _whole(variable)) != ((), kind, value):
            raise ModelError(f"{name} is not {value}")
    for name, dims in arrays.items():
        variable = found[name]
        is_small = variable.kind == _INT8 and name.endswith("/weight")
        if variable.dims != dims or not (is_small or variable.kind == _FLOAT):
            raise ModelError(f"{name} has the shape {variable.dims}, not {dims}, or another type")
        if is_small and found[f"{name}_scale"].dims != dims[:1]:
            raise ModelError(f"{name}_scale has the shape {found[f'{name}_scale'].dims}, not {dims[:1]}")
    for name, variable in found.items():
        is_known = name in settings or name in arrays or name.removesuffix("_scale") in arrays
        if not is_known and (variable.dims or _whole(variable) != 0):
            raise ModelError(f"{name} is none of its arrays")
        if name.endswith("_scale") and variable.kind != _FLOAT:
            raise ModelError(f"{name} is of another type")
        if variable.kind == _FLOAT and not np.isfinite(np.frombuffer(variable.content, "<f4")).all():
            raise ModelError(f"{name} has numbers that are infinite or none")


def _whole(variable: _Variable) -> int:
    return int.from_bytes(variable.content, "little", signed=True)


def _known_settings(shape: Shape) -> dict[str, tuple[int, int]]:
    """Single numbers, by name: their type and value."""
    off = ("alibi", "alibi_use_positive_positions", "scale_alibi", "start_from_zero_embedding")
    return {
        **{f"decoder/{name}": (_INT8, 0) for name in off},
        **{f"encoder/{name}": (_INT8, 0) for name in ("embeddings_merge", "multi_query_attention")},
        "decoder/alignment_heads": (_INT16, shape.heads),
        "decoder/alignment_layer": (_INT16, -1),
        **{f"{side}/num_heads": (_INT16, shape.heads) for side in ("decoder", "encoder")},
        **{f"{side}/activation": (_INT8, 0) for side in ("decoder", "encoder")},
        **{f"{side}/pre_norm": (_INT8, 1) for side in ("decoder", "encoder")},
        **{f"{side}/scale_embeddings": (_INT8, 1) for side in ("decoder", "encoder")},
    }


def _known_arrays(shape: Shape) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names of arrays and their shapes."""
    width, inner = shape.width, shape.inner
    for name in ("decoder/embeddings", "decoder/projection", "encoder/embeddings_0"):
        yield f"{name}/weight", (shape.n_pieces, width)
    own, cross = (3 * width, width), (width, 2 * width, width)
    for side, n_layers in (("encoder", shape.encoder_layers), ("decoder", shape.decoder_layers)):
        yield f"{side}/position_encodings/encodings", (POSITIONS, width)
        yield from _norm(side, width)
        for number in range(n_layers):
            blocks = {"self_attention": [(rows, width) for rows in own], "ffn": [(inner, width), (width, inner)]}
            if side == "decoder":
                blocks["attention"] = [(rows, width) for rows in cross]
            for block, matrices in blocks.items():
                place = f"{side}/layer_{number}/{block}"
                yield from _norm(place, width)
                for k, (rows, columns) in enumerate(matrices):
                    yield f"{place}/linear_{k}/weight", (rows, columns)
                    yield f"{place}/linear_{k}/bias", (rows,)


def _norm(place: str, width: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    for name in ("beta", "gamma"):
        yield f"{place}/layer_norm/{name}", (width,)
