from __future__ import annotations

from collections import Counter
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data import Comparisons, Judgements, compare_pairwise, judged_pairs
from dragoman.data.judgements import DIRECT_ASSESSMENT, ranking_schema, read_ranking
from dragoman.errors import DataError

SYSTEMS = ["bbn", "cmu", "jhu", "rwth", "rwth-combo", "uedin"]


def screen(ranks: dict[str, int | None], *, annotator: str = "ann", segment: int = 1, target: str = "en") -> dict:
    row = {"annotator": annotator, "item": "1", "source_lang": "cs", "target_lang": target, "segment": segment}
    for n, (system, rank) in enumerate(ranks.items(), start=1):
        row |= {f"system{n}": system, f"rank{n}": rank}
    return row


def table(*rows: dict) -> Judgements:
    return Judgements.of(ranking_schema(5), rows)


def outcomes(comparisons: Comparisons) -> Counter[tuple[str, str, int]]:
    names = comparisons.systems
    triples = zip(comparisons.first, comparisons.second, comparisons.outcome, strict=True)
    return Counter((names[a], names[b], int(outcome)) for a, b, outcome in triples)


def test_lopez_2012_figure_1_ten_relations_of_one_screen() -> None:
    found = compare_pairwise(table(screen({"jhu": 1, "bbn": 2, "rwth": 3, "rwth-combo": 3, "cmu": 4})))
    assert outcomes(found) == Counter(
        {
            ("bbn", "jhu", -1): 1,
            ("jhu", "rwth", 1): 1,
            ("jhu", "rwth-combo", 1): 1,
            ("cmu", "jhu", -1): 1,
            ("bbn", "rwth", 1): 1,
            ("bbn", "rwth-combo", 1): 1,
            ("bbn", "cmu", 1): 1,
            ("rwth", "rwth-combo", 0): 1,
            ("cmu", "rwth", -1): 1,
            ("cmu", "rwth-combo", -1): 1,
        }
    )
    assert found.ties().sum() == 2
    assert found.wins().sum() == 9


ranking = st.dictionaries(st.sampled_from(SYSTEMS), st.none() | st.integers(1, 5), max_size=5)


@given(st.lists(ranking, max_size=6), st.sampled_from(["drop", "best"]))
def test_wins_and_ties_are_those_of_the_definition(screens: list[dict[str, int | None]], blanks: str) -> None:
    wins: Counter[tuple[str, str]] = Counter()
    ties: Counter[tuple[str, str]] = Counter()
    for ranks in screens:
        for a, b in combinations(ranks, 2):
            if blanks == "drop" and None in (ranks[a], ranks[b]):
                continue
            first, second = ranks[a] or 0, ranks[b] or 0
            if first == second:
                ties[a, b] += 1
                ties[b, a] += 1
            else:
                wins[(a, b) if first < second else (b, a)] += 1
    found = compare_pairwise(table(*(screen(ranks, segment=n) for n, ranks in enumerate(screens))), blanks=blanks)
    places = list(enumerate(found.systems))
    assert {(a, b): found.wins()[i, j] for i, a in places for j, b in places if found.wins()[i, j]} == wins
    assert {(a, b): found.ties()[i, j] for i, a in places for j, b in places if found.ties()[i, j]} == ties
    assert (found.first < found.second).all()
    assert list(found.screen) == sorted(found.screen)


def test_who_judged_which_segment_is_kept_and_systems_can_be_left_out() -> None:
    found = compare_pairwise(
        table(
            screen({"cmu": 1, "_ref": 2, "jhu": 3}, annotator="zoe", segment=40),
            screen({"jhu": 1, "cmu": None, "bbn": 1}, annotator="ann", segment=7),
        )
    )
    assert found.systems == ("_ref", "bbn", "cmu", "jhu")
    assert [found.annotators[n] for n in found.annotator] == ["zoe", "zoe", "zoe", "ann"]
    assert list(found.segment) == [1, 1, 1, 0]
    assert list(found.screen) == [0, 0, 0, 1]
    assert outcomes(found.without("_ref")) == Counter({("cmu", "jhu", 1): 1, ("bbn", "jhu", 0): 1})
    assert outcomes(found.only("jhu", "cmu")) == Counter({("cmu", "jhu", 1): 1})
    assert outcomes(found.take(found.outcome == 0)) == Counter({("bbn", "jhu", 0): 1})
    with pytest.raises(DataError, match=r"No judgement names moses\. Judged: _ref, bbn, cmu, jhu\."):
        found.only("moses")


def test_no_judgements_give_no_comparisons() -> None:
    found = compare_pairwise(table())
    assert (len(found), found.systems, found.wins().shape) == (0, (), (0, 0))


def test_what_cannot_be_compared_is_named() -> None:
    both = table(screen({"cmu": 1, "jhu": 2}), screen({"cmu": 1, "jhu": 2}, target="de"))
    assert judged_pairs(both) == ("cs-en", "cs-de")
    assert len(compare_pairwise(both, pair="cs-de")) == 1
    with pytest.raises(DataError, match=r"several language pairs; name one of cs-en, cs-de\."):
        compare_pairwise(both)
    with pytest.raises(DataError, match=r"No judgement is of the language pair 'en-cs'\. Judged: cs-en, cs-de\."):
        compare_pairwise(both, pair="en-cs")
    with pytest.raises(DataError, match=r"blanks is 'worst'; expected drop or best\."):
        compare_pairwise(both, pair="cs-en", blanks="worst")
    with pytest.raises(DataError, match="these are direct-assessment judgements"):
        compare_pairwise(Judgements.of(DIRECT_ASSESSMENT))
    twice = screen({"cmu": 1, "jhu": 2}) | {"system3": "cmu", "rank3": 4}
    with pytest.raises(DataError, match=r"Row 2: .*the system 'cmu' is ranked twice on one screen"):
        compare_pairwise(table(screen({"cmu": 1, "jhu": 2}), twice))


# Findings 2012, Czech–English counts behind Tables 4 and 14 (blanks dropped) and Table 22 (blanks best).
CS_EN = ("cu-bojar", "jhu-heiro", "onlineA", "onlineB", "uedin-wmt12", "uk-dan-moses")


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("blanks", "row"), [("drop", [0, 501, 384, 293, 305, 486]), ("best", [0, 504, 386, 295, 307, 489])]
)
def test_wmt12_czech_english_wins_of_cu_bojar(data_folder: Path, blanks: str, row: list[int]) -> None:
    judgements = read_ranking(data_folder / "wmt-judgments" / "wmt12.RNK_results.csv.gz")
    found = compare_pairwise(judgements, pair="cs-en", blanks=blanks)
    assert found.systems == CS_EN
    np.testing.assert_array_equal(found.wins()[0], row)
    assert found.ties()[0, 1] == {"drop": 100, "best": 101}[blanks]
