"""What every file format promises, checked over the whole registry.

A new format joins by itself if it holds a type that `BY_TYPE` knows; one that can hold less than its type has a line in
`BY_NAME`.
"""

from __future__ import annotations

import inspect
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.data import FORMATS, Format, Records, TestSet
from dragoman.data.alignments import Alignment, Alignments
from dragoman.data.bitext import Bitext
from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.data.parsed import ParsedText
from dragoman.data.traces import Forced, GraphSummary, Spread, Trace, Traces
from dragoman.errors import DataError
from dragoman.text.conllu import Sentence
from tests.contract import judgement_values as judged

# Text, from anything that is a character down to what a line of TSV can hold.
ANY = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
ODD = st.sampled_from(
    ["", " ", "\\N", "None", "&amp;", "<seg>", "]]>", '"', '""', "a,b", "\ufeff", "\x00", "\u2028", "\x85"]
)
TEXT = ANY | ODD
LINE = TEXT.filter(lambda text: "\n" not in text and not text.endswith("\r"))
CELL = TEXT.map(lambda text: text.translate(dict.fromkeys(map(ord, "\t\r\n"), " "))).filter(lambda text: text != "\\N")
XML = TEXT.filter(lambda text: all(c in "\t\n\r" or (c >= " " and c not in "\ufffe\uffff") for c in text))
WORD = st.text("abcXYZ019-_.é", min_size=1, max_size=6).filter(lambda word: not word.startswith((".", "None")))
LANGUAGE = st.sampled_from(["de", "en", "pt-BR", "zh-Hans"])


@st.composite
def sets_of_text(
    draw: st.DrawFn,
    text: st.SearchStrategy[str] = TEXT,
    *,
    ref_names: st.SearchStrategy[str] = WORD,
    ragged: str = "segments",  # or "documents" or "no"
    by_document: bool = False,  # documents are there, and each has one domain and one original language
    origlangs: bool = True,
    languages: bool = False,  # both are there
    name: st.SearchStrategy[str] = WORD,
    domains: bool = True,
    systems: st.SearchStrategy[str] = WORD,
    n_refs: int = 2,
) -> TestSet:
    sizes = draw(st.lists(st.integers(1, 3), min_size=1, max_size=3))
    ids = draw(st.lists(WORD, min_size=len(sizes), max_size=len(sizes), unique=True))
    docs = [doc for doc, size in zip(ids, sizes, strict=True) for _ in range(size)]
    n = len(docs)

    def lines() -> list[str]:
        return draw(st.lists(text, min_size=n, max_size=n))

    def labels() -> list[str | None]:
        if by_document:
            chosen = {doc: draw(st.none() | WORD) for doc in ids}
            return [chosen[doc] for doc in docs]
        return draw(st.lists(st.none() | WORD, min_size=n, max_size=n))

    def ref() -> list[str | None]:
        found: list[str | None] = list(lines())
        if ragged == "segments":
            gaps = draw(st.sets(st.integers(0, n - 1)))
        else:
            missing = draw(st.sets(st.sampled_from(ids), max_size=len(ids) - 1)) if ragged == "documents" else set()
            gaps = {i for i, doc in enumerate(docs) if doc in missing}
        return [None if i in gaps else line for i, line in enumerate(found)]

    def some(names: st.SearchStrategy[str], most: int = 2) -> list[str]:
        return draw(st.lists(names, min_size=1, max_size=most, unique=True))

    maybe = st.booleans()
    return TestSet(
        name=draw(name),
        source_lang=draw(LANGUAGE if languages else LANGUAGE | st.none()),
        target_lang=draw(LANGUAGE if languages else LANGUAGE | st.none()),
        srcs=lines(),
        refs={each: ref() for each in some(ref_names, n_refs)},
        systems={each: lines() for each in some(systems)},
        docs=docs if by_document or draw(maybe) else None,
        origlangs=labels() if origlangs and draw(maybe) else None,
        domains=labels() if domains and draw(maybe) else None,
    )


