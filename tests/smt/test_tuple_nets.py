"""Nets over tuples: windows, scores, files, the command."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.align import ALIGNERS, Aligner
from dragoman.cli.main import group
from dragoman.data.parallel import UnequalLengths
from dragoman.errors import DataError, ModelError
from dragoman.lm.nets import OutputWords
from dragoman.samples import phrasebook
from dragoman.smt.nets import FACTORS, Streams, TupleNet, TupleNetRecipe, train_tuple_net, unfolded
from dragoman.smt.nets.factors import EncodedStreams

SOURCE, TARGET = (phrasebook()[lang][:200] for lang in ("de", "en"))
TEXT, DEV = (SOURCE[:180], TARGET[:180]), (SOURCE[180:], TARGET[180:])
SMALL = TupleNetRecipe(
    order=3, projection=16, hidden=16, shortlist=9, classes=5, min_count=1, epochs=1, batch=32, method="ibm1"
)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> TupleNet:
    folder = tmp_path_factory.mktemp("tuples")
    return train_tuple_net(TEXT, SMALL, dev=DEV, model=folder / "net", work=folder / "work")[0]


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    return ALIGNERS.make("ibm1").train(*TEXT)


def nobel() -> tuple[Streams, tuple[OutputWords, OutputWords]]:
    """Units u8 to u12 of LIMSI's example, and all their words."""
    source = "à recevoir le nobel de la paix prix"
    target = "to receive the nobel peace prize"
    sizes = np.array([1, 1, 1, 4, 1, 1]), np.array([1, 1, 1, 2, 1, 1])
    words = tuple(
        OutputWords(("<unk>", "</s>", *line.split()), (1,) * (len(line.split()) + 2)) for line in (source, target)
    )
    return Streams((source,), (target,), *sizes, np.array([6])), words  # type: ignore[return-value]


def contexts(factor: str, size: int, ahead: int = 0) -> dict[str, tuple[list[str], list[str]]]:
    """What each word is predicted from: the words before it, and those of the other side."""
    streams, words = nobel()
    sizes = len(words[0]), len(words[1])
    side = FACTORS[factor].side
    examples = FACTORS[factor].examples(EncodedStreams.of(streams, words), sizes, size, ahead)
    names = [*words[side].words, "<s>", *words[1 - side].words, "<s>"]
    return {
        words[side].words[output]: ([names[i] for i in row[:size]], [names[i] for i in row[size:]])
        for row, output in zip(examples.contexts.tolist(), examples.outputs.tolist(), strict=True)
    }


def test_limsi_2012_eq3_windows_of_u11() -> None:
    translation = contexts("translation", 2)
    assert translation["nobel"] == (["receive", "the"], ["la", "paix"])
    assert translation["peace"] == (["the", "nobel"], ["la", "paix"])
    assert contexts("translation", 3)["peace"] == (["receive", "the", "nobel"], ["de", "la", "paix"])
    reordering = contexts("reordering", 2)
    assert reordering["nobel"] == (["recevoir", "le"], ["receive", "the"])
    assert reordering["paix"] == (["de", "la"], ["receive", "the"])
    assert reordering["de"] == (["le", "nobel"], ["receive", "the"])
    assert reordering["prix"] == (["la", "paix"], ["nobel", "peace"])
    assert reordering["à"] == (["<s>", "<s>"], ["<s>", "<s>"])


def test_limsi_2012_eq4_windows_of_u11() -> None:
    back = contexts("back-translation", 2)
    assert back["nobel"] == (["recevoir", "le"], ["nobel", "peace"])
    assert back["paix"] == (["de", "la"], ["nobel", "peace"])
    reordering = contexts("back-reordering", 2)
    assert reordering["nobel"] == (["receive", "the"], ["recevoir", "le"])
    assert reordering["peace"] == (["the", "nobel"], ["recevoir", "le"])


def test_a_sentence_begins_with_padding_and_ends_with_its_end() -> None:
    translation = contexts("translation", 2)
    assert translation["to"] == (["<s>", "<s>"], ["<s>", "à"])
    assert translation["</s>"] == (["peace", "prize"], ["prix", "</s>"])
    assert contexts("reordering", 2)["</s>"] == (["paix", "prix"], ["peace", "prize"])


def test_a_window_may_look_ahead_as_far_as_the_sentence_goes() -> None:
    translation = contexts("translation", 2, ahead=2)
    assert translation["peace"] == (["the", "nobel"], ["la", "paix", "prix", "</s>"])
    assert translation["prize"] == (["nobel", "peace"], ["paix", "prix", "</s>", "<s>"])


def test_pairs_do_not_look_into_each_other(net: TupleNet) -> None:
    together = net.score(SOURCE[:6], TARGET[:6])
    alone = np.vstack([net.score([s], [t]) for s, t in zip(SOURCE[:6], TARGET[:6], strict=True)])
    np.testing.assert_allclose(together, alone, rtol=1e-9)
    assert together.shape == (6, 4)
    assert np.isfinite(net.score(["", "a", ""], ["", "", "b"])).all()
    assert net.score([], []).shape == (0, 4)


