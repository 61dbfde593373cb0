"""Confusion networks: the figure of the paper, its text form, agreement."""

from __future__ import annotations

import math

import pytest

from dragoman.combine.batch import Batch
from dragoman.combine.network import Network
from dragoman.combine.recipe import ALIGNMENTS, CombineRecipe
from dragoman.errors import DataError

# Rosti et al., WMT 2012, Figure 2.
FIGURE = """\
J=0 S=0 E=1 SC=(1,1,0) W=twelve
J=1 S=0 E=1 SC=(0,0,1) W=dozen
J=2 S=1 E=2 SC=(1,0,0) W=big
J=3 S=1 E=2 SC=(0,1,1) W=NULL
J=4 S=2 E=3 SC=(1,0,1) W=blue
J=5 S=2 E=3 SC=(0,1,0) W=NULL
J=6 S=3 E=4 SC=(1,1,1) W=cars
"""
SYSTEMS = {"a": ["twelve big blue cars"], "b": ["twelve cars"], "c": ["dozen blue cars"]}


@pytest.mark.parametrize("align", ["iter", "iterp", "itg", "ihmm"])
def test_the_network_of_figure_2_byte_for_byte(align: str) -> None:
    batch = Batch(SYSTEMS, CombineRecipe(align=align, lang="en"))
    assert batch.network(0, 0).write() == FIGURE


def test_what_is_written_is_read() -> None:
    network = Network.read(FIGURE)
    assert network.write() == FIGURE
    odd = Network((("NULL", None), ("\\NULL", "x")), 2)
    assert Network.read(odd.write()) == odd


def test_agreement_of_figure_2() -> None:
    network = Network.read(FIGURE)
    assert network.n_paths == 8
    agreement = network.agreement()
    assert (agreement.words, agreement.nulls) == ((2, 2, 1), (1, 1, 0))
    assert agreement.weak_strong == ((2, 3), (1, 1))


def test_scores_of_paths_of_figure_2() -> None:
    network = Network.read(FIGURE)
    assert network.score(["twelve", None, "blue", "cars"]) == pytest.approx(3 * math.log(2 / 3))
    assert f"{network.score(['twelve', None, 'blue', 'cars']):.4f}" == "-1.2164"
    assert f"{network.score(['twelve', 'big', 'blue', 'cars']):.4f}" == "-1.9095"
    with pytest.raises(DataError, match="Link 2 has no arc red"):
        network.score(["twelve", "red", "blue", "cars"])
    with pytest.raises(DataError, match="an arc in each of 4 links, got 1"):
        network.score(["twelve"])


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("J=0 S=0 E=1 W=a", "Line 1 is no arc"),
        ("J=0 S=0 E=2 SC=(1,1) W=a", "from a node to the next"),
        ("J=0 S=1 E=2 SC=(1,1) W=a", "from a node to the next"),
        ("J=0 S=0 E=1 SC=(1,0) W=a\nJ=1 S=0 E=1 SC=(1,1) W=b", "Line 2: every system has one arc"),
        ("J=0 S=0 E=1 SC=(1,0) W=a", "some have none"),
        ("J=0 S=0 E=1 SC=(0,0) W=a", "Line 1: every system has one arc"),
    ],
)
def test_a_damaged_network_is_named(text: str, problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        Network.read(text)


@pytest.mark.parametrize("align", ALIGNMENTS)
def test_empty_outputs_make_networks(align: str) -> None:
    batch = Batch({"a": ["", "x y", ""], "b": ["z", "x y", ""]}, CombineRecipe(align=align))
    assert [batch.network(0, s).links for s in (0, 1)] == [((None, "z"),), ((None, "z"),)]
    assert batch.network(2, 0).links == ()
    if align != "hmm":  # which learns from three lines that nothing is certain
        assert batch.network(1, 0).links == (("x", "x"), ("y", "y"))
