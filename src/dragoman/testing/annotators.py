"""What every annotator promises."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any
from unittest.mock import patch

from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.testing.contract import Contract, raises
from dragoman.text.annotate import ANNOTATORS, Annotator, Need, check_needs
from dragoman.text.layers import _thawed, annotate_once

__all__ = ["ANNOTATOR", "AnnotatorCase", "check_annotator"]

TEXT: tuple[list[str], ...] = (
    ["The", "old", "cars", "were", "bought", "."],
    [],
    ["Cars", "."],
    ["x\x00y", "漢字", "“", "1990"],
)


@dataclass(frozen=True)
class AnnotatorCase:
    """An annotator with a text that it can annotate, and the layers that it has of it (all that it names)."""

    annotator: Annotator[Any]
    text: Sequence[Sequence[str]] = TEXT
    layers: tuple[str, ...] = ()


ANNOTATOR: Contract[AnnotatorCase] = Contract("annotator")


def check_annotator(annotator: Annotator[Any] | str, text: Sequence[Sequence[str]] = TEXT) -> None:
    """Check an annotator, given as an object or by its name; `text` for one that has the values of one text alone."""
    annotator = ANNOTATORS.make(annotator) if isinstance(annotator, str) else annotator
    ANNOTATOR.check(AnnotatorCase(annotator, text), annotator.signature())


def giving(annotator: Annotator[Any], layer: str) -> Annotator[Any]:
    options: dict[str, Any] = {"give": layer} if hasattr(annotator, "give") else {}
    return replace(annotator, **options)


@ANNOTATOR.rule
def it_is_named_as_it_is_registered(case: AnnotatorCase) -> None:
    assert ANNOTATORS.get(case.annotator.name) is type(case.annotator)


@ANNOTATOR.rule
def one_value_per_token(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    before = [list(tokens) for tokens in text]
    values = annotator.annotate(text)
    assert [len(line) for line in values] == [len(tokens) for tokens in text]
    assert list(map(list, text)) == before, "the input was changed"
    assert annotator.annotate(tuple(map(tuple, text))) == values


@ANNOTATOR.rule
def every_layer_is_made_once_and_kept_as_it_is(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    for layer in case.layers or annotator.layers:
        maker = giving(annotator, layer)
        assert annotate_once(maker, text) == annotate_once(maker, text) == replace(maker).annotate(text)
        # What is read back from disk equals what was made.
        assert maker.fingerprint() is None or maker.signature() in str(maker.fingerprint())
        values = replace(maker).annotate(text)
        assert [list(map(_thawed, line)) for line in json.loads(json.dumps(values))] == values


@ANNOTATOR.rule
def lines_do_not_depend_on_each_other(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    if annotator.of_text:
        return
    whole = annotator.annotate(text)
    assert [annotator.annotate([tokens])[0] for tokens in text] == whole
    assert annotator.annotate([]) == []


@ANNOTATOR.rule
def its_layer_is_one_of_its_layers(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    assert annotator.layer in annotator.layers
    if "give" in {f.name for f in fields(annotator)}:
        for layer in annotator.layers:
            assert giving(annotator, layer).layer == layer
        with raises(UnknownName, match=f"{annotator.name} gives no layer 'colour'. Known: "):
            giving(annotator, "colour").annotate(text)


@ANNOTATOR.rule
def it_is_what_its_options_say(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    assert annotator.signature().startswith(annotator.name)
    again = replace(annotator)
    annotator.annotate(text)
    assert again == annotator
    assert hash(again) == hash(annotator)
    for f in fields(annotator):
        assert f.metadata.get("text"), f"the option {f.name} has no line of help"


@ANNOTATOR.rule
def bad_tokens_are_named(case: AnnotatorCase) -> None:
    annotator = case.annotator
    with raises(DataError, match=r"Expected lines of tokens, got one str\. Pass \[line\.split\(\)\]"):
        annotator.annotate("a b")
    with raises(DataError, match=r"Line 2 is a str; an annotator takes tokens\. Pass line\.split\(\)"):
        annotator.annotate([["a"], "a b"])
    with raises(DataError, match="Line 1 has a token that is no str"):
        annotator.annotate([[3]])  # type: ignore[list-item]
    with raises(DataError, match="Line 1 has an empty token"):
        annotator.annotate([["a", ""]])
    with raises(DataError, match="Line 1 holds a lone surrogate"):
        annotator.annotate([["\ud800"]])


@ANNOTATOR.rule
def needs_say_what_and_how(case: AnnotatorCase) -> None:
    annotator, text = case.annotator, case.text
    for need in annotator.needs():
        assert need.what
        assert need.install
        assert need.available()
    check_needs([annotator])
    lost = Need("a thing", "make thing", lambda: False)
    message = rf"{annotator.name} \({annotator.layer}\) needs a thing\. Install it with: make thing"
    kind = type(annotator)
    with patch.object(kind, "needs", lambda _: [lost]), patch.object(kind, "_annotate") as work:
        with raises(NotAvailable, match=message):
            annotator.annotate(text)
        assert not work.called, "it began to work without what it needs"
