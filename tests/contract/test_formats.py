"""Every format of the registry keeps the contract of formats.

A new format joins by itself if it holds a type that `BY_TYPE` knows; one that can hold less than its type has a line in
`BY_NAME`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.data import FORMATS, Records, TestSet
from dragoman.data.alignments import Alignment, Alignments
from dragoman.data.bitext import Bitext
from dragoman.data.nbest import Candidate, NBest, NBestLists
from dragoman.data.parsed import ParsedText
from dragoman.data.traces import Forced, GraphSummary, Spread, Trace, Traces
from dragoman.testing.formats import FORMAT, ODD_LINES, FormatCase, kept_or_refused, round_trip
from dragoman.text.conllu import Sentence
from tests.contract import judgement_values as judged
from tests.examples import examples

# Text, from anything that is a character down to what a line of TSV can hold.
ANY = st.text(st.characters(blacklist_categories=["Cs"]), max_size=12)
ODD = st.sampled_from(ODD_LINES)
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
TYPED = st.sampled_from(
    [
        st.none() | TEXT,
        st.none() | st.booleans(),
        st.none() | st.integers(-(2**60), 2**60),
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
    ]
)


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
            GraphSummary,
            st.integers(5, 9),
            st.integers(0, 5),
            st.integers(0, 9),
            st.none() | st.integers(0, 9),
            st.none() | st.integers(0, 9),
            st.dictionaries(TEXT, spread, max_size=2),
        )
        return Trace(
            draw(TEXT),
            tuple(texts),
            tuple(scores),
            tuple(with_features),
            tuple(draw(st.lists(phrase, max_size=2))),
            tuple(sorted(draw(LINKS))),
            draw(TEXT),
            draw(st.none() | graph),
            draw(st.none() | st.builds(Forced, TEXT, NUMBERS, st.integers(0, 9))),
        )

    return Traces([one() for _ in range(draw(st.integers(0, 3)))])


LINKS = st.sets(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=5)


@dataclass(frozen=True)
class Way:
    """How a format is tried out."""

    values: st.SearchStrategy[Any]
    options: dict[str, Any] = field(default_factory=dict)
    plain: Callable[[Any], Any] = lambda value: value  # what must be equal
    replaces: bool = True  # writing again replaces what is there


NAME = TEXT.filter(lambda name: name not in ("", "blank"))
BY_NAME = {
    "appraise-da": Way(judged.scores(TEXT)),
    "appraise-esa": Way(judged.scored_errors(TEXT)),
    "appraise-ranking": Way(
        judged.rankings(
            XML,
            system=XML.filter(lambda name: "," not in name and not name.startswith("ref")),
            full=True,
            documents=False,
            least=1,
        )
    ),
    "bitext-lines": Way(
        bitexts(LINE, source_lang="de", target_lang="en"), {"source_lang": "de", "target_lang": "en"}, plain=list
    ),
    "bitext-tsv": Way(bitexts(TEXT.map(lambda t: t.translate(dict.fromkeys(map(ord, "\t\r\n"), " ")))), plain=list),
    "crowd-votes": Way(judged.votes(CELL)),
    "csv": Way(tables(st.just(TEXT))),
    "effort-scores": Way(judged.efforts()),
    "hmeant": Way(judged.annotations(WORD)),
    "judgement-lines": Way(judged.any_kind(TEXT, WORD).filter(len)),
    "judgement-log": Way(judged.any_kind(TEXT, WORD)),
    "judgement-parquet": Way(judged.any_kind(TEXT, WORD)),
    "judgement-table": Way(judged.any_kind(CELL, WORD)),
    "jsonl": Way(tables(st.just(VALUE), min_rows=1)),
    "mtme": Way(
        sets_of_text(
            LINE,
            ref_names=st.sampled_from(["refA", "refB", "C"]),
            ragged="no",
            by_document=True,
            origlangs=False,
            languages=True,
            name=st.just("value"),
        ),
        replaces=False,
    ),
    "mqm": Way(judged.marked_errors(CELL)),
    "pairwise-ranking": Way(
        judged.rankings(
            TEXT, system=TEXT.filter(lambda name: "+" not in name), full=True, numbered=False, documents=False, least=1
        )
    ),
    "parquet": Way(tables(TYPED)),
    "pearmut-campaign": Way(
        sets_of_text(
            TEXT,
            ragged="no",
            origlangs=False,
            domains=False,
            n_refs=1,
            systems=WORD.filter(lambda name: not name.isdigit()),
            name=WORD.filter(lambda name: name != ".."),
        )
    ),
    "sgm": Way(sets_of_text(TEXT, ragged="documents", by_document=True)),
    "testset-lines": Way(sets_of_text(LINE, ragged="no", name=st.just("value"))),
    "testset-tsv": Way(sets_of_text(CELL)),
    "tmx": Way(bitexts(XML), {"source_lang": "de", "target_lang": "en"}, plain=list),
    "tsv": Way(tables(st.just(CELL))),
    "wmt-ranking": Way(judged.rankings(TEXT, system=NAME)),
    "wmt-xml": Way(sets_of_text(XML, ragged="documents", by_document=True)),
}
BY_TYPE: dict[str, Way] = {
    "Alignments": Way(
        st.lists(LINKS.map(lambda links: Alignment(tuple(links))), max_size=4).map(Alignments), plain=list
    ),
    "Bitext": Way(bitexts(TEXT), plain=list),
    "NBestLists": Way(nbest_lists(), plain=list),
    "ParsedText": Way(
        st.lists(st.lists(WORD, min_size=1, max_size=3).map(Sentence.of), max_size=3).map(ParsedText), plain=list
    ),
    "Records": Way(tables(st.just(TEXT))),
    "TestSet": Way(sets_of_text()),
    "Traces": Way(traces(), plain=list),
    "tuple": Way(st.lists(LINE, max_size=5).map(tuple)),
}

each_format = pytest.mark.parametrize("name", FORMATS.names())
few = examples(20)


def way_of(name: str) -> Way:
    way = BY_NAME.get(name) or BY_TYPE.get(FORMATS.get(name).holds.__name__)
    assert way is not None, f"{name} holds a {FORMATS.get(name).holds.__name__}: give BY_TYPE values of this type"
    return way


def test_a_format_of_a_type_without_values_is_not_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(BY_TYPE, "NBestLists")
    with pytest.raises(AssertionError, match="nbest holds a NBestLists: give BY_TYPE values"):
        case_of("nbest")


def case_of(name: str, *values: Any) -> FormatCase:
    if not FORMATS.get(name).writable:
        return FormatCase(FORMATS.get(name)(), plain=list)  # some read their content when it is asked for
    way = way_of(name)
    return FormatCase(FORMATS.get(name)(**way.options), values, way.plain, way.replaces, not name.endswith("parquet"))


def example(name: str) -> Any:
    """One value that the format can hold, the same every time."""
    examples: list[Any] = []

    @settings(max_examples=1, derandomize=True, database=None, deadline=None)
    @given(way_of(name).values)
    def take(value: Any) -> None:
        examples.append(value)

    take()
    return examples[0]


@each_format
def test_it_keeps_the_contract(name: str) -> None:
    FORMAT.check(case_of(name, *([example(name)] if FORMATS.get(name).writable else [])), name)


@pytest.mark.parametrize("name", [name for name in FORMATS.names() if FORMATS.get(name).writable])
@few
@given(data=st.data())
def test_what_is_written_is_read_back(name: str, data: st.DataObject) -> None:
    round_trip(case_of(name), data.draw(way_of(name).values))


@pytest.mark.parametrize(
    "name", [name for name in FORMATS.names() if FORMATS.get(name).holds is TestSet and FORMATS.get(name).writable]
)
@few
@given(value=sets_of_text(ref_names=WORD | st.sampled_from(["all", "src", "a b"])))
def test_text_is_kept_or_refused_but_never_bent(name: str, value: TestSet) -> None:
    kept_or_refused(case_of(name), value)
