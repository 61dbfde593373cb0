"""Simulated translators: what a known translation costs in keys and clicks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.simulation import SimulationRecipe, interactive_effort, post_edit_effort, simulate, typing_effort
from dragoman.cli.main import group
from dragoman.data import TestSet
from dragoman.engines import Completes, Completion, Translates, Translation
from dragoman.engines.results import Candidate
from dragoman.errors import DataError

LINES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), min_size=1, max_size=30)
REFERENCES = LINES.map(lambda line: " ".join(line.split()) or "x")  # as `simulate` types them


class _Known:
    """Goes on with one sentence, whatever is typed, from as many characters as were typed."""

    def __init__(self, source: str, sentence: str) -> None:
        self.source, self.sentence = source, sentence

    def complete(self, prefix: str, suffix: str = "", *, n: int = 1, confidence: bool = False) -> list[Completion]:
        return [Completion(self.sentence[len(prefix) :])]


class _Parrot(Completes, Translates):
    languages = ("xx", "yy")

    def __init__(self, sentence: str) -> None:
        self.sentence = sentence

    def completer(self, source: str) -> _Known:
        return _Known(source, self.sentence)

    def translations(self, lines: Sequence[str], request: object = None, *, n_threads: int = 1) -> list[Translation]:
        return [Translation(line, (Candidate(self.sentence),)) for line in lines]


def test_typing_costs_every_character_and_one_click() -> None:
    effort = typing_effort("a man")
    assert (effort.keys, effort.clicks, effort.words) == (5, 1, 2)


def test_a_right_prediction_costs_the_click_that_accepts_it() -> None:
    effort = interactive_effort(lambda prefix: "a man sleeps"[len(prefix) :], "a man sleeps")
    assert (effort.keys, effort.clicks, effort.words, len(effort.seconds)) == (0, 1, 0, 1)


def test_the_first_wrong_character_is_clicked_at_and_typed() -> None:
    answers = {"": "a man sleeps", "a man e": "ats"}
    effort = interactive_effort(lambda prefix: answers[prefix], "a man eats")
    assert (effort.keys, effort.clicks, effort.words) == (1, 2, 1)


def test_a_prediction_that_is_too_long_is_cut_by_one_key() -> None:
    effort = interactive_effort(lambda prefix: "a man sleeps"[len(prefix) :], "a man")
    assert (effort.keys, effort.clicks) == (1, 2)


def test_a_completion_that_is_too_short_is_gone_on_with_without_a_click() -> None:
    effort = interactive_effort(lambda _: "", "ab c")
    assert (effort.keys, effort.clicks, effort.words) == (4, 1, 2)


@given(LINES, REFERENCES)
def test_prediction_never_costs_more_keys_than_typing(prediction: str, reference: str) -> None:
    effort = interactive_effort(lambda prefix: prediction[len(prefix) :], reference)
    assert effort.keys <= len(reference) + 1
    assert effort.words <= max(effort.n_words, 1)


@given(LINES, LINES)
def test_post_editing_costs_the_character_distance(translation: str, reference: str) -> None:
    row = list(range(len(reference) + 1))
    for i, a in enumerate(translation, start=1):
        before, row = row, [i]
        for j, b in enumerate(reference):
            row.append(min(before[j] + (a != b), before[j + 1] + 1, row[j] + 1))
    effort = post_edit_effort(translation, reference)
    assert effort.keys == row[-1]
    assert 1 <= effort.clicks <= effort.keys + 1


def test_edits_side_by_side_are_one_place() -> None:
    effort = post_edit_effort("abcdef", "abXYef")
    assert (effort.keys, effort.clicks) == (2, 2)


def test_a_simulation_has_a_row_for_each_mode_and_measure() -> None:
    test_set = TestSet(srcs=["x", "y", "z"], refs={"r": ["a man eats", "a man", ""]})
    rows = simulate(_Parrot("a man sleeps"), test_set, SimulationRecipe(trials=50)).to_dict()["rows"]
    values = {(row["mode"], row["measure"]): row["value"] for row in rows}
    measures = {mode: [m for n, m in values if n == mode] for mode in ("interactive", "post-edit", "typing")}
    assert measures["interactive"] == ["ksr", "mar", "ksmr", "wsr", "p50_ms", "p95_ms"]
    assert measures["post-edit"] == measures["typing"] == ["ksr", "mar", "ksmr", "wsr"]
    assert values["typing", "ksr"] == 100.0
    assert values["typing", "ksmr"] == pytest.approx(100 * 17 / 15)
    for mode in measures:
        assert values[mode, "ksmr"] == pytest.approx(values[mode, "ksr"] + values[mode, "mar"])


def test_an_engine_without_prediction_is_post_edited() -> None:
    class Plain(_Parrot):
        def lacks(self, role: type) -> str | None:
            return "no" if role is Completes else None

    test_set = TestSet(srcs=["x"], refs={"r": ["a"]})
    with pytest.raises(DataError, match=r"no mode interactive: no .* engine has: --mode post-edit --mode typing\."):
        simulate(Plain("a"), test_set)
    made = simulate(Plain("a"), test_set, SimulationRecipe(modes=("typing", "post-edit")))
    assert {row["mode"] for row in made.to_dict()["rows"]} == {"post-edit", "typing"}


def test_the_command_refuses_a_mode_that_the_engine_lacks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Translator(Translates):
        languages = ("xx", "yy")

        def translations(
            self, lines: Sequence[str], request: object = None, *, n_threads: int = 1
        ) -> list[Translation]:
            return [Translation(line, (Candidate(line),)) for line in lines]

    monkeypatch.setattr("dragoman.engines.load_engine", lambda _: Translator())
    (tmp_path / "text").write_text("a b\n")
    words = ["cat", "simulate", "-m", "x", *(f"--{side}={tmp_path}/text" for side in ("src", "ref"))]
    done = CliRunner().invoke(group, words)
    assert done.exit_code == 1
    assert "There is no mode interactive: the engine cannot complete translations." in str(done.exception)
    done = CliRunner().invoke(group, [*words, "--mode", "typing", "--json"])
    assert done.exit_code == 0, done.output
    assert '"mode": "post-edit"' not in done.stdout


@pytest.mark.parametrize(
    ("test_set", "message"),
    [
        (TestSet(refs={"r": ["a"]}), "needs sources"),
        (TestSet(srcs=["x"], systems={"s": ["a"]}), "a reference"),
        (TestSet(srcs=["x"], refs={"r": [" "]}), "nothing to type"),
    ],
)
def test_what_is_missing_is_named(test_set: TestSet, message: str) -> None:
    with pytest.raises(DataError, match=message):
        simulate(_Parrot("a"), test_set)
