"""What is kept: people, campaigns, answers, in SQLite or PostgreSQL. It knows no HTTP; the server stands on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.store.database import Store
else:
    offer(__name__)

__all__ = ["Store"]
