"""`dragoman cat new|list|import|export|assign|report|log`: translation projects in the database of a server."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from dragoman.cli.cat_opening import check_engine, opened
from dragoman.cli.database import db_option, open_store, reading, writing
from dragoman.cli.output import LanguagePair, emit, form_options, output_options

if TYPE_CHECKING:
    from dragoman.cat.reading import ReadFile

__all__ = ["COMMANDS"]


def _content(path: Path) -> bytes:
    """A file's bytes; one that is not there is named."""
    from dragoman.errors import DataError

    if not path.is_file():
        raise DataError(f"There is no file {path}; name one that is to be translated.")
    return path.read_bytes()


def _read(files: Sequence[str], langs: tuple[str, str]) -> list[tuple[ReadFile, bytes]]:
    """Files to translate with their bytes, read before the transaction for which those who work at a server wait."""
    from dragoman.cat.reading import read_file
    from dragoman.text.languages import parse_language

    normal = str(parse_language(langs[0])), str(parse_language(langs[1]))
    contents = [(path.name, _content(path)) for path in map(Path, files)]
    return [(read_file(name, content, normal), content) for name, content in contents]


@click.command("list")
@db_option
@output_options
def list_projects(db: str, form: str, output: str) -> None:
    """List the translation projects of the database.

    \b
      dragoman cat list
    """
    from dragoman.store.translating.projects import list_projects as run

    with reading(db) as connection:
        emit(run(connection), form, output)


@click.command()
@click.argument("name")
@click.argument("files", nargs=-1, type=click.Path())
@click.option(
    "-l",
    "--pair",
    "--langs",
    "langs",
    metavar="SRC-TGT",
    required=True,
    type=LanguagePair(),
    help="Source and target language, such as de-en.",
)
@click.option(
    "--engine",
    metavar="NAME[=FOLDER]",
    help="Engine of the server (serve --engine NAME=FOLDER); of the project's languages.",
)
@click.option("--memory", "memories", metavar="NAME", multiple=True, help="Memory to look into; may be repeated.")
@db_option
@form_options
def new(
    name: str, files: tuple[str, ...], langs: str, engine: str | None, memories: tuple[str, ...], db: str, form: str
) -> None:
    """Make a translation project from files, cut into segments.

    \b
      dragoman cat new letters letter.docx site.html -l de-en
      dragoman cat new letters letter.docx -l de-en --engine de-en --memory office

    The project is in the database that `dragoman serve` serves, and gets a memory of its own for what is confirmed.
    Either all files come in, or nothing is made. An engine of other languages is refused: by what it says of itself if
    its folder is named (`--engine de-en=models/de-en`), else by what the database's server served last.
    """
    from dragoman.cat.projects import add_file, new_project
    from dragoman.cat.reports import report_of
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.text.languages import parse_pair

    chosen = [{"name": each, "penalty": 0, "writes": False} for each in memories]
    store = open_store(db, make=True)
    pair = parse_pair(langs)
    with store.read() as connection:
        engine = check_engine(connection, engine, pair)
    contents = _read(files, pair)
    with store.write() as connection:
        project = new_project(connection, name, *pair, actor=COMMAND_LINE, engine=engine, memories=chosen)
        for file, content in contents:
            add_file(connection, project, file, content, actor=COMMAND_LINE)
        report = report_of(connection, project)
    store.close()
    emit(report, form, "-")


@click.command("import")
@click.argument("project")
@click.argument("files", nargs=-1, required=True, type=click.Path())
@db_option
@form_options
def import_files(project: str, files: tuple[str, ...], db: str, form: str) -> None:
    """Put files into a project, behind those that are there: all of them, or none.

    \b
      dragoman cat import letters second.docx
    """
    from dragoman.cat.projects import add_file
    from dragoman.cat.reports import report_of
    from dragoman.store.audit import COMMAND_LINE

    store = open_store(db)
    with store.read() as connection:
        found = opened(connection, project)
    contents = _read(files, (found.source_lang, found.target_lang))
    with store.write() as connection:
        for file, content in contents:
            add_file(connection, found, file, content, actor=COMMAND_LINE)
        report = report_of(connection, found)
    emit(report, form, "-")


