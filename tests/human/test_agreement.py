from __future__ import annotations

from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import Judgements, Schema
from dragoman.data.judgements import DIRECT_ASSESSMENT, Field, read_judgements, read_ranking
from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import DataError
from dragoman.human import Agreement, AgreementRecipe, agree, spot_random
from dragoman.human.agreement_lines import AgreementLine
from dragoman.report.charts import draw_chart
from dragoman.samples import sample_path
from tests.human.made import rankings, screen, simulated

QUICK = {"trials": 0}


def line(result: Agreement, kind: str, statistic: str | None = None) -> AgreementLine:
    return next(each for each in result.lines if each.kind == kind and statistic in (None, each.statistic))


def naive(rows: list[tuple[str, int, dict[str, int]]], mode: str, kind: str) -> tuple[int, int, int, int]:
    """Agreeing pairs, pairs, ties, judgements: every pair of judgements of one item, listed."""
    said = []
    for annotator, segment, ranks in rows:
        for a, b in combinations(ranks, 2):
            sign = (ranks[a] < ranks[b]) - (ranks[a] > ranks[b])
            if mode != "official" and a > b:
                a, b, sign = b, a, -sign
            said.append((annotator, (segment, a, b), sign))
    if mode == "official" and kind == "intra":
        twice = {(x[0], x[1][0]) for x, y in combinations(said, 2) if x[:2] == y[:2]}
        said = [each for each in said if (each[0], each[1][0]) in twice]
    pairs = [(x, y) for x, y in combinations(said, 2) if x[1] == y[1]]
    if kind == "intra":
        pairs = [(x, y) for x, y in pairs if x[0] == y[0]]
    elif mode == "clean":
        pairs = [(x, y) for x, y in pairs if x[0] != y[0]]
    return sum(x[2] == y[2] for x, y in pairs), len(pairs), sum(each[2] == 0 for each in said), len(said)


SCREENS = st.lists(
    st.tuples(
        st.sampled_from(["ann", "bob", "eve"]),
        st.integers(1, 2),
        st.permutations(["A", "B", "C"]).flatmap(
            lambda names: st.tuples(*[st.integers(1, 3)] * 3).map(lambda r: dict(zip(names, r, strict=True)))
        ),
    ),
    min_size=1,
    max_size=8,
)


@given(SCREENS, st.sampled_from(["clean", "official", "all"]))
def test_rankings_are_counted_as_if_pairs_were_listed(rows: list[tuple[str, int, dict[str, int]]], mode: str) -> None:
    result = agree(rankings([screen(*row) for row in rows]), AgreementRecipe(mode=mode, **QUICK))  # type: ignore[arg-type]
    for kind in ("inter", "intra"):
        agreeing, pairs, ties, n = naive(rows, mode, kind)
        found = line(result, kind)
        assert (found.pairs, found.ties, found.judgements) == (pairs, ties, n)
        if pairs:
            t = ties / n
            p_chance = t * t + (1 - t) ** 2 / 2
            assert found.p_agree == pytest.approx(agreeing / pairs)
            assert found.p_chance == pytest.approx(p_chance)
            expected = None if p_chance == 1 else (agreeing / pairs - p_chance) / (1 - p_chance)
            assert found.value == (None if expected is None else pytest.approx(expected))
        else:
            assert (found.value, found.p_agree, found.items) == (None, None, 0)


def test_perfect_agreement_is_one_and_random_none() -> None:
    same = rankings([screen(name, 1, {"A": 1, "B": 2, "C": 2}) for name in ("ann", "bob")])
    assert line(agree(same), "inter").value == 1
    assert line(agree(same), "inter").reading == "almost perfect"
    random = agree(simulated(0, 12, 60, seed=1, n_segments=8), AgreementRecipe(**QUICK))
    assert line(random, "inter").value == pytest.approx(0, abs=0.03)


def test_chance_of_a_third() -> None:
    same = rankings([screen(name, 1, {"A": 1, "B": 2}) for name in ("ann", "bob")])
    assert line(agree(same, AgreementRecipe(chance="uniform")), "inter").p_chance == pytest.approx(1 / 3)


