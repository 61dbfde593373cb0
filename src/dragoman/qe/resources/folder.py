"""The folder that resources lie in: a subfolder each, and for each held-out part a folder of the same shape."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from dragoman.artifact import MANIFEST, checksum
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath
from dragoman.options import options_of
from dragoman.qe.resources.base import HeldOut, Resources
from dragoman.qe.resources.declared import Derived, Resource
from dragoman.qe.resources.groups import RESOURCES
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.parses import GivenParses
from dragoman.text.annotate import Annotator
from dragoman.text.layers import SOURCE, make_annotator

__all__ = [
    "copy_resources",
    "describe_folder",
    "having_layers",
    "load_resources",
    "open_folder",
    "part_folder",
    "save_resources",
]

_ABOUT = "resources.json"
_NO_FOLDER = "files"  # fingerprint where all that there is was given as files, which have marks of their own
_MAKERS = {"dependencies": "parser", "names": "names", "spelling": "dictionary"}  # layer → resource of its side
_WITHOUT = "without-"  # and a part's number: resources that have not seen it


def part_folder(number: int) -> str:
    """Where resources lie that have not seen a part; numbers start at 1."""
    return f"{_WITHOUT}{number}"


def open_folder(folder: Path) -> None:
    """Make ready for resources: parts and the description of those that were built there before are taken out."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / _ABOUT).unlink(missing_ok=True)
    for part in folder.glob(f"{_WITHOUT}*"):
        shutil.rmtree(part)


def save_resources(resources: Mapping[str, Any], folder: Path) -> None:
    """Write resources into a folder; others that were built there before are taken out."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, resource in RESOURCES.items():
        if name in resources:
            resource.save(resources[name], folder)
        else:
            resource.remove(folder)


def describe_folder(folder: Path, languages: str, parts: Sequence[Sequence[bytes]]) -> None:
    """Write what is known of a folder, which is whole when this is there."""
    about = {"format": 1, "languages": languages, "parts": [[name.hex() for name in part] for part in parts]}
    (folder / _ABOUT).write_text(json.dumps(about) + "\n", encoding="utf-8")


def load_resources(
    folder: StrPath | None, *, lexicon: StrPath | None = None, layers: Mapping[str, str] | None = None
) -> Resources:
    """The resources in a folder that `build_resources` made; a lexical table from a file takes the place of its own.

    Who makes `layers` (see `having_layers`) takes the place of parsers, taggers and dictionaries.
    """
    own = {"lexicon": LexicalTable.read(lexicon)} if lexicon is not None else {}
    resources = _load_folder(Path(folder), own) if folder is not None else Resources(own)
    if lexicon is not None:
        resources = replace(resources, beside=f"lexicon={checksum(lexicon)};")
    if folder is None and (lexicon or layers):
        resources = replace(resources, fingerprint=_NO_FOLDER)
    return having_layers(resources, layers)


def having_layers(resources: Resources, layers: Mapping[str, str] | None) -> Resources:
    """The resources with the makers of layers of the text: parsers, taggers of names, dictionaries in place of its own.

    Parses of the very text (`{"source.dependencies": "conllu+path=FILE"}`) take the place of a parser.
    """
    for layer, spec in (layers or {}).items():
        side = "source" if layer.startswith(SOURCE) else "target"
        kind = _MAKERS.get(layer.removeprefix(SOURCE))
        if kind is None:
            layer_names = ", ".join(f"{prefix}{name}" for prefix in ("", SOURCE) for name in _MAKERS)
            raise DataError(f"No quality feature asks for the layer {layer}. They ask for {layer_names}.")
        maker, mark = _maker(make_annotator(spec, (layer,)), RESOURCES[f"{side}_{kind}"])
        beside = f"{resources.beside}{side}={mark};"
        resources = replace(resources.having(**{f"{side}_{kind}": maker}), beside=beside)
    return resources


def _maker(annotator: Annotator[Any], resource: Resource) -> tuple[Any, str]:
    """What an annotator works with, as features ask for it, and what tells it from another."""
    path = str(getattr(annotator, next(iter(options_of(type(annotator))))))
    if annotator.name == "conllu":
        parses = GivenParses.read(path)
        return parses, parses.fingerprint
    if annotator.name not in {"parser", "names", "hunspell"} or resource.kind is None:
        raise DataError(f"Quality features cannot ask {annotator.name}; take conllu, parser, names or hunspell.")
    maker = resource.kind.load(path)
    return maker, checksum(Path(path) / MANIFEST) if Path(path).is_dir() else str(maker.data)


def copy_resources(folder: Path, target: Path) -> None:
    """Copy a folder of resources without those that hold sentences out: new sentences need the whole ones only.

    Which sentences the whole ones have read is kept, so that a score of one of them can be told from a score.
    """
    shutil.copytree(folder, target, ignore=shutil.ignore_patterns(f"{_WITHOUT}*"))
    about = json.loads((target / _ABOUT).read_text(encoding="utf-8"))
    read = sorted({*about.get("read", []), *(name for part in about["parts"] for name in part)})
    (target / _ABOUT).write_text(json.dumps({**about, "parts": [], "read": read}) + "\n", encoding="utf-8")


def _load_folder(folder: Path, own: Mapping[str, Any]) -> Resources:
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        parts = about["parts"]
        if about["format"] != 1:
            raise ValueError(f"format {about['format']}")
        names = {bytes.fromhex(name): number for number, part in enumerate(parts) for name in part}
        read = frozenset(map(bytes.fromhex, about.get("read", [])))
    except FileNotFoundError:
        raise DataError(
            f"{folder} has no {_ABOUT}: it is no folder of dragoman qe resources. Build it again."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise FormatError(f"is no description of resources: {error}.", path=folder / _ABOUT) from None
    folders = [part_folder(number) for number in range(1, len(parts) + 1)]
    held_out = HeldOut(folders, names, lambda name: Resources({**_load(folder / name), **own})) if parts else None
    return Resources({**_load(folder), **own}, held_out, about["languages"], _fingerprint(folder), read)


def _load(folder: Path) -> dict[str, Any]:
    resources = {name: value for name, each in RESOURCES.items() if (value := each.load(folder)) is not None}
    derived = [each for each in RESOURCES.values() if isinstance(each, Derived) and each.of in resources]
    return resources | {each.name: each.make(resources[each.of]) for each in derived}


def _fingerprint(folder: Path) -> str:
    """A digest of all that was built: manifests hold the digests of their files."""
    whole = sha256()
    for path in sorted([*folder.rglob("manifest.json"), folder / _ABOUT]):
        whole.update(path.read_bytes())
    return whole.hexdigest()
