from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError
from dragoman.files import write_lines
from dragoman.learn import LEARNERS
from dragoman.qe.studies import TemplateRecipe, phrase_report
from dragoman.qe.studies.phrase_material import PhraseMaterial, functional_bigrams, read_table_phrases, split_bigrams
from dragoman.qe.studies.phrases import TEMPLATES, common_run, common_subsequence, is_alike, replaced_runs


def test_likeness_of_the_example_in_wu_and_zhao_2012() -> None:
    first, second = ["I", "am", "happy"], ["I", "am", "very", "happy"]
    assert (common_subsequence(first, second), common_run(first, second)) == (3, 2)
    assert common_subsequence(first, second) ** 2 / 12 == 0.75
    assert not is_alike(tuple(first), tuple(second))  # the run is too short
    assert is_alike(("I", "am", "happy", "now"), ("I", "am", "happy"))
    assert not is_alike((), ("a",))


@given(st.lists(st.sampled_from("ab"), max_size=6), st.lists(st.sampled_from("ab"), max_size=6))
def test_common_runs_and_subsequences_are_the_longest(first: list[str], second: list[str]) -> None:
    runs = [first[a:b] for a in range(len(first) + 1) for b in range(a, len(first) + 1)]
    inside = [run for run in runs if any(second[at : at + len(run)] == run for at in range(len(second) + 1))]
    assert common_run(first, second) == max(map(len, inside))
    subsets = [[w for i, w in enumerate(first) if bits >> i & 1] for bits in range(1 << len(first))]

    def within(wanted: list[str]) -> bool:
        rest = iter(second)
        return all(word in rest for word in wanted)

    assert common_subsequence(first, second) == max(len(each) for each in subsets if within(each))


def test_words_that_a_post_edit_has_not_are_runs() -> None:
    assert replaced_runs(["a", "b", "c", "d", "e"], ["a", "x", "d", "e"]) == [(1, 3)]
    assert replaced_runs(["a", "a", "b"], ["a", "b"]) == [(1, 2)]  # one copy has a partner
    assert replaced_runs([], ["a"]) == []
    assert replaced_runs(["b"], []) == [(0, 1)]


SOURCES = ["der Hund schläft"] * 4 + ["die Katze schläft"] * 4
OUTPUTS = ["the dog dog sleeps"] * 4 + ["the cat sleeps"] * 4
EDITS = ["the dog sleeps"] * 4 + ["the cat sleeps"] * 4
SCORES = np.array([0.5] * 4 + [0.0] * 4)


def test_bad_phrases_stand_in_no_good_sentence() -> None:
    found = TemplateRecipe(tail=0.4).mine(
        SOURCES, OUTPUTS, SCORES, higher_is_better=False, beside=PhraseMaterial(EDITS)
    )
    assert ("dog", "dog") in found.phrases["target-bad"]
    assert ("the", "cat") in found.phrases["target-good"]
    assert not any(" ".join(gram) in line for gram in found.phrases["target-bad"] for line in OUTPUTS[4:])
    assert found.phrases["anchored"] == {("dog", "…", "sleeps"): 4}
    assert ("dog", "sleeps") in found.phrases["replaced"]
    columns = found.columns(["", ""], ["dog dog", ""])
    bad = list(found.phrases).index("target-bad")
    assert columns[0, bad] == pytest.approx(1 / len(found.phrases["target-bad"]))
    assert not columns[1].any()
    alike = found.expanded([("the", "dog", "dog", "sleeps", "now"), ("a", "b")], "target-bad")
    assert alike - set(found.phrases["target-bad"]) == {("the", "dog", "dog", "sleeps", "now")}


def test_source_bigrams_are_split_where_their_counterparts_stand_apart() -> None:
    def split(*pairs: tuple[int, int]) -> dict[tuple[str, ...], int]:
        return split_bigrams(["ich habe geschlafen"], np.array(pairs, dtype=np.uint16), np.array([0, len(pairs)]))

    assert split((0, 0), (1, 1), (2, 3)) == {("habe", "geschlafen"): 1}
    assert split((0, 0), (1, 1), (1, 2), (2, 3)) == {}
    assert split((0, 0), (2, 3)) == {}  # a word without a counterpart is apart from nothing


