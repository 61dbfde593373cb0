"""What was trained and what is decoded are one net; and the engine keeps the promises of its roles."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from dragoman.engines import Request, capabilities
from dragoman.errors import DataError
from dragoman.neural import NeuralTraining
from dragoman.neural.checkpoints import load_tree
from dragoman.neural.export import ctranslate2, decoder_files
from dragoman.neural.network import END, START, greedy, initial_weights, logits_of
from dragoman.neural.words import links, word_spans, word_values
from dragoman.testing import check_engine
from tests.neural.conftest import sentences


def test_the_exported_net_says_what_the_trained_one_says_piece_by_piece(training: NeuralTraining) -> None:
    engine, lines = training.engine, sentences()[:40]
    shape = engine.recipe.shape(len(engine.pieces))
    weights = load_tree(f"{training.model}/weights.npz", initial_weights(shape, 0))
    files = decoder_files(weights, shape, engine.pieces.pieces, "float32")
    exported = ctranslate2().Translator("net", files=files, intra_threads=1)
    ids = engine.pieces.encode_ids(lines)
    source = np.zeros((len(ids), max(map(len, ids)) + 1), np.int32)
    for row, line in enumerate(ids):
        source[row, : len(line) + 1] = [*line, END]
    pieces = [
        [engine.pieces.pieces[each] for each in row[: row.index(END)] if each] if END in row else None
        for row in np.asarray(greedy(weights, source, shape, 30)).tolist()
    ]
    found = exported.translate_batch(engine.pieces.encode(lines), beam_size=1, max_decoding_length=30)
    assert sum(each is not None for each in pieces) > 30
    assert [each.hypotheses[0] for each, own in zip(found, pieces, strict=True) if own is not None] == [
        own for own in pieces if own is not None
    ]
    logits = logits_of(weights, source[:1], np.array([[START, *ids[0]]]), shape, jnp.float32)[0]
    logs = logits - jnp.log(jnp.exp(logits).sum(-1, keepdims=True))
    own_logs = [float(logs[place, piece]) for place, piece in enumerate([*ids[0], END])]
    [scored] = exported.score_batch(engine.pieces.encode(lines[:1]), engine.pieces.encode(lines[:1]))
    assert scored.log_probs == pytest.approx(own_logs, abs=1e-4)


def test_the_engine_keeps_the_contract(training: NeuralTraining) -> None:
    assert capabilities(training.engine) == ("translates", "completes", "learns", "explains")
    check_engine(training.engine, [*sentences()[:4], "", "Zürich — 北京 📷 xyzzy"])


def test_a_line_of_ten_thousand_words_is_translated_in_parts(training: NeuralTraining) -> None:
    [translation] = training.engine.translations(["good morning " * 5_000], Request())
    assert translation.text
    [translation] = training.engine.translations(["good morning " * 100], Request(alignment=True))
    assert translation.candidates[0].alignment == ()  # who looked where is known of each part alone
    assert training.engine.translate(["x" * 3_000])


def test_words_of_pieces() -> None:
    assert word_spans(["▁A", "▁m", "an", "▁", "s", "at", "."]) == [(0, 1), (1, 3), (3, 7)]
    assert word_spans([]) == []
    assert word_spans(["an", "▁b"]) == [(0, 1), (1, 2)]
    assert word_values([0.0, -1.0, -1.0, -9.0], [(0, 1), (1, 3)]) == pytest.approx((1.0, np.exp(-2)))
    attention = [[0.9, 0.1, 0.0], [0.1, 0.3, 0.6], [0.0, 0.2, 0.8]]
    assert links(attention, [(0, 1), (1, 3)], [(0, 1), (1, 3)]) == ((0, 0), (1, 1))


def test_the_confidence_of_a_hole_is_that_of_its_words(training: NeuralTraining) -> None:
    line = "The reception is open all night."
    assert line in sentences()
    [translation] = training.engine.translations([line], Request(confidence=True))
    assert translation.text == line
    [filled] = training.engine.completer(line).complete("The ", " night.", confidence=True)
    assert filled.tokens == ("reception", "is", "open", "all")
    assert filled.word_confidence == pytest.approx((translation.candidates[0].word_confidence or ())[1:5], abs=1e-6)


def test_how_long_a_translation_may_be_does_not_depend_on_its_neighbours(training: NeuralTraining) -> None:
    engine = training.engine
    odd = ["zzz zzz zzz", "qq", "北京", "Zz Zz Zz Zz Zz Zz"]
    alone = [engine.translate([line])[0] for line in odd]
    assert engine.translate([*odd, "good morning " * 60])[: len(odd)] == alone


def test_what_is_looked_at_whole_has_a_limit(training: NeuralTraining) -> None:
    """Memory grows with the square of the pieces, and whoever types at a server may send what they like."""
    engine, long = training.engine, "house " * 2001
    for ask in (
        lambda: engine.completer(long).complete("The "),
        lambda: engine.completer("A house.").complete(long),
        lambda: engine.explain("A house.", long),
        lambda: engine.explain(long, "A house."),
    ):
        with pytest.raises(
            DataError, match=r"has [\d,]+ pieces; one that is gone on from or explained has at most 2,000"
        ):
            ask()
