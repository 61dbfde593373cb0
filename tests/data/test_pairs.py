"""A language pair is one pair, in whatever codes it is asked for or stands in a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner
from langcodes import standardize_tag

from dragoman.cli.main import group
from dragoman.data import FORMATS, TestSet, read_judgements
from dragoman.data.sacrebleu_sets import find_sacrebleu_set
from dragoman.ranking import RankingRecipe, rank_pairs
from dragoman.samples import sample_path
from dragoman.text.languages import LANGUAGE_NAMES, pair_among, parse_language

RANKING = str(sample_path("testset/judgements/ranking.csv"))
ASSESSED = "a1,sys{n},{n},TGT,{langs},{score},1,2\n"


@pytest.mark.parametrize("tag", LANGUAGE_NAMES)
def test_tags_that_need_no_registry_are_what_it_says(tag: str) -> None:
    assert parse_language(tag) == tag == standardize_tag(tag)


def test_a_pair_among_others() -> None:
    assert pair_among("deu-eng", ["fr-en", "de-en"]) == "de-en"
    assert pair_among("de-en", ["fr-en", "ger-eng"]) == "ger-eng"
    assert pair_among("de-en", []) is None
    assert pair_among("en-de", ["de-en"]) is None
    assert pair_among("anything goes", ["de-en", "anything goes"]) == "anything goes"


@pytest.mark.parametrize(
    "command",
    [
        ["rank", "--replicates", "10"],
        ["rank", "--audit", "ORDER"],
        ["agree", "--trials", "10"],
        ["agree", "--random"],
        ["rankings", "head-to-head"],
        ["campaign", "analyse"],
    ],
)
def test_commands_take_the_same_pair_in_three_letters(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "order").write_text("atlas\nborealis\n")
    words = [str(tmp_path / "order") if word == "ORDER" else word for word in command]
    long, short = (CliRunner().invoke(group, [*words, RANKING, "--pair", pair]) for pair in ("deu-eng", "de-en"))
    assert (long.exit_code, long.stdout) == (0, short.stdout), (long.stderr, long.exception)


@pytest.mark.parametrize("command", [["rank"], ["agree", "--trials", "10"], ["campaign", "analyse"]])
def test_scores_of_a_pair_in_three_letters(command: list[str], tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    rows = [
        ASSESSED.format(n=n % 2, langs=langs, score=score)
        for langs in ("eng,deu", "fr,en")
        for n, score in enumerate((70, 80, 60, 90))
    ]
    path.write_text("".join(rows) + "".join(rows).replace("a1", "a2").replace("80", "85"))
    long, short = (CliRunner().invoke(group, [*command, str(path), "--pair", pair]) for pair in ("eng-deu", "en-de"))
    assert (long.exit_code, long.stdout) == (0, short.stdout), (long.stderr, long.exception)


def test_rankings_and_test_sets_by_any_code(tmp_path: Path) -> None:
    rankings = rank_pairs(read_judgements(RANKING), RankingRecipe(clusters=False))
    assert rankings["deu-eng"] is rankings["de-en"]
    test_set = TestSet(srcs=["a"], refs={"ref": ["b"]}, systems={"s": ["b"]}, source_lang="de", target_lang="en")
    FORMATS.make("mtme").write(test_set, tmp_path / "wmt")
    assert FORMATS.make("mtme:pair=deu-eng").read(tmp_path / "wmt") == FORMATS.make("mtme").read(tmp_path / "wmt")
    folder = tmp_path / "sets" / "wmt99"
    folder.mkdir(parents=True)
    for name in ("src", "ref"):
        (folder / f"wmt99.de-en.{name}").write_text("a\n")
    assert find_sacrebleu_set("wmt99", "deu-eng", tmp_path / "sets").pair == "de-en"


def test_metrics_and_people_may_spell_a_pair_differently(tmp_path: Path) -> None:
    lines = ["metric\tpair\ttest set\tsystem\tscore"]
    lines += [f"bleu\tdeu-eng\ttest\t{name}\t{n}" for n, name in enumerate(("atlas", "borealis", "corona", "dune"))]
    scores = tmp_path / "scores.tsv"
    scores.write_text("\n".join(lines) + "\n")
    done = CliRunner().invoke(group, ["meta", str(scores), "--human", RANKING, "--pair", "de-en"])
    assert done.exit_code == 0, done.exception
