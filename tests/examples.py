"""How many examples a property is tried with."""

from __future__ import annotations

from hypothesis import settings

__all__ = ["DAILY", "examples"]

DAILY = 25  # the default; a property that needs fewer says so by `examples`, and none asks for more


def examples(daily: int) -> settings:
    """So many in the daily run, and 20 times as many with `--hypothesis-profile=deep`."""
    return settings(max_examples=daily * settings.default.max_examples // DAILY)
