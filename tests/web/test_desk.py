"""The pages of the desk: bring files, see tables, download; what is wrong is said, and nothing typed is lost."""

from __future__ import annotations

import gzip
import re
import time
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.samples import sample_path
from dragoman.store import Store
from dragoman.web import Settings, create_app
from dragoman.web.desk import OPTIONS, SLOTS, Desk, Job, Shown, Upload, checked_options
from dragoman.web.desk.jobs import run_job
from dragoman.web.refusals import Busy, TooLong, TooMuchMemory
from tests.web.client import Client

A = "The cat sat on the mat.\nIt rains in Spain today.\nWe go home now.\n"
B = "A cat was sitting on a mat.\nIt rains today.\nWe now go.\n"
R = "The cat sat on the mat.\nToday it rains in Spain.\nWe are going home.\n"
JUDGED = "srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID\n" + "".join(
    f"deu,eng,{n},{n},j{n % 2},x,1,y,{2 if n % 3 else 1},{n}\n" for n in range(1, 13)
)
SCORES = "system\tmetric\tscore\n" + "".join(
    f"{s}\t{m}\t{v}\n" for m, d in (("one", 1), ("two", -1)) for s, v in zip("abcd", (10, 20 + d, 15, 30), strict=True)
)
PEOPLE = "system\tscore\na\t1\nb\t2\nc\t1.5\nd\t3\n"
NASTY = "<script>alert(1)</script>"


def file(name: str, text: str) -> dict[str, str]:
    return {"name": name, "text": text}


BODIES: dict[str, dict[str, Any]] = {
    "score": {"systems": [file("a.en", A), file("b.en", B)], "refs": [file("r.en", R)]},
    "compare": {"systems": [file("a.en", A), file("b.en", B)], "refs": [file("r.en", R)], "trials": 50},
    "ranking": {"judgements": [file("j.csv", JUDGED)]},
    "meta": {"scores": [file("s.tsv", SCORES)], "human": [file("h.tsv", PEOPLE)], "trials": 50},
}


def form_of(task: str, csrf: str, **more: Any) -> list[tuple[str, tuple[str | None, str]]]:
    """A body as the page's form sends it: every text pasted."""
    fields: list[tuple[str, tuple[str | None, str]]] = [("csrf_token", (None, csrf))]
    for key, value in BODIES[task].items():
        if isinstance(value, list):
            for each in value:
                fields += [(f"{key}_name", (None, each["name"])), (f"{key}_text", (None, each["text"]))]
        else:
            fields.append((key, (None, str(value))))
    return fields + [(key, (None, str(value))) for key, value in more.items()]


@pytest.fixture
def client(light_app: FastAPI) -> Client:
    return Client(light_app, "the-viewer")


@pytest.mark.parametrize("task", BODIES)
def test_interface_page_and_twin_say_the_same(client: Client, task: str) -> None:
    told = client.post(f"/api/v1/{task}", json=BODIES[task])
    assert told.status_code == 200, told.text
    assert told.json()["rows"]
    twin = client.post(f"/{task}.json", files=form_of(task, client.csrf or ""))
    assert twin.json() == told.json()
    page = client.post(f"/{task}", files=form_of(task, client.csrf or ""))
    assert page.status_code == 200
    assert "<table>" in page.text
    assert re.search(r'name="form"\s+value="latex"', page.text)
    assert client.get(f"/{task}").status_code == 200
    described = client.get(f"/{task}.json").json()
    assert [row["name"] for row in described["rows"]] == [option.name for option in OPTIONS[task]]


@pytest.mark.parametrize("form", ["tsv", "csv"])
def test_downloads_hold_no_formulas_unless_raw(client: Client, form: str) -> None:
    body = {**BODIES["score"], "systems": [file("@SUM(A1).en", A)], "form": form}
    guarded, raw = (client.post("/api/v1/score", json={**body, **more}).text for more in ({}, {"raw": True}))
    assert "\n'@SUM(A1)" in guarded
    assert "\n@SUM(A1)" in raw


