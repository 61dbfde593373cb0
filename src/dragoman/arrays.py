"""Arrays of model folders: a checksum does not tell that they are of the type and shape that the model follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from dragoman.errors import ModelError

__all__ = ["check_array", "check_rows", "read_array"]

_CURE = "Build it again or copy it whole."


def read_array(path: Path, kind: DTypeLike, *sizes: int | None) -> Any:
    """The array of a file; `ModelError` unless it has this type and these sizes, `None` being any."""
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, SyntaxError, TypeError) as error:
        raise ModelError(f"{path} is not an array: {str(error)[:200]}. {_CURE}") from None
    check_array(path, array, kind, *sizes)
    return np.asarray(array, order="C")  # as kernels take it


def check_array(name: object, array: NDArray[Any], kind: DTypeLike, *sizes: int | None) -> None:
    """Raise `ModelError` unless an array from a file has this type and these sizes, `None` being any."""
    fits = array.ndim == len(sizes) and all(size in (None, n) for size, n in zip(sizes, array.shape, strict=True))
    if array.dtype != kind or not fits:
        shape = ", ".join("n" if size is None else str(size) for size in sizes)
        raise ModelError(
            f"{name} holds {array.dtype} of the shape {array.shape}, not {np.dtype(kind)} of ({shape}). {_CURE}"
        )


def check_rows(name: object, offsets: NDArray[np.int64], n_rows: int, n_values: int) -> None:
    """Raise `ModelError` unless offsets cut so many values into so many rows."""
    check_array(name, offsets, np.int64, n_rows + 1)
    if offsets[0] != 0 or offsets[-1] != n_values or (np.diff(offsets) < 0).any():
        raise ModelError(f"{name} does not cut {n_values} values into rows. {_CURE}")
