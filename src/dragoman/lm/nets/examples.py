"""What a net learns from and is asked: words, each with a context of words before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.text.tokens import TokenIds

__all__ = ["Examples", "history", "log_p_of", "window"]


@dataclass(frozen=True, eq=False)
class Examples:
    """Outputs, and the context of each: a row of input numbers, the oldest word first."""

    contexts: NDArray[np.int32]
    outputs: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.outputs)


def window(
    ids: NDArray[np.int32],
    lines: tuple[NDArray[np.int64], NDArray[np.int64]],
    at: NDArray[np.int64],
    size: int,
    pad: int,
    *,
    ahead: int = 0,
) -> NDArray[np.int32]:
    """The `size` numbers before each place `at`, and `ahead` from there on; `pad` outside its line, [begin, end)."""
    places = at[:, None] + np.arange(-size, ahead)
    inside = (places >= lines[0][:, None]) & (places < lines[1][:, None])
    return np.where(inside, ids[np.where(inside, places, 0)] if len(ids) else pad, pad).astype(np.int32)


def history(text: TokenIds, size: int, pad: int) -> Examples:
    """Every token of some lines after the `size` tokens before it in its line."""
    places = np.arange(len(text.ids))
    line_of = np.repeat(np.arange(len(text)), text.lengths())
    lines = text.offsets[line_of], text.offsets[line_of + 1]
    return Examples(window(text.ids, lines, places, size, pad), np.asarray(text.ids, dtype=np.int32))


def log_p_of(net: _core.net.Net, examples: Examples, *, n_threads: int = 1) -> NDArray[np.float64]:
    """Natural logarithms, each n-gram asked once: candidates of a list share most of theirs."""
    if not len(examples):
        return np.zeros(0)
    rows = np.ascontiguousarray(np.column_stack([examples.contexts, examples.outputs]))
    keys = rows.view(np.dtype((np.void, rows.dtype.itemsize * rows.shape[1]))).ravel()
    _, first, places = np.unique(keys, return_index=True, return_inverse=True)
    contexts, outputs = examples.contexts[first], examples.outputs[first]
    return net.log_p(contexts, outputs, n_threads=n_threads)[places]
