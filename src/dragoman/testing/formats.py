"""What every file format promises."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from dragoman.data import FORMATS, Bitext, Format, Records, TestSet
from dragoman.errors import DataError
from dragoman.testing.contract import Contract, raises

__all__ = ["FORMAT", "FormatCase", "check_format"]

ODD_LINES = ("", " ", "\\N", "None", "&amp;", "<seg>", "]]>", '"', '""', "a,b", "\ufeff", "\x00", "\u2028", "\x85")
ODD_TEXTS = (*ODD_LINES, "a\tb", "a\r\nb", "\n")


def itself(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class FormatCase:
    """A format, and how it is tried out."""

    form: Format
    values: Sequence[Any] = ()  # that it can hold; none for a format that is read only
    plain: Callable[[Any], Any] = itself  # what of a value must be equal
    replaces: bool = True  # writing again replaces what is there
    compresses: bool = True  # a name that ends in .gz is written compressed

    def path(self, folder: str | Path) -> Path:
        """Where to write: a file with the format's suffix, or a folder."""
        return Path(folder) / f"value{next(iter(self.form.suffixes), '')}"

    def read(self, path: Path) -> Any:
        """What is compared of a file's content."""
        return self.plain(self.form.read(path))


FORMAT: Contract[FormatCase] = Contract("format")


def check_format(form: Format | str, values: Sequence[Any] | None = None) -> None:
    """Check a format, given as an object or by its name and options.

    `values` are some that it can hold. Without them, lines, bitexts, test sets and tables with odd texts are tried; a
    format that has no place for all of these needs values of its own.
    """
    form = FORMATS.make(form) if isinstance(form, str) else form
    plain = list if issubclass(form.holds, Bitext) else itself
    FORMAT.check(FormatCase(form, odd_values(form) if values is None else values, plain), form.name)


def odd_values(form: Format) -> Sequence[Any]:
    """Values with texts that formats trip over, of the type that the format holds."""
    if not form.writable:
        return ()
    if form.holds is tuple:
        return [(), ODD_LINES]
    if form.holds is Bitext:
        return [Bitext.from_pairs(list(zip(ODD_TEXTS, reversed(ODD_TEXTS), strict=True)))]
    if form.holds is Records:
        return [Records(["a", "b"], list(zip(ODD_TEXTS, reversed(ODD_TEXTS), strict=True)))]
    if form.holds is TestSet:
        return odd_test_sets()
    raise DataError(f"There are no values of the type {form.holds.__name__} at hand; pass some to `check_format`.")


def odd_test_sets() -> list[TestSet]:
    """Test sets with odd texts, gaps in a reference, and every label."""
    n, other = len(ODD_TEXTS), list(reversed(ODD_TEXTS))
    plain = TestSet(
        name="odd",
        source_lang="de",
        target_lang="en",
        srcs=list(ODD_TEXTS),
        refs={"A": other},
        systems={"x": list(ODD_TEXTS), "y": other},
    )
    full = TestSet(
        name="odd",
        source_lang="de",
        target_lang="pt-BR",
        srcs=list(ODD_TEXTS),
        refs={"A": other, "B": [None if i % 3 else text for i, text in enumerate(ODD_TEXTS)]},
        systems={"x": other},
        docs=[f"doc{i * 3 // n}" for i in range(n)],
        domains=["news" if i % 2 else None for i in range(n)],
    )
    return [plain, full]


@contextmanager
def scratch(case: FormatCase) -> Iterator[tuple[Path, Path]]:
    """An empty folder, and the path in it to write to."""
    with TemporaryDirectory() as folder:
        yield Path(folder), case.path(folder)


def order_of(value: Any) -> Any:
    """Equality of mappings overlooks order; a file has one (references by where they first occur)."""
    if not isinstance(value, TestSet):
        return None
    return [list(value.systems), [name for name, lines in value.refs.items() if lines[0] is not None]]


@FORMAT.rule
def what_is_written_is_read_back(case: FormatCase) -> None:
    for value in case.values:
        round_trip(case, value)