@pytest.mark.parametrize("form", ["tsv", "csv", "latex", "markdown", "html", "json"])
def test_downloads(client: Client, form: str) -> None:
    sent = client.post("/score", files=form_of("score", client.csrf or "", form=form))
    also = client.post("/api/v1/score", json={**BODIES["score"], "form": form})
    assert sent.status_code == 200
    assert sent.text == also.text
    assert "bleu" in sent.text.casefold()  # tables for people name metrics by their labels
    assert "sandbox" in sent.headers["content-security-policy"]
    if form != "json":
        assert "attachment" in sent.headers["content-disposition"]


def test_the_options_reach_the_room(client: Client) -> None:
    body = {**BODIES["score"], "metrics": ["ter", "bleu:lowercase=yes"], "ci": True, "trials": 20, "seed": 3}
    told = client.post("/api/v1/score", json=body).json()
    assert {row["metric"] for row in told["rows"]} == {"ter", "bleu:lowercase=yes"}
    assert all(row["low"] <= row["score"] <= row["high"] for row in told["rows"])
    segments = client.post("/api/v1/score", json={**BODIES["score"], "level": "segment"}).json()
    assert len(segments["rows"]) == 2 * 2 * 3


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("score", {"refs": [file("r.en", R + "more\n")]}, "refs/r.en=4, systems/a.en=3"),
    ("score", {"refs": []}, "refs: bring a file at least; there are 0"),
    ("score", {"refs": [file("r.en", " \n")]}, "r.en is empty"),
    ("score", {"refs": [file("../r.en", R)]}, "'../r.en' cannot name a file"),
    ("score", {"systems": [file("x=/etc/passwd", A)]}, "cannot name a file"),
    ("score", {"systems": [file("..", A)]}, "cannot name a file"),
    ("score", {"systems": [file("a.en", A), file("a.en", B)]}, "two files are called 'a.en'"),
    ("score", {"metrics": ["nothing"]}, "'nothing', which is not known here. Known: "),
    ("score", {"metrics": ["gemba-da:model=x"]}, "'gemba-da', which is not known here"),
    ("compare", {"metrics": ["noref:models"]}, "'noref', which is not known here"),
    ("score", {"metrics": ["bleu:tokeniser=/etc/passwd"]}, "has no paths in it"),
    ("score", {"metrics": ["bleu:tokeniser=nothing"]}, "nothing"),
    ("score", {"ci": True, "level": "segment"}, "intervals are for scores of the whole corpus"),
    ("compare", {"systems": [file("a.en", A)]}, "systems: bring 2 files at least; there is 1"),
    ("compare", {"correction": "none-such"}, "correction is 'none-such'; choose one of"),
    ("ranking", {"judgements": [file("j.csv", "what,is,this\n1,2,3\n")]}, "j.csv"),
    ("ranking", {"judgements": [file("j.csv", JUDGED.replace("x,1", "x,first"))]}, "j.csv:"),
    ("ranking", {"pair": "no pair!"}, "pair is 'no pair!'; expected something like de-en"),
    ("meta", {"human": [file("h.tsv", "system\tscore\na\tx\n")]}, "h.tsv:2"),
]


@pytest.mark.parametrize(("task", "change", "message"), WRONG)
def test_what_is_wrong_is_said(client: Client, task: str, change: dict[str, Any], message: str) -> None:
    answer = client.post(f"/api/v1/{task}", json={**BODIES[task], **change})
    assert answer.status_code == 422, answer.text
    assert message in answer.json()["message"]
    assert "dragoman-desk-" not in answer.text  # where the files lay


