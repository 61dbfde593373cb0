"""`dragoman select`: what it writes, prints and refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from tests.corpus.select.test_scores import COLOURS, NUMBERS


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    texts = {"pool.de": [*COLOURS, *NUMBERS[1::2]], "like.de": NUMBERS[::2], "dev.de": NUMBERS[2::4], "empty.de": []}
    texts["pool.en"] = [line.upper() for line in texts["pool.de"]]
    for name, lines in texts.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines))
    return tmp_path


def run(*args: str) -> Result:
    done = CliRunner().invoke(group, ["select", *args])
    assert done.exit_code == 0, done.output
    return done


def refusal(*args: str, code: int = 1) -> str:
    done = CliRunner().invoke(group, ["select", *args])
    assert done.exit_code == code, done.output
    return str(done.exception) if code == 1 else done.output


def test_pairs_are_written_in_file_order_with_their_scores(folder: Path) -> None:
    pool = ("moore-lewis:least=1", "pool.de", "pool.en", "--like", "like.de", "--most", "13")
    done = run(*pool, "--to", "out", "--scores", "s", "--json")
    assert json.loads(done.output)["meta"]["selected"] == 13
    assert (folder / "out.de").read_text().splitlines() == NUMBERS[1::2]
    assert (folder / "out.en").read_text().splitlines() == [line.upper() for line in NUMBERS[1::2]]
    scores = [float(line) for line in (folder / "s").read_text().splitlines()]
    assert len(scores) == 40
    assert min(scores[27:]) > max(scores[:27])


def test_one_text_is_enough(folder: Path) -> None:
    run("moore-lewis:least=1", "pool.de", "--like", "like.de", "--curve", "--dev", "dev.de", "--to", "out.de")
    assert set((folder / "out.de").read_text().splitlines()) <= set(NUMBERS)


def test_scores_are_joined(folder: Path) -> None:
    args = ("pool.de", "--like", "like.de", "--and", "infrequent", "--weight", "2", "--weight", "1", "--join", "sums")
    rows = json.loads(run("moore-lewis:least=1", *args, "--json").output)["rows"]
    assert [(row["score"], row["weight"]) for row in rows][:2] == [("moore-lewis:least=1", 2), ("infrequent", 1)]


def test_a_tuning_set_in_the_training_text_needs_force(folder: Path) -> None:
    args = ("test-like", "pool.de", "pool.en", "--like", "like.de", "--most", "5", "--match-lengths", "--to", "tuning")
    training = ("--training", "pool.de", "--training", "pool.en")
    assert "5 of the 5 pairs to tune on stand in the training text" in refusal(*args, *training)
    assert not (folder / "tuning.de").exists()
    forced = run(*args, *training, "--force")
    assert "Forced: 5 of the 5 pairs" in " ".join(forced.output.split())
    assert (folder / "tuning.de").exists()


def test_what_is_missing_or_empty_is_named(folder: Path) -> None:
    like = ("--like", "like.de")
    assert "There is no file gone/like.de" in refusal("moore-lewis", "pool.de", "--like", "gone/like.de")
    assert "empty.de: the text to be like is empty" in refusal("moore-lewis", "pool.de", "--like", "empty.de")
    assert "empty.de: the pool is empty" in refusal("moore-lewis", "empty.de", *like)
    assert "pool.de has 40 lines, like.de has 14" in refusal("noise", "pool.de", "like.de", *like)
    assert "name a text (--like)" in refusal("moore-lewis", "pool.de")
    assert "--curve and --dev go together" in refusal("moore-lewis", "pool.de", *like, "--curve", code=2)
    assert "one text, or the two sides" in refusal("moore-lewis", "pool.de", *like * 3, code=2)
    assert "Known: infrequent, model1" in refusal("moor-lewis", "pool.de", code=2)


def test_small_engines_measure_a_ranking(folder: Path) -> None:
    args = ("moore-lewis:least=1", "pool.de", "pool.en", "--like", "like.de", "--curve", "--measure", "bleu")
    (folder / "dev.en").write_text((folder / "dev.de").read_text().upper())
    told = json.loads(run(*args, "--dev", "dev.de", "--dev", "dev.en", "--json").output)
    curve = told["meta"]["curve"]
    assert [point["size"] for point in curve] == [5, 10, 20, 30, 40]
    assert told["meta"]["turn"] == max(curve, key=lambda point: (point["value"], -point["size"]))["size"]
    assert told["meta"]["selected"] == told["meta"]["turn"]
    assert "name both" in refusal(*args, "--dev", "dev.de")
    alone = (args[0], "pool.de", *args[3:], "--dev", "dev.de", "--dev", "dev.en")
    assert "name both sides of the pool" in refusal(*alone, code=2)
    for lang in ("de", "en"):
        (folder / f"blank.{lang}").write_text(" \n")
    assert "the held-out text is empty" in refusal(*args, "--dev", "blank.de", "--dev", "blank.en")


def test_what_told_against_a_pair_is_counted(folder: Path) -> None:
    for lang in ("de", "en"):
        (folder / f"good.{lang}").write_text((folder / f"pool.{lang}").read_text())
    lines = (folder / "pool.en").read_text().splitlines()
    (folder / "crawl.en").write_text("".join(f"{line}\n" for line in [*lines[:20], *lines[:19:-1]]))
    args = ("noise", "pool.de", "crawl.en", "--like", "good.de", "--like", "good.en", "--least", "-2")
    told = json.loads(run(*args, "--json").output)["meta"]
    lowest = told["lowest"]["noise"]
    assert list(lowest) == ["source lm", "target lm", "forward", "backward", "source linked", "target linked"]
    assert sum(taken for taken, _ in lowest.values()) == told["selected"]
    assert sum(rest for _, rest in lowest.values()) == 40 - told["selected"]
    assert "What is lowest, by noise" in run(*args).output
