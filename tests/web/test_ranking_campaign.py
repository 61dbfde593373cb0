"""A campaign of rankings from the plan to the released file: a judge who clicks at random goes, the scores stay."""

from __future__ import annotations

from pathlib import Path

from dragoman.data.judgements import read_judgements
from dragoman.human.manifest import read_manifest
from dragoman.ranking import RankingRecipe, rank
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.exports import export_campaign
from dragoman.store.judging.membership import add_member, exclude
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.judging.state import campaign_quality
from dragoman.store.people.accounts import add_user
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD
from tests.web.judges import fill_campaign

EXAMPLE = Path(__file__).parents[2] / "examples" / "ranking" / "manifest.toml"
CARE = {"ann": 1.0, "bob": 1.0, "cem": 1.0, "dot": 1.0, "rnd": 0.0}


def test_a_random_judge_is_found_and_the_released_file_gives_the_same_scores(tmp_path: Path) -> None:
    store = Store(tmp_path / "house.db")
    store.migrate()
    manifest = read_manifest(EXAMPLE)
    name = manifest.name
    with store.write() as connection:
        create_campaign(connection, manifest, actor=COMMAND_LINE)
        for person in CARE:
            add_user(connection, person, "annotator", PASSWORD, actor=COMMAND_LINE)
            add_member(connection, name, person, actor=COMMAND_LINE)
    app = create_app(store, Settings(requests_per_minute=100_000))
    for _ in range(4):  # a task each in turn, so that everybody meets controls
        fill_campaign(app, store, name, CARE, tasks=1)
    with store.write() as connection:
        assert campaign_quality(connection, name).careless == ("rnd",)
        exclude(connection, name, "rnd", actor=COMMAND_LINE, reason="clicks at random")
    with store.read() as connection:
        told = campaign_judgements(connection, name)
        sheet = export_campaign(connection, name, "wmt")
    store.close()
    assert set(told["annotator"]) == set(CARE) - {"rnd"}
    released = tmp_path / sheet.name
    released.write_bytes(sheet.content)
    read = read_judgements([released])
    assert len(read) == len(told) > 0
    for method in ("expected-wins", "bojar"):
        here, there = (rank(each, RankingRecipe(method=method, seed=1)) for each in (told, read))
        assert [(row.system, row.score) for row in here.rows] == [(row.system, row.score) for row in there.rows]
