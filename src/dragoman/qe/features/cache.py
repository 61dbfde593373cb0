"""Columns of features kept on disk by what they were computed from."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import numpy as np

from dragoman import __version__
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_path
from dragoman.qe.features.base import Feature
from dragoman.qe.resources import Resources
from dragoman.stats.arrays import Floats

__all__ = ["FeatureCache"]


class FeatureCache:
    """A folder of columns. The name of each is a digest of text, tokenisers, feature, resources and version."""

    def __init__(
        self,
        folder: StrPath,
        sources: Sequence[str],
        outputs: Sequence[str],
        resources: Resources,
        tokenisers: tuple[str, str],
    ) -> None:
        if resources.having(trace=None).by_name and not resources.fingerprint:
            raise DataError("Features are kept by the fingerprint of resources, which only those from a folder have.")
        self._folder = Path(folder)
        text = sha256()
        for line in (*tokenisers, resources.languages, *sources, *outputs):
            text.update(line.encode("utf-8", "surrogatepass") + b"\n")
        self._text = text.hexdigest()
        self._resources = resources.fingerprint + resources.beside
        trace = resources.get("trace")
        self._trace = trace.fingerprint if trace is not None else ""
        self._n = len(sources)

    def get(self, feature: Feature) -> Floats | None:
        """The column, if it is there and whole."""
        try:
            column: Floats = np.load(self._path(feature), allow_pickle=False)
        except (OSError, ValueError, EOFError):
            return None
        return column if column.shape == (self._n,) and column.dtype == np.float64 else None

    def put(self, feature: Feature, column: Floats) -> None:
        """Keep a column."""
        self._folder.mkdir(parents=True, exist_ok=True)
        with atomic_path(self._path(feature)) as temporary, temporary.open("wb") as stream:
            np.save(stream, column, allow_pickle=False)

    def _path(self, feature: Feature) -> Path:
        resources = self._resources if set(feature.needed()) - {"trace"} else ""
        resources += self._trace if "trace" in feature.needed() else ""
        key = "\0".join((__version__, self._text, resources, feature.spec()))
        return self._folder / f"{sha256(key.encode()).hexdigest()[:40]}.npy"
