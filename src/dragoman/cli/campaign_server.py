"""What `dragoman campaign` does to the database of a server: every step that a page or the interface offers."""

from __future__ import annotations

from typing import Any

import click

from dragoman.cli import campaign_results
from dragoman.cli.campaign_users import users
from dragoman.cli.database import db_option, open_store, reading, writing
from dragoman.cli.output import emit, output_options

__all__ = ["COMMANDS"]


@click.command("list")
@db_option
@output_options
def list_campaigns(db: str, form: str, output: str) -> None:
    """List the campaigns of the database.

    \b
      dragoman campaign list
    """
    from dragoman.store.judging.listing import list_campaigns as run

    with reading(db) as connection:
        emit(run(connection), form, output)


@click.command()
@db_option
@output_options
def migrate(db: str, form: str, output: str) -> None:
    """Bring a database that an older Dragoman wrote up to date; keep a copy, for there is no way back.

    \b
      dragoman campaign migrate --db dragoman.db

    `dragoman serve` and every command that changes something do so, too; commands that only read never do.
    """
    from dragoman.store.audit import Act

    emit(Act("up to date", open_store(db).name), form, output)


def _state_command(word: str, state: str, text: str) -> click.Command:
    @click.command(word, help=f"{text}\n\n\b\n  dragoman campaign {word} sample-da")
    @click.argument("name")
    @db_option
    @output_options
    def command(name: str, db: str, form: str, output: str) -> None:
        from dragoman.store.audit import COMMAND_LINE, Act
        from dragoman.store.judging.campaigns import set_state

        with writing(db) as connection:
            set_state(connection, name, state, actor=COMMAND_LINE)
        emit(Act(f"campaign {state}", f"campaign {name}"), form, output)

    return command


@click.command("set")
@click.argument("name")
@click.option("--title", help="What annotators see above their work.")
@click.option("--instructions", metavar="FILE", type=click.Path(), help="Text that annotators can open, from a file.")
@click.option("--lease", "lease_minutes", type=click.IntRange(min=1), help="Minutes that a task may lie untouched.")
@click.option("--code", help="Completion code for everybody; empty: each person gets their own.")
@click.option("--return-url", metavar="URL", help="Where a crowd platform wants people back; {code} is filled in.")
@click.option("--qualified/--not-qualified", default=None, help="Only for people qualified in the target language?")
@click.option(
    "--decisions/--no-decisions", default=None, help="Do decisions take the place of answers, in rankings and exports?"
)
@db_option
@output_options
def change(name: str, instructions: str | None, db: str, form: str, output: str, **changes: Any) -> None:
    """Change what a campaign says to its annotators; the plan is never changed.

    \b
      dragoman campaign set sample-da --title "How good is this translation?"
    """
    from dragoman.files import read_text
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.judging.campaigns import update_campaign

    changes = {key: value for key, value in changes.items() if value is not None}
    if instructions is not None:
        changes["instructions"] = read_text(instructions)
    with writing(db) as connection:
        update_campaign(connection, name, changes, actor=COMMAND_LINE)
    emit(Act("campaign changed", f"campaign {name}", " ".join(sorted(changes))), form, output)


@click.command()
@click.argument("name", required=False)
@click.option(
    "--role",
    type=click.Choice(["admin", "manager", "annotator", "viewer"], case_sensitive=False),
    default="annotator",
    show_default=True,
    help="What who comes will be; annotators come to a campaign.",
)
@click.option(
    "--platform",
    type=click.Choice(["prolific", "mturk", "toloka", "other"], case_sensitive=False),
    help="For a crowd platform: people come without a password, by the platform's parameters.",
)
@click.option("--hours", type=float, default=336, show_default=True, help="How long the link is good.")
@click.option("--max-uses", type=click.IntRange(min=1), help="How many people may come by it.")
@click.option("--max-tasks", type=click.IntRange(min=1), help="Tasks a person may do; 1 for a crowd platform.")
@click.option("--language", "languages", multiple=True, metavar="TAG", help="Qualify who comes in this language.")
@click.option("--url", default="http://127.0.0.1:8000", show_default=True, help="Public address of the server.")
@db_option
@output_options
def invite(name: str | None, url: str, db: str, form: str, output: str, **more: Any) -> None:
    """Make a link by which people join a campaign, or the house.

    \b
      dragoman campaign invite sample-da
      dragoman campaign invite sample-da --platform prolific --url https://judge.example.org
      dragoman campaign invite --role manager
    """
    store = open_store(db)
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.people.invites import make_invite

    with store.write() as connection:
        invitation = make_invite(
            connection, secret=store.secret, address=url.rstrip("/"), actor=COMMAND_LINE, campaign=name, **more
        )
    emit(invitation, form, output)


@click.command()
@click.argument("name", required=False)
@click.option("--withdraw", type=click.IntRange(min=1), metavar="NUMBER", help="Withdraw this invitation.")
@db_option
@output_options
def invites(name: str | None, withdraw: int | None, db: str, form: str, output: str) -> None:
    """List invitations, of a campaign or all, or withdraw one.

    \b
      dragoman campaign invites sample-da
      dragoman campaign invites --withdraw 3
    """
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.people import invites as room

    with (reading if withdraw is None else writing)(db) as connection:
        if withdraw is not None:
            room.revoke(connection, withdraw, actor=COMMAND_LINE)
        emit(room.list_invites(connection, name), form, output)


