"""Specifications of features by the product of their options."""

from __future__ import annotations

from itertools import product

__all__ = ["each_of"]


def each_of(name: str, **options: tuple[object, ...]) -> tuple[str, ...]:
    """A feature with every combination of options; an empty one is left to its default."""
    specs = []
    for values in product(*options.values()):
        chosen = [f"{key}={value}" for key, value in zip(options, values, strict=True) if value != ""]
        specs.append(":".join(filter(None, (name, ",".join(chosen)))))
    return tuple(specs)
