"""Rooms whose names are imported on first use: who scores by BLEU need not wait for the tuners.

What a room offers, and where each name lives, stands once in its `__init__`: as imports, which type checkers read.

    if TYPE_CHECKING:
        from dragoman.lm.model import LanguageModel
    else:
        offer(__name__)

A module on the way to a first score also puts off packages that are slow to import, `np = later("numpy")`.
"""

from __future__ import annotations

import re
import sys
from importlib import import_module
from types import ModuleType
from typing import Any

__all__ = ["later", "offer"]

_IMPORT = re.compile(r"^    from ([\w.]+) import (?:\(([^)]*)\)|(.*))$", re.MULTILINE)


def offer(room: str) -> None:
    """Let the package `room` answer for the names that it imports for type checkers."""
    sys.modules[room].__class__ = _Room


def later(package: str) -> ModuleType:
    """A package that is imported when something of it is asked for: a score from the shell need not wait for NumPy."""
    return _Later(package)


class _Later(ModuleType):
    def __getattr__(self, name: str) -> Any:
        value = getattr(import_module(self.__name__), name)
        setattr(self, name, value)
        return value


class _Room(ModuleType):
    """A package that imports a name when it is asked for.

    A function outranks the module of its name: Python binds a submodule to its package once it is imported, and
    `metrics.compare` would be the one or the other, as it happens.
    """

    def __getattr__(self, name: str) -> Any:
        home = self._homes().get(name)
        if home is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        module = import_module(f"{home}.{name}" if home == self.__name__ else home)
        return module if home == self.__name__ else getattr(module, name)

    def __setattr__(self, name: str, value: Any) -> None:
        own = isinstance(value, ModuleType) and self._homes().get(name) == f"{self.__name__}.{name}"
        super().__setattr__(name, getattr(value, name) if own else value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._homes()})

    def _homes(self) -> dict[str, str]:
        """The module of each name, from the text of the package: it is written nowhere else."""
        homes: dict[str, str] | None = self.__dict__.get("_homes_of_names")
        if homes is None:
            loader = self.__spec__.loader  # type: ignore[union-attr]  # a package has both
            text = loader.get_source(self.__name__)  # type: ignore[union-attr]
            found = _IMPORT.findall(text.partition("if TYPE_CHECKING:")[2])
            homes = {name: home for home, many, one in found for name in re.findall(r"\w+", many or one)}
            self.__dict__["_homes_of_names"] = homes
        return homes
