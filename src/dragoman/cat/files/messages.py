"""Messages of programs: placeholders and tags in them are codes."""

from __future__ import annotations

import re
from functools import cache

from dragoman.cat.files.inline import CodeTable, InlineText
from dragoman.cat.segments import Code, Unit

__all__ = ["BRACES", "PRINTF", "TAGS", "message", "message_text", "message_unit"]

# %s, %2$d, %(name)s, %@ and %%; a blank is no flag here, or "100 % sure" had a placeholder.
PRINTF = (
    r"%\(\w{1,99}\)[-+#0]{0,5}\d{0,9}(?:\.\d{1,9})?[a-zA-Z]"
    r"|%(?:\d{1,9}\$)?[-+#0']{0,5}(?:\d{1,9}|\*)?(?:\.(?:\d{1,9}|\*))?(?:hh|h|ll|l|L|q|j|z|t)?"
    r"[diouxXeEfFgGaAcsSpn@]|%%"
)
BRACES = r"\{\{[^{}\n]*\}\}|[$#%]?\{[^{}\n]*\}"
TAGS = r"</?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>"

_CHOICE = re.compile(r"\{\s*\w+\s*,\s*(?:plural|select|selectordinal)\b")  # of ICU: its braces hold text
_NAME = re.compile(r"</?([A-Za-z][\w:.-]*)")


def message(text: str, into: InlineText, patterns: tuple[str, ...] = (PRINTF, BRACES, TAGS)) -> None:
    """Read a message: what one of the patterns finds is a code. A tag opens what the next of its name closes."""
    if BRACES in patterns and "{" in text and _CHOICE.search(text):
        patterns = tuple(each for each in patterns if each != BRACES)
    done = 0
    places = [match.span() for match in _regex(patterns).finditer(text)]
    pairs = _pairs([text[begin:end] for begin, end in places])
    for (begin, end), (kind, pair) in zip(places, pairs, strict=True):
        into.add(text[done:begin])
        markup = text[begin:end]
        shown = f"{'/' if kind == 'close' else ''}{pair}" if pair else markup
        into.code(Code(markup, kind, pair, shown[:20]))  # type: ignore[arg-type]
        done = end
    into.add(text[done:])


@cache
def _regex(patterns: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(patterns))


def _pairs(codes: list[str]) -> list[tuple[str, str]]:
    """The kind of each code and the name of its pair: tags that close one another's element."""
    kinds = [("alone", "") for _ in codes]
    waiting: list[tuple[str, int]] = []
    opened: dict[str, list[int]] = {}  # by name: where in `waiting` it is, the last at the end
    for place, code in enumerate(codes):
        tag = _NAME.match(code)
        if tag is None or code.endswith("/>"):
            continue
        name = tag[1].lower()
        if not code.startswith("</"):
            opened.setdefault(name, []).append(len(waiting))
            waiting.append((name, place))
        elif opened.get(name):
            depth = opened[name][-1]
            pair = f"{name}{waiting[depth][1] + 1}"
            kinds[waiting[depth][1]], kinds[place] = ("open", pair), ("close", pair)
            while len(waiting) > depth:
                opened[waiting.pop()[0]].pop()
    return kinds


def message_text(unit_text: str, table: CodeTable, patterns: tuple[str, ...]) -> str:
    """A message as text with codes of the table."""
    inline = InlineText(table)
    message(unit_text, inline, patterns)
    return str(inline)


def message_unit(key: str, text: str, *, note: str = "", patterns: tuple[str, ...] = (PRINTF, BRACES, TAGS)) -> Unit:
    """The unit of a message without a target."""
    table = CodeTable()
    return Unit(key, message_text(text, table, patterns), tuple(table.codes), note=note, cut=False)
