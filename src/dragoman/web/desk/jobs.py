"""The work of the desk: files in a folder of their own, one public function of a room, tables and figures back."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from dragoman.errors import DataError, DoubtfulInput, MendedInput
from dragoman.report import Figure, Result, Section, Sentence, Table, joined, page

__all__ = ["FORMS", "SLOTS", "Job", "Shown", "Slot", "Upload", "check_upload", "run_job"]

# Download forms and their media types. HTML is the whole report, the others are the main table.
FORMS = {
    "json": "application/json",
    "tsv": "text/tab-separated-values; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "latex": "application/x-tex; charset=utf-8",
    "markdown": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}

_MOST_ROWS = 200  # of a table on a page; the downloads have all
_MOST_FILES = 50  # of a slot
_NAME = re.compile(r"[^\x00-\x1f\x7f/\\=:]{1,100}")
_PACKED = (b"\x1f\x8b", b"\xfd7zXZ\x00", b"\x28\xb5\x2f\xfd", b"PK\x03\x04", b"BZh")


@dataclass(frozen=True)
class Slot:
    """A kind of file that a task takes: at least and at most how many."""

    name: str
    least: int = 1
    most: int = _MOST_FILES


SLOTS: dict[str, tuple[Slot, ...]] = {
    "score": (Slot("systems"), Slot("refs"), Slot("src", 0, 1), Slot("docs", 0, 1)),
    "compare": (Slot("systems", 2), Slot("refs"), Slot("src", 0, 1), Slot("docs", 0, 1)),
    "ranking": (Slot("judgements"),),
    "meta": (Slot("scores"), Slot("human")),
}


@dataclass(frozen=True)
class Upload:
    """A file as it came: its name and content."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Job:
    """What shall be done with which files; `form` asks for the text of a download, `raw` for formulas as they are."""

    task: str
    files: Mapping[str, Sequence[Upload]]
    options: Mapping[str, Any]
    form: str | None = None
    raw: bool = False


@dataclass(frozen=True)
class Shown:
    """What a page shows of a result, or the text of a download."""

    content: dict[str, Any] = field(default_factory=dict)  # kind, rows, meta
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    text: str | None = None


def check_upload(upload: Upload) -> None:
    """Refuse names that are no names, packed files and empty ones."""
    name = upload.name
    if not _NAME.fullmatch(name) or name.strip(". ") == "" or name in ("-", "~"):
        message = "{name} cannot name a file; leave out slashes, colons, equals signs, control characters."
        raise DataError(Sentence(message, name=repr(name[:60])))
    if upload.content.startswith(_PACKED):
        raise DataError(Sentence("{name} is packed; unpack it and send the text.", name=name))
    if not upload.content.strip():
        raise DataError(Sentence("{name} is empty.", name=name))


def check_job(job: Job) -> None:
    """Refuse a job with too few or too many files, or two of one name."""
    for slot in SLOTS[job.task]:
        files = job.files.get(slot.name, ())
        if len(files) < slot.least:
            raise DataError(_too_few(slot, len(files)))
        if len(files) > slot.most:
            message = "{slot}: {n} files are too many; the desk takes {most}."
            raise DataError(Sentence(message, slot=slot.name, n=len(files), most=slot.most))
        names = [upload.name for upload in files]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            message = "{slot}: two files are called {name}; give them different names."
            raise DataError(Sentence(message, slot=slot.name, name=repr(twice[0])))
        for upload in files:
            check_upload(upload)


def _too_few(slot: Slot, n: int) -> Sentence:
    if slot.least == 1:
        return Sentence("{slot}: bring a file at least; there are 0.", slot=slot.name)
    if n == 1:
        return Sentence("{slot}: bring {least} files at least; there is 1.", slot=slot.name, least=slot.least)
    return Sentence("{slot}: bring {least} files at least; there are {n}.", slot=slot.name, least=slot.least, n=n)


def run_job(job: Job) -> Shown:
    """Do the work in the present folder, which must be empty and nobody else's."""
    check_job(job)
    paths: dict[str, list[str]] = {}
    for slot, uploads in job.files.items():
        folder = Path(slot)
        folder.mkdir()
        for upload in uploads:
            (folder / upload.name).write_bytes(upload.content)
        paths[slot] = [f"{slot}/{upload.name}" for upload in uploads]
    with warnings.catch_warnings(record=True) as told:  # this process does one job
        warnings.simplefilter("always")
        result = _TASKS[job.task](paths, dict(job.options))
    content = result.to_dict()
    doubts = [str(each.message) for each in told if issubclass(each.category, (DoubtfulInput, MendedInput))]
    if doubts:
        content["meta"] = {**content["meta"], "warnings": doubts}
    if job.form == "json":
        return Shown(text=json.dumps(content, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    if job.form is not None:
        return Shown(text=_download(result, job))
    return Shown(content, tuple(map(_cut, result.tables())), tuple(result.figures()))


def _download(result: Any, job: Job) -> str:
    if job.form != "html":
        return str(result.render(job.form or "json", raw=job.raw))
    own = getattr(result, "html", None)
    title = result.tables()[0].title
    return str(own()) if own is not None else page(title, [Section.of(title, result)])


def _cut(table: Table) -> Table:
    """The table as it fits on a page."""
    if len(table.rows) <= _MOST_ROWS:
        return table
    cut = Sentence(
        "The first {shown:,} of {rows:,} rows; the downloads have all.", shown=_MOST_ROWS, rows=len(table.rows)
    )
    return replace(table, rows=table.rows[:_MOST_ROWS], note=joined([cut, table.note]))


def _test_set(paths: Mapping[str, list[str]]) -> Any:
    from dragoman.data import assemble

    one = {slot: next(iter(paths.get(slot, [])), None) for slot in ("src", "docs")}
    return assemble(srcs=one["src"], refs=paths["refs"], systems=paths["systems"], docs=one["docs"])


def _score(paths: Mapping[str, list[str]], options: dict[str, Any]) -> Result:
    from dragoman.metrics import ScoreRecipe, score_test_set

    return score_test_set(_test_set(paths), ScoreRecipe(**options))


def _compare(paths: Mapping[str, list[str]], options: dict[str, Any]) -> Result:
    from dragoman.metrics.compare import ComparisonRecipe, compare

    return compare(_test_set(paths), ComparisonRecipe(**options))


def _ranking(paths: Mapping[str, list[str]], options: dict[str, Any]) -> Result:
    from dragoman.data.judgements import read_judgements
    from dragoman.human.counting import warn_of_not_counted
    from dragoman.ranking import RankingRecipe, rank, rank_pairs

    judgements = read_judgements(paths["judgements"])
    warn_of_not_counted(judgements)
    pair = options.pop("pair")
    recipe = RankingRecipe(**options)
    if pair is not None:
        return rank(judgements, recipe, pair=pair)
    several = rank_pairs(judgements, recipe)
    return several.rankings[0] if len(several.rankings) == 1 else several


def _meta(paths: Mapping[str, list[str]], options: dict[str, Any]) -> Result:
    from dragoman.human.counting import warn_of_not_counted_in
    from dragoman.metrics.meta import MetaRecipe, meta_evaluate_files

    warn_of_not_counted_in(paths["human"])
    pair = options.pop("pair")
    return meta_evaluate_files(paths["scores"], paths["human"], MetaRecipe(**options), pair=pair)


_TASKS: dict[str, Callable[[Mapping[str, list[str]], dict[str, Any]], Result]] = {
    "score": _score,
    "compare": _compare,
    "ranking": _ranking,
    "meta": _meta,
}
