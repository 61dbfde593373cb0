"""Campaigns in the database: made from a manifest, found, paused, closed. The plan is stored as it was made."""

from __future__ import annotations

import hashlib
import mimetypes
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import read_text
from dragoman.human.manifest import Manifest
from dragoman.human.planning import CampaignPlan, plan
from dragoman.human.protocol import PROTOCOLS, Item, Protocol, Task
from dragoman.store import audit, tables
from dragoman.store.audit import Actor
from dragoman.store.columns import Json, check_row, now
from dragoman.store.judging.dealing import seat_people
from dragoman.store.people.managers import add_maker
from dragoman.store.refusals import Conflict, NotFound

__all__ = [
    "STATES",
    "Campaign",
    "check_campaign_name",
    "create_campaign",
    "find_campaign",
    "item_of_row",
    "material_of",
    "set_state",
    "store_material",
    "update_campaign",
]

STATES = ("open", "paused", "closed")
_LEASE_MINUTES = 24 * 60
_LONGEST_NAME = 80
_AS_THEY_ARE = (str, int, float, bool)
_ROWS = (tuple, list)
_TAKEN = ("new", "restore")  # addresses of pages
_MOST_MEDIA = 50 << 20  # bytes of one file that items play or show


@dataclass(frozen=True)
class Campaign:
    """A campaign as the database has it."""

    id: int
    name: str
    title: str
    instructions: str
    protocol: Protocol
    source_lang: str | None
    target_lang: str | None
    state: str
    lease_minutes: int
    code: str
    return_url: str | None
    qualified: bool
    dynamic: bool
    decisions: bool  # whether decisions take the place of answers
    seed: int

    @classmethod
    def of(cls, row: Any) -> Campaign:
        """The campaign of a row."""
        protocol = _protocol(row.protocol, Json().process_bind_param(row.options, None) or "{}")  # type: ignore[arg-type]
        return cls(
            row.id,
            row.name,
            row.title,
            row.instructions,
            protocol,
            row.source_lang,
            row.target_lang,
            row.state,
            row.lease_minutes,
            row.code,
            row.return_url,
            row.qualified,
            row.dynamic,
            row.decisions,
            row.seed,
        )


@lru_cache(maxsize=64)
def _protocol(name: str, options: str) -> Protocol:
    cls = PROTOCOLS.get(name)
    values = Json().process_result_value(options, None)  # type: ignore[arg-type]
    return cls(**values)


def create_campaign(
    connection: sa.Connection,
    manifest: Manifest,
    *,
    actor: Actor,
    title: str | None = None,
    instructions: str | None = None,
    lease_minutes: int = _LEASE_MINUTES,
    code: str = "",
    return_url: str | None = None,
    qualified: bool = False,
    dynamic: bool = False,
    state: str = "open",
    planned: CampaignPlan | None = None,
) -> CampaignPlan:
    """Plan a campaign and store the plan: tasks, items, and who was meant to get them.

    Planning takes its time; a plan that was `planned` before the transaction is taken as it is.

    Accounts that have the name of a planned annotator get that annotator's tasks for good. All other tasks wait for
    whoever comes by an invitation; with `qualified`, for those who are qualified in the target language. With
    `dynamic` nobody has tasks of their own: everybody gets, one at a time, what tells most by the answers so far.
    """
    check_campaign_name(manifest.name)
    if manifest.seed >= 1 << 63:
        raise DataError(f"The seed {manifest.seed} is too large for a database; take one below 2^63.")
    planned = plan(manifest) if planned is None else planned
    values = {
        "name": manifest.name,
        "title": title or manifest.title or manifest.name,
        "instructions": instructions or manifest.instructions,
        "protocol": manifest.protocol.name,
        "options": _options(manifest.protocol),
        "seed": manifest.seed,
        "source_lang": manifest.test_set.source_lang,
        "target_lang": manifest.test_set.target_lang,
        "state": state,
        "code": code,
        "about": {**planned.to_dict()["meta"], "manifest": Path(manifest.path).name},
        "created": now(),
        "revision": 0,
    }
    _check(lease_minutes=lease_minutes, code=code, return_url=return_url)
    values |= {"lease_minutes": lease_minutes, "return_url": return_url, "qualified": qualified, "dynamic": dynamic}
    check_row(tables.campaigns, values)
    for seat in planned.annotators:
        check_row(tables.assignments, {"seat": seat})
    try:
        with connection.begin_nested():
            key = connection.execute(sa.insert(tables.campaigns).values(**values)).inserted_primary_key
    except sa.exc.IntegrityError:
        raise Conflict(
            f"There is a campaign called {manifest.name!r} already; change the name in the manifest."
        ) from None
    campaign_id = int((key or (0,))[0])
    _store_plan(connection, campaign_id, planned)
    store_material(connection, campaign_id, read_text(manifest.path), manifest.test_set)
    seat_people(connection, campaign_id)
    add_maker(connection, manifest.name, actor)
    audit.record(
        connection,
        actor,
        "campaign created",
        f"campaign {manifest.name}",
        protocol=manifest.protocol.name,
        tasks=len(planned.tasks),
    )
    return planned


