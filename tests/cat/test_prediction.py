"""Predictions at the caret: alternatives, rejection, rules, doubt."""

from __future__ import annotations

from contextlib import nullcontext

import pytest

from dragoman.cat.prediction import Prediction, Predictor, ReplacementRule
from dragoman.cat.session import PredictionSession
from dragoman.engines import Completion
from dragoman.errors import DataError


class _Fixed:
    """Gives the same ways on, whatever was typed."""

    source = "Der Mann schläft ."

    def __init__(self, *texts: str) -> None:
        self.texts = texts

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        return [
            Completion(text, tuple(text.split()), word_confidence=(0.9, 0.2, 0.8)[: len(text.split())])
            for text in self.texts[:n]
        ]


def test_what_was_rejected_here_does_not_come_again() -> None:
    predictor = Predictor(_Fixed("man sleeps", "boy sleeps", "guy sleeps"))
    assert [each.text for each in predictor.predict("The ", n=2)] == ["man sleeps", "boy sleeps"]
    assert [each.text for each in predictor.reject("The ", "man sleeps")] == ["boy sleeps"]
    assert [each.text for each in predictor.reject("The ", "boy sleeps")] == ["guy sleeps"]
    assert predictor.reject("The ", "guy sleeps") == []
    assert predictor.predict("A ")[0].text == "man sleeps"


def test_a_rule_changes_the_prediction_where_the_source_fits() -> None:
    rules = [ReplacementRule("sleeps", "is asleep", source="schläft"), ReplacementRule("man", "boy", source="Frau")]
    assert Predictor(_Fixed("man sleeps"), rules).predict("The ")[0].text == "man is asleep"


def test_rules_match_case_and_expressions_as_they_say() -> None:
    assert ReplacementRule("MAN", "boy").apply("", "man") == "boy"
    assert ReplacementRule("MAN", "boy", match_case=True).apply("", "man") == "man"
    assert ReplacementRule(r"(\w+)s\b", r"\1", is_regex=True).apply("", "sleeps well") == "sleep well"
    assert ReplacementRule("a.b", r"\1").apply("", "a.b axb") == r"\1 axb"


@pytest.mark.parametrize("rule", [{"target": ""}, {"target": "(", "is_regex": True}])
def test_a_rule_that_cannot_be_read_is_named(rule: dict[str, object]) -> None:
    with pytest.raises(DataError, match="rule"):
        ReplacementRule(replacement="x", **rule)  # type: ignore[arg-type]


def test_a_replacement_that_names_no_group_is_refused() -> None:
    with pytest.raises(DataError, match="does not fit"):
        ReplacementRule("a", r"\2", is_regex=True).apply("", "a")


def test_doubt_ends_a_prediction() -> None:
    shown = Predictor(_Fixed("man sleeps well")).predict("The ", confidence=True)[0]
    assert shown.words == ((0, 3, 0.9), (4, 10, 0.2), (11, 15, 0.8))
    assert shown.until_doubt(0.5) == Prediction("man", ((0, 3, 0.9),), None)
    assert shown.until_doubt(0.1) == shown


def test_words_the_text_does_not_spell_have_places_but_no_confidence() -> None:
    rules = [ReplacementRule("sleeps", "is asleep")]
    shown = Predictor(_Fixed("man sleeps well"), rules).predict("The ", confidence=True)[0]
    assert [shown.text[begin:end] for begin, end, _ in shown.words] == ["man", "is", "asleep", "well"]
    assert {confidence for *_, confidence in shown.words} == {None}


def test_the_word_under_the_caret_is_completed_between_its_neighbours() -> None:
    class Half(_Fixed):
        def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
            assert (prefix, suffix) == ("The ma", "sleeps")
            return [Completion("n "), Completion("sters "), Completion("n ")][:n]

    assert Predictor(Half()).word("The", "ma", "sleeps", n=3) == ["man", "masters"]


def test_a_word_that_was_typed_whole_has_no_empty_span() -> None:
    class Finishing(_Fixed):
        def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
            return [Completion(text, ("man", "sleeps"), word_confidence=(0.9, 0.2)) for text in self.texts]

    finished, begun = (Predictor(Finishing(text)).predict("x")[0] for text in (" sleeps", "an sleeps"))
    assert finished.words == ((1, 7, 0.2),)
    assert begun.words == ((0, 2, 0.9), (3, 9, 0.2))
    session = PredictionSession(lambda: nullcontext(None))
    session._predictor = Predictor(Finishing(" sleeps"))
    (shown,) = session.set_prefix({"target": "The man", "caretPos": 7})["nbest"]
    assert [shown["target"][begin:end] for begin, end in shown["targetSegmentation"]] == ["The", "man", "sleeps"]
    assert shown["confidences"] == [1.0, 1.0, 0.2]
