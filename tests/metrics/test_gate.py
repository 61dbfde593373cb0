from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar
from xml.etree import ElementTree

import pytest

from dragoman import metrics
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics import Gate, GateRecipe, as_test_set
from dragoman.metrics.error_rates import Wer
from dragoman.samples import sample_path

Lines = list[str]
REFS = [read_lines(sample_path("testset/reference-A.en"))]


def gate(baseline: tuple[str, Lines], system: tuple[str, Lines], refs: list[Lines], **options: Any) -> Gate:
    return metrics.gate(as_test_set(dict([baseline, system]), refs), GateRecipe(**options))


def system(name: str) -> tuple[str, list[str]]:
    return name, read_lines(sample_path(f"testset/systems/{name}.en"))


def test_a_gain_passes_and_a_drop_fails_for_either_sense_of_better() -> None:
    up = gate(system("cobalt"), system("atlas"), REFS, metrics=["bleu", "wer"])
    assert up.passed
    assert all(check.gain > 0 for check in up.checks)
    down = gate(system("atlas"), system("cobalt"), REFS, metrics=["bleu", "wer"])
    assert not down.passed
    assert [check.passed for check in down.checks] == [False, False]
    assert [a.gain for a in up.checks] == [-b.gain for b in down.checks]


def test_a_drop_that_is_allowed_passes() -> None:
    drop = -gate(system("atlas"), system("borealis"), REFS, metrics=["bleu"]).checks[0].gain
    assert drop > 0
    assert gate(system("atlas"), system("borealis"), REFS, metrics=["bleu"], min_delta=-drop - 0.01, alpha=1).passed
    assert not gate(system("atlas"), system("borealis"), REFS, metrics=["bleu"], min_delta=-drop + 0.01, alpha=1).passed


def test_a_drop_by_chance_passes_unless_alpha_is_one() -> None:
    lines = system("atlas")[1]
    worse = ("new", [*lines[:-1], ""])  # one segment of eighty
    assert gate(("old", lines), worse, REFS, metrics=["bleu"], alpha=0.05).passed
    assert not gate(("old", lines), worse, REFS, metrics=["bleu"], alpha=1).passed


def test_the_same_output_passes() -> None:
    found = gate(("old", system("atlas")[1]), ("new", system("atlas")[1]), REFS, alpha=1)
    assert found.passed
    assert {check.p for check in found.checks} == {1.0}


def test_junit_names_what_failed() -> None:
    found = gate(system("atlas"), ("new & <old>", system("cobalt")[1]), REFS, metrics=["bleu", "chrf"])
    suite = ElementTree.fromstring(found.junit().encode())
    assert suite.attrib == {"name": "dragoman gate", "tests": "2", "failures": "2", "errors": "0"}
    assert [case.get("name") for case in suite] == ["bleu", "chrf"]
    failure = suite[0].find("failure")
    assert failure is not None
    assert "demanded +0" in (failure.get("message") or "")
    passed = ElementTree.fromstring(gate(system("cobalt"), system("atlas"), REFS).junit().encode())
    assert passed.get("failures") == "0"
    assert passed[0].find("failure") is None


@dataclass(frozen=True)
class NotAdditive(Wer):
    name: ClassVar[str] = "not-additive"
    additive: ClassVar[bool] = False


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"alpha": 0.0}, "alpha must lie above 0 and be at most 1, got 0.0"),
        ({"alpha": float("nan")}, "alpha must lie above 0"),
        ({"min_delta": float("nan")}, "min_delta must be a number of points, got nan"),
        ({"trials": 0}, "The 'trials' option of GateRecipe must be at least 1"),
        ({"system": system("atlas")}, "takes a baseline and a system, got 1 systems"),
        ({"metrics": [NotAdditive()]}, "it is not additive"),
        ({"refs": []}, "There are no references"),
        ({"refs": [["x"]], "baseline": ("a", ["x"]), "system": ("b", ["y"])}, "one segment; at least 2 are needed"),
    ],
)
def test_what_cannot_be_gated_is_named(options: dict[str, object], message: str) -> None:
    call = {"baseline": system("atlas"), "system": system("cobalt"), "refs": REFS, **options}
    with pytest.raises(DataError, match=message):
        gate(**call)  # type: ignore[arg-type]
