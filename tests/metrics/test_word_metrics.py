"""Word metrics against worked examples: by hand, from their papers, or from the peers' documentation."""

from __future__ import annotations

import math
import random

import pytest

from dragoman.errors import DataError
from dragoman.metrics import make_metric, score
from dragoman.metrics.words import encode_references, make_tokeniser
from tests.contract import naive

close = lambda value: pytest.approx(value, abs=1e-9, rel=0)  # noqa: E731

# The running example of Papineni et al. 2002.
GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct"
PARTY = "It is a guide to action that ensures that the military will forever heed Party commands"


def value(name: str, hyp: str, *refs: str) -> float:
    return make_metric(name).corpus_value([hyp], [[ref] for ref in refs])


@pytest.mark.parametrize(
    ("hyp", "expected"), [(GUIDE, 2.4477124183006533), (TROOPS, 1.5238801960560475)], ids=["guide", "troops"]
)
def test_nist_has_the_value_of_nltk(hyp, expected) -> None:
    # nltk 3.10, nist_score.sentence_nist with one reference; with several it takes the best one instead of all.
    assert value("nist:tokeniser=none", hyp, PARTY) == close(expected)


def test_nist_by_hand() -> None:
    # Information in "a b a c": a 1 bit (4 words, 2 a), b and c 2 bits; after a, b and c 1 bit each; b a 0 bits.
    hyp, ref = "a b", "a b a c"
    gain = (1 + 2) / 2 + 1 / 1
    penalty = math.exp(math.log(0.5) * (math.log(2 / 4) / math.log(1.5)) ** 2)
    assert value("nist", hyp, ref) == close(gain * penalty)
    # Doddington 2002: two thirds of the words halve the score.
    assert value("nist", "a b", "a b c") == close(0.5 * 2 * math.log2(3) / 2)


def test_error_rates_by_hand() -> None:
    hyp, ref = "at seven o'clock we met at the airport .", "we met at the airport at seven o'clock ."
    assert value("per", hyp, ref) == 0
    # Jumps to the second block, back to the first, and behind the last.
    assert value("cder", hyp, ref) == close(100 * 3 / 9)
    assert value("wer", hyp, ref) == close(100 * 6 / 9)
    assert value("wer", "a b c", "a x c d") == close(100 * 2 / 4)
    assert value("per", "a b c d", "a x c") == close(100 * 2 / 3)
    # Words of the hypothesis may be used twice: after the first a a jump back, instead of an insertion.
    assert value("cder", "a", "a a") == close(100 * 1 / 2)
    assert value("cer", "a bc", "abd c") == close(100 * 1 / 4)


def test_the_reference_with_the_lowest_rate_counts() -> None:
    assert value("wer", "a b", "a c", "a b c d e f g h i j") == close(50)
    assert value("wer", "a b", "a", "a c d") == close(2 / 3 * 100)
    rows = make_metric("wer").stats(["a b"], [["a"], ["a c d"]])
    assert rows.tolist() == [[2, 3]]


def test_rates_without_a_reference_word() -> None:
    for name in ("wer", "per", "cder", "cer"):
        assert value(name, "", "") == 0
        assert value(name, "a b", "") == 100
        assert value(name, "", "a b") == 100


def test_gtm_by_hand() -> None:
    hyp, ref = "b c a", "a b c d"
    assert value("gtm:exponent=1", hyp, ref) == close(100 * 2 * 3 / 7)
    match = math.sqrt(2**2 + 1)  # runs "b c" and "a"
    assert value("gtm", hyp, ref) == close(100 * 2 * match / 7)


def test_rouge_by_hand() -> None:
    # Lin 2004, §3.1: "police killed the gunman" against two answers with the same bigrams.
    ref = "police killed the gunman"
    assert value("rouge-l", "police kill the gunman", ref) == close(75)
    assert value("rouge-l", "the gunman kill police", ref) == close(50)
    assert value("rouge-2", "police kill the gunman", ref) == value("rouge-2", "the gunman kill police", ref)
    assert value("rouge-1", "the the cat", "the cat sat") == close(100 * 2 / 3)
    assert value("rouge-1:measure=recall", "the cat", "The cat sat down") == close(50)
    assert value("rouge-1:measure=precision", "the cat", "the cat sat down") == close(100)
    assert value("rouge-1:beta=2", "the cat", "the cat sat down") == close(100 * 5 * 0.5 / (0.5 + 4))


