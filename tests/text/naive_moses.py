"""The Moses tokeniser written for the eye: the substitutions of tokenizer.perl on a list of characters, one by one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import regex

SPLIT_LEFT = {"fr", "it", "ga", "ca"}
INNER_MARK = {"fi": ":", "sv": ":", "tdt": "'", "ca": "·"}
ENTITIES = {
    "&": "&amp;",
    "|": "&#124;",
    "<": "&lt;",
    ">": "&gt;",
    "'": "&apos;",
    '"': "&quot;",
    "[": "&#91;",
    "]": "&#93;",
}
EXTENDS = regex.compile(r"[\p{M}\u200C\u200D\U0001F3FB-\U0001F3FF\U000E0020-\U000E007F]")


@cache
def has(char: str, prop: str) -> bool:
    return regex.match(prop, char, flags=regex.V1) is not None


class Char:
    """A character and the one whose properties it has: itself, or the letter that a mark stands on."""

    def __init__(self, text: str, like: str | None = None, *, plain: bool = True) -> None:
        self.text = text
        self.like = text if like is None else like
        self.plain = plain  # False: no sign for any rule, as in a row of dots

    def is_(self, text: str) -> bool:
        return self.plain and self.text == text

    @property
    def blank(self) -> bool:
        return self.plain and self.text == " "

    @property
    def alpha(self) -> bool:
        return self.plain and has(self.like, r"\p{Alphabetic}")

    @property
    def number(self) -> bool:
        return self.plain and has(self.like, r"\p{N}")

    @property
    def word(self) -> bool:
        return self.plain and has(self.like, r"[\p{Alphabetic}\p{Nd}]")

    @property
    def other(self) -> bool:
        return self.plain and not self.word and self.text not in " .'`,-"


BLANK = Char(" ")
Chars = list[Char]


def substitute(chars: Chars, size: int, test: Callable[..., bool], build: Callable[..., Chars]) -> Chars:
    """`s/…/…/g` for a pattern of fixed size: left to right, no character used twice."""
    result: Chars = []
    i = 0
    while i < len(chars):
        window = chars[i : i + size]
        if len(window) == size and test(*window):
            result += build(*window)
            i += size
        else:
            result.append(chars[i])
            i += 1
    return result


def clusters(line: str) -> list[Chars]:
    """Characters, with the marks and joiners behind one that is set apart."""
    result: list[Chars] = []
    flag_is_open = False
    for text in line:
        last = result[-1][-1] if result else BLANK
        char = Char(text)
        closes = flag_is_open and regex.fullmatch(r"\p{Regional_Indicator}{2}", last.text + text) is not None
        flag_is_open = has(text, r"\p{Regional_Indicator}") and not closes
        joins = last.text == "\u200d" and has(text, r"[\p{S}--[\0-\x7F]]")
        if char.other and (EXTENDS.match(text) or closes or joins):
            if last.word and EXTENDS.match(text):
                result.append([Char(text, last.like)])
                continue
            if last.other:
                result[-1].append(char)
                continue
        result.append([char])
    return result


def tokenise(
    line: str,
    lang: str = "en",
    *,
    prefixes: dict[str, bool],
    aggressive: bool = False,
    escape: bool = True,
    split_last: bool = False,
) -> str:
    """The tokens of a line; `prefixes` says of each abbreviation whether it is one only in front of a number."""
    line = "".join(c for c in " ".join(line.split()) if ord(c) >= 0x20)
    inner_mark = INNER_MARK.get(lang)
    chars: Chars = []
    groups = clusters(" ".join(line.split()))
    for i, group in enumerate(groups):
        first, *extensions = group
        following = [*extensions, *(groups[i + 1] if i + 1 < len(groups) else []), BLANK][0].text
        apart = not has(following, r"\p{Lowercase}") if first.text == inner_mark else first.other
        chars += [BLANK, *group, BLANK] if apart else group
    if aggressive:
        inserted = [BLANK, *(Char(c, plain=False) for c in "@-@"), BLANK]
        result: Chars = []
        for i, char in enumerate(chars):
            inside = 0 < i < len(chars) - 1 and chars[i - 1].word and chars[i + 1].word
            result += inserted if char.is_("-") and inside else [char]
        chars = result
    dotted: Chars = []
    for i, char in enumerate(chars):
        in_row = char.is_(".") and any(0 <= k < len(chars) and chars[k].is_(".") for k in (i - 1, i + 1))
        starts = in_row and not (i > 0 and chars[i - 1].is_("."))
        ends = in_row and not (i + 1 < len(chars) and chars[i + 1].is_("."))
        dotted += [BLANK] * starts + [Char(".", plain=False) if in_row else char] + [BLANK] * ends
    while dotted and dotted[-1].blank:
        dotted.pop()
    chars = commas(dotted)
    chars = apostrophes(chars, lang)
    return full_stops(chars, prefixes, escape=escape, split_last=split_last)


def commas(chars: Chars) -> Chars:
    comma = Char(",")
    chars = substitute(chars, 2, lambda a, b: not a.number and b.is_(","), lambda a, b: [a, BLANK, b, BLANK])
    chars = substitute(chars, 2, lambda a, b: a.is_(",") and not b.number, lambda a, b: [BLANK, a, BLANK, b])
    if len(chars) > 1 and chars[-1].is_(",") and chars[-2].number:
        chars = [*chars[:-1], BLANK, comma]
    return chars


def apostrophes(chars: Chars, lang: str) -> Chars:
    def rule(left: Callable[[Char], bool], right: Callable[[Char], bool], before: bool, behind: bool) -> None:
        nonlocal chars
        chars = substitute(
            chars,
            3,
            lambda a, b, c: left(a) and b.is_("'") and right(c),
            lambda a, b, c: [a, *[BLANK] * before, b, *[BLANK] * behind, c],
        )

    def alpha(char: Char) -> bool:
        return char.alpha

    def no_alpha(char: Char) -> bool:
        return not char.alpha

    if lang == "en":
        rule(no_alpha, no_alpha, True, True)
        rule(lambda c: not c.alpha and not c.number, alpha, True, True)
        rule(alpha, no_alpha, True, True)
        rule(alpha, alpha, True, False)
        rule(lambda c: c.number, lambda c: c.is_("s"), True, False)
    elif lang in SPLIT_LEFT or lang in {"so", "tdt"}:
        rule(no_alpha, no_alpha, True, True)
        rule(no_alpha, alpha, True, True)
        rule(alpha, no_alpha, True, True)
        if lang in SPLIT_LEFT:
            rule(alpha, alpha, False, True)
    else:
        chars = substitute(chars, 1, lambda a: a.is_("'"), lambda a: [BLANK, a, BLANK])
    return chars


def full_stops(chars: Chars, prefixes: dict[str, bool], *, escape: bool, split_last: bool) -> str:
    words: list[Chars] = [[]]
    for char in chars:
        if char.blank:
            words.append([])
        else:
            words[-1].append(char)
    words = [word for word in words if word]
    tokens: list[Chars] = []
    for i, word in enumerate(words):
        follower = words[i + 1][0] if i + 1 < len(words) else None
        prefix = "".join(char.text for char in word[:-1])
        if len(word) > 1 and word[-1].is_("."):
            numeric = prefixes.get(prefix)
            keeps = (
                (any(c.is_(".") for c in word[:-1]) and any(c.alpha for c in word[:-1]))
                or numeric is False
                or (follower is not None and follower.plain and has(follower.text, r"\p{Lowercase}"))
                or (numeric is True and follower is not None and follower.text in set("0123456789"))
            ) and not (split_last and follower is None)
            tokens += [word] if keeps else [word[:-1], word[-1:]]
        elif follower is None and len(word) > 1 and word[-1].is_("'") and word[-2].is_("."):
            tokens += [part for part in (word[:-2], word[-2:-1], word[-1:]) if part]
        else:
            tokens.append(word)
    table = str.maketrans(ENTITIES if escape else {})
    return " ".join("".join(char.text for char in token).translate(table) for token in tokens)
