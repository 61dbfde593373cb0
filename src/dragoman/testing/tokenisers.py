"""What every tokeniser promises."""

from __future__ import annotations

from dataclasses import replace

from dragoman.errors import DataError
from dragoman.testing.contract import Contract, raises
from dragoman.text import TOKENISERS, Tokeniser, Vocabulary

__all__ = ["TOKENISER", "check_tokeniser"]

TOKENISER: Contract[Tokeniser] = Contract("tokeniser")


def check_tokeniser(tokeniser: Tokeniser | str) -> None:
    """Check a tokeniser, given as an object or by its name and options (`moses:lang=de`)."""
    tokeniser = TOKENISERS.make(tokeniser) if isinstance(tokeniser, str) else tokeniser
    TOKENISER.check(tokeniser, tokeniser.signature())


LINES = [
    "Mr. Smith paid $1,234.50 (or 5-10 %) on 3/4/2013.",
    "«Der Preis», sagte er, „beträgt 3,5 Mio. €“ – ja?",
    "吾輩は猫である。名前はまだ無い。",
    "한국어를 처리하는 예시입니다.",
    "",
    "   ",
    "Это\u00a0не\u2003точка… हिन्दी। 😀",
    "l'homme n'est-il pas «libre»? &quot;oui&quot; &amp;lt;",
    "tab\there, line\nbreak, e\u0301 and é",
] * 60  # enough for several blocks of the pipeline


@TOKENISER.rule
def it_has_the_name_it_is_found_by(tokeniser: Tokeniser) -> None:
    assert TOKENISERS.get(tokeniser.name) is type(tokeniser)
    assert tokeniser.signature().startswith(tokeniser.name)


@TOKENISER.rule
def equal_options_make_equal_tokenisers(tokeniser: Tokeniser) -> None:
    twin = replace(tokeniser)
    assert twin == tokeniser
    assert hash(twin) == hash(tokeniser)
    assert twin.signature() == tokeniser.signature()


@TOKENISER.rule
def one_line_out_for_each_line_in(tokeniser: Tokeniser) -> None:
    lines = list(LINES)
    result = tokeniser.tokenise(lines)
    assert lines == LINES, "the input was changed"
    assert len(result) == len(LINES)
    assert all(type(line) is str for line in result)
    assert result == tokeniser.tokenise(tuple(LINES))
    assert result == [tokeniser.tokenise([line])[0] for line in LINES[:9]] * 60


@TOKENISER.rule
def nothing_in_nothing_out(tokeniser: Tokeniser) -> None:
    assert tokeniser.tokenise([]) == []
    assert tokeniser.tokenise([""]) == [""]
    assert len(tokeniser.batch([])) == 0
    assert tokeniser.batch(["", ""]).token_offsets.tolist() == [0, 0, 0]
    assert tokeniser.encode([], Vocabulary()).offsets.tolist() == [0]


@TOKENISER.rule
def the_number_of_threads_changes_nothing(tokeniser: Tokeniser) -> None:
    lines, vocabulary = tokeniser.tokenise(LINES), Vocabulary(counted=True)
    batch, ids = tokeniser.batch(LINES), tokeniser.encode(LINES, vocabulary)
    for n_threads in (2, 7):
        assert tokeniser.tokenise(LINES, n_threads=n_threads) == lines
        assert tokeniser.batch(LINES, n_threads=n_threads).token_spans.tolist() == batch.token_spans.tolist()
        again = Vocabulary(counted=True)
        assert tokeniser.encode(LINES, again, n_threads=n_threads).ids.tolist() == ids.ids.tolist()
        assert again.words() == vocabulary.words()
        assert again.counts.tolist() == vocabulary.counts.tolist()


@TOKENISER.rule
def batches_and_ids_agree_with_the_strings(tokeniser: Tokeniser) -> None:
    expected = [line.split() for line in tokeniser.tokenise(LINES)]
    batch = tokeniser.batch(LINES)
    assert len(batch) == len(expected)
    vocabulary = Vocabulary()
    ids = tokeniser.encode(LINES, vocabulary)
    for number, words in enumerate(expected):  # one by one: the difference of two long lists takes minutes to describe
        assert batch.tokens(number) == words
        assert [vocabulary.word(each) for each in ids[number]] == words
    assert vocabulary.words() == list(dict.fromkeys(token for line in expected for token in line))


@TOKENISER.rule
def tokenising_again_changes_nothing_where_that_is_promised(tokeniser: Tokeniser) -> None:
    once = tokeniser.tokenise(LINES)
    assert not tokeniser.idempotent or tokeniser.tokenise(once) == once


@TOKENISER.rule
def a_lone_surrogate_is_named_with_its_line(tokeniser: Tokeniser) -> None:
    with raises(DataError, match=r"Line 2 holds a lone surrogate, which is no character\."):
        tokeniser.tokenise(["good", "b\ud800d", "\udfff"])
    with raises(DataError, match="Line 2 holds a lone surrogate"):
        tokeniser.batch(["good", "b\ud800d"])
    vocabulary = Vocabulary()
    with raises(DataError, match="Line 2 holds a lone surrogate"):
        tokeniser.encode(["good", "b\ud800d"], vocabulary)
    assert len(vocabulary) == 0


@TOKENISER.rule
def one_string_is_not_a_list_of_lines(tokeniser: Tokeniser) -> None:
    with raises(TypeError, match="got one str"):
        tokeniser.tokenise("abc")
    with raises(TypeError, match="expected a sequence of str"):
        tokeniser.tokenise(["a", b"b"])  # type: ignore[list-item]


def result_or_refusal(tokeniser: Tokeniser, line: str) -> str:
    """The characters of the tokens, or the message of the error."""
    try:
        (result,) = tokeniser.tokenise([line])
    except DataError as error:
        return str(error)
    return "".join(result.split()).replace("▁", "")


@TOKENISER.rule
def a_line_of_a_megabyte_is_taken_or_refused_but_never_cut(tokeniser: Tokeniser) -> None:
    result = result_or_refusal(tokeniser, "word, " * 175_000)
    assert result == "word," * 175_000 or result.startswith("Line 1 (1050000 characters) is refused")


@TOKENISER.rule
def a_nul_is_kept_dropped_or_refused_but_never_the_end_of_the_line(tokeniser: Tokeniser) -> None:
    result = result_or_refusal(tokeniser, "one\0two")
    assert result in {"one\0two", "onetwo"} or result.startswith("Line 1 holds a NUL character")
