"""How far long work has come: a function that library code calls and whoever started the work provides."""

from __future__ import annotations

from collections.abc import Callable

__all__ = ["Progress"]

Progress = Callable[[int, int, str], None]  # steps done, steps in all, what is being done
