"""The weights of a net on disk, as arrays by name; nothing is pickled."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import jax
import numpy as np

from dragoman.artifact import FAULTS
from dragoman.errors import ModelError
from dragoman.files import StrPath
from dragoman.neural.network import Weights

__all__ = ["load_tree", "mean_of", "save_tree", "tree_bytes", "tree_of"]


def tree_bytes(tree: Any) -> bytes:
    """A tree of arrays as the content of a file; each is called by its way from the root."""
    stream = io.BytesIO()
    np.savez(
        stream, allow_pickle=False, **{_name(way): np.asarray(leaf) for way, leaf in jax.tree.leaves_with_path(tree)}
    )
    return stream.getvalue()


def save_tree(path: StrPath, tree: Any) -> None:
    """Write a tree of arrays; the file is whole or not there."""
    partial = Path(f"{path}.partial")
    partial.write_bytes(tree_bytes(tree))
    partial.replace(path)


def load_tree(path: StrPath, like: Any) -> Any:
    """The tree that was saved, in the form of another: other names or sizes raise."""
    return tree_of(Path(path).read_bytes(), like, path=str(path))


def tree_of(content: bytes, like: Any, *, path: str) -> Any:
    """The tree that a file's content holds, in the form of another."""
    names = [_name(way) for way, _ in jax.tree.leaves_with_path(like)]
    try:
        with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
    except FAULTS as error:
        raise ModelError(f"{path} holds no weights ({error}). Train it again, or copy it whole.") from None
    if set(names) != set(found):
        raise ModelError(f"{path} holds the weights of another net. Train it again, or start from an empty folder.")
    leaves = [found[name] for name in names]
    for name, leaf, wanted in zip(names, leaves, jax.tree.leaves(like), strict=True):
        if leaf.shape != wanted.shape:
            raise ModelError(f"{path}: {name} has the shape {leaf.shape}, not {wanted.shape}. Train it again.")
        if leaf.dtype.kind not in "biuf" or not np.isfinite(leaf).all():
            raise ModelError(f"{path}: {name} has values that are no finite numbers. Train it again.")
    cast = [leaf.astype(wanted.dtype) for leaf, wanted in zip(leaves, jax.tree.leaves(like), strict=True)]
    return jax.tree.unflatten(jax.tree.structure(like), cast)


def mean_of(trees: list[Weights]) -> Weights:
    """The mean of several nets' weights."""
    mean: Weights = jax.tree.map(lambda *leaves: np.mean([np.asarray(leaf) for leaf in leaves], axis=0), *trees)
    return mean


def _name(way: tuple[Any, ...]) -> str:
    return str(jax.tree_util.keystr(way, simple=True, separator="/"))