def test_a_wrong_file_loses_nothing_that_was_typed(client: Client) -> None:
    fields = form_of("score", client.csrf or "", seed=77, trials="many")
    page = client.post("/score", files=fields)
    assert page.status_code == 422
    assert "trials is &#39;many&#39;, which is no whole number" in page.text
    assert "Today it rains in Spain." in page.text
    assert 'value="77"' in page.text
    bad: Any = [("systems", ("c.en", b"fine\nbr\xfcck\n")), ("refs", ("r2.en", b"\xef\xbb\xbfA reference\r\n"))]
    page = client.post("/score", files=[*form_of("score", client.csrf or ""), *bad])
    assert page.status_code == 422
    assert "c.en:2: byte 0xfc is no UTF-8" in page.text
    assert "A reference" in page.text  # the file that could be read is a text of the form now
    assert "Today it rains in Spain." in page.text


def test_files_are_brought(client: Client) -> None:
    files: Any = [
        ("csrf_token", (None, client.csrf)),
        ("systems", ("C:\\fakepath\\a.en", A.encode())),
        ("systems", ("b.en", B.replace("\n", "\r\n").encode())),
        ("refs", ("r.en", b"\xef\xbb\xbf" + R.encode())),
        ("src", ("", b"")),
    ]
    told = client.post("/score.json", files=files).json()
    assert told["rows"] == client.post("/api/v1/score", json=BODIES["score"]).json()["rows"]


def test_packed_files_are_refused() -> None:
    bomb = gzip.compress(b"\0" * 10_000_000)
    job = Job("score", {"systems": [Upload("a.gz", bomb)], "refs": [Upload("r", b"x")]}, checked_options("score", {}))
    with pytest.raises(DataError, match=r"a\.gz is packed; unpack it"):
        Desk().do(job)


def test_markup_in_names_and_texts_stays_text(client: Client) -> None:
    fields: Any = [
        ("csrf_token", (None, client.csrf)),
        ("systems_name", (None, "<b>bold<b>")),
        ("systems_text", (None, NASTY)),
        ("refs_name", (None, '"onfocus x')),
        ("refs_text", (None, f"</textarea>{NASTY}")),
    ]
    page = client.post("/score", files=fields)
    assert page.status_code == 200, page.text
    assert NASTY not in page.text
    assert "<b>" not in page.text
    assert '"onfocus' not in page.text
    assert "&lt;b&gt;bold&lt;b&gt;" in page.text


def sleeps(job: Job) -> Shown:
    time.sleep(600)
    return Shown()


def eats(job: Job) -> Shown:
    return Shown(text=str(len(bytearray(8 << 30))))


def breaks(job: Job) -> Shown:
    raise ZeroDivisionError("ours")


JOB = Job("score", {"systems": [Upload("a", b"x")], "refs": [Upload("r", b"x")]}, checked_options("score", {}))


def test_limits_of_time_memory_and_number() -> None:
    begun = time.monotonic()
    with pytest.raises(TooLong, match=r"more than 0\.5 seconds.*dragoman score"):
        Desk(seconds=0.5, run=sleeps).do(JOB)
    assert time.monotonic() - begun < 300
    with pytest.raises(TooMuchMemory, match="more than 4,096 MB of memory"):
        Desk(run=eats).do(JOB)
    with pytest.raises(RuntimeError, match="ZeroDivisionError: ours"):
        Desk(run=breaks).do(JOB)
    desk = Desk(jobs=1, wait=0.01)
    with desk._turns, pytest.raises(Busy, match="Others are at the desk"):
        desk.do(JOB)


def test_long_tables_are_cut_on_pages_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = "".join(f"line {n}\n" for n in range(300)).encode()
    options = checked_options("score", {"level": "segment", "metrics": ["chrf"]})
    shown = run_job(Job("score", {"systems": [Upload("a", lines)], "refs": [Upload("r", lines)]}, options))
    assert len(shown.tables[0].rows) == 200
    assert "The first 200 of 300 rows" in shown.tables[0].note
    assert len(shown.content["rows"]) == 300


