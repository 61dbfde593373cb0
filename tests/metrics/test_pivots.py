"""Tables of pivots: the paper's example, the definitions by enumeration, what is saved, and what is refused."""

from __future__ import annotations

import itertools
from collections import defaultdict
from math import log
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman import _core
from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError
from dragoman.metrics.pivots import PivotSettings, PivotTable, resource_digest
from dragoman.smt.pivots import PivotRecipe
from dragoman.text import Vocabulary
from tests.metrics.pivot_tables import Phrases, table_of

GREETINGS: Phrases = {
    "Hello ,": (1, {"Bonjour ,": 0.9, "Salut ,": 0.1}),
    ".": (1, {".": 1.0}),
    "Morning , sir .": (1, {"Bonjour , monsieur .": 1.0}),
}


def bag(table: PivotTable, text: str, order: int = 4, least: float = 0.0) -> dict[str, float]:
    """The n-grams of a sentence in words, each with its weight."""
    vocabulary = table.words.thawed()
    ids = vocabulary.ids(text.split())
    names = [*(word for word, *_ in table.kinds), *vocabulary.words()]
    return {
        " ".join(names[token] for token in gram): weight
        for gram, weight in table.core.bag(ids, order=order, least=least).items()
    }


def cut(table: PivotTable, text: str) -> list[str]:
    words = text.split()
    return [" ".join(words[a:b]) for a, b in table.core.cut(table.words.thawed().ids(words))]


def test_the_example_of_emnlp10() -> None:
    table = table_of(GREETINGS)
    assert cut(table, "Hello , Querrien .") == ["Hello ,", "Querrien", "."]
    ours, theirs = bag(table, "Hello , Querrien ."), bag(table, "Morning , sir .")
    assert ours == {
        each: pytest.approx(weight)
        for weight, names in (
            (0.9, ["Bonjour", "Bonjour ,", "Bonjour , Querrien", "Bonjour , Querrien ."]),
            (0.1, ["Salut", "Salut ,", "Salut , Querrien", "Salut , Querrien ."]),
            (1.0, [",", "Querrien", ".", ", Querrien", "Querrien .", ", Querrien ."]),
        )
        for each in names
    }
    assert (sum(ours.values()), sum(theirs.values())) == (pytest.approx(10), pytest.approx(10))
    shared = sum(min(weight, theirs.get(gram, 0.0)) for gram, weight in ours.items())
    assert 2 * shared / 20 == pytest.approx(0.38), "F1"
    assert "Salut" not in bag(table, "Hello , Querrien .", least=0.1)


def random_table(rng: np.random.Generator) -> Phrases:
    def phrase(letters: str, longest: int) -> str:
        return " ".join(rng.choice(list(letters), size=rng.integers(1, longest + 1)))

    def translations() -> dict[str, float]:
        found = {phrase("wxyz", 3): 0.0 for _ in range(rng.integers(1, 4))}
        shares = rng.dirichlet(np.ones(len(found)))
        return {target: float(max(share, 1e-3)) for target, share in zip(found, shares, strict=True)}

    return {phrase("abc", 3): (float(rng.integers(1, 9)), translations()) for _ in range(8)}


def every_cut(words: list[str], phrases: Phrases) -> list[list[str]]:
    """All cuts into phrases and single words."""
    if not words:
        return [[]]
    return [
        [" ".join(words[:n]), *rest]
        for n in range(1, len(words) + 1)
        if n == 1 or " ".join(words[:n]) in phrases
        for rest in every_cut(words[n:], phrases)
    ]


def test_cut_and_bag_are_what_enumeration_gives() -> None:
    rng = np.random.default_rng(5)
    for _ in range(60):
        phrases = random_table(rng)
        table = table_of(phrases)
        words = rng.choice(list("abcd"), size=rng.integers(1, 8)).tolist()
        total = sum(count for count, _ in phrases.values())

        def chance(pieces: list[str], phrases: Phrases = phrases, total: float = total) -> float:
            return sum(log((phrases[piece][0] if piece in phrases else 0.5) / total) for piece in pieces)

        pieces = cut(table, " ".join(words))
        assert chance(pieces) == pytest.approx(max(map(chance, every_cut(words, phrases))))
        slots = [list(phrases[piece][1].items()) if piece in phrases else [(piece, 1.0)] for piece in pieces]
        expected: defaultdict[str, float] = defaultdict(float)
        # All paths through all runs of phrases: an n-gram counts for the run whose first and last phrase it touches.
        for begin in range(len(slots)):
            for end in range(begin + 1, len(slots) + 1):
                for path in itertools.product(*slots[begin:end]):
                    parts = [text.split() for text, _ in path]
                    inner = sum(map(len, parts[1:-1])) if len(parts) > 1 else 0
                    weight = float(np.prod([p for _, p in path]))
                    tokens = [token for part in parts for token in part]
                    for first in range(len(parts[0])):
                        for n in range(1, 4):
                            last = first + n
                            if len(parts[0]) + inner < last <= len(tokens) or (len(parts) == 1 and last <= len(tokens)):
                                expected[" ".join(tokens[first:last])] += weight
        assert bag(table, " ".join(words), order=3) == {gram: pytest.approx(w) for gram, w in expected.items()}


