"""Texts that hypothesis draws: words that repeat, punctuation, white space of all kinds, and anything Unicode has."""

from __future__ import annotations

from hypothesis import strategies as st

WORDS = [
    "the",
    "The",
    "cat",
    "cat.",
    "(hi)",
    "a",
    "1,000.5",
    "-",
    "...",
    "d'accord",
    "Straße",
    "ΣΑΣ",
    "İ",
    "日本",
    "、",
    "é",
]
SPACES = [" ", "  ", "\t", "\u00a0", "\u3000", "\u2028", "\x1c", "\n"]

# Surrogates are no characters; they have a test of their own.
anything = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
sentence = st.lists(st.sampled_from(WORDS) | anything, max_size=12).flatmap(
    lambda words: st.lists(st.sampled_from(SPACES), min_size=len(words), max_size=len(words)).map(
        lambda spaces: "".join(part for pair in zip(words, spaces, strict=True) for part in pair)
    )
)


@st.composite
def corpora(draw: st.DrawFn, max_refs: int = 3, ragged: bool = True):
    """Hypotheses and references, some of them perhaps missing, at least one for each segment."""
    n = draw(st.integers(1, 4))
    n_refs = draw(st.integers(1, max_refs))
    hyps = draw(st.lists(sentence, min_size=n, max_size=n))
    item = sentence | st.none() if ragged else sentence
    first = draw(st.lists(sentence, min_size=n, max_size=n))
    rest = [draw(st.lists(item, min_size=n, max_size=n)) for _ in range(n_refs - 1)]
    return hyps, [first, *rest]
