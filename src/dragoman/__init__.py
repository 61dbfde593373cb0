"""Dragoman, the machine-translation workbench."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Rooms are imported on first use: `import dragoman` must cost nothing (see bench/startup.py).
_ROOMS = ("artifact", "data", "errors", "files", "metrics", "registry", "report", "rng", "samples", "text")

__all__ = ["__version__", *_ROOMS]


def __getattr__(name: str) -> Any:
    if name in _ROOMS:
        return import_module(f"dragoman.{name}")
    raise AttributeError(f"module 'dragoman' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
