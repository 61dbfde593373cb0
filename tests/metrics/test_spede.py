"""SPEDE: all edit sequences written out, its gradient, its scripts, and learning from judgements."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.stats import spearmanr

from dragoman import _core
from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics import spede
from dragoman.metrics.references import ScoredText
from dragoman.metrics.spede import EDITS, N_WEIGHTS, Spede, fit_spede
from dragoman.metrics.spede_reasons import write_script

WEIGHTS = (-1.0, -1.0, 2.0, 1.0, 1.0, 1.0, 1.0, *[-0.3] * 6, *[0.0] * 169)
PAIRS = [("a b", "a c"), ("the cats .", "the cat ."), ("b a", "a b"), ("", "a b"), ("a", ""), ("a b c d", "b . d")]


SWAPS = [
    ("c d a b", "a b c d"),
    ("b a", "a b"),
    ("b x a", "a y b"),
    ("a b a b", "b a b a"),
    ("d . cat c", "cats c d ."),
]


def kernel(hyp: str, ref: str, weights: Any, jump: int = 0, metric: Spede | None = None) -> tuple[float, Any]:
    text = (metric or Spede()).prepare(ScoredText.of_streams([[hyp]], [[ref]], None), 1)
    sums, counts = _core.metrics.spede(
        *text.systems[0], *text.streams[0], **text.lexicon, weights=weights, jump=jump, gradient=True
    )
    return float(sums[0]), counts[0]


class Sequences:
    """Every edit sequence, written out; a lemma is a word without its s."""

    def __init__(self, hyp: list[str], ref: list[str], jump: int) -> None:
        self.hyp, self.ref, self.jump = hyp, ref, jump

    def match(self, i: int, j: int) -> list[int]:
        if i >= len(self.ref) or j >= len(self.hyp) or self.ref[i].rstrip("s") != self.hyp[j].rstrip("s"):
            return []
        word = self.hyp[j]
        return [EDITS.index("lemma" if word != self.ref[i] else "word" if word.isalnum() else "punctuation")]

    def from_place(self, i: int, j: int) -> Iterator[list[int]]:
        if (i, j) == (len(self.ref), len(self.hyp)):
            yield []
        if j < len(self.hyp):
            yield from ([0, *rest] for rest in self.from_place(i, j + 1))
        if i < len(self.ref):
            yield from ([1, *rest] for rest in self.from_place(i + 1, j))
        for edit in self.match(i, j):
            yield from ([edit, *rest] for rest in self.from_place(i + 1, j + 1))
        for ahead in range(1, self.jump + 1):
            yield from ([7, *rest] for rest in self.landed(j, i, ahead, 0, 0, of_ref=False))
            yield from ([10, *rest] for rest in self.landed(i, j, ahead, 0, 0, of_ref=True))

    def matched(self, own: int, other: int, *, of_ref: bool) -> list[int]:
        return self.match(own, other) if of_ref else self.match(other, own)

    def landed(self, own: int, other: int, ahead: int, n: int, m: int, *, of_ref: bool) -> Iterator[list[int]]:
        """Behind n own and m other words of the part that was jumped to."""
        size, other_size = (len(self.ref), len(self.hyp)) if of_ref else (len(self.hyp), len(self.ref))
        place = own + ahead + n
        if n < self.jump and m < self.jump:
            for edit in self.matched(place, other + m, of_ref=of_ref):
                yield from ([edit, *rest] for rest in self.landed(own, other, ahead, n + 1, m + 1, of_ref=of_ref))
        if n == 0:
            return
        if n < self.jump and place < size:
            step = 1 if of_ref else 0
            yield from ([step, *rest] for rest in self.landed(own, other, ahead, n + 1, m, of_ref=of_ref))
        if m < self.jump and other + m < other_size:
            step = 0 if of_ref else 1
            yield from ([step, *rest] for rest in self.landed(own, other, ahead, n, m + 1, of_ref=of_ref))
        back = 11 if of_ref else 8
        yield from ([back, *rest] for rest in self.gap(own, other, ahead, n, m, 0, of_ref=of_ref))

    def gap(self, own: int, other: int, ahead: int, n: int, m: int, g: int, *, of_ref: bool) -> Iterator[list[int]]:
        """Behind g words of the part that was jumped over, and m other words in all."""
        end = own + ahead + n
        if g == ahead:
            place = (end, other + m) if of_ref else (other + m, end)
            yield from ([12 if of_ref else 9, *rest] for rest in self.from_place(*place))
            return
        if m < 2 * self.jump:
            for edit in self.matched(own + g, other + m, of_ref=of_ref):
                yield from ([edit, *rest] for rest in self.gap(own, other, ahead, n, m + 1, g + 1, of_ref=of_ref))
            if other + m < (len(self.hyp) if of_ref else len(self.ref)):
                step = 0 if of_ref else 1
                yield from ([step, *rest] for rest in self.gap(own, other, ahead, n, m + 1, g, of_ref=of_ref))
        if g > 0:
            step = 1 if of_ref else 0
            yield from ([step, *rest] for rest in self.gap(own, other, ahead, n, m, g + 1, of_ref=of_ref))


@pytest.mark.parametrize("jump", [0, 2, 3])
@pytest.mark.parametrize(("hyp", "ref"), [*PAIRS, *SWAPS])
def test_it_is_the_sum_of_all_edit_sequences(hyp: str, ref: str, jump: int) -> None:
    weights = np.random.default_rng(5).normal(size=N_WEIGHTS)
    totals = [
        weights[edits].sum() + sum(weights[len(EDITS) * (a + 1) + b] for a, b in pairwise(edits))
        for edits in Sequences(hyp.split(), ref.split(), jump).from_place(0, 0)
    ]
    assert kernel(hyp, ref, weights, jump)[0] == pytest.approx(np.logaddexp.reduce(totals), abs=1e-9)


@pytest.mark.parametrize("jump", [0, 3])
@pytest.mark.parametrize(("hyp", "ref"), [*PAIRS, *SWAPS])
def test_the_gradient_is_what_small_steps_say(hyp: str, ref: str, jump: int) -> None:
    weights = np.random.default_rng(6).normal(size=N_WEIGHTS)
    gradient = kernel(hyp, ref, weights, jump)[1]
    for number, step in enumerate(np.eye(N_WEIGHTS) * 1e-5):
        slope = (kernel(hyp, ref, weights + step, jump)[0] - kernel(hyp, ref, weights - step, jump)[0]) / 2e-5
        assert gradient[number] == pytest.approx(slope, abs=1e-6)


def test_a_jump_aligns_both_parts_of_a_swap() -> None:
    hyp, ref = "in western india 43 people died", "43 people died in western india"
    plain, jumping = (Spede(weights=WEIGHTS, jump=jump) for jump in (0, 5))
    (script,) = jumping.scripts([hyp], [ref])
    assert [edit for edit, _, _ in script].count("word") == 6
    assert [edit for edit, _, _ in plain.scripts([hyp], [ref])[0]].count("word") == 3
    assert jumping.segments([hyp], [[ref]]) > plain.segments([hyp], [[ref]])
    assert write_script(script) == "[ 43 people died | in western india ]"


def test_paraphrases_are_edits_of_one_or_two_words(tmp_path: Path) -> None:
    file = tmp_path / "paraphrases"
    file.write_text("0.5\nput off\npostponed\n0.5\ncar\nauto\n0.5\na b c\nd\n", encoding="utf-8")
    metric = Spede(weights=WEIGHTS, paraphrases=str(file))
    assert metric.scripts(["he postponed it", "auto", "d"], ["he put off it", "car", "a b c"]) == [
        [("word", "he", "he"), ("paraphrase", "put off", "postponed"), ("word", "it", "it")],
        [("paraphrase", "car", "auto")],
        [("delete", "a", ""), ("delete", "b", ""), ("delete", "c", ""), ("insert", "", "d")],
    ]
    weights = np.random.default_rng(6).normal(size=N_WEIGHTS)
    step = 1e-5 * np.eye(N_WEIGHTS)[6]
    more, less = (kernel("he postponed it", "he put off it", each, metric=metric) for each in (weights + step, weights))
    assert less[1][6] > 0
    assert (more[0] - less[0]) / 1e-5 == pytest.approx(less[1][6], abs=1e-4)
    assert set(metric.resources()) == {"paraphrases"}


def test_scripts_say_what_was_edited() -> None:
    metric = Spede(weights=WEIGHTS)
    assert metric.scripts(["The cats sat ."], ["the cat slept ."]) == [
        [
            ("word", "the", "the"),
            ("lemma", "cat", "cats"),
            ("delete", "slept", ""),
            ("insert", "", "sat"),
            ("punctuation", ".", "."),
        ]
    ]


def test_the_command_shows_the_edits_of_two_outputs(tmp_path: Path) -> None:
    for name, lines in (("a.en", ["the cats sat ."] * 2), ("b.en", ["it ."] * 2), ("ref.en", ["the cat sat ."] * 2)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    words = ["metric", "why", *(str(tmp_path / name) for name in ("a.en", "b.en")), "-r", str(tmp_path / "ref.en")]
    done = CliRunner().invoke(group, [*words, "-m", "spede", "--json"], catch_exceptions=False)
    found = json.loads(done.output)
    assert {row["edit"]: (row["a"], row["b"]) for row in found["rows"]}["lemma"] == (2, 0)
    assert found["meta"]["scripts"][0][3] == "the cat>cats sat ."


def test_nothing_scores_more_than_the_reference_itself() -> None:
    refs = ["He bought two green apples .", "Silence ."]
    assert (Spede().segments(refs, [refs]) > Spede().segments(["He apples", "noise"], [refs])).all()


def test_synonyms_are_edits_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "classes.txt").write_text("A= car automobile\n", encoding="utf-8")
    metric = Spede(weights=WEIGHTS, offset=4.0, synonyms=f"thesaurus+file={tmp_path / 'classes.txt'}")
    assert metric.scripts(["automobile"], ["car"]) == [[("synonym", "car", "automobile")]]


def test_the_penalty_is_chosen_by_folds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of judgements that have nothing to do with the words, little is best learnt."""
    tried = []
    path = spede._path

    def watched(*given: Any) -> Iterator[Any]:
        tried.append((len(given[2]), tuple(given[5])))
        return path(*given)

    monkeypatch.setattr(spede, "_path", watched)
    rng = np.random.default_rng(2)
    hyps, refs = ([" ".join(rng.choice(list("abcd"), 5)) for _ in range(30)] for _ in range(2))
    fit_spede(Spede(), ScoredText.of_streams([hyps], [refs], None), rng.normal(size=30), top=5.0)
    assert tried == [(24, (5.0, 1.0, 0.2))] * 5 + [(30, (5.0, 1.0))]


