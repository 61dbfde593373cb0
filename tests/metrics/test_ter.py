"""TER against sacreBLEU 2.6: edits exactly, scores to 1e-9 on its scale of 0 to 100."""

from __future__ import annotations

import random
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics import TER
from sacrebleu.metrics.lib_ter import translation_edit_rate
from sacrebleu.tokenizers.tokenizer_ter import TercomTokenizer

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.metrics import make_metric, metric_of_signature, ter_trace
from dragoman.metrics.ter import Ter
from dragoman.text import TextLines
from tests.metrics.texts import corpora

close = lambda value: pytest.approx(value, abs=1e-9, rel=0)  # noqa: E731

switches = st.fixed_dictionaries({name: st.booleans() for name in ("normalised", "no_punct", "asian_support")})
options = st.fixed_dictionaries(
    {name: st.booleans() for name in ("normalised", "no_punct", "asian_support", "case_sensitive")}
)


def peer(*, normalised: bool = False, **rest: bool) -> TER:
    return TER(normalized=normalised, **rest)


def tokenised(text: list[str], **chosen: bool) -> list[str]:
    options = {"lowercase": False, "normalised": False, "no_punct": False, "asian": False, **chosen}
    return _core.edit.tercom_tokenise(text, **options)


# What tercom's tokeniser looks at, and its neighbours.
PIECES = [
    *".,-'\"&;:!?()[]{}<>/\\@#$%^*_+=|`~ \n\t\r\x1c\x85\u00a0\u3000",
    *"asSxX019٣ßİΣς",
    "'s",
    "'S ",
    "\n-",
    "&quot;",
    "&amp;",
    "&lt;",
    "&gt;",
    "&AMP;",
    "10,000.5",
    "3-4",
    *"漢字ひらカナー々〇㐀鿿㈱㌀㼢㼣豈︰ㇰ㇀⺀、。〈】〔〟｡･・．，？：；！＂（）",
]
lines = st.lists(
    st.sampled_from(PIECES) | st.text(st.characters(exclude_categories=["Cs"]), max_size=3), max_size=20
).map("".join)


@given(lines, switches)
def test_tokeniser_equals_sacrebleus(line: str, chosen: dict[str, bool]) -> None:
    theirs = TercomTokenizer(
        normalized=chosen["normalised"],
        no_punct=chosen["no_punct"],
        asian_support=chosen["asian_support"],
        case_sensitive=True,
    )
    asian = chosen.pop("asian_support")
    assert tokenised([line], **chosen, asian=asian) == [theirs(line.rstrip())]


def test_tokeniser_equals_sacrebleus_on_every_character() -> None:
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    places = [f"a{c}b {c}1{c}" for c in characters]
    text = ["".join(places[start : start + 256]) for start in range(0, len(places), 256)]
    theirs = TercomTokenizer(normalized=True, asian_support=True, case_sensitive=True)
    assert tokenised(text, normalised=True, asian=True) == [theirs(line.rstrip()) for line in text]
    theirs = TercomTokenizer(no_punct=True, asian_support=True, case_sensitive=True)
    assert tokenised(text, no_punct=True, asian=True) == [theirs(line.rstrip()) for line in text]


@given(corpora(), options)
def test_equals_sacrebleu_on_any_text_and_options(corpus, chosen) -> None:
    hyps, refs = corpus
    ours, theirs = Ter(**chosen), peer(**chosen)
    score = theirs.corpus_score(hyps, refs)
    stats = ours.stats(hyps, refs)
    assert ours.corpus_value(hyps, refs) == close(score.score)
    assert stats.tolist() == theirs._extract_corpus_statistics(hyps, refs)
    counts = {sum(ref[i] is not None for ref in refs) for i in range(len(hyps))}
    nrefs = counts.pop() if len(counts) == 1 else None
    assert ours.signature(nrefs).rpartition("|")[0] == str(theirs.get_signature()).rpartition("|")[0]
    assert ours.label == score.name
    for i, value in enumerate(ours.segments(hyps, refs)):
        own = [ref[i] for ref in refs if ref[i] is not None]
        assert value == close(theirs.sentence_score(hyps[i], own).score)


