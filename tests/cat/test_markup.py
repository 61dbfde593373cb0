"""Inline mark-up as codes, and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.markup import coded, written
from dragoman.cat.segments import plain


@pytest.mark.parametrize(
    "text",
    [
        "no tags",
        "<b>bold</b> and <i>so <b>on</b></i>",
        "a<br>b<br/>c <img src='x' alt=\"y\">",
        "<!-- a <b> --> <?php x ?> <x:y z='1'/>",
        "</b> closed, never opened <i>opened, never closed",
        "<i><b>crossed</i></b>",
        "1 &lt; 2 &amp; 3 &gt; 2",
        "private \ue000 character",
        "<a title='a > b' x=\"c\">here</a> <a don't>",
        "<code>a < b & <b>c</code> <pre>x\n  y</pre> <code>open",
        "<0>see <1/></0> <bold>now</>",
    ],
)
def test_what_was_read_is_written(text: str) -> None:
    assert written(*coded(text)) == text


def test_pairs_are_found_by_name() -> None:
    text, codes = coded("<b>a <br> <i>b</i></b> </u>")
    assert plain(text) == "a  b "
    assert [(code.kind, code.shown) for code in codes] == [
        ("open", "b"),
        ("alone", "br"),
        ("open", "i"),
        ("close", "i"),
        ("close", "b"),
        ("alone", "u"),
    ]
    assert codes[0].pair == codes[4].pair != codes[2].pair


def test_numbers_are_names_of_tags() -> None:
    text, codes = coded("<0>see <1/></0> and 1 &lt; 2")
    assert (plain(text), [code.kind for code in codes]) == ("see  and 1 < 2", ["open", "alone", "close"])


def test_entities_are_characters_for_the_engine() -> None:
    assert coded("Tom &amp; Jerry &eacute;")[0] == "Tom & Jerry é"


def test_code_and_what_says_so_is_kept_whole() -> None:
    text, codes = coded(
        "<p>Run <code>rm <b>-rf</b> a&lt;b</code></p><script>if (a < b) run();</script>"
        '<i translate="no">a <i>b</i> c</i> <b class="x notranslate">d</b> <b class="translate">e</b>'
    )
    assert plain(text) == "Run   e"
    assert [code.text for code in codes[1:6:2]] == [
        "<code>rm <b>-rf</b> a&lt;b</code>",
        "<script>if (a < b) run();</script>",
        '<b class="x notranslate">d</b>',
    ]
    assert codes[4].text == '<i translate="no">a <i>b</i> c</i>'


@given(st.text(st.sampled_from("<>/ab= \"'!-\ue001&;"), max_size=30))
def test_nothing_is_lost_of_any_text(text: str) -> None:
    body, codes = coded(text)
    assert coded(written(body, codes))[0] == body
