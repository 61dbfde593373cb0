"""METEOR: matches of each kind by hand, its words, its parameters, and what it refuses."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, FormatError
from dragoman.metrics import make_metric
from dragoman.metrics.meteor import Meteor, Parameters
from dragoman.metrics.meteor_words import cut_lines
from dragoman.text.wordnet import open_synonyms


def row(metric: Meteor, hyp: str, ref: str) -> list[float]:
    return list(metric.stats([hyp], [[ref]])[0])


def test_order_costs_chunks() -> None:
    metric = Meteor()
    hyp, ref = "The cat sat on the mat", "On the mat sat the cat"
    assert row(metric, hyp, ref) == [6, 6, 3, 3, 3, 3, 3, 3] + [0] * 12 + [3]
    assert metric.segments([hyp], [[ref]])[0] == pytest.approx(100 * (1 - 0.6 * 0.5**0.2))
    assert metric.segments([ref], [[ref]])[0] == 100
    assert metric.segments(["nothing"], [[ref]])[0] == 0


def test_a_stem_counts_less_than_the_word() -> None:
    metric = Meteor(task="tune", function_words="none")
    assert row(metric, "houses burn", "house burn") == [2, 2, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0] + [0] * 9
    # One word and half a word of two; what is matched whole in one chunk is not fragmented.
    assert metric.segments(["houses burn"], [["house burn"]])[0] == pytest.approx(75)
    assert metric.segments(["houses burn now"], [["house burn"]])[0] == pytest.approx(100 * 0.6 * (1 - 0.5 * 0.5))


def test_whole_segments_have_no_chunk_in_a_corpus() -> None:
    # Three chunks of the second segment by five matched words; that of the first is none.
    metric = Meteor(task="tune", function_words="none")
    value = metric.corpus_value(["a b", "c e d"], [["a b", "c d e"]])
    assert metric.stats(["a b", "c e d"], [["a b", "c d e"]])[:, -1].tolist() == [0, 3]
    assert value == pytest.approx(100 * (1 - 0.5 * 3 / 5))


def test_function_words_have_their_own_weight(tmp_path: Path) -> None:
    listed = tmp_path / "own.words"
    listed.write_text("# mine\nzum der\n", encoding="utf-8")
    metric = Meteor(lang="de", function_words=f"function-words+lang=de+file={listed}")
    assert row(metric, "Zum Haus", "der Hof zum Haus")[:4] == [2, 4, 1, 2]
    content, function = (metric.segments([hyp], [["zum Haus"]])[0] for hyp in ("Haus", "zum"))
    assert content > function


def test_synonyms_come_from_meteors_files(tmp_path: Path) -> None:
    (tmp_path / "english.synsets").write_text("car\n0101 0102\nauto\n0101\nmouse\n0200\nrat\n0200\n", encoding="utf-8")
    (tmp_path / "english.exceptions.gz").write_bytes(gzip.compress(b"mouse\nmice\n"))
    metric = Meteor(synonyms=f"wordnet+place={tmp_path}")
    assert row(metric, "autos", "cars")[12:16] == [1, 1, 0, 0]
    assert row(metric, "mice", "rats")[12:16] == [1, 1, 0, 0]
    assert row(metric, "mice", "cars")[12:16] == [0, 0, 0, 0]
    assert open_synonyms(tmp_path).synonyms("mice") == ("rat",)
    (tmp_path / "english.exceptions.gz").unlink()
    with pytest.raises(DataError, match=r"holds english.synsets but no english.exceptions"):
        open_synonyms(f"{tmp_path}/")


def test_paraphrases_match_phrases_both_ways(tmp_path: Path) -> None:
    table = tmp_path / "paraphrases.gz"
    table.write_bytes(gzip.compress(b"0.5\nin front of\nbefore\n0.1\nnot of this text\nabsent\n"))
    metric = Meteor(paraphrases=str(table), function_words="none")
    assert row(metric, "sit before me", "sit in front of me")[16:] == [1, 3, 0, 0, 0]
    assert row(metric, "sit in front of me", "sit before me")[16:] == [3, 1, 0, 0, 0]
    assert "|table:" in metric.signature()


@pytest.mark.parametrize(
    ("lines", "wrong"),
    [
        ("0.5\na\nb\nmany\nc\nd\n", r":4: 'many' is no probability"),
        ("0.5\na\n\n", r":3: a phrase is empty"),
        ("0.5\na\n", r":2: the last entry has no paraphrase"),
    ],
)
def test_a_damaged_table_is_named(tmp_path: Path, lines: str, wrong: str) -> None:
    table = tmp_path / "table"
    table.write_text(lines, encoding="utf-8")
    with pytest.raises(FormatError, match=wrong):
        Meteor(paraphrases=str(table)).stats(["a"], [["b"]])


@pytest.mark.parametrize(
    ("lang", "line", "words"),
    [
        (
            "en",
            "The U.S.-based “state-of-the-art” test -- isn't it?",
            'the us based " state of the art " test - isn \'t it ?',
        ),
        (
            "en",
            "Mr. Smith paid 1,000.50 in the 1990's ... No. 5.",
            "mr. smith paid 1,000.50 in the 1990 's ... no. 5 .",
        ),
        ("fr", "L'homme d'affaires, aujourd'hui.", "l' homme d' affaires , aujourd' hui ."),
        ("de", "Peter's Haus – zwei,drei", "peter ' s haus - zwei , drei"),
    ],
)
def test_words_are_cut_by_meteors_rules(lang: str, line: str, words: str) -> None:
    assert cut_lines([line], "keep", lang) == [words.split()]


def test_punctuation_can_be_dropped() -> None:
    assert cut_lines(["Well, (yes)."], "drop", "en") == [["well", "yes"]]
    assert cut_lines(["Well, (yes)."], "lower", "en") == [["well,", "(yes)."]]
    assert cut_lines(["Well, (yes)."], "none", "en") == [["Well,", "(yes)."]]


def test_parameters_follow_task_and_language() -> None:
    assert Meteor().parameters == Parameters(0.85, 0.20, 0.60, 0.75, (1.0, 0.6, 0.8, 0.6))
    assert Meteor(lang="fr").parameters.alpha == 0.90
    assert Meteor(lang="pt", norm="lower").parameters == Meteor(task="li").parameters
    assert Meteor(task="hter").parameters.beta == 1.50


@pytest.mark.parametrize(
    ("options", "wrong"),
    [
        (
            {"lang": "pt"},
            r"no normaliser for 'pt', only for cs, de, en, es, fr, ru. Tokenise the text and say norm=lower",
        ),
        ({"lang": "de", "task": "adq"}, r"no parameters of the task adq for 'de', only for en. Say task=li"),
        ({"lang": "fi", "norm": "lower"}, r"no list of function words for 'fi'. Say function_words=none"),
        ({"synonyms": "wordnet+lang=de"}, r"METEOR's synonyms=wordnet\+lang=de are of 'de', but the text is in 'en'"),
        ({"paraphrases": "nowhere.gz"}, r"no file of paraphrases nowhere.gz. METEOR's own are"),
    ],
)
def test_what_it_cannot_do_is_named(options: dict[str, str], wrong: str) -> None:
    with pytest.raises(DataError, match=wrong):
        Meteor(**options)


def test_corpora_have_the_score_of_summed_counts() -> None:
    metric = make_metric("meteor:task=tune")
    rows = metric.stats(["a house", "two small houses"], [["the house", "two houses"]])
    assert metric.corpus_value(["a house", "two small houses"], [["the house", "two houses"]]) == metric.value(
        rows.sum(axis=0)
    )
    assert "precision = " in metric.verbose(rows.sum(axis=0))
    assert np.isfinite(rows).all()
