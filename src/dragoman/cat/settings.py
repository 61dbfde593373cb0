"""What may be set of a project, and what holds if it is not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dragoman.errors import DataError

__all__ = ["DEFAULTS", "REPETITIONS", "known_settings"]

REPETITIONS = ("off", "empty", "draft")  # nothing; empty segments; also drafts that nobody but the program wrote
DEFAULTS: Mapping[str, Any] = {
    "mt_score": 85,  # where machine translation stands among matches, in per cent
    "threshold": 50,  # of matches that are shown
    "n_suggestions": 3,
    "learns": True,  # whether the engine learns from confirmed segments, if it can
    "repetitions": "off",
}
_RANGES = {"mt_score": (0, 100), "threshold": (0, 100), "n_suggestions": (1, 10)}


def known_settings(settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a project from elsewhere that a project has here; a value that none can have is refused."""
    kept = {name: value for name, value in settings.items() if name in DEFAULTS}
    for name, value in kept.items():
        low, high = _RANGES.get(name, (0, 0))
        is_number = type(value) is int and low <= value <= high
        fits = is_number if name in _RANGES else value in REPETITIONS if name == "repetitions" else type(value) is bool
        if not fits:
            raise DataError(f"The setting {name} is {str(value)[:40]!r}, which no project has.")
    return kept