def check_campaign_name(name: str) -> None:
    """Refuse a name that no address can hold."""
    if len(name) > _LONGEST_NAME or name.endswith(".json") or name in _TAKEN:
        raise DataError(
            f"{name!r} cannot name a campaign on a server; take up to 80 characters, not .json, new or restore."
        )


def store_material(connection: sa.Connection, campaign_id: int, manifest: str, test_set: TestSet) -> None:
    """Keep what a campaign was planned from."""
    values = {each.name: _plain(getattr(test_set, each.name)) for each in fields(test_set)}
    connection.execute(sa.insert(tables.materials).values(campaign_id=campaign_id, manifest=manifest, test_set=values))


def material_of(connection: sa.Connection, campaign: Campaign) -> tuple[str, TestSet]:
    """The manifest's text and the test set that a campaign was planned from."""
    row = connection.execute(sa.select(tables.materials).where(tables.materials.c.campaign_id == campaign.id)).first()
    if row is None:
        raise DataError(
            f"The campaign {campaign.name!r} was made by an earlier Dragoman, which did not keep its test set."
        )
    return row.manifest, TestSet(**row.test_set)


def _store_plan(connection: sa.Connection, campaign_id: int, planned: CampaignPlan) -> None:
    ids = store_tasks(connection, campaign_id, planned.tasks)
    copies: Counter[str] = Counter()
    rows = []
    for each in planned.assignments:
        copies[each.task.name] += 1
        rows.append(
            {
                "campaign_id": campaign_id,
                "task_id": ids[each.task.name],
                "copy": copies[each.task.name],
                "seat": each.annotator,
            }
        )
    if rows:
        connection.execute(sa.insert(tables.assignments), rows)


def store_tasks(
    connection: sa.Connection, campaign_id: int, made: tuple[Task, ...], *, first: int = 1
) -> dict[str, int]:
    """Store tasks and their items; the tasks' numbers by name."""
    places = [
        {"campaign_id": campaign_id, "name": task.name, "place": place} for place, task in enumerate(made, start=first)
    ]
    if not places:
        return {}
    connection.execute(sa.insert(tables.tasks), places)
    query = sa.select(tables.tasks.c.name, tables.tasks.c.id).where(tables.tasks.c.campaign_id == campaign_id)
    ids = {row.name: row.id for row in connection.execute(query)}
    seen: set[str] = set()
    rows = []
    for task in made:
        for position, item in enumerate(task.items, start=1):
            hidden = {each.name: _plain(getattr(item, each.name)) for each in fields(item) if each.name != "shown"}
            hidden["media"] = {
                name: _store_media(connection, campaign_id, Path(path), seen) for name, path in item.media.items()
            }
            rows.append(
                {
                    "campaign_id": campaign_id,
                    "task_id": ids[task.name],
                    "position": position,
                    "name": item.id,
                    "shown": _plain(item.shown),
                    "hidden": hidden,
                }
            )
    connection.execute(sa.insert(tables.items), rows)
    return ids


