"""How far a campaign has come."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import JudgementLog
from dragoman.errors import FormatError
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import new_campaign
from dragoman.human.status import progress
from dragoman.samples import sample_path


def test_items_are_counted_once(tmp_path: Path) -> None:
    manifest = read_manifest(sample_path("testset/campaign.toml"))
    planned = new_campaign(manifest, tmp_path / "demo")
    log = JudgementLog(tmp_path / "demo" / "judgements.jsonl", manifest.protocol.schema)
    first = planned.assignments[0]
    log.append([row for item in first.task.items for row in manifest.protocol.record(first, item, {"score": 50})])
    log.append(manifest.protocol.record(first, first.task.items[0], {"score": 60}))  # a correction
    stranger = {**manifest.protocol.record(first, first.task.items[0], {"score": 1})[0], "annotator": "zoe"}
    log.append([stranger])
    found = progress(tmp_path / "demo")
    rows = {row["annotator"]: row for row in found.to_dict()["rows"]}
    own = rows[first.annotator]
    assert (own["tasks"], own["finished"], own["items"], own["judged"]) == (3, 1, 300, 100)
    assert own["percent"] == pytest.approx(100 / 3)
    assert rows["all"]["judged"] == 100
    assert rows["all"]["items"] == 1200
    assert (found.corrections, found.strange) == (1, 1)
    assert "1 judgements are of items that were not assigned to their annotator." in found.render()


def test_what_is_no_campaign_is_named(tmp_path: Path) -> None:
    (tmp_path / "plan.json").write_text("[]", encoding="utf-8")
    with pytest.raises(FormatError, match=r"plan\.json: this is no plan of a campaign\.$"):
        progress(tmp_path)


def test_controls_without_judgements_are_not_waited_for(tmp_path: Path) -> None:
    from dragoman.human.simulated import simulate_judges
    from tests.human.protocol_examples import example

    manifest = example("ranking")
    planned = new_campaign(manifest, tmp_path / "demo")
    log = JudgementLog(tmp_path / "demo" / "judgements.jsonl", manifest.protocol.schema)
    log.append(list(simulate_judges(manifest.protocol, planned.assignments).rows()))
    rows = {row["annotator"]: row for row in progress(tmp_path / "demo").to_dict()["rows"]}
    assert rows["all"]["percent"] == 100
    assert rows["all"]["tasks"] == rows["all"]["finished"]
