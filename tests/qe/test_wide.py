"""Corpora beside the bitext: counts of text and of lists, and what features say of them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.data import Bitext
from dragoman.errors import DataError, FormatError
from dragoman.files import write_lines
from dragoman.qe import QEData, QEModel, extract_features, train_model
from dragoman.qe.features import FEATURE_SETS
from dragoman.qe.recipes import FeatureRecipe, QERecipe, ResourceRecipe
from dragoman.qe.resources import NgramCounts, Resources, build_resources, load_resources
from dragoman.qe.resources.wide import count_wide, counts_of_list

N = 12
SOURCES = tuple(f"the cat {n} sat on the {'mat' if n % 2 else 'end'} ." for n in range(N))
EDITS = tuple(f"die Katze {n} saß {'da' if n % 2 else 'hier'} ." for n in range(N))
OUTPUTS = tuple(edit.replace("Katze", "Hund") if n % 3 else edit for n, edit in enumerate(EDITS))


def _values(spec: str, line: str, resources: Resources) -> float:
    found = extract_features([line], ["x"], FeatureRecipe(features=(spec,), check_languages=False), resources=resources)
    return float(found.values[0, 0])


def test_values_of_a_small_corpus() -> None:
    counts = counts_of_list([("The", 6), ("cat", 3), ("sat", 1), ("the cat", 2), ("a b c d", 9)])
    resources = Resources.of(wide_source_1=counts)
    line = "THE cat sat there"
    assert counts.order == 2
    assert _values("wide:value=seen", line, resources) == pytest.approx(3 / 4)
    assert _values("wide:value=unseen", line, resources) == 1
    assert _values("wide:value=seen,length=2", line, resources) == pytest.approx(1 / 3)
    logs = [math.log(7), math.log(4), math.log(2), 0.0]
    assert _values("wide", line, resources) == pytest.approx(np.mean(logs))
    assert _values("wide:value=spread", line, resources) == pytest.approx(np.std(logs))
    assert _values("wide:value=least", line, resources) == 0
    assert _values("wide:value=rarest", line, resources) == pytest.approx(np.mean(logs[1:]))
    # Ten words: a word that stands there three times is 300,000 in a million.
    assert _values("wide:value=above,times=200000", line, resources) == pytest.approx(2 / 4)
    assert _values("wide:value=rarest", "the cat", resources) == pytest.approx(np.mean(logs[:2]))
    assert _values("wide:value=least", "", resources) == 0


@given(st.lists(st.lists(st.sampled_from("aAbc"), min_size=1, max_size=5).map(" ".join), min_size=1, max_size=6))
def test_a_list_of_the_counts_of_a_text_is_as_good_as_the_text(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("counted")
    tally: dict[str, int] = {}
    for line in lines:
        words = line.split()
        for length in (1, 2, 3):
            for first in range(len(words) - length + 1):
                ngram = " ".join(words[first : first + length])
                tally[ngram] = tally.get(ngram, 0) + 1
    write_lines(folder / "text", lines)
    write_lines(folder / "list.tsv", [f"{ngram}\t{count}" for ngram, count in tally.items()])
    told = []
    for name in ("text", "list.tsv"):
        counts = count_wide(folder / name)
        features = [f for f in FEATURE_SETS["wide-source-1"] if "length=3" not in f or counts.order == 3]
        features = [f for f in features if "length=2" not in f or counts.order >= 2]
        told.append((counts.order, Resources.of(wide_source_1=counts), features))
    features = min((each[2] for each in told), key=len)
    values = [
        extract_features(
            ["a b c a", "C"],
            ["x", "y"],
            FeatureRecipe(features=tuple(features), check_languages=False),
            resources=each[1],
        )
        for each in told
    ]
    assert (values[0].values == values[1].values).all()


def test_resources_keep_the_corpora_and_share_them_with_held_out_parts(tmp_path: Path) -> None:
    write_lines(tmp_path / "news.txt", ["the cat sat", SOURCES[0], "on the end"])
    write_lines(tmp_path / "words.tsv", ["die\t1000", "Katze\t3.5"])
    edited = QEData.of(SOURCES, OUTPUTS, EDITS)
    built = build_resources(
        None,
        tmp_path / "made",
        ResourceRecipe(n_parts=2, source_wide=(tmp_path / "news.txt",), target_wide=(tmp_path / "words.tsv",)),
        post_edited=edited,
    )
    assert built.n_entries["wide-target-1"] == (2,)
    resources = load_resources(tmp_path / "made")
    known = resources.ask("wide_source_1", NgramCounts).vocabulary
    assert "mat" not in known  # a sentence to judge is not counted
    assert "end" in known
    specs = ["wide", "wide:on=target,value=least"]
    found = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=tuple(specs), check_languages=False), resources=resources
    )
    assert np.unique(found.values[:, 1]).tolist() == [0.0]
    assert (found.values[:, 0] > 0).all()
    model = train_model(
        edited,
        QERecipe(
            features=("surface", *specs),
            learner="ridge",
        ),
        resources=tmp_path / "made",
    )
    model.save(tmp_path / "model")
    again = QEModel.load(tmp_path / "model").predict(list(SOURCES), list(OUTPUTS))
    assert again.scores == pytest.approx(model.predict(list(SOURCES), list(OUTPUTS)).scores)
    build_resources(None, tmp_path / "made", ResourceRecipe(n_parts=2), post_edited=edited)
    assert load_resources(tmp_path / "made").get("wide_source_1") is None  # built anew without them


@pytest.mark.parametrize("line", ["the cat", "\t3", "the\tmany", "the\t-1", "the\tinf"])
def test_a_list_with_a_line_that_is_none_is_refused(tmp_path: Path, line: str) -> None:
    write_lines(tmp_path / "words.tsv", ["a\t1", line])
    with pytest.raises(FormatError, match=r"words\.tsv.*line 2 is .* expected an n-gram"):
        count_wide(tmp_path / "words.tsv")


def test_empty_corpora_and_too_many_are_refused(tmp_path: Path) -> None:
    write_lines(tmp_path / "words.tsv", ["a\t0"])
    with pytest.raises(DataError, match="the list of n-grams is empty"):
        count_wide(tmp_path / "words.tsv")
    write_lines(tmp_path / "empty", [])
    with pytest.raises(DataError, match="the corpus is empty"):
        count_wide(tmp_path / "empty")
    write_lines(tmp_path / "text", ["a b"])
    with pytest.raises(DataError, match="There may be 4 further corpora of the source language, got 5"):
        build_resources(
            Bitext.from_lines(["a"], ["b"]),
            tmp_path / "made",
            ResourceRecipe(source_wide=tuple([tmp_path / "text"] * 5)),
        )


def test_a_list_of_words_has_no_longer_ngrams() -> None:
    resources = Resources.of(wide_source_1=counts_of_list([("a", 1)]))
    with pytest.raises(DataError, match="n-grams of 1 to 1 words, not of 2"):
        _values("wide:length=2", "a b", resources)


def test_the_command_line_takes_corpora(tmp_path: Path) -> None:
    for name, lines in (("a.en", SOURCES), ("a.de", EDITS), ("more.en", ["the cat"]), ("words.tsv", ["hund\t2"])):
        write_lines(tmp_path / name, lines)
    folder = str(tmp_path / "made")
    made = CliRunner().invoke(
        group,
        [
            "qe",
            "resources",
            str(tmp_path / "a.en"),
            str(tmp_path / "a.de"),
            "-m",
            folder,
            "--source-wide",
            str(tmp_path / "more.en"),
            "--target-wide",
            str(tmp_path / "words.tsv"),
        ],
    )
    assert made.exit_code == 0, made.output
    assert "wide-source-1" in made.output
    assert load_resources(folder).missing(("wide_target_1",)) == []