@st.composite
def tables(draw: st.DrawFn, columns: st.SearchStrategy[list[Any]], *, min_rows: int = 0, max_rows: int = 4) -> Records:
    """A table whose columns are drawn one by one: `columns` gives the strategies to choose a column's cells from."""
    names = draw(st.lists(WORD, min_size=1, max_size=3, unique=True))
    n = draw(st.integers(min_rows, max_rows))
    cells = [draw(st.lists(draw(columns), min_size=n, max_size=n)) for _ in names]
    return Records(names, list(zip(*cells, strict=True)))


NUMBER = st.integers(-(2**60), 2**60) | st.floats(allow_nan=False, allow_infinity=False)
VALUE = st.none() | st.booleans() | NUMBER | TEXT
TYPED = st.sampled_from([st.none() | TEXT, st.none() | st.booleans(), st.none() | st.integers(-(2**60), 2**60),
                         st.none() | st.floats(allow_nan=False, allow_infinity=False)])  # fmt: skip


def bitexts(text: st.SearchStrategy[str], **languages: str) -> st.SearchStrategy[Bitext]:
    return st.lists(st.tuples(text, text), max_size=4).map(lambda pairs: Bitext.from_pairs(pairs, **languages))


@st.composite
def nbest_lists(draw: st.DrawFn) -> NBestLists:
    candidate = st.builds(
        Candidate,
        text=st.lists(WORD, max_size=3).map(" ".join),
        features=st.dictionaries(
            WORD.filter(str.isalpha), st.lists(NUMBER.map(float), max_size=2).map(tuple), max_size=2
        ),
        score=NUMBER.map(float),
    )
    groups = draw(st.lists(st.lists(candidate, min_size=1, max_size=2), max_size=3))
    return NBestLists([NBest(number, tuple(group)) for number, group in enumerate(groups)])


NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def traces(draw: st.DrawFn) -> Traces:
    def one() -> Trace:
        texts = draw(st.lists(TEXT, max_size=3))
        scores = draw(st.lists(NUMBERS, min_size=len(texts), max_size=len(texts)))
        features = st.dictionaries(TEXT, st.lists(NUMBERS, max_size=2).map(tuple), max_size=2)
        with_features = draw(st.lists(features, max_size=len(texts)))
        phrase = st.tuples(st.integers(0, 3), st.integers(3, 6), st.integers(0, 3), st.integers(3, 6))
        spread = st.builds(Spread, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
        graph = st.builds(
            GraphSummary, st.integers(5, 9), st.integers(0, 5), st.integers(0, 9), st.none() | st.integers(0, 9),
            st.none() | st.integers(0, 9), st.dictionaries(TEXT, spread, max_size=2),
        )  # fmt: skip
        return Trace(
            draw(TEXT), tuple(texts), tuple(scores), tuple(with_features),
            tuple(draw(st.lists(phrase, max_size=2))), tuple(sorted(draw(LINKS))), draw(TEXT), draw(st.none() | graph),
            draw(st.none() | st.builds(Forced, TEXT, NUMBERS, st.integers(0, 9))),
        )  # fmt: skip

    return Traces([one() for _ in range(draw(st.integers(0, 3)))])


LINKS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5)


@dataclass(frozen=True)
class Case:
    """How a format is tried out."""

    values: st.SearchStrategy[Any]
    options: dict[str, Any] = field(default_factory=dict)
    plain: Callable[[Any], Any] = lambda value: value  # what must be equal
    replaces: bool = True  # writing again replaces what is there


