"""How few judgements would have given the same ranking."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements
from dragoman.data.judgements.own import JudgementTable
from dragoman.errors import DataError
from dragoman.human.budget import judgement_budget
from dragoman.human.planning import plan
from dragoman.human.simulated import simulate_judges
from tests.human.protocol_examples import example


def scores(means: dict[str, float], n: int, spread: float = 10.0) -> Judgements:
    rng = np.random.default_rng(1)
    rows: list[dict[str, Any]] = [
        {
            "annotator": f"j{k % 3}",
            "item": f"{system}-{k}",
            "segment": k + 1,
            "system": system,
            "type": "TGT",
            "score": float(np.clip(mean + spread * rng.normal(), 0, 100)),
        }
        for system, mean in means.items()
        for k in range(n)
    ]
    return Judgements.of(DIRECT_ASSESSMENT, [DIRECT_ASSESSMENT.check(row) for row in rows])


def test_plain_differences_need_few_judgements_and_small_ones_many() -> None:
    plain = judgement_budget(scores({"a": 90, "b": 50, "c": 10}, 60), trials=20)
    assert plain.systems == ("a", "b", "c")
    assert plain.clusters == (1, 2, 3)
    assert plain.budgets[1].kendall > 0.9
    assert plain.enough() == plain.budgets[plain.budgets.index(next(b for b in plain.budgets if b.kendall >= 0.95))]
    small = judgement_budget(scores({"a": 52, "b": 51, "c": 50}, 60), trials=20)
    assert small.budgets[0].kendall < plain.budgets[0].kendall
    taus = [budget.kendall for budget in small.budgets]
    assert taus[-1] > taus[0]
    assert [budget.n for budget in small.budgets] == [9, 18, 36, 54, 90, 126, 162]


def test_the_same_seed_draws_the_same() -> None:
    table = scores({"a": 60, "b": 50}, 20)
    assert judgement_budget(table, trials=5) == judgement_budget(table, trials=5)
    assert judgement_budget(table, trials=5).budgets != judgement_budget(table, trials=5, seed=2).budgets


@pytest.mark.parametrize("name", ["ranking", "pairwise", "esa", "mqm", "contrastive-da"])
def test_every_kind_of_ranking_has_budgets(name: str) -> None:
    manifest = example(name)
    table = simulate_judges(manifest.protocol, plan(manifest).assignments)
    result = judgement_budget(table, trials=4, shares=(0.1, 0.9))
    few, many = result.budgets
    assert many.kendall >= few.kendall
    assert many.same_best >= few.same_best
    assert set(result.systems) == set(manifest.test_set.systems)
    assert "By all judgements" in result.render("text")


def test_a_reference_among_the_controls_is_no_system_that_nobody_judged() -> None:
    """Campaigns that show references (`controls.reference`) were refused: "each of them judged"."""
    judged = scores({"a": 90, "b": 50}, 30)
    shown = scores({"reference-A": 95}, 10)
    rows = [*judged.rows(), *(dict(row) | {"type": "REF"} for row in shown.rows())]
    made = judgement_budget(Judgements.of(DIRECT_ASSESSMENT, rows), trials=5)
    assert made.systems == ("a", "b")
    assert made.clusters == (1, 2)


def test_what_has_no_budget_is_refused() -> None:
    table = scores({"a": 60, "b": 50}, 5)
    with pytest.raises(DataError, match="Budgets are shares of the judgements between 0 and 1"):
        judgement_budget(table, shares=(1.5,))
    with pytest.raises(DataError, match="at least two systems"):
        judgement_budget(scores({"a": 60}, 5))
    manifest = example("crowd-voting")
    votes = simulate_judges(manifest.protocol, plan(manifest).assignments)
    with pytest.raises(DataError, match="not of crowd-choice"):
        judgement_budget(votes)


def test_the_command(tmp_path: Path) -> None:
    JudgementTable().write(scores({"a": 90, "b": 10}, 20), tmp_path / "j.csv")
    asked = ["campaign", "budget", str(tmp_path / "j.csv"), "--share", "0.5", "--trials", "3", "--json"]
    done = json.loads(CliRunner().invoke(group, asked).stdout)
    assert done["rows"][0] | {"spearman": 1.0} == {
        "share": 0.5,
        "n": 20,
        "kendall": 1.0,
        "spearman": 1.0,
        "same_best": 100.0,
        "same_order": 100.0,
        "same_clusters": 100.0,
    }
    assert done["meta"]["enough"] == {"kendall": 20, "same_clusters": 20}
