"""Streams: no look-ahead, systems by their definition, and what is said of streams that cannot be."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import write_lines
from dragoman.smt import Engine
from dragoman.smt.stream import StreamRecipe, stream_blocks, translate_stream
from dragoman.smt.stream_models import Shares, StreamModels, dictionary

SOURCES = [
    "The flange is loose.",
    "Tighten the flange.",
    "Is the gasket worn?",
    "The gasket is worn.",
    "The flange is worn.",
    "Tighten the gasket.",
    "Is the flange loose?",
    "The gasket is loose.",
]
TARGETS = [
    "Der Flansch ist lose.",
    "Ziehen Sie den Flansch fest.",
    "Ist die Dichtung verschlissen?",
    "Die Dichtung ist verschlissen.",
    "Der Flansch ist verschlissen.",
    "Ziehen Sie die Dichtung fest.",
    "Ist der Flansch lose?",
    "Die Dichtung ist lose.",
]
BLOCKS = [0, 0, 1, 1, 2, 2, 3, 3]


def test_a_block_never_depends_on_its_own_target_or_later_ones(engine: Engine) -> None:
    fair = ("static", "adaptive", "foreground")
    outputs = translate_stream(engine, SOURCES, TARGETS, BLOCKS, systems=fair)
    other = [*TARGETS[:4], "Das Rohr ist undicht.", "Ziehen Sie das Rohr fest.", *TARGETS[6:]]
    changed = translate_stream(engine, SOURCES, other, BLOCKS, systems=fair)
    for name in fair:
        assert outputs[name][:6] == changed[name][:6]  # blocks 1 to 3 know nothing of the targets from block 3 on
    rings = [target.replace("Flansch", "Ring") for target in TARGETS]
    learnt = translate_stream(engine, SOURCES, rings, BLOCKS, systems=("adaptive", "foreground"))
    assert "Ring" in learnt["adaptive"][4]
    assert "Ring" in learnt["foreground"][4]
    assert (
        outputs["foreground"][:2] == outputs["adaptive"][:2] == outputs["static"][:2] == engine.translate(SOURCES[:2])
    )


def test_the_unfair_system_knows_what_it_translates_and_the_engine_stays_as_it_is(engine: Engine) -> None:
    before = engine.translate(SOURCES)
    outputs = translate_stream(engine, SOURCES, TARGETS, BLOCKS, systems=("unfair",))
    same = sum(output == target for output, target in zip(outputs["unfair"], TARGETS, strict=True))
    assert same > sum(output == target for output, target in zip(before, TARGETS, strict=True)) + 3
    assert engine.translate(SOURCES) == before


def test_the_foreground_has_phrases_orientations_and_weights_of_its_own(engine: Engine) -> None:
    models = StreamModels(engine)
    models.learn(SOURCES[:4], TARGETS[:4])
    adaptive = models.beside(Shares(phrases=0.5, lm=2.0, left=0.25))
    own = engine.trained_weights
    assert adaptive.weights["index.3"] == 0.5 * own["table.3"]
    assert adaptive.weights["stream-lm"] == 2 * own["lm"]
    assert adaptive.weights["lm"] == 0.25 * own["lm"]
    assert adaptive.weights["before.1"] == own["before.1"] if "before.1" in own else True
    assert adaptive.models.index is not None
    assert adaptive.models.index.orientation == engine.models.phrases.orientation
    assert "stream-lm" not in models.alone().feature_names


def test_a_dictionary_is_the_tables_single_words(engine: Engine) -> None:
    assert engine.models.table is not None
    sources, targets = dictionary(engine.models.table)
    assert len(sources) == len(targets) > 100
    assert not any(" " in word for word in (*sources, *targets))


def test_a_report_has_scores_and_slopes(engine: Engine) -> None:
    many = TestSet(srcs=SOURCES * 2, refs={"ref": TARGETS * 2})
    report = stream_blocks(engine, many, StreamRecipe(words=10, trials=20), systems=("static", "adaptive"))
    meta = report.meta()
    assert meta["scores"]["adaptive"]["ter"] < meta["scores"]["static"]["ter"]
    assert meta["slopes_so_far"]["adaptive"] < 100
    assert [column.name for column in report.tables()[0].columns][-4:] == ["slope", "low", "high", "so_far"]


def test_what_cannot_be_is_named(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(DataError, match="sources and a reference"):
        stream_blocks(engine, TestSet(refs={"ref": TARGETS}))
    with pytest.raises(DataError, match="Segment 2 of the stream has an empty side"):
        stream_blocks(engine, TestSet(srcs=["a", ""], refs={"ref": ["b", "c"]}))
    with pytest.raises(DataError, match=r"has 1 blocks; a slope needs 5. Take more text, or fewer words .* than 1000"):
        stream_blocks(engine, TestSet(srcs=SOURCES, refs={"ref": TARGETS}))
    with pytest.raises(DataError, match="No system of a stream is called fair"):
        translate_stream(engine, SOURCES, TARGETS, BLOCKS, systems=("fair",))
    with pytest.raises(DataError, match="blocks"):
        translate_stream(engine, SOURCES, TARGETS, BLOCKS[:3])
    models = StreamModels(engine)
    models.learn(SOURCES[:2], TARGETS[:2])
    looked_up = replace(models.engine.models, index=models.alone().models.index, table=None)
    with pytest.raises(DataError, match="an engine with a phrase table alone"):
        StreamModels(Engine(engine.recipe, looked_up))


def test_the_command_writes_what_the_systems_made(model: Path, tmp_path: Path) -> None:
    write_lines(tmp_path / "s", SOURCES)
    write_lines(tmp_path / "t", TARGETS)
    call = ["smt", "stream", "-m", str(model), "--src", str(tmp_path / "s"), "--ref", str(tmp_path / "t")]
    call += ["--words", "4", "--trials", "10", "--system", "static", "--system", "adaptive"]
    done = CliRunner().invoke(group, [*call, "--outputs", str(tmp_path / "out"), "--json"])
    assert done.exit_code == 0, done.output
    assert set(json.loads(done.stdout)["meta"]["slopes"]) == {"static", "adaptive"}
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["adaptive", "static"]
