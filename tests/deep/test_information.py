"""Mutual information of labels against its definition, and what merging labels may do."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.deep import formeme_information, held_out_information, label_information, mutual_information
from dragoman.errors import DataError
from dragoman.text.conllu import read_conllu, write_conllu
from tests.deep.test_formemes import COME, GIVE, tree

LABELS = st.sampled_from(["v:fin", "v:rc", "n:1", "n:2"])
PAIRS = st.lists(st.tuples(LABELS, LABELS), min_size=2, max_size=40)


@given(PAIRS)
def test_information_is_what_it_is_defined_as(pairs: list[tuple[str, str]]) -> None:
    n = len(pairs)
    total = 0.0
    for x in {x for x, _ in pairs}:
        for y in {y for _, y in pairs}:
            both = sum(pair == (x, y) for pair in pairs) / n
            one, other = sum(a == x for a, _ in pairs) / n, sum(b == y for _, b in pairs) / n
            total += both * math.log2(both / (one * other)) if both else 0.0
    assert mutual_information(pairs) == pytest.approx(total, abs=1e-12)
    assert math.isfinite(held_out_information(pairs))


@given(PAIRS)
def test_merging_never_raises_information(pairs: list[tuple[str, str]]) -> None:
    merged = [("v" if x.startswith("v") else x, y) for x, y in pairs]
    assert mutual_information(merged) <= mutual_information(pairs) + 1e-12


def test_labels_that_say_all_and_nothing() -> None:
    assert mutual_information([("a", "x"), ("b", "y")] * 4) == pytest.approx(1)
    assert mutual_information([("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]) == pytest.approx(0)
    assert held_out_information([("a", "x"), ("a", "x"), ("b", "y"), ("b", "y")] * 50) > 0.9
    result = label_information([("a", "x"), ("b", "y")] * 4, [{"a": "b"}])
    assert [round(each.bits, 6) for each in result.sets] == [1.0, 0.0]
    assert result.sets[0].normalised == pytest.approx(1)
    with pytest.raises(DataError, match="no pair of labels"):
        mutual_information([])
    with pytest.raises(DataError, match="No linked node has the label 'z'"):
        label_information([("a", "x"), ("b", "y")], [{"z": "a"}])


def test_links_and_sentences_must_fit() -> None:
    with pytest.raises(DataError, match="first=1, second=2"):
        formeme_information([tree(GIVE)], [tree(GIVE)] * 2, ("en", "en"))
    with pytest.raises(DataError, match="first=1, second=1, links=0"):
        formeme_information([tree(GIVE)], [tree(GIVE)], ("en", "en"), links=[])
    with pytest.raises(DataError, match="Sentence 1: the link 9-0 leaves its sentences of 5 and 5 words"):
        formeme_information([tree(GIVE)], [tree(GIVE)], ("en", "en"), links=[[(9, 0)]])


def test_the_commands(tmp_path: Path) -> None:
    write_conllu(tmp_path / "en.conllu", [tree(GIVE), tree(COME)] * 3)
    (tmp_path / "links").write_text("0-0 1-1 2-2 4-4\n1-1 2-2 3-3 4-4\n" * 3)
    file = str(tmp_path / "en.conllu")

    def run(*words: str) -> str:
        done = CliRunner().invoke(group, ["deep", *words])
        assert done.exit_code == 0, done.output
        return done.output

    assert "100.00 % of 24 content words" in run("annotate", file, "--lang", "en")
    assert json.loads(run("annotate", file, "--lang", "en", "--json"))["rows"][0]["formeme"] == "n:subj"
    run("annotate", file, "--lang", "en", "--conllu", "-o", str(tmp_path / "deep.conllu"))
    assert read_conllu(tmp_path / "deep.conllu")[0].words[0].misc == "Formeme=n:subj"
    options = ["--pair", "en-en", "--links", str(tmp_path / "links"), "--merge", "n:obj1=n:obj2"]
    bits = [row["bits"] for row in json.loads(run("information", file, file, *options, "--json"))["rows"]]
    assert bits[0] > bits[1] > 0
    wrong = CliRunner().invoke(group, ["deep", "information", file, file, "--pair", "en-en", "--merge", "v:rc"])
    assert wrong.exit_code == 2
    assert "no OLD=NEW" in wrong.output


# Dušek et al. 2012, §4.1: merging v:rc with v:fin, or v:attr with adj:attr, loses information and was rejected.
@pytest.mark.realdata
def test_the_papers_rejected_merges_lose_information_in_pud(data_folder: Path) -> None:
    first, second = (read_conllu(data_folder / "ud" / f"{lang}_pud-ud-test.conllu.gz") for lang in ("de", "es"))
    merges = [{"v:rc": "v:fin"}, {"v:attr": "adj:attr"}]
    result = formeme_information(first, second, ("de", "es"), merges=merges, method="ibm1")
    whole, *merged = result.sets
    assert all(each.bits < whole.bits and each.held_out < whole.held_out for each in merged)
    assert 1.7 < whole.bits < 1.9
