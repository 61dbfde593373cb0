"""The estimate of effort of each project, which follows what is confirmed in it, whoever confirms it.

It is made of the store, so that all processes say the same, and a segment that is opened again is forgotten.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from threading import Lock
from typing import Any

from dragoman.cat.effort import MOST_EDITS, EffortEstimator, PostEdit, hters
from dragoman.cat.projection import spoken
from dragoman.cat.projects import codes_of
from dragoman.store.database import Store
from dragoman.store.translating.post_edits import post_edited_revisions, post_edits

__all__ = ["ProjectEfforts"]

_MOST_PROJECTS = 32

_Known = dict[int, tuple[int, PostEdit | None]]  # by segment: its revision, and the edit, if it was one of a machine's


class ProjectEfforts:
    """Estimators by project; those of projects that were not asked for longest are made anew. For any thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[int, _Known] = OrderedDict()
        self._lock = Lock()

    def estimator(self, project: int) -> EffortEstimator:
        """The estimator as of now."""
        with self._lock:
            known = self._known.pop(project, {})
            with self._store.read() as connection:
                revisions = post_edited_revisions(connection, project, most=MOST_EDITS)
                new = [each for each, revision in revisions.items() if known.get(each, (None,))[0] != revision]
                rows = post_edits(connection, new) if new else {}
            edits = _edits(rows)
            known = {
                each: (revision, edits[each]) if each in edits else known[each]
                for each, revision in revisions.items()
                if each in edits or each in known
            }
            self._known[project] = known
            if len(self._known) > _MOST_PROJECTS:
                self._known.popitem(last=False)
        return EffortEstimator(edits=[edit for _, edit in reversed(known.values()) if edit is not None])


def _edits(rows: Mapping[int, Mapping[str, Any]]) -> dict[int, PostEdit | None]:
    """What became of each machine translation; None of a segment that was made from something else."""
    texts: dict[int, tuple[str, str, str]] = {}
    for number, row in rows.items():
        origin, codes = row["origin"] or {}, codes_of(row["codes"])
        if origin.get("kind") == "MT" and isinstance(origin.get("text"), str) and row["target"]:
            source, machine, final = (spoken(each, codes) for each in (row["source"], origin["text"], row["target"]))
            texts[number] = source, machine, final
    scores = hters([machine for _, machine, _ in texts.values()], [final for *_, final in texts.values()])
    edits = {
        number: PostEdit(source, machine, score)
        for (number, (source, machine, _)), (score, _) in zip(texts.items(), scores, strict=True)
    }
    return {number: edits.get(number) for number in rows}