@click.command()
@click.argument("project")
@click.option("-o", "--output", "folder", required=True, metavar="FOLDER", help="Where to write the files.")
@click.option(
    "--least",
    type=click.Choice(["draft", "translated", "approved"], case_sensitive=False),
    default="draft",
    show_default=True,
    help="Units of which a part is less far stay untranslated.",
)
@click.option("--refuse-unconfirmed", is_flag=True, help="Write no file with a segment that is not confirmed.")
@db_option
@form_options
def export(
    project: str,
    folder: str,
    least: Literal["draft", "translated", "approved"],
    refuse_unconfirmed: bool,
    db: str,
    form: str,
) -> None:
    """Write the files of a project with their translations; everything else in them is as it was.

    \b
      dragoman cat export letters -o translated
      dragoman cat export letters -o approved --least approved

    The table says how many segments of which state were written; drafts and rejected ones among them are warned of. A
    file that cannot be written is named with its segments, and the command ends with 1; the others are written.
    """
    from dragoman.cat import exporting
    from dragoman.cat.projects import export_file
    from dragoman.errors import DataError
    from dragoman.files import atomic_path
    from dragoman.store.translating.segments import list_files

    with reading(db) as connection:
        found = opened(connection, project)
        files = list_files(connection, found.id)
        contents: dict[int, tuple[str, bytes]] = {}
        states: dict[int, dict[str, int]] = {}
        refused: list[DataError] = []
        recoded: list[str] = []
        for row in files.files:
            try:
                states[row[0]] = exporting.written_states(connection, row[0], least=least)
                if refuse_unconfirmed:
                    exporting.refuse_unconfirmed(row[1], states[row[0]])
                contents[row[0]] = export_file(connection, found, row[0], least=least)
                recoded.append(exporting.new_encoding(connection, found.id, row[0], contents[row[0]][1]))
            except DataError as error:
                refused.append(error)
    there = [name for name, _ in contents.values() if (Path(folder) / name).exists()]
    if there:
        raise DataError(f"{Path(folder) / there[0]} is there already; name another folder.")
    Path(folder).mkdir(parents=True, exist_ok=True)
    for name, content in contents.values():
        with atomic_path(Path(folder) / name) as path:
            path.write_bytes(content)
    rows = [(str(Path(folder) / name), states[file]) for file, (name, _) in contents.items()]
    written = exporting.Export(tuple(rows))
    for doubt in filter(None, [written.doubt, *recoded]):
        click.echo(f"dragoman: beware: {doubt}", err=True)
    emit(written, form, "-")
    if refused:
        told = "\n".join(map(str, refused))
        raise DataError(f"{len(refused)} of {len(files.files)} files were not written.\n{told}")


@click.command()
@click.argument("project")
@click.argument("users", nargs=-1, required=True)
@click.option(
    "--role",
    type=click.Choice(["translator", "reviewer"], case_sensitive=False),
    default="translator",
    show_default=True,
    help="What they do with them.",
)
@click.option("--first", type=click.IntRange(min=1), default=1, show_default=True, help="First segment.")
@click.option("--last", type=click.IntRange(min=1), help="Last segment; by default that of the project.")
@db_option
@form_options
def assign(project: str, users: tuple[str, ...], role: str, first: int, last: int | None, db: str, form: str) -> None:
    """Give segments to people, who share them evenly.

    \b
      dragoman cat assign letters ada ben
      dragoman cat assign letters chloe --role reviewer
    """
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.translating import jobs, segments

    with writing(db) as connection:
        found = opened(connection, project)
        end = last or sum(n for _, n, _ in segments.progress_of(connection, found.id).states)
        for name, low, high in jobs.spread(end - first + 1, users):
            places = {"first": first + low - 1, "last": first + high - 1}
            jobs.add_job(connection, found.id, name, role=role, actor=COMMAND_LINE, **places)
        listed = jobs.list_jobs(connection, found.id)
    emit(listed, form, "-")


@click.command()
@click.argument("project")
@db_option
@output_options
def report(project: str, db: str, form: str, output: str) -> None:
    """Tell how far a project is, who works on it, what reviewers found, and what the work cost.

    \b
      dragoman cat report letters
    """
    from dragoman.cat.reports import report_of

    with reading(db) as connection:
        emit(report_of(connection, opened(connection, project)), form, output)


@click.command()
@click.argument("project")
@click.option("--matecat", is_flag=True, help="Write MateCat's table, separated by semicolons.")
@click.option("--events", is_flag=True, help="Write all events instead, an object a line (JSONL).")
@click.option("--tables", metavar="FOLDER", help="Write keystrokes and segments there, in the style of the TPR-DB.")
@click.option("--anonymous", is_flag=True, help="With --events or --tables: people are T1, T2, …")
@db_option
@output_options
def log(
    project: str, matecat: bool, events: bool, tables: str | None, anonymous: bool, db: str, form: str, output: str
) -> None:
    """Tell what each segment cost: time, keys, edits, which suggestion it was made from; slowest first.

    \b
      dragoman cat log letters
      dragoman cat log letters --matecat -o letters.csv
      dragoman cat log letters --events --anonymous -o letters.jsonl
    """
    from dragoman.cat.process_tables import tpr_tables
    from dragoman.cat.replay import anonymised, jsonl
    from dragoman.cat.reports import edit_log_of
    from dragoman.files import open_writer
    from dragoman.store.translating.history import read_log
    from dragoman.store.translating.segments import list_segments

    with reading(db) as connection:
        found = opened(connection, project)
        edited = edit_log_of(connection, found.id)
        logged = read_log(connection, found.id)
        _, rows = list_segments(connection, found.id, limit=10**9)
    logged = anonymised(logged) if anonymous else logged
    if tables is not None:
        Path(tables).mkdir(parents=True, exist_ok=True)
        for name, table in tpr_tables(logged, rows).items():
            (Path(tables) / f"project.{name}").write_text(table, encoding="utf-8", newline="")
    if not (events or matecat):
        emit(edited, form, output)
        return
    with open_writer(output) as stream:
        stream.writelines(jsonl(logged) if events else [edited.csv()])


COMMANDS = (list_projects, new, import_files, export, assign, report, log)
