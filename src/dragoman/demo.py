"""The whole story on the samples: what each command does, done once, with a page that shows the results."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from html import escape
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from dragoman.cat.analysis import VolumeAnalysis
from dragoman.cat.analysis import analyse as analyse_volume
from dragoman.cat.projects import export_file, import_file, new_project
from dragoman.cat.rehearsal import rehearse_project
from dragoman.cat.reports import ProjectReport, report_of
from dragoman.cat.simulation import simulate
from dragoman.corpus import corpus_statistics
from dragoman.corpus.lint import lint
from dragoman.data import TestSet, read_judgements, read_test_set
from dragoman.data.bitext import Bitext
from dragoman.engines import Translates, load_engine, need
from dragoman.engines.translation import translate
from dragoman.errors import DataError
from dragoman.files import StrPath, open_writer, read_lines, write_lines
from dragoman.human import analyse
from dragoman.metrics import MetaRecipe, ScoreRecipe, compare, meta_evaluate_files, score_test_set
from dragoman.ranking import RankingRecipe, rank
from dragoman.report import Column, Figure, Fragment, Result, Section, Table, page
from dragoman.report.charts import draw_chart
from dragoman.samples import copy_samples, phrasebook
from dragoman.smt.training import train_engine
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.database import Store
from dragoman.store.translating.segments import list_segments
from dragoman.task import collect_submissions, read_task, write_findings
from dragoman.text import TOKENISERS

if TYPE_CHECKING:
    from dragoman.web.rehearsal import Rehearsal

__all__ = ["Demo", "run_demo"]

_CARE = {"simulated-1": 1.0, "simulated-2": 0.9, "simulated-3": 0.0}  # share of answers that are given with care
_MANIFEST = """# Direct assessment of the sample test set by three judges, who are simulated
name = "demo"
title = "Demo: direct assessment by simulated judges"
protocol = "da"
redundancy = 2
seed = 2014
annotators = ["simulated-1", "simulated-2", "simulated-3"]
controls = {bad = 0.1, repeat = 0.1, reference = 0.1}

[test_set]
path = "samples/testset"
"""
_SAMPLE_LANGS = {"source.de": "de", "reference-A.en": "en", "reference-B.en": "en"}


@dataclass(frozen=True)
class Step:
    """One step: the command that does the same, what came of it, and the part of the page that shows it."""

    name: str
    command: str
    outcome: str
    section: Section
    pages: Mapping[str, str] = field(default_factory=dict)  # file → title of what was written beside the first page
    picture: Figure | None = None


@dataclass(frozen=True)
class Demo(Result):
    """What the demo did, step by step."""

    kind: ClassVar[str] = "demo"

    folder: str
    page: str
    steps: tuple[Step, ...]
    campaign: Rehearsal | None = None  # None where the packages of the server are not installed

    def tables(self) -> list[Table]:
        """One row per step."""
        rows = [(step.name, step.outcome, step.command) for step in self.steps]
        note = f"All of it on one page: {self.page}"
        if self.campaign is not None:
            # On a terminal the server stays; without one somebody has to start it.
            note += (
                f"\nThe live ranking of the simulated campaign: {self.campaign.link}"
                f"\nIts server, if it does not run: dragoman serve --db {self.campaign.database} "
                f"--port {self.campaign.port} --engine de-en={self.folder}/engine"
            )
        return [Table.of("", ["step", "outcome", "command"], rows, note=note)]


def run_demo(folder: StrPath, *, progress: Callable[[str], None] = lambda _: None) -> Demo:
    """Run every step in `folder` and write `index.html` there; `progress` is told each step as it begins."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise DataError(f"{target} is a file; name a folder for the demo.")
    target.mkdir(parents=True, exist_ok=True)
    for suffix in ("", "-wal", "-shm"):  # of a demo before
        _database(target).with_name(_database(target).name + suffix).unlink(missing_ok=True)
    steps = []
    campaign = None
    for name, step in _steps(target):
        progress(name)
        steps.append(step())
    if find_spec("fastapi") and find_spec("uvicorn") and find_spec("sqlalchemy"):
        progress("campaign")
        campaign = _rehearse(target)
        steps.append(_campaign(target, campaign))
    progress("workbench")  # behind the campaign, whose rehearsal makes the database
    steps.append(_translate_letter(target / "samples" / "testset", target))
    path = target / "index.html"
    with open_writer(path) as stream:
        stream.write(page("Dragoman on its samples", [_overview(steps), *(step.section for step in steps)]))
    return Demo(str(target), str(path), tuple(steps), campaign)


