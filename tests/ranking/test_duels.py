from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from dragoman.data.comparisons import Comparisons, compare_pairwise
from dragoman.errors import DataError, UnknownName
from dragoman.ranking import DuelRecipe, head_to_head
from dragoman.report.charts import draw_chart
from tests.human.made import rankings, screen

Outcomes = list[tuple[str, str, int]]


def compared(outcomes: Outcomes) -> Comparisons:
    """Comparisons of two systems a screen: +1 the first better, 0 a tie, −1 worse."""
    rows = [screen("ann", n, {a: 2 - (o > 0), b: 2 - (o < 0)}) for n, (a, b, o) in enumerate(outcomes)]
    return compare_pairwise(rankings(rows))


DUELS = st.lists(
    st.tuples(st.permutations("ABCD"), st.integers(-1, 1)).map(lambda drawn: (drawn[0][0], drawn[0][1], drawn[1])),
    min_size=1,
    max_size=60,
)


@given(DUELS, st.sampled_from(["wmt12", "wmt13"]))
def test_cells_and_tests_against_their_definition(outcomes: Outcomes, style: str) -> None:
    found = head_to_head(compared(outcomes), DuelRecipe(style=style))  # type: ignore[arg-type]
    for a, b in combinations(sorted({name for x, y, _ in outcomes for name in (x, y)}), 2):
        said = [o if x == a else -o for x, y, o in outcomes if {x, y} == {a, b}]
        wins, losses = said.count(1), said.count(-1)
        duel = found.duel(a, b)
        assert (duel.wins, duel.losses, duel.ties) == (wins, losses, said.count(0))
        n = len(said) if style == "wmt12" else wins + losses
        assert found.cell(b, a) == (pytest.approx(wins / n) if n else None)
        assert found.cell(a, b) == (pytest.approx(losses / n) if n else None)
        assert found.is_bold(b, a) == (wins > losses)
        if not said:
            assert (duel.p, duel.mark) == (None, "")
            continue
        expected = 1.0
        if wins + losses:
            sides = "two-sided" if style == "wmt12" else "greater"
            expected = binomtest(max(wins, losses), wins + losses, 0.5, alternative=sides).pvalue
        assert duel.p == pytest.approx(expected)


def test_winners_and_constrained_winners() -> None:
    outcomes: Outcomes = [("A", "B", 1)] * 12 + [("B", "C", 1)] * 12 + [("A", "C", 1), ("A", "C", -1)] * 5
    found = head_to_head(compared(outcomes), DuelRecipe(constrained=["B", "C"]))
    assert {each.system: each.is_winner for each in found.standings} == {"A": True, "B": False, "C": False}
    # A beats B but is not of the track; B beats C there.
    assert {each.system: each.is_constrained_winner for each in found.standings} == {"A": False, "B": True, "C": False}
    assert [each.beaten_by for each in found.standings] == [0, 1, 1]


def test_a_correction_makes_marks_rarer() -> None:
    outcomes: Outcomes = [("A", "B", 1)] * 5 + [("B", "C", 1)] * 2 + [("A", "C", 1)] * 2
    plain, holm = (head_to_head(compared(outcomes), DuelRecipe(correction=name)) for name in ("none", "holm"))
    assert plain.duel("A", "B").mark == "‡"
    assert holm.duel("A", "B").mark == ""
    assert holm.duel("A", "B").p == plain.duel("A", "B").p == 0.0625
    assert holm.duel("A", "B").p_adjusted == pytest.approx(3 * 0.0625)
    assert "p adjusted (holm)" in holm.render()


def test_forms() -> None:
    found = head_to_head(compared([("A", "B<i>", 1)] * 9 + [("B<i>", "A", 0)]))
    assert found.to_dict()["rows"][0] | {"p": 0} == {
        "first": "A",
        "second": "B<i>",
        "wins": 9,
        "losses": 0,
        "ties": 1,
        "share_first": 0.9,
        "share_second": 0.0,
        "p": 0,
        "p_adjusted": pytest.approx(2 / 512),
        "mark": "⋆",
        "better": "A",
    }
    assert ".90⋆" in found.render()
    assert "<strong>.90⋆</strong>" in found.html()
    assert "B&lt;i&gt;" in found.html()
    assert "<i>" not in found.html()
    assert draw_chart(found.figures()[0]).startswith("<svg")
    assert found.render("tsv").splitlines()[0].startswith("first\tsecond\twins")
    assert found.to_dict()["meta"]["comparisons"] == 10
    assert head_to_head(compared([("B", "A", 1)]), DuelRecipe(order="name")).systems == ("A", "B")
    assert head_to_head(compared([("B", "A", 1)])).systems == ("B", "A")


def test_errors() -> None:
    one = compared([("A", "B", 1)])
    with pytest.raises(DataError, match="The 'style' option of DuelRecipe must be one of 'wmt12', 'wmt13'"):
        head_to_head(one, DuelRecipe(style="wmt99"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match="The 'order' option of DuelRecipe must be one of 'score', 'name'"):
        head_to_head(one, DuelRecipe(order="luck"))  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"No judgement names the constrained system Z\. Judged: A, B"):
        head_to_head(one, DuelRecipe(constrained=["Z"]))
    with pytest.raises(DataError, match="Two systems are needed for a comparison, got none"):
        head_to_head(compare_pairwise(rankings([])))
    with pytest.raises(DataError, match="alpha must lie between 0 and 1, got 0"):
        head_to_head(one, DuelRecipe(alpha=0))
    with pytest.raises(UnknownName, match=r"No comparison of 'A' and 'Z'\. Systems: A, B"):
        head_to_head(one).duel("A", "Z")
