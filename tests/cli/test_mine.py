"""`dragoman mine`, from a lexicon to pairs for training."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import FormatError

SEED = [
    ("ein rotes haus", "a red house"),
    ("ein blaues haus", "a blue house"),
    ("ein rotes auto", "a red car"),
    ("ein blaues auto", "a blue car"),
    ("das kleine haus", "the small house"),
    ("das große auto", "the big car"),
]


def run(*words: str) -> str:
    return CliRunner(catch_exceptions=False).invoke(group, words).output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Texts, and a lexicon of what they are about."""
    place = tmp_path_factory.mktemp("mine")
    texts = {
        "seed.de": [de for de, _ in SEED],
        "seed.en": [en for _, en in SEED],
        "news.de": ["Das rote Haus", "Ein großes Auto", "niemand weiß es"],
        "news.en": ["a big car", "who knows", "the red house"],
        "dev.de": ["das blaue auto", "das kleine auto", "ein rotes haus", "ein kleines auto"],
        "dev.en": ["the blue car", "the small car", "a red house", "a small car"],
        "days": ["1", "2", "3"],
        "wrong": ["1", "two", "3"],
    }
    for name, lines in texts.items():
        (place / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    run(
        "corpus",
        "filter",
        "train",
        *(str(place / f"seed.{lang}") for lang in ("de", "en")),
        "-m",
        str(place / "lexicon"),
    )
    return place


def words(folder: Path, *more: str) -> tuple[str, ...]:
    return ("mine", str(folder / "news.de"), str(folder / "news.en"), "-m", str(folder / "lexicon"), *more)


def test_pairs_are_written_for_training(folder: Path, tmp_path: Path) -> None:
    out = [
        *("--to", str(tmp_path / "mined")),
        "--scores",
        str(tmp_path / "scores"),
        "--linked",
        str(tmp_path / "linked"),
    ]
    told = json.loads(run(*words(folder, *out, "--points", "2", "--json")))
    rows = [(row["source_line"], row["target_line"]) for row in told["rows"]]
    assert sorted(rows) == [(1, 3), (2, 1)]
    assert (tmp_path / "mined.de").read_text().splitlines() == [row["source"] for row in told["rows"]]
    assert (tmp_path / "mined.en").read_text().splitlines() == [row["target"] for row in told["rows"]]
    assert [float(line) for line in (tmp_path / "scores").read_text().split()] == pytest.approx(
        [row["score"] for row in told["rows"]], abs=1e-6
    )
    assert {len((tmp_path / f"linked.{part}").read_text().splitlines()) for part in ("src", "tgt", "links")} == {2}


def test_planted_pairs_set_the_threshold(folder: Path) -> None:
    planted = ("--planted", str(folder / "dev.de"), str(folder / "dev.en"), "--precision", "0.5")
    shown = run(*words(folder, *planted))
    assert "pairs of 3 and 3 lines score at least" in shown
    assert "Planted pairs" in shown
    told = json.loads(run(*words(folder, *planted, "--json")))
    assert told["meta"]["n_planted"] == 4
    assert told["meta"]["precision"] >= 0.5


def test_numbers_are_read_from_files(folder: Path) -> None:
    days = ("--src-numbers", str(folder / "days"), "--tgt-numbers", str(folder / "days"))
    told = json.loads(run(*words(folder, *days, "--window", "1", "--json")))
    assert [(row["source_line"], row["target_line"]) for row in told["rows"]] == [(2, 1)]
    with pytest.raises(FormatError, match=r"wrong:2: 'two' is no whole number"):
        run(*words(folder, "--src-numbers", str(folder / "wrong"), "--tgt-numbers", str(folder / "days")))
    assert "name --src-numbers and --tgt-numbers" in run(*words(folder, *days[:2]))
