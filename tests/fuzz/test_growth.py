"""Runs of marks in every pattern and every reader: twice as many take about twice as long."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from dragoman.cat import FILE_FORMATS, default_srx
from dragoman.cat.checks import CHECKS
from dragoman.cat.checks.base import Pair
from dragoman.cat.files.inline import misfit, unfit
from dragoman.cat.segments import Code, code_char
from dragoman.errors import DragomanError
from dragoman.text import TOKENISERS
from tests.cat.files.samples import OPTIONS, SAMPLES
from tests.fuzz.growth import RUNS, is_quadratic, seconds
from tests.fuzz.patterns import pumps, used_patterns
from tests.fuzz.seeds import Seed, seeds
from tests.fuzz.test_translation_files import read_and_fill

SMALL = 4000  # characters
# Asked of JSON and XML alone that a parser has found well-formed, where every opening has its end.
WELL_FORMED = {
    "dragoman.cat.files.json_strings._TOKEN",
    "dragoman.cat.files.markup._OTHER",
    "dragoman.cat.files.markup._TAG",
}
ZIPPED = {"docx", "odt", "xlsx"}


def test_every_pattern_is_linear() -> None:
    slow = []
    n = 0
    for used in used_patterns("dragoman."):
        n += 1
        if used.place in WELL_FORMED:
            continue
        for way in used.ways:
            for pump in pumps(used.pattern):
                made = lambda size, pump=pump: pump * max(1, size // len(pump)) + "\0"  # noqa: E731
                if is_quadratic(lambda text, used=used, way=way: used.work(way, text), made, 6000, slow=0.02):
                    slow.append(f"{used.place}: {way} of runs of {pump!r}")
                    break
    assert n > 250
    assert not slow, "\n".join(slow)


def test_what_is_quadratic_is_found() -> None:
    pattern = re.compile(r"\s*\n")
    assert is_quadratic(lambda text: pattern.findall(text), lambda n: " " * n, 6000, slow=0.02)
    assert not is_quadratic(lambda text: re.findall("[ ]+", text), lambda n: " " * n, 6000, slow=0.02)
    assert "<!--" in pumps(re.compile(r"<!--.*?-->|<[?].*?>"))  # though the two begin alike


def quiet(read: Callable[[Any], object]) -> Callable[[Any], None]:
    """The same, content with a refusal."""

    def reading(content: Any) -> None:
        with suppress(DragomanError):
            read(content)

    return reading


def runs(name: str, size: int) -> Sequence[str]:
    """All of them for large files; for small ones some, others for each reader."""
    return RUNS if size > SMALL else random.Random(name).sample(RUNS, len(RUNS) // 5)


def places(content: bytes, name: str, n: int) -> list[int]:
    """Places behind letters, the same ones every time."""
    letters = [match.end() for match in re.finditer(rb"[A-Za-z]", content)]
    return random.Random(name).sample(letters, min(n, len(letters)))


def slow_runs(name: str, content: bytes, read: Callable[[bytes], object], n_places: int, size: int) -> list[str]:
    """The runs that take a reader more than linear time: as the whole file, and inside of it."""
    found = []
    for run in runs(name, size):
        for place in (None, *places(content, f"{name} {run}", n_places)):

            def made(n: int, run: str = run, place: int | None = place) -> bytes:
                marks = (run * (n // len(run))).encode()
                return marks if place is None else content[:place] + marks + content[place:]

            if is_quadratic(quiet(read), made, size):
                found.append(f"{name}: runs of {run!r} at {place}")
    return found


@pytest.mark.parametrize(("n_places", "size"), [(1, SMALL), pytest.param(2, 16_000, marks=pytest.mark.slow)])
def test_every_format_for_translation_is_linear(n_places: int, size: int) -> None:
    slow = []
    for name, content in SAMPLES.items():
        if name not in ZIPPED:
            form = FILE_FORMATS.make(OPTIONS.get(name, name))
            slow += slow_runs(name, content, lambda each, form=form: read_and_fill(form, each), n_places, size)
    assert not slow, "\n".join(slow)


@pytest.mark.parametrize(("n_places", "size"), [(0, SMALL), pytest.param(1, 16_000, marks=pytest.mark.slow)])
def test_every_other_reader_is_linear(tmp_path: Path, n_places: int, size: int) -> None:
    slow = []
    for seed in seeds(tmp_path):
        folder = tmp_path / seed.name
        for name, content in seed.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        first = folder / next(iter(seed.files))

        def read(content: bytes, seed: Seed = seed, first: Path = first) -> None:
            first.write_bytes(content)
            seed.read(first)

        slow += slow_runs(seed.name, next(iter(seed.files.values())), read, n_places, size)
    assert not slow, "\n".join(slow)


def test_back_quotes_of_no_partner_are_read_once() -> None:
    markdown = FILE_FORMATS.make("markdown")
    for block in ("`" * 1000 + "a" * 2100, "<!--" + "a" * 10, "![" + "`" * 40 + "a " * 40):
        content = (block * (100_000 // len(block))).encode()
        assert min(seconds(quiet(markdown.units), content) for _ in range(3)) < 0.5  # once it took ten times that


@pytest.mark.parametrize(
    ("form", "head", "line", "tail"),
    [
        ("markdown", "", "_ a b c d e f g h i j k l m n o p\n", ""),
        ("po", 'msgid ""\n', '"a b c d e f g h"\n', 'msgstr ""\n'),
        ("po", "", "# a\n", 'msgid "a"\nmsgstr ""\n'),
    ],
)
def test_one_unit_of_many_lines_is_linear(form: str, head: str, line: str, tail: str) -> None:
    # Memory is copied fast: that each line copied or searched all others shows with very many lines alone.
    work = quiet(FILE_FORMATS.make(form).units)
    assert not is_quadratic(work, lambda n: (head + line * n + tail).encode(), 80_000)


@pytest.mark.parametrize("size", [SMALL, pytest.param(16_000, marks=pytest.mark.slow)])
def test_segmentation_tokenisers_and_checks_are_linear(size: int) -> None:
    works: dict[str, Callable[[str], object]] = {"segmentation": default_srx().rules("en").breaks}
    for name in ("13a", "char", "intl", "moses", "zh"):
        works[f"tokeniser {name}"] = lambda text, name=name: TOKENISERS.make(name).tokenise([text])  # type: ignore[misc]
    for name in CHECKS.names():
        works[f"check {name}"] = lambda text, name=name: CHECKS.make(name).find_all([Pair(text, text)])  # type: ignore[misc]
    slow = []
    for what, work in works.items():
        for run in runs(what, size):
            made = lambda n, run=run: one_line(run) * (n // len(run))  # noqa: E731
            if is_quadratic(quiet(work), made, size):
                slow.append(f"{what}: runs of {run!r}")
    assert not slow, "\n".join(slow)


# Of a unit with two pairs, b and i, and a break: what somebody may put into a target, as often as there is room.
CODES = (
    Code("<b>", "open", "1", "b"),
    Code("</b>", "close", "1", "/b"),
    Code("<i>", "open", "2", "i"),
    Code("</i>", "close", "2", "/i"),
    Code("<br/>"),
)
OPEN, CLOSE, OPEN_OTHER, CLOSE_OTHER, ALONE = (code_char(place) for place in range(len(CODES)))
CODED: dict[str, Callable[[int], str]] = {
    "opened, another closed": lambda n: OPEN * n + CLOSE_OTHER * n,
    "opened, overlapping others": lambda n: OPEN * n + (OPEN_OTHER + OPEN + CLOSE_OTHER) * n,
    "opened both, closed across": lambda n: (OPEN + OPEN_OTHER) * n + (CLOSE + CLOSE_OTHER) * n,
    "opened, pairs within": lambda n: OPEN * n + (OPEN_OTHER + CLOSE + CLOSE_OTHER) * n,
    "alone": lambda n: f"{ALONE} x{OPEN}" * n,
}


@pytest.mark.parametrize("size", [SMALL, pytest.param(16_000, marks=pytest.mark.slow)])
def test_codes_in_targets_are_looked_at_in_linear_time(size: int) -> None:
    """Whoever saves a target has others wait meanwhile: it is looked at in the transaction."""
    source = f"{OPEN}One{CLOSE} {OPEN_OTHER}two{CLOSE_OTHER} {ALONE}"
    works: dict[str, Callable[[str], object]] = {
        "unfit": lambda text: unfit(source, text, CODES),
        "misfit": lambda text: misfit(text, CODES),
    }
    for name in CHECKS.names():
        works[f"check {name}"] = lambda text, name=name: CHECKS.make(name).find_all([Pair(source, text, CODES)])  # type: ignore[misc]
    slow = [
        f"{what}: {how}"
        for what, work in works.items()
        for how, made in CODED.items()
        if is_quadratic(quiet(work), made, size)
    ]
    assert not slow, "\n".join(slow)


def one_line(text: str) -> str:
    """A run for what is asked of lines."""
    return text.translate(str.maketrans("\n\r\u2028", "   "))
