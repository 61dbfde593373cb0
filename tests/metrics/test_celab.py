"""TESLA-CELAB: the umbrella by hand, the linear program by another solver, and what it refuses."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import linprog

from dragoman.errors import DataError, FormatError, NotAvailable
from dragoman.metrics.celab import Celab

SIDES = tuple[str, str]


def spans(text: str) -> list[tuple[int, int]]:
    return [(i, i + n) for n in range(1, 5) for i in range(len(text) - n + 1)]


def are_linked(ref: str, hyp: str, synonyms: set[frozenset[str]]) -> bool:
    """Whether two strings can be cut into as many pieces, each equal or synonymous to its counterpart."""
    if not ref and not hyp:
        return True
    return any(
        (ref[:i] == hyp[:j] or frozenset((ref[:i], hyp[:j])) in synonyms) and are_linked(ref[i:], hyp[j:], synonyms)
        for i, j in product(range(1, len(ref) + 1), range(1, len(hyp) + 1))
    )


def by_linear_program(ref: str, hyp: str, synonyms: set[frozenset[str]]) -> float:
    """The program as Liu & Ng write it, section 4: variables w of links, then c of the spans of both sides."""
    sides = spans(ref), spans(hyp)
    links = [
        (x, y)
        for x, y in product(range(len(sides[0])), range(len(sides[1])))
        if are_linked(ref[slice(*sides[0][x])], hyp[slice(*sides[1][y])], synonyms)
    ]
    n_links, n = len(links), len(links) + len(sides[0]) + len(sides[1])
    rows, bounds = [], []
    for side in (0, 1):
        first = n_links + side * len(sides[0])
        for number, (begin, end) in enumerate(sides[side]):
            use, cover = np.zeros(n), np.zeros(n)
            cover[first + number] = 1.0
            for link, ends in enumerate(links):
                other_begin, other_end = sides[side][ends[side]]
                use[link] = ends[side] == number
                cover[link] = -float(other_begin <= begin and end <= other_end)
            rows += [use, cover]
            bounds += [1.0, 0.0]
    gains = np.concatenate([np.zeros(n_links), np.ones(len(sides[0])), np.full(len(sides[1]), 0.25)])
    solution = linprog(-gains, A_ub=np.array(rows), b_ub=bounds, bounds=(0, 1), method="highs")
    return float(-solution.fun / gains.sum())


def thesaurus(tmp_path: Path, *classes: str) -> Celab:
    (tmp_path / "classes.txt").write_text("".join(f"{line}\n" for line in classes), encoding="utf-8")
    return Celab(synonyms=f"thesaurus+lang=zh+file={tmp_path / 'classes.txt'}")


def test_the_umbrella_of_section_4(tmp_path: Path) -> None:
    metric = thesaurus(tmp_path, "Bp34A01= 伞 雨伞")
    assert metric.segments(["买伞"], [["买雨伞"]])[0] == pytest.approx(100)
    assert Celab().segments(["买伞"], [["买雨伞"]])[0] == pytest.approx(37.037037)
    assert Celab().segments(["买雨伞"], [["买伞"]])[0] == pytest.approx(55.555556)
    # Two characters share one: half a link each, which a matching of whole spans would not find.
    assert Celab().segments(["妈"], [["妈妈"]])[0] == pytest.approx(38.461538)
    assert Celab().segments(["妈妈"], [["妈"]])[0] == pytest.approx(71.428571)


def test_a_first_piece_of_two_characters_on_both_sides(tmp_path: Path) -> None:
    # By the paper's definition; the authors' program never accepts one and says 0.966667.
    assert thesaurus(tmp_path, "A= 女儿 闺女").segments(["闺女。"], [["女儿。"]])[0] == pytest.approx(100)


def test_it_is_the_linear_program(tmp_path: Path) -> None:
    rng = random.Random(7)
    metric = thesaurus(tmp_path, "A= 甲 乙丙", "B= 乙 丁", "C# 甲乙 丁丙甲")
    synonyms = {frozenset(pair) for pair in [("甲", "乙丙"), ("乙", "丁"), ("甲乙", "丁丙甲")]}
    for _ in range(150):
        ref, hyp = ("".join(rng.choices("甲乙丙丁戊", k=rng.randint(1, 9))) for _ in range(2))
        found, bare = (each.segments([hyp], [[ref]])[0] / 100 for each in (metric, Celab()))
        assert found == pytest.approx(by_linear_program(ref, hyp, synonyms), abs=1e-7), (ref, hyp)
        assert bare == pytest.approx(by_linear_program(ref, hyp, set()), abs=1e-7), (ref, hyp)
        assert -1e-9 <= bare <= found + 1e-9 <= 1 + 2e-9, "a dictionary never lowers a score"


def test_latin_words_and_numbers_are_whole() -> None:
    assert (
        Celab().segments(["他 有 500 元"], [["他 有 5 元"]])[0]
        < Celab(tokeniser="char").segments(["他 有 500 元"], [["他 有 5 元"]])[0]
    )


def test_several_references_count_by_their_mean_or_the_best() -> None:
    refs = [["买雨伞"], ["买伞"]]
    assert Celab().segments(["买伞"], refs)[0] == pytest.approx((37.037037 + 100) / 2)
    assert Celab(several="best").segments(["买伞"], refs)[0] == 100
    assert Celab().segments(["买伞", "买伞"], [["买雨伞"] * 2, [None, "买伞"]]).tolist() == pytest.approx(
        [37.037037, (37.037037 + 100) / 2]
    )


def test_nothing_in_common_or_nothing_at_all_scores_nothing() -> None:
    assert Celab().segments(["甲", "", "甲", ""], [["乙", "乙", "", ""]]).tolist() == [0, 0, 0, 0]


def test_what_it_refuses(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"synonyms=thesaurus\+lang=en\+file=x are of 'en', but the text is in 'zh'"):
        Celab(synonyms="thesaurus+lang=en+file=x")
    with pytest.raises(NotAvailable, match=r"needs the file of classes none.txt.*say thesaurus\+file=FILE"):
        Celab(synonyms="thesaurus+lang=zh+file=none.txt").segments(["甲"], [["乙"]])
    with pytest.raises(FormatError, match=r"classes.txt.*2.*expected a code and its words"):
        thesaurus(tmp_path, "A= 甲 乙", "B=").segments(["甲"], [["乙"]])
    (tmp_path / "other").mkdir()
    with pytest.raises(DataError, match=r"has 1 lines and no class whose code ends in one of #"):
        Celab(synonyms=thesaurus(tmp_path / "other", "A= 甲 乙").synonyms + "+kinds=#").segments(["甲"], [["乙"]])
    with pytest.raises(DataError, match=r"Segment 2: too long for TESLA-CELAB: 5000 tokens against 5001. Cut it"):
        Celab().segments(["甲", "甲" * 5000], [["乙", "甲" * 5001]])