def disturbed(chance: random.Random, words: list[str], n_words: int) -> list[str]:
    """The words with blocks moved and words changed, dropped and put in."""
    words = list(words)
    for _ in range(chance.randrange(1, 7)):
        start, length = chance.randrange(len(words) + 1), chance.randrange(1, 12)
        block = words[start : start + length]
        del words[start : start + length]
        place = chance.randrange(len(words) + 1)
        words[place:place] = block
        if words and chance.random() < 0.5:
            words[chance.randrange(len(words))] = f"w{chance.randrange(n_words + 2)}"
        if words and chance.random() < 0.5:
            del words[chance.randrange(len(words))]
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words) + 1), f"w{chance.randrange(n_words + 2)}")
    return words


# Lengths around those where the beam, the machine word and the widened beam begin to matter.
LENGTHS = [1, 2, 5, 12, 20, 24, 25, 26, 27, 30, 40, 51, 62, 63, 64, 65, 70, 100]


@pytest.mark.parametrize(
    ("seed", "n_pairs"), [(1, 30), (2, 30), *(pytest.param(s, 300, marks=pytest.mark.slow) for s in range(3, 8))]
)
def test_edits_equal_sacrebleus_where_blocks_move(seed: int, n_pairs: int) -> None:
    chance = random.Random(seed)
    pairs = []
    for _ in range(n_pairs):
        n_words = chance.choice([1, 2, 3, 5, 10, 50, 200])
        ref = [f"w{chance.randrange(n_words)}" for _ in range(chance.choice(LENGTHS))]
        if chance.random() < 0.7:
            hyp = disturbed(chance, ref, n_words)
        else:
            hyp = [f"w{chance.randrange(n_words)}" for _ in range(chance.choice([1, 2, 3, *LENGTHS]))]
        pairs.append((hyp, ref))
    expected = [translation_edit_rate(hyp, ref)[0] for hyp, ref in pairs]
    found = Ter().stats([" ".join(hyp) for hyp, _ in pairs], [[" ".join(ref) for _, ref in pairs]])
    assert found[:, 0].tolist() == expected


