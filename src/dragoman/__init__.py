"""Dragoman, the machine-translation workbench."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman import artifact, data, errors, files, metrics, registry, report, rng, samples, text
else:
    offer(__name__)

__version__ = "0.2.0.dev0"

__all__ = [
    "__version__",
    "artifact",
    "data",
    "errors",
    "files",
    "metrics",
    "registry",
    "report",
    "rng",
    "samples",
    "text",
]
