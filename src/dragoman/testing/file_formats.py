"""What every format of files for translation promises."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.cat.files import FILE_FORMATS, FileFormat
from dragoman.cat.segments import Target, Unit, code_place
from dragoman.cat.translating import translate_with_codes
from dragoman.engines import Candidate, Request, Translates, Translation
from dragoman.engines.roles import PLAIN
from dragoman.errors import DataError
from dragoman.testing.contract import Contract, raises

__all__ = ["FILE_FORMAT", "FileFormatCase", "HostileEngine", "check_file_format"]


@dataclass(frozen=True)
class FileFormatCase:
    """A format, and a file of it."""

    form: FileFormat
    content: bytes
    exact: bool = True  # a target comes back to the character

    def units(self) -> list[Unit]:
        """The units of the file."""
        return self.form.units(self.content)

    def open_units(self) -> list[Unit]:
        """Those to be translated."""
        return [unit for unit in self.units() if unit.translate]


FILE_FORMAT: Contract[FileFormatCase] = Contract("file format")


def check_file_format(form: FileFormat | str, content: bytes) -> None:
    """Check a format of files for translation, given as an object or by name and options, with a file of some units."""
    form = FILE_FORMATS.make(form) if isinstance(form, str) else form
    FILE_FORMAT.check(FileFormatCase(form, content), form.name)


class HostileEngine(Translates):
    """An engine that does to texts what engines do: it loses words, says them twice, glues, turns, shouts."""

    languages = ("en", "de")
    ways: ClassVar[dict[str, Callable[[list[str]], list[str]]]] = {
        "loses": lambda words: words[::2],
        "repeats": lambda words: [*words, *words],
        "glues": lambda words: ["".join(words)],
        "turns": lambda words: words[::-1],
        "shouts": lambda words: [word.upper() for word in words],
        "garbles": lambda words: [word[::-1] for word in words],
        "is silent": lambda _: [],
    }

    def __init__(self, way: str) -> None:
        self.way = self.ways[way]

    def translations(
        self,
        lines: Sequence[str],
        request: Request = PLAIN,  # noqa: ARG002 - the contract
        *,
        n_threads: int = 1,  # noqa: ARG002
    ) -> list[Translation]:
        """The words of each line, as its way is."""
        return [Translation(line, (Candidate(" ".join(self.way(line.split()))),)) for line in lines]


@FILE_FORMAT.rule
def what_an_engine_says_can_be_written(case: FileFormatCase) -> None:
    units = case.open_units()
    for way in HostileEngine.ways:
        texts = translate_with_codes(HostileEngine(way), [(unit.source, unit.codes) for unit in units])
        targets = {unit.key: Target(text) for unit, text in zip(units, texts, strict=True) if text}
        for unit in units:
            text = targets.get(unit.key, Target(unit.source)).text
            lost = Counter(filter(_is_code, unit.source)) - Counter(filter(_is_code, text))
            assert not lost, f"an engine that {way} has lost codes of {unit.key!r}: {text!r}"
            assert text.count("\n") == unit.source.count("\n"), f"an engine that {way} has lost lines of {unit.key!r}"
        filled = case.form.fill(case.content, targets)
        assert written(case, filled).keys() == written(case, case.content).keys(), f"{way}: units of the file are gone"


def _is_code(char: str) -> bool:
    """Whether a character is a code."""
    return code_place(char) is not None


def written(case: FileFormatCase, content: bytes) -> dict[str, str]:
    """What a file has by key: the targets, or the sources where targets have taken their place."""
    units = case.form.units(content)
    return {unit.key: (unit.target or "") if case.form.bilingual else unit.source for unit in units}


def translations(case: FileFormatCase, word: str) -> dict[str, Target]:
    """A target for every unit: its source with all codes behind a new word."""
    return {unit.key: Target(f"{word} {unit.source}") for unit in case.open_units()}


def assert_written(case: FileFormatCase, content: bytes, targets: Mapping[str, Target]) -> None:
    """Assert that a file has these targets."""
    texts = written(case, content)
    for key, target in targets.items():
        assert key in texts, f"the unit {key!r} is gone"
        wanted, got = target.text, texts[key]
        if not case.exact:
            wanted, got = " ".join(wanted.split()), " ".join(got.split())
        assert got == wanted, f"{key!r} has {got!r}, {wanted!r} was written"


@FILE_FORMAT.rule
def it_has_the_name_it_is_found_by(case: FileFormatCase) -> None:
    assert FILE_FORMATS.get(case.form.name) is type(case.form)
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in case.form.suffixes)
    assert case.form.recognises(case.content)


@FILE_FORMAT.rule
def units_have_keys_of_their_own_the_same_each_time(case: FileFormatCase) -> None:
    units = case.units()
    assert len(units) >= 2, "the file has too few units to try the format"
    assert len({unit.key for unit in units}) == len(units), "two units have one key"
    assert case.units() == units


@FILE_FORMAT.rule
def without_targets_nothing_changes(case: FileFormatCase) -> None:
    assert case.form.fill(case.content, {}) == case.content


@FILE_FORMAT.rule
def targets_that_are_there_change_nothing(case: FileFormatCase) -> None:
    units = case.units()
    targets = {unit.key: Target(unit.target, unit.state) for unit in units if unit.target is not None}
    assert case.form.fill(case.content, targets) == case.content
    if not case.form.bilingual:
        same = {unit.key: Target(unit.source) for unit in case.open_units()}
        assert case.form.fill(case.content, same) == case.content, "a target like its source moved bytes"


@FILE_FORMAT.rule
def targets_are_read_back(case: FileFormatCase) -> None:
    targets = translations(case, "Übersetzung")
    assert_written(case, case.form.fill(case.content, targets, langs=("en", "de")), targets)


@FILE_FORMAT.rule
def other_units_stay_as_they_are(case: FileFormatCase) -> None:
    before = {unit.key: unit for unit in case.units()}
    unit = case.open_units()[-1]
    content = case.form.fill(case.content, {unit.key: Target(f"neu {unit.source}")}, langs=("en", "de"))
    after = {each.key: each for each in case.form.units(content)}
    assert list(after) == list(before)
    for key in before.keys() - {unit.key}:
        assert (after[key].source, after[key].target) == (before[key].source, before[key].target or after[key].target)


@FILE_FORMAT.rule
def filling_again_replaces(case: FileFormatCase) -> None:
    first, second = translations(case, "eins"), translations(case, "zwei")
    once = case.form.fill(case.content, first, langs=("en", "de"))
    again = case.form.fill(once, second, langs=("en", "de"))
    assert_written(case, again, second)
    assert again == case.form.fill(case.content, second, langs=("en", "de"))


@FILE_FORMAT.rule
def what_does_not_belong_is_refused(case: FileFormatCase) -> None:
    with raises(DataError, match=r"has no unit 'no such unit'"):
        case.form.fill(case.content, {"no such unit": Target("x")})
    unit = case.open_units()[0]
    with raises(DataError, match="does not fit its unit.*code number 6400"):
        case.form.fill(case.content, {unit.key: Target("\uf8ff")})
    for locked in (unit for unit in case.units() if not unit.translate):
        with raises(DataError, match="not to be translated"):
            case.form.fill(case.content, {locked.key: Target("x")})


@FILE_FORMAT.rule
def damage_is_named_or_read_but_never_a_crash(case: FileFormatCase) -> None:
    n = len(case.content)
    damaged = [case.content[: n * part // 7] for part in range(7)]
    damaged += [case.content[: n // 2] + b"\xff\xfe\x00<&\"'" + case.content[n // 2 :], b"\x00" * 64, b"PK\x03\x04"]
    for content in damaged:
        try:
            case.form.units(content)
        except DataError as error:
            assert len(str(error)) > 20
