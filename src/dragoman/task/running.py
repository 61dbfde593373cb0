"""From a task and what was submitted to every table of its findings, each by the function behind a single command."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.assemble import assemble
from dragoman.data.comparisons import compare_pairwise, judged_pairs
from dragoman.data.filtering import parse_conditions, select_segments
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import read_lines, write_lines
from dragoman.human.agreement import agree
from dragoman.human.analysing import analyse
from dragoman.human.counting import warn_of_not_counted
from dragoman.metrics import ComparisonRecipe, MetaRecipe, ScoreRecipe, compare, score_test_set
from dragoman.metrics.meta import MetaEvaluation, meta_evaluate_files
from dragoman.metrics.meta.reading import read_score_file
from dragoman.metrics.views import score_views
from dragoman.ranking import DuelRecipe, RankingRecipe, head_to_head, rank
from dragoman.ranking.assessments import assessed_pairs
from dragoman.report import Column, Result, Table
from dragoman.task import layouts
from dragoman.task.layouts import Layout
from dragoman.task.manifest import MANIFEST, SharedTask, TranslationTrack, missing_files
from dragoman.task.names import printed_names, system_names
from dragoman.task.parts import Part, command_line, each_option
from dragoman.task.quality import QualityRun
from dragoman.task.submissions import Submission, SubmissionBox
from dragoman.text.languages import parse_pair

__all__ = ["TaskRun", "run_task"]

_SYSTEM_MEASURES = {"pearson": "Pearson r", "spearman": "Spearman ρ", "kendall": "Kendall τ"}
_RANKED = ("relative-ranking", "direct-assessment")


@dataclass(frozen=True, eq=False)
class TaskRun(Result):
    """Everything that a task gives."""

    kind: ClassVar[str] = "task run"

    task: str
    title: str
    parts: tuple[Part, ...]
    left_out: tuple[str, ...]  # what could not be made, and why

    def tables(self) -> list[Table]:
        """A row for each table of the findings."""
        columns = [Column("table"), Column("section"), Column("title"), Column("rows"), Column("command")]
        rows = [(p.name, p.section, p.title, len(p.table.rows), p.command) for p in self.parts]
        return [Table.of(self.title, columns, rows, note=" ".join(self.left_out))]

    def shown_tables(self) -> list[Table]:
        """The tables themselves."""
        return [replace(part.table, title=f"{part.section}: {part.title}") for part in self.parts]

    def meta(self) -> dict[str, Any]:
        """The task, and what is not there."""
        return {"task": self.task, "left_out": list(self.left_out)}

    def part(self, name: str) -> Part:
        """The table of that name."""
        for each in self.parts:
            if each.name == name:
                return each
        raise DataError(f"The run has no table {name!r}. Known: {', '.join(part.name for part in self.parts)}.")


def run_task(
    task: SharedTask,
    folder: Path,
    *,
    n_threads: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> TaskRun:
    """Score, compare, rank and evaluate everything that counts.

    `folder` is where scores are written that later steps read, and that the commands beside the tables name.
    """
    missing = missing_files(task)
    if missing:
        raise DataError(
            f"{task.name} names files that are not there: {', '.join(missing)}. Put them there, or take them out of "
            f"{MANIFEST}."
        )
    run = _Run(task, folder, n_threads, progress)
    parts = [*run.participants()]
    for track in task.translation_tracks():
        parts += run.printed(track, list(run.translation(track)))
    estimates = QualityRun(task, run.box, run.names, folder, progress)
    for subtask in task.quality_tracks():
        names = printed_names(task, run.names, run.box.counted(subtask.name, "quality"))
        parts += [part.with_printed_names(names) for part in estimates.parts(subtask)]
    return TaskRun(task.name, task.title, tuple(parts), (*run.left_out, *estimates.left_out))


class _Run:
    """A run on its way."""

    def __init__(self, task: SharedTask, folder: Path, n_threads: int, progress: Callable[[str], None]) -> None:
        self.task, self.folder, self.n_threads, self.progress = task, folder, n_threads, progress
        self.box = SubmissionBox(task)
        self.names = system_names(task)
        self.left_out: list[str] = []

    def participants(self) -> Iterator[Part]:
        """Who took part."""
        if self.task.teams:
            submitted = [each for track in self.task.tracks for kind in sorted(track.submitted)
                         for each in self.box.counted(track.name, kind)]  # fmt: skip
            counts = Counter(each.team for each in submitted)
            yield Part("participants", "Participants", "Teams", layouts.participants_table(self.task, counts))

    def translation(self, track: TranslationTrack) -> Iterator[Part]:
        """One test set: automatic scores, then what people said, then which metrics agree with them."""
        self._check_names(track)
        section = f"{track.name} ({track.pair})"
        arguments = [*track.systems, *(self._argument(each) for each in self.box.counted(track.name, "translation"))]
        if arguments:
            yield from self._automatic(track, section, arguments)
        else:
            self.left_out.append(f"{track.name}: no system was submitted.")
        if track.judgements:
            yield from self._human(track, section)
        if arguments and track.judgements:
            yield from self._metrics(track, section)

    def _check_names(self, track: TranslationTrack) -> None:
        """Refuse files by which the findings would tell what an anonymous team calls itself or a system."""
        for path in track.judgements if self.names.letters else ():
            self.names.check(_systems_in(read_judgements([path])), path)
        for path in track.scores if self.names.letters else ():
            scores = read_score_file(path).scores
            self.names.check((name for by in scores.values() for each in by.values() for name in each), path)

    def printed(self, track: TranslationTrack, parts: Sequence[Part]) -> list[Part]:
        """Tables with systems under their printed names; a name for a system that no table has is told."""
        names = printed_names(self.task, self.names, self.box.counted(track.name, "translation"), track.printed)
        shown = {str(cell) for part in parts for row in part.table.rows for cell in row}
        unknown = [name for name in track.printed if name not in shown]
        if unknown:
            self.left_out.append(f"{track.name}: printed names {unknown[0]!r}, which is none of the systems.")
        return [part.with_printed_names(names) for part in parts]

    def _argument(self, each: Submission) -> str:
        return f"{self._name(each)}={each.text}"

    def _name(self, each: Submission) -> str:
        return self.names.of(each)

    def _automatic(self, track: TranslationTrack, section: str, arguments: Sequence[str]) -> Iterator[Part]:
        self.progress(f"{track.name}: scoring {len(arguments)} systems")
        source_lang, target_lang = parse_pair(track.pair)
        test_set = assemble(
            srcs=track.source, refs=track.references, systems=arguments, docs=track.documents, name=track.name,
            source_lang=source_lang, target_lang=target_lang, n_threads=self.n_threads,
        )  # fmt: skip
        files = [*arguments, "-s", track.source, *each_option("-r", track.references)]
        metrics = each_option("-m", track.metrics)
        recipe = ScoreRecipe(metrics=track.metrics, ci=True)
        for condition in ("", *track.views):
            part = select_segments(test_set, parse_conditions([condition] if condition else []))
            sheet = score_test_set(part, recipe, n_threads=self.n_threads)
            where = ["--docs", str(track.documents), "--where", condition] if condition else []
            command = command_line("score", *files, *metrics, "--ci", *where)
            title = f"Automatic scores, {condition}" if condition else "Automatic scores"
            name = f"{track.name}-scores" + (f"-{_file_name(condition)}" if condition else "")
            yield Part(name, section, title, layouts.scores_table(sheet, title), command, sheet)
            if not condition:
                self._write_scores(track, test_set)
        if len(test_set.systems) > 1 and len(test_set) > 1:
            yield from self._significance(track, section, test_set, files)
        if track.is_medical:
            yield self._medical(track, section, test_set, arguments)

    def _write_scores(self, track: TranslationTrack, test_set: TestSet) -> None:
        """The scores that meta-evaluation reads, and that anybody may."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for level, name in (("corpus", "systems"), ("segment", "segments")):
            sheet = score_test_set(test_set, ScoreRecipe(metrics=track.metrics, level=level), n_threads=self.n_threads)  # type: ignore[arg-type]
            write_lines(self._score_file(track, name), sheet.render("tsv", raw=True).splitlines())

    def _score_file(self, track: TranslationTrack, level: str) -> Path:
        return self.folder / f"{track.name}.{level}.tsv"

    def _significance(
        self, track: TranslationTrack, section: str, test_set: TestSet, files: Sequence[str]
    ) -> Iterator[Part]:
        self.progress(f"{track.name}: testing all pairs of systems")
        recipe = ComparisonRecipe(metrics=track.metrics, all_pairs=True, seed=self.task.seed, breakdowns=False)
        comparison = compare(test_set, recipe, n_threads=self.n_threads)
        command = command_line(
            "compare", *files, *each_option("-m", track.metrics), "--all-pairs", "--seed", str(self.task.seed)
        )
        for metric in comparison.metrics:
            title = f"Significance, {metric}"
            layout = layouts.significance_table(comparison, metric, title)
            yield Part(f"{track.name}-significance-{_file_name(metric)}", section, title, layout, command, comparison)

    def _medical(self, track: TranslationTrack, section: str, test_set: TestSet, arguments: Sequence[str]) -> Part:
        self.progress(f"{track.name}: three views of every output")
        references = [read_lines(path.rpartition("=")[2]) for path in track.references]
        lang = parse_pair(track.pair)[1]
        systems = {name: list(lines) for name, lines in test_set.systems.items()}
        views = score_views(systems, references, lang=lang, seed=self.task.seed, n_threads=self.n_threads)
        command = command_line(
            "metric",
            "views",
            *arguments,
            *each_option("-r", track.references),
            "--lang",
            lang,
            "--seed",
            str(self.task.seed),
        )
        layout = layouts.views_table(views, "As it is, with punctuation alike, without case")
        return Part(f"{track.name}-medical", section, "Medical views", layout, command, views)

    def _human(self, track: TranslationTrack, section: str) -> Iterator[Part]:
        """What people said: how much, how far they agree, who is better."""
        self.progress(f"{track.name}: ranking by people")
        judgements = read_judgements(track.judgements)
        if judgements.kind not in _RANKED:
            result = analyse(judgements)
            command = command_line("campaign", "analyse", *track.judgements)
            shown = next((public for table in result.tables() if (public := table.public()) is not None), None)
            if shown is None:
                self.left_out.append(f"{track.name}: what people said is known of single people alone.")
            else:
                yield Part(f"{track.name}-people", section, "What people said", Layout(shown), command, result)
            return
        asked = track.pair if _names_pairs(judgements) else None
        pair = ["--pair", track.pair] if asked else []
        if judgements.kind == "relative-ranking":
            comparisons = compare_pairwise(judgements, pair=asked)
            matrix = head_to_head(comparisons, DuelRecipe(style=track.style))  # type: ignore[arg-type]
            duels = command_line("rankings", "head-to-head", *track.judgements, *pair, "--style", track.style)
            layout = layouts.judgement_table(comparisons, track.pair)
            yield Part(f"{track.name}-judgements", section, "Amount of data", layout, duels, matrix)
        yield from self._agreement(track, section, judgements)
        warn_of_not_counted(judgements)
        recipe = RankingRecipe(method=track.ranking, clusters=True, seed=self.task.seed)
        ranking = rank(judgements, recipe, pair=asked, n_threads=self.n_threads)
        options = [*(["--method", track.ranking] if track.ranking else []), "--clusters", "--seed", str(self.task.seed)]
        command = command_line("rank", *track.judgements, *pair, *options)
        layout = layouts.ranking_table(ranking, track.style)
        yield Part(f"{track.name}-ranking", section, "Official results", layout, command, ranking)
        if judgements.kind == "relative-ranking":
            yield Part(f"{track.name}-head-to-head", section, "Head to head", Layout(matrix.tables()[1]), duels, matrix)

    def _agreement(self, track: TranslationTrack, section: str, judgements: Judgements) -> Iterator[Part]:
        try:
            agreement = agree(judgements)
        except DataError as error:  # nobody judged anything twice
            self.left_out.append(f"{track.name}: no agreement of annotators. {error}")
            return
        command = command_line("agree", *track.judgements)
        layout = layouts.agreement_table(agreement, track.pair)
        yield Part(f"{track.name}-agreement", section, "Agreement", layout, command, agreement)

    def _metrics(self, track: TranslationTrack, section: str) -> Iterator[Part]:
        """Which metrics, ours and submitted ones, agree with people."""
        self.progress(f"{track.name}: metrics against people")
        given: dict[str, list[str]] = {"sys": [], "seg": []}
        for path in (*track.scores, *(self._renamed(track, each) for each in self.box.counted(track.name, "metrics"))):
            given[read_score_file(path).level].append(path)
        pair = track.pair if _names_pairs(read_judgements(track.judgements)) else None
        for level, name, measures in (("sys", "systems", _SYSTEM_MEASURES), ("seg", "segments", None)):
            files = [str(self._score_file(track, name)), *given[level]]
            recipe = MetaRecipe(level=level, variant=track.variant if level == "seg" else None)  # type: ignore[arg-type]
            try:
                result = meta_evaluate_files(files, track.judgements, recipe, pair=pair, n_threads=self.n_threads)
            except DataError as error:  # judgements of whole systems, or of other systems
                self.left_out.append(f"{track.name}: metrics are not held against people ({level}). {error}")
                continue
            if not isinstance(result, MetaEvaluation):
                self.left_out.append(f"{track.name}: the judgements are of several language pairs.")
                continue
            shown = measures or {result.by: f"{result.by} ({track.variant})"}
            command = command_line(
                "meta", *files, *each_option("--human", track.judgements), *(["--pair", pair] if pair else []),
                "--level", level, *(["--variant", track.variant] if level == "seg" else []),
            )  # fmt: skip
            title = f"Metrics against people, {name}"
            layout = layouts.meta_table(result, shown, title)
            yield Part(f"{track.name}-metrics-{name}", section, title, layout, command, result)

    def _renamed(self, track: TranslationTrack, each: Submission) -> str:
        """A submitted metric's scores under the team's name, whatever its file calls it."""
        file = read_score_file(f"metric={each.path}")
        target = self.folder / f"{track.name}.{self._name(each)}.tsv"
        target.parent.mkdir(parents=True, exist_ok=True)
        rows = ["metric\tsystem\tscore" if file.level == "sys" else "metric\tsystem\tsegment\tscore"]
        for scores in file.scores.values():
            for systems in scores.values():
                for own, entry in systems.items():
                    system = self.names.hidden(own)
                    if file.level == "sys":
                        rows.append(f"{self._name(each)}\t{system}\t{entry!r}")
                    else:
                        rows += [f"{self._name(each)}\t{system}\t{n}\t{value!r}"
                                 for n, value in enumerate(entry, start=1) if value is not None]  # type: ignore[arg-type] # fmt: skip
        write_lines(target, rows)
        return str(target)


def _systems_in(judgements: Judgements) -> set[str]:
    columns = [name for name in judgements.columns if re.fullmatch(r"system\d*", name)]
    return {str(system) for name in columns for system in judgements[name] if system is not None}


def _names_pairs(judgements: Judgements) -> bool:
    """Whether judgements say of which language pair they are."""
    spoken = assessed_pairs if judgements.kind == "direct-assessment" else judged_pairs
    return judgements.kind in _RANKED and any(spoken(judgements))


def _file_name(text: str) -> str:
    return "".join(character if character.isalnum() else "-" for character in text).strip("-").lower()
