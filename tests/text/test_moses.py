"""The Moses tokeniser: against its definition, against sacremoses, and on bad input."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError, UnknownName
from dragoman.text import TOKENISERS, Vocabulary
from dragoman.text.moses import MosesTokeniser
from dragoman.text.prefixes import prefixes_of
from tests.text import naive_moses
from tests.text.moses_peer import EXTENDING, oddly_classed, their_prefixes, their_tokens

# What the rules turn on, beside a letter or two of each kind.
LATIN = [*"aBs5 ..,,''-`()&<[:·", "é", "e\u0301", "ß", "½", "²", "Ⅷ", "Mr", "No", "e.g.", "1,5", "'s"]
MARKS = ["\u200d", "\u200c", "्", "ा", "\ufe0f", "🏽", "\U000e0067"]
OTHERS = ["क", "日", "。", "Я", "٣", "\U0001d400", "🇩", "🇪", "👩", "❤", "\x01", "\x1c", "\u2028", "\xa0"]
SIGNS = LATIN + MARKS + OTHERS
lines_of_signs = st.lists(st.sampled_from(SIGNS), max_size=30).map("".join)


def tokens(line: str, **options: object) -> str:
    return MosesTokeniser(**options).tokenise([line])[0]  # type: ignore[arg-type]


@given(
    st.lists(lines_of_signs | st.text(max_size=40), max_size=5),
    st.sampled_from(["en", "fr", "de", "fi", "tdt", "ca", "so", "hi"]),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_the_kernel_follows_the_definition(
    lines: list[str], lang: str, escape: bool, aggressive: bool, last: bool
) -> None:
    lines = [line for line in lines if not any("\ud800" <= c <= "\udfff" for c in line)]
    prefixes = {entry.partition(" ")[0]: "#" in entry for entry in prefixes_of(lang)}
    tokeniser = MosesTokeniser(lang, escape=escape, aggressive_dash_splits=aggressive, split_last=last)
    expected = [
        naive_moses.tokenise(line, lang, prefixes=prefixes, escape=escape, aggressive=aggressive, split_last=last)
        for line in lines
    ]
    assert tokeniser.tokenise(lines) == expected


@given(
    lines_of_signs | st.text(st.characters(exclude_categories=["Cs"], max_codepoint=0xFFFF), max_size=40),
    st.sampled_from(["en", "de", "fr", "it", "cs", "ru"]),
    st.booleans(),
)
def test_any_text_of_alike_characters_comes_out_as_sacremoses_has_it(line: str, lang: str, aggressive: bool) -> None:
    line = EXTENDING.sub("", line)
    line = "".join(c for c in line if c not in oddly_classed(lang) and not "\U0001f1e6" <= c <= "\U0001f1ff")
    theirs = their_tokens(line, lang, aggressive_dash_splits=aggressive)
    ours = tokens(line, lang=lang, prefixes=their_prefixes(lang), aggressive_dash_splits=aggressive)
    assert ours == theirs


@pytest.mark.parametrize(
    ("lang", "line", "expected"),
    [
        (
            "en",
            "Mr. Smith's dog cost $5,300.50, e.g. in No. 5 (see it)...",
            "Mr. Smith &apos;s dog cost $ 5,300.50 , e.g. in No. 5 ( see it ) ...",
        ),
        (
            "en",
            "The 1990's rock'n'roll, 'twas a boys' club.'",
            "The 1990 &apos;s rock &apos;n&apos;roll , &apos; twas a boys &apos; club . &apos;",
        ),
        (
            "fr",
            "L'été, c'est qu'il fait beau : n'est-ce pas ?",
            "L&apos; été , c&apos; est qu&apos; il fait beau : n&apos; est-ce pas ?",
        ),
        ("de", "Am 3. Mai bzw. z.B. um 5 Uhr. Ende", "Am 3. Mai bzw. z.B. um 5 Uhr . Ende"),
        ("cs", "Tzn. Dr. Novák má např. 3,5 % apod.", "Tzn . Dr. Novák má např. 3,5 % apod."),
        ("pl", "ul. Długa nr 5, nr. 7", "ul. Długa nr 5 , nr. 7"),
        ("hi", "डॉ. शर्मा ने कहा, “हाँ।”", "डॉ. शर्मा ने कहा , “ हाँ । ”"),
        ("en", "No. Five", "No . Five"),
        ("en", "in the U.S.", "in the U.S."),
        ("en", "foo-bar", "foo-bar"),
        ("en", "", ""),
        ("en", " \t\u3000\n", ""),
        ("en", "\ufeffBOM", "\ufeff BOM"),
        ("en", "a\r", "a"),
        ("en", "nul\x00 \x07bell", "nul bell"),
    ],
)
def test_hard_lines(lang: str, line: str, expected: str) -> None:
    assert tokens(line, lang=lang) == expected


def test_options() -> None:
    assert tokens("a well-known U.S.-based firm's [x|y]", aggressive_dash_splits=True, escape=False) == (
        "a well @-@ known U.S.-based firm 's [ x | y ]"
    )
    assert tokens("in the U.S.", split_last=True) == "in the U.S ."
    assert tokens("Foo. Bar 5, Nr. 5, Nr. x", prefixes=("Foo", "Nr #NUMERIC_ONLY#")) == "Foo. Bar 5 , Nr. 5 , Nr. x"
    assert tokens("Nr. X", prefixes=("Nr #NUMERIC_ONLY#", "Nr")) == "Nr . X"
    assert tokens("Mr. X", prefixes=()) == "Mr . X"


@pytest.mark.parametrize(
    ("pattern", "line", "expected"),
    [
        (
            "url",
            "See https://a.org/b_(c)?d=1,2. Or (www.x.de/é).",
            "See https://a.org/b_(c)?d=1,2 . Or ( www.x.de/é ) .",
        ),
        ("url", 'a href="http://a.b/c">x, ahttp://no', 'a href = " http://a.b/c " > x , ahttp : / / no'),
        ("url", "http://", "http : / /"),
        ("email", "Mail “me.you+x@sub.example.org”, a@b, @c.", "Mail “ me.you+x@sub.example.org ” , a @ b , @ c ."),
        ("tag", "a<b>c</b><br/><a href='x>y'>5 < 6 > 3", "a <b> c </b> <br/> <a href='x>y'> 5 < 6 > 3"),
        (
            "placeholder",
            "{0} {{n.x}} ${v} %s %1$d 5% %(n)s {a b} %.2f",
            "{0} {{n.x}} ${v} %s %1$d 5 % %(n)s { a b } %.2f",
        ),
        ("handle", "hi @dr_x, a@b", "hi @dr_x , a @ b"),
        ("hashtag", "#größe #1 a#b", "#größe # 1 a # b"),
        ("entity", "R&amp;D &#39;&#x27; &; &#; & amp; &x", "R &amp; D &#39; &#x27; & ; & # ; & amp ; & x"),
        ("re:[A-Z]+-\\d+", "bug ABC-12, abc-12!", "bug ABC-12 , abc-12 !"),
        ("re:(?i)x,y", "aX,Yb", "a X,Y b"),
        ("re:(.)\\1+", "aabbc 11,,", "aa bb c 11 ,,"),
        ("re:(?s)b.*d", "a\x01b\tc \n d!", "a b c d !"),
    ],
)
def test_protected_text(pattern: str, line: str, expected: str) -> None:
    assert tokens(line, protected=(pattern,), escape=False) == expected


def test_protected_runs_that_overlap() -> None:
    options = {"protected": ("re:b,c", "re:a,b,c,d", "url", "email"), "escape": False}
    assert tokens("x a,b,c,d b,c,d", **options) == "x a,b,c,d b,c , d"
    assert tokens("http://me@x.org/y!", **options) == "http://me@x.org/y !"
    assert tokens("日𝐀 a,b,c,d", **options) == "日𝐀 a,b,c,d"


def test_abbreviations_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("# mine\nFoo\n", encoding="utf-8")
    assert tokens("Foo. Bar. X", prefixes=str(path)) == "Foo. Bar . X"


def test_batches_and_ids_know_protected_text() -> None:
    for protected in ((), ("url",), ("re:[a-z],[a-z]", "url")):
        tokeniser = MosesTokeniser(protected=protected, escape=False)
        lines = ["See a,b at http://x.org/é, 日本。", "", "plain, ASCII."]
        expected = [line.split() for line in tokeniser.tokenise(lines)]
        batch, vocabulary = tokeniser.batch(lines), Vocabulary()
        assert [batch.tokens(i) for i in range(3)] == expected
        assert [[vocabulary.word(i) for i in line] for line in tokeniser.encode(lines, vocabulary)] == expected


def test_protected_text_is_escaped_as_all_text() -> None:
    assert tokens("<b>", protected=("tag",)) == "&lt;b&gt;"


def test_it_stands_in_the_registry() -> None:
    assert TOKENISERS.get("moses") is MosesTokeniser
    assert MosesTokeniser("de", escape=False).signature() == "moses+lang=de+escape=no"
    assert TOKENISERS.make("moses:lang=pt-BR,escape=no,protected=url+email") == MosesTokeniser(
        "pt-BR", escape=False, protected=("url", "email")
    )


@pytest.mark.parametrize("n_threads", [1, 2, 7])
def test_threads_and_the_shapes_of_strings_change_nothing(n_threads: int) -> None:
    chance = random.Random(4)
    lines = ["".join(chance.choices(SIGNS, k=chance.randrange(40))) for _ in range(300)]
    # The same line, with a wider character behind it that forces Python to store it wider.
    for line in lines:
        outcome = {tokens(line + " x" + tail).removesuffix(tail).rstrip() for tail in (" é", " я", " 𝐀")}
        assert len(outcome) == 1
    assert MosesTokeniser().tokenise(lines, n_threads=n_threads) == [tokens(line) for line in lines]
    around = MosesTokeniser(protected=("re:a.",))
    assert around.tokenise(lines, n_threads=n_threads) == [around.tokenise([line])[0] for line in lines]


def test_the_input_stays_as_it_was_and_any_sequence_will_do() -> None:
    lines = ["a, b", "c"]
    assert MosesTokeniser().tokenise(lines) == MosesTokeniser().tokenise(tuple(lines)) == ["a , b", "c"]
    assert lines == ["a, b", "c"]
    assert MosesTokeniser().tokenise([]) == []


@pytest.mark.parametrize(
    "piece", ["a", "a,", "'", ".", '<a="', "http://", "@", "((", "a.' ", "{", "&a", "🇩", "क\u200d"]
)
def test_a_line_of_a_megabyte_takes_its_time_and_no_more(piece: str) -> None:
    line = piece * (1_000_000 // len(piece))
    start = time.process_time()
    MosesTokeniser(protected=("url", "email", "tag", "placeholder", "handle", "hashtag", "entity")).tokenise([line])
    assert time.process_time() - start < 3


def test_bad_input_is_named() -> None:
    with pytest.raises(DataError, match=r"Line 2 holds a lone surrogate, which is no character\."):
        MosesTokeniser().tokenise(["a", "b\ud800"])
    with pytest.raises(TypeError, match="expected a sequence of str, got one str"):
        MosesTokeniser().tokenise("a line")
    with pytest.raises(TypeError, match="expected a sequence of str"):
        MosesTokeniser().tokenise([b"a line"])  # type: ignore[list-item]
    with pytest.raises(UnknownName, match=r"'english' is no language tag\. Did you mean 'en'\?"):
        MosesTokeniser("english")
    with pytest.raises(
        DataError, match=r"Protected patterns are a tuple of strings, got one string\. Write \('url',\)\."
    ):
        MosesTokeniser(protected="url")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"Line 2 holds a lone surrogate"):
        MosesTokeniser(protected=("re:b",)).tokenise(["a", "b\ud800"])
    with pytest.raises(TypeError, match="expected a sequence of str, got one str"):
        MosesTokeniser(protected=("re:b",)).tokenise("b")
    with pytest.raises(UnknownName, match=r"No pattern is called 'urls'\. Did you mean 'url'\? Known: url, email, tag"):
        MosesTokeniser(protected=("urls",))
    with pytest.raises(DataError, match=r"The protected pattern 're:\(' is no regular expression: missing \)"):
        MosesTokeniser(protected=("re:(",))
    with pytest.raises(DataError, match=r"'a b' is no abbreviation\. Write one word, without its full stop"):
        MosesTokeniser(prefixes=("a b",))
