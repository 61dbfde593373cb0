"""Every pattern of a package, held by a module or named in a call of `re`, and the runs that it may dislike."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path
from re import _constants as codes
from re import _parser as parser
from typing import Any, NamedTuple

import regex

import dragoman

__all__ = ["Used", "pumps", "used_patterns"]

_KINDS = (re.Pattern, type(regex.compile("a")))
_SEARCHES = {"finditer", "search", "sub", "subn", "findall", "split"}
_ANCHORED = {"match", "fullmatch"}


class Used(NamedTuple):
    """A pattern, where it is, and how it is asked: from every place of a text, or from one."""

    place: str
    pattern: Any
    ways: tuple[str, ...]

    def work(self, way: str, text: str) -> None:
        """Ask it of a text."""
        content = text.encode("utf-8", "surrogatepass") if isinstance(self.pattern.pattern, bytes) else text
        if way == "finditer":
            for _ in self.pattern.finditer(content):
                pass
        else:
            getattr(self.pattern, way)(content)


def used_patterns(*rooms: str) -> Iterator[Used]:
    """The patterns of these packages' modules, each once."""
    seen: set[int] = set()
    for module in pkgutil.walk_packages(dragoman.__path__, "dragoman."):
        if not module.name.startswith(rooms):
            continue
        loaded = importlib.import_module(module.name)
        file = getattr(loaded, "__file__", None) or ""
        if not file.endswith(".py"):
            continue
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
        asked = _methods(tree)
        held = [(name, each) for name, value in vars(loaded).items() for each in _held(value)]
        named = [(f"line {line}", pattern, way) for line, pattern, way in _called(tree)]
        for name, pattern in held:
            ways = asked.get(name, set()) & (_SEARCHES | _ANCHORED)
            if id(pattern) not in seen:
                seen.add(id(pattern))
                yield Used(f"{module.name}.{name}", pattern, _ways(ways or {"finditer", "match", "fullmatch"}))
        for name, pattern, way in named:
            if id(pattern) not in seen:
                seen.add(id(pattern))
                yield Used(f"{module.name}, {name}", pattern, _ways({way}))


def _ways(methods: set[str]) -> tuple[str, ...]:
    return tuple(sorted({"finditer" if each in _SEARCHES else each for each in methods}))


def _methods(tree: ast.AST) -> dict[str, set[str]]:
    """What is asked of each name."""
    found: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            for name in ast.walk(node.value):  # also of `(_A if x else _B).match`
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, set()).add(node.attr)
    return found


def _held(value: object, depth: int = 0) -> Iterator[Any]:
    if isinstance(value, _KINDS):
        yield value
    elif depth < 3 and isinstance(value, dict | tuple | list | set | frozenset):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _held(each, depth + 1)


def _called(tree: ast.AST) -> Iterator[tuple[int, Any, str]]:
    """Patterns that stand in a call of `re` or `regex` itself."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="re" | "regex" as library), attr=way),
                args=[ast.Constant(value=str() | bytes() as text), *_],
            ) if way in _SEARCHES | _ANCHORED:
                flags = 0
                for word in node.keywords:
                    if word.arg == "flags":
                        flags = eval(ast.unparse(word.value), {"re": re, "regex": regex})
                yield node.lineno, {"re": re, "regex": regex}[library].compile(text, flags), way


def pumps(pattern: Any) -> list[str]:
    """What a text is made of that a pattern may begin to match again and again: its literals, alone and in pairs."""
    literals = _literals(pattern)
    marks = sorted(each for each in literals if len(each) == 1 and not each.isalnum())[:14]
    single = {*marks, "a", " ", "1", "\n"}
    words = sorted(each for each in literals if 1 < len(each) <= 12)
    pairs = {a + b for a in single for b in single}
    return sorted({*single, *pairs, *words, *(word + each for word in words for each in ("a", " ", "\n"))})


def _literals(pattern: Any) -> set[str]:
    text, flags = pattern.pattern, pattern.flags if isinstance(pattern, re.Pattern) else 0
    try:
        return set(_runs(parser.parse(text, flags & ~re.DEBUG)))
    except re.error:  # of `regex` alone
        return {each for each in text if not each.isalnum()}


def _runs(parts: Any) -> Iterator[str]:
    """Runs of literal characters in a parsed pattern, and the characters of its sets."""
    run = ""
    for code, value in parts:
        if code is codes.LITERAL:
            run += chr(value)
            continue
        before, run = run, ""
        if before:
            yield before
        match code:
            case codes.IN:
                yield from (chr(each) for kind, each in value if kind is codes.LITERAL)
            case codes.NOT_LITERAL:
                yield chr(value)
            case codes.MAX_REPEAT | codes.MIN_REPEAT | codes.POSSESSIVE_REPEAT:
                yield from _runs(value[2])
            case codes.SUBPATTERN:
                yield from _runs(value[3])
            case codes.BRANCH:  # how its ways begin alike, the parser has put before it
                for way in value[1]:
                    yield from (text for each in _runs(way) for text in {each, before + each})
            case codes.ASSERT | codes.ASSERT_NOT:
                yield from _runs(value[1])
            case codes.ATOMIC_GROUP:
                yield from _runs(value)
    if run:
        yield run
