"""A net's file, mapped, not read."""

from __future__ import annotations

import mmap
from pathlib import Path

from dragoman import _core
from dragoman.errors import DataError, ModelError

__all__ = ["read_net"]


def read_net(file: Path, *, n_inputs: int, n_slots: int, class_offsets: list[int]) -> _core.net.Net:
    """The net in a file; raises `ModelError` if it is damaged or of other words than those beside it."""
    with file.open("rb") as stream:
        if not file.stat().st_size:
            raise ModelError(f"{file}: the file is empty. Train the net again or copy it again.")
        content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
    try:
        net = _core.net.Net.on_file(content)
    except DataError as error:
        raise ModelError(f"{file}: {error}") from None
    shape = net.shape
    if (shape.n_inputs, shape.n_slots, shape.class_offsets.tolist()) != (n_inputs, n_slots, class_offsets):
        raise ModelError(f"{file} is of other words or another context than its folder says. Copy the folder whole.")
    return net
