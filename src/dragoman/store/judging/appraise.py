"""A campaign as Appraise takes it (`StartNewCampaign manifest.json --batches-json batches.json`)."""

from __future__ import annotations

import json
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa
from langcodes import Language

from dragoman.errors import DataError
from dragoman.human.protocol import LESSON, Item, Task
from dragoman.store import tables
from dragoman.store.judging.campaigns import Campaign
from dragoman.store.judging.state import plan_of
from dragoman.store.judging.zips import zipped

__all__ = ["APPRAISE_PROTOCOLS", "appraise_campaign"]

# What asks there as a protocol does here: type of task, options.
APPRAISE_PROTOCOLS: Mapping[str, tuple[str, str]] = {
    "da": ("Direct", ""),
    "contrastive-da": ("Pairwise", ""),
    "pairwise": ("Pairwise", ""),
    "esa": ("Document", "ESA"),
    "esa-ai": ("Document", "ESA"),
    "mqm": ("Document", "MQM"),
}
_MARKS = {"BAD": "#bad", "CHK": "#dup"}  # behind a document's name, so that a copy does not stand beside its original
_TAKEN = ("TGT", "CHK", "BAD", "REF")
_MOST_OUTPUTS = 2
_A, _T = tables.assignments.c, tables.tasks.c


def appraise_campaign(connection: sa.Connection, campaign: Campaign) -> bytes:
    """A zip archive of `manifest.json` and `batches.json`. Gold and tutorials stay: Appraise has no such items."""
    if campaign.protocol.name not in APPRAISE_PROTOCOLS:
        raise DataError(
            f"Appraise does not ask as {campaign.protocol.name} does; it knows {', '.join(APPRAISE_PROTOCOLS)}."
        )
    tasks = [task for task in plan_of(connection, campaign).values() if task.name != LESSON]
    langs = [_code(tag, side) for tag, side in ((campaign.source_lang, "source"), (campaign.target_lang, "target"))]
    kind, options = APPRAISE_PROTOCOLS[campaign.protocol.name]
    if getattr(campaign.protocol, "level", "") == "document":
        kind = "Document"
    if getattr(campaign.protocol, "labels", "") == "sqm":
        options = "SQM"
    people, times = _people(connection, campaign, len(tasks))
    manifest: dict[str, Any] = {
        "CAMPAIGN_URL": "http://127.0.0.1:8000/dashboard/sso/",
        "CAMPAIGN_NAME": re.sub(r"[^A-Za-z0-9]", "", campaign.name) or "campaign",
        "CAMPAIGN_KEY": campaign.name,
        "CAMPAIGN_NO": 1 + zlib.crc32(campaign.name.encode()) % 250,  # two hexadecimal digits of the accounts' names
        "REDUNDANCY": times,
        "TASKS_TO_ANNOTATORS": [[*langs, "uniform", people, len(tasks)]],
        "TASK_TYPE": kind,
        **({"TASK_OPTIONS": options} if options else {}),
    }
    batches = [_batch(number, task, campaign, kind, langs) for number, task in enumerate(tasks, start=1)]
    files = {"manifest.json": manifest, "batches.json": batches}
    written = {name: json.dumps(value, ensure_ascii=False, indent=2) + "\n" for name, value in files.items()}
    return zipped({name: text.encode() for name, text in written.items()})


def _code(tag: str | None, side: str) -> str:
    """Three letters, as Appraise names languages."""
    if tag is None:
        raise DataError(f"The campaign does not say its {side} language, which Appraise needs; give {side}_lang.")
    return Language.get(tag).to_alpha3()


def _people(connection: sa.Connection, campaign: Campaign, n_tasks: int) -> tuple[int, int]:
    """How many annotators there are, and how many do each task.

    Appraise deals all tasks out equally often and gives everybody equally many: as many people as that allows.
    """
    query = (
        sa.select(_T.name, _A.seat)
        .join(tables.tasks, _T.id == _A.task_id)
        .where(_A.campaign_id == campaign.id, _A.released.is_(None), _T.name != LESSON)
    )
    rows = list(connection.execute(query))
    times = set(Counter(row.name for row in rows).values())
    if len(times) > 1:
        raise DataError("Appraise gives every task to the same number of annotators, which this campaign does not.")
    each = max(times, default=1)
    seats = max(each, len({row.seat for row in rows}))
    return next(people for people in range(seats, 0, -1) if n_tasks * each % people == 0), each


def _batch(number: int, task: Task, campaign: Campaign, kind: str, langs: list[str]) -> dict[str, Any]:
    items = [entry for item in task.items if item.type in _TAKEN for entry in _entries(item, campaign, kind)]
    for place, entry in enumerate(items):
        entry["_item"] = place
    about = {
        "batchNo": number,
        "batchSize": len(items),
        "randomSeed": campaign.seed,
        "requiredAnnotations": 1,
        "sourceLanguage": langs[0],
        "targetLanguage": langs[1],
    }
    return {"items": items, "task": about}


def _entries(item: Item, campaign: Campaign, kind: str) -> Iterator[dict[str, Any]]:
    """An item there is one segment; of a document that is judged whole, its segments and itself."""
    if "segments" not in item.shown:
        yield _entry(item, item.type, item.segment, item.shown, campaign, kind)
        return
    parts = item.shown["segments"]
    types = item.types or (item.type,) * len(parts)
    for offset, (part, own) in enumerate(zip(parts, types, strict=True)):
        yield _entry(item, own, item.segment + offset, part, campaign, kind)
    texts = {name: "\n".join(part[name] for part in parts if name in part) for name in ("source", "reference", "text")}
    shown = {name: text for name, text in texts.items() if text}
    whole = _entry(item, item.type, item.segment + len(parts), shown, campaign, kind)
    yield whole | {"isCompleteDocument": True}


def _entry(
    item: Item, own: str, segment: int, shown: Mapping[str, Any], campaign: Campaign, kind: str
) -> dict[str, Any]:
    beside = shown.get("source", shown.get("reference", shown.get("text", "")))
    entry: dict[str, Any] = {
        "itemID": segment,
        "itemType": own,
        "sourceID": f"{campaign.name}.{'source' if 'source' in shown else 'reference'}",
        "sourceText": beside,
    }
    if kind == "Pairwise":
        outputs = shown["outputs"]
        if len(outputs) > _MOST_OUTPUTS:
            raise DataError(f"Appraise shows {_MOST_OUTPUTS} outputs beside each other, this campaign {len(outputs)}.")
        entry["targets"] = [_target(item, each["place"], each["text"]) for each in outputs]
        context = {"contextLeft": shown.get("before"), "contextRight": shown.get("after")}
    else:
        entry |= _target(item, "text", shown["text"])
        context = {"sourceContextLeft": shown.get("before"), "sourceContextRight": shown.get("after")}
    entry |= {name: "\n".join(lines) for name, lines in context.items() if lines}
    if kind == "Document":
        name = item.doc or f"{campaign.name}-{item.segment}"
        entry |= {"documentID": name + _MARKS.get(item.type, ""), "isCompleteDocument": False}
        if "proposals" in shown:  # Appraise includes the last character
            entry["mqm"] = [
                {"start_i": each["start"], "end_i": each["end"] - 1, "severity": each["severity"]}
                for each in shown["proposals"]
            ]
    return entry


def _target(item: Item, place: str, text: str) -> dict[str, Any]:
    """An output under the name of its system; under all names, where several systems gave the same."""
    system = item.places.get(place, item.system) or "reference"
    return {"targetID": "+".join(item.joint.get(place, (system,))), "targetText": text}
