"""The guide counts the columns of the papers' sets: its numbers are theirs, and nothing is missing without a reason."""

from __future__ import annotations

import re
from pathlib import Path

from dragoman.qe.features.base import feature_set
from dragoman.qe.features.catalogue import describe_features, is_from_text
from dragoman.qe.features.sets import FEATURE_SETS

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "quality-features.md"
OF_PAPERS = [name for name in FEATURE_SETS if re.search(r"[a-z]\d\d$", name)]


def rows() -> dict[str, list[str]]:
    section = GUIDE.read_text(encoding="utf-8").partition("## The papers' sets, counted")[2].partition("\n## ")[0]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if "| `" in line]
    return {name.strip("`"): rest for name, *rest in cells}


def test_every_set_of_a_paper_is_counted() -> None:
    assert sorted(rows()) == sorted(OF_PAPERS)
    assert len(OF_PAPERS) >= 19


def test_the_counts_are_those_of_the_sets() -> None:
    for name, (_, _, ours, from_text, _) in rows().items():
        features = feature_set(name)
        assert (int(ours), int(from_text)) == (len(features), sum(map(is_from_text, features))), name
    listed = {name: (str(size), str(text)) for name, size, text, _ in describe_features().sets}
    assert all(listed[name] == (ours, text) for name, (_, _, ours, text, _) in rows().items())


def test_what_print_has_and_the_set_has_not_is_named_with_its_reason() -> None:
    for name, (paper, printed, ours, _, missing) in rows().items():
        assert paper, name
        assert printed == "not told" or re.match(r"\d+", printed), name
        most = max((int(number) for number in re.findall(r"\d+", printed.replace("some 4 million", ""))), default=0)
        if missing == "–":
            assert int(ours) >= most, f"{name}: {most} in print, {ours} here, and no reason"
        else:
            assert all(":" in part or "withheld" in part for part in missing.split(";")), f"{name}: {missing}"
            assert not missing.endswith(":")
