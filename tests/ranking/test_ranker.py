"""Rankings end to end: ties, references, what cannot be compared, provenance, pages."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from dragoman.data.judgements import DIRECT_ASSESSMENT, Judgements, ranking_schema
from dragoman.errors import DataError, UnknownName
from dragoman.ranking import RankingRecipe, audit, rank, rank_pairs
from dragoman.ranking.assessments import collect_assessments
from dragoman.ranking.checks import reference_names
from tests.ranking.made import campaign, from_wins, made


def screens(rows: list[tuple[str, int, dict[str, int | None]]], target: str = "en") -> Judgements:
    """Relative rankings given as (annotator, segment, ranks)."""
    return Judgements.of(
        ranking_schema(3),
        [
            {
                "annotator": annotator,
                "item": str(number),
                "source_lang": "de",
                "target_lang": target,
                "segment": segment,
                **{f"system{n}": name for n, name in enumerate(ranks, start=1)},
                **{f"rank{n}": rank for n, rank in enumerate(ranks.values(), start=1)},
            }
            for number, (annotator, segment, ranks) in enumerate(rows)
        ],
    )


def assessments(rows: list[tuple[str, str, int, float | None, str | None]], **more: str) -> Judgements:
    """Direct assessments given as (annotator, system, segment, score, type)."""
    return Judgements.of(
        DIRECT_ASSESSMENT,
        [
            {
                "annotator": annotator,
                "item": str(number),
                "system": system,
                "segment": segment,
                "score": score,
                "type": kind,
                **more,
            }
            for number, (annotator, system, segment, score, kind) in enumerate(rows)
        ],
    )


def test_equal_scores_share_a_rank_and_names_decide_the_order() -> None:
    found = rank(made([(0, 1, 1), (1, 0, 1), (0, 2, 1), (1, 2, 1)]))
    assert [(row.system, row.rank) for row in found.rows] == [("A", 1), ("B", 1), ("C", 3)]


def test_without_clusters_the_ranges_are_absent_and_in_the_json_null() -> None:
    found = rank(campaign())
    assert [column.name for column in found.tables()[0].columns] == ["system", "score", "rank"]
    row = found.to_dict()["rows"][0]
    assert list(row) == ["system", "score", "rank", "rank_low", "rank_high", "cluster"]
    assert row["cluster"] is None
    assert found.partition() == ()
    assert found.figures()[0].kind == "bar"


def test_provenance_stands_in_the_meta() -> None:
    found = rank(
        screens([("x", 1, {"a": 1, "b": 2, "c": None}), ("y", 1, {"a": 1, "b": 1, "c": 2})]),
        RankingRecipe(clusters=True),
    )
    meta = found.to_dict()["meta"]
    judged = meta["judgements"]
    assert (judged["pair"], judged["blanks"], judged["comparisons"], judged["ties"]) == ("de-en", "drop", 4, 1)
    assert (judged["screens"], judged["annotators"], judged["segments"]) == (2, 2, 1)
    assert meta["clusters"]["unit"] == "screen"
    assert meta["clusters"]["interval"] == "shortest"
    assert meta["method"] == "expected-wins"


def test_a_reference_is_an_opponent_only_for_the_method_that_counts_it() -> None:
    # b beat the reference, a lost to it; without the reference a and b are level.
    rows = [(0, 1, 1), (1, 0, 1), (2, 0, 1), (1, 2, 1)]
    some = replace(made(rows), systems=("a", "b", "_ref"))
    level = rank(some, RankingRecipe(method="expected-wins"))
    assert [row.rank for row in level.rows] == [1, 1]
    assert level.provenance["references_left_out"] == "_ref"
    official = rank(some, RankingRecipe(method="wins-and-ties"))
    assert official.order == ("b", "a")


@pytest.mark.parametrize("name", ["_ref", "ref", "REF", "reference", "ref-A", "refB", "Reference_2"])
def test_references_are_told_by_their_names(name: str) -> None:
    assert reference_names((name, "refined-mt", "preference")) == [name]


def test_systems_without_a_link_are_named() -> None:
    some = made([(0, 1, 1), (2, 3, -1), (2, 3, 0)])
    with pytest.raises(DataError) as caught:
        rank(some)
    assert str(caught.value) == (
        "The systems fall into 2 groups that cannot be compared, because no judgement that is no tie links them: "
        "A, B | C, D. Rank one group by itself, or collect judgements across."
    )
    assert rank(some, RankingRecipe(systems=["C", "D"])).order == ("D", "C")


def test_a_link_of_ties_is_one_for_methods_that_count_ties() -> None:
    some = made([(0, 1, 1), (1, 2, 0), (2, 3, 1)])
    assert rank(some, RankingRecipe(method="hopkins-may")).order[0] == "A"
    with pytest.raises(DataError, match="no judgement that is no tie links them"):
        rank(some, RankingRecipe(method="bojar"))
    with pytest.raises(DataError, match="no judgement links them"):
        rank(made([(0, 1, 1), (2, 3, 1)]), RankingRecipe(method="trueskill:runs=2"))


def test_nothing_but_ties() -> None:
    some = made([(0, 1, 0), (1, 2, 0), (0, 2, 0)])
    with pytest.raises(DataError, match="All 3 comparisons are ties, which Expected Wins does not count"):
        rank(some)
    level = rank(some, RankingRecipe(method="hopkins-may", clusters=True, replicates=100))
    assert [row.rank for row in level.rows] == [1, 1, 1]
    assert [row.cluster for row in level.rows] == [1, 1, 1]  # neither is owed the better rank


def test_two_systems_and_one_judgement_are_enough() -> None:
    found = rank(made([(0, 1, -1)]), RankingRecipe(clusters=True, replicates=50))
    assert found.order == ("B", "A")


def test_an_opponent_never_met_is_named_in_a_note() -> None:
    found = rank(made([(0, 1, 1), (1, 2, 1)]))
    assert found.notes == ("Never decided, hence left out of the means: A and C.",)
    assert found.details["unmet_pairs"] == 1
    many = rank(made([(0, n, 1) for n in range(1, 6)]))
    assert "and 7 further pairs" in many.notes[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"level": 1.0}, "level must lie between 0 and 1"),
        ({"unit": "word"}, "The 'unit' option of RankingRecipe must be one of 'screen', .* Got 'word'"),
        ({"interval": "wide", "clusters": True}, "must be one of 'shortest', 'equal'"),
        ({"replicates": 5, "clusters": True}, "at least 20 replicates, got 5"),
        ({"seed": -1}, "The 'seed' option of RankingRecipe must be at least 0"),
        ({"method": "trueskill:sigma=0"}, "sigma"),
    ],
)
def test_wrong_options_are_named(options: dict[str, object], message: str) -> None:
    with pytest.raises(DataError, match=message):
        rank(campaign(), RankingRecipe(**options))  # type: ignore[arg-type]


def test_every_language_pair_is_ranked_by_itself() -> None:
    both = screens([("x", 1, {"a": 1, "b": 2})]).append(screens([("x", 1, {"a": 2, "b": 1})], "cs").rows())
    with pytest.raises(DataError, match="several language pairs; name one of de-en, de-cs"):
        rank(both)
    found = rank_pairs(both)
    assert found["de-en"].order == ("a", "b")
    assert found["de-cs"].order == ("b", "a")
    rows = found.to_dict()["rows"]
    assert [row["pair"] for row in rows] == ["de-en", "de-en", "de-cs", "de-cs"]
    assert "de-cs" in found.html()
    with pytest.raises(UnknownName, match=r"no ranking of the language pair 'fr-en'\. Known: de-en, de-cs"):
        found["fr-en"]
    with pytest.raises(DataError, match="There are no judgements to rank by"):
        rank_pairs(screens([]))


def test_the_page_shows_range_figure_and_provenance() -> None:
    page = rank(campaign(), RankingRecipe(clusters=True, replicates=100)).html()
    assert "Rank ranges, de-en: Expected Wins" in page
    assert "How it was made" in page
    assert "<svg" in page
    assert page == rank(campaign(), RankingRecipe(clusters=True, replicates=100)).html()


def test_direct_assessments_are_averaged_by_segment_and_standardised() -> None:
    rows = [
        ("strict", "a", 1, 30.0, "TGT"),
        ("strict", "b", 1, 10.0, None),
        ("strict", "b", 2, 20.0, "TGT"),
        ("mild", "a", 2, 90.0, "TGT"),
        ("mild", "a", 1, 70.0, "TGT"),
        ("mild", "b", 1, 80.0, "TGT"),
        ("mild", "ref-A", 1, 100.0, "REF"),
        ("mild", "a", 1, 0.0, "BAD"),
        ("mild", "b", 3, None, "TGT"),
    ]
    judged = assessments(rows)
    scores = {row.system: row.score for row in rank(judged, RankingRecipe(method="da-mean")).rows}
    # a: segment 1 has 30 and 70, segment 2 has 90. b: segment 1 has 10 and 80, segment 2 has 20.
    assert scores == pytest.approx({"a": (50 + 90) / 2, "b": (45 + 20) / 2})
    plain = {row.system: row.score for row in rank(judged, RankingRecipe(method="da-mean:by_segment=no")).rows}
    assert plain == pytest.approx({"a": 190 / 3, "b": 110 / 3})
    z = {"a": [(30 - 20) / 10, (90 - 80) / 10, (70 - 80) / 10], "b": [(10 - 20) / 10, 0.0, 0.0]}
    standard = {row.system: row.score for row in rank(judged, RankingRecipe(method="da-z:by_segment=no")).rows}
    assert standard == pytest.approx({name: float(np.mean(values)) for name, values in z.items()})
    assert rank(judged, RankingRecipe(method="da-z")).provenance["controls"] == 3


def test_an_annotator_who_gave_one_score_says_nothing() -> None:
    rows = [("flat", "a", n, 0.1 + 0.2, None) for n in range(5)] + [("flat", "b", 1, 0.3, None)]
    rows += [("x", "a", 1, 80.0, None), ("x", "b", 1, 40.0, None)]
    found = rank(assessments(rows), RankingRecipe(method="da-z"))
    assert found.notes == ("1 of 2 annotators gave one and the same score; their z is 0.",)
    assert found.order == ("a", "b")


def test_assessments_of_several_pairs_or_attributes_are_not_mixed() -> None:
    rows = [("x", "a", 1, 10.0, None), ("x", "b", 1, 20.0, None)]
    german = assessments(rows, source_lang="de", target_lang="en")
    both = german.append(assessments(rows, source_lang="cs", target_lang="en").rows())
    with pytest.raises(DataError, match="several language pairs; name one of de-en, cs-en"):
        rank(both, RankingRecipe(method="da-mean"))
    with pytest.raises(DataError, match="No judgement is of the language pair 'fr-en'"):
        collect_assessments(both, pair="fr-en")
    assert rank(both, RankingRecipe(method="da-mean"), pair="cs-en").order == ("b", "a")
    assert len(rank_pairs(both, RankingRecipe(method="da-mean")).rankings) == 2
    mixed = assessments(rows, attribute="adequacy").append(assessments(rows, attribute="fluency").rows())
    with pytest.raises(DataError, match="adequacy and fluency, which do not add up"):
        rank(mixed, RankingRecipe(method="da-mean"))


def test_assessments_must_be_finite_and_equally_many() -> None:
    judged = collect_assessments(assessments([("x", "a", 1, 10.0, None), ("x", "b", 1, 20.0, None)]))
    with pytest.raises(DataError, match="finite numbers"):
        replace(judged, score=np.array([1.0, math.nan]))
    with pytest.raises(DataError, match="equally long"):
        replace(judged, score=np.array([1.0]))


def test_an_audit_names_the_violated_pairs() -> None:
    some = from_wins([[0, 3, 1], [1, 0, 4], [2, 0, 0]])
    found = audit(some, ["C", "B", "A"])
    assert [(each.above, each.below, each.weight) for each in found.violated] == [("C", "B", 4), ("B", "A", 2)]
    assert (found.violations, found.best, found.n_best) == (6, 1, 1)
    assert found.best_order == ("A", "B", "C")
    assert found.to_dict()["meta"]["best_order"] == ["A", "B", "C"]
    assert "not independent" in found.render()
    assert audit(some, rank(some, RankingRecipe(method="lopez"))).violations == 1


def test_an_audit_of_some_systems_leaves_the_others_out() -> None:
    found = audit(from_wins([[0, 3, 1], [1, 0, 4], [2, 0, 0]]), ["B", "A"])
    assert found.left_out == ("C",)
    assert found.violations == 2


@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["A", "B", "A"], "The order names A more than once"),
        (["A"], "names at least two systems"),
        (["A", "Z"], "No judgement names Z"),
    ],
)
def test_an_order_that_is_none_is_named(order: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        audit(from_wins([[0, 3], [1, 0]]), order)


def test_names_may_hold_anything() -> None:
    some = replace(campaign(3), systems=("a system", "b, with comma", "é"))
    assert rank(some).order == ("a system", "b, with comma", "é")
