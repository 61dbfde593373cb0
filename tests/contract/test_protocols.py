"""Every protocol of the registry keeps the contract of protocols, shown on its example."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.human.draws import Draws
from dragoman.testing.protocols import PROTOCOL, ProtocolCase, refused_or_taken
from tests.human.protocol_examples import NAMES, example

each_protocol = pytest.mark.parametrize("name", NAMES)


def case_of(name: str) -> ProtocolCase:
    manifest = example(name)
    protocol, test_set = manifest.protocol, manifest.test_set
    if name == "comprehension":  # everybody hears a passage in one condition, which is one item, whoever hears it
        return ProtocolCase(protocol, test_set, people_each=len(test_set.systems), shared_ids=True)
    if name == "hmeant":  # a degraded sentence has fewer frames: who links them at random falls with it
        return ProtocolCase(protocol, test_set, verdict="contradictory")
    return ProtocolCase(protocol, test_set)


@each_protocol
def test_it_keeps_the_contract(name: str) -> None:
    PROTOCOL.check(case_of(name), name)


junk: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        st.text(max_size=20),
        st.sampled_from(["\ud800", "\x00", "A", "tie", "yes", 10**30, -1, 10**6, float("nan")]),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=8), inner, max_size=4)),
    max_leaves=12,
)


@each_protocol
def test_hostile_answers_are_refused_by_name(name: str) -> None:
    protocol, items = case_of(name).items()

    @given(st.data())
    def run(data: st.DataObject) -> None:
        item = data.draw(st.sampled_from(items))
        fields = [*protocol.simulate(item, Draws(1, "fields"), 1.0), "spans", "x"]
        answer = data.draw(st.one_of(junk, st.dictionaries(st.sampled_from(fields), junk, max_size=4)))
        refused_or_taken(protocol, item, answer)

    run()


@each_protocol
def test_answers_with_one_wrong_part_are_refused_by_name(name: str) -> None:
    protocol, items = case_of(name).items()

    @given(st.data())
    def run(data: st.DataObject) -> None:
        item = data.draw(st.sampled_from(items))
        answer = protocol.simulate(item, Draws(data.draw(st.integers(0, 50)), "said"), 1.0)
        refused_or_taken(protocol, item, spoilt(answer, data))

    run()


def spoilt(value: Any, data: st.DataObject) -> Any:
    """The value with something else somewhere inside."""
    if isinstance(value, dict) and value and data.draw(st.booleans()):
        key = data.draw(st.sampled_from(sorted(value)))
        return {**value, key: spoilt(value[key], data)}
    if isinstance(value, list) and value and data.draw(st.booleans()):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], spoilt(value[place], data), *value[place + 1 :]]
    return data.draw(junk)
