"""Mutual information, topics, nets, unaligned words, naive Bayes: by hand on small text."""

from __future__ import annotations

import math
from hashlib import sha1
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.align.ibm import Diagonal
from dragoman.data import Bitext
from dragoman.errors import DataError, UnknownName
from dragoman.lm import KneserNey
from dragoman.metrics import hter
from dragoman.qe import QEData, Resources, extract_features
from dragoman.qe.recipes import FeatureRecipe, ResourceRecipe
from dragoman.qe.resources import (
    BagNet,
    BagNetRecipe,
    LexicalTable,
    NgramRecipe,
    TopicModel,
    TopicRecipe,
    TriggerRecipe,
    UnalignedRates,
    UnalignedRecipe,
    WordBayes,
    WordBayesRecipe,
    build_resources,
    extras_for,
    load_resources,
)
from dragoman.qe.resources.bag_nets import hash_word
from dragoman.rng import Stream

SOURCES = ["a b", "a b a", "b", "c"]
TARGETS = ["A B", "A", "B", "C"]


def one(spec: str, source: str, output: str, resources: Resources) -> float:
    found = extract_features(
        [source], [output], FeatureRecipe(features=(spec,), check_languages=False), resources=resources
    )
    return float(found.values[0, 0])


def test_information_by_hand() -> None:
    found = TriggerRecipe(least=1).train(SOURCES, TARGETS)
    within = 0.5 * math.log(0.5 / (0.5 * 0.75))  # a and b: together in 2 of 4, a in 2, b in 3
    assert found.information("source", "a", "b") == pytest.approx(within)
    assert found.information("source", "b", "a") == pytest.approx(within)
    assert found.information("source", "a", "a") == found.information("source", "a", "c") == 0
    across = 0.5 * math.log(0.5 / (0.5 * 0.5))  # A with a in 2 of 4 pairs
    assert found.information("across", "A", "a") == pytest.approx(across)
    resources = Resources.of(triggers=found)
    # a: with b; b: with a twice; a: with b. The other a is the same word.
    assert one("mutual-information:of=source", "a b a", "", resources) == pytest.approx(within)
    with_b = 0.5 * math.log(0.5 / (0.5 * 0.75))
    assert one("mutual-information", "a b", "A", resources) == pytest.approx((across + with_b) / 2)
    assert one("mutual-information", "a new", "A new", resources) == pytest.approx(across / 2 / 2)
    assert one("mutual-information", "", "A", resources) == 0
    assert TriggerRecipe(least=3).train(SOURCES, TARGETS).sizes == (0, 0, 0)


@given(st.lists(st.tuples(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("xyz"))), min_size=1, max_size=8))
def test_information_is_what_counting_gives(pairs: list[tuple[list[str], list[str]]]) -> None:
    sources, targets = ([" ".join(pair[side]) for pair in pairs] for side in (0, 1))
    found = TriggerRecipe(least=1).train(sources, targets, n_threads=2)
    n = len(pairs)
    for v in "xyz":
        for w in "abc":
            both = sum(v in pair[1] and w in pair[0] for pair in pairs) / n
            alone = [sum(v in pair[1] for pair in pairs) / n, sum(w in pair[0] for pair in pairs) / n]
            wanted = both * math.log(both / (alone[0] * alone[1])) if both else 0.0
            assert found.information("across", v, w) == pytest.approx(wanted, abs=1e-6)


def bilingual(n: int) -> tuple[list[str], list[str]]:
    """Pairs of two domains, whose words do not mix."""
    draws = (Stream(3, "domains").uniform(n * 17).reshape(n, 17) * 20).astype(int)
    sources = [" ".join(f"{'se'[k % 2]}{w}" for w in row[:8]) for k, row in enumerate(draws)]
    targets = [" ".join(f"{'SE'[k % 2]}{w}" for w in row[8:]) for k, row in enumerate(draws)]
    return sources, targets


def test_topics_tell_matched_pairs_from_shuffled_ones(tmp_path: Path) -> None:
    sources, targets = bilingual(300)
    model = TopicRecipe(n_topics=2, sweeps=50, common=0.6).train(sources[:200], targets[:200], seed=5)
    again = TopicRecipe(n_topics=2, sweeps=50, common=0.6).train(sources[:200], targets[:200], seed=5)
    assert (model.counts == again.counts).all()
    loaded = TopicModel.load(model.save(tmp_path / "topics"))
    resources = Resources.of(topics=loaded)
    features = [f"topic-distance:distance={each}" for each in ("cosine", "euclid", "kullback", "jensen")]
    right, wrong = (
        extract_features(
            sources[200:], outputs, FeatureRecipe(features=tuple(features)), resources=resources, n_threads=2
        ).values
        for outputs in (targets[200:], targets[201:] + targets[200:201])
    )
    assert ((right < wrong).mean(axis=0) >= 0.9).all()
    shares = [
        extract_features(
            sources[:9], targets[:9], FeatureRecipe(features=(f"topic:on=source,number={k}",)), resources=resources
        )
        for k in (1, 2, 3)
    ]
    assert (shares[0].values + shares[1].values).ravel().tolist() == pytest.approx([1.0] * 9)
    assert (shares[2].values == 0).all()
    names = {word[0] for topic in (0, 1) for word in model.words("source", topic)}
    assert names == {"s", "e"}
    assert len({word[0] for word in model.words("target", 0)}) == 1


