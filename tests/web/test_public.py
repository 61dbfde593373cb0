"""Nothing for the public names a person: no published page, export, report or findings, of any protocol."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.data.testset import TestSet
from dragoman.files import write_lines
from dragoman.human.manifest import read_manifest
from dragoman.human.protocol import PROTOCOLS
from dragoman.report import Column, Table
from dragoman.report.table import PEOPLE
from dragoman.samples import copy_samples
from dragoman.site import write_site
from dragoman.store import Store, tables
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.browsing import browse_answers
from dragoman.store.judging.campaigns import create_campaign, find_campaign, material_of, update_campaign
from dragoman.store.judging.deciding import adjudicate
from dragoman.store.judging.exports import export_campaign
from dragoman.store.people.accounts import add_user, find_user
from dragoman.store.people.invites import make_invite
from dragoman.task import read_task, write_findings
from dragoman.web import Settings, create_app
from dragoman.web.app import routes_of
from tests.web.client import PASSWORD, Client
from tests.web.judges import answer_all

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = {protocol: f"sample-{protocol}" for protocol in PROTOCOLS.names()}
PEOPLE_THERE = ("zqvera", "zqwalt", "zqxenia")  # in no text of any example
WORKER = "zqplatformid7"


class House:
    """All examples, judged by people and a crowd worker who overlap; the last decided by a manager, and published."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.app: FastAPI = create_app(store, Settings(requests_per_minute=10**6))
        self.tokens: dict[str, str] = {}
        with store.write() as connection:
            add_user(connection, "zqroot", "admin", PASSWORD, actor=COMMAND_LINE)
            for name in PEOPLE_THERE:
                add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
            for protocol in NAMES:
                manifest = read_manifest(EXAMPLES / protocol / "manifest.toml")
                asked = replace(manifest.protocol, redundancy=4, overlap=1.0)
                # As many as judge everything, so that all begin with the same tasks; who compares has two conditions.
                seats = tuple(f"zqseat{n}" for n in range(5 if protocol == "comprehension" else 1))
                people = (*PEOPLE_THERE, *seats)
                create_campaign(connection, replace(manifest, protocol=asked, annotators=people), actor=COMMAND_LINE)
        self.clients = {name: Client(self.app, name) for name in PEOPLE_THERE}
        for name in NAMES.values():
            self._judge(name)
            self._publish(name)
        self.named = [*PEOPLE_THERE, *self._crowd_names(), WORKER, "zqroot", "zqseat", "zqnote"]

    def _judge(self, name: str) -> None:
        with self.store.write() as connection:
            made = make_invite(
                connection, secret=self.store.secret, address="http://x", actor=COMMAND_LINE, campaign=name,
                platform="prolific", max_tasks=2,
            )  # fmt: skip
        worker = Client(self.app)
        joined = worker.post(f"/api/v1/join/{made.token}", json={"parameters": {"PROLIFIC_PID": WORKER}})
        worker.csrf = worker.get("/api/v1/session").json()["csrf"]
        assert joined.status_code == 200, joined.text
        for person, client in {**self.clients, "worker": worker}.items():
            answer_all(client, self.store, name, person, 0.0 if person == "zqxenia" else 1.0, tasks=2)
        item, done = tables.items.c, tables.assignments.c
        with self.store.read() as connection:
            judged = sa.select(item.name).join(tables.assignments, done.task_id == item.task_id)
            judged = judged.where(done.campaign_id == find_campaign(connection, name).id, done.finished.is_not(None))
            twice = judged.group_by(item.name).having(sa.func.count(done.user_id.distinct()) > 1)
            assert len(connection.execute(twice).all()) > 3, f"{name}: nobody judged what others did"

    def _publish(self, name: str) -> None:
        with self.store.write() as connection:
            row = browse_answers(connection, name).to_dict()["rows"][0]
            user, told = find_user(connection, "zqroot"), json.loads(str(row["answer"]))
            adjudicate(connection, name, str(row["item"]), told, user=user, key="k", note="zqnote", actor=COMMAND_LINE)
            update_campaign(connection, name, {"decisions": True}, actor=COMMAND_LINE)
        manager = Client(self.app, "zqroot")
        published = manager.put(f"/api/v1/campaigns/{name}/publication")
        self.tokens[name] = str(published.json()["rows"][0]["link"]).rpartition("/")[2]

    def _crowd_names(self) -> list[str]:
        manager = Client(self.app, "zqroot")
        rows = manager.get("/api/v1/users").json()["rows"]
        return [row["name"] for row in rows if row["platform"] == "prolific"]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    store = Store(tmp_path_factory.mktemp("public") / "house.db")
    store.migrate()
    yield House(store)
    store.close()


