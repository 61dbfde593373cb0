"""Nets as language models: training, its end and its going on, scores, files, the commands."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from dragoman.artifact import MANIFEST
from dragoman.cli.main import group
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.lm import KneserNey, Mixture, NetModel, NetRecipe, open_model, perplexity, train_lm_net
from dragoman.lm.nets import OutputWords
from dragoman.lm.nets.examples import history
from dragoman.samples import phrasebook

LINES = phrasebook()["en"]
TRAIN, DEV = LINES[:-20], LINES[-20:]
SMALL = NetRecipe(
    order=3, projection=16, hidden=32, shortlist=20, classes=8, min_count=1, epochs=3, batch=32, rate=0.1, dropout=0.1
)


@pytest.fixture(scope="module")
def net(tmp_path_factory: pytest.TempPathFactory) -> NetModel:
    folder = tmp_path_factory.mktemp("net")
    return train_lm_net(TRAIN, SMALL, dev=DEV, model=folder / "net", work=folder / "work", seed=3)[0]


def test_words_are_numbered_class_by_class() -> None:
    lines = ["a b a c", "a d b", "e e a"]
    words = OutputWords.of(lines, NetRecipe(shortlist=1, classes=2, min_count=1))
    assert words.words[:3] == ("<unk>", "</s>", "a")
    assert words.sizes[:3] == (1, 1, 1)
    assert sum(words.sizes) == len(words) == 7
    assert words.offsets.tolist() == np.concatenate([[0], np.cumsum(words.sizes)]).tolist()
    text = words.encode(["a zebra", ""])
    assert text.ids.tolist() == [2, 0, 1, 1]
    assert text.offsets.tolist() == [0, 3, 4]


def test_a_context_is_the_words_before_and_padding_before_a_sentence() -> None:
    words = OutputWords(("<unk>", "</s>", "a", "b"), (1, 1, 2))
    examples = history(words.encode(["a b a", "b"]), 2, pad=4)
    assert examples.contexts.tolist() == [[4, 4], [4, 2], [2, 3], [3, 2], [4, 4], [4, 3]]
    assert examples.outputs.tolist() == [2, 3, 2, 1, 3, 1]


def test_training_makes_held_out_text_more_probable(net: NetModel) -> None:
    assert perplexity(net, DEV).value < len(net.output_words) / 3


def test_probabilities_of_all_words_after_a_beginning_add_up_to_one(net: NetModel) -> None:
    words = [word for word in net.words() if word not in ("<s>", "<unk>", "</s>")]
    first = net.score_tokens([f"{LINES[0].split()[0]} {word}" for word in [*words, "qqq"]], eos=False)
    p = 10.0 ** first.log_p[1::2].astype(np.float64)
    end = 10.0 ** net.score_tokens([LINES[0].split()[0]]).log_p[-1]
    assert p.sum() + end == pytest.approx(1.0, abs=1e-5)


def test_lines_are_scored_like_their_tokens(net: NetModel) -> None:
    lines = [LINES[0], "", "zebra zebra"]
    scored = net.score_tokens(lines)
    assert scored.offsets.tolist()[-1] == len(scored.log_p) == sum(len(line.split()) + 1 for line in lines)
    sums = [scored.log_p[a:b].sum() for a, b in zip(scored.offsets[:-1], scored.offsets[1:], strict=True)]
    np.testing.assert_allclose(net.score(lines), sums, atol=1e-5)
    assert scored.unknown.tolist()[-3:] == [True, True, False]
    assert set(scored.n_matched.tolist()) == {3}
    assert net.score([]).tolist() == []
    inner = net.score_tokens(lines, eos=False)
    assert inner.offsets.tolist() == [0, len(LINES[0].split()), len(LINES[0].split()), len(LINES[0].split()) + 2]
    with pytest.raises(DataError, match="A net knows words from a sentence's beginning on"):
        net.score(lines, bos=False)
    with pytest.raises(DataError, match="Expected lines of text, got one str"):
        net.score("a b")


def test_a_net_and_a_back_off_model_are_mixed(net: NetModel) -> None:
    counts = KneserNey(order=3).train(TRAIN, vocabulary=net.words()[3:])
    both = Mixture((counts, net), (0.5, 0.5))
    p = sum(10.0 ** model.score_tokens(DEV).log_p.astype(np.float64) for model in (counts, net)) / 2
    np.testing.assert_allclose(both.score(DEV).sum(), np.log10(p).sum(), rtol=1e-6)
    np.testing.assert_allclose(both.score_tokens(DEV).log_p, np.log10(p), rtol=1e-5)
    assert both.order == 3


def test_what_is_saved_is_loaded(net: NetModel, tmp_path: Path) -> None:
    loaded = open_model(net.save(tmp_path / "net"))
    assert isinstance(loaded, NetModel)
    assert (loaded.recipe, loaded.seed, loaded.data) == (net.recipe, net.seed, net.data)
    assert (loaded.score(DEV) == net.score(DEV)).all()


def test_the_same_seed_gives_the_same_net_and_another_another(net: NetModel, tmp_path: Path) -> None:
    again, _ = train_lm_net(TRAIN, SMALL, dev=DEV, model=tmp_path / "a", work=tmp_path / "aw", seed=3, n_threads=3)
    assert again.net.serialised() == net.net.serialised()
    other, _ = train_lm_net(TRAIN, SMALL, dev=DEV, model=tmp_path / "b", work=tmp_path / "bw", seed=4)
    assert other.net.serialised() != net.net.serialised()


def test_an_interrupted_training_goes_on_to_the_same_net(net: NetModel, tmp_path: Path) -> None:
    def interrupt(done: int, _total: int, _what: str) -> None:
        if done == 1:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_lm_net(TRAIN, SMALL, dev=DEV, model=tmp_path / "net", work=tmp_path / "work", seed=3, progress=interrupt)
    assert not (tmp_path / "net").exists()
    assert sorted(path.name for path in (tmp_path / "work").iterdir()) == ["training.json", "words.npz"]
    resumed, training = train_lm_net(TRAIN, SMALL, dev=DEV, model=tmp_path / "net", work=tmp_path / "work", seed=3)
    assert [each.epoch for each in training.curves["words"].epochs] == [1, 2, 3]
    assert resumed.net.serialised() == net.net.serialised()
    with pytest.raises(DataError, match=r"holds the work of another text, recipe or seed\. Name another folder"):
        train_lm_net(TRAIN, SMALL, dev=DEV, model=tmp_path / "net", work=tmp_path / "work", seed=5)


def test_an_epoch_that_brings_nothing_is_undone_and_halves_the_rate(tmp_path: Path) -> None:
    recipe = replace(SMALL, epochs=30, patience=2, rate=0.5, dropout=0.0)
    trained, training = train_lm_net(TRAIN[:60], recipe, dev=DEV, model=tmp_path / "net", work=tmp_path / "work")
    epochs = training.curves["words"].epochs
    assert len(epochs) < 30
    best, idle, rate = float("inf"), 0, 0.5
    for each in epochs:
        assert each.rate == rate
        if each.dev >= best:
            idle, rate = idle + 1, rate / 2
        best = min(best, each.dev)
    assert idle == 2
    assert perplexity(trained, DEV).value == pytest.approx(best, rel=1e-5)


def test_a_sample_sees_a_share_of_the_text(tmp_path: Path) -> None:
    few, all_of_it = (
        train_lm_net(
            TRAIN,
            replace(SMALL, epochs=1, sample=share),
            dev=DEV,
            model=tmp_path / f"{share}",
            work=tmp_path / f"w{share}",
        )[1]
        .curves["words"]
        .best
        for share in (0.05, 1.0)
    )
    assert few > all_of_it


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 20}, "The hidden must be a multiple of 16, got 20"),
        ({"hidden2": 3}, "The hidden2 must be a multiple of 16, got 3"),
        ({"dropout": 0.95}, "'dropout' option of NetRecipe must be"),
    ],
)
def test_a_recipe_that_cannot_be_is_refused(change: dict[str, float], message: str) -> None:
    with pytest.raises(DataError, match=message):
        NetRecipe(**change).check()  # type: ignore[arg-type]


def test_text_that_gives_no_net_is_refused(tmp_path: Path) -> None:
    where = {"model": tmp_path / "net", "work": tmp_path / "work"}
    with pytest.raises(DataError, match="No word is there 9 times; give more text or lower 'min_count'"):
        train_lm_net(["a b", "a"], NetRecipe(min_count=9), dev=["a"], **where)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="one of them has no sentence"):
        train_lm_net(TRAIN, SMALL, dev=[], model=tmp_path / "net", work=tmp_path / "work2")
    wild = replace(SMALL, rate=1e30, update="sgd")
    with pytest.raises(DataError, match=r"Training diverged in epoch 1, at the rate 1e\+30\. Choose a lower rate"):
        train_lm_net(TRAIN, wild, dev=DEV, model=tmp_path / "net", work=tmp_path / "work3")
    assert not (tmp_path / "net").exists()


def _resealed(folder: Path, name: str, content: str | bytes) -> None:
    """Put other content into a model's file and let the manifest say so: a checksum does not tell who wrote it."""
    from dragoman.artifact import checksum

    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    manifest = json.loads((folder / MANIFEST).read_text())
    manifest["files"][name], manifest["sizes"][name] = checksum(path), path.stat().st_size
    (folder / MANIFEST).write_text(json.dumps(manifest))