def _overview(steps: Sequence[Step]) -> Section:
    """All pages that were written, with a picture of those that have one."""
    cards = "".join(
        f'<li class="card">{draw_chart(step.picture) if step.picture else ""}'
        + "".join(f'<p><a href="{file}">{escape(title)}</a></p>' for file, title in step.pages.items())
        + "</li>"
        for step in steps
        if step.pages
    )
    return Section("Pages", "", (Fragment(f'<ul class="cards">{cards}</ul>'),))


def _steps(target: Path) -> Iterator[tuple[str, Callable[[], Step]]]:
    samples = target / "samples"
    yield "samples", lambda: _copy(samples)
    yield "lint", lambda: _lint(samples / "testset")
    yield "tokenise", lambda: _tokenise(samples / "testset", target / "tokenised")
    yield "corpus statistics", lambda: _count(samples)
    yield "score", lambda: _score(samples / "testset")
    yield "compare", lambda: _compare(samples / "testset", target / "comparison.html")
    yield "rank", lambda: _rank(samples / "testset" / "judgements" / "ranking.csv", target / "ranking.html")
    yield "quality control", lambda: _analyse(samples / "testset" / "judgements" / "da.csv", target / "people.html")
    yield "meta-evaluation", lambda: _judge_metrics(samples / "testset")
    yield "shared task", lambda: _task(samples, target / "findings")
    yield "engine", lambda: _train(target)


def _database(target: Path) -> Path:
    return target / "demo.db"


def _copy(samples: Path) -> Step:
    result = copy_samples(samples)
    text = "A phrasebook in four languages and a test set with five systems, written for this project."
    outcome = f"{len(result.files)} files in {samples}"
    return Step("samples", f"dragoman samples {samples}", outcome, Section.of("The samples", result, text=text))


def _lint(testset: Path) -> Step:
    report = lint(read_test_set(testset))
    text = (
        "Before anything is scored, the data are looked over. Two findings are planted: ember leaves segment 63 empty "
        "and copies the source of segment 45."
    )
    outcome = f"{len(report.findings)} findings"
    return Step("lint", f"dragoman lint {testset}", outcome, Section.of("What lint found", report, text=text))


def _tokenise(testset: Path, target: Path) -> Step:
    target.mkdir(exist_ok=True)
    test_set = read_test_set(testset)
    streams = {"source.de": test_set.srcs or (), **{f"reference-{name}.en": ref for name, ref in test_set.refs.items()}}
    rows = []
    for name, lines in streams.items():
        tokeniser = TOKENISERS.make(f"moses:lang={_SAMPLE_LANGS[name]},escape=no")
        tokenised = tokeniser.tokenise([line or "" for line in lines])
        write_lines(target / name, tokenised)
        rows.append((name, tokeniser.signature(), sum(len(line.split()) for line in tokenised), tokenised[0]))
    table = Table.of("", ["file", "tokeniser", "tokens", Column("text", "first line", is_text=True)], rows)
    section = Section("Tokenised", "Punctuation set apart, abbreviations and numbers kept whole.", (table,))
    command = f"dragoman text tokenize {testset / 'source.de'} -t moses:lang=de,escape=no"
    return Step("tokenise", command, f"{sum(row[2] for row in rows)} tokens in {target}", section)


def _count(samples: Path) -> Step:
    sentences = phrasebook()
    bitext = Bitext.from_lines(sentences["de"], sentences["en"], source_lang="de", target_lang="en")
    result = corpus_statistics(bitext, tokeniser=TOKENISERS.make("13a"))
    text = "Sentences, tokens and types of the German and English side of the phrasebook, regardless of case."
    command = f"dragoman corpus stats {samples / 'phrasebook.de'} {samples / 'phrasebook.en'} -t 13a"
    outcome = ", ".join(f"{side.name} {side.tokens} tokens, {side.types} types" for side in result.sides)
    return Step("corpus statistics", command, outcome, Section.of("The phrasebook counted", result, text=text))


def _score(testset: Path) -> Step:
    test_set = read_test_set(testset)
    sheet = score_test_set(test_set, ScoreRecipe(metrics=("bleu", "chrf", "ter"), ci=True))
    text = "Five systems against two references, with 95 % bootstrap intervals. Lower TER is better."
    refs = f"-r {testset}/reference-A.en -r {testset}/reference-B.en"
    command = f"dragoman score {testset}/systems/*.en {refs} -m bleu -m chrf -m ter --ci"
    best = sheet.score("atlas", "bleu")
    return Step("score", command, f"atlas has {best.value:.1f} BLEU", Section.of("Scores", sheet, text=text))


