"""Project folders of OmegaT, read and written, so that a translator can change tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dragoman.cat.files.base import format_of
from dragoman.cat.files.markup import tree, xml_document
from dragoman.cat.packages import Package, PackageFile, check_name
from dragoman.cat.segments import plain
from dragoman.data import Bitext
from dragoman.data.formats.tmx import TmxFormat
from dragoman.data.xml import content
from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_folder, read_bytes
from dragoman.options import write_spec

__all__ = ["read_omegat", "write_omegat"]

_DEFAULT = "__DEFAULT__"
_FOLDERS = {"source_dir": "source", "target_dir": "target", "tm_dir": "tm", "glossary_dir": "glossary"}


def read_omegat(folder: StrPath) -> Package:
    """The project in a folder: languages, files, memories (its own translations among them) and glossaries."""
    root = Path(folder)
    path = root / "omegat.project"
    if not path.is_file():
        raise DataError(f"{folder} is no project of OmegaT's: it has no file omegat.project.")
    document = xml_document(read_bytes(path), str(path))
    project = next(iter(tree(document).within("project")), None)
    if project is None:
        raise document.error("there is no <project>.", document.start)
    settings = {child.tag: child.plain().strip() for child in project.children}
    places = {key: _inside(root, settings.get(key, _DEFAULT), name) for key, name in _FOLDERS.items()}
    saved = root / "omegat" / "project_save.tmx"
    memories = {name: read_bytes(each) for name, each in _files(places["tm_dir"], ".tmx")}
    memories |= {"project_save": read_bytes(saved)} if saved.is_file() else {}
    files = []
    for name, each in _files(places["source_dir"]):
        original = read_bytes(each)
        files.append(PackageFile(name, original, write_spec(format_of(name, original))))
    glossaries = {
        name: read_bytes(each) for name, each in _files(places["glossary_dir"], ".txt", ".tsv", ".tab", ".utf8")
    }
    langs = [settings.get(key, "").replace("_", "-") for key in ("source_lang", "target_lang")]
    return Package(root.resolve().name, langs[0], langs[1], tuple(files), (), memories, glossaries)


def _inside(root: Path, setting: str, default: str) -> Path:
    """A folder of the project; one outside of it is not read."""
    place = (root / (default if setting in {_DEFAULT, ""} else setting)).resolve()
    if not place.is_relative_to(root.resolve()):
        raise DataError(
            f"{root}/omegat.project names the folder {setting}, which is outside the project; move it inside."
        )
    return place


def _files(folder: Path, *suffixes: str) -> Iterator[tuple[str, Path]]:
    """Files below a folder by their path in it; of those with a wanted suffix the name is without it."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else []:
        if path.is_file() and not path.name.startswith(".") and (not suffixes or path.suffix.lower() in suffixes):
            name = path.relative_to(folder).as_posix()
            yield (name[: -len(path.suffix)] if suffixes else name), path


def write_omegat(package: Package, folder: StrPath) -> None:
    """Write a project for OmegaT, with what is translated as its own memory and as files in `target`."""
    if Path(folder).exists() and any(Path(folder).iterdir()):
        raise DataError(f"The folder {folder} is not empty; name a new one.")
    with atomic_folder(folder) as root:
        for name in (*_FOLDERS.values(), "omegat", "dictionary"):
            (root / name).mkdir()
        (root / "omegat.project").write_text(_project(package), encoding="utf-8")
        for file in package.files:
            _write(root / "source", file.name, file.content)
            _write(root / "target", file.name, package.translated(file.name))
        for name, memory in package.memories.items():
            _write(root / "tm", f"{name}.tmx", memory)
        for name, terms in package.glossaries.items():
            _write(root / "glossary", f"{name}.txt", terms)
        pairs = [(plain(each.source), plain(each.target)) for each in package.segments if each.target]
        bitext = Bitext.from_pairs(pairs, source_lang=package.source_lang, target_lang=package.target_lang)
        TmxFormat().write(bitext, root / "omegat" / "project_save.tmx")


def _write(folder: Path, name: str, data: bytes) -> None:
    path = folder / check_name(name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _project(package: Package) -> str:
    folders = "".join(f"        <{key}>{_DEFAULT}</{key}>\n" for key in _FOLDERS)
    return (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<omegat>\n    <project version="1.0">\n'
        f"{folders}        <glossary_file>{_DEFAULT}</glossary_file>\n"
        f"        <dictionary_dir>{_DEFAULT}</dictionary_dir>\n"
        f"        <source_lang>{content(package.source_lang)}</source_lang>\n"
        f"        <target_lang>{content(package.target_lang)}</target_lang>\n"
        "        <sentence_seg>true</sentence_seg>\n"
        "        <support_default_translations>true</support_default_translations>\n"
        "        <remove_tags>false</remove_tags>\n    </project>\n</omegat>\n"
    )