@pytest.mark.parametrize("task", ["score", "compare"])
def test_what_the_command_warns_of_the_page_says(client: Client, task: str) -> None:
    """Output that looks tokenised, where sacreBLEU warns: it went to the log of the server, if anywhere."""
    lines = "".join(f"It works {n} .\n" for n in range(120))
    body = {"systems": [file("a.en", lines), file("b.en", lines.replace(" .", "."))], "refs": [file("r.en", lines)]}
    told = client.post(f"/api/v1/{task}", json={**body, "metrics": ["bleu"]}).json()
    (said,) = told["meta"]["warnings"]
    assert "100 lines or more of a end in a full stop by itself" in said
    assert "warnings" not in client.post(f"/api/v1/{task}", json={**body, "metrics": ["chrf"]}).json()["meta"]
    fields = [("csrf_token", (None, client.csrf or "")), ("metrics", (None, "bleu"))]
    for key, files in body.items():
        for each in files:
            fields += [(f"{key}_name", (None, each["name"])), (f"{key}_text", (None, each["text"]))]
    assert "the text looks tokenised" in client.post(f"/{task}", files=fields).text


def test_a_job_leaves_nothing_behind(client: Client, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "desk"
    folder.mkdir()
    client.post("/api/v1/score", json=BODIES["score"])  # the fork server, which stays, makes its own folder once
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    client.post("/api/v1/score", json=BODIES["score"])
    client.post("/api/v1/score", json={**BODIES["score"], "refs": [file("r.en", "one\n")]})
    assert list(folder.iterdir()) == []


def test_a_disk_that_is_full_is_said(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import errno

    def full(self: Desk, job: Job) -> Shown:
        raise OSError(errno.ENOSPC, "No space left on device")

    client = Client(create_app(light_store, Settings()), "the-viewer")
    monkeypatch.setattr(Desk, "do", full)
    answer = client.post("/api/v1/score", json=BODIES["score"])
    assert (answer.status_code, answer.json()["kind"]) == (507, "DiskFull")
    assert "no room left on the server's disk" in answer.json()["message"]


def test_options_and_slots_have_words_in_every_catalogue() -> None:
    from dragoman.web.catalogue import LANGUAGES, words_in

    for lang in LANGUAGES:
        say = words_in(lang)
        for task in OPTIONS:
            assert say(f"desk.about_{task}")
            assert all(say(f"desk.option_{option.name}") for option in OPTIONS[task])
            assert all(say(f"desk.slot_{slot.name}") for slot in SLOTS[task])


def test_the_report_of_a_comparison_is_whole(client: Client) -> None:
    told = client.post("/api/v1/compare", json={**BODIES["compare"], "form": "html"})
    assert told.text.lstrip().lower().startswith("<!doctype html>")
    assert "src=" not in told.text.replace('srcs="', "")


def test_the_page_says_errors_and_notes_in_its_language(client: Client) -> None:
    fields = form_of("score", client.csrf or "", trials="viele")
    wrong = client.post("/score?lang=de", files=fields)
    assert "trials\u2069 ist \u2068&#39;viele&#39;\u2069, und das ist keine ganze Zahl." in wrong.text
    assert client.post("/score.json?lang=de", files=fields).json()["message"] == (
        "trials is 'viele', which is no whole number."
    )
    told = client.post("/meta?lang=de", files=form_of("meta", client.csrf or ""))
    assert "4 Systeme wurden beurteilt." in told.text


def test_a_ranking_warns_of_people_whom_quality_control_leaves_out(client: Client) -> None:
    judgements = [file("da.csv", sample_path("testset/judgements/da.csv").read_text(encoding="utf-8"))]
    (said,) = client.post("/api/v1/ranking", json={"judgements": judgements}).json()["meta"]["warnings"]
    assert "100 of 400 judgements count here" in said
    assert "ann-4" not in said
