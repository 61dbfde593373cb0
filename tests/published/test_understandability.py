"""Understandability of English–Czech: Bojar et al., Findings of WMT 2013, §4, pp. 10–12.

The edits were not released with the judgements. Rows are made that have the printed counts.
"""

from __future__ import annotations

import pytest

from dragoman.data.judgements import Judgements
from dragoman.data.judgements.blind_edits import REVIEWS
from dragoman.human import Understandability, understandability
from dragoman.stats.agreement import kappa_of

# Table 9: system, observations, per cent understood and its bound, range of ranks.
TABLE_9 = [
    ("Reference", 274, 80.3, 4.8, 1, 1),
    ("CU-ZEMAN", 348, 51.7, 5.1, 2, 6),
    ("UEDIN", 332, 51.5, 5.4, 2, 6),
    ("ONLINE-B", 337, 50.7, 5.3, 2, 6),
    ("CU-BOJAR", 341, 50.7, 5.2, 2, 6),
    ("CU-DEPFIX", 350, 48.0, 5.3, 2, 7),
    ("COMMERCIAL-2", 358, 43.6, 5.2, 6, 10),
    ("COMMERCIAL-1", 316, 41.5, 5.5, 6, 11),
    ("CU-TECTOMT", 338, 39.4, 5.2, 7, 12),
    ("MES", 346, 38.4, 5.2, 8, 12),
    ("CU-PHRASEFIX", 394, 38.1, 4.8, 8, 12),
    ("SHEF-WPROA", 348, 34.2, 5.1, 10, 12),
]


@pytest.fixture(scope="module")
def result() -> Understandability:
    rows = [
        {
            "editor": "e",
            "reviewer": "r",
            "system": system,
            "segment": str(k),
            "edit": "x",
            "review": "x" if k < round(n * share / 100) else "y",
        }
        for system, n, share, *_ in TABLE_9
        for k in range(n)
    ]
    return understandability(Judgements.of(REVIEWS, rows))


def test_table_9_shares_and_bounds(result: Understandability) -> None:
    found = {each.system: each for each in result.systems}
    for system, n, share, bound, *_ in TABLE_9:
        each = found[system]
        # The printed observations are means of the resamples, whence shares that no whole count gives exactly.
        assert each.n == n
        assert each.share == pytest.approx(share, abs=0.16)
        assert (each.high - each.low) / 2 == pytest.approx(bound, abs=0.45)
    assert (found[None].n, round(found[None].share, 1)) == (4082, 46.7)
    assert (found[None].high - found[None].low) / 2 == pytest.approx(1.6, abs=0.15)


def test_table_9_ranges_of_ranks(result: Understandability) -> None:
    found = {each.system: each for each in result.systems}
    for system, *_, low, high in TABLE_9:
        # Theirs rest on their own draws, and on rows of one sentence that go together.
        assert abs(found[system].rank_low - low) <= 1
        assert abs(found[system].rank_high - high) <= 1


@pytest.mark.parametrize(
    ("good", "bad", "empty", "almost"),
    [(34.7, 42.3, 11.0, 12.0), (41.1, 41.0, 6.1, 11.8), (35.8, 42.1, 10.2, 11.9)],
    ids=["first", "repeated", "overall"],
)
def test_table_7_prints_almost_as_a_fraction(good: float, bad: float, empty: float, almost: float) -> None:
    # Erratum: 0.1 is printed for "almost"; what is missing to 100 is a tenth as a fraction, and gives Table 9's mean.
    assert 100 - good - bad - empty == pytest.approx(almost, abs=0.051)
    assert int(almost / 10) / 10 == 0.1
    if good == 34.7:
        assert good + almost == pytest.approx(46.7)


def test_table_8_separate_labels_follow_from_table_7() -> None:
    shares = [35.8 / 89.8, 11.9 / 89.8, 42.1 / 89.8]  # good, almost, bad of the rows that are not empty
    assert kappa_of(0.560, sum(share**2 for share in shares)) == pytest.approx(0.270, abs=0.002)
