"""French tokens as they match English ones: the test vectors of the CMU-Avenue system (WMT 2012)."""

from __future__ import annotations

import pytest

from dragoman.smt import Preparation, TextSide
from dragoman.text import MosesTokeniser
from dragoman.text.french import join_french, split_french, without_accents


@pytest.mark.parametrize(
    ("line", "tokens"),
    [
        ("Y a-t-il un collègue pour prendre la parole", "Y a -t-il un collègue pour prendre la parole"),
        (
            "Peut-être , à ce sujet , puis-je dire à M. Ribeiro i Castro",
            "Peut-être , à ce sujet , puis -je dire à M. Ribeiro i Castro",
        ),
        ("le procès-verbal de la séance d' aujourd' hui", "le procès-verbal de la séance d' aujourd'hui"),
        ("s' établit environ à 1,2 % du PIB", "s' établit environ à 1.2 % du PIB"),
        ("un rendez-vous", "un rendez-vous"),  # a noun
        ("A-T-ELLE dit", "A -T-ELLE dit"),
        ("1,2,3", "1,2,3"),  # no number
        ("", ""),
    ],
)
def test_published_vectors(line: str, tokens: str) -> None:
    assert split_french(line) == tokens
    assert split_french(tokens) == tokens
    if "aujourd" not in line:
        assert join_french(tokens) == line


@pytest.mark.parametrize(
    ("word", "plain"),
    [
        ("pré-électoral", "pre-electoral"),
        ("mosaïque", "mosaique"),
        ("déragulation", "deragulation"),
        ("cœur", "coeur"),
        ("plain", "plain"),
    ],
)
def test_published_cognates(word: str, plain: str) -> None:
    assert without_accents(word) == plain


def test_raw_french_by_a_recipe() -> None:
    text = "Puis-je parler de l'accord d'aujourd'hui ? Il vaut 1,2 %."
    side = TextSide("fr", Preparation(french=True))
    (tokens,) = side.tokenise([text])
    assert tokens == "Puis -je parler de l' accord d' aujourd'hui ? Il vaut 1.2 % ."
    assert side.restore([tokens]) == [text]
    assert TextSide("en", Preparation(french=True)).tokenise(["Puis-je"]) == ["Puis-je"]  # rules of French alone
    plain = MosesTokeniser(lang="fr", escape=False).tokenise([text])
    assert TextSide("fr", Preparation()).tokenise([text]) == plain
