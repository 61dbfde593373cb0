"""The whole evaluation as one HTML site: a page for each thing that was asked, and one that leads to them."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dragoman.analysis import PostEditing, analyse_post_editing, read_post_edits
from dragoman.data import read_test_set
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_folder, write_lines
from dragoman.human import analyse
from dragoman.human.counting import not_counted
from dragoman.human.quality import leave_out
from dragoman.metrics import ComparisonRecipe, GivenScores, compare
from dragoman.ranking import Ranking, RankingRecipe, rank_pairs
from dragoman.report import Column, Figure, Fragment, Result, Section, Table, page, public_page
from dragoman.report.sentence import isolated
from dragoman.text.layers import read_layers

__all__ = ["Page", "Site", "write_site"]

_RANKED = ("relative-ranking", "direct-assessment")  # kinds of judgement that rank systems
_MOST_FIGURES = 2  # of a page that stand on the first page


@dataclass(frozen=True)
class Page:
    """A page of the site and what it says in a line."""

    file: str
    title: str
    outcome: str


@dataclass(frozen=True)
class Site(Result):
    """What was written."""

    kind: ClassVar[str] = "site"

    folder: str
    pages: tuple[Page, ...]

    def tables(self) -> list[Table]:
        """A row a page."""
        columns = [Column("page"), Column("title"), Column("outcome")]
        rows = [(each.file, each.title, each.outcome) for each in self.pages]
        return [Table.of("Pages", columns, rows, note=f"Begin with {Path(self.folder) / 'index.html'}")]


def write_site(
    folder: StrPath,
    *,
    title: str = "Evaluation",
    test_set: StrPath | None = None,
    metrics: Sequence[str] = ("bleu", "chrf"),
    scores: Sequence[GivenScores] = (),
    layers: Sequence[str] = (),
    judgements: Sequence[StrPath] = (),
    post_edits: Sequence[StrPath] = (),
    seed: int = 1,
    n_threads: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Site:
    """Write a site into a new folder; nothing is left of one that cannot be finished.

    `test_set` with systems and references gives the comparison of all pairs of systems by `metrics` and by the given
    `scores`, whose `layers` name annotators (`pos=hanta:lang=en`); each file of `judgements` a ranking with clusters
    where its kind ranks systems, and its analysis: agreement, quality control, scores; each table of `post_edits` the
    study of what editors did.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise DataError(f"{target} is there already and not empty; name a new folder for the site.")
    if test_set is None and not judgements and not post_edits:
        raise DataError("There is nothing to report: give a test set, judgements or post-edits.")
    with atomic_folder(target) as temporary:
        site = _Writer(temporary, progress)
        if test_set is not None:
            recipe = ComparisonRecipe(metrics=tuple(metrics), all_pairs=True, seed=seed)
            site.compare(test_set, recipe, layers, scores, n_threads)
        for number, path in enumerate(judgements, start=1):
            site.people(path, "" if len(judgements) == 1 else f"-{number}", seed, n_threads)
        for number, path in enumerate(post_edits, start=1):
            site.edits(path, "" if len(post_edits) == 1 else f"-{number}", n_threads)
        site.write("index.html", public_page(lambda: page(title, site.sections)))
    return Site(str(target), tuple(site.pages))


