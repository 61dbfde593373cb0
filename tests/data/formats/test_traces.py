"""Traces of decoders: our format, and what is read of Moses' files."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from dragoman.data import FORMATS, GraphSummary, Spread, Trace, Traces, joined_traces
from dragoman.data.decoder_output import segmented
from dragoman.data.nbest import Candidate
from dragoman.errors import DataError, FormatError

TRACE = Trace(
    "Das Haus",
    ("the house", "house"),
    (-1.5, -2.0),
    ({"lm": (-1.0,), "table": (-0.5, 0.0)},),
    ((0, 2, 0, 2),),
    ((0, 0), (1, 1)),
    "das Haus",
    GraphSummary(5, 2, 6, 9, 12, {"lm": Spread(-1.0, 4.0, -3.0, 1.0)}),
)

# The words of Moses' manual in its two forms; hypothesis 4 lost to 3, 5 leads nowhere.
PLAIN = """\
0 hyp=0 stack=0 forward=3 fscore=-3
0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-3 covered=0-0 out=the
0 hyp=5 stack=1 back=0 score=-9 transition=-9 forward=-1 fscore=-9 covered=1-1 out=home
0 hyp=3 stack=2 back=1 score=-3 transition=-2 forward=-1 fscore=-3 covered=1-1 out=house
0 hyp=4 stack=2 back=0 score=-4 transition=-4 recombined=3 forward=-1 fscore=-4 covered=0-1 out=the big=house
2 hyp=0 stack=0
"""
EXTENDED = """\
0 hyp=0 stack=0 forward=3 fscore=-3
0 hyp=1 stack=1 back=0 score=-1 transition=-1 forward=3 fscore=-3 covered=0-0 scores="LM0= -1 TM0= -2 -3" out="das|the"
0 hyp=3 stack=2 back=1 score=-3 transition=-2 forward=-1 fscore=-3 covered=1-1 scores="LM0= -3 TM0= 0 -1" out="H|house"
"""


def write(folder: Path, text: str, name: str = "graph.osg") -> Path:
    (folder / name).write_text(text, encoding="utf-8")
    return folder / name


def test_a_trace_is_a_line_of_json(tmp_path: Path) -> None:
    form = FORMATS.make("trace")
    form.write(Traces([TRACE, Trace("nichts")]), tmp_path / "a.trace.gz")
    first, second = gzip.decompress((tmp_path / "a.trace.gz").read_bytes()).decode().splitlines()
    told = json.loads(first)
    assert list(told) == ["source", "tokens", "nbest", "phrases", "links", "graph"]
    assert told["nbest"][0] == {"text": "the house", "score": -1.5, "features": {"lm": [-1.0], "table": [-0.5, 0.0]}}
    assert told["nbest"][1] == {"text": "house", "score": -2.0}
    assert told["graph"]["spreads"] == {"lm": [-1.0, 4.0, -3.0, 1.0]}
    assert json.loads(second) == {"source": "nichts", "nbest": []}
    assert list(form.read(tmp_path / "a.trace.gz")) == [TRACE, Trace("nichts")]
    assert TRACE.best == "the house"
    assert TRACE.graph is not None
    assert TRACE.graph.spreads["lm"].deviation == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "this is no JSON"),
        ('{"source":' * 100_000, "lists or objects stand more than 100 deep"),
        ('{"source": ' + "9" * 5000 + "}", "a whole number of 5000 digits is beyond 64 bits"),
        ("[]", "expected an object with the trace of a sentence"),
        ("{}", "a trace needs its source, a string"),
        ('{"source": "a", "n-best": []}', "a trace has no field 'n-best'; known: forced, graph, links, nbest"),
        ('{"source": "a", "nbest": [1]}', "nbest is a list of objects with text and score"),
        ('{"source": "a", "nbest": [{"score": 1}]}', "the text of a translation is None; expected a string"),
        ('{"source": "a", "nbest": [{"text": "b"}]}', "the score of a translation is None; expected a number"),
        ('{"source": "a", "nbest": [{"text": "b", "score": NaN}]}', "NaN is no number of JSON"),
        (
            '{"source": "a", "nbest": [{"text": "b", "score": 1}, {"text": "b", "score": 1, "features": {}}]}',
            "one is left out between",
        ),
        ('{"source": "a", "nbest": [{"text": "b", "score": 1, "features": []}]}', "expected lists of numbers by name"),
        ('{"source": "a", "tokens": 1}', "tokens is a string"),
        ('{"source": "a", "phrases": [[0, 1, 0]]}', "expected source begin, source end, target begin, target end"),
        ('{"source": "a", "phrases": [[1, 0, 0, 1]]}', "A phrase begins before it ends"),
        ('{"source": "a", "phrases": 1}', "phrases is 1; expected a list"),
        ('{"source": "a", "forced": {}}', "forced has output, score and artificial"),
        (
            '{"source": "a", "forced": {"output": "b", "score": 1, "artificial": -1}}',
            "artificial words are -1; expected a whole number",
        ),
        ('{"source": "a", "links": 1}', "links is 1; expected a string such as"),
        ('{"source": "a", "graph": 1}', "graph is 1; expected counts by name"),
        ('{"source": "a", "graph": {"nodes": 1, "dead": 0}}', "arcs of the graph is None; expected a whole number"),
        ('{"source": "a", "graph": {"nodes": 1, "dead": 2, "arcs": 0}}', "1 nodes cannot have 2 dead ones"),
        (
            '{"source": "a", "graph": {"nodes": 1, "dead": 0, "arcs": 0, "spreads": {"lm": [1]}}}',
            "the spread of 'lm' has 1 numbers; expected mean, variance, least, most",
        ),
    ],
)
def test_a_broken_trace_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, f'{{"source": "fine"}}\n{line}\n', "a.trace")
    with pytest.raises(FormatError, match=message) as caught:
        list(FORMATS.make("trace").read(path))
    assert caught.value.line == 2


def test_what_is_no_trace_is_no_trace() -> None:
    with pytest.raises(DataError, match="1 translations have 0 scores"):
        Trace("a", ("b",))
    with pytest.raises(DataError, match="1 translations have the features of 2"):
        Trace("a", ("b",), (1.0,), ({}, {}))
    with pytest.raises(DataError, match="must be finite"):
        Trace("a", ("b",), (float("inf"),))


def test_a_search_graph_gives_the_best_way_and_counts(tmp_path: Path) -> None:
    first, second, third = FORMATS.make("moses-graph").read(write(tmp_path, PLAIN))
    assert first.texts == ("the house",)
    assert first.scores == (-3.0,)
    assert first.phrases == ((0, 1, 0, 1), (1, 2, 1, 2))
    assert first.features == ()
    assert first.graph is not None
    # Nodes: the beginning, 1, 3 (with 4) and the dead 5.
    assert (first.graph.nodes, first.graph.dead, first.graph.arcs) == (4, 1, 3)
    assert first.graph.spreads["score"] == Spread(pytest.approx(-7 / 3), pytest.approx(14 / 9), -4.0, -1.0)  # type: ignore[arg-type]
    assert second == Trace("")  # the decoder found nothing for segment 1
    assert third.texts == ()
    assert third.graph == GraphSummary(1, 0, 0)


def test_an_extended_search_graph_has_scores(tmp_path: Path) -> None:
    (found,) = FORMATS.make("moses-graph").read(write(tmp_path, EXTENDED, "graph.osgx"))
    assert found.texts == ("the house",)
    assert found.features == ({"LM0": (-4.0,), "TM0": (-2.0, -4.0)},)
    assert found.graph is not None
    assert found.graph.spreads["LM0"] == Spread(-2.0, 1.0, -3.0, -1.0)
    assert found.graph.spreads["TM0.2"] == Spread(-2.0, 1.0, -3.0, -1.0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("x hyp=0", "the segment is 'x'; expected a whole number"),
        ("9" * 5000 + " hyp=0", "the segment is '9{40}'; expected a whole number"),
        ("0 hyp=" + "9" * 5000, "hyp is '9{40}'; expected a whole number"),
        ("0 hyp=1 stack=1 back=0 covered=0-" + "9" * 5000, "hypothesis 1 covers '0-9{38}'"),
        ("0 hyp=1 stack=1 back=0 covered=²-²", "hypothesis 1 covers '²-²'"),
        ("0 hyp=0", "a hypothesis needs stack="),
        ("0 hyp=1 stack=1 covered=0-0", "hypothesis 1 does not say what it goes on from"),
        ("0 hyp=1 stack=1 back=0 covered=0", "hypothesis 1 covers '0'; expected first-last source word"),
        ("0 hyp=1 stack=1 back=0 covered=0-0 transition=x", "the transition 'x'; expected a number"),
        ("0 hyp=a stack=1", "hyp is 'a'; expected a whole number"),
        ("0 nonsense", "found 'nonsense'; expected fields such as hyp=1"),
    ],
)
def test_a_broken_search_graph_is_refused_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    path = write(tmp_path, f"0 hyp=0 stack=0\n{line}\n")
    with pytest.raises(FormatError, match=message) as caught:
        list(FORMATS.make("moses-graph").read(path))
    assert caught.value.line == 2


def test_a_search_graph_hangs_together(tmp_path: Path) -> None:
    read = FORMATS.make("moses-graph").read
    arc = "transition=-1 covered=0-0 out=a"
    with pytest.raises(FormatError, match="hypothesis 2 goes on from 1, which is not in the graph"):
        list(read(write(tmp_path, f"0 hyp=0 stack=0\n0 hyp=2 stack=1 back=1 {arc}\n")))
    with pytest.raises(FormatError, match="hypothesis 2 is there twice"):
        list(read(write(tmp_path, f"0 hyp=0 stack=0\n0 hyp=2 stack=1 back=0 {arc}\n0 hyp=2 stack=1 back=0 {arc}\n")))
    with pytest.raises(FormatError, match="hypothesis 1 covers no more words than hypothesis 2"):
        list(read(write(tmp_path, f"0 hyp=0 stack=0\n0 hyp=1 stack=1 back=2 {arc}\n0 hyp=2 stack=1 back=0 {arc}\n")))
    with pytest.raises(FormatError, match=r"osg:2: the segment is 4294967296, but 4294967295 segments before"):
        list(read(write(tmp_path, "0 hyp=0 stack=0\n4294967296 hyp=0 stack=0\n")))
    with pytest.raises(FormatError, match="segment 0 comes after segment 1"):
        list(read(write(tmp_path, "1 hyp=0 stack=0\n0 hyp=0 stack=0\n")))


def test_phrases_of_an_n_best_list_are_found() -> None:
    assert segmented(Candidate("the house |0-1| is small |2-3|")) == (
        "the house is small",
        ((0, 2, 0, 2), (2, 4, 2, 4)),
        (),
    )
    assert segmented(Candidate("the house", alignment="0-0 1-1")) == ("the house", (), ((0, 0), (1, 1)))
    assert segmented(Candidate("the house is", alignment="2=2 0-1=0-1")) == (
        "the house is",
        ((0, 2, 0, 2), (2, 3, 2, 3)),
        (),
    )
    assert segmented(Candidate("a |b| c")) == ("a |b| c", (), ())


def test_lists_and_graphs_are_joined(tmp_path: Path) -> None:
    lists = write(
        tmp_path, "0 ||| the |0-0| house |1-1| ||| LM0= -4 ||| -3\n0 ||| house |0-1| ||| LM0= -5 ||| -4\n", "n.nbest"
    )
    nbest, graph = FORMATS.make("nbest"), FORMATS.make("moses-graph")
    sources = ["das Haus", "nichts", "leer"]
    joined = list(joined_traces(sources, nbest.read(lists), graph.read(write(tmp_path, PLAIN))))
    assert [each.source for each in joined] == sources
    assert joined[0].texts == ("the house", "house")
    assert joined[0].features == ({"LM0": (-4.0,)}, {"LM0": (-5.0,)})
    assert joined[0].phrases == ((0, 1, 0, 1), (1, 2, 1, 2))
    assert joined[0].graph is not None
    assert joined[0].graph.nodes == 4
    assert joined[1] == Trace("nichts")
    alone = list(joined_traces(sources, None, graph.read(write(tmp_path, PLAIN))))
    assert alone[0].texts == ("the house",)
    with pytest.raises(DataError, match="there are neither"):
        next(joined_traces(sources))
    with pytest.raises(DataError, match="have a segment 0, counted from 0; there are 0 sources"):
        list(joined_traces([], nbest.read(lists)))
    with pytest.raises(DataError, match="search graphs of 3 sentences for 1 sources"):
        list(joined_traces(["a"], None, graph.read(write(tmp_path, PLAIN))))