NAME = TEXT.filter(lambda name: name not in ("", "blank"))
BY_NAME = {
    "appraise-da": Case(judged.scores(TEXT)),
    "appraise-esa": Case(judged.scored_errors(TEXT)),
    "appraise-ranking": Case(
        judged.rankings(
            XML,
            system=XML.filter(lambda name: "," not in name and not name.startswith("ref")),
            full=True, documents=False, least=1,
        )
    ),
    "bitext-lines": Case(
        bitexts(LINE, source_lang="de", target_lang="en"), {"source_lang": "de", "target_lang": "en"}, plain=list
    ),
    "bitext-tsv": Case(bitexts(TEXT.map(lambda t: t.translate(dict.fromkeys(map(ord, "\t\r\n"), " ")))), plain=list),
    "crowd-votes": Case(judged.votes(CELL)),
    "csv": Case(tables(st.just(TEXT))),
    "effort-scores": Case(judged.efforts()),
    "hmeant": Case(judged.annotations(WORD)),
    "judgement-log": Case(judged.any_kind(TEXT, WORD)),
    "judgement-table": Case(judged.any_kind(CELL, WORD)),
    "jsonl": Case(tables(st.just(VALUE), min_rows=1)),
    "mtme": Case(
        sets_of_text(
            LINE, ref_names=st.sampled_from(["refA", "refB", "C"]), ragged="no", by_document=True, origlangs=False,
            languages=True, name=st.just("value"),
        ),
        replaces=False,
    ),
    "mqm": Case(judged.marked_errors(CELL)),
    "pairwise-ranking": Case(
        judged.rankings(
            TEXT, system=TEXT.filter(lambda name: "+" not in name), full=True, numbered=False, documents=False, least=1
        )
    ),
    "parquet": Case(tables(TYPED)),
    "pearmut-campaign": Case(
        sets_of_text(
            TEXT, ragged="no", origlangs=False, domains=False, n_refs=1,
            systems=WORD.filter(lambda name: not name.isdigit()), name=WORD.filter(lambda name: name != ".."),
        )
    ),
    "sgm": Case(sets_of_text(TEXT, ragged="documents", by_document=True)),
    "testset-lines": Case(sets_of_text(LINE, ragged="no", name=st.just("value"))),
    "testset-tsv": Case(sets_of_text(CELL)),
    "tmx": Case(bitexts(XML), {"source_lang": "de", "target_lang": "en"}, plain=list),
    "tsv": Case(tables(st.just(CELL))),
    "wmt-ranking": Case(judged.rankings(TEXT, system=NAME)),
    "wmt-xml": Case(sets_of_text(XML, ragged="documents", by_document=True)),
}  # fmt: skip
BY_TYPE: dict[str, Case] = {
    "Alignments": Case(
        st.lists(LINKS.map(lambda links: Alignment(tuple(links))), max_size=4).map(Alignments), plain=list
    ),
    "Bitext": Case(bitexts(TEXT), plain=list),
    "NBestLists": Case(nbest_lists(), plain=list),
    "ParsedText": Case(
        st.lists(st.lists(WORD, min_size=1, max_size=3).map(Sentence.of), max_size=3).map(ParsedText), plain=list
    ),
    "Records": Case(tables(st.just(TEXT))),
    "TestSet": Case(sets_of_text()),
    "Traces": Case(traces(), plain=list),
    "tuple": Case(st.lists(LINE, max_size=5).map(tuple)),
}

# A module that is not there is told by the test of the reference pages, by name.
NAMES = [name for name in FORMATS.names() if find_spec(FORMATS._entries()[name].partition(":")[0])]
each_format = pytest.mark.parametrize("name", NAMES)
few = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def case_of(name: str) -> Case:
    if not FORMATS.get(name).writable:
        pytest.skip("read only")
    case = BY_NAME.get(name) or BY_TYPE.get(FORMATS.get(name).holds.__name__)
    assert case is not None, f"{name} holds a {FORMATS.get(name).holds.__name__}: give BY_TYPE values of this type"
    return case


def test_a_format_of_a_type_without_values_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BY_TYPE, "NBestLists")
    with pytest.raises(AssertionError, match="nbest holds a NBestLists: give BY_TYPE values"):
        case_of("nbest")


def made(name: str) -> Format:
    return FORMATS.get(name)(**case_of(name).options)


def target(folder: str | Path, name: str) -> Path:
    """Where to write: a file with the format's suffix, or a folder."""
    return Path(folder) / f"value{next(iter(FORMATS.get(name).suffixes), '')}"


def example(name: str) -> Any:
    """One value that the format can hold, the same every time."""
    found: list[Any] = []

    @settings(max_examples=1, derandomize=True, database=None, deadline=None)
    @given(case_of(name).values)
    def take(value: Any) -> None:
        found.append(value)

    take()
    return found[0]


def order_of(value: Any) -> Any:
    """Equality of mappings overlooks order; a file has one (references by where they first occur)."""
    if not isinstance(value, TestSet):
        return None
    return [list(value.systems), [name for name, lines in value.refs.items() if lines[0] is not None]]


