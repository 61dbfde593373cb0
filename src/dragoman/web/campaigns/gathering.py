"""What managers upload by forms: files and zip archives unpacked with care, and a manifest made from a few fields."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dragoman.cat.files.zips import ZIP_FAULTS
from dragoman.errors import DataError
from dragoman.human.protocol import PROTOCOLS
from dragoman.notation import whole_number
from dragoman.web.campaigns.uploads import check_path

__all__ = ["Upload", "Wizard", "gather", "unpack"]

_LARGEST = 128 << 20  # bytes of an archive when unpacked
_MOST = 5_000  # files in it
_MANIFEST = "manifest.toml"
_TEXTS = "texts"  # where an uploaded test set is put


@dataclass(frozen=True)
class Upload:
    """A file as a browser sends it."""

    name: str
    content: bytes

    @property
    def is_zip(self) -> bool:
        """Whether it is an archive, whatever it is called."""
        return self.content[:4] in (b"PK\x03\x04", b"PK\x05\x06")


@dataclass(frozen=True)
class Wizard:
    """The fields of the form; empty ones are left to the protocol."""

    name: str
    protocol: str
    title: str = ""
    instructions: str = ""
    source_lang: str = ""
    target_lang: str = ""
    annotators: str = ""  # how many, or their names, one on a line
    options: str = ""  # further options of the protocol, as lines of TOML
    redundancy: int | None = None
    seed: int = 1


def unpack(upload: Upload) -> dict[str, bytes]:
    """The files of a zip archive by path; nothing leaves the archive, and nothing grows without bounds."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(upload.content))
    except ZIP_FAULTS:
        raise DataError(f"{upload.name} is no zip archive, or a damaged one.") from None
    entries = [entry for entry in archive.infolist() if not entry.is_dir() and not _is_clutter(entry.filename)]
    size = sum(entry.file_size for entry in entries)
    if len(entries) > _MOST or size > _LARGEST:
        raise DataError(
            f"{upload.name} unpacks to {len(entries):,} files of {size:,} bytes; up to {_MOST:,} files of "
            f"{_LARGEST:,} bytes are taken."
        )
    files: dict[str, bytes] = {}
    for entry in entries:
        path = entry.filename.replace("\\", "/")
        check_path(path, reserved=False)
        try:
            with archive.open(entry) as stream:
                # What an entry says of its size is not to be trusted.
                content = stream.read(entry.file_size + 1)
        except ZIP_FAULTS:
            raise DataError(f"{path} in {upload.name} is damaged or encrypted.") from None
        if len(content) > entry.file_size:
            raise DataError(f"{path} in {upload.name} is larger than it says.")
        files[path] = content
    return _without_top(files)


def _is_clutter(path: str) -> bool:
    """What macOS and Windows put into archives."""
    return path.startswith("__MACOSX/") or PurePosixPath(path).name in (".DS_Store", "Thumbs.db", "desktop.ini")


def _without_top(files: dict[str, bytes]) -> dict[str, bytes]:
    """The files without the one folder that holds them all, if there is one beside nothing."""
    tops = {path.partition("/")[0] for path in files}
    if len(tops) == 1 and all("/" in path for path in files):
        return {path.partition("/")[2]: content for path, content in files.items()}
    return files


def gather(
    manifest: str,
    wizard: Wizard | None,
    *,
    files: Sequence[Upload] = (),
    sources: Sequence[Upload] = (),
    references: Sequence[Upload] = (),
    systems: Sequence[Upload] = (),
    test_set: Sequence[Upload] = (),
) -> tuple[str, dict[str, bytes]]:
    """The manifest's text and its files, from what was uploaded: a manifest with its files, or the wizard's fields.

    An archive among `files` is unpacked; a manifest may be in it. `test_set` is one file of any known format, or an
    archive with a folder of one.
    """
    if wizard is None:
        return _with_manifest(manifest, files)
    table: dict[str, str | dict[str, str]] = {
        key: value.strip()
        for key, value in (("source_lang", wizard.source_lang), ("target_lang", wizard.target_lang))
        if value.strip()
    }
    contents: dict[str, bytes] = {}
    if test_set:
        if sources or references or systems:
            raise DataError("Send a whole test set, or files of lines for source, references and systems; not both.")
        table = {"path": _whole(test_set, contents)}
    else:
        if len(sources) > 1:
            raise DataError(f"There is one source, but {len(sources)} files were sent for it.")
        for upload in sources:
            table["srcs"] = _put(contents, "source", upload)
        for key, uploads in (("refs", references), ("systems", systems)):
            if uploads:
                table[key] = {_stem(each.name): _put(contents, key, each) for each in uploads}
                if len(table[key]) < len(uploads):
                    raise DataError(f"Two of the files for {key} have the same name.")
    return _manifest_of(wizard, table), contents