def test_damaged_files_are_named(net: NetModel, tmp_path: Path) -> None:
    folder = net.save(tmp_path / "net")
    words = (folder / "words.txt").read_text()
    _resealed(folder, "words.txt", words.replace("</s>\n", "</s>\n</s>\n", 1))
    with pytest.raises(FormatError, match=r"words.txt:3: the word '</s>' is there twice or empty"):
        NetModel.load(folder)
    _resealed(folder, "words.txt", "a\nb\n")
    with pytest.raises(FormatError, match=r"the first classes must be <unk> and </s>"):
        NetModel.load(folder)
    _resealed(folder, "words.txt", words + "zyzzyva\n")
    with pytest.raises(ModelError, match=r"net.bin is of other words or another context than its folder says"):
        NetModel.load(folder)
    _resealed(folder, "words.txt", words)
    _resealed(folder, "net.bin", b"")
    with pytest.raises(ModelError, match=r"net.bin: the file is empty. Train the net again"):
        NetModel.load(folder)
    _resealed(folder, "net.bin", b"x" * 100)
    with pytest.raises(ModelError, match=r"net.bin: this is no net of Dragoman's"):
        NetModel.load(folder)


def test_the_commands_train_a_net_and_score_with_it(tmp_path: Path) -> None:
    for name, lines in (("train", TRAIN), ("dev", DEV)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    small = ["--order=3", "--projection=16", "--hidden=16", "--min-count=1", "--classes=5", "--epochs=2"]
    run = CliRunner().invoke(
        group,
        ["lm", "net", f"{tmp_path}/train", "--dev", f"{tmp_path}/dev", "-m", f"{tmp_path}/net", "--json", *small],
    )
    assert run.exit_code == 0, run.output
    result = json.loads(run.stdout)
    assert result["kind"] == "net training"
    assert [row["epoch"] for row in result["rows"]] == [1, 2]
    assert result["meta"]["recipe"]["order"] == 3
    scored = CliRunner().invoke(group, ["lm", "score", f"{tmp_path}/dev", "-m", f"{tmp_path}/net", "--json"])
    assert scored.exit_code == 0, scored.output
    assert json.loads(scored.stdout)["rows"][0]["perplexity"] == pytest.approx(
        min(row["dev"] for row in result["rows"]), rel=1e-4
    )
    KneserNey(order=2).train(TRAIN).save(tmp_path / "lm")
    both = ["lm", "score", f"{tmp_path}/dev", "-m", f"{tmp_path}/lm", "-m", f"{tmp_path}/net"]
    mixed = CliRunner().invoke(group, [*both, "--dev", f"{tmp_path}/dev", "--json"])
    assert mixed.exit_code == 0, mixed.output
    assert json.loads(mixed.stdout)["rows"][0]["perplexity"] < json.loads(scored.stdout)["rows"][0]["perplexity"]
    unweighted = CliRunner().invoke(group, both)
    assert unweighted.exit_code == 2
    assert "Several models need --dev, which tells their weights; one model needs none" in unweighted.output
    wrong = CliRunner().invoke(
        group,
        ["lm", "net", f"{tmp_path}/train", "--dev", f"{tmp_path}/dev", "-m", f"{tmp_path}/net2", "--hidden", "20"],
    )
    assert wrong.exit_code == 2
    assert "--hidden must be a multiple of 16, got 20" in wrong.output
