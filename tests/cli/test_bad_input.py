"""Bad input is normal input: what `score`, `compare`, `gate` and the functions behind them say to each kind of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.metrics import (
    GateRecipe,
    ScoreRecipe,
    as_test_set,
    best_reference,
    error_profile,
    gate,
    sacrebleu_report,
    score,
    score_test_set,
)
from dragoman.metrics.error_rates import Wer
from tests.metrics.comparisons import compare

FILES = {
    "two": "a b c\nd e f\n",
    "other": "a b x\nd e y\n",
    "same": "a b c\nd e f\n",
    "one": "a b c\n",
    "one-more": "a b d\n",
    "blank": "\n\n",
    "nothing": "",
}
ONE_SEGMENT = "There is nothing to vary: the systems have one segment; at least 2 are needed."


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)


def run(line: str) -> Result:
    return CliRunner().invoke(group, line.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        # Different lengths: every count is named.
        ("score two -r one", "Streams must have one line per segment, got one=1, two=2."),
        ("sacrebleu one -i two", "Streams must have one line per segment, got one=1, two=2."),
        ("score two -r two -r one --by-reference", "got two=2, one=1."),
        ("compare two other -r one", "Streams must have one line per segment, got one=1, two=2, other=2."),
        ("gate two other -r one", "Streams must have one line per segment, got one=1, two=2, other=2."),
        ("errors two -r one", "Streams must have one line per segment, got one=1, two=2."),
        ("metric edits two -r one", "Streams must have one line per segment, got one=1, two=2."),
        ("slope two -r one", "Streams must have one line per segment, got one=1, two=2."),
        # No segments at all.
        ("score nothing -r two", "nothing: the file is empty; expected one segment a line."),
        ("score two -r nothing", "nothing: the file is empty; expected one segment a line."),
        ("sacrebleu nothing -i nothing", "There are no segments to score: the references are empty."),
        ("compare two nothing -r two", "nothing: the file is empty; expected one segment a line."),
        ("metric matrix nothing two", "A matrix needs hypotheses and references, got 0 and 2."),
        # One segment has a score, but no chance to vary.
        ("score one -r one-more --ci", ONE_SEGMENT),
        ("sacrebleu one-more -i one --confidence", ONE_SEGMENT),
        ("sacrebleu one -i one one-more --paired-bs", ONE_SEGMENT),
        ("sacrebleu one -i one one-more --paired-ar", ONE_SEGMENT),
        ("compare one one-more -r one", "One segment cannot be resampled: a comparison needs at least two."),
        ("gate one one-more -r one", ONE_SEGMENT),
        # Not a number.
        ("score two -r two -m chrf:beta=nan", "The 'beta' option of Chrf must be at least 0. Got nan instead."),
        ("score two -r two -m bleu:smoothing=floor,smoothing_value=nan", "must be a number from 0 on. Got nan instead"),
        ("score two -r two -m bleu:max_order=x", "The option 'max_order' is a whole number, got 'x'."),
        # Unknown names behind a metric's name.
        ("score two -r two -m bleu:tokeniser=13b", "No tokeniser is called '13b'. Did you mean '13a'?"),
        ("compare two other -r two --tokeniser 13b", "No tokeniser is called '13b'. Did you mean '13a'?"),
        ("score two -r two -m bleu:tokenizer=13a", "The metric 'bleu' has no option 'tokenizer'. Known: tokeniser"),
        ("score two none -r two", "There is no file none."),
    ],
)
def test_wrong_input_is_named(line: str, message: str) -> None:
    done = run(line)
    assert done.exception is not None
    assert message in str(done.exception)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("score -r two -m blue", "No metric is called 'blue'. Did you mean 'bleu'? Known: amber,"),
        ("compare two other -r two -m chfr", "No metric is called 'chfr'. Did you mean 'chrf'?"),
        ("compare two other -r two --test bootstarp", "called 'bootstarp'. Did you mean 'bootstrap'?"),
        ("gate two other -r two -m blue", "No metric is called 'blue'. Did you mean 'bleu'?"),
        ("slope two -r two -m blue", "No metric is called 'blue'. Did you mean 'bleu'?"),
        ("sacrebleu two -i two -tok 31a", "No tokeniser is called '31a'. Did you mean '13a'?"),
        ("compare two other", "Missing option '-r' / '--ref'."),
        ("gate two other", "Missing option '-r' / '--ref'."),
        ("score two other", "Name a reference with -r: SYSTEM... -r REF."),
        ("score", "Name a reference with -r:"),
    ],
)
def test_wrong_calls_are_named(line: str, message: str) -> None:
    done = run(line)
    assert done.exit_code == 2
    assert message in done.output.replace("\n", " ")


def test_blank_segments_have_a_score() -> None:
    def scores(line: str) -> list[float]:
        return [row["score"] for row in json.loads(run(f"{line} -m bleu -m chrf -m ter -m wer --json").stdout)["rows"]]

    assert scores("score blank -r two") == [0.0, 0.0, 100.0, 100.0]
    assert scores("score two -r blank") == [0.0, 0.0, 100.0, 100.0]
    assert scores("score blank -r blank")[2:] == [0.0, 0.0]


def test_identical_systems_do_not_differ() -> None:
    rows = json.loads(run("compare two same -r other --trials 100 --json").stdout)["rows"]
    assert [(row["delta"], row["p"]) for row in rows] == [(0.0, 1.0), (0.0, 1.0)]
    assert run("gate two same -r other --trials 100").exit_code == 0
    # sacreBLEU counts strictly larger differences only, hence its smallest p; its report says so.
    report = sacrebleu_report(
        as_test_set({"a": ["a b c", "d"], "b": ["a b c", "d"]}, [["a b c", "d"]]), test="sacrebleu-bs", trials=99
    )
    assert report.scores[1][0].p == 0.01
    assert "equal systems get the smallest p there is" in report.render("text")


@dataclass(frozen=True)
class NotAdditive(Wer):
    """A metric whose corpus score is no function of sums."""

    name: ClassVar[str] = "not-additive"
    additive: ClassVar[bool] = False


def test_a_metric_that_is_not_additive_is_refused_a_test() -> None:
    systems, refs = {"a": ["x", "y"], "b": ["x", "z"]}, [["x", "y"]]
    two, one = as_test_set(systems, refs), as_test_set({"a": systems["a"]}, refs)
    refused = "No paired test can be made with not-additive: its corpus score is no function of sums over segments"
    for call in (
        lambda: compare(systems, refs, metrics=[NotAdditive()]),
        lambda: gate(two, GateRecipe(metrics=(NotAdditive(),))),
        lambda: sacrebleu_report(two, [NotAdditive()], test="sacrebleu-ar"),
        lambda: sacrebleu_report(one, [NotAdditive()], confidence=True),
    ):
        with pytest.raises(DataError, match=refused):
            call()
    with pytest.raises(DataError, match="WER is no function of sums over segments, so it has no interval"):
        score_test_set(two, ScoreRecipe(metrics=(NotAdditive(),), ci=True))
    assert score(systems, refs, metrics=[NotAdditive()]).values.ravel().tolist() == [0.0, 50.0]
    assert len(sacrebleu_report(two, [NotAdditive()]).scores) == 2


def test_functions_check_lengths_too() -> None:
    with pytest.raises(DataError, match=r"got refs\[A\]=2, systems\[a\]=2, systems\[b\]=1"):
        compare({"a": ["x", "y"], "b": ["x"]}, {"A": ["x", "y"]})
    with pytest.raises(DataError, match=r"got refs\[Reference 1\]=2, systems\[a\]=2, systems\[b\]=1"):
        score({"a": ["x", "y"], "b": ["x"]}, [["x", "y"]])
    for call in (score_test_set, sacrebleu_report, gate, best_reference, error_profile):
        with pytest.raises(DataError, match="There are no references; give at least one"):
            call(as_test_set({"a": ["x", "y"], "b": ["x", "z"]}, []))


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("compare two other -r two --alpha nan", "--alpha must lie between 0 and 1, got nan."),
        ("gate two other -r two --min-delta nan", "--min-delta must be a number of points, got nan."),
    ],
)
def test_a_wrong_option_is_named_as_it_is_spelt(line: str, message: str) -> None:
    done = run(line)
    assert done.exit_code == 2
    assert message in done.output
