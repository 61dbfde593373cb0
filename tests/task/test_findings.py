"""From a task to its findings: every table is what its command gives."""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, DoubtfulInput
from dragoman.files import read_lines
from dragoman.human import plan, read_manifest
from dragoman.report import Open, Section, Table, page
from dragoman.samples import copy_samples
from dragoman.task import campaign_of, collect_submissions, read_task, run_task, task_status, write_findings


def make(folder: Path) -> None:
    copy_samples(folder / "samples")
    manifest = folder / "samples" / "task" / "task.toml"
    text = manifest.read_text(encoding="utf-8").replace('name = "south"', 'name = "south"\nanonymous = true')
    manifest.write_text(text.replace("[[quality]]", "medical = true\n\n[[quality]]"), encoding="utf-8")
    task = read_task(manifest)
    (folder / "mine.en").write_text((folder / "samples/testset/systems/dune.en").read_text().replace(" the ", " a "))
    (folder / "zqtheirs.en").write_text(
        (folder / "samples/testset/systems/atlas.en").read_text().replace(" a ", " the ")
    )
    rows = [f"m\t{name}\t{n}" for n, name in enumerate(("ember", "dune", "cobalt", "borealis", "atlas"))]
    (folder / "zqsharp.tsv").write_text("metric\tsystem\tscore\n" + "\n".join(rows) + "\n")
    (folder / "said.txt").write_text("".join(f"{n}\n" for n in range(80)))
    for file, team, track, kind in (
        ("mine.en", "north", "news", None), ("zqtheirs.en", "south", "news", None),
        ("zqsharp.tsv", "south", "news", "metrics"), ("said.txt", "north", "adequacy", None),
    ):  # fmt: skip
        done = collect_submissions(task, [folder / file], team=team, track=track, kind=kind)
        assert done.submissions[0].is_accepted, done.submissions[0].problems
    write_findings(task, folder / "site")


