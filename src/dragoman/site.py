"""The whole evaluation as one HTML site: a page for each thing that was asked, and one that leads to them."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

from dragoman.analysis import analyse_post_editing, read_post_edits
from dragoman.data import read_test_set
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_folder, write_lines
from dragoman.human import analyse
from dragoman.metrics import ComparisonRecipe, GivenScores, compare
from dragoman.ranking import RankingRecipe, rank_pairs
from dragoman.report import Column, Fragment, Result, Section, Table, page
from dragoman.text.layers import read_layers

__all__ = ["Page", "Site", "write_site"]

_RANKED = ("relative-ranking", "direct-assessment")  # kinds of judgement that rank systems


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
        links = "".join(
            f'<li><a href="{each.file}">{html.escape(each.title)}</a>: {html.escape(each.outcome)}</li>'
            for each in site.pages
        )
        site.write("index.html", page(title, [Section("What is here", "", (Fragment(f"<ul>{links}</ul>"),))]))
    return Site(str(target), tuple(site.pages))


class _Writer:
    """Pages on their way into a folder."""

    def __init__(self, folder: Path, progress: Callable[[str], None]) -> None:
        self.folder = folder
        self.progress = progress
        self.pages: list[Page] = []

    def write(self, file: str, text: str) -> None:
        write_lines(self.folder / file, text.splitlines())

    def add(self, file: str, title: str, outcome: str, text: str) -> None:
        self.write(file, text)
        self.pages.append(Page(file, title, outcome))

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
        self.add("comparison.html", "Systems compared by metrics", outcome, comparison.html())

    def people(self, path: StrPath, suffix: str, seed: int, n_threads: int) -> None:
        """What a file of judgements says."""
        self.progress(f"reading {path}")
        judgements: Judgements = read_judgements(path)
        name = f" ({Path(path).name})" if suffix else ""
        kind = judgements.kind
        if kind in _RANKED:
            self.progress("ranking systems")
            method = "da-z" if kind == "direct-assessment" else "expected-wins"
            rankings = rank_pairs(
                judgements, RankingRecipe(method=method, clusters=True, seed=seed), n_threads=n_threads
            )
            n = sum(len(each.rows) for each in rankings.rankings)
            self.add(
                f"ranking{suffix}.html", f"Systems ranked by people{name}", f"{n} systems, {method}", rankings.html()
            )
        self.progress("analysing judgements")
        outcome = f"{len(judgements)} judgements of the kind {kind}"
        self.add(f"people{suffix}.html", f"Annotators and what they said{name}", outcome, analyse(judgements).html())

    def edits(self, path: StrPath, suffix: str, n_threads: int) -> None:
        """What post-editors did."""
        self.progress("studying post-edits")
        study = analyse_post_editing(read_post_edits(path), n_threads=n_threads)
        name = f" ({Path(path).name})" if suffix else ""
        outcome = f"{len(study.data)} segments, {study.profile.edited:.0%} of the words edited"
        self.add(f"post-editing{suffix}.html", f"Post-editing{name}", outcome, study.html())
