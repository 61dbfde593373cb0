"""The findings: one HTML site, and every table as Markdown, LaTeX and TSV beside it, with the command that makes it."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_folder, write_lines
from dragoman.report import Column, Fragment, Open, Result, Section, Table, page, public_page
from dragoman.report.render import to_markdown, to_tsv
from dragoman.task.manifest import SharedTask
from dragoman.task.parts import Part
from dragoman.task.running import TaskRun, run_task

__all__ = ["Findings", "write_findings"]

_SCORES = "scores"
_TABLES = "tables"


@dataclass(frozen=True)
class Findings(Result):
    """What was written."""

    kind: ClassVar[str] = "findings"

    task: str
    folder: str
    rows: tuple[tuple[str, str, str, str], ...]  # table, section, title, command
    left_out: tuple[str, ...]

    def tables(self) -> list[Table]:
        """A row for each table of the findings."""
        columns = [Column("table"), Column("section"), Column("title"), Column("command")]
        note = f"Begin with {Path(self.folder) / 'index.html'}"
        if self.left_out:
            note += f". What is not there: {' '.join(self.left_out)}"
        return [Table.of("Findings", columns, self.rows, note=note)]

    def shown_tables(self) -> list[Table]:
        """The tables by name; their commands stand on the site, and are long."""
        whole = self.tables()[0]
        return [replace(whole, columns=whole.columns[:3], rows=tuple(row[:3] for row in whole.rows))]

    def meta(self) -> dict[str, Any]:
        """Where it is, and what could not be made."""
        return {"task": self.task, "folder": self.folder, "left_out": list(self.left_out)}


def write_findings(
    task: SharedTask,
    folder: StrPath,
    *,
    n_threads: int = 1,
    progress: Callable[[str], None] = lambda _: None,
) -> Findings:
    """Run the task and write its findings into a new folder; nothing is left of what cannot be finished.

    `index.html` has every table; `tables/NAME.md`, `.tex` and `.tsv` each by itself, `tables/all.tex` all of them;
    `scores` what the metrics gave; where a result has a page of its own, it lies beside the first one.
    """
    target = Path(folder)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise DataError(f"{target} is there already and not empty; name a new folder for the findings.")
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_folder(target) as temporary:
        run = run_task(task, temporary / _SCORES, n_threads=n_threads, progress=progress)
        run = _moved(run, temporary, target)
        progress("writing tables and pages")
        _write_tables(run, temporary / _TABLES)
        _write_pages(task, run, temporary)
    rows = tuple((part.name, part.section, part.title, part.command) for part in run.parts)
    return Findings(task.name, str(target), rows, run.left_out)


def _moved(run: TaskRun, temporary: Path, target: Path) -> TaskRun:
    """The run with commands that name the folder as it will be called."""
    parts = (replace(part, command=part.command.replace(str(temporary), str(target))) for part in run.parts)
    left_out = (text.replace(str(temporary), str(target)) for text in run.left_out)
    return replace(run, parts=tuple(parts), left_out=tuple(left_out))


def _write_tables(run: TaskRun, folder: Path) -> None:
    folder.mkdir()
    for part in run.parts:
        write_lines(folder / f"{part.name}.tsv", to_tsv(part.table).splitlines())
        command = [f"<!-- {_comment(part.command)} -->", ""] if part.command else []
        write_lines(folder / f"{part.name}.md", [*command, *to_markdown(part.table).splitlines()])
        write_lines(folder / f"{part.name}.tex", _latex(part))
    lines = [r"\documentclass{article}", r"\usepackage{booktabs}", r"\usepackage{graphicx}", r"\begin{document}"]
    for part in run.parts:
        lines += [r"\begin{table}\centering", r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"]
        lines += [*_latex(part), "}", rf"\caption{{{_escaped(f'{part.section}: {part.title}')}}}"]
        lines += [rf"\label{{tab:{part.name}}}", r"\end{table}", r"\clearpage"]
    write_lines(folder / "all.tex", [*lines, r"\end{document}"])


_LETTERS = {"⋆": r"$\star$", "†": r"$\dagger$", "‡": r"$\ddagger$", "±": r"$\pm$", "−": "--", "ρ": r"$\rho$",
            "τ": r"$\tau$", "κ": r"$\kappa$", "–": "--", "≤": r"$\leq$",
            "●": r"$\bullet$", "○": r"$\circ$"}  # fmt: skip


def _latex(part: Part) -> list[str]:
    """The lines of a `tabular`, in letters that every LaTeX has; the command stands above as a comment."""
    text = "".join(_LETTERS.get(character, character) for character in part.layout.latex())
    return [*([f"% {part.command}"] if part.command else []), *text.splitlines()]


def _escaped(text: str) -> str:
    return re.sub(r"([&%$#_{}])", r"\\\1", text)


def _comment(command: str) -> str:
    return command.replace("--", "- -") if "-->" in command else command


def _write_pages(task: SharedTask, run: TaskRun, folder: Path) -> None:
    sections = []
    for heading, parts in groupby(run.parts, key=lambda part: part.section):
        items: list[Any] = []
        for part in parts:
            items += [Open(part.table), *_beside(part, run, folder)]
        sections.append(Section(heading, "", items))
    if run.left_out:
        listed = "".join(f"<li>{html.escape(text)}</li>" for text in run.left_out)
        sections.append(Section("What is not there", "", [Fragment(f"<ul>{listed}</ul>")]))
    write_lines(folder / "index.html", page(task.title, sections).splitlines())


def _beside(part: Part, run: TaskRun, folder: Path) -> Iterator[Fragment]:
    """The command of a table, links to its files, and to the page of its result where there is one."""
    names = [f"{_TABLES}/{part.name}.{suffix}" for suffix in ("tex", "md", "tsv")]
    files = "In this folder: " + " ".join(f'<a href="{name}">{name}</a>' for name in names)
    own = _page_of(part, run, folder)
    link = f' <a href="{own}">The whole of it</a>' if own else ""
    command = f"<details><summary>Command</summary><pre>{html.escape(part.command)}</pre></details>"
    yield Fragment(f'<p class="tools">{files}{link}</p>{command if part.command else ""}')


def _page_of(part: Part, run: TaskRun, folder: Path) -> str:
    """The file of a result's own page; of several tables of one result, the first one's."""
    make = getattr(part.result, "html", None)
    if make is None:
        return ""
    first = next(each for each in run.parts if each.result is part.result)
    file = f"{first.name}.html"
    if not (folder / file).exists():
        text = public_page(make).replace(f"{folder}/", "")  # files of this folder, wherever it is
        write_lines(folder / file, text.splitlines())
    return file
