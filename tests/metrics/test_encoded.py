"""BERTScore by its definition, and what encoders promise."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.errors import DataError, ModelError, NotAvailable, UnknownName
from dragoman.metrics import make_metric
from dragoman.metrics.encoded import chance_score, match_score
from dragoman.text.encoders import Encoded, Encoder, Spelling, make_encoder

HERE = all(importlib.util.find_spec(name) for name in ("torch", "transformers"))
needs_transformers = pytest.mark.skipif(not HERE, reason="torch and transformers are not installed")
HYPS = ["the cat sat there", "a dog barks", "nothing at all"]
REFS = ["the cats sat there .", "the dog is barking", "the cat"]


def chance_text(rng: np.random.Generator) -> Encoded:
    n = int(rng.integers(1, 9))
    return Encoded(tuple(f"w{rng.integers(5)}" for _ in range(n)), rng.normal(size=(n, 4)).astype(np.float32))


def naive(hyp: Encoded, ref: Encoded, idf: dict[str, float]) -> tuple[float, float, float]:
    """Zhang et al. 2020, §3, word for word."""

    def cosine(a: np.ndarray, b: np.ndarray) -> float:
        return sum(float(x) * float(y) for x, y in zip(a, b, strict=True)) / math.sqrt(
            sum(float(x) ** 2 for x in a) * sum(float(y) ** 2 for y in b)
        )

    def directed(ours: Encoded, theirs: Encoded) -> float:
        parts = [
            idf[token] * max(cosine(vector, other) for other in theirs.vectors)
            for token, vector in zip(ours.tokens, ours.vectors, strict=True)
        ]
        return sum(parts) / sum(idf[token] for token in ours.tokens)

    p, r = directed(hyp, ref), directed(ref, hyp)
    return 2 * p * r / (p + r), p, r


def test_it_is_the_definition_on_chance_vectors() -> None:
    rng = np.random.default_rng(7)
    tried = 0
    for _ in range(300):
        hyp, ref = chance_text(rng), chance_text(rng)
        for idf in ({f"w{k}": 1.0 for k in range(5)}, {f"w{k}": 0.3 + k for k in range(5)}):
            wanted = naive(hyp, ref, idf)
            if wanted[1] + wanted[2] > 0:
                tried += 1
                assert match_score(hyp, ref, idf) == pytest.approx(wanted, abs=1e-6)
        assert match_score(hyp, ref) == match_score(hyp, ref, {f"w{k}": 1.0 for k in range(5)})
    assert tried > 500


def test_weights_are_those_of_the_references() -> None:
    metric = make_metric("bertscore-idf:spelling")
    encoder = Spelling()
    words = [set(each.tokens) for each in encoder.encode(REFS)]
    idf = {
        word: math.log((3 + 1) / (1 + sum(word in each for each in words)))
        for text in [*HYPS, *REFS]
        for word in text.split()
    }
    for place, (hyp, ref) in enumerate(zip(encoder.encode(HYPS), encoder.encode(REFS), strict=True)):
        assert metric.segments(HYPS, [REFS])[place] == pytest.approx(100 * naive(hyp, ref, idf)[0], abs=1e-6)
    assert not metric.local


def test_a_baseline_is_zero_points() -> None:
    plain, scaled = make_metric("bertscore:spelling"), make_metric("bertscore:spelling,baseline=0.4")
    for low, high in zip(scaled.segments(HYPS, [REFS]), plain.segments(HYPS, [REFS]), strict=True):
        assert low == pytest.approx(100 * (high / 100 - 0.4) / 0.6)
    chance = chance_score("spelling", [*HYPS, *REFS], n_pairs=200, seed=3)
    assert chance == chance_score("spelling", [*HYPS, *REFS], n_pairs=200, seed=3)
    assert 0 < chance < 0.9
    with pytest.raises(DataError, match="two lines or more, got 1"):
        chance_score("spelling", ["a"])


def test_measures_are_parts_of_one_match() -> None:
    f, p, r = (
        make_metric(f"bertscore:spelling,measure={name}").segments(HYPS, [REFS])
        for name in ("f", "precision", "recall")
    )
    np.testing.assert_allclose(f, 2 * p * r / (p + r))


def test_empty_texts_and_texts_that_are_too_long() -> None:
    metric = make_metric("bertscore:spelling")
    assert metric.segments(["", "", "a"], [["", "a", ""]]).tolist() == [100, 0, 0]
    with pytest.raises(DataError, match=r"Segment 2 has 9000 tokens, too many to compare. Cut it into sentences"):
        metric.segments(["a", "a " * 9000], [["a", "a"]])


def check_encoder(encoder: Encoder) -> None:
    """What every encoder promises."""
    lines = ["The cat sat there.", "", "x" * 3000, "a\x00b", "📷 e\u0301", "the dog " * 400]
    whole = encoder.encode(lines)
    for line, each in zip(lines, whole, strict=True):
        assert each.vectors.shape == (len(each.tokens), encoder.size)
        assert np.isfinite(each.vectors).all()
        [alone] = encoder.encode([line])
        assert alone.tokens == each.tokens
        np.testing.assert_allclose(alone.vectors, each.vectors, atol=1e-5)
    assert whole[1].tokens == ()
    assert encoder.encode([]) == []
    sentences = encoder.sentences(lines)
    assert sentences.shape == (len(lines), encoder.size)
    lengths = [float(bool(each.tokens)) for each in whole]
    np.testing.assert_allclose(np.linalg.norm(sentences, axis=1), lengths, atol=1e-4)


def test_spelling_keeps_the_contract_and_finds_likeness() -> None:
    check_encoder(Spelling())
    one, other, far = Spelling().sentences(["barking", "barked", "zzz"]).astype(float)
    assert one @ other > 0.3 > one @ far
    with pytest.raises(DataError, match="a multiple of 8"):
        Spelling(dimensions=12)


def test_it_is_a_metric_of_the_command_line(tmp_path: Path) -> None:
    for name, lines in (("hyp", HYPS), ("ref", REFS)):
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    command = ["score", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref")]
    command += ["-m", "bertscore:spelling", "-m", "cosine:spelling"]
    done = CliRunner().invoke(group, [*command, "--json"])
    assert done.exit_code == 0, done.output
    told = json.loads(done.output)["meta"]["labels"]
    assert told == {"bertscore:spelling": "BERTScore:spelling", "cosine:spelling": "cosine:spelling"}


@pytest.mark.parametrize("name", ["bertscore", "bertscore-idf", "cosine"])
def test_without_a_model_the_published_name_is_refused(name: str, tmp_path: Path) -> None:
    """Likeness of letters is not to be had under the name of a metric of nets."""
    with pytest.raises(DataError, match=f"needs an encoder: {name}:FOLDER, .* {name}:spelling compares"):
        make_metric(name)
    assert make_metric(f"{name}:spelling").label.endswith(":spelling")
    assert make_metric(f"{name}:(spelling:longest=3)").label.endswith(":spelling")
    assert make_metric(f"{name}:{tmp_path}").label in ("BERTScore", "BERTScore-idf", "cosine")


def test_what_is_wrong_with_an_encoder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownName, match=r"No encoder is called 'spelking'. Did you mean 'spelling'"):
        make_metric("bertscore:spelking").segments(["a"], [["a"]])
    with pytest.raises(DataError, match="needs a folder"):
        make_metric("bertscore:transformers").segments(["a"], [["a"]])
    if HERE:
        with pytest.raises(ModelError, match=r"it has no config\.json"):
            make_metric(f"bertscore:{tmp_path}").segments(["a"], [["a"]])
    monkeypatch.setitem(__import__("sys").modules, "transformers", None)
    with pytest.raises(NotAvailable, match=r'pip install "dragoman\[transformers\]"'):
        make_encoder("transformers:elsewhere").encode(["a"])


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT with chance weights, whose pieces are characters and a few words."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizerFast

    folder: Path = tmp_path_factory.mktemp("bert")
    letters = "abcdefghijklmnopqrstuvwxyz."
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", *letters, *(f"##{each}" for each in letters)]
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")
    torch.manual_seed(2)
    torch.set_num_threads(1)
    BertTokenizerFast(str(folder / "vocab.txt")).save_pretrained(folder)
    config = BertConfig(len(pieces), 16, 2, 2, 32, max_position_embeddings=64)
    BertModel(config).save_pretrained(folder)
    return folder


@needs_transformers
@pytest.mark.filterwarnings("default")  # the library's own
def test_a_net_of_a_folder_keeps_the_contract_of_encoders(bert: Path) -> None:
    import torch

    encoder = make_encoder(f"{bert},layer=1")
    check_encoder(encoder)
    [each] = encoder.encode(["the cats"])
    assert each.tokens == ("the", "cat", "##s")
    tokeniser, net = encoder._loaded  # type: ignore[attr-defined]
    with torch.no_grad():
        states = net(**tokeniser("the cats", return_tensors="pt"), output_hidden_states=True).hidden_states
    np.testing.assert_allclose(each.vectors, states[1][0, 1:-1].numpy(), atol=1e-6)
    with pytest.raises(DataError, match="has 2 layers; there is no layer 7"):
        make_encoder(f"{bert},layer=7").encode(["a"])
    metric = make_metric(f"bertscore:({bert},layer=1)")
    assert metric.segments(["the cat"], [["the cat"]])[0] == pytest.approx(100)
    assert f"|encoder:({bert},layer=1)|" in metric.signature()
    assert "|content:" in metric.signature()