def _compare(testset: Path, path: Path) -> Step:
    test_set = read_test_set(testset)
    systems = {name: test_set.system(name) for name in ("borealis", "cobalt", "dune")}
    comparison = compare(replace(test_set, systems=systems))
    with open_writer(path) as stream:
        stream.write(comparison.html())
    files = " ".join(f"{testset}/systems/{name}.en" for name in systems)
    command = f"dragoman compare {files} -r {testset}/reference-A.en -r {testset}/reference-B.en --html {path}"
    text = f"Is the difference real? {path.name} has the whole report, with any two systems side by side."
    figures = comparison.score_figures()
    section = Section("Comparison with borealis", text, (*figures, *comparison.tables()[:1]))
    pages = {path.name: "Three systems compared, segment by segment"}
    return Step("compare", command, f"a report in {path}", section, pages, figures[0])


def _rank(judgements: Path, path: Path) -> Step:
    result = rank(read_judgements(judgements), RankingRecipe(clusters=True))
    with open_writer(path) as stream:
        stream.write(result.html())
    text = "What people preferred (simulated here), with the range of every rank; systems of one cluster are tied."
    section = Section("Ranking", text, (*result.figures(), *result.tables()[:1]))
    command = f"dragoman rank {judgements} --clusters --html {path}"
    pages = {path.name: "Five systems ranked by people"}
    return Step("rank", command, f"{len(result.partition())} clusters", section, pages, result.figures()[0])


def _analyse(judgements: Path, path: Path) -> Step:
    result = analyse(read_judgements(judgements))
    with open_writer(path) as stream:
        stream.write(result.html())
    text = "Direct assessment: who told degraded copies from good ones, and how the systems stand without the others."
    section = Section("People", text, (*result.figures()[:1], *result.tables()[:2]))
    command = f"dragoman campaign analyse {judgements} --html {path}"
    pages = {path.name: "Annotators, and the systems by those who pass"}
    return Step("quality control", command, f"a report in {path}", section, pages, result.figures()[0])


def _judge_metrics(testset: Path) -> Step:
    test_set = read_test_set(testset)
    recipe = ScoreRecipe(metrics=("bleu", "chrf", "ter"), level="segment")
    sheet = score_test_set(replace(test_set, refs={"A": test_set.refs["A"]}), recipe)
    scores = testset.parent / "scores.tsv"
    with open_writer(scores) as stream:
        stream.write(sheet.render("tsv"))
    human = testset / "judgements" / "da.csv"
    result = meta_evaluate_files([scores], [human], MetaRecipe(level="seg"))
    text = "Which metric agrees best with people, translation by translation?"
    command = f"dragoman meta {scores} --human {human} --level seg"
    section = Section("Metrics against people", text, tuple(result.tables()[:2]))
    return Step("meta-evaluation", command, "bleu, chrf and ter against people", section)


def _task(samples: Path, site: Path) -> Step:
    """The sample task with two submissions, one of which is refused."""
    task = read_task(samples / "task")
    shutil.rmtree(samples / "task" / "submissions", ignore_errors=True)  # of a demo before
    shutil.rmtree(site, ignore_errors=True)
    lines = read_lines(samples / "testset" / "systems" / "cobalt.en")
    write_lines(samples.parent / "primary.en", [line.replace(" which ", " that ") for line in lines])
    write_lines(samples.parent / "short.en", lines[:-1])
    mailed = [samples.parent / name for name in ("primary.en", "short.en")]
    taken = collect_submissions(task, mailed, team="north", track="news")
    done = write_findings(task, site)
    text = "Teams submit, what is wrong is named, the rest is scored, ranked and printed as a findings paper prints it."
    section = Section("A shared task", text, (*taken.tables(), *done.shown_tables()))
    titles = {f"{name}.html": f"Findings: {title}" for name, _, title, _ in done.rows}
    titles["index.html"] = "The findings of a shared task"
    pages = {f"{site.name}/{path.name}": titles[path.name] for path in sorted(site.glob("*.html"))}
    command = f"dragoman task run {samples / 'task'}"
    return Step("shared task", command, f"{len(done.rows)} tables in {site}", section, pages)


def _train(target: Path) -> Step:
    sentences = phrasebook()
    dev = TestSet(srcs=sentences["de"][-60:], refs={"ref": sentences["en"][-60:]})
    for lang in ("de", "en"):
        write_lines(target / f"train.{lang}", sentences[lang][:-60])
        write_lines(target / f"dev.{lang}", sentences[lang][-60:])
    bitext = Bitext.from_lines(sentences["de"][:-60], sentences["en"][:-60], source_lang="de", target_lang="en")
    done = train_engine(bitext, work=target / "engine.work", output=target / "engine", dev=dev)
    said = translate(done.engine, sentences["de"][-60:-57])
    text = "540 sentence pairs in, an engine out, tuned on 60 more; below, what it makes of three of those."
    section = Section("An engine", text, (*said.tables()[:1], *(done.ladder.tables()[:1] if done.ladder else ())))
    files = f"--src {target}/train.de --tgt {target}/train.en --dev-src {target}/dev.de --dev-ref {target}/dev.en"
    return Step("engine", f"dragoman smt train {files} -o {target}/engine", f"an engine in {target}/engine", section)