class _Writer:
    """Pages on their way into a folder: anybody may read them, so none names an annotator or editor."""

    def __init__(self, folder: Path, progress: Callable[[str], None]) -> None:
        self.folder = folder
        self.progress = progress
        self.pages: list[Page] = []
        self.sections: list[Section] = []  # of the first page

    def write(self, file: str, text: str) -> None:
        write_lines(self.folder / file, text.splitlines())

    def add(self, made: Page, text: str, findings: Sequence[str], figures: Sequence[Figure] = ()) -> None:
        """A page, and its part of the first page: what it found, in words and figures, and a link to the rest."""
        self.write(made.file, text)
        self.pages.append(made)
        told = "".join(f"<li>{html.escape(finding)}</li>" for finding in findings)
        link = f'<p><a class="button" href="{made.file}">{html.escape(made.title)}: all of it</a></p>'
        lead = Fragment(f'<ul class="findings">{told}</ul>')
        self.sections.append(Section(made.title, f"{made.outcome}.", (lead, *figures, Fragment(link))))

    def compare(
        self,
        path: StrPath,
        recipe: ComparisonRecipe,
        layers: Sequence[str],
        scores: Sequence[GivenScores],
        n_threads: int,
    ) -> None:
        """The comparison of all pairs of systems."""
        self.progress("comparing systems")
        test_set = read_test_set(path)
        if len(test_set.systems) < 2 or not test_set.refs:
            raise DataError(f"{path} needs two systems and a reference to be compared.")
        annotators = read_layers(layers, source_lang=test_set.source_lang, target_lang=test_set.target_lang)
        comparison = compare(replace(test_set, layers=annotators), recipe, scores=scores, n_threads=n_threads)
        outcome = f"{len(test_set.systems)} systems, {len(test_set)} segments"
        made = Page("comparison.html", "Systems compared by metrics", outcome)
        self.add(made, comparison.html(), comparison.findings(), comparison.score_figures())

    def people(self, path: StrPath, suffix: str, seed: int, n_threads: int) -> None:
        """What a file of judgements says."""
        self.progress(f"reading {path}")
        judgements: Judgements = read_judgements(path)
        name = f" ({Path(path).name})" if suffix else ""
        kind = judgements.kind
        out = not_counted(judgements)
        counted = leave_out(judgements, out) if out else judgements
        if kind in _RANKED and len(counted):
            self.progress("ranking systems")
            method = "da-z" if kind == "direct-assessment" else "expected-wins"
            rankings = rank_pairs(counted, RankingRecipe(method=method, clusters=True, seed=seed), n_threads=n_threads)
            n = sum(len(each.rows) for each in rankings.rankings)
            made = Page(f"ranking{suffix}.html", f"Systems ranked by people{name}", f"{n} systems, {method}")
            findings = [sentence for each in rankings.rankings for sentence in _ranking_findings(each)]
            if out:
                n_out = len(judgements) - len(counted)
                findings.append(f"Not counted: judgements {n_out:,}, people {len(out)}, by quality control.")
            self.add(made, public_page(rankings.html), findings, rankings.figures()[:_MOST_FIGURES])
        self.progress("analysing judgements")
        n_judged = len(looks(judgements) if kind == ERROR_SPANS.kind else judgements)
        outcome = f"{n_judged} judgements of the kind {kind}"
        analysis = analyse(judgements)
        made = Page(f"people{suffix}.html", f"Annotators and what they said{name}", outcome)
        self.add(made, public_page(analysis.html), _annotator_findings(analysis))

    def edits(self, path: StrPath, suffix: str, n_threads: int) -> None:
        """What post-editors did."""
        self.progress("studying post-edits")
        study = analyse_post_editing(read_post_edits(path), n_threads=n_threads)
        name = f" ({Path(path).name})" if suffix else ""
        outcome = f"{len(study.data)} segments, {study.profile.edited:.0%} of the words edited"
        made = Page(f"post-editing{suffix}.html", f"Post-editing{name}", outcome)
        self.add(made, public_page(study.html), _post_editing_findings(study), study.figures()[:_MOST_FIGURES])


def _ranking_findings(ranking: Ranking) -> list[str]:
    """Who is first, and who is tied with whom."""
    groups = [" and ".join(map(isolated, group)) for group in ranking.partition()]
    tied = sum(len(group) > 1 for group in ranking.partition())
    pair = f"{ranking.pair}: " if ranking.pair else ""
    order = "; then ".join(groups)
    return [f"{pair}Best first, people prefer {order}." + (" Systems in one group are tied." if tied else "")]


def _annotator_findings(analysis: Any) -> list[str]:
    """How far annotators agree, and whom quality control doubts, where the analysis tells."""
    tables: dict[str, Table] = {table.title: table for table in analysis.tables()}
    told = []
    for row in tables["Agreement"].records() if "Agreement" in tables else []:
        if "kind" not in row:
            continue  # of conditions, not of people
        among = "among annotators" if row["kind"] == "inter" else "of annotators with themselves"
        if isinstance(row["value"], float):
            told.append(f"Agreement {among}: {row['statistic']} = {row['value']:.2f} ({row['reading']}).")
    if "Reliability of annotators" in tables:
        rows = tables["Reliability of annotators"].records()
        doubted = sum(row["verdict"] == "at chance" for row in rows)
        told.append(_doubted(doubted, len(rows), ("agrees", "agree"), "with the others no more than by chance"))
    elif "Annotators" in tables and "kept" in {column.name for column in tables["Annotators"].columns}:
        rows = tables["Annotators"].records()
        told.append(_doubted(sum(not row["kept"] for row in rows), len(rows), ("fails", "fail"), "quality control"))
    return told


def _doubted(n_doubted: int, n: int, verb: tuple[str, str], why: str) -> str:
    return f"Of {n} annotators, {n_doubted or 'none'} {verb[n_doubted > 1]} {why}."


def _post_editing_findings(study: PostEditing) -> list[str]:
    """How much was edited."""
    return [f"Post-editors edited {study.profile.edited:.0%} of the words in {len(study.data):,} segments."]