@click.command()
@click.argument("name")
@click.argument("annotator")
@click.option("--max-tasks", type=click.IntRange(min=1), help="Tasks the person may do.")
@db_option
@output_options
def add(name: str, annotator: str, max_tasks: int | None, db: str, form: str, output: str) -> None:
    """Let an account take part in a campaign.

    \b
      dragoman campaign add sample-da eve
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.judging.membership import add_member

    with writing(db) as connection:
        add_member(connection, name, annotator, actor=COMMAND_LINE, max_tasks=max_tasks)
    emit(Act("member added", f"campaign {name}", annotator), form, output)


@click.command()
@click.argument("name")
@click.option("--add", "added", metavar="USER", multiple=True, help="Let this manager manage it.")
@click.option("--remove", "removed", metavar="USER", multiple=True, help="Let them manage it no longer.")
@db_option
@output_options
def managers(name: str, added: tuple[str, ...], removed: tuple[str, ...], db: str, form: str, output: str) -> None:
    """Say who manages a campaign; it counts on a server that was started with --own-campaigns.

    \b
      dragoman campaign managers sample-da
      dragoman campaign managers sample-da --add max
    """
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.people import managers as room

    with (writing if added or removed else reading)(db) as connection:
        for user in added:
            room.add_manager(connection, name, user, actor=COMMAND_LINE)
        for user in removed:
            room.remove_manager(connection, name, user, actor=COMMAND_LINE)
        emit(room.list_managers(connection, name), form, output)


@click.command()
@click.argument("name")
@click.argument("annotator")
@click.option("--reason", default="", help="Why; stands beside the name on the progress page.")
@click.option("--renew", is_flag=True, help="Deal their tasks again, so that everything keeps its redundancy.")
@click.option("--undo", is_flag=True, help="Take the exclusion back.")
@db_option
@output_options
def exclude(name: str, annotator: str, reason: str, renew: bool, undo: bool, db: str, form: str, output: str) -> None:
    """Leave an annotator's answers out of a campaign. Nothing is deleted.

    \b
      dragoman campaign exclude sample-da mallory --reason "scores degraded copies like the rest" --renew
      dragoman campaign exclude sample-da mallory --undo
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.judging import membership

    with writing(db) as connection:
        if undo:
            membership.include(connection, name, annotator, actor=COMMAND_LINE)
            done = Act("annotator included", f"campaign {name}", annotator)
        else:
            n = membership.exclude(connection, name, annotator, actor=COMMAND_LINE, reason=reason, renew=renew)
            done = Act("annotator excluded", f"campaign {name}", f"{annotator}; {n} tasks dealt again")
    emit(done, form, output)


@click.command()
@click.argument("name")
@click.option("--html", "page", metavar="FILE", help="Also write the analysis as one HTML file.")
@click.option("--seed", type=click.IntRange(min=0), default=1, show_default=True, help="Seed of the resampling.")
@db_option
@output_options
def results(name: str, page: str | None, seed: int, db: str, form: str, output: str) -> None:
    """Say how the systems stand by the judgements so far.

    \b
      dragoman campaign results sample-da
    """
    from dragoman.files import open_writer
    from dragoman.store.judging.results import analyse_campaign

    with reading(db) as connection:
        analysis = analyse_campaign(connection, name, seed=seed)
    if page is not None:
        with open_writer(page) as stream:
            stream.write(analysis.html())
    emit(analysis, form, output)


@click.command()
@click.argument("name", required=False)
@click.option("--user", metavar="NAME", help="What was done to this account instead.")
@click.option("--limit", type=click.IntRange(min=1), default=200, show_default=True, help="How many entries.")
@db_option
@output_options
def audit(name: str | None, user: str | None, limit: int, db: str, form: str, output: str) -> None:
    """Show who did what, newest first, in a campaign, to an account or everywhere.

    \b
      dragoman campaign audit sample-da
      dragoman campaign audit --user ada
    """
    if name is not None and user is not None:
        raise click.UsageError("Name a campaign or --user, not both.")
    from dragoman.store.audit import list_audit
    from dragoman.store.people.accounts import find_user

    with reading(db) as connection:
        subject = None if name is None else f"campaign {name}"
        if user is not None:
            subject = f"user {find_user(connection, user).name}"
        emit(list_audit(connection, limit=limit, subject=subject), form, output)


COMMANDS: list[click.Command] = [
    list_campaigns,
    migrate,
    change,
    invite,
    invites,
    add,
    managers,
    exclude,
    results,
    audit,
    users,
    *campaign_results.COMMANDS,
    _state_command("pause", "paused", "Pause a campaign: answers are refused until it is resumed."),
    _state_command("resume", "open", "Open a paused or closed campaign again."),
    _state_command("close", "closed", "Close a campaign: nobody can join or answer any more."),
]