def _translate_letter(testset: Path, target: Path) -> Step:
    sources, references = _letter(read_test_set(testset))
    write_lines(target / "letter.de", sources)
    write_lines(target / "letter.en", references)
    paragraphs = "".join(f"<p>{line}</p>\n" for line in sources)
    (target / "letter.html").write_text(f'<!DOCTYPE html>\n<meta charset="utf-8">\n{paragraphs}', encoding="utf-8")
    engine = need(load_engine(str(target / "engine")), Translates)
    report, volume = _rehearse_letter(target, engine, dict(zip(sources, references, strict=True)))
    with open_writer(target / "edit-log.html") as stream:
        stream.write(page("Edit log of a simulated translator", [Section.of("Edit log", report.log)]))
    efforts = simulate(engine, TestSet(srcs=sources, refs={"ref": references}))
    totals = report.log.totals()
    text = (
        f"A letter became a project of {totals['segments']} segments. A simulated translator mended the engine's "
        f"translations into the reference, with {totals['ksmr']:.0f} keys and clicks per hundred characters. Below: "
        "its volume, how far it is, and what typing it costs with prediction, by post-editing and from scratch."
    )
    pages = {"letter.html": "the letter", "translated/letter.html": "in English", "edit-log.html": "the edit log"}
    links = Fragment("<p>" + ", ".join(f'<a href="{path}">{name}</a>' for path, name in pages.items()) + "</p>")
    shown = [*volume.tables()[:1], *report.tables()[:1], *efforts.tables()]
    command = f"dragoman cat report letter --db {_database(target)}"
    outcome = f"{target / 'translated' / 'letter.html'}, by a simulated translator"
    titles = {
        "letter.html": "A letter",
        "translated/letter.html": "The letter in English",
        "edit-log.html": "Its edit log",
    }
    return Step("workbench", command, outcome, Section("A translated letter", text, (links, *shown)), titles)


def _rehearse_letter(
    target: Path, engine: Translates, texts: Mapping[str, str]
) -> tuple[ProjectReport, VolumeAnalysis]:
    store = Store(str(_database(target)))
    store.migrate()
    with store.write() as connection:
        project = new_project(connection, "letter", "de", "en", actor=COMMAND_LINE, engine="de-en")
        content = (target / "letter.html").read_bytes()
        file = import_file(connection, project, "letter.html", content, actor=COMMAND_LINE)
        sources = [row["source"] for row in list_segments(connection, project.id)[1]]
        rehearse_project(connection, project, "simulated-translator", engine, texts, begun=datetime.now(UTC))
        report = report_of(connection, project)
        name, translated = export_file(connection, project, file)
    store.close()
    (target / "translated").mkdir(exist_ok=True)
    (target / "translated" / name).write_bytes(translated)
    return report, analyse_volume({name: sources}, has_engine=True)


def _letter(test_set: TestSet) -> tuple[list[str], list[str]]:
    """A document of the sample test set, and its first reference."""
    lines = zip(test_set.docs or (), test_set.srcs or (), test_set.refs["A"], strict=True)
    letter = [(str(source), str(reference)) for name, source, reference in lines if name == "office-1"]
    return [source for source, _ in letter], [reference for _, reference in letter]


def _rehearse(target: Path) -> Rehearsal:
    from dragoman.web.rehearsal import rehearse

    manifest = target / "campaign.toml"
    manifest.write_text(_MANIFEST, encoding="utf-8")
    # Chosen: a random clicker passes a test now and then, as with seed 1; this seed shows him caught.
    return rehearse(manifest, _database(target), _CARE, seed=2)


def _campaign(target: Path, done: Rehearsal) -> Step:
    text = (
        f"Three simulated judges filled a campaign through the server's interface: {done.n_answers} answers. They are "
        "invented, and so is the ranking. One of them clicked at random; quality control names "
        f"{', '.join(done.careless) or 'nobody'}."
    )
    section = Section("A campaign (simulated)", text, tuple(done.tables()[:2]))
    command = f"dragoman campaign ranking {done.campaign} --db {_database(target)}"
    outcome = f"{done.n_answers} simulated answers; careless: {', '.join(done.careless) or 'nobody'}"
    return Step("campaign", command, outcome, section)
