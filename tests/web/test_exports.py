"""Exports are read back by our own readers, archives restored; damaged and hostile ones are refused by name."""

from __future__ import annotations

import base64
import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.data import FORMATS, compare_pairwise
from dragoman.data.formats.mtme_scores import find_scores, read_scores
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.judgements.summary import summarise_judgements
from dragoman.errors import DataError, DragomanError
from dragoman.human.analysing import analyse
from dragoman.human.manifest import read_manifest
from dragoman.human.protocol import PROTOCOLS
from dragoman.site import write_site
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.archive import write_archive
from dragoman.store.judging.browsing import browse_answers
from dragoman.store.judging.campaigns import create_campaign, find_campaign, material_of, set_state
from dragoman.store.judging.deciding import adjudicate
from dragoman.store.judging.exports import FORMS, export_campaign, list_forms
from dragoman.store.judging.membership import add_member, exclude
from dragoman.store.judging.ranking import live_ranking
from dragoman.store.judging.restoring import restore_archive
from dragoman.store.judging.results import analyse_campaign, campaign_judgements, campaign_progress
from dragoman.store.judging.state import campaign_quality
from dragoman.store.people.accounts import add_user, find_user, list_users
from dragoman.store.refusals import Conflict
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = {protocol: f"sample-{protocol}" for protocol in PROTOCOLS.names()}


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, FastAPI]]:
    """A house with all examples, a part of each judged."""
    store = Store(tmp_path_factory.mktemp("full") / "house.db")
    store.migrate()
    app = create_app(store, Settings(requests_per_minute=100_000))
    with store.write() as connection:
        add_user(connection, "root", "admin", PASSWORD, actor=COMMAND_LINE)
        for name in ("vera", "walt"):
            add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
        for folder, name in NAMES.items():
            create_campaign(connection, read_manifest(EXAMPLES / folder / "manifest.toml"), actor=COMMAND_LINE)
            for person in ("vera", "walt"):
                add_member(connection, name, person, actor=COMMAND_LINE)
    for name in NAMES.values():
        fill_campaign(app, store, name, {"vera": 1.0, "walt": 0.6}, tasks=2)
    yield store, app
    store.close()


def exported(store: Store, name: str, form: str, folder: Path) -> tuple[Path, Judgements]:
    with store.read() as connection:
        sheet = export_campaign(connection, name, form)
        told = campaign_judgements(connection, name)
    path = folder / sheet.name
    path.write_bytes(sheet.content)
    return path, told


def same(found: Judgements, told: Judgements, *names: str, types: tuple[str, ...] = ()) -> None:
    """The same judgements, in any order, as far as these fields go."""
    rows = [row for row in told.rows() if not types or row["type"] in types]
    assert sorted(tuple(map(str, (row[n] for n in names))) for row in found.rows()) == sorted(
        tuple(map(str, (row[n] for n in names))) for row in rows
    )
    assert len(found)


TABLES = [form for form in FORMS if form not in ("archive", "mtme", "appraise-campaign", "pearmut-campaign")]


@pytest.mark.parametrize("form", TABLES)
def test_every_table_of_judgements_is_read_back(full: tuple[Store, FastAPI], tmp_path: Path, form: str) -> None:
    """For every protocol that it fits, by what the file shows alone; our own forms hold everything."""
    read = 0
    for protocol, name in NAMES.items():
        with full[0].read() as connection:
            if not {row["form"]: row["fits"] for row in list_forms(connection, name).to_dict()["rows"]}[form]:
                continue
        path, told = exported(full[0], name, form, tmp_path)
        # A table of Appraise holds scores and spans; a log of Pearmut's does not say that spans were not asked for.
        found = read_judgements([path], kind=told.kind if form == "appraise" else None)
        assert found.kind == ("error-spans" if form == "pearmut" else told.kind), protocol
        assert len(found), protocol
        if FORMS[form].kinds is None:
            assert len(found) == len(told), protocol
            assert list(found.rows()) == [_as_read(row, form) for row in told.rows()], protocol
        read += 1
    assert read


def test_every_form_that_is_said_to_fit_can_be_had(full: tuple[Store, FastAPI]) -> None:
    with full[0].read() as connection:
        for name in NAMES.values():
            for row in list_forms(connection, name).to_dict()["rows"]:
                # How Appraise deals tasks is no matter of the protocol: it says so itself.
                if row["fits"] and row["form"] != "appraise-campaign":
                    assert export_campaign(connection, name, row["form"]).content, (name, row["form"])


