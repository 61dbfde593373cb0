"""Links from corrections, by the paper's three steps; and engines adapted by them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.metrics.traces import ter_trace
from dragoman.smt import Engine, TableCombination
from dragoman.smt.adaptation import AdaptationRecipe, adapt_engine
from dragoman.smt.corrections import CorrectionLinks, composed

SOURCES = ["The flange is loose.", "Where is the flange?"]
CORRECTIONS = ["Der Flansch ist lose.", "Wo ist der Flansch?"]


def links_of(output: str, correction: str, *, source: str = "", links: str = "", **lexicon: dict[str, float]) -> str:
    """Links between output and correction in Pharaoh form; `links` are those of source and output."""
    trace = ter_trace([output], [[correction]], case_sensitive=True)[0]
    pairs = [(int(a), int(b)) for a, b in (each.split("-") for each in links.split())]
    found = CorrectionLinks().of_trace(trace, source.split(), pairs, lambda s, t: lexicon.get(s, {}).get(t, 0.0))
    return " ".join(f"{h}-{r}" for h, r in found)


def test_words_that_stay_are_linked_wherever_they_moved() -> None:
    assert links_of("a b c", "a b c") == "0-0 1-1 2-2"
    assert links_of("c d a b", "a b c d") == "0-2 1-3 2-0 3-1"


def test_a_changed_word_goes_where_its_neighbours_go_or_its_source_says() -> None:
    assert links_of("the house is big", "the home is big") == "0-0 1-1 2-2 3-3"
    # No neighbour is linked: only the lexicon knows, by the source word of what was put out.
    assert links_of("x", "u v") == ""
    assert links_of("x", "u v", source="s", links="0-0", s={"v": 0.4}) == "0-1"


def test_links_go_through_the_output() -> None:
    assert composed([(0, 1), (1, 0), (2, 2)], [(0, 0), (1, 3), (1, 4)]) == [(0, 3), (0, 4), (1, 0)]
    assert composed([], [(0, 0)]) == []


def test_an_engine_learns_what_its_output_was_corrected_to(engine: Engine, tmp_path: Path) -> None:
    before = engine.translate(["The flange?"])
    assert "Flansch" not in before[0]
    done = adapt_engine(engine, SOURCES, CORRECTIONS)
    assert (done.n_lines, done.alpha, done.tried) == (2, 0.6, ())
    assert 0 < done.n_new <= done.n_pairs
    done.engine.save(tmp_path / "adapted")
    assert "Flansch" in Engine.load(tmp_path / "adapted").translate(["The flange?"])[0]
    assert engine.translate(["The flange?"]) == before
    assert set(done.engine.weights) == set(engine.weights)


def test_outputs_of_others_are_explained_and_tables_may_be_filled_up(engine: Engine) -> None:
    outputs = ["Der Rand ist lose.", "Wo der Rand ist?"]
    done = adapt_engine(engine, SOURCES, CORRECTIONS, outputs, AdaptationRecipe(mode="fill-up"))
    assert done.alpha is None
    assert "fill-up.2" in done.engine.feature_names
    assert "Flansch" in done.engine.translate(["The flange?"])[0]


def test_alpha_is_the_best_on_the_tuning_set(engine: Engine, dev: TestSet) -> None:
    few = TestSet(srcs=dev.srcs[:10], refs={"ref": dev.refs["ref"][:10]})  # type: ignore[index]
    done = adapt_engine(engine, SOURCES, CORRECTIONS, dev=few)
    assert [alpha for alpha, _ in done.tried] == [None, *(round(0.5 + 0.05 * i, 2) for i in range(10))]
    best = max(bleu for alpha, bleu in done.tried if alpha is not None)
    assert dict(done.tried)[done.alpha] == best


def test_what_cannot_be_is_named(engine: Engine) -> None:
    with pytest.raises(DataError, match="sources=2, corrections=1"):
        adapt_engine(engine, SOURCES, CORRECTIONS[:1])
    with pytest.raises(DataError, match="outputs"):
        adapt_engine(engine, SOURCES, CORRECTIONS, ["one"])
    with pytest.raises(DataError, match="the text is empty"):
        adapt_engine(engine, [], [])
    with pytest.raises(DataError, match=r"a share from 0 to 1, got 1.5"):
        adapt_engine(engine, SOURCES, CORRECTIONS, recipe=AdaptationRecipe(alpha=1.5))
    with pytest.raises(DataError, match=r"a share from 0 to 1, got nan"):
        adapt_engine(engine, SOURCES, CORRECTIONS, recipe=AdaptationRecipe(alpha=float("nan")))
    with pytest.raises(DataError, match="give no phrases"):
        adapt_engine(engine, ["The flange."], [""])


def test_a_table_of_several_texts_is_adapted_as_the_refusal_says(engine: Engine) -> None:
    table = engine.models.table
    assert table is not None

    def of(**combination: Any) -> Engine:
        joined = TableCombination(**combination).combine([table, table])
        return Engine(engine.recipe, replace(engine.models, table=joined))

    for mode, features in (("either", r"8 \(table1\.1, "), ("fill-up", r"5 \(table\.1, .*fill-up\.2")):
        with pytest.raises(DataError, match=f"has {features}.*tables.mode=interpolated or pooled"):
            adapt_engine(of(mode=mode), SOURCES, CORRECTIONS)
    for recipe in ({"mode": "interpolated", "weights": (0.5, 0.5)}, {"mode": "pooled"}):
        assert adapt_engine(of(**recipe), SOURCES, CORRECTIONS).n_new


def test_the_command_saves_the_adapted_engine(model: Path, tmp_path: Path) -> None:
    for name, lines in (("s", SOURCES), ("t", CORRECTIONS)):
        write_lines(tmp_path / name, lines)
    call = ["smt", "adapt", "-m", str(model), "--src", str(tmp_path / "s"), "--post-edit", str(tmp_path / "t")]
    done = CliRunner().invoke(group, [*call, "-o", str(tmp_path / "new"), "--alpha", "0.5", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["meta"]["alpha"] == 0.5
    assert "Flansch" in Engine.load(tmp_path / "new").translate(["The flange?"])[0]