def test_a_screen_with_a_blank_counts_in_the_clean_mode_only() -> None:
    rows = [screen(name, 1, {"A": 1, "B": 2, "C": None}) for name in ("ann", "bob")]
    assert line(agree(rankings(rows), AgreementRecipe(**QUICK)), "inter").pairs == 1
    assert line(agree(rankings(rows), AgreementRecipe(mode="official", **QUICK)), "inter").pairs == 0


def test_language_pairs_and_all_together() -> None:
    rows = [
        screen("ann", 1, {"A": 1, "B": 2}),
        screen("bob", 1, {"A": 1, "B": 2}),
        screen("ann", 1, {"A": 1, "B": 2}, pair=("de", "en")),
        screen("eve", 1, {"A": 2, "B": 1}, pair=("de", "en")),
    ]
    result = agree(rankings(rows), AgreementRecipe(chance="uniform", **QUICK))
    assert [each.pair for each in result.lines] == ["fr-en", "fr-en", "de-en", "de-en", "all", "all"]
    assert result.line("fr-en", "inter").p_agree == 1
    assert result.line("de-en", "inter").p_agree == 0
    assert (result.line("all", "inter").p_agree, result.line("all", "inter").annotators) == (0.5, 3)
    assert result.line("all", "intra").annotators == 0
    assert [each.pair for each in agree(rankings(rows), AgreementRecipe(**QUICK), pair="de-en").lines] == [
        "de-en",
        "de-en",
    ]
    with pytest.raises(DataError, match=r"There is no inter agreement of 'ru-en'\. Known: fr-en, de-en, all"):
        result.line("ru-en", "inter")


def test_by_annotator_and_by_two() -> None:
    rows = [
        screen("ann", 1, {"A": 1, "B": 2}),
        screen("bob", 1, {"A": 1, "B": 2}),
        screen("eve", 1, {"A": 2, "B": 1}),
        screen("eve", 1, {"A": 2, "B": 1}),
    ]
    people = agree(rankings(rows), AgreementRecipe(by="judge", **QUICK))
    found = {(each.annotator, each.kind): (each.p_agree, each.pairs, each.annotators) for each in people.lines}
    assert found["ann", "inter"] == (pytest.approx(1 / 3), 3, 3)
    assert found["ann", "intra"] == (None, 0, 1)
    assert found["eve", "inter"] == (0, 4, 3)
    assert found["eve", "intra"] == (1, 1, 1)
    two = agree(rankings(rows), AgreementRecipe(by="pair", **QUICK))
    assert {(each.annotator, each.other): each.p_agree for each in two.lines} == {
        ("ann", "bob"): 1,
        ("ann", "eve"): 0,
        ("bob", "eve"): 0,
    }
    assert people.figures() == []


def test_lines_by_annotator_add_up() -> None:
    made = simulated(6, 1, 40, seed=3, n_segments=10)
    whole, people, two = (agree(made, AgreementRecipe(by=by, **QUICK)) for by in (None, "judge", "pair"))  # type: ignore[arg-type]
    inter = line(whole, "inter").pairs
    assert sum(each.pairs for each in two.lines) == inter
    assert sum(each.pairs for each in people.lines if each.kind == "inter") == 2 * inter
    assert sum(each.pairs for each in people.lines if each.kind == "intra") == line(whole, "intra").pairs
    worst = min((each for each in people.lines if each.kind == "inter"), key=lambda each: each.value or 0)
    assert worst.annotator == "random-6"


def test_one_annotator_and_one_judgement_have_defined_lines() -> None:
    result = agree(rankings([screen("ann", 1, {"A": 1, "B": 2})]))
    assert [(each.kind, each.value, each.pairs, each.judgements) for each in result.lines] == [
        ("inter", None, 0, 1),
        ("intra", None, 0, 1),
    ]
    assert "–" in result.render()
    assert result.to_dict()["rows"][0]["value"] is None


def test_only_ties() -> None:
    result = agree(rankings([screen(name, 1, {"A": 1, "B": 1}) for name in ("ann", "bob")]))
    assert (line(result, "inter").value, line(result, "inter").p_chance) == (None, 1)  # chance leaves no room


