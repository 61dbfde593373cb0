"""Engines of projects: whether their languages fit, and whether a project's learning copy is older than its engine."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from dragoman.engines.journal import JOURNAL
from dragoman.errors import DataError
from dragoman.store.translating.engines import ServedEngines
from dragoman.store.translating.projects import Project
from dragoman.text.languages import base_language

__all__ = ["MANIFEST", "check_languages", "copy_folder", "engine_remark", "fits", "is_old_copy"]

MANIFEST = "manifest.json"
_BLOCK = 1 << 20  # bytes of a journal that are compared at a time

Pair = tuple[str, str]


def fits(pair: Pair, wanted: Pair) -> bool:
    """Return whether an engine of a pair translates another one; a side that the engine does not name fits all."""
    sides = zip(pair, wanted, strict=True)
    return all(not own or base_language(own) == base_language(asked) for own, asked in sides)


def check_languages(engine: str, wanted: Pair, pairs: Mapping[str, Pair]) -> None:
    """Refuse an engine of other languages than a project's; name those that fit among the engines of `pairs`."""
    if fits(pairs[engine], wanted):
        return
    others = ", ".join(name for name, pair in pairs.items() if fits(pair, wanted)) or "none"
    hint = f" Engines of this server that fit: {others}." if len(pairs) > 1 else ""
    raise DataError(
        f"The engine {engine!r} translates {'-'.join(pairs[engine])}, the project is {'-'.join(wanted)}.{hint}"
    )


def copy_folder(learning: str | Path, project: Project) -> Path:
    """Return the folder of a project's learning copy of its engine."""
    return Path(learning) / f"{project.id}.{project.engine}"


def is_old_copy(engine: str | Path, copy: Path) -> bool:
    """Return whether a copy was made of an earlier engine than the one in the folder now, or of one taught less."""
    origin, copied = Path(engine) / MANIFEST, copy / MANIFEST
    if not (copied.is_file() and origin.is_file()):
        return False
    journals = ((each, copy / each.relative_to(engine)) for each in sorted(Path(engine).rglob(JOURNAL)))
    return copied.read_bytes() != origin.read_bytes() or not all(_goes_on(own, taught) for taught, own in journals)


def _goes_on(journal: Path, earlier: Path) -> bool:
    """Return whether a journal begins with another one, to which pairs are only added."""
    with earlier.open("rb") as first, (journal if journal.is_file() else Path(os.devnull)).open("rb") as second:
        while block := first.read(_BLOCK):
            if second.read(len(block)) != block:
                return False
    return True


def engine_remark(project: Project, served: ServedEngines) -> str | None:
    """Return what is wrong with a project's engine, of other languages or an old copy, and the cure; None if nothing.

    An engine that is not served here is no fault: another server of this database may have it.
    """
    engine = served.engines.get(project.engine or "")
    if engine is None:
        return None
    if not fits((engine.source, engine.target), (project.source_lang, project.target_lang)):
        return (
            f"the engine {project.engine} translates {engine.source}-{engine.target}, but the project {project.name} "
            f"is {project.source_lang}-{project.target_lang}. Choose another engine on the project's page."
        )
    if not served.learning or not project.settings.get("learns", True):
        return None
    if not is_old_copy(engine.folder, copy_folder(served.learning, project)):
        return None
    return (
        f"the project {project.name} translates with a learning copy of an earlier engine {project.engine}; the engine "
        "was trained again or taught more since. Take the new one, taught what was confirmed, on the project's page, "
        f"or with POST /api/v1/cat/projects/{project.id}/engine/renew."
    )
