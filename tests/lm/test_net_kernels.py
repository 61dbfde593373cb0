"""The kernels of nets against their definition, written out, and their gradient against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import DataError
from dragoman.rng import Stream
from tests.examples import examples

Floats = NDArray[np.float64]
NO_SQUARES = np.zeros(0, dtype=np.float32)


def tiny_shape(n_slots: int = 2, hidden2: int = 0, sizes: tuple[int, ...] = (1, 3, 1, 2)) -> _core.net.Shape:
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.uint32)
    return _core.net.Shape.make(
        n_inputs=9, n_slots=n_slots, projection=16, hidden=32, hidden2=hidden2, class_offsets=offsets
    )


def random_weights(shape: _core.net.Shape, seed: int) -> NDArray[np.float32]:
    return (Stream(seed, "weights").uniform(shape.n_weights) - 0.5).astype(np.float32)


def random_examples(shape: _core.net.Shape, n: int, seed: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    draws = Stream(seed, "examples").uniform(n * (shape.n_slots + 1)).reshape(n, -1)
    contexts = np.ascontiguousarray(draws[:, 1:] * shape.n_inputs).astype(np.int32)
    return contexts, (draws[:, 0] * shape.n_outputs).astype(np.int32)


def naive_log_p(shape: _core.net.Shape, weights: Floats, context: list[int], output: int) -> float:
    """p(class) · p(word | class), layer by layer, in double precision."""
    block = {
        name: weights[first : first + rows * columns].reshape(rows, columns)
        for name, first, rows, columns in shape.blocks()
    }
    units = np.concatenate([block["projection"][word] for word in context])
    units = np.tanh(units @ block["hidden"] + block["hidden bias"][0])
    if len(block["hidden2"]):
        units = np.tanh(units @ block["hidden2"] + block["hidden2 bias"][0])
    offsets = shape.class_offsets.astype(int)
    number = int(np.searchsorted(offsets, output, side="right")) - 1
    classes = (units @ block["classes"] + block["class bias"][0])[: len(offsets) - 1]
    members = slice(offsets[number], offsets[number + 1])
    words = block["words"][members] @ units + block["word bias"][0][members]
    log_classes = classes - np.log(np.exp(classes).sum())
    log_words = words - np.log(np.exp(words).sum())
    return float(log_classes[number] + log_words[output - offsets[number]])


def naive_loss(shape: _core.net.Shape, weights: Floats, examples: tuple[NDArray[np.int32], NDArray[np.int32]]) -> float:
    pairs = zip(examples[0].tolist(), examples[1].tolist(), strict=True)
    return -float(np.mean([naive_log_p(shape, weights, context, output) for context, output in pairs]))


def step(
    shape: _core.net.Shape,
    weights: NDArray[np.float32],
    examples: tuple[NDArray[np.int32], NDArray[np.int32]],
    *,
    adaptive: bool = False,
    rate: float = 1.0,
    decay: float = 0.0,
    n_threads: int = 1,
) -> NDArray[np.float32]:
    """The weights after one step on all examples."""
    trainer = _core.net.Trainer.make(_core.net.Net.make(shape, weights), adaptive=adaptive, squares=NO_SQUARES)
    n = len(examples[1])
    trainer.epoch(*examples, np.arange(n), rate=rate, decay=decay, dropout=0.0, batch=n, key=0, n_threads=n_threads)
    return trainer.net().weights()


shapes = st.builds(
    tiny_shape,
    n_slots=st.integers(1, 4),
    hidden2=st.sampled_from([0, 16]),
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=20).map(tuple),
)


@given(shape=shapes, seed=st.integers(0, 1000))
def test_probabilities_are_those_of_the_definition(shape: _core.net.Shape, seed: int) -> None:
    weights = random_weights(shape, seed)
    contexts, outputs = random_examples(shape, 7, seed)
    expected = [
        naive_log_p(shape, weights.astype(np.float64), context, output)
        for context, output in zip(contexts.tolist(), outputs.tolist(), strict=True)
    ]
    log_p = _core.net.Net.make(shape, weights).log_p(contexts, outputs, n_threads=1)
    np.testing.assert_allclose(log_p, expected, atol=2e-5)


@examples(20)
@given(shape=shapes, seed=st.integers(0, 1000))
def test_probabilities_of_all_words_add_up_to_one(shape: _core.net.Shape, seed: int) -> None:
    net = _core.net.Net.make(shape, 4 * random_weights(shape, seed))
    contexts, _ = random_examples(shape, 1, seed)
    every = np.arange(shape.n_outputs, dtype=np.int32)
    log_p = net.log_p(np.repeat(contexts, len(every), axis=0), every, n_threads=1)
    assert np.exp(log_p).sum() == pytest.approx(1.0, abs=1e-5)


@examples(12)
@given(shape=shapes, seed=st.integers(0, 1000))
def test_the_gradient_is_that_of_finite_differences(shape: _core.net.Shape, seed: int) -> None:
    weights, examples = random_weights(shape, seed), random_examples(shape, 5, seed)
    gradient = (weights - step(shape, weights, examples)).astype(np.float64)  # one plain step at the rate 1
    exact = weights.astype(np.float64)
    # Somewhere in every block, and along all weights at once.
    directions = [
        np.eye(1, len(exact), first + (rows * columns) // 2)[0] for _, first, rows, columns in shape.blocks() if rows
    ]
    used = np.abs(gradient) > 0
    directions.append(np.where(used, Stream(seed, "direction").uniform(len(exact)) - 0.5, 0.0))
    for direction in directions:
        h = 1e-5
        by_difference = (
            naive_loss(shape, exact + h * direction, examples) - naive_loss(shape, exact - h * direction, examples)
        ) / (2 * h)
        assert gradient @ direction == pytest.approx(by_difference, abs=3e-5, rel=1e-3)


def test_an_adaptive_step_divides_by_the_root_of_squared_gradients() -> None:
    shape = tiny_shape()
    weights, examples = random_weights(shape, 1), random_examples(shape, 6, 1)
    gradient = weights - step(shape, weights, examples)
    adaptive = weights - step(shape, weights, examples, adaptive=True, rate=0.5)
    large = np.abs(gradient) > 1e-4
    assert large.any()
    np.testing.assert_allclose(adaptive[large], 0.5 * np.sign(gradient[large]), atol=1e-3)


def test_decay_draws_weights_of_layers_towards_zero() -> None:
    shape = tiny_shape()
    weights, examples = random_weights(shape, 2), random_examples(shape, 6, 2)
    plain, drawn = (step(shape, weights, examples, decay=decay) for decay in (0.0, 0.1))
    blocks = {name: slice(first, first + rows * columns) for name, first, rows, columns in shape.blocks()}
    layer, bias = blocks["hidden"], blocks["hidden bias"]
    np.testing.assert_allclose(plain[layer] - drawn[layer], 0.1 * weights[layer], atol=1e-6)
    assert (plain[bias] == drawn[bias]).all()


@pytest.mark.parametrize("hidden2", [0, 32])
def test_training_does_not_depend_on_the_number_of_threads(hidden2: int) -> None:
    shape = tiny_shape(3, hidden2, (1, 5, 9, 1, 1))
    contexts, outputs = random_examples(shape, 150, 3)

    def trained(n_threads: int) -> tuple[bytes, bytes]:
        net = _core.net.Net.make(shape, random_weights(shape, 3))
        trainer = _core.net.Trainer.make(net, adaptive=True, squares=NO_SQUARES)
        order = Stream(3, "order").permutation(150)
        trainer.epoch(contexts, outputs, order, rate=0.1, decay=0.01, dropout=0.3, batch=37, key=5, n_threads=n_threads)
        scores = trainer.net().log_p(contexts, outputs, n_threads=n_threads)
        return trainer.net().weights().tobytes(), scores.tobytes()

    assert trained(1) == trained(2) == trained(7)


def test_dropout_leaves_the_expected_loss_where_it_was() -> None:
    """Units that stay are made larger: the mean loss of many draws is near the loss without."""
    shape = tiny_shape()
    weights = 0.2 * random_weights(shape, 4)
    contexts, outputs = (np.repeat(part, 4000, axis=0) for part in random_examples(shape, 1, 4))
    net = _core.net.Net.make(shape, weights)
    trainer = _core.net.Trainer.make(net, adaptive=False, squares=NO_SQUARES)
    mean = trainer.epoch(
        contexts, outputs, np.arange(4000), rate=0.0, decay=0.0, dropout=0.5, batch=4000, key=9, n_threads=1
    )
    assert mean == pytest.approx(float(net.log_p(contexts[:1], outputs[:1], n_threads=1)[0]), abs=5e-3)


def test_what_is_serialised_is_the_same_net() -> None:
    shape = tiny_shape(hidden2=16)
    net = _core.net.Net.make(shape, random_weights(shape, 5))
    again = _core.net.Net.on_file(memoryview(net.serialised()))
    examples = random_examples(shape, 9, 5)
    assert (again.log_p(*examples, n_threads=1) == net.log_p(*examples, n_threads=1)).all()
    assert again.serialised() == net.serialised()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "this is no net of Dragoman's. Make one with: dragoman lm net"),
        (b"DragLM \n" * 20, "this is no net of Dragoman's"),
        ("cut", "bytes and should have"),
        ("head", "the net is damaged .checksum of the header differs"),
        ("classes", "the net is damaged .its arrays do not fit|The classes of the output must begin at 0"),
    ],
)
def test_a_damaged_file_is_refused(content: bytes | str, message: str) -> None:
    shape = tiny_shape()
    file = bytearray(_core.net.Net.make(shape, random_weights(shape, 6)).serialised())
    if content == "cut":
        content = bytes(file[:-8])
    elif content == "head":
        file[16] ^= 1
        content = bytes(file)
    elif content == "classes":
        file[64] ^= 1  # the first class begins at 1
        content = bytes(file)
    with pytest.raises(DataError, match=message):
        _core.net.Net.on_file(memoryview(content))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"n_inputs": 0}, "A net needs at least one word that a context can be of"),
        ({"n_slots": 0}, "A context has 1 to 64 words, got 0"),
        ({"n_slots": 65}, "A context has 1 to 64 words, got 65"),
        ({"projection": 20}, "projection is 20; a width is a multiple of 16 up to 16384"),
        ({"hidden": 0}, "hidden is 0; a width"),
        ({"hidden2": 8}, "hidden2 is 8; a width"),
        ({"class_offsets": np.array([0, 2, 2], dtype=np.uint32)}, "must begin at 0 and have at least one word each"),
        ({"class_offsets": np.array([0], dtype=np.uint32)}, "must begin at 0"),
    ],
)
def test_a_shape_that_cannot_be_is_refused(change: dict[str, object], message: str) -> None:
    sizes = {"n_inputs": 3, "n_slots": 1, "projection": 16, "hidden": 16, "hidden2": 0}
    values = {**sizes, "class_offsets": np.array([0, 1, 3], dtype=np.uint32), **change}
    with pytest.raises(DataError, match=message):
        _core.net.Shape.make(**values)  # type: ignore[arg-type]


def test_numbers_of_no_word_are_refused() -> None:
    shape = tiny_shape()
    net = _core.net.Net.make(shape, random_weights(shape, 7))
    contexts, outputs = random_examples(shape, 2, 7)
    with pytest.raises(DataError, match="There is no input word 9: the net has 9"):
        net.log_p(np.full_like(contexts, 9), outputs, n_threads=1)
    with pytest.raises(DataError, match="There is no output word -1: the net has 7"):
        net.log_p(contexts, np.full_like(outputs, -1), n_threads=1)
    with pytest.raises(DataError, match="There must be 2 context words for each output, got 4 for 1"):
        net.log_p(contexts, outputs[:1], n_threads=1)
    with pytest.raises(DataError, match=r"The net has \d+ weights, got 3"):
        _core.net.Net.make(shape, np.zeros(3, dtype=np.float32))
    trainer = _core.net.Trainer.make(net, adaptive=False, squares=NO_SQUARES)
    settings = {"rate": 0.1, "decay": 0.0, "dropout": 0.0, "key": 1, "n_threads": 1}
    with pytest.raises(DataError, match="The order of an epoch must name at least one example, and none that is not"):
        trainer.epoch(contexts, outputs, np.array([2]), batch=1, **settings)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="A step needs at least one example"):
        trainer.epoch(contexts, outputs, np.array([0]), batch=0, **settings)  # type: ignore[arg-type]
    with pytest.raises(DataError, match="but there are 3 sums of squared gradients"):
        _core.net.Trainer.make(net, adaptive=True, squares=np.zeros(3, dtype=np.float32))
