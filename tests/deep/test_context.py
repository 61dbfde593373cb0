"""Maximum-entropy models of labels in their context, and transfer by them."""

from __future__ import annotations

import math

import pytest

from dragoman.deep import learn_transfer
from dragoman.deep.context import Example, context_of, learn_context
from dragoman.deep.synthesis import Abstract, without_forms
from dragoman.errors import UnknownName
from dragoman.samples import sample_path
from dragoman.text.conllu import read_conllu

SPANISH = read_conllu(sample_path("treebank.es.conllu"))


def test_a_model_follows_the_context_where_counts_cannot() -> None:
    river, money = ("", "parent=fish"), ("", "parent=save")
    examples = [Example("bank", river, "Ufer")] * 6 + [Example("bank", money, "Bank")] * 14
    models = learn_context(examples)
    near = models.shares("bank", river)
    assert next(iter(near)) == "Ufer"
    assert near["Ufer"] > 0.7
    assert next(iter(models.shares("bank", money))) == "Bank"
    # What was never met says nothing: the bias alone decides, as counts do.
    assert next(iter(models.shares("bank", ("", "parent=walk")))) == "Bank"
    assert sum(near.values()) == pytest.approx(1)
    assert models.shares("bench", river) == {}


def test_the_model_is_the_one_of_greatest_entropy_that_has_the_expected_counts() -> None:
    """With one feature that is always there, expected counts are observed counts: P is the share (but for λ)."""
    examples = [Example("x", ("",), "a")] * 30 + [Example("x", ("",), "b")] * 10
    shares = learn_context(examples).shares("x", ("",))
    assert shares["a"] == pytest.approx(0.75, abs=0.03)
    assert -sum(p * math.log(p) for p in shares.values()) == pytest.approx(0.562, abs=0.03)


def test_labels_seen_seldom_or_translated_always_alike_have_no_model() -> None:
    few = [Example("x", ("",), value) for value in "abab"]
    alike = [Example("y", ("",), "a")] * 20
    assert learn_context([*few, *alike]).models == {}
    assert learn_context([]).models == {}


def test_the_context_is_parent_children_and_the_node() -> None:
    nodes = [
        Abstract("dog", "NOUN", "n:subj", {"Number": "Sing"}, parent=1),
        Abstract("sleep", "VERB", "v:fin", {}),
        Abstract("house", "NOUN", "n:in+X", {}, parent=1),
    ]
    dog, sleep = context_of(nodes, 0), context_of(nodes, 1)
    assert {"lemma=dog", "formeme=n:subj", "Number=Sing", "parent=sleep", "parent:v:fin", "side=True"} <= set(dog)
    assert {"top", "child=dog", "child:n:in+X"} <= set(sleep)


def test_transfer_by_either_dictionary_and_names_of_no_other() -> None:
    # Every word linked to the one at its place in another sentence: each formeme has several translations.
    others = [*SPANISH[1:], *SPANISH[:1]]
    links = [[(n, n) for n in range(min(len(a.words), len(b.words)))] for a, b in zip(SPANISH, others, strict=True)]
    by_counts = learn_transfer(SPANISH, others, ("es", "es"), links=links, dictionary="counts")
    by_context = learn_transfer(SPANISH, others, ("es", "es"), links=links)
    assert by_counts.formeme_models.models == {}
    assert by_context.formeme_models.models
    again = learn_transfer(SPANISH, others, ("es", "es"), links=links)
    nodes = without_forms(SPANISH[:5], "es")
    assert [by_context.transfer(each) for each in nodes] == [again.transfer(each) for each in nodes]
    with pytest.raises(UnknownName, match=r"There is no dictionary 'neural'\. Known: maxent, counts"):
        learn_transfer(SPANISH, SPANISH, ("es", "es"), dictionary="neural")
