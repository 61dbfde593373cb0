from __future__ import annotations

import copy
import pickle
from dataclasses import FrozenInstanceError
from typing import Any

import pytest

from dragoman.data import TestSet
from dragoman.errors import DataError, UnknownName


def small(**changes: Any) -> TestSet:
    values: dict[str, Any] = {
        "name": "small",
        "source_lang": "de",
        "target_lang": "en",
        "srcs": ["eins", "zwei", "drei"],
        "refs": {"B": ["one", None, "three"], "A": ["One", "Two", "Three"]},
        "systems": {"zeta": ["1", "2", "3"], "alpha": ["uno", "", "tre"]},
        "docs": ["x", "x", "y/2"],
        "origlangs": ["de", "de", None],
        "domains": ["news", "news", "talk"],
    }
    return TestSet(**{**values, **changes})


def refused(**changes: Any) -> str:
    with pytest.raises(DataError) as caught:
        small(**changes)
    return str(caught.value)


def test_order_is_file_order() -> None:
    test_set = small()
    assert list(test_set.refs) == ["B", "A"]
    assert list(test_set.systems) == ["zeta", "alpha"]
    assert len(test_set) == 3
    assert test_set.pair == "de-en"
    assert small(target_lang=None).pair is None


def test_nothing_can_be_changed() -> None:
    lines = ["1", "2", "3"]
    test_set = small(systems={"zeta": lines})
    lines[0] = "changed"
    assert test_set.system("zeta") == ("1", "2", "3")
    with pytest.raises(FrozenInstanceError):
        test_set.name = "other"  # type: ignore[misc]
    with pytest.raises(TypeError):
        test_set.systems["new"] = lines  # type: ignore[index]


def test_streams_of_different_lengths_are_all_named() -> None:
    assert refused(srcs=["eins", "zwei"]) == (
        "Streams must have one line per segment, got srcs=2, refs[B]=3, refs[A]=3, systems[zeta]=3, systems[alpha]=3, "
        "docs=3, origlangs=3, domains=3."
    )


@pytest.mark.parametrize(
    "name", ["", "a/b", "a\\b", "tab\there", "nul\0", " padded", "padded ", "a\nb", "\ufeffx", ".", ".."]
)
def test_what_cannot_be_a_name(name: str) -> None:
    expected = f"{name!r} cannot name a system or reference; use letters, digits, '.', '-' and '_'."
    assert refused(systems={name: ["1", "2", "3"]}) == expected
    assert refused(refs={name: ["1", "2", "3"]}) == expected


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"source_lang": "../de"}, "'../de' is no language code; expected something like 'en' or 'pt-BR'."),
        ({"target_lang": ""}, "'' is no language code; expected something like 'en' or 'pt-BR'."),
        ({"name": "a\tb"}, "'a\\tb' cannot name a test set: it has control characters."),
        ({"srcs": ["a", None, "c"]}, "srcs must hold text; segment 2 is None."),
        ({"systems": {"s": ["a", "b", 3]}}, "systems[s] must hold text; segment 3 is 3."),
        ({"refs": {"r": ["a", b"b", "c"]}}, "refs[r] must hold text; segment 2 is b'b'."),
        ({"srcs": "abc"}, "srcs must be a list of segments, got one string: 'abc'."),
        ({"systems": {"s": "abc"}}, "systems[s] must be a list of segments, got one string: 'abc'."),
        (
            {"systems": {"s": ["a", "b", "c\udc80"]}},
            "systems[s], segment 3 has a lone surrogate, which is no character. Decode it again from its bytes.",
        ),
        ({"docs": ["x", "", "y"]}, "'' in docs is empty or has control characters; give it a name."),
        ({"docs": ["x", None, "y"]}, "docs must hold text; segment 2 is None."),
        ({"domains": ["a\tb", None, None]}, "'a\\tb' in domains is empty or has control characters; give it a name."),
        ({"origlangs": ["", None, None]}, "'' in origlangs is empty or has control characters; give it a name."),
        ({"docs": ["x", "y", "x"]}, "Document 'x' begins again at segment 3; its segments must be consecutive."),
    ],
)
def test_what_is_refused_and_how(changes: dict[str, Any], message: str) -> None:
    assert refused(**changes) == message


def test_text_may_hold_anything_a_file_may() -> None:
    odd = ["\x00", "a\nb", "x" * (1 << 20)]
    assert small(srcs=odd).srcs == tuple(odd)


def test_nothing_but_none_is_no_stream() -> None:
    assert small(origlangs=[None] * 3, domains=[None] * 3).origlangs is None
    assert small(refs={"A": [None] * 3}).refs["A"] == (None, None, None)


def test_an_empty_test_set() -> None:
    assert len(TestSet()) == 0
    assert TestSet().documents() == {}
    assert len(TestSet(srcs=[])) == 0


def test_documents_are_spans() -> None:
    assert small().documents() == {"x": range(2), "y/2": range(2, 3)}
    assert small(docs=None).documents() == {}


def test_names_are_looked_up_with_an_answer() -> None:
    assert small().ref("A")[1] == "Two"
    with pytest.raises(UnknownName) as caught:
        small().system("omega")
    assert str(caught.value) == "The test set 'small' has no system 'omega'. Known: zeta, alpha."
    with pytest.raises(UnknownName, match=r"has no reference 'C'. Known: none."):
        small(refs={}).ref("C")


def test_systems_are_added_but_never_replaced() -> None:
    more = small().with_systems({"beta": ["a", "b", "c"]})
    assert list(more.systems) == ["zeta", "alpha", "beta"]
    assert list(small().systems) == ["zeta", "alpha"]
    with pytest.raises(DataError, match="already has a system called alpha, zeta"):
        small().with_systems({"zeta": [], "alpha": []})
    with pytest.raises(DataError, match=r"systems\[beta\]=1"):
        small().with_systems({"beta": ["a"]})


def test_equal_content_is_equal_and_survives_a_process_border() -> None:
    assert small() == small()
    assert small() != small(name="other")
    assert small() != small(systems={})
    assert pickle.loads(pickle.dumps(small())) == small()
    assert copy.deepcopy(small()) == small()