def _as_read(row: Mapping[str, Any], form: str) -> dict[str, Any]:
    """A table of text cannot tell an empty text from a missing one."""
    return {name: None if cell == "" and form in ("csv", "tsv") else cell for name, cell in row.items()}


def test_own_tables(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    for form in ("csv", "tsv", "jsonl"):
        path, told = exported(full[0], "sample-esa", form, tmp_path)
        if form == "jsonl":
            assert [json.loads(line) for line in path.read_text().splitlines()] == list(map(dict, told.rows()))
        else:
            assert read_judgements([path]) == told


@pytest.mark.parametrize("protocol", NAMES)
def test_every_protocols_table_is_analysed_as_the_campaign_is(
    full: tuple[Store, FastAPI], tmp_path: Path, protocol: str
) -> None:
    """From the database or from the file that was exported: the same tables and figures."""
    for form in ("csv", "tsv"):
        path, told = exported(full[0], NAMES[protocol], form, tmp_path)
        found = analyse(read_judgements([path]))
        with full[0].read() as connection:
            known = analyse_campaign(connection, NAMES[protocol])
        assert len(told)
        assert found.tables() == known.tables()
        assert [each.table for each in found.figures()] == [each.table for each in known.figures()]


@pytest.mark.parametrize("protocol", ["da", "esa", "mqm"])
def test_a_headline_counts_judgements_not_marked_errors(
    full: tuple[Store, FastAPI], tmp_path: Path, protocol: str
) -> None:
    """Error spans have a row for each error: a campaign of 132 outputs said that it had 293 judgements."""
    path, told = exported(full[0], NAMES[protocol], "csv", tmp_path)
    with full[0].read() as connection:
        ranking = live_ranking(connection, NAMES[protocol])
    n = len(set(zip(told["annotator"], (str(item).partition(".")[0] for item in told["item"]), strict=True)))
    assert (n < len(told)) == (protocol != "da")
    assert ranking.n_judgements + ranking.n_not_counted == n
    assert sum(row[1] for row in summarise_judgements(read_judgements([path])).rows) == n
    site = write_site(tmp_path / "site", judgements=[path])
    assert f"{n} judgements of the kind" in next(page.outcome for page in site.pages if page.file == "people.html")


def test_parquet(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path, told = exported(full[0], "sample-da", "parquet", tmp_path)
    found = FORMATS.make("parquet").read(path)
    assert [dict(zip(found.columns, row, strict=True)) for row in found.rows] == list(map(dict, told.rows()))


@pytest.mark.parametrize("name", ["sample-ranking", "sample-pairwise"])
def test_rankings(full: tuple[Store, FastAPI], tmp_path: Path, name: str) -> None:
    path, told = exported(full[0], name, "wmt", tmp_path)
    found = FORMATS.make("wmt-ranking").read(path)
    ranked = [each for each in told.columns if each.startswith(("system", "rank"))]
    same(found, told, "annotator", "segment", *[each for each in ranked if each in found.columns])


def test_appraise(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-da", "appraise", tmp_path)
    found = FORMATS.make("appraise-da").read(path)
    same(found, told, "annotator", "system", "segment", "type", "score", "target_lang")
    path, told = exported(full[0], "sample-esa", "appraise", tmp_path)
    found = FORMATS.make("appraise-esa").read(path)
    same(found, told, "annotator", "system", "segment", "severity", "start", "end", "score")


def test_pearmut(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-esa", "pearmut", tmp_path)
    found = FORMATS.make("pearmut").read(path)
    same(found, told, "annotator", "system", "severity", "start", "end", "score", "target", types=("TGT",))
    path, told = exported(full[0], "sample-da", "pearmut", tmp_path)
    same(FORMATS.make("pearmut").read(path), told, "annotator", "system", "score", types=("TGT",))
    path, told = exported(full[0], "sample-mqm", "pearmut", tmp_path)
    found = FORMATS.make("pearmut").read(path)
    same(found, told, "annotator", "system", "severity", "category", "start", "end", types=("TGT",))


@pytest.mark.parametrize("name", ["sample-da", "sample-esa", "sample-mqm"])
def test_a_campaign_for_pearmut(full: tuple[Store, FastAPI], tmp_path: Path, name: str) -> None:
    """The log points into the campaign as Pearmut's own does: person, place in the person's task, what was shown."""
    path, _ = exported(full[0], name, "pearmut-campaign", tmp_path)
    value = json.loads(path.read_text())
    assert value["info"]["protocol"] == name.removeprefix("sample-").upper()
    tasks = dict(zip(value["info"]["users"], value["data"], strict=True))
    log, _ = exported(full[0], name, "pearmut", tmp_path)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines
    for line in lines:
        assert tasks[line["user_id"]][line["item_i"]] == line["item"]
        assert list(line["annotation"][0]) == list(line["item"][0]["tgt"])
    with full[0].read() as connection:
        _, test_set = material_of(connection, find_campaign(connection, name))
    found = FORMATS.get("pearmut-campaign")(common=True).read(path)
    assert set(found.systems) <= set(test_set.systems)
    for system, outputs in found.systems.items():
        assert set(outputs) <= set(test_set.systems[system])
    assert (found.source_lang, found.target_lang) == (test_set.source_lang, test_set.target_lang)


def test_what_pearmut_does_not_ask(full: tuple[Store, FastAPI]) -> None:
    with full[0].read() as connection, pytest.raises(DataError, match="pearmut-campaign has no place for"):
        export_campaign(connection, "sample-ranking", "pearmut-campaign")


def test_pairs_of_rankings(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-ranking", "wmt-pairs", tmp_path)
    assert (
        path.read_text().splitlines()[0].startswith("srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank")
    )
    found = FORMATS.make("pairwise-ranking").read(path)
    assert compare_pairwise(found).wins().sum() == compare_pairwise(told).wins().sum()


def test_mqm(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-mqm", "mqm", tmp_path)
    told = Judgements.of(told.schema, [row for row in told.rows() if row["type"] == "TGT"])  # repeats stay behind
    found = FORMATS.make("mqm").read(path)
    same(found, told, "annotator", "system", "segment", "start", "end", "target")
    # In the words of WMT's releases, by which mt-metrics-eval weighs errors: Major, Minor, No-error twice.
    lines = path.read_text().splitlines()
    assert lines[0].replace("\t", " ") == "system doc doc_id seg_id rater source target category severity"
    assert {line.split("\t")[8] for line in lines[1:]} <= {"Major", "Minor", "Neutral", "No-error"}
    assert all(int(line.split("\t")[2]) >= 1 for line in lines[1:])
    errors = sorted((str(row["severity"]), str(row["category"])) for row in told.rows() if row["severity"])
    kept = [(str(row["severity"]), str(row["category"])) for row in found.rows() if row["severity"] != "No-error"]
    assert sorted((severity.lower(), category) for severity, category in kept) == errors
    scores = [{row["system"]: row["mean"] for row in analyse(each).tables()[0].records()} for each in (told, found)]
    assert scores[0] == pytest.approx(scores[1]), "errors of an output are added up, however they are numbered"


def test_metrics_eval(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-esa", "mtme", tmp_path)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "sample-esa"
    test_set = FORMATS.make("mtme").read(folder)
    with full[0].read() as connection:
        _, original = material_of(connection, find_campaign(connection, "sample-esa"))
    assert dict(test_set.systems) == dict(original.systems)
    files = find_scores(folder, "de-en")
    assert {file.name for file in files} >= {"de-en.ESA_mqm.seg.score", "de-en.ESA_score.sys.score"}
    scores = read_scores(folder / "human-scores" / "de-en.ESA_score.seg.score")
    scores.check(test_set)
    judged = {(row["system"], row["segment"]) for row in told.rows()}
    given = {
        (system, n) for system, row in scores.by_system.items() for n, each in enumerate(row, 1) if each is not None
    }
    assert given <= judged
    assert given


def test_what_does_not_fit_is_said(full: tuple[Store, FastAPI]) -> None:
    with full[0].read() as connection:
        with pytest.raises(DataError, match=r"mqm has no place for direct-assessment judgements\. Fitting: csv, tsv"):
            export_campaign(connection, "sample-da", "mqm")
        fits = {row["form"]: row["fits"] for row in list_forms(connection, "sample-da").to_dict()["rows"]}
    assert fits["appraise"]
    assert not fits["wmt"]
    client = Client(full[1], "root")
    for form in [form for form, good in fits.items() if good and form != "parquet"]:
        answer = client.get(f"/api/v1/campaigns/sample-da/export/{form}")
        assert answer.status_code == 200, answer.text
        assert FORMS[form].suffix in answer.headers["content-disposition"]


def said(store: Store, name: str) -> Any:
    with store.read() as connection:
        rows = browse_answers(connection, name, limit=500).to_dict()["rows"]
        progress = campaign_progress(connection, name).to_dict()["rows"]
        return (
            [{key: row[key] for key in row if key != "received"} for row in rows],
            progress,
            campaign_judgements(connection, name),
            campaign_quality(connection, name),
        )


@pytest.mark.parametrize("name", ["sample-da", "sample-mqm", "sample-comprehension"])
def test_an_archive_brings_everything_back(full: tuple[Store, FastAPI], store: Store, name: str) -> None:
    with full[0].write() as connection:
        exclude(connection, name, "walt", reason="clicks", actor=COMMAND_LINE)
        row = browse_answers(connection, name).to_dict()["rows"][0]
        user = find_user(connection, "root")
        told = json.loads(str(row["answer"]))
        adjudicate(connection, name, str(row["item"]), told, user=user, key="k", note="so", actor=COMMAND_LINE)
        set_state(connection, name, "closed", actor=COMMAND_LINE)
    with full[0].read() as connection:
        content = write_archive(connection, name)
        assert write_archive(connection, name) == content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {"index.html", "judgements.csv", "manifest.toml", "archive.json"} <= set(archive.namelist())
        assert b"argon2" not in content
        assert b"<html" in archive.read("index.html")
    done = restore_archive(store, content, actor=COMMAND_LINE)
    assert set(done.accounts) == {"vera", "walt", "root"}
    assert done.people == {"vera": "vera", "walt": "walt", "root": "root"}
    assert said(full[0], name) == said(store, name)
    with store.read() as connection:
        assert find_campaign(connection, name).state == "closed"
        again = write_archive(connection, name)
    assert again == content, "the archive of what an archive brought is the archive"
    with pytest.raises(Conflict, match="restore it by another name"):
        restore_archive(store, content, actor=COMMAND_LINE)
    with store.write() as connection:
        set_state(connection, name, "open", actor=COMMAND_LINE)
    with store.read() as connection:
        opened = write_archive(connection, name)
    assert restore_archive(store, opened, actor=COMMAND_LINE, name="twin").campaign == "twin"
    with store.read() as connection:
        assert find_campaign(connection, "twin").state == "paused"


def test_a_name_in_an_archive_is_nobodys(full: tuple[Store, FastAPI], light_store: Store) -> None:
    """Whoever is called so here gets none of the archive's answers, unless a manager says that they are the same."""
    with full[0].read() as connection:
        content = write_archive(connection, "sample-esa")
    with light_store.write() as connection:
        for name, role in (("vera", "annotator"), ("WALT", "manager"), ("real-walt", "annotator")):
            add_user(connection, name, role, PASSWORD, actor=COMMAND_LINE)
    done = restore_archive(light_store, content, actor=COMMAND_LINE, name="one")
    assert done.people == {"vera": "vera-archived", "walt": "walt-archived"}
    with light_store.read() as connection:
        assert set(campaign_judgements(connection, "one")["annotator"]) == {"vera-archived", "walt-archived"}
        assert "vera" not in campaign_progress(connection, "one").render("text").replace("vera-archived", "")
    second = restore_archive(light_store, content, actor=COMMAND_LINE, name="two", people={"walt": "real-walt"})
    assert second.people == {"vera": "vera-archived-2", "walt": "real-walt"}
    assert second.accounts == ("vera-archived-2",)
    with light_store.read() as connection:
        assert set(campaign_judgements(connection, "two")["annotator"]) == {"vera-archived-2", "real-walt"}
        people = {row["name"]: row["platform"] for row in list_users(connection).to_dict()["rows"]}
        assert people["vera-archived"]
    wrong = [
        ({"nobody": "vera"}, "Nobody in the archive is called 'nobody'"),
        ({"vera": "vera", "walt": "vera"}, "Two people of the archive cannot both be vera"),
        ({"walt": "WALT"}, "walt is an annotator in the archive, but WALT here is manager"),
        ({"walt": "absent"}, "There is no account called 'absent'"),
    ]
    for people_, message in wrong:
        with pytest.raises(DragomanError, match=message):
            restore_archive(light_store, content, actor=COMMAND_LINE, name="three", people=people_)
    manager = Client(create_app(light_store, Settings()), "the-manager")
    body = {"archive": base64.b64encode(content).decode(), "name": "four", "people": {"walt": "real-walt"}}
    made = manager.post("/api/v1/restore", json=body)
    assert made.json()["meta"]["people"] == {"vera": "vera-archived-3", "walt": "real-walt"}
    sent = manager.post(
        "/campaigns/restore",
        data={"name": "five", "people": "walt = real-walt\nvera"},
        files={"archive": ("a.zip", content)},
    )
    assert sent.headers.get("location") == "/campaigns/five"
    with light_store.read() as connection:
        assert set(campaign_judgements(connection, "five")["annotator"]) == {"vera", "real-walt"}


def test_invented_judges_stay_invented(light_store: Store, light_app: FastAPI, tmp_path: Path) -> None:
    with light_store.write() as connection:
        add_user(connection, "robot", "annotator", PASSWORD, actor=COMMAND_LINE, platform={"platform": "simulated"})
        add_member(connection, CAMPAIGN, "robot", actor=COMMAND_LINE)
    fill_campaign(light_app, light_store, CAMPAIGN, {"robot": 1.0}, tasks=1)
    with light_store.read() as connection:
        content = write_archive(connection, CAMPAIGN)
    other = Store(tmp_path / "other.db")
    other.migrate()
    with other.write() as connection:
        add_user(connection, "ada", "annotator", PASSWORD, actor=COMMAND_LINE)
    restore_archive(other, content, actor=COMMAND_LINE)
    with other.read() as connection:
        assert live_ranking(connection, CAMPAIGN).simulated
    with pytest.raises(Conflict, match="robot is an invented judge"):
        restore_archive(other, content, actor=COMMAND_LINE, name="again", people={"robot": "ada"})
    other.close()


def changed(content: bytes, path: str, text: bytes | None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            if entry.filename != path:
                new.writestr(entry.filename, old.read(entry))
        if text is not None:
            new.writestr(path, text)
    return stream.getvalue()


def test_damaged_archives_are_refused_and_leave_nothing(store: Store, app: FastAPI) -> None:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0}, tasks=1)
    with store.read() as connection:
        content = write_archive(connection, CAMPAIGN)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        answers = archive.read("data/answers.jsonl")
        campaign = json.loads(archive.read("data/campaign.jsonl"))
    cases = [
        (b"no zip", "This is no zip archive"),
        (changed(content, "archive.json", None), "The archive has no archive.json"),
        (changed(content, "archive.json", b'{"archive": 99}'), "written by another version"),
        (changed(content, "data/items.jsonl", b"[]\n"), "line 1: this is no JSON object"),
        (changed(content, "data/items.jsonl", b""), "item_id is 1, but there is no such row in data/items"),
        (changed(content, "data/campaign.jsonl", b""), "The archive is damaged"),
        (changed(content, "data/answers.jsonl", answers.replace(b'"score": ', b'"score": 9')), "expected"),
        (changed(content, "data/answers.jsonl", answers + answers), "there is a row 1 already"),
        (changed(content, "data/answers.jsonl", answers + answers.replace(b'"id": ', b'"id": 9')), "parts do not fit"),
        (changed(content, "data/campaign.jsonl", json.dumps(campaign | {"name": "../x"}).encode()), "cannot name"),
        (changed(content, "data/campaign.jsonl", json.dumps(campaign | {"name": "new"}).encode()), "cannot name"),
        (
            changed(
                content,
                "data/campaign.jsonl",
                json.dumps(campaign | {"name": "b", "return_url": "javascript:x"}).encode(),
            ),
            "no address",
        ),
    ]
    for damaged, message in cases:
        with pytest.raises((DataError, Conflict), match=message):
            restore_archive(store, damaged, actor=COMMAND_LINE, name=None if message == "cannot name" else "other")
    manager = Client(app, "the-manager")
    assert len(manager.get("/campaigns.json").json()["rows"]) == 1
    sent = manager.post("/campaigns/restore", data={"name": "other"}, files={"archive": ("a.zip", b"nothing")})
    assert (sent.status_code, "This is no zip archive" in sent.text) == (422, True)
    sent = manager.post("/campaigns/restore", data={"name": "other"}, files={"archive": ("a.zip", content)})
    assert sent.headers.get("location") == "/campaigns/other"
    wrong = manager.post("/api/v1/restore", json={"archive": "*"})
    assert "not in base 64" in wrong.text
