"""The server: campaigns in the browser. Needs the extra `web`; `dragoman serve` runs it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dragoman.lazy import offer

if TYPE_CHECKING:
    from dragoman.web.app import create_app
    from dragoman.web.serving import serve
    from dragoman.web.settings import Settings
else:
    offer(__name__)

__all__ = ["Settings", "create_app", "serve"]
