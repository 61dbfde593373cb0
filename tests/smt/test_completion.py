"""Completion from text to text: consistent with whatever was typed, and answered by the graph where it agrees."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.smt import Engine
from dragoman.smt.completion import PhraseCompleter

SOURCE = "Where is the station?"


@pytest.fixture(scope="module")
def completer(engine: Engine) -> PhraseCompleter:
    return engine.completer(SOURCE)


def texts(completer: PhraseCompleter, prefix: str, suffix: str = "", n: int = 1) -> list[str]:
    return [each.text for each in completer.complete(prefix, suffix, n=n)]


def test_words_half_words_and_spaces(completer: PhraseCompleter) -> None:
    assert texts(completer, "") == ["Wo ist der Bahnhof?"]
    assert texts(completer, "Wo ist der ") == ["Bahnhof?"]
    assert texts(completer, "Wo ist der Bahnh") == ["of?"]
    assert texts(completer, "Wo ist der Bahnhof") == ["?"]
    assert texts(completer, "Wo ist der Bahnhof?") == [""]
    assert texts(completer, "wo ist d") == ["er Bahnhof?"]  # typed in another case


def test_alternatives_begin_with_different_words(completer: PhraseCompleter) -> None:
    assert texts(completer, "Wo ", n=3) == ["ist der Bahnhof?", "wird die Bahnhof?", "es die Bahnhof?"]
    # The last word begins with a small letter where it does not begin a sentence.
    assert texts(completer, "W", n=9) == ["o ist der Bahnhof?", "ohin ist der Bahnhof?", "ird die Bahnhof Wo?"]
    assert not any(text.startswith("ird") for text in texts(completer, "Wo W", n=9))
    whole_or_half = texts(completer, "Wo", n=3)  # "Wo" may be finished, or become "Wohin"
    assert whole_or_half[:2] == [" ist der Bahnhof?", "hin ist der Bahnhof?"]
    assert whole_or_half[2].startswith(" ")
    with pytest.raises(DataError, match="got n=0"):
        completer.complete("", n=0)


def test_words_that_the_engine_does_not_know_stay(completer: PhraseCompleter) -> None:
    first = completer.complete("Xylophonbude ")[0]
    assert first.edits == 1
    assert first.text
    half = completer.complete("Wo ist der Xylo", n=5)
    assert [each.edits for each in half] == [1]
    assert half[0].text.startswith(("?", " "))


def test_a_hole_is_filled(completer: PhraseCompleter) -> None:
    assert texts(completer, "Wo ", " Bahnhof?") == ["ist der"]
    assert texts(completer, "Wo", "Bahnhof?") == [" ist der "]
    assert texts(completer, "Wo ist d", " Bahnhof?", n=2) == ["er", "ie"]
    assert texts(completer, "", "?") == ["Wo ist der Bahnhof"]
    assert texts(completer, "Wo ist der Bahnhof", "?") == [""]
    far = completer.complete("Guten Tag, wo ", " Station?", confidence=True)[0]
    assert (far.text, far.edits, far.tokens) == ("ist der", 4, ("ist", "der"))
    assert far.word_confidence is not None
    assert len(far.word_confidence) == 2


@given(data=st.data())
def test_a_beginning_of_the_graph_leads_to_a_translation_of_the_graph(engine: Engine, data: st.DataObject) -> None:
    """At whatever letter a translation is cut, what follows makes another one of the graph, if not the same."""
    completer = engine.completer(SOURCE)
    paths = completer._graph.n_best(40)
    path = data.draw(st.sampled_from(paths))
    text = engine.target.restore([path.text])[0]
    prefix = text[: data.draw(st.integers(0, len(text)))]
    for each in completer.complete(prefix, n=3):
        whole = engine.target.cased([prefix + each.text])[0]
        assert each.edits == 0
        assert completer._graph.oracle(whole)[1] == 0, (prefix, each)


@given(
    prefix=st.text(st.sampled_from("Wo ist der Bahnhof?.,'\"-()„“ßé\u4e2d\u0644\u200d 1"), max_size=25),
    suffix=st.text(st.sampled_from("Bahnhof ?.'\")x"), max_size=8),
)
def test_what_was_typed_is_never_merged_or_split(engine: Engine, prefix: str, suffix: str) -> None:
    """Finished words of a prefix are the same words in the whole, and a half word is gone on with."""
    completer = engine.completer(SOURCE)
    for each in completer.complete(prefix, suffix, n=2):
        assert not (prefix[-1:].isspace() and each.text.startswith(" "))
        whole = (prefix + each.text + suffix).split()
        typed = prefix.split()
        finished = typed if prefix[-1:].isspace() else typed[:-1]
        assert whole[: len(finished)] == finished
        if len(typed) > len(finished) and len(whole) > len(finished):
            assert whole[len(finished)].startswith(typed[-1])


def test_what_is_typed_has_a_limit_by_the_length_of_the_source(engine: Engine) -> None:
    """Each word typed is compared with each of the graph: 8,000 for 500 of the source took five gigabytes."""
    completer = engine.completer(" ".join(["station"] * 500))
    for prefix, suffix in (("Wo " * 501, ""), ("Wo ", "Wo " * 501)):
        with pytest.raises(DataError, match=r"50[12] tokens were typed for 500 of the source, too many to go on from"):
            completer.complete(prefix, suffix)
    assert engine.completer(SOURCE).complete("Wo " * 501)