def round_trip(case: FormatCase, value: Any) -> None:
    """Assert that a value is read back equal, every time."""
    form = case.form
    assert form.loses(value) == []
    with scratch(case) as (_, path):
        form.write(value, path)
        content, again = form.read(path), form.read(path)
        assert case.plain(content) == case.plain(value)
        assert case.plain(again) == case.plain(content)
        assert isinstance(content, form.holds)
        if form.suffixes:  # in a folder the order is that of the names
            assert order_of(content) == order_of(value)


@FORMAT.rule
def text_is_kept_or_refused_but_never_bent(case: FormatCase) -> None:
    if case.form.writable and case.form.holds is TestSet:
        for value in odd_test_sets():
            kept_or_refused(case, value)


def kept_or_refused(case: FormatCase, value: TestSet) -> None:
    """Assert that a test set is read back but for what the format says it loses, or is refused and nothing written."""
    form = case.form
    with scratch(case) as (folder, path):
        try:
            form.write(value, path)
        except DataError:
            assert list(folder.iterdir()) == [], "it refused the value and left a file"
            return
        content, lost = form.read(path), form.loses(value)
    assert content.srcs == value.srcs
    assert dict(content.systems) == dict(value.systems)
    assert dict(content.refs) == {name: ref for name, ref in value.refs.items() if f"refs[{name}]" not in lost}
    for label in ("docs", "domains", "origlangs"):
        if label not in lost and (label != "docs" or value.docs is not None):
            assert getattr(content, label) == getattr(value, label), f"{label} is lost, and `loses` does not say so"


@FORMAT.rule
def a_missing_file_is_named(case: FormatCase) -> None:
    with scratch(case) as (_, path), raises(DataError, match=r"There is no (file|folder) .*value"):
        case.read(path)


@FORMAT.rule
def an_empty_folder_is_refused(case: FormatCase) -> None:
    with scratch(case) as (_, path):
        path.mkdir()
        with raises(DataError, match=r"value.*(is a directory|the folder has no )"):
            case.read(path)


@FORMAT.rule
def an_interrupted_write_leaves_nothing(case: FormatCase) -> None:
    def interrupt(*_: object) -> None:
        raise InterruptedError("on purpose")

    for value in case.values[:1]:
        with scratch(case) as (folder, path):
            with (
                patch.object(Path, "replace", interrupt),
                patch.object(Path, "rename", interrupt),
                raises(InterruptedError, match="on purpose"),
            ):
                case.form.write(value, path)
            assert list(folder.iterdir()) == [], "a file is left of a write that did not end"


@FORMAT.rule
def writing_again_replaces(case: FormatCase) -> None:
    for value in case.values[:1]:
        with scratch(case) as (folder, path):
            case.form.write(value, path)
            if case.replaces:
                case.form.write(value, path)
            else:
                with raises(DataError, match="already has"):
                    case.form.write(value, path)
            assert case.read(path) == case.plain(value)
            assert [each for each in folder.rglob("*") if each.name.startswith(".")] == []


@FORMAT.rule
def compressed_files_are_written_and_read(case: FormatCase) -> None:
    if not case.form.suffixes or not case.compresses:
        return
    for value in case.values[:1]:
        with scratch(case) as (_, path):
            packed = path.with_name(path.name + ".gz")
            case.form.write(value, packed)
            assert packed.read_bytes()[:2] == b"\x1f\x8b", "it is not compressed"
            assert case.read(packed) == case.plain(value)


@FORMAT.rule
def a_format_knows_its_own(case: FormatCase) -> None:
    form = case.form
    assert FORMATS.get(form.name) is type(form)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in form.suffixes)
    if form.suffixes:
        assert form.recognises(Path("some") / f"file{form.suffixes[0].upper()}.gz")
        assert form.is_named_by(Path("some") / f"file{form.suffixes[0]}")
    for value in case.values[:1]:
        with scratch(case) as (_, path):
            form.write(value, path)
            assert form.recognises(path)
    assert not form.recognises("no-such.thing")