def test_ribes_has_the_values_of_its_paper() -> None:
    # Isozaki et al. 2010: τ of −0.236 for the first pair, hence (1 − 0.236) / 2.
    ref = "he was interested in world history because he read the book"
    hyp = "he read the book because he was interested in world history"
    assert value("ribes:context=paper", hyp, ref) == close(100 * 21 / 55)
    assert abs(2 * 21 / 55 - 1 + 0.236) < 5e-4
    # RIBES.py 1.03 aligns the second "he" by "because he", not by "he was": one word moves from place 1 to place 8.
    assert value("ribes", hyp, ref) == close(100 * 17 / 55)
    assert value("ribes", "Bob hit John yesterday", "John hit Bob yesterday") == close(50)
    # "the" is told apart by what follows; five of seven words are aligned, in the order 4 5 3 1 2.
    assert value("ribes", "the book was read by the boy", "the boy read the book") == close(
        100 * 2 / 10 * (5 / 7) ** 0.25
    )
    short = value("ribes", "John hit", "John hit Bob yesterday")
    assert short == close(100 * math.exp(1 - 4 / 2) ** 0.10)
    assert value("ribes", "x", "x") == 100
    assert value("ribes", "x y", "x z") == 0  # one word has no order


def test_segment_metrics_average_over_segments() -> None:
    metric = make_metric("rouge-1")
    assert metric.corpus_value(["a", "b c"], [["a", "x y"]]) == close(50)
    assert metric.stats(["a", "b c"], [["a", "x y"]]).tolist() == [[100, 1], [0, 1]]


def test_long_repetitive_segments_stay_quick() -> None:
    # Contexts of RIBES and runs of GTM in text that repeats itself; a naive search would take minutes.
    hyp, ref = "la " * 3000, "la " * 2999 + "li"
    assert value("ribes:tokeniser=none", hyp, ref) == 0
    assert 99 < value("gtm:tokeniser=none", hyp, ref) <= 100
    assert value("wer:tokeniser=none", hyp, ref) == close(100 / 3000)


def test_too_many_pairs_of_equal_words_are_named() -> None:
    long = "la li " * 5000
    with pytest.raises(
        DataError, match=r"Segment 2: 50000000 pairs of equal words are too many for GTM, at most 16777216"
    ):
        make_metric("gtm").segments(["x", long], [["x", long]])


def test_long_texts_are_counted_as_short_ones_are() -> None:
    # More than 16 blocks of 64 words: places of words are listed, not kept as bits.
    rng = random.Random(2)
    ref = [rng.randrange(1, 300) for _ in range(1500)]
    hyp = [word for word in ref if rng.random() < 0.9] + [rng.randrange(1, 400) for _ in range(50)]
    texts = " ".join(map(str, hyp)), " ".join(map(str, ref))
    assert value("wer", *texts) == close(100 * naive.edits(hyp, ref) / 1500)
    assert make_metric("rouge-l:measure=recall").segments([texts[0]], [[texts[1]]])[0] == close(
        100 * naive.lcs(hyp, ref) / 1500
    )
    half = " ".join(map(str, hyp[:120])), " ".join(map(str, ref[:100]))
    assert value("cder", *half) == close(naive.cder(hyp[:120], ref[:100]))


def test_references_are_encoded_once_for_the_same_content() -> None:
    from dragoman.metrics import References

    first = encode_references(References.of([["a b", "c"]]), "13a", lowercase=False)
    again = encode_references(References.of({"other name": ["a b", "c"]}), "13a", lowercase=False)
    assert again is first
    assert encode_references(References.of([["a b", "c"]]), "13a", lowercase=True) is not first
    assert encode_references(References.of([["a b", "d"]]), "13a", lowercase=False) is not first
    assert first.n_bytes > 0


def test_tokenisers_with_options_have_a_spelling() -> None:
    with pytest.raises(DataError, match=r"The tokeniser 'none' has no option 'x'"):
        make_tokeniser("none+x=1")
    assert make_tokeniser("13a").signature() == "13a"


def test_character_variants_come_from_the_tokeniser() -> None:
    sheet = score({"x": ["abc"]}, [["abd"]], metrics=["bleu:tokeniser=char,max_order=2", "wer:tokeniser=char", "cer"])
    assert sheet.values[0, 0, 0] == close(100 * math.sqrt(2 / 3 * 1 / 2))
    assert sheet.values[0, 1, 0] == sheet.values[0, 2, 0] == close(100 / 3)
