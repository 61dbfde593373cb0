"""Whose judgements count is decided once: quality, ranking, standing, headline and commands say the same."""

from __future__ import annotations

import json
import re

import pytest
from click.testing import CliRunner
from fastapi import FastAPI

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.human.direct_assessment.analysis import DirectAnalysis
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.membership import exclude
from dragoman.store.judging.publishing import publish
from dragoman.store.judging.ranking import campaign_agreement, live_ranking
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.judging.state import campaign_quality, campaign_standing
from dragoman.store.people.accounts import add_user
from tests.web.client import Client
from tests.web.house import CAMPAIGN, CHEAP
from tests.web.judges import fill_campaign


def judged(app: FastAPI, store: Store) -> None:
    """One judges with care, one at random, each the whole plan."""
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})


def test_one_decision_everywhere(app: FastAPI, store: Store) -> None:
    judged(app, store)
    with store.read() as connection:
        quality = campaign_quality(connection, CAMPAIGN)
        ranking = live_ranking(connection, CAMPAIGN)
        standing = campaign_standing(connection, CAMPAIGN)
        judgements = campaign_judgements(connection, CAMPAIGN)
    counts = {each.annotator: each.counts for each in quality.annotators}
    assert counts == {"ada": True, "ben": False}
    assert isinstance(ranking.analysis, DirectAnalysis)
    assert {each.annotator: each.kept for each in ranking.analysis.workers} == counts
    (out,) = ranking.left_out
    by_ben = sum(who == "ben" for who in judgements["annotator"])
    assert out[:2] == ("ben", by_ben)
    assert out[2] == next(each.why_not for each in quality.annotators if each.annotator == "ben")
    assert (ranking.n_judgements, ranking.n_annotators) == (len(judgements) - by_ben, 1)
    used = sum(who == "ada" and kind == "TGT"
               for who, kind in zip(judgements["annotator"], judgements["type"], strict=True))  # fmt: skip
    assert sum(n for *_, n in standing.systems) == used
    assert not [each for each in quality.annotators if not each.counts and each.verdict == "careful"]


def test_pages_and_programs_show_it(light_app: FastAPI, light_store: Store) -> None:
    judged(light_app, light_store)
    viewer = Client(light_app, "the-viewer")
    page = viewer.get(f"/campaigns/{CAMPAIGN}/quality").text
    assert "Nobody is left out" not in page
    assert page.count("does not count") == 1
    assert "Not in the ranking:" in page
    ranking = viewer.get(f"/campaigns/{CAMPAIGN}/ranking")
    meta = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/ranking").json()["meta"]
    n = meta["not_counted"]["judgements"]
    assert meta["not_counted"] == {"judgements": n, "people": 1}
    assert f"Not counted: judgements {n}, people 1." in ranking.text
    assert f"Judgements: {meta['judgements']}. People: 1." in ranking.text
    assert "ben" in ranking.text[ranking.text.index("Not counted</caption>") :]
    listed = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/answers?limit=200").json()["rows"]
    assert {(row["annotator"], row["counts"]) for row in listed} == {("ada", True), ("ben", False)}
    item = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/answers/{listed[0]['item']}").json()["rows"]
    assert all(row["counts"] == (row["annotator"] == "ada") for row in item)
    disputes = viewer.get(f"/campaigns/{CAMPAIGN}/disputes").text
    assert re.findall(r'<h4><bdi>(\w+)</bdi>( <span class="badge warn">)?', disputes)[:2] == [
        ("ada", ""),
        ("ben", ' <span class="badge warn">'),
    ]
    assert viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/disputes").json()["meta"]["not_counted"] == ["ben"]
    rows = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/quality").json()
    assert {row["annotator"]: row["counts"] for row in rows["rows"]} == {"ada": True, "ben": False}
    assert rows["meta"]["not_counted"] == ["ben"]
    with light_store.write() as connection:
        link = publish(connection, CAMPAIGN, address="http://x", actor=COMMAND_LINE).link
    public = Client(light_app).get(str(link).removeprefix("http://x")).text
    assert f"Not counted: judgements {n}, people 1." in public
    assert "ben" not in public.replace("benchmark", "")


def test_agreement_is_that_of_those_who_count(light_app: FastAPI, light_store: Store) -> None:
    """The headline said two people, and the table of agreement beside it counted three."""
    with light_store.write() as connection:
        add_user(connection, "chloe", "annotator", CHEAP, actor=COMMAND_LINE)
    fill_campaign(light_app, light_store, CAMPAIGN, {"ada": 1.0, "chloe": 0.95}, tasks=3)
    fill_campaign(light_app, light_store, CAMPAIGN, {"ben": 0.0})
    viewer = Client(light_app, "the-viewer")
    meta = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/ranking").json()["meta"]
    assert (meta["people"], meta["not_counted"]["people"]) == (2, 1)
    rows = viewer.get(f"/api/v1/campaigns/{CAMPAIGN}/agreement").json()["rows"]
    assert {row["judgements"] for row in rows} == {meta["judgements"]}
    assert max(row["annotators"] for row in rows) == 2
    for page in ("ranking", "quality"):
        text = viewer.get(f"/campaigns/{CAMPAIGN}/{page}").text
        assert f"{meta['judgements']:,} direct-assessment judgements" in text


def test_where_nobody_counts_the_agreement_says_why(light_app: FastAPI, light_store: Store) -> None:
    fill_campaign(light_app, light_store, CAMPAIGN, {"ben": 0.0})
    with light_store.read() as connection, pytest.raises(DataError, match=f"keeps none .*quality {CAMPAIGN}'"):
        campaign_agreement(connection, CAMPAIGN)


def test_who_is_excluded_is_said_the_same_way(light_app: FastAPI, light_store: Store) -> None:
    judged(light_app, light_store)
    with light_store.write() as connection:
        exclude(connection, CAMPAIGN, "ada", reason="clicks", actor=COMMAND_LINE)
    with light_store.read() as connection:
        quality = campaign_quality(connection, CAMPAIGN)
        ranking = live_ranking(connection, CAMPAIGN)
    assert {each.annotator: str(each.why_not) for each in quality.annotators} == {
        name: str(why) for name, _, why in ranking.left_out
    }
    assert {name: str(why) for name, _, why in ranking.left_out}["ada"] == "excluded by the organisers"
    assert (ranking.n_judgements, ranking.n_annotators) == (0, 0)


def test_the_command_says_the_same(light_app: FastAPI, light_store: Store) -> None:
    judged(light_app, light_store)
    path = str(light_store.name)
    told = {
        word: json.loads(CliRunner().invoke(group, ["campaign", word, CAMPAIGN, "--db", path, "--json"]).stdout)
        for word in ("quality", "ranking")
    }
    assert told["quality"]["meta"]["not_counted"] == ["ben"]
    assert told["ranking"]["meta"]["not_counted"]["people"] == 1
    shown = CliRunner().invoke(group, ["campaign", "ranking", CAMPAIGN, "--db", path]).stdout
    assert "Not counted" in shown
    assert "ben" in shown
