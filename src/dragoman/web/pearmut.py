"""Judgements as Pearmut keeps annotations: an object a line, somebody's answers for a segment by system."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa

from dragoman.data.judgements import Judgements
from dragoman.data.judgements.esa import spans_json
from dragoman.errors import DataError
from dragoman.web.campaigns import Campaign, material_of

__all__ = ["pearmut_lines"]


def pearmut_lines(connection: sa.Connection, campaign: Campaign, judgements: Judgements) -> Iterator[str]:
    """The lines, in the order of the segments, so that whoever numbers them as they come finds the same numbers.

    Outputs of systems only, each once: Pearmut has no place for repeats, references and degraded copies.
    """
    _, test_set = material_of(connection, campaign)
    if test_set.srcs is None:
        raise DataError("Pearmut shows the source; this campaign has none.")
    told: dict[tuple[int, str], dict[str, list[Any]]] = {}
    for row in judgements.rows():
        if row.get("type") in (None, "TGT") and row["system"] in test_set.systems:
            own = told.setdefault((int(row["segment"] or 0), str(row["annotator"])), {})
            own.setdefault(str(row["system"]), []).append(row)
    for (segment, annotator), by_system in sorted(told.items()):
        outputs = {system: test_set.systems[system][segment - 1] for system in by_system}
        said = {
            system: {"score": rows[0]["score"], "error_spans": spans_json(rows) if "severity" in rows[0] else []}
            for system, rows in by_system.items()
        }
        doc = test_set.docs[segment - 1] if test_set.docs is not None else campaign.name
        shown = {"src": test_set.srcs[segment - 1], "tgt": outputs, "item_id": f"{doc}/{segment}"}
        line = {
            "campaign_id": campaign.name, "user_id": annotator, "item_i": f"{doc}/{segment}", "item": [shown],
            "annotation": [said],
        }  # fmt: skip
        yield json.dumps(line, ensure_ascii=False)
