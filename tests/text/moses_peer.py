"""sacremoses, the peer, and the list of documented differences from it."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import regex
from sacremoses import MosesDetokenizer, MosesPunctNormalizer, MosesTokenizer
from sacremoses.corpus import NonbreakingPrefixes

from dragoman.text.detokenise import MosesDetokeniser
from dragoman.text.moses import MosesTokeniser
from dragoman.text.punctuation import PunctuationNormaliser

PAGE = Path(__file__).parents[2] / "docs" / "differences-moses.md"
NAMED_PATTERNS = {"tag": r"</?\w[^>]*>"}
EXTENDING = regex.compile(r"[\p{M}\u200C\u200D\U0001F3FB-\U0001F3FF\U000E0020-\U000E007F]|\p{Regional_Indicator}{2}")


@dataclass(frozen=True)
class Difference:
    """A row of the page: what the two programs make of a text."""

    name: str
    options: dict[str, Any]
    text: str
    theirs: str
    ours: str


def documented() -> list[Difference]:
    """The rows of the page's tables, each under the name of its section."""
    rows, name = [], ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if match := re.match(r"### (\w+) ", line):
            name = match[1]
        elif match := re.fullmatch(r"\| `(.*)` \| `(.*)` \| `(.*)` \| `(.*)` \|", line):
            call = ast.parse(f"f({match[1]})", mode="eval").body
            assert isinstance(call, ast.Call)
            options = {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
            text, theirs, ours = (ast.literal_eval(cell) for cell in match.groups()[1:])
            rows.append(Difference(name, options, text, theirs, ours))
    return rows


@cache
def _tokenizer(lang: str) -> MosesTokenizer:
    return MosesTokenizer(lang=lang)


@cache
def _detokenizer(lang: str) -> MosesDetokenizer:
    return MosesDetokenizer(lang=lang)


@cache
def _normalizer(lang: str, **options: bool) -> MosesPunctNormalizer:
    return MosesPunctNormalizer(lang=lang, **options)


@cache
def their_prefixes(lang: str) -> tuple[str, ...]:
    """The peer's abbreviations: with them, only the rules can differ. Entries of several words no word equals."""
    entries = (entry.partition("#NUMERIC_ONLY#") for entry in NonbreakingPrefixes().words(lang))
    words = [(word.strip(), mark) for word, mark, _ in entries if " " not in word.strip()]
    return tuple(dict.fromkeys(f"{word} {mark}".strip() for word, mark in words))


def their_tokens(text: str, lang: str = "en", **options: Any) -> str:
    patterns = [NAMED_PATTERNS.get(p, p.removeprefix("re:")) for p in options.pop("protected", ())]
    return " ".join(_tokenizer(lang).tokenize(text, protected_patterns=patterns or None, **options))


def our_tokens(text: str, **options: Any) -> str:
    return MosesTokeniser(**options).tokenise([text])[0]


def their_text(tokens: str, lang: str = "en") -> str:
    return str(_detokenizer(lang).detokenize(tokens.split()))


def our_text(tokens: str, lang: str = "en") -> str:
    return MosesDetokeniser(lang).detokenise([tokens])[0]


def their_punctuation(text: str, lang: str = "en", **options: Any) -> str:
    names = {
        "penn": "penn",
        "quote_commas": "norm_quote_commas",
        "numbers": "norm_numbers",
        "replace_unicode": "pre_replace_unicode_punct",
        "remove_control": "post_remove_control_chars",
    }
    if "penn" in options:
        options["penn"] = not options["penn"]  # the peer has it the wrong way round
    return str(_normalizer(lang, **{names[name]: value for name, value in options.items()}).normalize(text))


def our_punctuation(text: str, **options: Any) -> str:
    return PunctuationNormaliser(**options).normalise([text])[0]


@cache
def characters(prop: str) -> frozenset[str]:
    """All characters that have a property."""
    pattern = regex.compile(prop)
    return frozenset(c for c in map(chr, [*range(0xD800), *range(0xE000, 0x110000)]) if pattern.match(c))


@cache
def oddly_classed(lang: str) -> frozenset[str]:
    """The characters of T1 and T2: those that the peer's tables and today's Unicode see differently."""
    peer = _tokenizer(lang)
    return (
        (frozenset(peer.IsAlnum) ^ characters(r"[\p{Alphabetic}\p{Nd}]"))
        | (frozenset(peer.IsAlpha) ^ characters(r"\p{Alphabetic}"))
        | (frozenset(peer.IsN) ^ characters(r"\p{N}"))
        | (frozenset(peer.IsLower) ^ characters(r"\p{Lowercase}"))
    )


def may_tokenise_differently(text: str, lang: str) -> set[str]:
    """The documented differences that a text may show in the tokeniser."""
    names = set()
    if oddly_classed(lang) & set(text):
        names |= {"T1", "T2"}
    if EXTENDING.search(text):
        names.add("T3")
    if lang in {"fi", "sv", "ca", "ga", "so", "tdt"}:
        names.add("T4")
    if "MULTI" in text or "PROTECTED" in text:
        names.add("T6")
    if re.search("ரூ\\.|రూ\\.", text):
        names.add("T7")
    return names


def may_detokenise_differently(tokens: str, lang: str) -> set[str]:
    """The documented differences that a line of tokens may show in the detokeniser."""
    names = set()
    if lang == "cs" and re.search("[0-9]", tokens):
        names.add("D1")
    if lang == "cs" and re.search(r" [-–] (li\b|mail)", tokens, re.IGNORECASE):
        names.add("D2")
    if lang == "fi" and ":" in tokens:
        names.add("D3")
    if "”" in tokens:
        names.add("D4")
    if re.search("[\uff00-\uffef\U00030000-\U0003ffff]", tokens):
        names.add("D5")
    if re.search("[।॥،؛؟۔։።፣፧]", tokens):
        names.add("D6")
    if lang == "ca":
        names.add("D7")
    if (frozenset(_detokenizer(lang).IsSc) ^ characters(r"\p{Sc}")) & set(tokens) or (
        "'" in tokens.replace("&apos;", "'")
        and (frozenset(_detokenizer(lang).IsAlpha) ^ characters(r"[\p{Alphabetic}\p{M}]")) & set(tokens)
    ):
        names.add("D8")
    return names


def may_normalise_differently(text: str, lang: str) -> set[str]:
    """The documented differences that a text may show in the punctuation normaliser."""
    names = set()
    if re.search("\u00a0[«»]\u00a0", text):
        names.add("P1")
    if lang not in {"en", "cs", "cz", "de", "es", "fr"} and re.search("[,.][\"'„“”‘‚’´`«»\u00a0]", text):
        names.add("P2")
    return names
