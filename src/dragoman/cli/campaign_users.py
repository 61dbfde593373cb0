"""`dragoman campaign users`: the accounts of a server."""

from __future__ import annotations

import sys

import click

from dragoman.cli.database import db_option, open_store, reading, writing
from dragoman.cli.output import emit, output_options

__all__ = ["users"]


def _password(from_stdin: bool) -> str:
    """A password that was typed twice, or a line of standard input; never an argument, which others can see."""
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True))


_stdin_option = click.option(
    "--password-stdin", "from_stdin", is_flag=True, help="Read the password from a line of stdin."
)


@click.group()
def users() -> None:
    """Manage the accounts of a server."""


@users.command("list")
@db_option
@output_options
def list_users(db: str, form: str, output: str) -> None:
    """List the accounts.

    \b
      dragoman campaign users list
    """
    from dragoman.store.people.accounts import list_users as run

    with reading(db) as connection:
        emit(run(connection), form, output)


@users.command()
@click.argument("name")
@db_option
@output_options
def show(name: str, db: str, form: str, output: str) -> None:
    """Show one account and the campaigns that it takes part in.

    \b
      dragoman campaign users show ada
    """
    from dragoman.store.people.accounts import find_account

    with reading(db) as connection:
        emit(find_account(connection, name), form, output)


@users.command()
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["admin", "manager", "annotator", "viewer"], case_sensitive=False),
    default="annotator",
    show_default=True,
    help="What the person may do.",
)
@click.option("--language", "languages", multiple=True, metavar="TAG", help="A language the person may judge in.")
@_stdin_option
@db_option
@output_options
def add(name: str, role: str, languages: tuple[str, ...], from_stdin: bool, db: str, form: str, output: str) -> None:
    """Make an account; asks for its password.

    \b
      dragoman campaign users add root --role admin
    """
    store = open_store(db, make=True)
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.accounts import add_user
    from dragoman.store.people.passwords import hash_password

    password = hash_password(_password(from_stdin))
    with store.write() as connection:
        add_user(connection, name, role, password, actor=COMMAND_LINE, languages=languages)
    emit(Act("user added", f"user {name}", role), form, output)


@users.command()
@click.argument("name")
@_stdin_option
@db_option
@output_options
def password(name: str, from_stdin: bool, db: str, form: str, output: str) -> None:
    """Give an account a new password; its sessions and tokens end.

    \b
      dragoman campaign users password ada
    """
    store = open_store(db)
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.accounts import set_password
    from dragoman.store.people.passwords import hash_password

    secret = hash_password(_password(from_stdin))
    with store.write() as connection:
        set_password(connection, name, secret, actor=COMMAND_LINE)
    emit(Act("password changed", f"user {name}"), form, output)


@users.command()
@click.argument("name")
@click.argument("role", type=click.Choice(["admin", "manager", "annotator", "viewer"], case_sensitive=False))
@db_option
@output_options
def role(name: str, role: str, db: str, form: str, output: str) -> None:
    """Give an account another role.

    \b
      dragoman campaign users role ada manager
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.accounts import set_role

    with writing(db) as connection:
        set_role(connection, name, role, actor=COMMAND_LINE)
    emit(Act("role changed", f"user {name}", role), form, output)


@users.command()
@click.argument("name")
@click.argument("tags", nargs=-1, metavar="[TAG]...")
@db_option
@output_options
def languages(name: str, tags: tuple[str, ...], db: str, form: str, output: str) -> None:
    """Say in which languages somebody may judge: these and no others.

    \b
      dragoman campaign users languages ada de en
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.accounts import grant_languages

    with writing(db) as connection:
        granted = grant_languages(connection, name, tags, actor=COMMAND_LINE)
    emit(Act("languages granted", f"user {name}", " ".join(granted)), form, output)


@users.command()
@click.argument("name")
@click.argument("given", nargs=-1, type=click.Choice(["translate", "score", "quality"]), metavar="[SERVICE]...")
@click.option("--none", "nothing", is_flag=True, help="Give the account none.")
@db_option
@output_options
def services(name: str, given: tuple[str, ...], nothing: bool, db: str, form: str, output: str) -> None:
    """Give an account services of the server; without any, those of its role.

    Services are translate (engines), score (the scoring pages) and quality (estimators).

    \b
      dragoman campaign users services ada translate score
    """
    if given and nothing:
        raise click.UsageError("Name services, or say --none.")
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.services import give_services

    chosen = list(given) if given or nothing else None
    with writing(db) as connection:
        have = give_services(connection, name, chosen, actor=COMMAND_LINE)
    told = "those of the role" if have is None else " ".join(have) or "none"
    emit(Act("services given", f"user {name}", told), form, output)


@users.command()
@click.argument("name")
@click.option("--undo", is_flag=True, help="Open it again.")
@db_option
@output_options
def disable(name: str, undo: bool, db: str, form: str, output: str) -> None:
    """Close an account; what the person said stays.

    \b
      dragoman campaign users disable ada
    """
    from dragoman.store.audit import COMMAND_LINE, Act
    from dragoman.store.people.accounts import set_disabled

    with writing(db) as connection:
        set_disabled(connection, name, not undo, actor=COMMAND_LINE)
    emit(Act("user enabled" if undo else "user disabled", f"user {name}"), form, output)
