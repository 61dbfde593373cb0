"""`dragoman campaign`: plan, new, simulate, analyse."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.data import FORMATS, JUDGEMENT_KINDS
from dragoman.data.crowd import TRANSLATIONS
from dragoman.data.judgements import Field, Judgements, Schema, ranking_schema, read_judgements
from dragoman.data.judgements.scales import EFFORT
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DragomanError
from dragoman.human.analysing import ANALYSES, analyse
from dragoman.human.planning import read_plan
from dragoman.human.protocol import PROTOCOLS
from dragoman.samples import copy_samples, sample_path
from dragoman.store.refusals import Conflict

EXAMPLES = Path(__file__).parents[2] / "examples"
QUALITY = [
    f"--quality={name}={mean}"
    for name, mean in zip(("atlas", "borealis", "cobalt", "dune", "ember"), (85, 75, 62, 54, 40), strict=True)
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    copy_samples(tmp_path / "samples")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*words: str) -> Result:
    return CliRunner(catch_exceptions=False).invoke(group, ["campaign", *words])


def test_from_manifest_to_ranking(folder: Path) -> None:
    planned = run("plan", "samples/testset/campaign.toml", "-o", "plan", "--json")
    assert planned.exit_code == 0
    rows = json.loads(planned.stdout)["rows"]
    assert [(row["least"], row["most"]) for row in rows] == [(2, 2)] * 5
    done = run("simulate", "plan", *QUALITY, "--population", "honest=0.75,random=0.25", "-o", "told.csv")
    assert "SIMULATED: no person made these 1,200 judgements. Seed 1." in done.stdout
    analysed = run("analyse", "told.csv", "--html", "page.html", "--json")
    told = json.loads(analysed.stdout)
    assert told["kind"] == "direct-assessment"
    assert [row["system"] for row in told["rows"]] == ["atlas", "borealis", "cobalt", "dune", "ember"]
    assert (told["meta"]["annotators"], told["meta"]["annotators_kept"]) == (4, 3)
    assert told["meta"]["files"] == "told.csv"
    assert "<h2" in (folder / "page.html").read_text(encoding="utf-8")
    segments = run("analyse", "told.csv", "--segments", "--form", "tsv")
    assert segments.stdout.startswith("system\tdoc\tsegment\tn\traw\tz\n")
    assert segments.stdout.count("\n") == 401


def test_new_makes_the_folder(folder: Path) -> None:
    assert run("new", "samples/testset/campaign.toml", "-o", "sample-da").exit_code == 0
    assert {path.name for path in (folder / "sample-da").iterdir()} == {
        "assignments.tsv",
        "judgements.jsonl",
        "key.tsv",
        "plan.json",
        "tasks.jsonl",
    }
    told = json.loads(run("status", "sample-da", "--json").stdout)
    assert told["rows"][-1] == {
        "annotator": "all",
        "tasks": 12,
        "finished": 0,
        "items": 1200,
        "judged": 0,
        "percent": 0,
    }
    with pytest.raises(DragomanError, match="sample-da is there already"):
        run("new", "samples/testset/campaign.toml", "-o", "sample-da")
    with pytest.raises(DragomanError, match="There is no judgement with a score to analyse"):
        run("analyse", "sample-da/judgements.jsonl")


def test_the_samples_careless_annotator_is_found() -> None:
    done = run("analyse", str(sample_path("testset/judgements/da.csv")))
    line = next(line for line in done.stdout.splitlines() if line.startswith("ann-4"))
    assert "insufficient evidence" in line
    assert " no " in line


@pytest.mark.parametrize("name", PROTOCOLS.names())
def test_every_protocol_is_simulated_from_its_files(tmp_path: Path, name: str) -> None:
    """A plan in a folder, a careful judge and a careless one, judgements in a file that is read and analysed."""
    plan, told = str(tmp_path / "plan"), str(tmp_path / "told.csv")
    people = [row["annotator"] for row in _people(name, plan)]
    care = [f"--care={people[0]}=0", f"--care={people[1]}=0.9"]
    done = run("simulate", plan, *care, "-o", told, "--json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["kind"], found["meta"]["protocol"], found["meta"]["simulated"]) == ("simulated-judges", name, True)
    by_name = {row["annotator"]: row for row in found["rows"]}
    assert [by_name[people[n]]["care"] for n in (0, 1)] == [0, 0.9]
    n = sum(row["judgements"] for row in found["rows"])
    assert n > 0
    assert len(read_judgements([told])) == n
    analysed = run("analyse", told, "--json")
    assert analysed.exit_code == 0, analysed.stderr
    assert json.loads(analysed.stdout)["rows"]
    again = run("simulate", plan, *care, "-o", str(tmp_path / "again.csv"))
    assert again.exit_code == 0
    assert (tmp_path / "again.csv").read_bytes() == Path(told).read_bytes()


def _people(name: str, plan: str) -> list[dict[str, object]]:
    done = run("plan", str(EXAMPLES / name / "manifest.toml"), "-o", plan, "--json")
    assert done.exit_code == 0, done.stderr
    return [{"annotator": who} for who in dict.fromkeys(each.annotator for each in read_plan(plan))]


def test_wrong_simulations_are_named(tmp_path: Path) -> None:
    plan = str(tmp_path / "plan")
    _people("da", plan)
    with pytest.raises(DragomanError, match="Nobody in the plan is called 'zeno'"):
        run("simulate", plan, "--care", "zeno=1", "-o", str(tmp_path / "x.csv"))
    assert "the share is from 0 to 1" in run("simulate", plan, "--care", "ada=2", "-o", "x.csv").stderr
    assert "say where the judgements" in run("simulate", plan).stderr
    assert "name the judges" in run("simulate", "x", "--url", "http://127.0.0.1:1").stderr
    assert "give --care or --quality" in run("simulate", plan, *QUALITY, "--care", "ada=1", "-o", "x.csv").stderr
    (tmp_path / "plan" / "plan.json").write_text("[]")
    with pytest.raises(DragomanError, match="this is no plan of a campaign"):
        run("simulate", plan, "-o", str(tmp_path / "x.csv"))


def test_wrong_calls() -> None:
    assert "'atlas' is not NAME=NUMBER." in run("simulate", "plan", "--quality", "atlas", "-o", "x").stderr
    assert run("analyse").exit_code == 2


def test_rankings_are_analysed_too(tmp_path: Path) -> None:
    path = str(sample_path("testset/judgements/ranking.csv"))
    done = run("analyse", path, "--html", str(tmp_path / "page.html"), "--json")
    told = json.loads(done.stdout)
    assert told["kind"] == "ranking-analysis"
    assert [row["system"] for row in told["rows"]] == ["atlas", "borealis", "cobalt", "dune", "ember"]
    assert set(told["meta"]) >= {"ranking", "head_to_head", "agreement", "annotators", "seed"}
    assert "Head to head" in (tmp_path / "page.html").read_text(encoding="utf-8")
    with pytest.raises(DragomanError, match=r"^The analysis of relative-ranking has no option 'test'\. Known: pair"):
        run("analyse", path, "--test", "t")
    with pytest.raises(DragomanError, match=r"^An analysis of the kind 'ranking-analysis' has no scores of single"):
        run("analyse", path, "--segments")


def test_other_kinds_are_refused_with_what_is_known() -> None:
    nothing = Judgements.of(Schema("votes", (Field("annotator"), Field("item"))))
    with pytest.raises(DragomanError, match=r"^There is no analysis of judgements of the kind 'votes'\. Known: adeq"):
        analyse(nothing)
    with pytest.raises(DragomanError, match=r"^There are no judgements to analyse\.$"):
        analyse(Judgements.of(ranking_schema(5)))


def test_every_kind_that_a_protocol_asks_for_has_its_analysis() -> None:
    kinds = {PROTOCOLS.get(name).schema.kind for name in PROTOCOLS.names()}
    assert kinds <= set(ANALYSES)
    assert set(ANALYSES) == set(JUDGEMENT_KINDS.names())


def test_an_option_of_another_kind_is_refused() -> None:
    row = {"annotator": "ada", "segment": "1", "text": "one two"}
    told = Judgements.of(TRANSLATIONS, [row])
    with pytest.raises(DragomanError, match=r"analysis of crowd-translation has no option 'pair'\. Known: none\.$"):
        analyse(told, pair="de-en")
    assert analyse(told, seed=7).tables()[0].column("worker") == ["ada"]


def test_severities_of_a_campaign_of_its_own(tmp_path: Path) -> None:
    path = str(tmp_path / "spans.csv")
    row = {"annotator": "ada", "item": "1", "segment": 1, "system": "atlas", "severity": "grave", "start": 0, "end": 3}
    FORMATS.make("judgement-table").write(Judgements.of(ERROR_SPANS, [row]), path)
    with pytest.raises(DragomanError, match="No cost is known for the severity 'grave'"):
        run("analyse", path)
    done = run("analyse", path, "--severity", "grave=7", "--json")
    assert json.loads(done.stdout)["rows"][0]["mean"] == -7
    with pytest.raises(DragomanError, match="has no option 'severities'"):
        run("analyse", str(sample_path("testset/judgements/da.csv")), "--severity", "grave=7")


def test_what_was_estimated_and_what_was_edited_of_one_pair() -> None:
    rows = [
        {
            "annotator": "ada",
            "item": str(n),
            "segment": n,
            "system": system,
            "source_lang": "en",
            "target_lang": lang,
            "effort": 3,
            "output": "a b",
            "post_edit": "a c",
        }
        for n, (system, lang) in enumerate([("atlas", "de"), ("dune", "es")], start=1)
    ]
    told = Judgements.of(EFFORT, rows)
    found = analyse(told, pair="en-es").tables()
    assert [found[0].column("system"), found[-1].column("system")] == [["dune"], ["dune"]]
    edits = Judgements.of(EFFORT, [{**row, "effort": None} for row in rows])
    assert len(analyse(edits).tables()[0].rows) == 2
    nothing = Judgements.of(EFFORT, [{**row, "effort": None, "post_edit": None} for row in rows])
    with pytest.raises(DragomanError, match="There is neither an effort nor a post-edit to analyse"):
        analyse(nothing)


def test_power_says_it_is_simulated() -> None:
    done = run("power", "--quality", "a=70", "--quality", "b=50", "-n", "100", "--trials", "3", "--json")
    told = json.loads(done.stdout)
    assert told["rows"][0]["found"] == 1
    assert told["meta"]["simulated"] is True


def test_a_command_closes_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed = []
    monkeypatch.setattr("dragoman.store.Store.close", lambda store: closed.append(store.name))
    db = str(tmp_path / "house.db")
    words = ("users", "add", "root", "--role", "admin", "--password-stdin", "--db", db)
    assert CliRunner().invoke(group, ["campaign", *words], input="correct horse battery").exit_code == 0
    assert run("migrate", "--db", db).exit_code == 0
    with pytest.raises(Conflict, match="only admin"):
        run("users", "role", "root", "manager", "--db", db)
    assert closed == [db] * 3
