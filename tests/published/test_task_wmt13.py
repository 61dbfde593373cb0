"""The French-English task of 2013 in one command, from the released files to the findings.

What is printed: Findings of WMT 2013, Tables 2, 6 and 25. What is recorded: the metrics' figures of
`test_wmt13_metrics.py` and the agreement of `test_agreement.py`, which stand in the same tables.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.files import read_lines
from dragoman.task import read_task, write_findings

pytestmark = pytest.mark.realdata

ROOT = Path(__file__).parents[2]
PRINTED = json.loads((Path(__file__).parent / "ranking_tables.json").read_text(encoding="utf-8"))["wmt13"]["fr-en"]
DUELS = json.loads((Path(__file__).parent / "head_to_head.json").read_text(encoding="utf-8"))["wmt13"]["fr-en"]


@pytest.fixture(scope="module")
def tables(
    data_folder: Path, made_once: Callable[[str, Callable[[Path], object]], Path]
) -> dict[str, list[dict[str, str]]]:
    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("DRAGOMAN_DATA", str(data_folder))
            task = read_task(ROOT / "examples" / "wmt13-fr-en" / "task.toml")
        begun = time.process_time()
        write_findings(task, folder / "site", n_threads=2)
        # Two minutes on two cores; processor time, for a busy machine must not fail a test.
        assert time.process_time() - begun < 120

    found = {}
    for path in sorted((made_once("findings-wmt13", make) / "site" / "tables").glob("*.tsv")):
        head, *rows = (line.split("\t") for line in read_lines(path))
        found[path.stem] = [dict(zip(head, row, strict=True)) for row in rows]
    return found


def test_amount_of_data_of_findings_2013_table_2(tables: dict[str, list[dict[str, str]]]) -> None:
    (row,) = tables["news-judgements"]
    assert (row["systems"], row["rankings"]) == ("13", "80741")
    assert float(row["average"]) == pytest.approx(6210.85, abs=0.005)


def test_official_results_of_findings_2013_table_6(tables: dict[str, list[dict[str, str]]]) -> None:
    rows = tables["news-ranking"]
    label = 0
    for row, (name, score, ranks, cluster) in zip(rows, PRINTED, strict=True):
        assert row["system"] == name
        assert float(row["score"]) == pytest.approx(score, abs=0.0015)
        label = int(row["#"] or label)
        assert label == cluster
        assert row["range"] == ranks


def test_cells_of_findings_2013_table_25(tables: dict[str, list[dict[str, str]]]) -> None:
    rows = {row["row\\column"]: row for row in tables["news-head-to-head"]}
    # Table 6 and Table 25 print some names at different lengths; ours are those of Table 6.
    names, cells = [name for name, *_ in PRINTED], DUELS["cells"]
    for name, printed in zip(names, cells, strict=True):
        for other, cell in zip(names, printed, strict=True):
            if name != other:
                shown = float("0" + rows[name][other].rstrip("⋆†‡"))
                assert shown == pytest.approx(float(str(cell).rstrip("⋆*†‡")), abs=0.0101), (name, other)


def test_metrics_against_people_are_those_of_the_recorded_tests(tables: dict[str, list[dict[str, str]]]) -> None:
    systems = {row["metric"]: row for row in tables["news-metrics-systems"]}
    for metric, (r, rho) in {"bleu": (0.947, 0.989), "chrf": (0.974, 0.984), "ter": (0.947, 0.951)}.items():
        assert float(systems[metric]["pearson"]) == pytest.approx(r, abs=0.0005)
        assert float(systems[metric]["spearman"]) == pytest.approx(rho, abs=0.0005)
    segments = {row["metric"]: row for row in tables["news-metrics-segments"]}
    for metric, tau in {"bleu": 0.224, "chrf": 0.259, "ter": 0.271}.items():
        assert float(segments[metric]["tau"]) == pytest.approx(tau, abs=0.0005)
        assert segments[metric]["n"] == "80741"


def test_agreement_is_that_of_the_recorded_test(tables: dict[str, list[dict[str, str]]]) -> None:
    values = {row["kind"]: float(row["value"]) for row in tables["news-agreement"]}
    assert values == {"inter": pytest.approx(0.269, abs=0.0005), "intra": pytest.approx(0.576, abs=0.0005)}


def test_all_nineteen_systems_are_scored_and_compared(tables: dict[str, list[dict[str, str]]]) -> None:
    assert len(tables["news-scores"]) == 19
    assert all(len(tables[f"news-significance-{metric}"]) == 19 for metric in ("bleu", "chrf", "ter"))