@each_format
@few
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    value = data.draw(case_of(name).values)
    form = made(name)
    assert form.loses(value) == []
    with tempfile.TemporaryDirectory() as folder:
        form.write(value, target(folder, name))
        found = form.read(target(folder, name))
        again = form.read(target(folder, name))
        plain = case_of(name).plain
        assert plain(found) == plain(value)
        assert plain(again) == plain(found)
        assert isinstance(found, form.holds)
        if form.suffixes:  # in a folder the order is that of the names
            assert order_of(found) == order_of(value)


@pytest.mark.parametrize("name", [name for name in NAMES if FORMATS.get(name).holds is TestSet])
@few
@given(value=sets_of_text(ref_names=WORD | st.sampled_from(["all", "src", "a b"])))
def test_text_is_kept_or_refused_but_never_bent(name: str, value: TestSet) -> None:
    form = made(name)
    with tempfile.TemporaryDirectory() as folder:
        path = target(folder, name)
        try:
            form.write(value, path)
        except DataError:
            assert list(Path(folder).iterdir()) == []
            return
        found, lost = form.read(path), form.loses(value)
        assert found.srcs == value.srcs
        assert dict(found.systems) == dict(value.systems)
        assert dict(found.refs) == {name: ref for name, ref in value.refs.items() if f"refs[{name}]" not in lost}
        for label in ("docs", "domains", "origlangs"):
            if label not in lost and (label != "docs" or value.docs is not None):
                assert getattr(found, label) == getattr(value, label)


@each_format
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    path = target(tmp_path, name)
    with pytest.raises(DataError, match=r"There is no (file|folder) .*value"):
        case_of(name).plain(made(name).read(path))


@each_format
def test_an_empty_folder_is_refused(tmp_path: Path, name: str) -> None:
    path = target(tmp_path, name)
    path.mkdir()
    with pytest.raises(DataError, match=r"value.*(is a directory|the folder has no )"):
        case_of(name).plain(made(name).read(path))


@each_format
def test_an_interrupted_write_leaves_nothing(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    value = example(name)
    monkeypatch.setattr(Path, "replace", interrupt)
    monkeypatch.setattr(Path, "rename", interrupt)
    with pytest.raises(KeyboardInterrupt):
        made(name).write(value, target(tmp_path, name))
    assert list(tmp_path.iterdir()) == []


@each_format
def test_writing_again_replaces(tmp_path: Path, name: str) -> None:
    value, path = example(name), target(tmp_path, name)
    made(name).write(value, path)
    if case_of(name).replaces:
        made(name).write(value, path)
    else:
        with pytest.raises(DataError, match="already has"):
            made(name).write(value, path)
    assert case_of(name).plain(made(name).read(path)) == case_of(name).plain(value)
    assert [each for each in tmp_path.rglob("*") if each.name.startswith(".")] == []


@each_format
def test_compressed_files_are_written_and_read(tmp_path: Path, name: str) -> None:
    form = made(name)
    if not form.suffixes or name == "parquet":
        pytest.skip("a folder, or compressed in itself")
    value = example(name)
    path = target(tmp_path, name)
    form.write(value, path.with_name(path.name + ".gz"))
    assert path.with_name(path.name + ".gz").read_bytes()[:2] == b"\x1f\x8b"
    assert case_of(name).plain(form.read(path.with_name(path.name + ".gz"))) == case_of(name).plain(value)


@each_format
def test_a_format_knows_its_own(tmp_path: Path, name: str) -> None:
    form = made(name)
    assert form.name == name
    assert all(suffix.startswith(".") and suffix == suffix.lower() for suffix in form.suffixes)
    if form.suffixes:
        assert form.recognises(Path("some") / f"file{form.suffixes[0].upper()}.gz")
        assert form.is_named_by(Path("some") / f"file{form.suffixes[0]}")
    if not inspect.isabstract(type(form)) and form.writable:
        form.write(example(name), target(tmp_path, name))
        assert form.recognises(target(tmp_path, name))
    assert not form.recognises("no-such.thing")