def test_topics_of_two_models_are_put_in_one_order() -> None:
    sources, targets = bilingual(200)
    recipe = TopicRecipe(n_topics=2, sweeps=50, common=0.6)
    first = recipe.train(sources, targets, seed=1)
    swapped = TopicModel(recipe, first.vocabularies, np.ascontiguousarray(first.counts[:, ::-1]))
    assert (swapped.like(first).counts == first.counts).all()
    other = recipe.train(sources[:150], targets[:150], seed=2).like(first)
    assert {word[0] for word in other.words("source", 0)} == {word[0] for word in first.words("source", 0)}
    with pytest.raises(DataError, match="3 topics are not those of a model of 2"):
        TopicRecipe(n_topics=3, sweeps=1, common=0.6).train(sources, targets).like(first)
    few = TopicRecipe(n_topics=2, sweeps=1, common=1.0, least=1, most=2).train(["a", "b", "c", "d"], [""] * 4)
    assert few.vocabularies["source"].words()[1:] == ["a", "c"]
    nothing = TopicRecipe(least=100).train(["a"], ["b"])
    assert one("topic", "a", "b", Resources.of(topics=nothing)) == 0.1
    assert one("topic-distance", "a", "b", Resources.of(topics=nothing)) == pytest.approx(0)


def test_words_are_hashed_alike_everywhere() -> None:
    assert hash_word("house") == tuple(
        dict.fromkeys(int(sha1(f"{salt}:house".encode()).hexdigest()[:3], 16) for salt in (0, 1, 2))
    )
    for word in ("house", "", "\u00e4", "$number"):
        places = hash_word(word)
        assert 1 <= len(places) <= 3
        assert all(0 <= place < 4096 for place in places)


@pytest.mark.parametrize("encoding", ["hashed", "words"])
def test_nets_learn_which_words_go_together(encoding: str, tmp_path: Path) -> None:
    draws = Stream(1, "net").uniform(200 * 6).reshape(200, 6) < 0.4
    sources = [" ".join(w for w, on in zip("abcdef", row, strict=True) if on) for row in draws]
    targets = [line.upper() for line in sources]
    net = BagNetRecipe(encoding=encoding, hidden=8, epochs=30, n_words=10).train(sources, targets)
    loaded = BagNet.load(net.save(tmp_path / "net"))
    assert loaded.sizes == net.sizes == ((4096, 8, 4096) if encoding == "hashed" else (6, 8, 6))
    name = {"hashed": "hashed_net", "words": "word_net"}[encoding]
    resources = Resources.of(**{name: loaded})
    specs = [f"bag-net:encoding={encoding},value={value}" for value in ("distance", "probability")]
    right, wrong = (
        extract_features(["a b c"] * 2, [output] * 2, FeatureRecipe(features=tuple(specs)), resources=resources).values[
            0
        ]
        for output in ("A B C", "D E F")
    )
    assert right[0] < wrong[0]
    assert right[1] > wrong[1]
    assert extract_features(["a"], [""], FeatureRecipe(features=tuple(specs)), resources=resources).values[0, 1] == 0
    again = BagNetRecipe(encoding=encoding, hidden=8, epochs=30, n_words=10).train(sources, targets)
    assert all((net.layers[name] == again.layers[name]).all() for name in net.layers)
    with pytest.raises(DataError, match="no sentence pairs to learn a net from"):
        BagNetRecipe().train([], [])


def test_words_that_are_seldom_unaligned(tmp_path: Path) -> None:
    sources = ["the house is big", "the dog is small", "the house is small", "the dog is big"] * 5
    targets = ["Haus gross", "Hund klein", "Haus klein", "Hund gross"] * 5
    aligner = Diagonal().train(sources, targets)
    rates = UnalignedRecipe().train(aligner, sources, targets)
    loaded = UnalignedRates.load(rates.save(tmp_path / "unaligned"))
    assert loaded.of_words("source", ["house", "new"]).tolist() == [rates.of_words("source", ["house"])[0], 0]
    resources = Resources.of(aligner=aligner, unaligned=loaded)
    spec = "unaligned-content:on=source"
    assert one(spec, "the house is big", "Haus gross", resources) <= one(spec, "the house is big", "Haus", resources)
    assert one(f"{spec},most=0", "the house is big", "Haus", resources) == 0
    assert (
        one(f"{spec},most=1", "the house", "", resources) == 2 - (rates.of_words("source", ["the", "house"]) == 1).sum()
    )
    # Replaced by their source words, the outputs are read in the source's language.
    assert one("replaced-words", "house big", "Haus gross", resources) == 2
    assert one("replaced-words:value=edits", "house big", "Haus gross", resources) == 0
    assert one("replaced-words:value=distance", "house big", "Haus gross", resources) == 0
    assert one("replaced-words:value=distance", "house big", "", resources) == 2


