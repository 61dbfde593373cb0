"""What must be said of some sentences, or features, beside the numbers."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["empty_note", "listed", "read_note"]

_MOST = 10  # names or numbers in a note


def listed(names: Sequence[object], most: int = _MOST) -> str:
    """Names with commas between them; of more than `most`, how many are left unsaid."""
    if len(names) <= most + 1:  # to leave out a single one saves nothing
        return ", ".join(map(str, names))
    return f"{', '.join(map(str, names[:most]))} and {len(names) - most} more"


def read_note(numbers: Sequence[int]) -> str:
    """What to say of sentences whose post-edits the model's resources have read; nothing where there are none."""
    if not numbers:
        return ""
    return f"The model has read post-edits of the sources of {listed(numbers)}: what it says of them means nothing."


def empty_note(numbers: Sequence[int]) -> str:
    """What to say of sentences that were not translated at all; nothing where there are none."""
    if not numbers:
        return ""
    return f"There is no translation of {listed(numbers)}: the score is the worst there is."
