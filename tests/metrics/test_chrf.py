"""chrF and chrF++ against sacreBLEU 2.6, to 1e-9 on its scale of 0 to 100."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import CHRF

from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics import metric_of_signature
from dragoman.metrics.chrf import Chrf, ChrfPlusPlus
from tests.metrics.texts import corpora

close = lambda value: pytest.approx(value, abs=1e-9, rel=0)  # noqa: E731

options = st.fixed_dictionaries(
    {
        "char_order": st.integers(1, 8),
        "word_order": st.integers(0, 3),
        "beta": st.integers(0, 4),
        "lowercase": st.booleans(),
        "whitespace": st.booleans(),
        "eps_smoothing": st.booleans(),
    }
)


@given(corpora(), options)
def test_equals_sacrebleu_on_any_text_and_options(corpus, chosen) -> None:
    hyps, refs = corpus
    ours, theirs = Chrf(**chosen), CHRF(**chosen)
    assert ours.corpus_value(hyps, refs) == close(theirs.corpus_score(hyps, refs).score)
    assert ours.signature(_nrefs(refs)).rpartition("|")[0] == str(theirs.get_signature()).rpartition("|")[0]
    assert ours.label == theirs.corpus_score(hyps, refs).name
    for i, score in enumerate(ours.segments(hyps, refs)):
        own = [ref[i] for ref in refs if ref[i] is not None]
        assert score == close(theirs.sentence_score(hyps[i], own).score)


@pytest.mark.realdata
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pair", ["fr-en", "es-en", "en-de"])
def test_equals_sacrebleu_on_every_system_of_newstest2013(newstest2013, pair, every) -> None:
    ref, systems = newstest2013(pair)
    ref = ref[::every]
    plain, plus, theirs = Chrf(), ChrfPlusPlus(), CHRF(word_order=2, references=[ref])
    outputs = [hyps[::every] for hyps in systems.values()]
    rows = plus.stats_many(outputs, [ref])
    assert (plain.stats_many(outputs, [ref]) == rows[..., :18]).all()  # chrF is chrF++ without the words
    for hyps, own in zip(outputs, rows, strict=True):
        expected = theirs._extract_corpus_statistics(hyps, None)
        assert (own == expected).all()  # hence every segment's score is equal too
        assert plus.value(own.sum(axis=0)) == close(theirs._aggregate_and_compute(expected).score)
        assert plain.value(own.sum(axis=0)[:18]) == close(CHRF()._compute_f_score(own.sum(axis=0)[:18]))


@pytest.mark.realdata
def test_equals_sacrebleu_on_japanese_and_several_references(data_folder) -> None:
    ref = read_lines(data_folder / "small-enja" / "test.ja.gz")
    folder = data_folder / "indian" / "ta-en"
    streams = [read_lines(folder / f"test.ta-en.en.{r}.gz") for r in range(4)]
    for hyps, refs in [(ref[1:] + ref[:1], [ref]), (streams[0], streams[1:])]:
        theirs = CHRF(word_order=2)
        expected = theirs._extract_corpus_statistics(hyps, refs)
        rows = ChrfPlusPlus().stats(hyps, refs)
        assert (rows == expected).all()
        assert ChrfPlusPlus().value(rows.sum(axis=0)) == close(theirs._aggregate_and_compute(expected).score)


def test_signature_leads_back() -> None:
    for metric in [Chrf(), ChrfPlusPlus(), Chrf(beta=0.3, char_order=2, whitespace=True, eps_smoothing=True)]:
        assert metric_of_signature(f"{metric.label}|{metric.signature()}") == metric
    assert metric_of_signature("chrF3|nrefs:4|case:lc|eff:yes|nc:6|nw:0|space:no|version:2.6.0") == Chrf(
        beta=3, lowercase=True
    )


def test_options_are_checked_by_name() -> None:
    with pytest.raises(DataError, match=r"'char_order' option of Chrf must be a whole number. Got 2.5"):
        Chrf(char_order=2.5)  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"'beta' option of Chrf must be at least 0. Got nan"):
        Chrf(beta=float("nan"))
    with pytest.raises(DataError, match="char_order and word_order are both 0"):
        Chrf(char_order=0)
    with pytest.raises(DataError, match="'beta' option of chrF must be finite"):
        Chrf(beta=float("inf"))


def _nrefs(refs) -> int | None:
    counts = {sum(line is not None for line in segment) for segment in zip(*refs, strict=True)}
    return counts.pop() if len(counts) == 1 else None