def test_scores_are_those_of_the_definition(net: TupleNet) -> None:
    """Windows written out, token by token."""
    streams = unfolded(SOURCE[:5], TARGET[:5], net.aligner, "word")
    sides = streams.source, streams.target
    scores = net.token_scores(streams)
    sizes = streams.source_sizes, streams.target_sizes
    ends = np.cumsum(streams.n_units)
    for name, factor in FACTORS.items():
        own, other = factor.side, 1 - factor.side
        n_own = len(net.output_words[own])
        for pair in range(5):
            tokens = [[*net.output_words[i].encode([sides[i][pair]]).ids.tolist()] for i in (0, 1)]
            units = slice(ends[pair] - streams.n_units[pair], ends[pair])
            rows, outputs, at, beside = [], [], 0, 0
            for n, m in zip(sizes[own][units].tolist(), sizes[other][units].tolist(), strict=True):
                seen = beside + (m if factor.with_unit else 0)
                for _ in range(n):
                    before = [n_own] * 2 + tokens[own][:at]
                    across = [n_own + 1 + len(net.output_words[other])] * 2 + [
                        n_own + 1 + i for i in tokens[other][:seen]
                    ]
                    rows.append([*before[-2:], *across[-2:]])
                    outputs.append(tokens[own][at])
                    at += 1
                beside += m
            expected = net.nets[name].log_p(np.array(rows, np.int32), np.array(outputs, np.int32), n_threads=1)
            np.testing.assert_allclose(scores[name][pair] * np.log(10), expected, rtol=1e-6)


def test_phrases_are_tokens_and_sides_without_words_have_one(aligner: Aligner) -> None:
    words, phrases = (unfolded(SOURCE[:40], TARGET[:40], aligner, units) for units in ("word", "phrase"))
    assert (phrases.source_sizes == 1).all()
    assert (phrases.target_sizes == 1).all()
    assert phrases.n_units.tolist() == words.n_units.tolist()
    joined = [" ".join(line.replace("<null>", "").replace("▁", " ").split()) for line in phrases.target]
    assert joined == [" ".join(line.split()) for line in TARGET[:40]]


def test_phrases_can_be_learnt(tmp_path: Path, aligner: Aligner) -> None:
    recipe = replace(SMALL, units="phrase", factors=("translation",))
    net, training = train_tuple_net(
        TEXT, recipe, dev=DEV, model=tmp_path / "net", work=tmp_path / "work", aligner=aligner
    )
    assert list(training.curves) == ["translation"]
    assert net.score(SOURCE[:3], TARGET[:3]).shape == (3, 1)


def test_a_translation_is_more_probable_than_another_sentence(tmp_path: Path) -> None:
    recipe = replace(SMALL, factors=("translation",), epochs=4, rate=0.1, ahead=2)
    net, _ = train_tuple_net(TEXT, recipe, dev=TEXT, model=tmp_path / "net", work=tmp_path / "work")
    right = net.score(TEXT[0], TEXT[1])[:, 0]
    wrong = net.score(TEXT[0][1:] + TEXT[0][:1], TEXT[1])[:, 0]
    assert (right > wrong).mean() > 0.9


def test_what_is_saved_is_loaded(net: TupleNet, tmp_path: Path) -> None:
    loaded = TupleNet.load(net.save(tmp_path / "net"))
    assert (loaded.recipe, loaded.seed, loaded.data) == (net.recipe, net.seed, net.data)
    assert (loaded.score(*DEV) == net.score(*DEV)).all()
    assert (loaded.score(*DEV, n_threads=3) == net.score(*DEV)).all()
    (tmp_path / "net" / "translation.bin").unlink()
    with pytest.raises(ModelError, match=r"is incomplete: translation\.bin is missing"):
        TupleNet.load(tmp_path / "net")


def test_what_cannot_be_is_refused(net: TupleNet, tmp_path: Path, aligner: Aligner) -> None:
    with pytest.raises(UnequalLengths, match="got srcs=2, tgts=1"):
        net.score(["a", "b"], ["a"])
    with pytest.raises(DataError, match=r"The factors must be one or more, each once, got \[\]"):
        replace(SMALL, factors=()).check()
    with pytest.raises(DataError, match="each once"):
        replace(SMALL, factors=("translation", "translation")).check()
    one = replace(SMALL, factors=("translation",))
    where = {"dev": DEV, "model": tmp_path / "net", "work": tmp_path / "work"}
    train_tuple_net(TEXT, one, **where)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="holds the work of another text, recipe or seed"):
        train_tuple_net(TEXT, one, aligner=aligner, **where)  # type: ignore[arg-type]


def test_the_command_trains_the_factors_asked_for(tmp_path: Path) -> None:
    for name, lines in zip(("s", "t", "ds", "dt"), (*TEXT, *DEV), strict=True):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    sizes = ["--order=3", "--projection=16", "--hidden=16", "--min-count=1", "--epochs=1", "--factor=reordering"]
    dev = ["--dev-src", f"{tmp_path}/ds", "--dev-tgt", f"{tmp_path}/dt"]
    run = CliRunner().invoke(
        group, ["smt", "net", f"{tmp_path}/s", f"{tmp_path}/t", *dev, "-m", f"{tmp_path}/net", *sizes, "--json"]
    )
    assert run.exit_code == 0, run.output
    assert json.loads(run.stdout)["meta"]["recipe"]["factors"] == ["reordering"]
    assert list(TupleNet.load(tmp_path / "net").nets) == ["reordering"]
