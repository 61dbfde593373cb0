"""What larger texts would take, by what the parts of a training took."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import Account, InProcess, KindOfPart, Workshop, sum_up
from dragoman.smt.cost import TrainingCost, estimate_cost
from dragoman.smt.recipe import EngineRecipe, changed
from dragoman.smt.training import train_engine
from tests.parts import jobs


def test_parts_say_what_they_took_and_kinds_are_sums(tmp_path: Path) -> None:
    shop = Workshop(tmp_path / "shop")
    folders = shop.map(jobs.double, [{"number": n} for n in (1, 20)])
    shop.one(jobs.double, number=3)
    assert [account.n_bytes for account in shop.accounts] == [1, 2, 1]
    assert [account.alone for account in shop.accounts] == [False, False, True]
    assert all(account.memory > 1 and account.seconds >= 0 and account.wall >= 0 for account in shop.accounts)
    assert (shop.n_bytes, shop.most_bytes) == (4, 4)
    shop.discard([folders[1] / "number.txt", folders[1] / "number.txt"])
    assert (shop.n_bytes, shop.most_bytes, shop.n_found) == (2, 4, 0)
    shop.map(jobs.double, [{"number": 1}])
    assert (shop.n_done, shop.n_found) == (3, 1)
    accounts = [Account("a", 1.0, 2.0, 10, 50.0), Account("b", 5.0, 5.0, 1, 9.0, True), Account("a", 3.0, 3.0, 5, 40.0)]
    assert sum_up(accounts) == [
        KindOfPart("a", 2, 4.0, 3.0, 15, 50.0, False),
        KindOfPart("b", 1, 5.0, 5.0, 1, 9.0, True),
    ]


COST = TrainingCost(
    (
        ("align", KindOfPart("a", 4, 360.0, 100.0, 4_000, 50.0, False)),
        ("lm", KindOfPart("b", 1, 36.0, 36.0, 10, 9.0, True)),
    ),
    {"align": 3_000, "lm": 10},
    1_000,
    250,
)


def test_work_is_shared_but_for_what_one_does_alone_and_no_less_than_a_part() -> None:
    ten = COST.estimate(10_000, 4)
    assert ten.hours == pytest.approx((1.1, 1.0 / 4 + 0.1))  # 3,600 s shared by four, 360 s by nobody
    assert ten.largest_step == 30_000
    assert "1.1 hours of processor time and 0.3 hours with 4 workers, 0.1 of them" in ten.answer()
    many = COST.estimate(10_000, 1_000)
    assert many.hours[1] == pytest.approx((100 + 360) / 3600)
    assert TrainingCost.from_dict(json.loads(json.dumps(COST.to_dict()))) == COST
    assert [row["with workers"] for row in ten.to_dict()["rows"]] == pytest.approx([0.25, 0.1])
    with pytest.raises(DataError, match="got 0 pairs and 1 workers"):
        COST.estimate(0, 1)


def test_an_engine_trained_in_parts_tells_its_cost_and_others_say_that_they_cannot(
    book: dict[str, list[str]], tmp_path: Path
) -> None:
    bitext = Bitext.from_lines(book["en"][:120], book["de"][:120], source_lang="en", target_lang="de")
    settings = ["align.method=diagonal:rounds=1", "tune.method=none", "classes.number=0", "features=", "lm.order=2"]
    recipe = changed(EngineRecipe(source_lang="en", target_lang="de"), settings)
    train_engine(bitext, recipe, work=tmp_path / "work", output=tmp_path / "engine", pool=InProcess(), part=50)
    told = estimate_cost(tmp_path / "engine", 1_000_000, 8)
    kinds = {row["kind"]: row for row in told.tables()[0].records()}
    assert {"tokenise-part", "expect-diagonal", "count-part", "collect-part", "score-group"} < set(kinds)
    assert (kinds["tokenise-part"]["parts"], kinds["expect-diagonal"]["parts"]) == (3, 6)
    assert (kinds["estimate-model"]["workers"], kinds["score-group"]["workers"]) == ("one", "all")
    assert 0 < told.hours[1] <= told.hours[0]
    # A second run finds the steps done: what they took is not known to it.
    train_engine(bitext, recipe, work=tmp_path / "work", output=tmp_path / "again", pool=InProcess(), part=50)
    with pytest.raises(DataError, match=r"again does not say what its parts took\. Train it in one go with --workers"):
        estimate_cost(tmp_path / "again", 10, 1)
    with pytest.raises(DataError, match="work is no engine"):
        estimate_cost(tmp_path / "work", 10, 1)
