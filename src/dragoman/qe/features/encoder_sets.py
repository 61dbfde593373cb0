"""The set of features that an encoder gives."""

from __future__ import annotations

from dragoman.text.encoders import make_encoder

__all__ = ["encoder_set"]


def encoder_set(encoder: str) -> tuple[str, ...]:
    """The specifications of all features of an encoder."""
    size = make_encoder(encoder).size
    head = f"encoder-value:({encoder})"
    numbers = [f"{head},value={value},number={number}" for value in ("product", "distance") for number in range(size)]
    return (head, *numbers)
