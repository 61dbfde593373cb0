"""Arguments of nouns: NomBank's files, frames by function tags, and the labeller."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.syntax.bracketed import read_treebank
from dragoman.syntax.noun_frames import NounFrame, TreeView, function_tag_frames, read_nombank
from dragoman.syntax.noun_roles import NounRoleLabeller, NounRoleRecipe, class_features, node_features
from dragoman.text.trees import Tree, parse_tree

TREE = (
    "(S (NP-SBJ (NP (NP (NNP Rome) (POS 's)) (NN destruction)) (PP (IN of) (NP (NNP Carthage))) (PP-TMP (IN in) "
    "(NP (CD 146)))) (VP (VBD was) (ADJP-PRD (JJ complete))) (. .))"
)


def said(frame: NounFrame) -> dict[str, str]:
    view = TreeView(frame.tree)
    return {" ".join(view.words(node)): label for node, label in frame.arguments.items()}


def test_function_tags_and_prepositions_tell_arguments() -> None:
    (frame,) = function_tag_frames([parse_tree(TREE)])
    assert frame.tree.labels[frame.predicate] == "destruction"
    assert said(frame) == {"rome 's": "ARG0", "of carthage": "ARG1", "in 146": "ARGM-TMP"}
    assert function_tag_frames([parse_tree("(NP (DT a) (NN cat))")]) == []


def test_features_of_a_node() -> None:
    (frame,) = function_tag_frames([parse_tree(TREE)])
    (carthage,) = (node for node, label in frame.arguments.items() if label == "ARG1")
    features = node_features(frame.tree, frame.predicate, carthage)
    assert len(features) == 18 + 1  # and a constant one
    expected = ("pred=destruct", "ptype=PP", "hw=of", "position=right", "path=PP↑NP↓NP↓NN", "partialpath=PP↑NP")
    assert set(expected) <= set(features)
    around = ("lsis.ptype=NP", "rsis.hw=in", "rsis.hw.pos=IN", "parent.hw=destruction", "subcat=NP→NP→NN")
    assert set(around) <= set(features)
    assert len(class_features(frame.tree, frame.predicate, carthage)) == 11 + 1


def write_nombank(folder: Path, arguments: str) -> tuple[Path, Path]:
    (folder / "trees").mkdir()
    (folder / "trees" / "a.mrg").write_text(f"( {TREE})\n", encoding="utf-8")
    (folder / "nombank").write_text(f"a.mrg 0 2 destruction 01 {arguments}\n", encoding="utf-8")
    return folder / "nombank", folder / "trees"


def test_files_of_nombank(tmp_path: Path) -> None:
    (frame,) = read_nombank(*write_nombank(tmp_path, "2:0-rel 0:1-ARG0 3:1*4:0-ARG1 5:1-ARGM-TMP 7:0-Support"))
    (expected,) = function_tag_frames([parse_tree(TREE)])
    assert frame == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("99:0-ARG0", "'99:0-ARG0' points to no node of the tree"),
        ("0-ARG0", "'0-ARG0' points to no node"),
    ],
)
def test_pointers_to_nowhere_are_named(tmp_path: Path, arguments: str, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read_nombank(*write_nombank(tmp_path, arguments))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("b.mrg 0 2 noun 01 2:0-rel", "there are no trees"),
        ("a.mrg x 2 noun 01", "expected a tree file, a sentence, a word"),
        ("a.mrg 3 2 noun 01", "the file has 1 trees, so none is number 3"),
        ("a.mrg 0 50 noun 01", "the tree has 10 words; 50 is none of them"),
    ],
)
def test_lines_that_fit_no_tree_are_named(tmp_path: Path, line: str, message: str) -> None:
    path, trees = write_nombank(tmp_path, "")
    path.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_nombank(path, trees)


def toy_frames() -> list[NounFrame]:
    texts = [
        TREE.replace("Rome", who).replace("Carthage", whom).replace("destruction", noun)
        for who in ("Rome", "Athens", "Egypt")
        for whom in ("Carthage", "Troy")
        for noun in ("destruction", "treatment", "invasion")
    ]
    return function_tag_frames([parse_tree(text) for text in texts])


def test_it_learns_and_is_the_same_after_saving(tmp_path: Path) -> None:
    frames = toy_frames()
    for h in (0, 3):
        labeller = NounRoleRecipe(h=h).train(frames[:12])
        assert labeller.evaluate(frames[12:]).f1 == (1, 1, 1)
    labeller.save(tmp_path / "model")
    again = NounRoleLabeller.load(tmp_path / "model")
    assert again.label(frames[-1].tree, frames[-1].predicate) == dict(frames[-1].arguments)
    assert "18 nouns with 54 arguments" in labeller.evaluate(frames).render()
    with pytest.raises(DataError, match="1 nouns have no arguments, or nothing else"):
        NounRoleRecipe().train([NounFrame(frames[0].tree, frames[0].predicate, {})])


def test_the_commands(tmp_path: Path) -> None:
    trees = tmp_path / "trees.mrg"
    trees.write_text("".join(f"( {frame.tree})\n" for frame in toy_frames()), encoding="utf-8")

    def run(*arguments: str) -> dict[str, Any]:
        result = CliRunner().invoke(group, ["syntax", "nouns", *arguments, "-m", str(tmp_path / "model"), "--json"])
        assert result.exit_code == 0, result.output
        return dict(json.loads(result.output))

    assert run("train", str(trees), "--h", "3")["rows"][2] == {"stage": "both", "F1": 100.0}
    assert run("evaluate", str(trees))["meta"]["nouns"] == 18
    assert run("apply", str(trees))["rows"][0] == {
        "tree": 1,
        "noun": "destruction",
        "label": "ARG0",
        "words": "rome 's",
    }
    path, folder = write_nombank(tmp_path, "2:0-rel 0:1-ARG0")
    assert run("evaluate", str(folder), "--nombank", str(path))["meta"]["nouns"] == 1


@pytest.mark.realdata
@pytest.mark.slow
def test_frames_of_the_penn_treebank_sample_are_learnt(data_folder: Path, tmp_path: Path) -> None:
    trees: list[Tree] = []
    with zipfile.ZipFile(data_folder / "treebank-sample" / "treebank.zip") as archive:
        for name in sorted(archive.namelist())[:80]:
            if name.startswith("treebank/combined/") and name.endswith(".mrg"):
                trees += read_treebank(archive.extract(name, tmp_path))
    frames = function_tag_frames(trees)
    cut = len(frames) * 3 // 4
    alone, shared = (NounRoleRecipe(h=h).train(frames[:cut]).evaluate(frames[cut:]).f1 for h in (0, 20))
    assert min(*alone, *shared) > 0.6