def _store_media(connection: sa.Connection, campaign_id: int, path: Path, seen: set[str]) -> str:
    """Keep a file that an item plays; its digest."""
    try:
        size = path.stat().st_size
        content = path.read_bytes() if size <= _MOST_MEDIA else b""
    except OSError:
        raise DataError(f"{path} is not there, but an item plays it.") from None
    if size > _MOST_MEDIA:
        raise DataError(f"{path} has {size:,} bytes; a file of an item may have {_MOST_MEDIA:,}.")
    key = hashlib.sha256(content).hexdigest()
    if key not in seen:
        seen.add(key)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        values = {"campaign_id": campaign_id, "digest": key, "media_type": kind, "content": content}
        connection.execute(sa.insert(tables.media).values(**values))
    return key


def _options(protocol: Protocol) -> dict[str, Any]:
    options = {each.name: _plain(getattr(protocol, each.name)) for each in fields(protocol) if each.init}
    for name in protocol.paths:
        # What the files held is in the plan; where they lay is nobody's business.
        options[name] = Path(options[name]).name if options[name] else options[name]
    return options


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    kind = type(value)  # of an item's many values nearly all are of these; to ask abstract classes takes its time
    if value is None or kind in _AS_THEY_ARE:
        return value
    if kind in _ROWS:
        return [_plain(inner) for inner in value]
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, str) or not isinstance(value, Sequence):
        return value
    return [_plain(inner) for inner in value]


def item_of_row(row: Any) -> Item:
    """The item of a row of `items`."""
    return Item(shown=row.shown, **row.hidden)


_CAMPAIGN = sa.select(tables.campaigns).where(tables.campaigns.c.name == sa.bindparam("called"))


def find_campaign(connection: sa.Connection, name: str) -> Campaign:
    """The campaign of this name."""
    row = connection.execute(_CAMPAIGN, {"called": name}).first()
    if row is None:
        raise NotFound(f"There is no campaign called {name!r}.")
    return Campaign.of(row)


def set_state(connection: sa.Connection, name: str, state: str, *, actor: Actor) -> Campaign:
    """Open, pause or close a campaign. A closed one takes no more answers; it can be opened again."""
    if state not in STATES:
        raise DataError(f"A campaign is {', '.join(STATES[:-1])} or {STATES[-1]}, not {state!r}.")
    campaign = find_campaign(connection, name)
    connection.execute(sa.update(tables.campaigns).where(tables.campaigns.c.id == campaign.id).values(state=state))
    audit.record(connection, actor, f"campaign {state}", f"campaign {name}")
    return find_campaign(connection, name)


def update_campaign(connection: sa.Connection, name: str, changes: Mapping[str, Any], *, actor: Actor) -> Campaign:
    """Change title, instructions, lease_minutes, code, return_url, qualified or decisions; never the plan."""
    changeable = ("title", "instructions", "lease_minutes", "code", "return_url", "qualified", "decisions")
    strange = sorted(set(changes) - set(changeable))
    if strange:
        raise DataError(f"{strange[0]!r} of a campaign cannot be changed. Known: {', '.join(changeable)}.")
    _check(**{key: value for key, value in changes.items() if key in ("lease_minutes", "code", "return_url")})
    campaign = find_campaign(connection, name)
    if changes:
        connection.execute(sa.update(tables.campaigns).where(tables.campaigns.c.id == campaign.id).values(**changes))
        audit.record(connection, actor, "campaign changed", f"campaign {name}", changed=" ".join(sorted(changes)))
        if "decisions" in changes:
            action = "decisions count" if changes["decisions"] else "decisions do not count"
            audit.record(connection, actor, action, f"campaign {name}")
    return find_campaign(connection, name)


def _check(lease_minutes: int = 1, code: str = "", return_url: str | None = None) -> None:
    if not 1 <= lease_minutes <= 60 * 24 * 365:
        raise DataError(f"A task may lie untouched for 1 to 525,600 minutes, not {lease_minutes}.")
    if len(code) > 80:
        raise DataError(f"A completion code has up to 80 characters; this one has {len(code)}.")
    if return_url and not return_url.startswith(("https://", "http://")):
        raise DataError(f"{return_url!r} is no address to send people back to; it begins with https:// or http://.")
