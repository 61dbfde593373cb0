"""The server: campaigns in the browser. Needs the extra `web`; `dragoman serve` runs it."""

from importlib import import_module
from typing import Any

# name → module below this room; imported on first use, so that the command line starts without the server's packages.
_HOMES = {
    "Settings": "settings",
    "Store": "store",
    "create_app": "app",
    "serve": "serving",
}

__all__ = list(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(f"dragoman.web.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'dragoman.web' has no attribute {name!r}")