def test_of_equal_cuts_the_one_of_fewer_and_earlier_longer_phrases() -> None:
    phrases: Phrases = {each: (1.0, {"x": 1.0}) for each in ("a", "b", "c", "a b", "b c")}
    assert cut(table_of(phrases), "a b c") == ["a b", "c"]
    assert cut(table_of({"a": (4, {"x": 1.0}), "b": (4, {"x": 1.0}), "a b": (2, {"x": 1.0})}), "a b") == ["a b"]


def test_rows_match_by_lemma_and_by_tag() -> None:
    phrases: Phrases = {
        "cat": (1, {"chat/N": 1.0}),
        "cats": (1, {"chats/N": 1.0}),
        "the": (1, {"le/D": 1.0}),
        "runs": (1, {"court/V": 1.0}),
    }
    table = table_of(phrases, function_words=("le/D",))
    words = table.words.words()
    lemmas = [lemma.removesuffix("s") for _, lemma, _, _ in table.kinds]
    lexicon = {
        "lemmas": Vocabulary().ids([*lemmas, *words]),
        "tags": Vocabulary().ids([*(tag for _, _, tag, _ in table.kinds), *words]),
        "function_words": np.concatenate([table.flags, np.zeros(len(words), dtype=np.uint8)]),
    }
    hyp, ref = (table.words.ids(text.split()) for text in ("the cats", "the runs cat"))
    offsets = [np.array([0, len(ids)], dtype=np.int64) for ids in (hyp, ref)]
    row = table.core.rows(hyp, offsets[0], ref, offsets[1], **lexicon, order=2, least=0.0)[0]
    assert row[:4] == pytest.approx([1.1, 1.1, 1.1, 2.1])
    assert row[4:] == pytest.approx([0.0, 0.0, 0.1, 1.1])
    same = table.core.rows(ref, offsets[1], ref, offsets[1], **lexicon, order=2, least=0.0)[0]
    assert same.tolist() == pytest.approx([2.1] * 4 + [1.1] * 4)


def test_a_table_from_a_bitext(tmp_path: Path) -> None:
    french = ["La voiture noire.", "Une voiture!", "Le chien noir.", "Un chien.", "..."] * 10
    english = ["The black car.", "A car!", "The black dog.", "A dog.", "..."] * 10
    table = PivotRecipe(least=0.2).find(french, english, n_threads=2)
    assert max(bag(table, "car", order=1), key=lambda gram: bag(table, "car", order=1)[gram]) == "voiture"
    assert {name: flag for name, _, _, flag in table.kinds}["la"]
    assert "." not in {name for name, *_ in table.kinds}, "punctuation is left out"
    stored = PivotTable.load(table.save(tmp_path / "pivots"))
    assert bag(stored, "the black car") == bag(table, "the black car")
    assert stored.recipe == PivotSettings(least=0.2)
    assert resource_digest(PivotRecipe(least=0.2).find(french, english).save(tmp_path / "again")) == resource_digest(
        tmp_path / "pivots"
    )
    assert PivotRecipe(punctuation="keep").words(["One, two."], "en") == [["one", ",", "two", "."]]


def test_the_command(tmp_path: Path) -> None:
    for name, lines in (("text.fr", "voiture\nchien\n" * 9), ("text.en", "car\ndog\n" * 9)):
        (tmp_path / name).write_text(lines, encoding="utf-8")
    arguments = [str(tmp_path / "text.fr"), str(tmp_path / "text.en"), "--to", str(tmp_path / "pivots")]
    result = CliRunner().invoke(group, ["metric", "pivots", *arguments], catch_exceptions=False)
    assert result.exit_code == 0
    assert "pivot table" in result.output
    assert len(PivotTable.load(tmp_path / "pivots")) == 2


def test_what_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="got pivot=1, text=2"):
        PivotRecipe().find(["un"], ["one", "two"])
    with pytest.raises(DataError, match="has no pair of lines with words on both sides"):
        PivotRecipe().find(["un", "."], ["...", "two"])
    with pytest.raises(DataError, match=r"'pos' is a layer; a table of pivots takes an annotator by its name"):
        PivotRecipe(pos="pos").check()
    with pytest.raises(DataError, match="There is no list of function words for 'sw'"):
        PivotRecipe(pivot_lang="sw").find(["moja"], ["one"])
    arrays = table_of(GREETINGS).arrays
    with pytest.raises(DataError, match="must rise, and each must have words and a translation"):
        _core.metrics.PivotTable(**arrays | {"phrases": arrays["phrases"][::-1].copy()}, n_kinds=99)
    with pytest.raises(DataError, match="one count and a run of translations for each phrase"):
        _core.metrics.PivotTable(**arrays | {"counts": arrays["counts"][:1]}, n_kinds=99)
    with pytest.raises(DataError, match="a token, a probability or a count that is none"):
        _core.metrics.PivotTable(**arrays, n_kinds=1)
    folder = table_of(GREETINGS).save(tmp_path / "pivots")
    (folder / "pivot.tsv").write_text("x\n", encoding="utf-8")
    with pytest.raises(ModelError, match=r"pivot.tsv is damaged or was edited"):
        PivotTable.load(folder)
