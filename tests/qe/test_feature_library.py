"""Features beyond the baseline, by values worked out by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.lm import KneserNey, LanguageModel
from dragoman.metrics import hter
from dragoman.metrics.units import to_pieces
from dragoman.qe import Resources, extract_features
from dragoman.qe.features import FEATURE_SETS, describe_features, feature_set
from dragoman.qe.features.alignment import _place, _runs, _whole_ngrams
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import ConfidenceRecipe, IndicatorRecipe, LexicalTable, NgramRecipe

CORPUS = ["the cat sat", "the cat ran", "the dog sat on the mat", "a cat"]


@pytest.fixture(scope="module")
def resources() -> Resources:
    model = KneserNey(order=3).train(CORPUS)
    counts = NgramRecipe(order=4).train(CORPUS)
    table = LexicalTable([("the", "el", 0.5), ("the", "la", 0.3), ("cat", "gato", 0.9), ("cat", "gata", 0.05)])
    return Resources.of(
        source_lm=model,
        target_lm=model,
        ngrams=counts,
        target_ngrams=counts,
        lexicon=table,
        inverse_lexicon=table,
        source_corpus=tuple(CORPUS),
        target_corpus=tuple(CORPUS),
    )


def one(spec: str, source: str, output: str = "", resources: Resources | None = None) -> float:
    found = extract_features(
        [source], [output], FeatureRecipe(features=(spec,), check_languages=False), resources=resources
    )
    return float(found.values[0, 0])


def test_tokens_of_a_kind() -> None:
    source, output = 'Obama \'s 2 , 3.5 ( " well-known " ) …', "de Obama 2 , , ¿"
    assert one("matching", source, output) == 2
    assert one("matching:on=target", source, output) == 1
    assert one("matching:kind=comma,on=difference", source, output) == -1
    assert one("matching:kind=comma,on=distance", source, output) == 1
    assert one("matching:kind=comma,on=squared", source, output + " ,") == 4
    assert one("matching:kind=comma,on=target,per=length", source, output) == pytest.approx(2 / 6)
    assert one("matching:kind=genitive,per=any", source) == 1
    assert one("matching:kind=quote", source) == 2
    assert one("matching:kind=hyphen", source) == 1
    assert one("matching:kind=ellipsis", source) == 1
    assert one("matching:kind=question,on=target", source, output) == 1
    assert one("matching:kind=short,on=target", source, output) == 1
    with pytest.raises(DataError, match="'kind' option of Matching must be one of 'number'"):
        feature_set("matching:kind=verb")


def test_lengths_and_richness() -> None:
    assert one("length-ratio", "a b c", "d") == 3
    assert one("length-ratio:of=target", "a b c", "") == 0
    assert one("length-ratio:of=distance", "a b c", "d") == pytest.approx(2 / 3)
    assert one("length-ratio:of=distance", "a", "b c d") == 2
    assert one("matching:kind=a-z,on=ratio", "a b , 5", "c é d e") == pytest.approx(2 / 3)
    assert one("matching:kind=not-a-z", "a é , 5", "") == 3
    assert one("matching:kind=number,on=distance,per=source", "a b 5 6", "7") == 0.25
    assert one("matching:kind=punctuation,on=target,per=length", "", "a , « b »") == pytest.approx(3 / 5)
    assert one("length-ratio:of=more", "a", "a b c d") == 1
    assert one("length-ratio:of=more", "a", "a b c") == 0
    assert one("length-ratio:unit=character", "ab", "c d") == 1
    text = "the cat the dog"  # N = 4, V = 3
    for formula, value in [
        ("plain", 3 / 4),
        ("corrected", 3 / math.sqrt(8)),
        ("log", math.log(3) / math.log(4)),
        ("guiraud", 3 / 2),
        ("uber", math.log(4) ** 2 / (math.log(4) - math.log(3))),
    ]:
        assert one(f"type-token:formula={formula}", text) == pytest.approx(value)
    assert one("type-token:formula=uber", "a b") == 0  # nothing repeats: the formula divides by nothing
    assert one("word-length:value=most,on=source", "a bcd") == 3


def test_what_translations_get_wrong() -> None:
    assert one("unbalanced", "", '( a ) ( "') == 2
    assert one("unbalanced:kind=bracket", "", "( a ) ( (") == 2
    assert one("unbalanced:kind=quote", "", '( a ) ( "') == 1
    assert one("repeats", "", "the the cat cat cat") == pytest.approx(3 / 5)
    assert one("copied", "Obama said", "dijo Obama 5") == 0.5
    assert one("numbers-kept", "in 1999 and 5", "en 1999") == 0.5
    assert one("numbers-kept:on=target", "in 1999 and 5", "en 1999") == 1
    assert one("numbers-kept", "none", "en 1999") == 1
    assert one("numbers-kept", "in 1999 and 5.3", "۱۹۹۹ ५.३ ") == 1  # digits of any script
    assert one("numbers-kept", "in 1999", "１９９８ 年") == 0
    assert one("last-mark", "a .", "b !") == 1
    assert one("last-mark", "a .", "b") == 0
    assert one("last-mark:same=yes", "a", "b") == 1


def test_language_models_and_corpora(resources: Resources) -> None:
    lm = resources.ask("source_lm", LanguageModel)
    scored = lm.score_tokens(["the cat flew"])
    p = scored.log_p.astype(float)
    values = {
        "sum": p.sum(),
        "mean": p.mean(),
        "perplexity": 10 ** -p.mean(),
        "worst": p.min(),
        "spread": p.std(),
        "left": np.mean([10 ** p[max(0, i - 2) : i + 1].sum() for i in range(4)]),
        "centred": np.mean([10 ** p[max(0, i - 1) : i + 2].sum() for i in range(4)]),
        "right": np.mean([10 ** p[i : i + 3].sum() for i in range(4)]),
    }
    for value, wanted in values.items():
        assert one(f"lm:value={value}", "the cat flew", resources=resources) == pytest.approx(wanted, rel=1e-5)
    assert one("lm:value=sum,ends=no", "the cat", resources=resources) == pytest.approx(
        lm.score(["the cat"], eos=False)[0], rel=1e-5
    )
    matched = lm.score_tokens(["the cat"], eos=False).n_matched
    assert one("backoff", "the cat flew", resources=resources) == pytest.approx(int(matched.sum()) / 3)
    assert one("unknown", "the bird flew", resources=resources) == 2
    assert one("unknown:share=yes,on=target", "", "the bird", resources=resources) == 0.5
    assert one("ngram-seen", "the cat flew", resources=resources) == 0.5
    # all words, two of three bigrams, one of two trigrams
    assert one("multi-level-match:longest=3", "the cat sat on", resources=resources) == pytest.approx(
        0.5 + 0.5 * (1 - 0.5) + 0.25 * 0
    )
    assert one("ngram-precision:longest=2", "the cat flew", resources=resources) == pytest.approx(
        math.sqrt((3 / 4) * (2 / 3))
    )
    assert one("frequency", "the cat", resources=resources) == pytest.approx((math.log(5) + math.log(4)) / 2)
    assert one("frequency:value=least", "the bird", resources=resources) == 0
    assert one("ngram-quartile:on=target", "", "the dog sat here", resources=resources) == 0.25


def test_lexical_tables(resources: Resources) -> None:
    h = -(0.5 * math.log(0.5) + 0.3 * math.log(0.3))
    assert one("translation-entropy", "the bird the", resources=resources) == pytest.approx(2 * h)
    assert one("translation-entropy:mean=yes", "the bird", resources=resources) == pytest.approx(h / 2)
    pair = "the cat", "el gato vuela"
    assert one("lexical-match", *pair, resources=resources) == pytest.approx((0.5 + 0.9) / 3)
    assert one("lexical-match:value=worst", *pair, resources=resources) == 0
    assert one("lexical-match:value=share,threshold=0.6", *pair, resources=resources) == pytest.approx(1 / 3)
    assert one("lexical-match:value=geometric", *pair, resources=resources) == pytest.approx(
        (math.log(0.5001) + math.log(0.9001) + math.log(0.0001)) / 3
    )
    assert one("lexical-match", "", "el", resources=resources) == 0


words = st.lists(st.sampled_from(["the", "cat", "sat", "on", "bird", "x"]), min_size=1, max_size=8)


@given(words, st.lists(words, min_size=1, max_size=12))
def test_the_closest_line_is_the_closest(sentence: list[str], corpus: list[list[str]]) -> None:
    def distance(a: list[str], b: list[str]) -> int:
        row = list(range(len(b) + 1))
        for i, x in enumerate(a, start=1):
            last, row[0] = row[0], i
            for j, y in enumerate(b, start=1):
                last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
        return row[-1]

    found = one(
        "corpus-distance", " ".join(sentence), resources=Resources.of(source_corpus=tuple(map(" ".join, corpus)))
    )
    nearest = min(len(sentence), *(distance(sentence, line) for line in corpus))
    assert found == pytest.approx(nearest / len(sentence))


def test_the_closest_line_in_characters(resources: Resources) -> None:
    assert one("corpus-distance:unit=character", "the cats sat", resources=resources) == pytest.approx(1 / 12)
    assert one("corpus-distance:unit=character,on=target", "", "a cat", resources=resources) == 0
    assert one("corpus-distance", "", resources=resources) == 0


def test_runs_of_aligned_words() -> None:
    linked = np.array([True, True, False, True, False, False, True])
    sentence = np.array([0, 0, 0, 0, 1, 1, 2])
    offsets, n = np.array([0, 4, 6, 7]), np.array([4, 2, 1])
    where, lengths = _runs(linked, sentence)
    assert (where.tolist(), lengths.tolist()) == ([0, 0, 2], [2, 1, 1])
    where, lengths = _runs(~linked, sentence)
    assert (where.tolist(), lengths.tolist()) == ([0, 1], [1, 2])
    assert _place(linked, sentence, offsets, n, last=False).tolist() == pytest.approx([2 / 3, 0, -1])
    assert _place(linked, sentence, offsets, n, last=True).tolist() == pytest.approx([2 / 3, 1, -1])
    assert _whole_ngrams(linked, sentence, 2, 3).tolist() == pytest.approx([1 / 3, 0, 0])


def test_pieces_are_roots_and_endings() -> None:
    assert to_pieces("Working on it") == "work +ing on it"
    assert to_pieces("") == ""


def test_confidence_is_the_smoothed_share_of_kept_words(tmp_path: Path) -> None:
    outputs, edits = ["a b c", "a b", "b d"], ["a x c", "a b", "b d"]
    tags = hter(outputs, edits).tags
    table = ConfidenceRecipe(smoothing=2).train(outputs, tags)
    table.save(tmp_path / "table")
    table = type(table).load(tmp_path / "table")
    mean = 6 / 7
    res = Resources.of(confidence=table)
    rate_b = (2 + 2 * mean) / (3 + 2)
    rate_a = (2 + 2 * mean) / (2 + 2)
    assert one("confidence", "", "a b", res) == pytest.approx((rate_a + rate_b) / 2)
    assert one("confidence:value=worst", "", "a b new", res) == pytest.approx(rate_b)
    assert one("confidence", "", "new", res) == pytest.approx(mean)
    assert one("confidence", "", "", res) == pytest.approx(mean)
    assert one("confidence:value=share", "", "a b", res) == 0.5
    assert one("confidence:length=2", "", "a b", res) == pytest.approx((1 + 2 * 0.5) / (2 + 2))
    with pytest.raises(DataError, match="The outputs have 3 words and 2 tags"):
        ConfidenceRecipe().train(["a b c"], [tags[1]])


def test_indicators_learn_which_words_are_bad(tmp_path: Path) -> None:
    sources = [f"s{n % 7} x" for n in range(60)]
    outputs = [f"good t{n % 5}" if n % 2 else f"bad t{n % 5}" for n in range(60)]
    scores = [0.0 if n % 2 else 1.0 for n in range(60)]
    learnt = IndicatorRecipe().train(sources, outputs, scores)
    learnt.save(tmp_path / "learnt")
    learnt = type(learnt).load(tmp_path / "learnt")
    said = learnt.predict(["s9 x", "s9 x"], ["good new", "bad new"])
    assert said[1] > said[0] + 0.3
    assert learnt.predict(["", "unseen"], ["", "words"]).tolist() == pytest.approx([0.5, 0.5], abs=0.2)
    assert (learnt.predict(sources[:3], outputs[:3]) == learnt.predict(sources, outputs)[:3]).all()


def test_the_catalogue_tells_all() -> None:
    found = describe_features()
    rows = {row["feature"]: row for row in found.to_dict()["rows"]}
    assert rows["ibm1"]["needs"] == "ibm1"
    assert "Popović" in rows["ibm1"]["paper"]
    assert found.to_dict()["meta"]["sets"]["baseline17"] == 17
    assert "black-box" in found.render()
    assert found.tables()[2].rows[-2][0] == "trace"
    assert found.to_dict()["meta"]["resources"]["ibm1"] == "IBM model 1 in both directions"


def test_quest_has_79_features_each_once_and_most_of_the_baseline() -> None:
    quest, baseline = ({each.spec() for each in feature_set([name])} for name in ("quest79", "baseline17"))
    assert len(quest) == len(FEATURE_SETS["quest79"]) == 79
    assert baseline - quest == {"known-words", "source-punctuation", "target-punctuation"}
