"""The Moses family says what sacremoses says, but for the differences listed in docs/differences-moses.md."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from dragoman.text.detokenise import MosesDetokeniser
from dragoman.text.moses import MosesTokeniser
from dragoman.text.punctuation import PunctuationNormaliser
from tests.text import moses_peer as peer
from tests.text import naive_moses

ROWS = peer.documented()
NEWS = [("newstest2013/references/newstest2013.{}.gz", lang, 3000) for lang in ("cs", "de", "en", "es", "fr", "ru")]
INDIAN = [(f"indian/{lang}-en/test.{lang}-en.{lang}.gz", lang, 1200) for lang in ("hi", "ta", "te", "bn", "ml", "ur")]
CAPTIONS = [("multi30k/val.{}.gz", lang, 1014) for lang in ("en", "de", "fr", "cs")]
JAPANESE = [("small-enja/dev.ja.gz", "ja", 300)]
each_text = pytest.mark.parametrize(
    ("path", "lang", "size"),
    [(path.format(lang), lang, size) for path, lang, size in NEWS + INDIAN + CAPTIONS + JAPANESE],
    ids=lambda value: Path(value).name.removesuffix(".gz") if "/" in str(value) else "",
)


def read(folder: Path, path: str, size: int) -> list[str]:
    with gzip.open(folder / path, "rt", encoding="utf-8", newline="\n") as file:
        return file.read().split("\n")[:size]


def test_the_page_names_every_difference_once() -> None:
    names = [f"T{i}" for i in range(1, 9)] + [f"D{i}" for i in range(1, 9)] + [f"P{i}" for i in range(1, 4)]
    assert list(dict.fromkeys(row.name for row in ROWS)) == names


@pytest.mark.parametrize("row", ROWS, ids=[f"{row.name}-{i}" for i, row in enumerate(ROWS)])
def test_both_programs_answer_as_the_page_says(row: peer.Difference) -> None:
    theirs, ours = {
        "T": (peer.their_tokens, peer.our_tokens),
        "D": (peer.their_text, peer.our_text),
        "P": (peer.their_punctuation, peer.our_punctuation),
    }[row.name[0]]
    assert ours(row.text, **row.options) == row.ours
    assert theirs(row.text, **row.options) == row.theirs
    assert row.ours != row.theirs


@pytest.mark.realdata
@each_text
def test_tokens_of_real_text(data_folder: Path, path: str, lang: str, size: int) -> None:
    lines = read(data_folder, path, size)
    entries = peer.their_prefixes(lang)
    prefixes = {entry.partition(" ")[0]: "#" in entry for entry in entries}
    different = 0
    for line, ours in zip(lines, MosesTokeniser(lang, prefixes=entries).tokenise(lines), strict=True):
        theirs = peer.their_tokens(line, lang)
        if ours != theirs:
            assert peer.may_tokenise_differently(line, lang), (line, ours, theirs)
            assert ours == naive_moses.tokenise(line, lang, prefixes=prefixes)
            different += 1
    if lang in {"cs", "de", "en", "es", "fr", "ru"}:
        assert different == 0


@pytest.mark.realdata
@each_text
def test_text_of_real_tokens(data_folder: Path, path: str, lang: str, size: int) -> None:
    lines = read(data_folder, path, size)
    tokens = MosesTokeniser(lang).tokenise(lines)
    for line, ours in zip(tokens, MosesDetokeniser(lang).detokenise(tokens), strict=True):
        theirs = peer.their_text(line, lang)
        assert ours == theirs or peer.may_detokenise_differently(line, lang), (line, ours, theirs)


@pytest.mark.realdata
@each_text
def test_punctuation_of_real_text(data_folder: Path, path: str, lang: str, size: int) -> None:
    lines = read(data_folder, path, size)
    for line, ours in zip(lines, PunctuationNormaliser(lang).normalise(lines), strict=True):
        theirs = peer.their_punctuation(line, lang)
        assert ours == theirs or peer.may_normalise_differently(line, lang), (line, ours, theirs)
