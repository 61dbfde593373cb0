"""Everything that managers do by pages or the interface is a command, too; or it is said why not."""

from __future__ import annotations

import re
from pathlib import Path

import click
from fastapi import FastAPI

from dragoman.cli.campaign import campaign
from dragoman.web.app import routes_of
from dragoman.web.guard import policy_of

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "campaign-server.md"
POLICIES = ("viewer", "manager", "admin", "account see", "account grant", "account keep", "account rule")

# Route of the interface → command, or why there is none (a sentence). The guide has the table for people.
COMMANDS = {
    "GET /campaigns": "list",
    "POST /campaigns": "new",
    "GET /campaigns/{name}": "status",
    "PATCH /campaigns/{name}": "set",
    "PUT /campaigns/{name}/state": "pause, resume, close",
    "GET /campaigns/{name}/invites": "invites",
    "POST /campaigns/{name}/invites": "invite",
    "DELETE /invites/{number}": "invites --withdraw",
    "GET /campaigns/{name}/managers": "managers",
    "PUT /campaigns/{name}/managers/{user}": "managers --add",
    "DELETE /campaigns/{name}/managers/{user}": "managers --remove",
    "POST /campaigns/{name}/members": "add",
    "PUT /campaigns/{name}/members/{user}/exclusion": "exclude",
    "DELETE /campaigns/{name}/members/{user}/exclusion": "exclude --undo",
    "GET /campaigns/{name}/payments": "payments",
    "GET /campaigns/{name}/judgements": "judgements",
    "GET /campaigns/{name}/analysis": "results",
    "GET /campaigns/{name}/quality": "quality",
    "GET /campaigns/{name}/standing": "standing",
    "GET /campaigns/{name}/adjudications": "decisions",
    "POST /campaigns/{name}/adjudications": "decide",
    "GET /campaigns/{name}/audit": "audit",
    "GET /campaigns/{name}/ranking": "ranking",
    "GET /campaigns/{name}/agreement": "agreement",
    "GET /campaigns/{name}/answers": "answers",
    "GET /campaigns/{name}/answers/{item}": "answers --item",
    "GET /campaigns/{name}/recordings/{media}": "export",
    "GET /campaigns/{name}/disputes": "disputes",
    "GET /campaigns/{name}/export": "forms",
    "GET /campaigns/{name}/export/{form}": "export",
    "POST /restore": "restore",
    "GET /campaigns/{name}/publication": "publish --show",
    "PUT /campaigns/{name}/publication": "publish",
    "DELETE /campaigns/{name}/publication": "publish --withdraw",
    "GET /users": "users list",
    "POST /users": "users add",
    "GET /users/{user}": "users show",
    "GET /users/{user}/audit": "audit --user",
    "PUT /users/{user}/role": "users role",
    "PUT /users/{user}/password": "users password",
    "PUT /users/{user}/languages": "users languages",
    "PUT /users/{user}/services": "users services",
    "PUT /users/{user}/disabled": "users disable",
    "DELETE /users/{user}/disabled": "users disable --undo",
    "GET /invites": "invites",
    "POST /invites": "invite --role",
    "GET /audit": "audit",
}
# What forms of pages send → the route of the interface that does the same, or why there is none.
PAGES = {
    "POST /campaigns": "POST /campaigns",
    "POST /campaigns/restore": "POST /restore",
    "POST /campaigns/{name}/state": "PUT /campaigns/{name}/state",
    "POST /campaigns/{name}/invites": "POST /campaigns/{name}/invites",
    "POST /campaigns/{name}/invites/{number}/withdraw": "DELETE /invites/{number}",
    "POST /campaigns/{name}/members": "POST /campaigns/{name}/members",
    "POST /campaigns/{name}/members/{user}/exclude": "PUT /campaigns/{name}/members/{user}/exclusion",
    "POST /campaigns/{name}/members/{user}/include": "DELETE /campaigns/{name}/members/{user}/exclusion",
    "POST /campaigns/{name}/decisions": "PATCH /campaigns/{name}",
    "POST /people": "POST /users",
    "POST /people/invites": "POST /invites",
    "POST /people/invites/{number}/withdraw": "DELETE /invites/{number}",
    "POST /people/{user}/role": "PUT /users/{user}/role",
    "POST /people/{user}/password": "PUT /users/{user}/password",
    "POST /people/{user}/languages": "PUT /users/{user}/languages",
    "POST /people/{user}/services": "PUT /users/{user}/services",
    "POST /people/{user}/close": "PUT /users/{user}/disabled",
    "POST /people/{user}/open": "DELETE /users/{user}/disabled",
    "POST /campaigns/{name}/publish": "PUT /campaigns/{name}/publication",
    "POST /campaigns/{name}/withdraw": "DELETE /campaigns/{name}/publication",
    "POST /campaigns/{name}/answers/{item}/decide": "POST /campaigns/{name}/adjudications",
}


def routes(app: FastAPI, *, interface: bool) -> list[str]:
    """What the roles that manage may do, as METHOD PATH."""
    found = []
    for route in routes_of(app):
        policy = policy_of(route)
        if policy is None or policy.name not in POLICIES or route.path.startswith(("/cat/", "/api/v1/cat/")):
            continue  # the workbench has commands of its own: dragoman cat
        if route.path.startswith("/api/v1") == interface:
            found += [f"{method} {route.path.removeprefix('/api/v1')}" for method in sorted(route.methods)]
    return found


def command_of(words: str) -> click.Command:
    """The command of these words, which may end with an option."""
    found: click.Command = campaign
    for word in words.split():
        if word.startswith("--"):
            assert any(word in each.opts for each in found.params), f"{words}: no option {word}"
            return found
        assert isinstance(found, click.Group), words
        assert word in found.commands, f"there is no command {words!r}"
        found = found.commands[word]
    return found


def test_every_route_of_managers_is_a_command(light_app: FastAPI) -> None:
    known = set(routes(light_app, interface=True))
    assert known == set(COMMANDS)
    for words in COMMANDS.values():
        for each in words.split(", "):
            command = command_of(each)
            assert any("json" in str(option.opts) for option in command.params), f"{each} has no --json"


def test_every_form_of_managers_pages_is_a_route(light_app: FastAPI) -> None:
    changing = {each for each in routes(light_app, interface=False) if not each.startswith("GET")}
    assert changing == set(PAGES)
    assert set(PAGES.values()) <= set(COMMANDS)


def test_the_guide_has_the_table() -> None:
    table = GUIDE.read_text()
    for route, words in COMMANDS.items():
        cells = f"`{route}` | `{words}`"
        assert cells in re.sub(r"`, `", ", ", table), f"the guide lacks | {cells} |"
