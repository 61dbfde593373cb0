"""The punctuation normaliser: hard lines, and sacremoses with the documented corrections as oracle."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacremoses import MosesPunctNormalizer

from dragoman.errors import DataError, UnknownName
from dragoman.text.punctuation import PunctuationNormaliser

PIECES = [
    *"aB5 ..,,\"'`()[]%:;!?<>   ",
    *"„“”–—´‘‚’…«»",
    "\u00a0",
    "\u00a0",
    "nº",
    "ºC",
    "cm",
    "\r",
    "\t",
    "，",
    "。",
    "９",
    "．",
    "日",
]
lines_of_pieces = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


def normalised(line: str, **options: object) -> str:
    return PunctuationNormaliser(**options).normalise([line])[0]  # type: ignore[arg-type]


def corrected_peer(lang: str, *, penn: bool, rest: bool, replace_unicode: bool) -> MosesPunctNormalizer:
    """sacremoses with P1 and P2 of docs/differences-moses.md put right."""
    peer = MosesPunctNormalizer(
        lang, penn=not penn, norm_quote_commas=rest, norm_numbers=rest, pre_replace_unicode_punct=replace_unicode
    )
    right = {"\u00a0«\u00a0": ' "', "\u00a0»\u00a0": '" '}
    peer.substitutions = [(pattern, right.get(pattern, new)) for pattern, new in peer.substitutions]
    if rest and lang not in {"en", "cs", "de", "es", "fr"}:
        peer.substitutions[-1:-1] = peer.DE_ES_FR_QUOTATION_FOLLOWED_BY_COMMA
    return peer


@given(
    lines_of_pieces | st.text(st.characters(exclude_categories=["Cs"])),
    st.sampled_from(["en", "de", "es", "fr", "cs", "it", "ru"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_any_text_comes_out_as_the_corrected_peer_has_it(
    line: str, lang: str, penn: bool, rest: bool, replace_unicode: bool
) -> None:
    peer = corrected_peer(lang, penn=penn, rest=rest, replace_unicode=replace_unicode)
    ours = normalised(line, lang=lang, penn=penn, quote_commas=rest, numbers=rest, replace_unicode=replace_unicode)
    assert ours == peer.normalize(line)


@pytest.mark.parametrize(
    ("lang", "line", "expected"),
    [
        ("en", "He said “no”, and—well—‘yes’…", "He said \"no,\" and - well - 'yes'..."),
        (
            "de",
            "Er sagte „nein,“ und „ja.“ Dann 1\u00a0000 ( oder 5 % ).",
            'Er sagte "nein", und "ja". Dann 1,000 (oder 5%).',
        ),
        ("cs", "„Ano,“ řekl.", '"Ano," řekl.'),
        ("fr", "«\u00a0Oui\u00a0»\u00a0: 20\u00a0ºC\u00a0!", '"Oui" : 20 ºC!'),
        ("es", "nº\u00a05 ; 1\u00a0000\u00a0000", "nº 5; 1,000,000"),
        ("en", "1\u00a02\u00a03", "1.2\u00a03"),
        ("en", "``quoted''", '" quoted "'),
        ("en", " a\r ", "a"),
        ("en", "", ""),
    ],
)
def test_hard_lines(lang: str, line: str, expected: str) -> None:
    assert normalised(line, lang=lang) == expected


def test_options() -> None:
    assert normalised("``a''", penn=True) == '``a"'
    assert normalised('"a", 1\u00a02', quote_commas=False, numbers=False) == '"a", 1\u00a02'
    assert normalised("你好，世界。 「１」（２％）", lang="zh", replace_unicode=True) == '你好,世界. "1" (2%)'
    assert normalised("a\x00b\x07 \x1bc\ue000d\u2060e", remove_control=True) == "a b c de"


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_change_nothing(n_threads: int) -> None:
    lines = ["".join(PIECES[i:] + PIECES[:i]) for i in range(len(PIECES))]
    assert PunctuationNormaliser().normalise(lines, n_threads=n_threads) == [normalised(line) for line in lines]


def test_bad_input_is_named() -> None:
    assert PunctuationNormaliser().normalise([]) == []
    assert len(normalised("(." * 500_000)) > 500_000
    with pytest.raises(DataError, match=r"Line 1 holds a lone surrogate"):
        PunctuationNormaliser().normalise(["\udfff"])
    with pytest.raises(UnknownName, match=r"'xx1' is no language tag"):
        PunctuationNormaliser("xx1")
