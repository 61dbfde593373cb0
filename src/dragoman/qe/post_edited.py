"""Post-edits of a campaign as data to learn quality from."""

from __future__ import annotations

from dragoman.data.judgements import read_judgements
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.metrics import hter
from dragoman.qe.files import QEData

__all__ = ["read_post_edited"]


def read_post_edited(path: StrPath) -> QEData:
    """Sources, outputs and post-edits from the table that a campaign of post-editing exports.

    Each output is there once. Where several people edited it, the post-edit with the fewest edits is taken: HTER is
    measured against the nearest reference.
    """
    judgements = read_judgements(path, kind="post-editing-effort").latest()
    rows = [
        (str(row["source"]), str(row["output"]), str(row["post_edit"]))
        for row in judgements.rows()
        if row.get("source") is not None and row["output"] is not None and row["post_edit"] is not None
    ]
    if not rows:
        missing = "source" if "source" not in judgements.columns or not any(judgements["source"]) else "post_edit"
        raise DataError(
            f"{path} has no {missing} in any row; to learn from, it needs source, output and post_edit. Export the "
            "campaign again (dragoman campaign export NAME -o post-edits.csv), with a protocol that asks for edits."
        )
    _, outputs, edits = zip(*rows, strict=True)
    nearest: dict[tuple[str, str], tuple[float, str]] = {}
    for (source, output, edit), score in zip(rows, hter(outputs, edits).values, strict=True):
        best = nearest.get((source, output))
        if best is None or score < best[0]:
            nearest[source, output] = (score, edit)
    return QEData.of(
        [source for source, _ in nearest], [output for _, output in nearest], [edit for _, edit in nearest.values()]
    )
