"""A campaign and its judgements as Pearmut (version 1.1) takes and keeps them.

`pearmut add` loads the campaign: a task for each person, an output a page. The judgements are the log that Pearmut
would have written of it; put beside the campaign as `data/annotations/NAME.jsonl`, Pearmut's results rest on it.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from dragoman.data.formats.pearmut_campaign import check_campaign_id, own_info
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.pearmut_log import pearmut_spans
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.protocol import LESSON, Item
from dragoman.store import tables
from dragoman.store.judging.campaigns import Campaign, material_of
from dragoman.store.judging.state import plan_of

__all__ = ["PEARMUT_PROTOCOLS", "pearmut_campaign", "pearmut_lines"]

PEARMUT_PROTOCOLS = {"da": "DA", "esa": "ESA", "esa-ai": "ESA", "mqm": "MQM"}

_A = tables.assignments.c
_T = tables.tasks.c
_U = tables.users.c


def pearmut_campaign(connection: sa.Connection, campaign: Campaign) -> str:
    """The campaign as JSON: outputs of systems, each once for everybody who is to judge it."""
    check_campaign_id(campaign.name)
    _, test_set = material_of(connection, campaign)
    work = _work(connection, campaign)
    info: dict[str, Any] = {
        "assignment": "task-based",
        "protocol": PEARMUT_PROTOCOLS[campaign.protocol.name],
        "users": list(work),
        **own_info(test_set),
    }
    if campaign.instructions:
        info["instructions"] = html.escape(campaign.instructions).replace("\n", "<br>")  # Pearmut shows it as HTML
    asked = campaign.protocol.ask()
    if asked.get("categories"):
        info["mqm_categories"] = {each["name"]: list(each["subcategories"]) for each in asked["categories"]}
    if asked.get("severities"):
        info["mqm_severities"] = [str(each["name"]).capitalize() for each in asked["severities"]]
    data = [[[_segment(item, test_set)] for item in own.values()] for own in work.values()]
    whole = {"campaign_id": campaign.name, "info": info, "data": data}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def pearmut_lines(connection: sa.Connection, campaign: Campaign, judgements: Judgements) -> Iterator[str]:
    """The log, in the order of the segments, so that whoever numbers them as they come finds the same numbers.

    Outputs of systems only, each once: Pearmut has no place for repeats, references and degraded copies.
    """
    _, test_set = material_of(connection, campaign)
    work = _work(connection, campaign)
    places = {
        (name, *content): (number, item)
        for name, own in work.items()
        for number, (content, item) in enumerate(own.items())
    }
    groups: dict[tuple[int, str, str], list[Any]] = {}
    for row in judgements.rows():
        if row.get("type") in (None, "TGT"):
            key = (int(row["segment"] or 0), str(row["annotator"]), str(row["system"]))
            groups.setdefault(key, []).append(row)
    for (segment, annotator, system), rows in sorted(groups.items()):
        number, item = places[annotator, system, segment]
        seconds = rows[0].get("seconds")
        times = [] if seconds is None else [("load", 0.0), ("submit", float(seconds))]
        answer = {
            "score": rows[0]["score"],
            "error_spans": pearmut_spans(rows) if "severity" in rows[0] else [],
            "textfield": None,
        }
        line = {
            "annotation": [{system: answer}],
            "actions": [{"time": time, "action": word} for word, time in times],
            "item": [_segment(item, test_set)],
            "user_id": annotator,
            "item_i": number,
        }
        yield json.dumps(line, ensure_ascii=False)


def _work(connection: sa.Connection, campaign: Campaign) -> dict[str, dict[tuple[str, int], Item]]:
    """Who judges which outputs, in order: whoever has a task, or the one for whom it was planned."""
    if campaign.protocol.name not in PEARMUT_PROTOCOLS:
        raise DataError(
            f"Pearmut does not ask as {campaign.protocol.name} does; it knows {', '.join(PEARMUT_PROTOCOLS)}."
        )
    tasks = plan_of(connection, campaign)
    rows = connection.execute(
        sa.select(_T.name.label("task"), _A.seat, _U.name)
        .select_from(tables.assignments)
        .join(tables.tasks, _T.id == _A.task_id)
        .outerjoin(tables.users, _U.id == _A.user_id)
        .where(_A.campaign_id == campaign.id, _A.released.is_(None), _T.name != LESSON)
        .order_by(_A.id)
    )
    work: dict[str, dict[tuple[str, int], Item]] = {}
    for row in rows:
        own = work.setdefault(row.seat if row.name is None else row.name, {})
        for item in tasks[row.task].items:
            if item.type == "TGT":
                if "text" not in item.shown:
                    raise DataError("Pearmut has no scores of whole documents, which this campaign asks for.")
                own.setdefault(item.content, item)
    return {name: own for name, own in work.items() if own}


def _segment(item: Item, test_set: TestSet) -> dict[str, Any]:
    """An output with what is shown beside it, as Pearmut takes it."""
    doc = None if test_set.docs is None else test_set.docs[item.segment - 1]
    values: dict[str, Any] = {"item_id": str(item.segment) if doc is None else f"{doc}/{item.segment}"}
    if doc is not None:
        values["doc_id"] = doc
    for name, ours in (("src", "source"), ("ref", "reference")):
        if isinstance(item.shown.get(ours), str):
            values[name] = item.shown[ours]
    return values | {"tgt": {item.system: item.shown["text"]}}
