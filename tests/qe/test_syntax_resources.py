"""Parsers among the resources: copied, shared by held-out parts, carried by models, or replaced by parses in files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data import Bitext
from dragoman.errors import DataError, ModelError
from dragoman.qe import QEData, QEModel, extract_features, train_model, write_qe
from dragoman.qe.features import feature_set
from dragoman.qe.recipes import FeatureRecipe, QERecipe, ResourceRecipe
from dragoman.qe.resources import build_resources, load_resources
from dragoman.qe.resources.parses import GivenParses
from dragoman.qe.train import default_features
from dragoman.syntax import Parser
from dragoman.text.conllu import write_conllu
from tests.qe.parsed import tiny_grammar, tiny_parser

N = 24
SOURCES = tuple(f"the cat {n} sat on the {'mat' if n % 2 else 'end'} ." for n in range(N))
EDITS = tuple(f"she sees a {'well-known ' * (n % 4)}cat {n} {'!' if n % 3 else '. .'}" for n in range(N))
OUTPUTS = tuple(edit.replace("cat", "dogs") if n % 2 else edit for n, edit in enumerate(EDITS))
EDITED = QEData.of(SOURCES, OUTPUTS, EDITS)


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_parser(tmp_path_factory.mktemp("models") / "parser")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, parser: Path) -> Path:
    path = tmp_path_factory.mktemp("built") / "resources"
    built = build_resources(
        None,
        path,
        ResourceRecipe(n_parts=3, languages="en-es", source_parser=parser, target_parser=parser),
        post_edited=EDITED,
    )
    assert {"source-tag-lm", "target-tag-lexicon", "sequences", "projected", "tag-ibm1"} <= set(built.n_entries)
    return path


def test_parsers_serve_every_feature_of_text(folder: Path) -> None:
    resources = load_resources(folder)
    assert resources.missing(("source_parser", "target_parser", "projected", "sequences")) == []
    found = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("black-box+syntax",)), resources=resources, n_threads=2
    )
    assert found.values.shape == (N, len(feature_set("black-box+syntax")))
    assert default_features(folder) == "black-box+syntax"


def test_a_parser_parses_each_part_of_the_text_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    annotate = Parser.annotate

    def counted(self: Parser, token_lines: list[list[str]], **options: object) -> object:
        asked.append(len(token_lines))
        return annotate(self, token_lines, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(Parser, "annotate", counted)
    extract_features(SOURCES, OUTPUTS, FeatureRecipe(features=("target-syntax",)), resources=load_resources(folder))
    assert asked == [8, 8, 8]  # the held-out parts, the output side alone


def test_held_out_sentences_are_not_in_the_models_of_tags(folder: Path) -> None:
    resources = load_resources(folder)
    # The number of a sentence stands in it alone: its tag is known to the lexicon of the whole text only.
    unknown = extract_features(
        SOURCES, OUTPUTS, FeatureRecipe(features=("tag-ambiguity:value=unknown,on=source",)), resources=resources
    )
    assert (unknown.values[:, 0] > 0).all()
    new = extract_features(
        ["the cat 3 ran"],
        ["she sees"],
        FeatureRecipe(features=("tag-ambiguity:value=unknown,on=source",)),
        resources=resources,
    )
    assert new.values[0, 0] == 0.25
    spanish = extract_features(
        [SOURCES[0], "x y"],
        ["siete o ocho", "siete o ocho"],
        FeatureRecipe(features=("checks:kind=word-form",)),
        resources=resources,
    )
    assert spanish.values[:, 0].tolist() == [1, 1]  # held-out parts know the language, too


def test_what_was_built_before_is_gone_when_built_anew(tmp_path: Path, parser: Path) -> None:
    grammar = tiny_grammar(tmp_path / "grammar")
    for given in ({"target_parser": parser, "target_grammar": grammar}, {}):
        build_resources(Bitext.from_lines(SOURCES, EDITS), tmp_path / "r", ResourceRecipe(**given))
        found = load_resources(tmp_path / "r")
        there = not found.missing(("target_parser", "target_tag_lm", "target_grammar"))
        assert there == bool(given)
        assert found.missing(("source_parser", "tag_ibm1", "sequences")) == ["source_parser", "tag_ibm1", "sequences"]
    with pytest.raises(DataError, match="lies where the resources are built"):
        build_resources(
            Bitext.from_lines(SOURCES, EDITS),
            tmp_path / "p",
            ResourceRecipe(source_parser=tmp_path / "p" / "source-parser"),
        )
    with pytest.raises(ModelError, match="is a constituency grammar"):
        build_resources(Bitext.from_lines(SOURCES, EDITS), tmp_path / "q", ResourceRecipe(source_parser=grammar))


def test_a_model_carries_its_parsers(folder: Path, tmp_path: Path) -> None:
    features = ["target-length", "tree-shape", "link-tags", "checks:kind=word-form", "lm:model=target-tag,value=sum"]
    model = train_model(EDITED, QERecipe(features=tuple(features), learner="ridge"), resources=folder)
    model.save(tmp_path / "model")
    loaded = QEModel.load(tmp_path / "model")
    assert loaded.reading is not None
    assert isinstance(loaded.reading.resources.get("target_parser"), Parser)
    texts = ["the cat sat ."] * 2, ["she sees a cat", "siete o ocho"]
    assert loaded.predict(*texts).scores == pytest.approx(model.predict(*texts).scores, abs=0.5)
    rows = loaded.features(*texts)
    assert np.isfinite(rows.values).all()


def test_parses_in_files_do_without_a_parser(tmp_path: Path, parser: Path) -> None:
    parse = Parser.load(parser).parse
    for name, lines in (
        ("train.src", SOURCES),
        ("train.mt", OUTPUTS),
        ("test.src", SOURCES[:3]),
        ("test.mt", EDITS[:3]),
    ):
        sentences = parse([line.split() for line in lines])
        write_conllu(tmp_path / f"{name}.conllu", [each for each in sentences if each is not None])
    write_qe(QEData.of(SOURCES, OUTPUTS, EDITS, tuple(n % 5 / 5 for n in range(N))), tmp_path / "train")
    (tmp_path / "test.src").write_text("\n".join(SOURCES[:3]) + "\n", encoding="utf-8")
    (tmp_path / "test.mt").write_text("\n".join(EDITS[:3]) + "\n", encoding="utf-8")
    run = CliRunner()

    def dragoman(*words: str) -> str:
        done = run.invoke(group, [word.replace("@", f"{tmp_path}/") for word in words])
        assert done.exit_code == 0, done.output
        return done.output

    table = dragoman(
        "qe",
        "features",
        "@test.src",
        "@test.mt",
        "-f",
        "tree-shape",
        "-f",
        "common-tags",
        "--form",
        "tsv",
        "--layer",
        "source.dependencies=conllu:@test.src.conllu",
        "--layer",
        "dependencies=conllu:@test.mt.conllu",
    )
    assert table.splitlines()[0] == "tree-shape\tcommon-tags"
    assert len(table.splitlines()) == 4
    dragoman(
        "qe",
        "train",
        "--data",
        "@train",
        "-m",
        "@model",
        "-f",
        "tree-shape",
        "-f",
        "target-length",
        "-f",
        "target-punctuation",
        "--learner",
        "ridge",
        "--layer",
        "dependencies=conllu:@train.mt.conllu",
    )
    plain = run.invoke(group, ["qe", "predict", "--data", f"{tmp_path}/test", "-m", f"{tmp_path}/model"])
    assert plain.exit_code == 1
    assert "need target_parser" in str(plain.exception)
    given = ("--data", "@test", "-m", "@model", "--layer", "dependencies=conllu:@test.mt.conllu")
    assert "hter" in dragoman("qe", "predict", *given)
    assert "tree-shape" in dragoman("qe", "explain", *given)
    assert "decision" in dragoman("qe", "decide", *given)
    known, other = (f"{tmp_path}/test.{side}.conllu" for side in ("mt", "src"))
    with_table = [
        "qe",
        "predict",
        f"{tmp_path}/test.mt",
        "-m",
        f"{tmp_path}/model",
        "--layer",
        f"dependencies=conllu:{known}",
    ]
    assert run.invoke(group, with_table).exit_code == 2
    files = [f"{tmp_path}/test.src", f"{tmp_path}/test.mt"]
    wrong = run.invoke(group, ["qe", "features", *files, "-f", "tree-shape", "--layer", f"dependencies=conllu:{other}"])
    assert wrong.exit_code == 1
    assert "there is no parse of the sentence" in str(wrong.exception)
    wrong = run.invoke(group, ["qe", "features", *files, "-f", "tree-shape", "--layer", "stem=snowball:en"])
    assert "No quality feature asks for the layer stem. They ask for dependencies, names," in str(wrong.exception)
    # A parser makes the layer as well as a file does.
    table_by_parser = dragoman(
        "qe",
        "features",
        "@test.src",
        "@test.mt",
        "-f",
        "tree-shape",
        "--form",
        "tsv",
        "--layer",
        f"dependencies=parser:{parser}",
    )
    assert [line.split("\t")[0] for line in table.splitlines()] == table_by_parser.splitlines()


def test_parsers_are_named_on_the_command_line(tmp_path: Path, parser: Path) -> None:
    grammar = tiny_grammar(tmp_path / "grammar")
    for name, lines in (("s", SOURCES), ("t", EDITS)):
        (tmp_path / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = CliRunner().invoke(
        group,
        [
            "qe",
            "resources",
            f"{tmp_path}/s",
            f"{tmp_path}/t",
            "-m",
            f"{tmp_path}/r",
            "--source-parser",
            str(parser),
            "--target-parser",
            str(parser),
            "--source-grammar",
            str(grammar),
            "--target-grammar",
            str(grammar),
        ],
    )
    assert done.exit_code == 0, done.output
    assert "tag-ibm1" in done.output
    for name in ("wlv-shef12", "dcu12", "fbk13", "constituency"):
        needed = load_resources(tmp_path / "r").missing(("source_grammar", "target_parser"))
        assert needed == []
        if name != "dcu12":  # which also asks for a model of outputs
            extract_features(SOURCES, EDITS, FeatureRecipe(features=(name,)), resources=load_resources(tmp_path / "r"))


def test_the_first_of_two_parses_is_taken() -> None:
    from tests.qe.parsed import sentence

    found = GivenParses([sentence("a/X/0/root"), sentence("a/NOUN/0/root")])
    assert found.parse([["a"]])[0].words[0].upos == "X"