def test_errors() -> None:
    one = rankings([screen("ann", 1, {"A": 1, "B": 2})])
    with pytest.raises(DataError, match="There are no judgements to compare"):
        agree(rankings([]))
    with pytest.raises(DataError, match="The 'by' option of AgreementRecipe must be one of 'judge', 'pair'"):
        agree(one, AgreementRecipe(by="team"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="The 'mode' option of AgreementRecipe must be one of"):
        agree(one, AgreementRecipe(mode="dirty"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="The 'chance' option of AgreementRecipe must be one of"):
        agree(one, AgreementRecipe(chance="fair"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="No judgement is of the language pair 'ru-en'"):
        agree(one, pair="ru-en")


def test_results_carry_how_they_were_made() -> None:
    result = agree(read_ranking(sample_path("testset/judgements/ranking.csv")), AgreementRecipe(seed=7, trials=100))
    meta = result.to_dict()["meta"]
    assert meta["files"][0]["rows"] == 180
    assert (meta["mode"], meta["chance"], meta["seed"], meta["trials"]) == ("clean", "empirical", 7, 100)
    assert "100 resamples of segments, seed 7" in result.render()
    assert draw_chart(result.figures()[0]).startswith("<svg")
    assert "Agreement of annotators" in result.html()
    again = agree(read_ranking(sample_path("testset/judgements/ranking.csv")), AgreementRecipe(seed=7, trials=100))
    assert again.lines == result.lines


# Scores


def assessed(rows: list[tuple[str, int, str, str, float | None]]) -> Judgements:
    return Judgements.of(
        DIRECT_ASSESSMENT,
        (
            {"annotator": who, "item": str(n), "type": kind, "segment": segment, "system": system, "score": score}
            for n, (who, segment, system, kind, score) in enumerate(rows)
        ),
    )


def test_direct_assessments() -> None:
    rows = []
    for segment, score in enumerate([10.0, 40, 60, 95]):
        rows += [
            ("ann", segment, "A", "TGT", score),
            ("bob", segment, "A", "TGT", score),
            ("bob", segment, "A", "CHK", score),
        ]
        rows += [("ann", segment, "A", "BAD", 5.0)]
    result = agree(assessed(rows))
    assert (line(result, "inter", "alpha-interval").value, line(result, "inter", "pearson").value) == (
        1,
        pytest.approx(1),
    )
    assert line(result, "inter", "pearson").pairs == 8
    assert line(result, "intra", "pearson").pairs == 4
    assert line(result, "intra", "alpha-interval").items == 4


def test_a_degraded_output_is_another_item_and_a_repeat_is_not() -> None:
    rows = [("ann", 1, "A", "TGT", 90.0), ("bob", 1, "A", "BAD", 10.0)]
    assert line(agree(assessed(rows)), "inter", "alpha-interval").pairs == 0
    rows = [("ann", 1, "A", "TGT", 90.0), ("bob", 1, "A", "CHK", 10.0)]
    assert line(agree(assessed(rows)), "inter", "alpha-interval").pairs == 1


@pytest.mark.parametrize("n_errors", [1, 4])
def test_an_output_with_several_errors_is_judged_once(n_errors: int) -> None:
    """ESA has a row for each error: people agreed almost perfectly with themselves, on the rows of one answer."""
    rows = [
        {
            "annotator": who,
            "item": f"{who}/{shown}/{segment}.{error}",
            "segment": segment,
            "system": "A",
            "type": shown,
            "score": float(10 * segment + more),
        }
        for segment in range(1, 7)
        for who, shown, more in (("ann", "TGT", 0), ("bob", "TGT", 7 * (segment % 3)), ("bob", "CHK", 5 * segment))
        for error in range(1, 1 + n_errors * segment)
    ]
    judged = Judgements.of(ERROR_SPANS, rows)
    result = agree(judged, AgreementRecipe(**QUICK))
    assert result.n == 18
    assert line(result, "intra", "pearson").pairs == 6
    assert line(result, "inter", "pearson").pairs == 12
    once = agree(judged.take([n for n, row in enumerate(rows) if row["item"].endswith(".1")]), AgreementRecipe(**QUICK))
    assert result.lines == once.lines
    assert spot_random(judged).tables() == spot_random(looks(judged)).tables()


def test_scores_by_language_pair() -> None:
    rows = [
        {
            "annotator": who,
            "item": str(n),
            "segment": n,
            "system": "A",
            "score": float(score),
            "source_lang": lang,
            "target_lang": "en",
        }
        for lang, scores in (("de", (10, 50, 90)), ("fr", (90, 50, 10)))
        for n, score in enumerate(scores)
        for who in ("ann", "bob")
    ]
    result = agree(Judgements.of(DIRECT_ASSESSMENT, rows), AgreementRecipe(**QUICK))
    assert list(dict.fromkeys(each.pair for each in result.lines)) == ["de-en", "fr-en", "all"]
    assert [result.line(pair, "inter", "pearson").pairs for pair in ("de-en", "fr-en", "all")] == [3, 3, 6]
    assert {
        each.pair
        for each in agree(Judgements.of(DIRECT_ASSESSMENT, rows), AgreementRecipe(**QUICK), pair="fr-en").lines
    } == {"fr-en"}
    with pytest.raises(DataError, match=r"the language pair 'cs-en'\. Judged: de-en, fr-en"):
        agree(Judgements.of(DIRECT_ASSESSMENT, rows), pair="cs-en")


def test_scores_by_annotator_and_by_two() -> None:
    judged = read_judgements(sample_path("testset/judgements/da.csv"), DIRECT_ASSESSMENT)
    people = {
        each.annotator: each
        for each in agree(judged, AgreementRecipe(by="judge", **QUICK)).lines
        if each.kind == "inter"
    }
    assert min(people, key=lambda name: people[name].value or 0) == "ann-4"  # the careless one
    two = agree(judged, AgreementRecipe(by="pair", **QUICK)).lines
    assert len(two) == 6
    assert {each.statistic for each in two} == {"pearson"}


def test_scores_in_categories() -> None:
    rows = [
        ("ann", 1, "A", "TGT", 10.0),
        ("bob", 1, "A", "TGT", 19.0),
        ("ann", 2, "A", "TGT", 50.0),
        ("bob", 2, "A", "TGT", 90.0),
    ]
    found = line(agree(assessed(rows), AgreementRecipe(bins=5, **QUICK)), "inter", "kappa-5")
    assert (found.p_agree, found.p_chance) == (0.5, pytest.approx(0.2))


SCALE = Schema(
    "effort", (Field("annotator"), Field("item"), Field("segment", "whole"), Field("score", "whole", low=1, high=5))
)


def test_a_scale_of_five_steps() -> None:
    rng = np.random.default_rng(2)
    rows = []
    for segment in range(60):
        truth = int(rng.integers(1, 6))
        for who in ("ann", "bob", "eve"):
            score = int(np.clip(truth + rng.integers(-1, 2), 1, 5))
            rows.append({"annotator": who, "item": f"{who}{segment}", "segment": segment, "score": score})
    result = agree(Judgements.of(SCALE, rows), AgreementRecipe(trials=200))
    kappa, alpha = line(result, "inter", "kappa-quadratic"), line(result, "inter", "alpha-ordinal")
    assert kappa.value is not None
    assert alpha.value is not None
    assert 0.6 < kappa.value < 0.95
    assert 0.6 < alpha.value < 0.95
    assert kappa.low is not None
    assert kappa.low < kappa.value
    two = agree(Judgements.of(SCALE, rows), AgreementRecipe(by="pair", **QUICK)).lines
    assert {(each.annotator, each.other, each.statistic) for each in two} == {
        ("ann", "bob", "kappa-quadratic"),
        ("ann", "eve", "kappa-quadratic"),
        ("bob", "eve", "kappa-quadratic"),
    }


def test_errors_of_scores() -> None:
    words = Schema("words", (Field("annotator"), Field("item"), Field("text")))
    with pytest.raises(
        DataError, match="judgements with a number 'score'; words judgements have annotator, item, text"
    ):
        agree(Judgements.of(words, [{"annotator": "a", "item": "1", "text": "x"}]))
    with pytest.raises(DataError, match="None of the judgements has a score"):
        agree(assessed([("ann", 1, "A", "TGT", None)]))
    with pytest.raises(DataError, match=r"the language pair 'de-en'\. These judgements do not name their languages"):
        agree(assessed([("ann", 1, "A", "TGT", 1.0)]), pair="de-en")


def test_a_page(tmp_path: Path) -> None:
    judged = read_judgements(sample_path("testset/judgements/da.csv"), DIRECT_ASSESSMENT)
    (tmp_path / "page.html").write_text(agree(judged, AgreementRecipe(trials=50)).html(), encoding="utf-8")
    assert "alpha-interval" in (tmp_path / "page.html").read_text(encoding="utf-8")