@pytest.fixture
def made(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Path:
    return made_once("shared-task", make)


NAMES = [
    "participants",
    "news-scores",
    "news-scores-domain-travel",
    "news-significance-bleu",
    "news-significance-chrf",
    "news-significance-ter",
    "news-medical",
    "news-judgements",
    "news-agreement",
    "news-ranking",
    "news-head-to-head",
    "news-metrics-systems",
    "news-metrics-segments",
    "adequacy-quality-ranking",
    "adequacy-quality-scoring",
]


def test_every_table_is_what_its_command_gives(made: Path, tmp_path: Path) -> None:
    run = run_task(read_task(made / "samples" / "task"), tmp_path / "scores")
    assert [part.name for part in run.parts] == NAMES
    assert run.left_out == ()
    seen = set()
    for part in run.parts[1:]:
        if part.command in seen:
            continue
        seen.add(part.command)
        done = CliRunner().invoke(group, [*shlex.split(part.command)[1:], "--json"])
        assert done.exit_code == 0, done.output
        assert part.result is not None
        assert json.loads(done.stdout)["rows"] == part.result.to_dict()["rows"], part.command


def test_tables_are_laid_out_as_wmt_prints_them(made: Path) -> None:
    tables = made / "site" / "tables"
    assert read_lines(tables / "news-ranking.tsv")[0] == "#\tscore\trange\tsystem"
    assert [line.split("\t")[0] for line in read_lines(tables / "news-ranking.tsv")[1:]] == ["1", "2", "3", "", "5"]
    latex = read_lines(tables / "news-ranking.tex")
    assert latex[0].startswith("% dragoman rank ")
    assert latex.count(r"\midrule") == 4
    assert r"$\pm$" in (tables / "news-scores.tex").read_text()
    whole = (tables / "all.tex").read_text()
    assert whole.count(r"\begin{tabular}") == len(NAMES)
    assert whole.isascii()


def test_the_site_has_every_table_and_its_command(made: Path) -> None:
    page = (made / "site" / "index.html").read_text()
    for name in NAMES:
        assert f'href="tables/{name}.tex"' in page
        assert all((made / "site" / "tables" / f"{name}.{suffix}").is_file() for suffix in ("md", "tex", "tsv"))
    assert page.count("<summary>Command</summary>") == len(NAMES) - 1
    assert (made / "site" / "news-ranking.html").is_file()
    assert ".tmp" not in page  # commands name the folder as it is called now
    own = (made / "site" / "news-metrics-segments.html").read_text(encoding="utf-8")
    assert "<td>scores/news.segments.tsv</td>" in own
    assert ".tmp" not in own


def test_long_tables_of_findings_are_open() -> None:
    table = Table.of("Long", ["n"], [(n,) for n in range(40)])
    assert "<details>" in page("P", [Section("S", "", [table])])
    assert "<details>" not in page("P", [Section("S", "", [Open(table)])])


def test_a_team_that_wishes_it_is_not_named(made: Path) -> None:
    texts = [path.read_text() for path in (made / "site").rglob("*.*")]
    assert any("anonymous-A.1" in text for text in texts)
    assert any("anonymous-A.2" in text for text in texts)
    assert not any(name in text for text in texts for name in ("south", "zqtheirs", "zqsharp"))
    names = [path.name for path in (made / "site").rglob("*")]
    assert not any(word in name for name in names for word in ("south", "zqtheirs", "zqsharp"))


def test_every_word_of_an_anonymous_team_is_hidden(made: Path, tmp_path: Path) -> None:
    """Systems of all kinds of track; a refused file and a second track change no number."""
    shutil.copytree(made / "samples", tmp_path / "samples")
    task = read_task(tmp_path / "samples" / "task")
    estimates = tmp_path / "zqguess.txt"
    estimates.write_text("".join(f"{80 - n}\n" for n in range(80)))
    scores = tmp_path / "zqmetric.tsv"
    rows = [
        f"m\t{name}\t{n}" for n, name in enumerate(("ember", "dune", "cobalt", "borealis", "atlas", "south.zqtheirs"))
    ]
    scores.write_text("metric\tsystem\tscore\n" + "\n".join(rows) + "\n")
    empty = tmp_path / "zqempty.en"
    empty.write_text("one line\n")
    for file, track, kind in ((empty, "news", None), (estimates, "adequacy", None), (scores, "news", "metrics")):
        collect_submissions(task, [file], team="south", track=track, kind=kind)
    run = run_task(task, tmp_path / "scores")
    shown = [run.render("text"), run.render("json"), *(part.command for part in run.parts), *run.left_out]
    shown += [json.dumps(part.result.to_dict()) for part in run.parts if part.result is not None]
    shown += [path.read_text() for path in (tmp_path / "scores").rglob("*") if path.is_file()]
    shown += [str(path.relative_to(tmp_path / "scores")) for path in (tmp_path / "scores").rglob("*")]
    hidden = ("south", "zqtheirs", "zqsharp", "zqguess", "zqmetric", "zqempty")
    assert [(word, text[:80]) for text in shown for word in hidden if word in text] == []
    assert any("anonymous-A.1" in text for text in shown), "its first system, as before"
    assert any("anonymous-A.4" in text for text in shown), "the estimates; 3 was refused"


@pytest.mark.parametrize("own", ["south.zqtheirs", "anonymous-A.zqtheirs"])
def test_judgements_that_name_an_anonymous_system_are_refused(made: Path, tmp_path: Path, own: str) -> None:
    shutil.copytree(made / "samples", tmp_path / "samples")
    task = read_task(tmp_path / "samples" / "task")
    path = Path(task.translation_tracks()[0].judgements[0])
    path.write_text(path.read_text().replace("atlas", own))
    with pytest.raises(DataError, match=rf"ranking\.csv names systems of .* Write {own} as anonymous-A\.1\."):
        write_findings(task, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_the_status_counts_what_came(made: Path) -> None:
    status = task_status(read_task(made / "samples" / "task"))
    rows = {row[0]: row[2:] for row in status.tables()[0].rows}
    assert rows == {"news": (5, 2, 1, 180, ""), "adequacy": (1, 1, 0, 0, "")}
    assert [row[2:] for row in status.tables()[1].rows] == [(2, 0, 0), (2, 0, 0)]


def test_what_cannot_be_made_is_said(tmp_path: Path) -> None:
    copy_samples(tmp_path / "samples")
    manifest = tmp_path / "samples" / "task" / "task.toml"
    text = manifest.read_text().replace('systems = ["../testset/systems/*.en"]', "")
    manifest.write_text(text.replace('estimates = ["length.estimates"]\nbaseline = "length.estimates"', ""))
    run = run_task(read_task(manifest), tmp_path / "scores")
    assert run.left_out == ("news: no system was submitted.", "adequacy: no estimates were submitted.")
    assert "news-ranking" in [part.name for part in run.parts]
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "mine.txt").write_text("x")
    with pytest.raises(DataError, match="is there already and not empty"):
        write_findings(read_task(manifest), tmp_path / "site")


def test_a_missing_file_is_named_and_nothing_is_left(tmp_path: Path) -> None:
    copy_samples(tmp_path / "samples")
    (tmp_path / "samples" / "testset" / "reference-B.en").unlink()
    task = read_task(tmp_path / "samples" / "task")
    assert "reference-B.en" in str(task_status(task).tables()[0].rows[0][-1])
    with pytest.raises(DataError, match=r"names files that are not there: .*reference-B\.en\. Put them there"):
        write_findings(task, tmp_path / "site")
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("protocol", ["ranking", "da", "pairwise", "esa"])
def test_what_was_submitted_is_put_before_people(made: Path, tmp_path: Path, protocol: str) -> None:
    task = read_task(made / "samples" / "task")
    done = campaign_of(task, "news", tmp_path / "judged.toml", protocol=protocol, annotators=["ada", "ben", "chloe"])
    manifest = read_manifest(tmp_path / "judged.toml")
    assert tuple(manifest.test_set.systems) == done.systems
    assert {"atlas", "north.mine", "anonymous-A.1"} <= set(done.systems)
    written = (tmp_path / "judged.toml").read_text()
    assert not any(word in written for word in ("south", "zqtheirs"))
    assert plan(manifest).assignments
    with pytest.raises(DataError, match="is there already"):
        campaign_of(task, "news", tmp_path / "judged.toml")


def test_a_campaign_that_cannot_be_is_not_left_behind(made: Path, tmp_path: Path) -> None:
    task = read_task(made / "samples" / "task")
    with pytest.raises(DataError, match="guess"):
        campaign_of(task, "news", tmp_path / "judged.toml", protocol="guess")
    assert not (tmp_path / "judged.toml").exists()
    with pytest.raises(DataError, match="has estimates, which nobody judges"):
        campaign_of(task, "adequacy", tmp_path / "judged.toml")


def test_direct_assessments_rank_too(tmp_path: Path) -> None:
    copy_samples(tmp_path / "samples")
    manifest = tmp_path / "samples" / "task" / "task.toml"
    text = (
        manifest.read_text()
        .replace("ranking.csv", "da.csv")
        .replace('metrics = ["bleu", "chrf", "ter"]', 'metrics = ["bleu"]')
    )
    manifest.write_text(text)
    with pytest.warns(DoubtfulInput, match="100 of 400 judgements count here"):
        run = run_task(read_task(manifest), tmp_path / "scores")
    part = run.part("news-ranking")
    done = CliRunner().invoke(group, [*shlex.split(part.command)[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert part.result is not None
    assert json.loads(done.stdout)["rows"] == part.result.to_dict()["rows"]
    assert "news-metrics-segments" in [each.name for each in run.parts]


def test_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copy_samples("samples")
    said = CliRunner().invoke(group, ["task", "status", "samples/task", "--json"])
    assert [row["track"] for row in json.loads(said.stdout)["rows"]] == ["news", "adequacy"]
    shutil.copy("samples/testset/systems/dune.en", "x.en")
    words = ["task", "collect", "samples/task", "x.en", "--team", "north", "--track", "news"]
    assert CliRunner().invoke(group, words).exit_code == 0
    again = CliRunner().invoke(group, words)
    assert again.exit_code == 1
    assert "This is what x has already" in again.stdout
    files = ["-s", "samples/testset/source.de", "-r", "samples/testset/reference-A.en"]
    done = CliRunner().invoke(
        group, ["task", "new", "mine", "--pair", "de-en", *files, "--system", "samples/testset/systems/*.en"]
    )
    assert done.exit_code == 0, done.output
    ran = CliRunner().invoke(group, ["task", "run", "mine", "--json"])
    assert json.loads(ran.stdout)["rows"][0]["table"] == "news-scores"
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["task.toml"]


def test_systems_are_called_as_they_are_printed(tmp_path: Path) -> None:
    copy_samples(tmp_path / "samples")
    manifest = tmp_path / "samples" / "task" / "task.toml"
    text = manifest.read_text().replace('name = "north"', 'name = "north"\nprinted = "NORTH"')
    text = text.replace("[[quality]]", '[translation.printed]\natlas = "ATLAS-A"\nnobody = "NOBODY"\n\n[[quality]]')
    manifest.write_text(text)
    task = read_task(manifest)
    output = (tmp_path / "samples" / "testset" / "systems" / "dune.en").read_text()
    (tmp_path / "one.en").write_text(output.replace(" the ", " a "))
    collect_submissions(task, [tmp_path / "one.en"], team="north", track="news")
    run = run_task(task, tmp_path / "scores")
    systems = {row[0] for row in run.part("news-scores").table.rows}
    assert systems == {"ATLAS-A", "NORTH", "borealis", "cobalt", "dune", "ember"}
    matrix = run.part("news-significance-bleu").table
    assert {column.name for column in matrix.columns[1:]} == systems == {row[0] for row in matrix.rows}
    assert "ATLAS-A" in [row[-1] for row in run.part("news-ranking").table.rows]
    assert "north.one" in run.part("news-scores").command  # a command reads files, and those have their own names
    assert run.part("participants").table.rows[0][0] == "NORTH"
    assert "news: printed names 'nobody', which is none of the systems." in run.left_out
    (tmp_path / "two.en").write_text(output.replace(" of ", " in "))
    collect_submissions(task, [tmp_path / "two.en"], team="north", track="news")
    systems = {row[0] for row in run_task(task, tmp_path / "scores").part("news-scores").table.rows}
    assert {"NORTH-ONE", "NORTH-TWO"} < systems


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('name = "north"', 'name = "north"\nprinted = "SOUTH"', "two printed teams have one name, 'SOUTH' and 'south'"),
        ('name = "north"', 'name = "north"\nanonymous = true\nprinted = "N"', "is anonymous and has a printed name"),
        ("[[quality]]", "[translation.printed]\natlas = 3\n\n[[quality]]", "expected a name for each system"),
        ("[[quality]]", '[translation.printed]\natlas = "X"\ndune = "X"\n\n[[quality]]', "would be printed as 'X'"),
    ],
)
def test_printed_names_tell_systems_and_teams_apart(tmp_path: Path, old: str, new: str, message: str) -> None:
    copy_samples(tmp_path / "samples")
    manifest = tmp_path / "samples" / "task" / "task.toml"
    manifest.write_text(manifest.read_text().replace(old, new))
    with pytest.raises(DataError, match=message):
        run_task(read_task(manifest), tmp_path / "scores")
