"""Scoring and cleaning in parts."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.corpus import clean
from dragoman.corpus.parts import clean_in_parts, score_in_parts
from dragoman.corpus.scorers import PAIR_SCORERS, score_pairs
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import Workshop
from dragoman.samples import phrasebook


@pytest.fixture(scope="module")
def bitext() -> Bitext:
    book = phrasebook()
    sources, targets = book["en"][:90], book["de"][:90]
    sources[7], targets[40], sources[88] = "", "a b " * 60, "A &amp; B"
    return Bitext.from_lines(sources, targets, source_lang="en", target_lang="de")


def test_scores_of_parts_are_those_of_the_whole(bitext: Bitext, tmp_path: Path) -> None:
    scorer = PAIR_SCORERS.make("model1").train(bitext)
    scorer.save(tmp_path / "scorer")
    shop = Workshop(tmp_path / "shop")
    scores = score_in_parts(bitext, tmp_path / "scorer", shop, part=31)
    whole = score_pairs(bitext, scorer)
    np.testing.assert_array_equal(scores.scores, whole.scores)
    assert (scores.bar, scores.scorer, shop.n_done) == (whole.bar, whole.scorer, 3)
    again = Workshop(tmp_path / "shop")
    score_in_parts(bitext, tmp_path / "scorer", again, part=31)
    assert again.n_done == 0


@pytest.mark.parametrize("keep_entities", [False, True])
def test_cleaning_in_parts_is_cleaning(bitext: Bitext, tmp_path: Path, keep_entities: bool) -> None:
    filters = ("empty", "length:low=3,high=40", "ratio:high=1.5")
    how = {"keep_entities": keep_entities, "examples": 2}
    parts = clean_in_parts(bitext, filters, Workshop(tmp_path), part=20, **how)
    whole = clean(bitext, filters, **how)
    assert [step.removed for step in whole.steps[:2]] != [0, 0]
    assert (parts.steps, parts.pairs, parts.mended, parts.flags) == (
        whole.steps,
        whole.pairs,
        whole.mended,
        whole.flags,
    )
    assert list(parts.kept) == list(whole.kept)


def test_a_filter_that_compares_pairs_is_refused(bitext: Bitext, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"The filter duplicate compares pairs with each other"):
        clean_in_parts(bitext, ["empty", "duplicate"], Workshop(tmp_path), part=20)


def test_the_command_cleans_with_processes_and_leaves_other_files_alone(
    bitext: Bitext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang, side in (("en", 0), ("de", 1)):
        Path(f"text.{lang}").write_text("".join(f"{pair[side]}\n" for pair in bitext), encoding="utf-8")
    Path("work").mkdir()
    Path("work/mine.txt").write_text("mine")
    printed = []
    for more in (["--workers", "1", "--part", "50", "--work", "work"], []):
        words = ["corpus", "clean", "text.en", "text.de", "--to", f"clean{len(printed)}", *more]
        printed.append(CliRunner(catch_exceptions=False).invoke(group, words).output)
    assert printed[0] == printed[1]
    assert Path("clean0.en").read_bytes() == Path("clean1.en").read_bytes()
    assert [path.name for path in Path("work").iterdir()] == ["mine.txt"]