def test_naive_bayes_knows_words_that_are_changed(tmp_path: Path) -> None:
    outputs = ["good word bad"] * 30 + ["good other word"] * 30
    edits = ["good word fine"] * 30 + ["good other word"] * 30
    sources = ["q"] * 60
    tags = list(hter(outputs, edits).tags)
    table = LexicalTable([("q", "good", 0.9), ("q", "word", 0.05)])
    model = WordBayesRecipe().train(sources, outputs, tags, table)
    loaded = WordBayes.load(model.save(tmp_path / "bayes"))
    resources = Resources.of(word_bayes=loaded, lexicon=table)
    assert one("word-bayes", "q", "bad", resources) < 0.5 < one("word-bayes", "q", "good", resources)
    for of in ("bayes", "ibm1"):
        shares = [one(f"word-bayes:of={of},quartile={k}", "q", "good word bad", resources) for k in (1, 2, 3, 4)]
        assert sum(shares) == pytest.approx(1)
    assert one("word-bayes:of=ibm1", "q", "good bad", resources) == pytest.approx(0.45)
    assert one("word-bayes", "q", "", resources) == 0
    with pytest.raises(DataError, match="The outputs have 3 words and 2 tags"):
        WordBayesRecipe().train(["q"], ["a b c"], list(hter(["a b"], ["a b"]).tags), table)
    with pytest.raises(DataError, match="the outputs are empty"):
        WordBayesRecipe().train([], [], [], table)


def test_translations_weighted_by_frequency_and_windows_of_back_off() -> None:
    counts = NgramRecipe(order=1).train(["the the cat"])
    table = LexicalTable([("the", "el", 0.5), ("the", "la", 0.3), ("cat", "gato", 0.9)])
    resources = Resources.of(ngrams=counts, lexicon=table)
    assert one("translations:weight=frequency", "the cat new", "", resources) == pytest.approx((2 * 2 / 3 + 1 / 3) / 3)
    model = KneserNey(order=5).train(["a b c d", "a b c d", "e"])
    resources = Resources.of(source_5_lm=model, source_backward_5_lm=model)
    # Lengths 2 3 4 5 with the sentence's beginning; a neighbour outside counts 1.
    plain = one("backoff:model=source-5", "a b c d", "", resources)
    assert one("backoff:model=source-5,value=left", "a", "", resources) == one(
        "backoff:model=source-5", "a", "", resources
    )
    assert plain == pytest.approx((2 + 3 + 4 + 5) / 4)
    assert one("backoff:model=source-5,value=left", "a b c d", "", resources) == pytest.approx((2 + 6 + 24 + 60) / 4)
    assert one("backoff:model=source-5,value=centred", "a b c d", "", resources) == pytest.approx(
        (6 + 24 + 60 + 20) / 4
    )
    assert one("backoff:model=source-5,value=right", "a b c d", "", resources) == pytest.approx((24 + 60 + 20 + 5) / 4)
    assert one("lm:model=source-backward-5,value=sum", "d c b a", "", resources) == pytest.approx(
        one("lm:model=source-5,value=sum", "a b c d", "", resources)
    )


def test_further_resources_are_built_when_asked_for(tmp_path: Path) -> None:
    sources = [f"the house number {n} has {n % 4} big rooms" for n in range(24)]
    edits = [f"das Haus Nummer {n} hat {n % 4} große Zimmer" for n in range(24)]
    data = QEData.of(tuple(sources), tuple(edits), tuple(edits))
    built = build_resources(
        None,
        tmp_path / "r",
        ResourceRecipe(
            n_parts=2,
            also=("dwl", "topics", "triggers"),
        ),
        post_edited=data,
    )
    assert {"dwl", "topics", "triggers"} <= set(built.n_entries)
    resources = load_resources(tmp_path / "r")
    assert resources.missing(("dwl", "hashed_net")) == ["hashed_net"]
    assert resources.held_out is not None
    assert resources.held_out.without(0).missing(("dwl",)) == []
    build_resources(Bitext.from_lines(sources, edits), tmp_path / "r")  # built anew, without
    assert load_resources(tmp_path / "r").missing(("dwl",)) == ["dwl"]
    assert not [path.name for path in (tmp_path / "r").iterdir() if path.name.startswith(("without", "dwl"))]
    with pytest.raises(DataError, match=r"need hashed_net\. Build the resources with --also nets"):
        extract_features(["a"], ["b"], FeatureRecipe(features=("bag-net",)), resources=resources)
    with pytest.raises(UnknownName, match=r"No further resource is called 'parser'\. Known: all, dwl"):
        build_resources(Bitext.from_lines(sources, edits), tmp_path / "s", ResourceRecipe(also=("parser",)))
    with pytest.raises(DataError, match="word-bayes is learnt from post-edited translations"):
        build_resources(Bitext.from_lines(sources, edits), tmp_path / "r", ResourceRecipe(also=("word-bayes",)))
    assert load_resources(tmp_path / "r").missing(("source_lm",)) == []  # what was there is left alone
    assert extras_for(["dwl", "source_lm", "word_net"]) == ("dwl", "nets")
