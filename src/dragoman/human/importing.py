"""Campaigns of Appraise as campaigns of ours: its manifest and batches become a manifest that runs here."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from dragoman.data.formats.batches import is_lesson, read_batch_tasks, shows_itself
from dragoman.data.formats.collected import loaded
from dragoman.data.judgements.files import language_of
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, read_text
from dragoman.human.batches import proposed
from dragoman.human.manifest import read_manifest
from dragoman.human.planning import CampaignPlan, plan

__all__ = ["import_campaign"]

_NEEDED = {"CAMPAIGN_NAME": str, "CAMPAIGN_NO": int, "REDUNDANCY": int, "TASKS_TO_ANNOTATORS": list}
_TYPES = ("Direct", "Document", "Pairwise", "PairwiseDocument")
_MANIFEST, _BATCHES = "manifest.toml", "batches.json"


def import_campaign(manifest: StrPath, batches: StrPath, folder: StrPath, *, seed: int = 1) -> CampaignPlan:
    """Make a folder with a campaign that judges Appraise's tasks as they are: its items, controls and lessons.

    Annotators have the names of Appraise's accounts. The folder gets `manifest.toml`, for `campaign new`, and batches.
    """
    about = _manifest(manifest)
    target = Path(folder)
    if target.is_dir() and any(target.iterdir()):
        raise DataError(f"{target} is there already and not empty; name a new folder for the campaign.")
    tasks, langs = read_batch_tasks(batches)
    is_mono = any(shows_itself(item) for items in tasks for item in items)
    has_proposals = any(proposed(item) for items in tasks for item in items if not is_lesson(item))
    values: dict[str, Any] = {
        "name": re.sub(r"[^A-Za-z0-9._-]", "-", about["CAMPAIGN_NAME"]).lstrip("._-") or "campaign",
        **_protocol(about, is_mono, has_proposals, manifest),
        "redundancy": about["REDUNDANCY"],
        "seed": seed,
        "annotators": _annotators(about, langs, manifest),
        "batches": _BATCHES,
    }
    lines = [f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in values.items()]
    with atomic_folder(target) as temporary:
        (temporary / _BATCHES).write_text(read_text(batches), encoding="utf-8")
        (temporary / _MANIFEST).write_text("".join(lines), encoding="utf-8")
        planned = plan(read_manifest(temporary / _MANIFEST))
    return CampaignPlan(**{**vars(planned), "folder": str(target)})


def _manifest(path: StrPath) -> dict[str, Any]:
    about = loaded(path)
    if not isinstance(about, dict):
        raise FormatError("an object with CAMPAIGN_NAME … was expected, as Appraise's manifests are.", path=path)
    for key, kind in _NEEDED.items():
        if type(about.get(key)) is not kind or (kind is int and about[key] < 0):
            raise FormatError(f"{key} is {str(about.get(key))[:40]!r}; expected as in Appraise's manifests.", path=path)
    return about


def _protocol(about: dict[str, Any], is_mono: bool, has_proposals: bool, path: StrPath) -> dict[str, Any]:
    """The protocol that asks as a type of Appraise's tasks does, with its options."""
    kind = about.get("TASK_TYPE", "Direct")
    if kind not in _TYPES:
        raise FormatError(f"TASK_TYPE is {str(kind)[:40]!r}; imported are {', '.join(_TYPES)}.", path=path)
    words = {word.strip().lower() for word in str(about.get("TASK_OPTIONS") or "").split(";")}
    beside = "reference" if is_mono else "source"
    labels = {"labels": "sqm"} if "sqm" in words else {}
    if kind.startswith("Pairwise"):
        return {"protocol": "contrastive-da", "against": beside, **labels}
    for name in ("esa", "mqm"):
        if name in words and kind == "Document":
            return {"protocol": "esa-ai" if name == "esa" and has_proposals else name}
    level = {"level": "document"} if kind == "Document" else {}
    return {"protocol": "da", "against": beside, **level, **labels}


def _annotators(about: dict[str, Any], langs: tuple[str | None, str | None], path: StrPath) -> list[str]:
    """Appraise's accounts for the batches' languages: the languages, the campaign's number, the account's in hex."""
    for row in about["TASKS_TO_ANNOTATORS"]:
        if not (isinstance(row, list) and len(row) == 5 and all(isinstance(each, str) for each in row[:2])):
            raise FormatError(
                "TASKS_TO_ANNOTATORS has a row that is not [source, target, mode, people, tasks].", path=path
            )
        source, target, _, people, _ = row
        if None in langs or (language_of(source), language_of(target)) == langs:
            if type(people) is not int or not 0 < people < 1000:
                raise FormatError(f"there are {str(people)[:40]!r} annotators; expected from 1 to 999.", path=path)
            return [f"{source}{target}{about['CAMPAIGN_NO']:02x}{number:02x}" for number in range(1, people + 1)]
    raise FormatError(f"TASKS_TO_ANNOTATORS has no row for the batches' languages, {langs[0]}-{langs[1]}.", path=path)