def named_in(house: House, text: str) -> list[str]:
    """The people whom a text names, with what stands around the first place."""
    found = []
    for packed in re.findall(r'id="data">([^<]+)<', text):
        text += zlib.decompress(base64.b64decode(packed)).decode()
    for name in house.named:
        place = text.find(name)
        if place >= 0:
            found.append(text[max(0, place - 200) : place + 60])
    return found


def addresses(house: House, name: str, paths: Iterable[str]) -> list[str]:
    """Paths filled with what a campaign has."""
    with house.store.read() as connection:
        item = str(browse_answers(connection, name).to_dict()["rows"][0]["item"])
    values = {"name": name, "token": house.tokens[name], "item": item, "form": "csv", "user": PEOPLE_THERE[0]}
    return [re.sub(r"{(\w+)[^}]*}", lambda match: values.get(match[1], "1"), path) for path in paths]


@pytest.fixture(scope="module")
def public_paths(house: House) -> list[str]:
    """The paths that answer without an account, of all that the server has."""
    paths = [route.path for route in routes_of(house.app) if "GET" in getattr(route, "methods", ())]
    client = Client(house.app)
    filled = addresses(house, NAMES["esa"], paths)
    found = [path for path, address in zip(paths, filled, strict=True) if client.get(address).status_code == 200]
    assert {"/published/{token}", "/published/{token}.json", "/api/v1/published/{token}"} <= set(found)
    return found


@pytest.mark.parametrize("protocol", NAMES)
def test_no_public_address_names_a_person(house: House, public_paths: list[str], protocol: str) -> None:
    name, client = NAMES[protocol], Client(house.app)
    for address in addresses(house, name, public_paths):
        assert named_in(house, client.get(address).text) == [], address
    told = client.get(f"/published/{house.tokens[name]}.json").json()
    assert told["rows"] or protocol == "crowd-translation", "what has no systems ranks none"
    assert all(not set(row) & PEOPLE for row in told["rows"])


def test_nobody_is_named_whose_translations_are_voted_on(light_app: FastAPI, light_store: Store) -> None:
    """The systems of a vote are its translators; before the first vote they alone are known."""
    manifest = read_manifest(EXAMPLES / "crowd-voting" / "manifest.toml")
    systems = {f"zq{name}": lines for name, lines in manifest.test_set.systems.items()}
    voted = replace(
        manifest,
        protocol=replace(manifest.protocol, redundancy=2),
        test_set=replace(manifest.test_set, systems=systems),
        annotators=("ada", "ben"),
    )
    with light_store.write() as connection:
        create_campaign(connection, voted, actor=COMMAND_LINE)
    manager, guest, at = Client(light_app, "the-manager"), Client(light_app), f"/campaigns/{NAMES['crowd-voting']}"
    link = manager.put(f"/api/v1{at}/publication").json()["rows"][0]["link"]
    places = [f"{prefix}/published/{link.rpartition('/')[2]}{end}" for prefix, end in
              (("", ""), ("", ".json"), ("/api/v1", ""))]  # fmt: skip
    assert "zqatlas" in manager.get(f"{at}/ranking").text
    for n_tasks in (0, 1):
        for person in ("ada", "ben") if n_tasks else ():
            answer_all(Client(light_app, person), light_store, NAMES["crowd-voting"], person, 1.0, tasks=n_tasks)
        for place in places:
            answer = guest.get(place)
            assert (answer.status_code, [name for name in systems if name in answer.text]) == (200, []), place


