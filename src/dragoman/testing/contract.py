"""A contract is a list of rules. A rule is a function that takes an entry and asserts; its name is its sentence."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb
from typing import Generic, TypeVar

from dragoman.errors import DataError

__all__ = ["Contract", "raises"]

T = TypeVar("T")
Rule = TypeVar("Rule", bound=Callable[..., None])


class Contract(Generic[T]):
    """The rules that every entry of one kind keeps.

    `rules` can be taken one by one, `pytest.mark.parametrize("rule", METRIC.rules)`; `check` takes them all.
    """

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.rules: list[Callable[[T], None]] = []

    def rule(self, function: Rule) -> Rule:
        """Add a rule, as a decorator."""
        self.rules.append(function)
        return function

    def breaches(self, entry: T) -> dict[str, Exception]:
        """The rules that the entry breaks, by name, each with what was raised."""
        if not __debug__:  # a check that cannot fail is worse than none
            raise RuntimeError("Python was started with -O, which leaves assertions out. Check without it.")
        broken: dict[str, Exception] = {}
        for rule in self.rules:
            try:
                rule(entry)
            except Exception as error:  # whatever a broken entry raises
                broken[rule.__name__] = error
        return broken

    def check(self, entry: T, name: str) -> None:
        """Raise one `AssertionError` that names every broken rule."""
        broken = self.breaches(entry)
        if broken:
            lines = [f"- {rule.replace('_', ' ')}: {_reason(error)}" for rule, error in broken.items()]
            head = f"The {self.kind} {name} breaks {len(broken)} of the {len(self.rules)} rules of its contract:"
            raise AssertionError("\n".join([head, *lines])) from next(iter(broken.values()))


def _reason(error: Exception) -> str:
    """What an error says, or the line of the rule that does not hold; and where that line stands."""
    own = Path(__file__)
    frames = [
        each
        for each in extract_tb(error.__traceback__)
        if Path(each.filename).parent == own.parent and Path(each.filename) != own
    ]
    text = " ".join(str(error).split()) or f"`{frames[-1].line if frames else ''}` does not hold"
    if not isinstance(error, AssertionError):
        text = f"{type(error).__name__}: {text}"
    return f"{text} ({Path(frames[-1].filename).name}:{frames[-1].lineno})" if frames else text


@contextmanager
def raises(error: type[Exception] | tuple[type[Exception], ...] = DataError, *, match: str) -> Iterator[None]:
    """Assert that the block raises `error` with a message in which the pattern `match` is found."""
    names = " or ".join(each.__name__ for each in (error if isinstance(error, tuple) else (error,)))
    try:
        yield
    except error as raised:
        message = str(raised)
    else:
        raise AssertionError(f"{names} was to be raised, saying {match!r}; nothing was.")
    if not re.search(match, message):
        raise AssertionError(f"{names} was to say {match!r}, it said {message!r}.")
