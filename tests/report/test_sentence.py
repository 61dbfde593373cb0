"""Sentences: English for everybody, and what they were made of for whoever says them again."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import asdict, dataclass

import pytest

from dragoman.report import Column, Table, render
from dragoman.report.sentence import Sentence, joined


def test_a_sentence_is_its_text() -> None:
    said = Sentence("{n} of {total} are told apart, p ≤ {level:g}", n=3, total=10, level=0.005)
    assert said == "3 of 10 are told apart, p ≤ 0.005"
    assert hash(said) == hash(str(said))
    assert json.dumps([said]) == json.dumps([str(said)])
    assert (said.pattern, said.values["n"]) == ("{n} of {total} are told apart, p ≤ {level:g}", 3)
    table = Table.of("T", [Column("x")], [[said]], note=said)
    assert table.records() == [{"x": str(said)}]
    assert render(table, "text").endswith(f"{said}\n")


def test_copies_are_sentences() -> None:
    said = Sentence("but {what}", what=Sentence("{n} s", n=2))
    for made in (copy.copy(said), copy.deepcopy(said), pickle.loads(pickle.dumps(said)), asdict(_Holder(said))["text"]):
        assert type(made) is Sentence
        assert made == "but 2 s"
        assert made.values["what"].values == {"n": 2}


@dataclass(frozen=True)
class _Holder:
    text: str


def test_sentences_one_after_the_other() -> None:
    found = joined(["a.", "", Sentence("{n}.", n=2), "c."])
    assert found == "a. 2. c."
    assert isinstance(found, Sentence)
    assert (found.pattern, found.values["first"]) == ("{first} {rest}", "a.")
    assert joined([]) == ""
    alone = Sentence("one")
    assert joined([alone]) is alone
    assert joined(["a", "b"], "{first}; {rest}") == "a; b"


def test_a_value_that_is_missing_is_named() -> None:
    with pytest.raises(KeyError, match="total"):
        Sentence("{n} of {total}", n=3)