def test_the_managers_page_names_them(house: House) -> None:
    """What the public is not shown is there, for those who may see it."""
    page = Client(house.app, "zqroot").get(f"/campaigns/{NAMES['esa']}/ranking").text
    assert "Marked alike" in page
    assert all(name in page for name in PEOPLE_THERE)
    public = Client(house.app).get(f"/published/{house.tokens[NAMES['esa']]}").text
    assert "Marked alike" not in public


def judged_files(house: House, protocol: str, folder: Path) -> Path:
    """The judgements of a campaign as a file; it does name people."""
    with house.store.read() as connection:
        sheet = export_campaign(connection, NAMES[protocol], "csv")
    path = folder / "judgements.csv"
    path.write_bytes(sheet.content)
    assert "zq" in path.read_text(encoding="utf-8")
    return path


def texts_below(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*")) if path.is_file()}  # fmt: skip


@pytest.mark.parametrize("protocol", NAMES)
def test_no_report_names_a_person(house: House, protocol: str, tmp_path: Path) -> None:
    path = judged_files(house, protocol, tmp_path)
    write_site(tmp_path / "site", judgements=[path])
    for file, text in texts_below(tmp_path / "site").items():
        assert named_in(house, text) == [], file


def test_no_report_names_a_post_editor(house: House, tmp_path: Path) -> None:
    copy_samples(tmp_path / "samples")
    head, *rows = (tmp_path / "samples/studies/post-editing/post-edits.tsv").read_text(encoding="utf-8").splitlines()
    named = [f"{row}\t{PEOPLE_THERE[n % 3]}" for n, row in enumerate(rows)]
    (tmp_path / "edits.tsv").write_text("\n".join([f"{head}\teditor", *named]) + "\n", encoding="utf-8")
    write_site(tmp_path / "site", post_edits=[tmp_path / "edits.tsv"])
    for file, text in texts_below(tmp_path / "site").items():
        assert named_in(house, text) == [], file


@pytest.mark.filterwarnings("ignore:.* judgements count here although:dragoman.errors.DoubtfulInput")
@pytest.mark.parametrize("protocol", NAMES)
def test_no_findings_name_a_person(house: House, protocol: str, tmp_path: Path) -> None:
    path = judged_files(house, protocol, tmp_path)
    with house.store.read() as connection:
        _, test_set = material_of(connection, find_campaign(connection, NAMES[protocol]))
    manifest = task_around(test_set, path, tmp_path)
    findings = write_findings(read_task(manifest), tmp_path / "findings")
    assert any("people" in row[0] or "ranking" in row[0] for row in findings.rows) or findings.left_out
    for file, text in texts_below(tmp_path / "findings").items():
        assert named_in(house, text) == [], file


def task_around(test_set: TestSet, judgements: Path, folder: Path) -> Path:
    """A shared task of one track whose systems were judged."""
    n = len(next(iter(test_set.systems.values()), test_set.srcs or ()))
    write_lines(folder / "source", test_set.srcs or ["-"] * n)
    write_lines(folder / "reference", next(iter(test_set.refs.values()), None) or ["- x"] * n)
    for name, lines in test_set.systems.items():
        write_lines(folder / f"{name}.out", lines)
    outputs = json.dumps([f"{name}={name}.out" for name in test_set.systems])
    (folder / "task.toml").write_text(
        f"""
name = "t"
title = "T"

[[translation]]
name = "news"
pair = "de-en"
source = "source"
references = ["reference"]
systems = {outputs}
metrics = ["chrf"]
judgements = ["{judgements.name}"]
""",
        encoding="utf-8",
    )
    return folder / "task.toml"


def test_a_public_table_keeps_what_is_of_nobody() -> None:
    columns = [Column("pair"), Column("annotator"), Column("n")]
    table = Table.of("Agreement", columns, [("all", None, 3), ("all", "ada", 1)], note="so")
    public = table.public()
    assert public is not None
    assert ([column.name for column in public.columns], public.rows) == (["pair", "n"], (("all", 3),))
    assert Table.of("People", columns, [("all", "ada", 1)]).public() is None
    assert Table.of("None", [Column("first", is_person=True), Column("n")], [("ada", 1)]).public() is None
    plain = Table.of("Systems", [Column("system")], [("a",)])
    assert plain.public() is plain
    assert not plain.names_people
    assert table.names_people
