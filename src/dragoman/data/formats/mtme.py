"""The folders of mt-metrics-eval (version 2 of its layout): the texts. The scores beside them: `mtme_scores`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import built, check_writable, document_labels
from dragoman.data.parallel import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, read_lines, staging_folder, write_lines
from dragoman.options import option
from dragoman.text.languages import pair_among

__all__ = ["MetricsEvalFormat", "language_pairs", "pair_name"]

_NO_DOMAIN = "None"  # the layout's own word for a missing score
_RESERVED = {"all", "src"}


@dataclass(frozen=True)
class MetricsEvalFormat(Format):
    """The folder layout of mt-metrics-eval, one language pair of it.

    `sources/PAIR.txt`, `references/PAIR.NAME.txt`, `system-outputs/PAIR/NAME.txt` and `documents/PAIR.docs` (domain and
    document of each segment). A folder with several pairs is read by naming the pair, or by the path of its source
    file. References and systems come in the order of their names; the set is called after the folder. Writing adds a
    pair to a folder and never replaces one.
    """

    name: ClassVar[str] = "mtme"
    holds: ClassVar[type] = TestSet

    pair: str | None = option(None, text="language pair; only needed where the folder has several")

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """A folder with `sources/`, or one of the files in there."""
        file = Path(path)
        return (file / "sources").is_dir() or (file.parent.name == "sources" and file.suffix == ".txt")

    def read(self, path: StrPath) -> TestSet:
        """One language pair of the folder."""
        folder, pair = self._place(Path(path))
        source = folder / "sources" / f"{pair}.txt"
        refs = {file.name[len(pair) + 1 : -4]: file for file in _files(folder / "references", f"{pair}.", ".txt")}
        systems = {file.name[:-4]: file for file in _files(folder / "system-outputs" / pair, "", ".txt")}
        for name, file in refs.items():
            _check_ref_name(name, f"{file}: ")
        lines = {file: read_lines(file) for file in (source, *refs.values(), *systems.values())}
        labels = _read_documents(folder / "documents" / f"{pair}.docs")
        counted = {file.relative_to(folder).as_posix(): stream for file, stream in lines.items()}
        try:
            check_parallel({**counted, f"documents/{pair}.docs": labels["docs"] if labels else None})
        except DataError as error:
            raise FormatError(str(error), path=folder) from None
        source_lang, _, target_lang = pair.partition("-")
        return built(
            source,
            name=folder.resolve().name,
            source_lang=source_lang.replace("_", "-"),
            target_lang=target_lang.replace("_", "-"),
            srcs=lines[source],
            refs={name: lines[file] for name, file in refs.items()},
            systems={name: lines[file] for name, file in systems.items()},
            **labels,
        )

    def write(self, value: TestSet, path: StrPath) -> None:
        """Write the pair into a new folder, or add it to one that does not have it yet."""
        check_writable(value, self.name)
        pair = pair_name(value)
        if value.srcs is None:
            raise DataError("mtme needs the source; this test set has none.")
        documents = _documents(value)
        for name, lines in value.refs.items():
            _check_ref_name(name, "")
            if None in lines:
                raise DataError(
                    f"Reference {name!r} lacks segment {lines.index(None) + 1}; mtme cannot say so. "
                    "Write testset-jsonl or testset-tsv instead."
                )
        with _added(Path(path)) as folder:
            _write(folder / "sources" / f"{pair}.txt", value.srcs)
            for name, ref in value.refs.items():
                _write(folder / "references" / f"{pair}.{name}.txt", [line or "" for line in ref])
            for name, hyps in value.systems.items():
                _write(folder / "system-outputs" / pair / f"{name}.txt", hyps)
            if documents:
                _write(folder / "documents" / f"{pair}.docs", documents)

    def loses(self, value: TestSet) -> list[str]:
        """Original languages, and domains without documents."""
        lost = ["origlangs"] if value.origlangs is not None else []
        return lost + (["domains"] if value.domains is not None and value.docs is None else [])

    def _place(self, path: Path) -> tuple[Path, str]:
        if path.parent.name == "sources" and path.suffix == ".txt" and not path.is_dir():
            return path.parent.parent, path.stem
        pairs = language_pairs(path)
        wanted = pair_among(self.pair, pairs) if self.pair is not None else pairs[0]
        if wanted is None:
            raise DataError(f"{path} has no language pair {self.pair!r}. Known: {', '.join(pairs)}.")
        if self.pair is None and len(pairs) > 1:
            raise DataError(
                f"{path} has several language pairs: {', '.join(pairs)}. "
                f"Name the source file of one, for example {path / 'sources' / pairs[0]}.txt"
            )
        return path, wanted


def language_pairs(folder: StrPath) -> list[str]:
    """The language pairs that a folder of this layout has, sorted."""
    path = Path(folder)
    if not path.is_dir():
        raise DataError(f"{path} is a file; a folder was expected." if path.exists() else f"There is no folder {path}.")
    pairs = [file.stem for file in _files(path / "sources", "", ".txt")]
    if not pairs:
        raise FormatError("the folder has no sources/SRC-TGT.txt; is it one of mt-metrics-eval's?", path=path)
    return pairs


def pair_name(test_set: TestSet) -> str:
    """The language pair as it stands in file names: `en-de`, `en-pt_BR`."""
    if test_set.source_lang is None or test_set.target_lang is None:
        raise DataError("mtme names its files by language pair; this test set does not know its languages.")
    return "-".join(lang.replace("-", "_") for lang in (test_set.source_lang, test_set.target_lang))


def _files(folder: Path, prefix: str, suffix: str) -> list[Path]:
    return sorted(
        file
        for file in (folder.iterdir() if folder.is_dir() else ())
        if file.name.startswith(prefix) and file.name.endswith(suffix) and not file.name.startswith(".")
    )


def _check_ref_name(name: str, where: str) -> None:
    if not name or name in _RESERVED or re.search(r"[.\-\s]", name):
        raise DataError(
            f"{where}mtme cannot have a reference called {name!r}: "
            "no dots, dashes or spaces, and neither 'all' nor 'src'."
        )


def _read_documents(path: Path) -> dict[str, list[str | None]]:
    if not path.is_file():
        return {}
    rows = [line.split() for line in read_lines(path)]
    for number, row in enumerate(rows, start=1):
        if len(row) != 2:
            raise FormatError(f"expected a domain and a document, got {len(row)} words.", path=path, line=number)
    return {
        "domains": [None if domain == _NO_DOMAIN else domain for domain, _ in rows],
        "docs": [doc for _, doc in rows],
    }


def _documents(test_set: TestSet) -> list[str]:
    domains = document_labels(test_set, "domains", MetricsEvalFormat.name)
    for label in [*(test_set.docs or ()), *domains.values()]:
        if label.split() != [label] or label == _NO_DOMAIN:
            raise DataError(f"mtme cannot have a document or domain called {label!r}: no spaces, and not 'None'.")
    return [f"{domains.get(doc, _NO_DOMAIN)}\t{doc}" for doc in test_set.docs or ()]


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_lines(path, lines)


@contextmanager
def _added(folder: Path) -> Iterator[Path]:
    """A folder to write in, whose files then join those of `folder`: all of them, or none."""
    if not folder.is_dir():
        with atomic_folder(folder) as new:
            yield new
        return
    with staging_folder(folder) as staging:
        yield staging
        files = [file.relative_to(staging) for file in sorted(staging.rglob("*")) if file.is_file()]
        present = [file.as_posix() for file in files if (folder / file).exists()]
        if present:
            raise DataError(f"{folder} already has {present[0]}; remove the pair there, or name another folder.")
        placed: list[Path] = []
        try:
            # Readers find a pair by its source, so that comes last.
            for file in sorted(files, key=lambda file: file.parts[0] == "sources"):
                (folder / file).parent.mkdir(parents=True, exist_ok=True)
                placed.append(folder / file)
                (staging / file).rename(folder / file)
        except BaseException:
            for path in placed:
                path.unlink(missing_ok=True)
            raise
