"""A session of prediction where texts have inline codes, and where the engine cannot say what somebody wrote."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from dragoman.cat.session import PredictionSession
from dragoman.cat.word_links import aligned_spans
from dragoman.engines import Explains, Explanation, Part, WordAlignment
from dragoman.errors import DataError
from tests.web.cat.engines import WordEngine

SOURCE = "Der \ue000Hund\ue001 schläft."


def session_of(engine: Any) -> PredictionSession:
    @contextmanager
    def opened() -> Iterator[Any]:
        yield engine

    return PredictionSession(opened)


def test_confidence_of_a_text_with_codes_is_that_of_its_words() -> None:
    session = session_of(WordEngine())
    coded = "The \ue000dog\ue001 slept."
    told = session.call("getConfidences", {"source": SOURCE, "target": coded, "validatedTokens": [True]})
    bare = session.call("getConfidences", {"source": "Der Hund schläft.", "target": "The dog slept."})
    assert told["confidences"] == pytest.approx([1.0, *bare["confidences"][1:]])
    assert [coded[begin:end] for begin, end in told["targetSegmentation"]] == ["The", "dog", "slept", "."]


def test_prediction_goes_on_behind_codes() -> None:
    session = session_of(WordEngine())
    begun = session.call("startSession", {"source": SOURCE})
    assert [SOURCE[begin:end] for begin, end in begun["sourceSegmentation"]] == ["Der", "Hund", "schläft", "."]
    (best,) = session.call("setPrefix", {"target": "The \ue000d", "caretPos": 6})["nbest"]
    assert (best["target"], best["prediction"]) == ("The \ue000dog sleeps.", "og sleeps.")
    words = [best["target"][begin:end] for begin, end in best["targetSegmentation"]]
    validated = [word for word, typed in zip(words, best["validatedTokens"], strict=True) if typed]
    assert validated == ["The", "d"]


def test_lines_of_a_text_with_codes_stay_lines() -> None:
    session = session_of(WordEngine())
    session.call("startSession", {"source": "\ue000Der Hund schläft.\ue001\nDer \ue002 Hund schläft."})
    (best,) = session.call("setPrefix", {"target": "", "caretPos": 0})["nbest"]
    assert best["target"] == "The dog sleeps.\nThe dog sleeps."


def test_words_that_belong_together_stand_where_the_codes_leave_them() -> None:
    session = session_of(WordEngine())
    target = "\ue000The\ue001 dog sleeps."
    told = session.call("getAlignments", {"source": SOURCE, "target": target})
    assert told["alignments"] == [(0, 0), (1, 1), (2, 2)]
    assert [SOURCE[a:b] for a, b in told["sourceSegmentation"]] == ["Der", "Hund", "schläft."]
    assert [target[a:b] for a, b in told["targetSegmentation"]] == ["The", "dog", "sleeps."]


class Steps(Explains):
    """Knows the first words of a translation; what follows it can but copy or leave out."""

    def __init__(self, by_words: WordAlignment | None = None) -> None:
        self.by_words = by_words

    def explain(self, source: str, target: str | None = None) -> Explanation | None:
        tokens = tuple(source.split()), tuple((target or "").split())
        return Explanation(*tokens, (Part((0, 1), (0, 1), ()), Part((1, 1), (1, 2), ())), 0.0, artificial=1)

    def align(self, source: str, target: str) -> WordAlignment | None:
        return self.by_words


def test_what_the_engine_cannot_say_is_linked_by_its_model_of_words() -> None:
    by_words = WordAlignment(("a", "7"), ("x", "y"), ((0, 1),))
    told = session_of(Steps(by_words)).call("getAlignments", {"source": "a 7", "target": "x y"})
    assert told["alignments"] == [(0, 1)]


def test_without_a_model_of_words_what_is_the_same_belongs_together() -> None:
    told = session_of(Steps()).call("getAlignments", {"source": "a 7 Rom 7", "target": "x 7 7 Rom Rom"})
    assert told["alignments"] == [(0, 0), (1, 1), (2, 3), (3, 2)]


def test_an_engine_that_explains_nothing_says_so() -> None:
    with pytest.raises(DataError, match="lacks the role 'explains'"):
        session_of(object()).call("getAlignments", {"source": "a", "target": "b"})


def test_characters_that_belong_together() -> None:
    by_words = WordAlignment(("a", "7"), ("x", "7"), ((0, 0), (1, 1)))
    assert aligned_spans(Steps(by_words), "a \ue0007", "x  7") == [((0, 1), (0, 1)), ((3, 4), (3, 4))]
    assert aligned_spans(Steps(by_words), "a 7", "") == []
    assert aligned_spans(Steps(), "a 7", "x 7") == []
