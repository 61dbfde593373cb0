"""The surface tokenisers give, string for string, what sacreBLEU 2.6 gives."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a as Peer13a
from sacrebleu.tokenizers.tokenizer_char import TokenizerChar
from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International
from sacrebleu.tokenizers.tokenizer_none import NoneTokenizer
from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

from dragoman.text import TOKENISERS, Vocabulary
from dragoman.text.surface import CharTokeniser, InternationalTokeniser, NoTokeniser, Tokeniser13a

PEERS = {
    "13a": Peer13a,
    "char": TokenizerChar,
    "intl": TokenizerV14International,
    "none": NoneTokenizer,
    "zh": TokenizerZh,
}
each_tokeniser = pytest.mark.parametrize("name", sorted(PEERS))

# What the rules look at: marks, digits, dashes, markup and its fragments, white space of all kinds, numbers that are no
# digits, punctuation and symbols beyond ASCII, characters at the edges of the Chinese ranges.
PIECES = [
    *".,.,-'/$&<>;:!()[]{}|~`^_@#*+=?\"\\%",
    "..",
    "...",
    ",,",
    *"0159",
    "12",
    *"azAZ",
    "word",
    " ",
    "  ",
    "\t",
    "\n",
    "-\n",
    "\r",
    "\x0b",
    "\x0c",
    *"\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2028\u2029\u202f\u205f\u3000",
    *"\u200b\ufeff\x00\x7f",
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&apos;",
    "&amp",
    "amp;",
    "quot;",
    "lt;",
    "gt;",
    "&a",
    "<skipped>",
    "<skip",
    "ped>",
    *"éñß×÷«»“”’–—…€½²Ⅷ٣०।،؟яאก",
    *"\u2a6d\u2a6e\u2e7f\u2e80\u2fdf\u2fe0\u2fef\u2ff0\u303f\u3040あア\u3130\u319f\u31bf\u31f0\u3400\u4db5\u4db6中",
    *"\u9fbb\u9fbc\uf900\ufa2e\ufa6b\ufada\ufe10\ufe20\ufe30\ufe50\uff00１．，\uffef\ufff0。、㊀",
    *"𝟙𐄀😀𠀀🁢\U000e0001\U0010ffff",
]
lines = st.one_of(
    st.text(),
    st.lists(st.sampled_from(PIECES), max_size=30).map("".join),
    st.text(alphabet="a1.,- \n", max_size=40),
    st.text(alphabet=st.characters(categories=["P", "N", "S", "Z"]), max_size=30),
)


@each_tokeniser
@given(batch=st.lists(lines, max_size=8))
def test_any_text_is_tokenised_as_sacrebleu_does(name: str, batch: list[str]) -> None:
    peer = PEERS[name]()
    assert TOKENISERS.get(name)().tokenise(batch) == [peer(line) for line in batch]


@each_tokeniser
def test_every_character_is_treated_as_sacrebleu_does(name: str) -> None:
    """Each beside digits, letters, marks and itself; beyond plane 1, where whole blocks are alike, a sample."""
    codes = [code for code in [*range(0x20000), *range(0x20000, 0x110000, 61)] if not 0xD800 <= code < 0xE000]
    batch = [
        "".join("a{0}1{0}{0}.{0}1,{0} -{0}".format(chr(code)) for code in codes[start : start + 512])
        for start in range(0, len(codes), 512)
    ]
    peer = PEERS[name]()
    for ours, line in zip(TOKENISERS.get(name)().tokenise(batch), batch, strict=True):
        assert ours == peer(line)


@each_tokeniser
@pytest.mark.parametrize("first", ["", "a", "1", " ", "$", "\u4e2d"])
@pytest.mark.parametrize("last", ["", "a", "1", " ", "-", "\u4e2d"])
def test_runs_of_marks_pair_up_as_sacrebleu_pairs_them(name: str, first: str, last: str) -> None:
    batch = [first + marks * length + last for length in range(1, 9) for marks in (".", ",", "-", ".,", "!", "。")]
    peer = PEERS[name]()
    assert TOKENISERS.get(name)().tokenise(batch) == [peer(line) for line in batch]


@pytest.mark.parametrize(
    ("line", "tokenised"),
    [
        ('He said: "1,000.5 is more than 1.000,5-ish."', 'He said : " 1,000.5 is more than 1.000,5 - ish . "'),
        ("&amp;lt; ends as a symbol, &amp;quot; does not", "< ends as a symbol , & quot ; does not"),
        ("one <skipped>two<skip<skipped>ped> three", "one two < skipped > three"),
        ("a hyphen-\nated word-<skipped>\nwise\nline", "a hyphenated wordwise line"),
        ("twice &amp;amp; once", "twice & amp ; once"),
        ("", ""),
        (" \u3000\t", ""),
    ],
)
def test_13a_examples(line: str, tokenised: str) -> None:
    assert Tokeniser13a().tokenise([line]) == [tokenised]
    assert Peer13a()(line) == tokenised


@pytest.mark.parametrize(
    ("line", "tokenised"),
    [
        ("„Wirklich?“ – ja, 1,5 %…", "„ Wirklich ? “ – ja , 1,5 % …"),
        ("The year was 1990.", "The year was 1990."),  # the slip of mteval-v14
        ("5€ + x²", "5 € + x²"),
    ],
)
def test_intl_examples(line: str, tokenised: str) -> None:
    assert InternationalTokeniser().tokenise([line]) == [tokenised]


def test_char_keeps_white_space_between_its_spaces() -> None:
    assert CharTokeniser().tokenise(["ab c\U0001f600"]) == ["a b   c \U0001f600"]
    assert CharTokeniser().batch(["ab c\U0001f600"]).tokens(0) == ["a", "b", "c", "\U0001f600"]


def test_none_gives_the_same_strings() -> None:
    line = " as  it\tis\n"
    assert NoTokeniser().tokenise([line])[0] is line


@each_tokeniser
@given(batch=st.lists(lines, max_size=8))
def test_batches_and_ids_hold_what_the_strings_hold(name: str, batch: list[str]) -> None:
    tokeniser = TOKENISERS.get(name)()
    expected = tokeniser.tokenise(batch)
    result = tokeniser.batch(batch)
    assert result.lines() == expected
    assert result.text.decode() == "".join(expected)
    assert [result.tokens(i) for i in range(len(result))] == [line.split() for line in expected]
    spans = [result.text[begin:end].decode() for begin, end in result.token_spans.tolist()]
    assert spans == [token for line in expected for token in line.split()]
    vocabulary = Vocabulary()
    ids = tokeniser.encode(batch, vocabulary)
    assert vocabulary.decode(ids) == [" ".join(line.split()) for line in expected]
    assert vocabulary.freeze().encode(result).ids.tolist() == ids.ids.tolist()


def _read(path: Path) -> list[str]:
    return gzip.decompress(path.read_bytes()).decode().split("\n")


@pytest.mark.realdata
@each_tokeniser
@pytest.mark.parametrize(
    "pattern",
    ["newstest2013/references/*.gz", "newstest2013/en-de/*online-A*.gz", "small-enja/test.*.gz", "indian/*/dev.*"],
)
def test_real_text_is_tokenised_as_sacrebleu_does(name: str, pattern: str, data_folder: Path) -> None:
    files = sorted(data_folder.glob(pattern))
    assert files
    batch = [line for path in files for line in _read(path)[:1500]]
    peer = PEERS[name]()
    for ours, line in zip(TOKENISERS.get(name)().tokenise(batch, n_threads=2), batch, strict=True):
        assert ours == peer(line)
