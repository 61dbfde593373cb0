"""Training text out of a crowd's translations."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.crowd import VotedSegment, Votes, read_votes
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.human.crowd.corpus import CrowdCorpus

VOTES = Votes(
    (
        VotedSegment("1_1", ("one", "un", "", "eins"), (3, 1, 1, 0)),
        VotedSegment("1_2", ("two",), (5,)),
        VotedSegment("2_1", ("three",), (5,)),
    )
)
SOURCES = {"1_1": "ஒன்று", "1_2": "இரண்டு"}


@pytest.mark.parametrize(
    ("choose", "texts"),
    [("all", ["one", "un", "eins", "two"]), ("voted", ["one", "un", "two"]), ("best", ["one", "two"])],
)
def test_translations_are_chosen(choose: str, texts: list[str]) -> None:
    made = CrowdCorpus(choose=choose).make(VOTES, SOURCES)
    assert [tgt for _, tgt in made.bitext()] == texts
    assert (made.n_segments, made.n_met) == (3, 2)


def test_a_draw_hangs_on_the_seed_and_votes_can_be_asked_for() -> None:
    draws = {tuple(CrowdCorpus(choose="random").make(VOTES, SOURCES, seed=seed).bitext()) for seed in range(20)}
    assert len(draws) > 1
    assert [tgt for _, tgt in CrowdCorpus(least=2).make(VOTES, SOURCES).bitext()] == ["one", "two"]


def test_a_dictionary_is_appended() -> None:
    made = CrowdCorpus(choose="best").make(VOTES, SOURCES, dictionary=[("பூனை", "cat"), ("", "dog")])
    assert list(made.bitext())[-1] == ("பூனை", "cat")
    assert made.n_entries == 1


def test_segments_of_other_names_are_refused() -> None:
    with pytest.raises(DataError, match="None of 3 voted segments has a source among 1"):
        CrowdCorpus().make(VOTES, {"x": "y"})


def test_the_command_reads_segments_sources_and_dictionary(tmp_path: Path) -> None:
    files = {
        "votes.tsv": "1_1\t5\tone\t3\tun\t2\n1_2\t5\ttwo\t5\n",
        "seg_ids": "1_2\n1_1\n",
        "dev.ta": "இரண்டு\nஒன்று\n",
        "dict.ta": "பூனை\n",
        "dict.en": "cat\n",
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    at = {name: str(tmp_path / name) for name in files}
    words = ["study", "crowd", "corpus", at["votes.tsv"], "--sources", at["dev.ta"], "--segments", at["seg_ids"]]
    words += ["--dictionary", at["dict.ta"], at["dict.en"], "--choose", "best", "--pair", "ta-en"]
    told = json.loads(
        CliRunner(catch_exceptions=False).invoke(group, [*words, "--to", str(tmp_path / "out"), "--json"]).output
    )
    assert told["meta"]["pairs"] == 3
    assert (tmp_path / "out.en").read_text().split() == ["one", "two", "cat"]
    (tmp_path / "seg_ids").write_text("1_2\n", encoding="utf-8")
    with pytest.raises(DataError, match="segments=1"):
        CliRunner(catch_exceptions=False).invoke(group, [*words, "--to", str(tmp_path / "out")])


@pytest.mark.realdata
def test_released_votes_and_sources_make_a_corpus(data_folder: Path) -> None:
    folder = data_folder / "indian" / "ta-en"
    names = read_lines(folder / "dev.ta-en.seg_ids.gz")
    sources = dict(zip(names, read_lines(folder / "dev.ta-en.ta.gz"), strict=True))
    made = CrowdCorpus().make(read_votes(folder / "votes.ta.gz"), sources)
    best = CrowdCorpus(choose="best").make(read_votes(folder / "votes.ta.gz"), sources)
    assert best.n_translations == best.n_met
    assert 3 < made.n_translations / made.n_met <= 4