def _with_manifest(manifest: str, files: Sequence[Upload]) -> tuple[str, dict[str, bytes]]:
    contents: dict[str, bytes] = {}
    for upload in files:
        contents |= unpack(upload) if upload.is_zip else {_base(upload.name): upload.content}
    tomls = [path for path in contents if path.endswith(".toml")]
    if not manifest.strip():
        chosen = _MANIFEST if _MANIFEST in contents else tomls[0] if len(tomls) == 1 else None
        if chosen is None:
            raise DataError("There is no manifest: paste one, or send a manifest.toml among the files.")
        try:
            manifest = contents.pop(chosen).decode("utf-8-sig")
        except UnicodeDecodeError:
            raise DataError(f"{chosen} is not in UTF-8.") from None
    contents.pop(_MANIFEST, None)
    return manifest, contents


def _whole(test_set: Sequence[Upload], files: dict[str, bytes]) -> str:
    """Put the files of a test set below a folder; the path that the manifest names."""
    if len(test_set) > 1:
        raise DataError(f"A whole test set is one file or one archive, but {len(test_set)} were sent.")
    (upload,) = test_set
    if not upload.is_zip:
        return _put(files, _TEXTS, upload)
    inside = unpack(upload)
    files |= {f"{_TEXTS}/{path}": content for path, content in inside.items()}
    return f"{_TEXTS}/{next(iter(inside))}" if len(inside) == 1 else _TEXTS


def _put(files: dict[str, bytes], folder: str, upload: Upload) -> str:
    path = f"{folder}/{_base(upload.name)}"
    check_path(path)
    files[path] = upload.content
    return path


def _base(name: str) -> str:
    """The file's own name: some browsers send a path."""
    return name.replace("\\", "/").rpartition("/")[2]


def _stem(name: str) -> str:
    return PurePosixPath(_base(name)).stem or _base(name)


def _manifest_of(wizard: Wizard, table: Mapping[str, str | Mapping[str, str]]) -> str:
    PROTOCOLS.get(wizard.protocol)
    names = [line.strip() for line in wizard.annotators.replace(",", "\n").splitlines() if line.strip()]
    if not names:
        raise DataError("Say how many annotators there will be, or their names, one on a line.")
    lines = [f"name = {_quoted(wizard.name.strip())}", f"protocol = {_quoted(wizard.protocol)}"]
    lines += [
        f"{key} = {_quoted(value)}"
        for key, value in (("title", wizard.title.strip()), ("instructions", wizard.instructions.strip()))
        if value
    ]
    if len(names) == 1 and (n_annotators := whole_number(names[0])) is not None:
        lines.append(f"annotators = {n_annotators}")
    else:
        lines.append(f"annotators = [{', '.join(map(_quoted, names))}]")
    if wizard.redundancy is not None:
        lines.append(f"redundancy = {wizard.redundancy}")
    lines += [f"seed = {wizard.seed}", *wizard.options.splitlines(), "", "[test_set]"]
    for key, value in table.items():
        if isinstance(value, str):
            lines.append(f"{key} = {_quoted(value)}")
        else:
            inner = ", ".join(f"{_quoted(name)} = {_quoted(path)}" for name, path in value.items())
            lines.append(f"{key} = {{{inner}}}")
    return "\n".join(lines) + "\n"


def _quoted(text: str) -> str:
    """A text as TOML writes it, which for these characters is as JSON does."""
    return json.dumps(text.replace("\r\n", "\n"), ensure_ascii=False).replace("\x7f", "\\u007f")
