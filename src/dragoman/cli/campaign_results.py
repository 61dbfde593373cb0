"""What came of a campaign in the database: answers, differences, decisions, ranking, exports, archives, publishing."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli import campaign_lists
from dragoman.cli.campaign_simulate import shares_of
from dragoman.cli.database import db_option, open_store, reading, writing
from dragoman.cli.output import emit, output_options

__all__ = ["COMMANDS"]


@click.command()
@click.argument("name")
@click.option(
    "--to",
    "kind",
    metavar="FORMAT",
    help="csv, tsv, jsonl, parquet, wmt, wmt-pairs, appraise, appraise-campaign, appraise-xml, pearmut, "
    "pearmut-campaign, mqm, mtme or archive; told by the file's name if not given.",
)
@click.option("--with-excluded", "excluded", is_flag=True, help="With the answers of excluded annotators.")
@click.option("--raw", is_flag=True, help="In csv and tsv, no quote before cells that spreadsheets take for formulas.")
@click.option("-o", "--output", metavar="FILE", required=True, help="Write the judgements there.")
@db_option
@click.option("--json", "form", flag_value="json", help="Print one JSON object: kind, rows, meta.")
@click.option(
    "--form",
    type=click.Choice(["text", "tsv", "json"], case_sensitive=False),
    default="text",
    show_default=True,
    help="Output form.",
)
def export(name: str, kind: str | None, excluded: bool, raw: bool, output: str, db: str, form: str) -> None:
    """Write the judgements of a campaign into a file, or the whole campaign into an archive.

    \b
      dragoman campaign export sample-da -o judgements.csv
      dragoman campaign export sample-da --to appraise -o sample-da.csv
      dragoman campaign export sample-da --to archive -o sample-da.archive.zip
    """
    from pathlib import Path

    from dragoman.files import atomic_path
    from dragoman.store.audit import Act
    from dragoman.store.judging.exports import export_campaign

    chosen = kind or ("archive" if output.endswith(".zip") else Path(output).suffix.lstrip("."))
    with reading(db) as connection:
        sheet = export_campaign(connection, name, chosen, excluded=excluded, raw=raw)
    with atomic_path(output) as path:
        path.write_bytes(sheet.content)
    emit(Act("exported", f"campaign {name}", f"{output}, {len(sheet.content):,} bytes"), form, "-")


@click.command()
@click.argument("archive", metavar="FILE", type=click.Path())
@click.option("--name", help="Restore it by this name instead of its own.")
@click.option(
    "--person",
    "accounts",
    metavar="ARCHIVED=ACCOUNT",
    multiple=True,
    help="Whose account here is that of a person in the archive; once for each.",
)
@db_option
@output_options
def restore(archive: str, name: str | None, accounts: tuple[str, ...], db: str, form: str, output: str) -> None:
    """Bring a campaign back from an archive, with all its answers. If it was open, it is paused.

    \b
      dragoman campaign restore sample-da.archive.zip --name sample-da-again
      dragoman campaign restore sample-da.archive.zip --person ada=ada

    Everybody in the archive gets a new account without a password, ada-archived if somebody here is called ada:
    a name proves nothing. --person says who is the same.
    """
    people = {}
    for word in accounts:
        old, equals, new = word.partition("=")
        if not (old and equals and new):
            raise click.BadParameter(f"{word!r} is not ARCHIVED=ACCOUNT.", param_hint="--person")
        people[old] = new
    from dragoman.files import read_bytes

    content = read_bytes(archive)
    store = open_store(db, make=True)
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.judging.restoring import restore_archive

    emit(restore_archive(store, content, actor=COMMAND_LINE, name=name, people=people), form, output)


@click.command()
@click.argument("name")
@click.option(
    "--by",
    type=click.Choice(["judge", "pair"], case_sensitive=False),
    help="A line for each annotator, or for every two.",
)
@db_option
@output_options
def agreement(name: str, by: str | None, db: str, form: str, output: str) -> None:
    """Say how far the annotators of a campaign agree.

    \b
      dragoman campaign agreement sample-da
    """
    from dragoman.store.judging.ranking import campaign_agreement

    with reading(db) as connection:
        emit(campaign_agreement(connection, name, by=by), form, output)


@click.command()
@click.argument("name")
@click.option("--annotator", default="", help="Only answers of this person.")
@click.option("--system", default="", help="Only answers about this system.")
@click.option("--type", "kind", default="", help="Only items of this type: TGT, BAD, CHK, REF, GOLD, TUT.")
@click.option("--segment", type=click.IntRange(min=1), help="Only this segment.")
@click.option("--offset", type=click.IntRange(min=0), default=0, show_default=True, help="How many to pass over.")
@click.option("--limit", type=click.IntRange(1, 500), default=50, show_default=True, help="How many to show.")
@click.option("--item", help="One item instead, with all revisions and decisions.")
@db_option
@output_options
def answers(name: str, item: str | None, db: str, form: str, output: str, **more: Any) -> None:
    """Look through the answers, the newest first, also those that do not count.

    \b
      dragoman campaign answers sample-da --annotator ada --type BAD
      dragoman campaign answers sample-da --item 5f0c2a91
    """
    from dragoman.store.judging.browsing import browse_answers, item_history

    with reading(db) as connection:
        page = item_history(connection, name, item) if item else browse_answers(connection, name, **more)
        emit(page, form, output)


@click.command()
@click.argument("name")
@click.option("--limit", type=click.IntRange(min=1), default=20, show_default=True, help="How many items.")
@db_option
@output_options
def disputes(name: str, limit: int, db: str, form: str, output: str) -> None:
    """List the items on which annotators differ most.

    \b
      dragoman campaign disputes sample-da
    """
    from dragoman.store.judging.browsing import disputed_items

    with reading(db) as connection:
        emit(disputed_items(connection, name, limit=limit), form, output)


@click.command()
@click.argument("name")
@click.argument("item")
@click.option("--answer", required=True, metavar="JSON", help="The answer that shall hold, as annotators give it.")
@click.option("--by", required=True, metavar="USER", help="The account that decides: a manager's or an admin's.")
@click.option("--note", default="", help="Why.")
@db_option
@output_options
def decide(name: str, item: str, answer: str, by: str, note: str, db: str, form: str, output: str) -> None:
    """Decide an item on which annotators differ. Their answers stay; `campaign set NAME --decisions` says what counts.

    \b
      dragoman campaign decide sample-da 5f0c2a91 --answer '{"score": 70}' --by root
    """
    import json

    from dragoman.errors import DataError

    try:
        decision = json.loads(answer)
    except (ValueError, RecursionError):
        decision = None
    if not isinstance(decision, dict):
        raise click.BadParameter("a decision is a JSON object, like an answer.", param_hint="--answer")
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.judging.deciding import adjudicate
    from dragoman.store.people.accounts import find_user
    from dragoman.store.signing import new_token

    with writing(db) as connection:
        user = find_user(connection, by)
        if user.role not in ("admin", "manager"):
            raise DataError(f"{by} is {user.role}; managers and admins decide.")
        adjudicate(connection, name, item, decision, user=user, key=new_token(), note=note, actor=COMMAND_LINE)
    emit(Act("adjudicated", f"campaign {name}", item), form, output)


@click.command()
@click.argument("name")
@click.option("--withdraw", "undo", is_flag=True, help="Take the page away.")
@click.option("--show", is_flag=True, help="Only say whether, and where, it is published.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Public address of the server.")
@db_option
@output_options
def publish(name: str, undo: bool, show: bool, url: str, db: str, form: str, output: str) -> None:
    """Publish the ranking: everybody who has the link can see it, without names of people.

    \b
      dragoman campaign publish sample-da
      dragoman campaign publish sample-da --withdraw
    """
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.judging import publishing

    address = url.rstrip("/")
    with (reading if show and not undo else writing)(db) as connection:
        if show or undo:
            if undo:
                publishing.withdraw(connection, name, actor=COMMAND_LINE)
            publication = publishing.find_publication(connection, name, address=address)
        else:
            publication = publishing.publish(connection, name, address=address, actor=COMMAND_LINE)
    emit(publication, form, output)


@click.command()
@click.argument("manifest", type=click.Path())
@click.option(
    "--care",
    "cares",
    metavar="NAME=SHARE",
    multiple=True,
    required=True,
    help="An invented judge and the share of answers given with care, 0 to 1; once for each.",
)
@click.option("--db", default="rehearsal.db", show_default=True, metavar="FILE", help="New SQLite file for it.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of what they answer.")
@output_options
def rehearse(manifest: str, cares: tuple[str, ...], db: str, seed: int, form: str, output: str) -> None:
    """Let invented judges fill a campaign through a server of its own: to see all pages before people come.

    \b
      dragoman campaign rehearse campaign.toml --care ada=1 --care ben=0.9 --care eve=0
      dragoman serve --db rehearsal.db

    Nothing of it is a judgement of anything, and every page that rests on it says so.
    """
    care = shares_of(cares)
    try:
        from dragoman.web.rehearsal import rehearse as run
    except ModuleNotFoundError as error:
        from dragoman.errors import NotAvailable

        raise NotAvailable.package("A rehearsal", package=str(error.name), extra="web") from None
    emit(run(manifest, db, care, seed=seed), form, output)


COMMANDS: list[click.Command] = [
    rehearse,
    export,
    restore,
    agreement,
    answers,
    disputes,
    decide,
    publish,
    *campaign_lists.COMMANDS,
]
