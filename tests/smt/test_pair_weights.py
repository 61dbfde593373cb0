"""Weights of sentence pairs in extraction: whole numbers repeat a pair, only their ratio matters, 0 leaves out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.errors import DataError, DoubtfulInput, FormatError
from dragoman.files import write_lines
from dragoman.smt import EngineRecipe, PhraseExtraction, PhraseTable
from dragoman.smt.corpora import CORPUS_ROLES, corpora_of
from dragoman.smt.pair_weights import read_pair_weights
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from tests.examples import examples
from tests.smt.test_extraction import Sentence, aligned
from tests.smt.test_tables import close, pairs_of, texts

COUNTED = PhraseExtraction(smoothing="none", translations_per_phrase=0)


def weighted(text: list[Sentence], weights: list[float], **changes: object) -> PhraseTable:
    one, *words = aligned(text)
    recipe = COUNTED.from_dict({**COUNTED.to_dict(), **changes})
    return recipe.extract(replace(one, weights=np.array(weights, dtype=np.float32)), *words)


@given(texts, st.data())
def test_a_whole_number_is_as_good_as_so_many_copies(text: list[Sentence], data: st.DataObject) -> None:
    times = data.draw(st.lists(st.integers(0, 3), min_size=len(text), max_size=len(text)).filter(any))
    copies = [each for each, n in zip(text, times, strict=True) for _ in range(n)]
    found, expected = pairs_of(weighted(text, [float(n) for n in times])), pairs_of(COUNTED.extract(*aligned(copies)))
    assert set(found) == set(expected)
    for pair, (scores,) in found.items():
        assert close(scores, expected[pair][0])


@pytest.mark.parametrize("smoothing", ["none", "good-turing", "kneser-ney"])
@given(texts)
@examples(10)
def test_only_the_ratio_of_weights_matters_to_probabilities(smoothing: str, text: list[Sentence]) -> None:
    ones, sevens = (pairs_of(weighted(text, [w] * len(text), smoothing=smoothing)) for w in (1.0, 7.0))
    plain = pairs_of(replace(COUNTED, smoothing=smoothing).extract(*aligned(text)))
    assert ones == plain
    for pair, (scores,) in sevens.items():
        assert close(scores[:4], plain[pair][0][:4])
        assert close(scores[-3:], [7 * count for count in plain[pair][0][-3:]])


@pytest.mark.parametrize("weights", [[1.0], [1.0, -1.0], [1.0, float("nan")], [1.0, float("inf")]])
def test_the_kernel_refuses_weights_that_are_none(weights: list[float]) -> None:
    text: list[Sentence] = [(["a"], ["A"], frozenset({(0, 0)}))] * 2
    with pytest.raises(DataError, match=r"weights for 2 sentence pairs|a number from 0 on"):
        weighted(text, weights)


@pytest.mark.parametrize(("line", "shown"), [("-1", "'-1'"), ("nan", "'nan'"), ("much", "'much'"), ("", "''")])
def test_a_file_of_weights_is_read_with_its_lines_named(tmp_path: Path, line: str, shown: str) -> None:
    write_lines(tmp_path / "w", ["1", line])
    with pytest.raises(FormatError, match=rf"w:2: the weight of a sentence pair is a number from 0 on, got {shown}"):
        read_pair_weights(tmp_path / "w")
    write_lines(tmp_path / "w", ["0", "0"])
    with pytest.raises(FormatError, match="all weights are 0"):
        read_pair_weights(tmp_path / "w")


def test_weights_go_from_a_corpus_into_the_pooled_table(book: dict[str, list[str]], tmp_path: Path) -> None:
    texts = {"a": slice(0, 60), "b": slice(60, 200)}
    for name, part in texts.items():
        for lang in ("en", "de"):
            write_lines(tmp_path / f"{name}.{lang}", book[lang][part])
    write_lines(tmp_path / "w", ["3"] * 60)
    settings = ["tables.mode=pooled", "phrases.smoothing=none", "tune.method=none", "classes.number=0"]
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), settings)

    def count(*specs: str, more: list[str] | None = None) -> int:
        corpora = corpora_of([CORPUS_ROLES.make(spec).from_folder(tmp_path) for spec in specs])
        table = train_engine(corpora, changed(recipe, more or []), work=tmp_path / "work").engine.models.table
        assert table is not None
        return table.count(".")

    plain = count("all:src=a.en,tgt=a.de", "all:src=b.en,tgt=b.de")
    other = count("all:src=b.en,tgt=b.de", more=["tables.mode=fill-up"])
    assert count("all:src=a.en,tgt=a.de,pair_weights=w", "all:src=b.en,tgt=b.de") == pytest.approx(
        3 * (plain - other) + other, abs=15
    )
    assert count("all:src=a.en,tgt=a.de,pair_weight=2", "all:src=b.en,tgt=b.de,pair_weight=2") == 2 * plain
    told = pytest.warns(DoubtfulInput, match=r"phrases\.smoothing, tables\.mode \(index\.use=only\)")
    with pytest.raises(DataError, match="index and pruning by use count every pair once"), told:
        count("all:src=a.en,tgt=a.de,pair_weights=w", "all:src=b.en,tgt=b.de", more=["index.use=only"])
    with pytest.raises(DataError, match=r"has 60 weights, .*b.de has 140 sentence pairs"):
        count("all:src=a.en,tgt=a.de", "all:src=b.en,tgt=b.de,pair_weights=w")
    with pytest.raises(DataError, match=r"weigh more than 0, got -1.0"):
        count("all:src=a.en,tgt=a.de,pair_weight=-1")


def test_the_command_extracts_with_weights(tmp_path: Path) -> None:
    write_lines(tmp_path / "s", ["a", "a"])
    write_lines(tmp_path / "t", ["A", "B"])
    write_lines(tmp_path / "l", ["0-0", "0-0"])
    write_lines(tmp_path / "w", ["3", "1"])
    files = [str(tmp_path / name) for name in ("s", "t", "l")]
    done = CliRunner().invoke(
        group, ["smt", "extract", *files, "-m", str(tmp_path / "m"), "--weights", str(tmp_path / "w")]
    )
    assert done.exit_code == 0, done.output
    best = PhraseTable.load(tmp_path / "m").translations("a")[0]
    assert (best.target, round(float(np.exp(best.scores[2])), 6)) == ("A", 0.75)
