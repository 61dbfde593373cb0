"""How resources lie on disk: arrays, vocabularies, and JSON for the rest, each part of a resource under its name."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from itertools import repeat
from pathlib import Path
from typing import Any, Self, get_args, get_origin, get_type_hints

import numpy as np

from dragoman.arrays import check_array
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import ModelError
from dragoman.notation import count_of, finite_number, parse_json
from dragoman.options import Recipe
from dragoman.text.vocabulary import Vocabulary

__all__ = ["StoredArtifact"]

_PARTS = "parts.json"
_ABOUT = ("recipe", "seed", "data")  # what the manifest holds


@dataclass(eq=False, repr=False)
class StoredArtifact(Artifact):
    """An artifact whose fields are arrays, vocabularies, what JSON can say, and tuples and mappings of them."""

    recipe: Recipe
    seed: int | None = field(default=None, kw_only=True)
    data: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def _write(self, folder: Path) -> None:
        names = [each.name for each in fields(self) if each.name not in _ABOUT]
        parts = {name: _write_part(getattr(self, name), folder, name) for name in names}
        (folder / _PARTS).write_text(json.dumps(parts, ensure_ascii=False) + "\n", encoding="utf-8")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        parts = parse_json((folder / _PARTS).read_bytes())
        kinds = get_type_hints(cls)
        recipe = kinds["recipe"].from_dict(manifest.recipe)
        values = {name: _read_part(part, folder, name, manifest) for name, part in parts.items()}
        try:
            for name, value in values.items():
                _check_part(value, kinds[name], name)
            made = cls(recipe, **values, seed=manifest.seed, data=manifest.data)
            made._check()
        except ModelError as error:
            raise ModelError(f"{folder}: {error}") from None
        return made

    def _check(self) -> None:
        """Raise `ModelError` unless the parts, each of its type, fit each other. Those without arrays do."""


def _check_part(value: Any, kind: Any, name: str) -> None:
    """Raise unless what was read is what the field is declared as."""
    inner = get_args(kind)
    match get_origin(kind) or kind:
        case np.ndarray:
            if not isinstance(value, np.ndarray):
                raise TypeError(f"{name} is not an array")
            check_array(f"{name}.npy", value, get_args(inner[1])[0], *value.shape)
        case builtins.dict if isinstance(value, dict):
            for key, each in value.items():
                _check_part(each, inner[1], f"{name}.{key}")
        case builtins.tuple if isinstance(value, tuple):
            many = inner[-1] is Ellipsis
            for place, (each, own) in enumerate(
                zip(value, repeat(inner[0], len(value)) if many else inner, strict=True)
            ):
                _check_part(each, own, f"{name}.{place}")
        case builtins.float:
            finite_number(value)
        case builtins.int:
            count_of(value)
        case expected if not isinstance(value, expected):
            raise TypeError(f"{name} is {str(value)[:60]!r}, not a {expected.__name__}")


def _write_part(value: Any, folder: Path, name: str) -> dict[str, Any]:
    """Write a value into files that begin with its name; what they hold, in words of JSON."""
    if isinstance(value, np.ndarray):
        np.save(folder / f"{name}.npy", value, allow_pickle=False)
        return {"array": None}
    if isinstance(value, Vocabulary):
        value.save(folder / f"{name}.vocabulary")
        return {"vocabulary": None}
    if isinstance(value, tuple):
        return {"tuple": [_write_part(each, folder, f"{name}.{place}") for place, each in enumerate(value)]}
    if isinstance(value, Mapping) and any(isinstance(each, np.ndarray | Vocabulary | tuple) for each in value.values()):
        return {"mapping": {key: _write_part(each, folder, f"{name}.{key}") for key, each in value.items()}}
    return {"value": value}


def _read_part(part: Mapping[str, Any], folder: Path, name: str, manifest: Manifest) -> Any:
    ((kind, value),) = part.items()
    if kind == "value":
        return value
    if kind == "tuple":
        return tuple(_read_part(each, folder, f"{name}.{place}", manifest) for place, each in enumerate(value))
    if kind == "mapping":
        return {key: _read_part(each, folder, f"{name}.{key}", manifest) for key, each in value.items()}
    file = f"{name}.npy" if kind == "array" else f"{name}.vocabulary"
    if file not in manifest.files:
        raise ModelError(f"{folder}: {_PARTS} names {file}, which is none of its files.")
    if kind == "vocabulary":
        return Vocabulary.load(folder / file)
    return np.asarray(np.load(folder / file, allow_pickle=False), order="C")  # as kernels take it
