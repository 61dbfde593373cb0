"""Inline codes through machine translation."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.projection import project, spoken
from dragoman.cat.segments import Code, code_char, code_place, plain
from dragoman.cat.translating import translate_with_codes
from dragoman.engines import Translates
from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN

BOLD = (Code("<b>", "open", "1"), Code("</b>", "close", "1"))
BREAK = Code("<br/>")


def written(text: str, codes: tuple[Code, ...]) -> str:
    return "".join(char if (place := code_place(char)) is None else codes[place].text for char in text)


def marked(text: str, codes: tuple[Code, ...]) -> str:
    """Text in which `[k]` stands for the k-th code."""
    for place in range(len(codes)):
        text = text.replace(f"[{place}]", code_char(place))
    return text


@pytest.mark.parametrize(
    ("source", "codes", "target", "links", "expected"),
    [
        ("Das [0]rote[1] Haus", BOLD, "the red house", "0-0 1-1 2-2", "the <b>red</b> house"),
        ("la [0]casa roja[1] .", BOLD, "the red house .", "0-0 1-2 2-1 3-3", "the <b>red house</b> ."),
        ("[0]Das Haus[1]", BOLD, "the house", "0-0 1-1", "<b>the house</b>"),
        ("erste[0] zweite", (BREAK,), "second first", "0-1 1-0", "second first<br/>"),
        ("erste [0]zweite", (BREAK,), "second first", "0-1 1-0", "<br/>second first"),
        ("Haus[0]", (BREAK,), "a house", "0-1", "a house<br/>"),
        ("[0]Haus", (BREAK,), "a house", "0-1", "<br/>a house"),
        ("a [0][1] b", BOLD, "A B", "0-0 1-1", "A <b></b>B"),
    ],
)
def test_codes_follow_their_words(source: str, codes: tuple[Code, ...], target: str, links: str, expected: str) -> None:
    source = marked(source, codes)
    alignment = tuple((int(s), int(t)) for s, t in (link.split("-") for link in links.split()))
    candidate = Candidate(target, None, spoken(source, codes), target, alignment)
    assert written(project(source, codes, candidate), codes) == expected


def test_pairs_whose_translations_cross_do_not() -> None:
    codes = (*BOLD, Code("<i>", "open", "2"), Code("</i>", "close", "2"))
    source = marked("[0]a b[1] [2]c d[3]", codes)
    candidate = Candidate("w x y z", None, "a b c d", "w x y z", ((0, 0), (1, 2), (2, 1), (3, 3)))
    assert written(project(source, codes, candidate), codes) == "<b>w x y</b><i> z</i>"


def test_a_code_alone_keeps_words_apart_and_a_pair_does_not() -> None:
    assert spoken(marked("one.[0]two", (BREAK,)), (BREAK,)) == "one. two"
    assert spoken(marked("[0]H[1]allo", BOLD), BOLD) == "Hallo"


def test_an_engine_that_tells_no_links_gets_codes_by_place() -> None:
    source = marked("one [0]two[1] three", BOLD)
    assert written(project(source, BOLD, Candidate("eins zwei drei")), BOLD) == "eins <b>zwei</b> drei"


def test_without_a_translation_the_codes_are_all_that_is_left() -> None:
    assert written(project(marked("a [0]b[1]", BOLD), BOLD, Candidate("")), BOLD) == "<b></b>"


def test_an_engine_translates_around_the_codes() -> None:
    class Loud(Translates):
        languages = ("de", "en")

        def translations(
            self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1
        ) -> list[Translation]:
            assert not request.alignment  # which it does not tell
            return [Translation(line, (Candidate(line.upper()),) if line else ()) for line in lines]

    segments = [(marked("ein [0]Haus[1]", BOLD), BOLD), (code_char(0), (BREAK,)), ("", ())]
    texts = translate_with_codes(Loud(), segments)
    assert [written(*each) for each in zip(texts, (BOLD, (BREAK,), ()), strict=True)] == [
        "EIN <b>HAUS</b>",
        "<br/>",
        "",
    ]


@st.composite
def _cases(draw: st.DrawFn) -> tuple[str, tuple[Code, ...], Candidate]:
    pieces = draw(st.lists(st.sampled_from(["ein ", "Haus ", "und", " ", "(", ")", "x"]), max_size=14))
    codes: list[Code] = []
    source: list[str] = []
    stack: list[str] = []
    for piece in pieces:
        if piece == "(":
            stack.append(str(len(codes)))
            codes.append(Code("<g>", "open", stack[-1]))
        elif piece == ")":
            codes.append(Code("</g>", "close", stack.pop() if stack else "none"))
        elif piece == "x":
            codes.append(Code("<x/>"))
        source.append(code_char(len(codes) - 1) if piece in ("(", ")", "x") else piece)
    words = draw(st.lists(st.sampled_from(["a", "house", "and"]), max_size=8))
    n = len(spoken("".join(source), codes).split())
    link = st.tuples(st.integers(0, max(n - 1, 0)), st.integers(0, max(len(words) - 1, 0)))
    links = tuple(draw(st.lists(link, max_size=8))) if n and words else ()
    text = " ".join(words)
    return "".join(source), tuple(codes), Candidate(text, None, spoken("".join(source), codes), text, links)


@given(_cases())
def test_every_code_survives_and_pairs_stay_well_formed(case: tuple[str, tuple[Code, ...], Candidate]) -> None:
    source, codes, candidate = case
    text = project(source, codes, candidate)
    assert plain(text) == candidate.text
    places = [place for char in text if (place := code_place(char)) is not None]
    assert sorted(places) == list(range(len(codes)))
    partners = {code.pair for code in codes if code.kind == "close"} & {c.pair for c in codes if c.kind == "open"}
    stack: list[str] = []
    for place in places:
        code = codes[place]
        if code.pair not in partners or code.kind == "alone":
            continue
        if code.kind == "open":
            stack.append(code.pair)
        else:
            assert stack.pop() == code.pair
    assert not stack


@pytest.mark.parametrize(
    ("tokens", "expected"),
    [
        ("see room , and room .", "Zimmer, und \ue000Zimmer\ue001."),  # a related word in the place of an unknown one
        ("see roo ms , and rooms .", "Zimmer, und \ue000Zimmer\ue001."),
        ("see rooms , and rooms .", "Zimmer, und \ue000Zimmer\ue001."),
    ],
)
def test_a_word_that_the_engine_heard_as_another_moves_no_code(tokens: str, expected: str) -> None:
    codes = (Code("<b>", "open", "1"), Code("</b>", "close", "1"))
    shift = len(tokens.split()) - 6
    links = ((1, 0), (2 + shift, 1), (3 + shift, 2), (4 + shift, 3), (5 + shift, 4))
    said = Candidate(
        "Zimmer, und Zimmer.", source_tokens=tokens, target_tokens="Zimmer , und Zimmer .", alignment=links
    )
    assert project("See rooms, and \ue000rooms\ue001.", codes, said) == expected


def test_tokens_of_another_text_altogether_move_no_code_out_of_it() -> None:
    for tokens in ("", "x", "!", "a b c d e f g"):
        said = Candidate("ja nein", source_tokens=tokens, target_tokens=tokens, alignment=((0, 0),))
        assert (
            plain(project("\ue000yes\ue001 no", (Code("<b>", "open", "1"), Code("</b>", "close", "1")), said))
            == "ja nein"
        )