def test_bigrams_with_a_functional_word_that_the_corpus_has_not() -> None:
    assert functional_bigrams(["the dog sleeps deeply on a mat"]) == {
        ("the", "dog"),
        ("dog", "sleeps"),
        ("deeply", "on"),
        ("on", "a"),
        ("a", "mat"),
    }
    usual = frozenset({("the", "dog"), ("the", "cat"), ("cat", "sleeps"), ("dog", "sleeps")})
    found = TemplateRecipe(tail=0.4).mine(
        SOURCES, OUTPUTS, SCORES, higher_is_better=False, beside=PhraseMaterial(usual=usual)
    )
    assert found.phrases["functional"] == {("dog", "dog"): 4}
    column = list(found.phrases).index("functional")
    assert found.columns(["", ""], ["a dog dog", "a dog"])[:, column].tolist() == [1, 0]


def test_the_source_against_its_back_translation_and_a_phrase_table(tmp_path: Path) -> None:
    back = ["der Hund ruht"] * 4 + ["die Katze schläft"] * 4
    table = tmp_path / "table"
    table.write_text(
        "der Hund schläft tief ||| the dog dog sleeps well ||| 1 1 1 1\nx ||| y ||| 1 1 1 1\n", encoding="utf-8"
    )
    beside = PhraseMaterial(EDITS, EDITS, back, {("der", "Hund"): 3}, frozenset(), read_table_phrases(table))
    found = TemplateRecipe(tail=0.4).mine(SOURCES, OUTPUTS, SCORES, higher_is_better=False, beside=beside)
    assert tuple(found.phrases) == TEMPLATES
    assert len(TEMPLATES) == 11
    assert found.phrases["source-replaced"] == {("Hund", "schläft"): 4}
    assert found.phrases["source-anchored"] == {}  # nothing stands behind what differs
    assert found.phrases["source-split"] == {("der", "Hund"): 3}
    assert found.phrases["reference"][("the", "dog", "sleeps")] == 4
    assert found.phrases["target-bad"][("the", "dog", "dog", "sleeps", "well")] == 0  # alike, and of the table
    assert found.phrases["source-bad"][("der", "Hund", "schläft", "tief")] == 0
    assert ("y",) not in found.phrases["target-bad"]
    row = found.columns(["der Hund schläft"], ["the dog dog sleeps"])[0]
    assert row[list(found.phrases).index("source-replaced")] == 1
    assert row.shape == (11,)
    write_lines(table, ["no table"])
    with pytest.raises(FormatError, match="table:1: expected a source phrase and a target phrase"):
        read_table_phrases(table)


def test_what_has_no_good_or_bad_is_refused() -> None:
    with pytest.raises(DataError, match="nothing that tells them apart"):
        TemplateRecipe().mine(SOURCES, OUTPUTS, np.zeros(8), higher_is_better=False)
    with pytest.raises(DataError, match="The shortest phrases have 4 words, the longest 3"):
        TemplateRecipe(shortest=4, longest=3).mine(SOURCES, OUTPUTS, SCORES, higher_is_better=False)
    with pytest.raises(DataError, match="post_edits"):
        phrase_report(LEARNERS.make("ridge"), SOURCES, OUTPUTS, SCORES, beside=PhraseMaterial(EDITS[:3]))
    with pytest.raises(DataError, match="There are no sentences"):
        TemplateRecipe().mine([], [], np.zeros(0), higher_is_better=False)


def test_phrases_mined_from_all_flatter_themselves() -> None:
    """Scores by chance: nothing can be learnt, and what has seen the answers seems to."""
    draw = np.random.default_rng(1)
    words = [[f"w{number}" for number in draw.integers(0, 12, size=8)] for _ in range(120)]
    lines = [" ".join(each) for each in words]
    report = phrase_report(
        LEARNERS.make("ridge:alpha=0.01"), lines, lines, draw.uniform(size=120), TemplateRecipe(tail=0.3)
    )
    pearson = {way: values["pearson"] for way, values in report.measures}
    assert pearson["mined from all"] > 0.4
    assert pearson["mined inside folds"] < 0.3


def test_it_is_a_command(tmp_path: Path) -> None:
    for name, lines in (("src", SOURCES * 3), ("mt", OUTPUTS * 3), ("hter", [*map(str, SCORES.tolist())] * 3)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    files = [str(tmp_path / name) for name in ("src", "mt", "hter")]
    done = CliRunner().invoke(group, ["qe", "study", "phrases", *files, "--tail", "0.4", "--json"])
    assert done.exit_code == 0, done.output
    assert {"template": "target-bad", "phrase": "dog dog", "sentences": 12} in json.loads(done.output)["rows"]
    beside = ["--references", files[1], "--back", files[0], "--bitext", files[0], files[1]]
    done = CliRunner().invoke(group, ["qe", "study", "phrases", *files, *beside, "--tail", "0.4", "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.output)["meta"]["sizes"].keys() == set(TEMPLATES) - {"replaced", "anchored"}
