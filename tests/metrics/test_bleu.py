"""BLEU against sacreBLEU 2.6, to 1e-9 on its scale of 0 to 100, and its variants for segments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import BLEU

from dragoman.errors import DataError, UnknownName
from dragoman.files import read_lines
from dragoman.metrics import by_reference, make_metric, metric_of_signature, score
from dragoman.metrics.bleu import Bleu, BleuPlusOne, SentenceBleu
from dragoman.metrics.references import ScoredText
from tests.metrics.texts import corpora

close = lambda value: pytest.approx(value, abs=1e-9, rel=0)  # noqa: E731


@st.composite
def options(draw: st.DrawFn) -> dict[str, object]:
    smoothing = draw(st.sampled_from(["none", "floor", "add-k", "exp"]))
    value = st.none() | st.floats(0, 3) if smoothing in {"floor", "add-k"} else st.none()
    return {
        "tokeniser": draw(st.sampled_from(["13a", "intl", "zh", "char", "none"])),
        "lowercase": draw(st.booleans()),
        "smoothing": smoothing,
        "smoothing_value": draw(value),
        "effective_order": draw(st.booleans()),
        "max_order": draw(st.sampled_from([4, 1, 2, 6])),
    }


def peer(metric: Bleu) -> BLEU:
    return BLEU(
        tokenize=metric.tokeniser,
        lowercase=metric.lowercase,
        smooth_method=metric.smoothing,
        smooth_value=metric.smoothing_value,
        effective_order=metric.effective_order,
        max_ngram_order=metric.max_order,
        force=True,
    )


@given(corpora(), options())
def test_equals_sacrebleu_on_any_text_and_options(corpus, chosen) -> None:
    hyps, refs = corpus
    ours = Bleu(**chosen)
    theirs = peer(ours)
    expected = theirs.corpus_score(hyps, refs)
    totals = ours.stats(hyps, refs).sum(axis=0)
    assert totals.tolist() == [expected.sys_len, expected.ref_len, *_plain(expected, theirs, hyps, refs)]
    assert ours.value(totals) == close(expected.score)
    assert ours.verbose(totals) == expected._verbose
    sentence = peer(ours.for_segments())
    for i, found in enumerate(ours.segments(hyps, refs)):
        own = [ref[i] for ref in refs if ref[i] is not None]
        assert found == close(sentence.sentence_score(hyps[i], own).score)


def _plain(expected, theirs, hyps, refs) -> list[int]:
    # add-k changes the counts that the score object shows, so they are taken from the statistics.
    return np.sum(theirs._extract_corpus_statistics(hyps, refs), axis=0).tolist()[2:]


@given(corpora(), options())
def test_signatures_equal_sacrebleus(corpus, chosen) -> None:
    hyps, refs = corpus
    ours = Bleu(**chosen)
    theirs = peer(ours)
    theirs.corpus_score(hyps, refs)
    (sheet,) = score({"x": hyps}, refs, metrics=[ours]).signatures
    label, *parts, version = sheet.split("|")
    if ours.max_order != 4:  # sacreBLEU does not tell; two numbers with one signature help nobody
        assert parts.pop() == f"order:{ours.max_order}"
    *expected, _ = str(theirs.get_signature()).split("|")
    exact = ours.smoothing_value is None or float(f"{ours.smoothing_value:.2f}") == ours.smoothing_value
    if exact:
        assert parts == expected
    else:  # sacreBLEU rounds the smoothing value away
        assert parts[:-1] == expected[:-1]
    assert label == "BLEU"
    assert version.startswith("version:")
    assert metric_of_signature(sheet) == ours


def test_segment_level_has_its_own_signature() -> None:
    sheet = score({"x": ["a b"]}, [["a b"]], metrics=["bleu"], level="segment")
    assert sheet.signatures[0].startswith("BLEU|nrefs:1|case:mixed|eff:yes|tok:13a|smooth:exp|version:")
    assert sheet.values[0, 0, 0] == close(100)


@pytest.mark.realdata
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pair", ["fr-en", "es-en", "en-de"])
def test_equals_sacrebleu_on_every_system_of_newstest2013(newstest2013, pair, every) -> None:
    ref, systems = newstest2013(pair)
    outputs = [hyps[::every] for hyps in systems.values()]
    for metric in (Bleu(), Bleu(tokeniser="intl", lowercase=True)) if every == 1 else (Bleu(),):
        check_rows(metric, outputs, [ref[::every]])


def check_rows(metric: Bleu, outputs, refs) -> None:
    theirs, segments = peer(metric), peer(metric.for_segments())
    theirs._ref_cache = theirs._cache_references(refs)
    rows = metric.stats_many(outputs, refs)
    scores = metric.for_segments().values(rows)
    for hyps, own, found in zip(outputs, rows, scores, strict=True):
        expected = theirs._extract_corpus_statistics(hyps, None)
        assert (own == expected).all()
        assert metric.value(own.sum(axis=0)) == close(theirs._aggregate_and_compute(expected).score)
        some = range(0, len(expected), 7)  # equal statistics make equal scores; a sample shows that the formula does
        assert [found[i] for i in some] == close([segments._compute_score_from_stats(expected[i]).score for i in some])


@pytest.mark.realdata
@pytest.mark.parametrize("tokeniser", ["char", "zh"])
def test_equals_sacrebleu_on_japanese(data_folder, tokeniser) -> None:
    ref = read_lines(data_folder / "small-enja" / "test.ja.gz")
    check_rows(Bleu(tokeniser=tokeniser), [ref[1:] + ref[:1], [line[::-1] for line in ref], ref], [ref])


@pytest.mark.realdata
@pytest.mark.parametrize("pair", ["bn-en", "hi-en", "ta-en"])
def test_equals_sacrebleu_on_several_references(data_folder, pair) -> None:
    folder = data_folder / "indian" / pair
    streams = [read_lines(folder / f"test.{pair}.en.{r}.gz") for r in range(4)]
    check_rows(Bleu(), [streams[0]], streams[1:])
    ragged = [[line if (i + r) % 3 or r == 0 else None for i, line in enumerate(s)] for r, s in enumerate(streams[1:])]
    check_rows(Bleu(lowercase=True), [streams[0]], ragged)


def test_several_references_may_be_given_by_segment() -> None:
    refs = by_reference([["the cat sat", "a cat sat down"], ["hello"]])
    hyps = ["the cat sat down", "hello"]
    assert Bleu().corpus_value(hyps, refs) == close(BLEU().corpus_score(hyps, refs).score)


def test_totals_are_the_sums_of_the_rows_with_several_references() -> None:
    systems = [["the cat sat down", "hello there", ""], ["a cat sat", "hello", "so it goes"]]
    refs = [["the cat sat", "hello", "it goes so"], ["a cat sat down here", "hello to you there", "so it is"]]
    text = ScoredText.of_streams(systems, refs, None)
    for n_threads in (1, 2, 7):
        totals = Bleu().totals(text, n_threads)
        assert totals == Bleu().batch_rows(text, n_threads).sum(axis=1).tolist()
        assert totals != Bleu().totals(ScoredText.of_streams(systems, refs[:1], None), n_threads)


def test_bleu_plus_one_is_the_mean_of_smoothed_segments() -> None:
    hyps, refs = ["the cat sat on the mat", "no"], [["the cat is on the mat", "yes"]]
    peer_ = BLEU(smooth_method="add-k", smooth_value=1)
    expected = [peer_.sentence_score(hyp, [ref]).score for hyp, ref in zip(hyps, refs[0], strict=True)]
    # 5/6 · (3+1)/(5+1) · (1+1)/(4+1) · (0+1)/(3+1), to the power 1/4 (Lin & Och 2004)
    assert expected[0] == close(100 * (5 / 6 * 4 / 6 * 2 / 5 * 1 / 4) ** 0.25)
    assert BleuPlusOne().segments(hyps, refs).tolist() == close(expected)
    assert BleuPlusOne().corpus_value(hyps, refs) == close(sum(expected) / 2)


def test_sentence_bleu_is_the_mean_of_segment_scores() -> None:
    hyps, refs = ["the cat sat on the mat", "a b"], [["the cat is on the mat", "a c"]]
    assert SentenceBleu().corpus_value(hyps, refs) == close(Bleu().segments(hyps, refs).mean())


def test_options_are_checked_by_name() -> None:
    with pytest.raises(UnknownName, match=r"No tokeniser is called '13b'\. Did you mean '13a'"):
        Bleu(tokeniser="13b")
    with pytest.raises(DataError, match=r"The tokeniser '13a' has no option 'lang'"):
        Bleu(tokeniser="13a+lang=de")
    with pytest.raises(DataError, match=r"'smoothing' option of Bleu must be one of .* Got 'laplace' instead"):
        make_metric("bleu:smoothing=laplace")
    with pytest.raises(DataError, match=r"'smoothing_value' option of Bleu belongs to floor and add-k; exp takes none"):
        Bleu(smoothing_value=0.5)
    with pytest.raises(DataError, match=r"'smoothing_value' option of Bleu must be a number from 0 on. Got nan"):
        Bleu(smoothing="floor", smoothing_value=float("nan"))
    with pytest.raises(DataError, match=r"'max_order' option of Bleu must be at least 1"):
        Bleu(max_order=0)
    with pytest.raises(DataError, match=r"The option 'smoothing_value' is a number, got 'much'"):
        make_metric("bleu:smoothing=floor,smoothing_value=much")
    assert Bleu(smoothing="floor", smoothing_value=0.1) == make_metric("bleu:smoothing=floor,smoothing_value=0.10")