@pytest.mark.realdata
@pytest.mark.parametrize("every", [100, pytest.param(1, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pair", ["fr-en", "es-en", "en-de"])
def test_equals_sacrebleu_on_every_system_of_newstest2013(newstest2013, pair: str, every: int) -> None:
    ref, systems = newstest2013(pair)
    ref = ref[::every]
    ours, theirs = Ter(), TER(references=[ref])
    for name, hyps in systems.items():
        stats = theirs._extract_corpus_statistics(hyps[::every], None)
        found = ours.stats(hyps[::every], [ref])
        assert found.tolist() == stats, name
        assert ours.value(found.sum(axis=0)) == close(theirs._aggregate_and_compute(stats).score), name
        assert list(ours.values(found)) == close([theirs._compute_score_from_stats(row).score for row in stats]), name


@pytest.mark.realdata
@pytest.mark.parametrize("chosen", [{"normalised": True}, {"no_punct": True}, {"normalised": True, "no_punct": True}])
def test_equals_sacrebleu_on_japanese(data_folder: Path, chosen: dict[str, bool]) -> None:
    ref = [line.replace(" ", "") for line in read_lines(data_folder / "small-enja" / "test.ja.gz")][:150]
    hyps = ref[1:] + ref[:1]  # there is no system output: each segment meets its neighbour
    chosen = {**chosen, "asian_support": True}
    assert Ter(**chosen).stats(hyps, [ref]).tolist() == peer(**chosen)._extract_corpus_statistics(hyps, [ref])


@pytest.mark.realdata
@pytest.mark.parametrize("longest", [20, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("pair", ["bn-en", "hi-en", "ml-en", "ta-en", "te-en", "ur-en"])
def test_equals_sacrebleu_with_several_references(data_folder: Path, pair: str, longest: int) -> None:
    streams = [read_lines(data_folder / "indian" / pair / f"devtest.{pair}.en.{r}.gz") for r in range(4)]
    segments = [s for s in zip(*streams, strict=True) if all(len(line.split()) <= longest for line in s)][:60]
    hyps, *refs = ([s[r] for s in segments] for r in range(4))
    theirs = TER()
    assert Ter().stats(hyps, refs).tolist() == theirs._extract_corpus_statistics(hyps, refs)
    assert Ter().corpus_value(hyps, refs) == close(theirs.corpus_score(hyps, refs).score)
    assert theirs.get_signature().format().startswith(Ter().signature(3).rpartition("|")[0])


@pytest.mark.parametrize(
    ("hyp", "ref", "edits", "length", "score"),
    [
        ("", "", 0, 0, 0.0),
        ("", "a b", 2, 2, 100.0),
        ("a b c", "", 3, 0, 100.0),
        ("a", "a", 0, 1, 0.0),
        ("a", "b", 1, 1, 100.0),
        ("A", "a", 0, 1, 0.0),
        ("a b c d", "a b c d", 0, 4, 0.0),
        ("c d a b", "a b c d", 1, 4, 25.0),
        ("a b c", "x", 3, 1, 300.0),
    ],
)
def test_small_cases(hyp: str, ref: str, edits: int, length: int, score: float) -> None:
    assert Ter().stats([hyp], [[ref]]).tolist() == [[edits, length]]
    assert Ter().corpus_value([hyp], [[ref]]) == score
    assert TER().sentence_score(hyp, [ref]).score == score


def test_references_are_tokenised_twice_as_in_sacrebleu() -> None:
    line = "x..1"
    assert Ter(normalised=True).stats([line], [[line]]).tolist() == [[2, 4]]
    assert TER(normalized=True)._extract_corpus_statistics([line], [[line]]) == [[2, 4]]


def test_the_best_reference_counts_with_the_mean_length() -> None:
    assert Ter().stats(["a b"], [["a c"], ["a b c d"]]).tolist() == [[1, 3]]
    assert Ter().stats(["a b", "a"], [["a c", "a"], ["a b c d", None]]).tolist() == [[1, 3], [0, 1]]


@pytest.mark.parametrize("n_threads", [2, 7])
def test_threads_do_not_matter(n_threads: int) -> None:
    chance = random.Random(5)
    refs = [" ".join(f"w{chance.randrange(20)}" for _ in range(chance.randrange(40))) for _ in range(100)]
    hyps = [" ".join(disturbed(chance, ref.split(), 20)) for ref in refs]
    metric = Ter()
    np.testing.assert_array_equal(metric.stats(hyps, [refs], n_threads=n_threads), metric.stats(hyps, [refs]))
    few = hyps[:5]
    np.testing.assert_array_equal(metric.pair_rows(few, refs, n_threads=n_threads), metric.pair_rows(few, refs))


def test_long_segments_end_in_bounded_time() -> None:
    chance = random.Random(6)
    ref = [f"w{int(chance.paretovariate(0.7)) % 5000}" for _ in range(10_000)]
    hyp = list(ref)
    for _ in range(100):
        start = chance.randrange(len(hyp))
        block, hyp[start : start + 5] = hyp[start : start + 5], []
        place = max(0, start - 20)
        hyp[place:place] = block
    began = time.process_time()
    (edits, length) = Ter().stats([" ".join(hyp)], [[" ".join(ref)]])[0]
    assert time.process_time() - began < 10
    assert 0 < edits < 1500
    assert length == 10_000


def test_lines_of_a_file_are_scored_as_strings_are() -> None:
    hyps, ref = ["The cat", "", "ΑΣ Straße", "B A"], ["the cat", "x", "ας strasse", "a b"]
    as_lines = [TextLines("\n".join(stream).encode() + b"\n") for stream in (hyps, ref)]
    assert Ter().stats(as_lines[0], [as_lines[1]]).tolist() == Ter().stats(hyps, [ref]).tolist()
    assert ter_trace(as_lines[0], [as_lines[1]]) == ter_trace(hyps, [ref])


def test_signatures_lead_back() -> None:
    metric = Ter(normalised=True, no_punct=True, case_sensitive=True)
    assert metric.signature().rpartition("|")[0] == "nrefs:1|case:mixed|tok:tercom|norm:yes|punct:no|asian:no"
    theirs = TER(no_punct=True, asian_support=True)
    theirs.sentence_score("a", ["a"])
    assert metric_of_signature(f"TER|{theirs.get_signature()}") == Ter(no_punct=True, asian_support=True)
    assert make_metric("ter:normalised=yes") == Ter(normalised=True)


def test_kernels_refuse_streams_that_do_not_fit() -> None:
    refs = _core.edit.TerReferences([["a", "b"]])
    with pytest.raises(DataError, match="one hypothesis per segment, got 1 for 2"):
        refs.count(["a"])
    with pytest.raises(DataError, match="one hypothesis per segment, got 3 for 2"):
        refs.trace(["a", "b", "c"])
    with pytest.raises(DataError, match="Reference streams must have one line per segment"):
        _core.edit.TerReferences([["a", "b"], ["a"]])
    with pytest.raises(DataError, match="Reference streams must have one line per segment"):
        _core.edit.TerReferences([["a", "b"]], np.ones((1, 3), dtype=np.uint8))