@pytest.mark.realdata
def test_it_learns_from_smteuroparl_as_section_3_says(data_folder: Path) -> None:
    def read(name: str) -> tuple[Any, list[str], list[str]]:
        rows = [line.split("\t") for line in read_lines(data_folder / "sts" / f"{name}.tsv.gz")]
        return np.array([float(row[0]) for row in rows]), [row[1] for row in rows], [row[2] for row in rows]

    for name, without, with_jumps in (("SMTeuroparl.test", 0.57, 0.61), ("SMTnews.test", 0.415, 0.45)):
        human, refs, hyps = read(name)
        for metric, least in ((Spede(), without), (Spede(jump=5), with_jumps)):
            assert spearmanr(human, metric.segments(hyps, [refs])).statistic > least
    human, refs, hyps = (each[:150] for each in read("SMTeuroparl.train"))
    learnt = fit_spede(Spede(), ScoredText.of_streams([hyps], [refs], None), human, top=5.0, penalty=1.0)
    found = spearmanr(human, learnt.segments(hyps, [refs])).statistic
    assert found > 0.5
    assert len(learnt.weights) == N_WEIGHTS


def test_what_it_refuses() -> None:
    with pytest.raises(DataError, match="SPEDE has 182 weights, got 3"):
        Spede(weights=(1.0, 2.0, 3.0))
    with pytest.raises(DataError, match=r"SPEDE's lemma=snowball\+lang=de is of 'de', but the text is in 'en'"):
        Spede(lemma="snowball+lang=de")
    with pytest.raises(DataError, match=r"Segment 1: too many swaps of words are possible .* or say jump=0"):
        Spede(jump=10).segments(["la " * 300], [["la " * 300]])
    with pytest.raises(DataError, match=r"Segment 2: too long for SPEDE: 3000 words against 2000. Cut it"):
        Spede().segments(["a", "b " * 3000], [["a", "b " * 2000]])
