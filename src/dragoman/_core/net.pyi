"""Feed-forward nets over n-grams: training, scoring."""

import numpy
from numpy.typing import NDArray


class Shape:
    """The sizes of a net."""

    @staticmethod
    def make(*, n_inputs: int, n_slots: int, projection: int, hidden: int, hidden2: int, class_offsets: NDArray[numpy.uint32]) -> Shape: ...

    @property
    def n_inputs(self) -> int: ...

    @property
    def n_slots(self) -> int: ...

    @property
    def n_outputs(self) -> int: ...

    @property
    def n_weights(self) -> int: ...

    @property
    def class_offsets(self) -> NDArray[numpy.uint32]: ...

    def blocks(self) -> list[tuple[str, int, int, int]]:
        """
        The matrices among the weights: name, place of the first weight, rows, columns.
        """

class Net:
    """A feed-forward net over n-grams with a class-factored output."""

    @staticmethod
    def make(shape: Shape, weights: NDArray[numpy.float32]) -> Net: ...

    @property
    def shape(self) -> Shape: ...

    def weights(self) -> NDArray[numpy.float32]:
        """All weights, one block behind the other."""

    def log_p(self, contexts: NDArray[numpy.int32], outputs: NDArray[numpy.int32], *, n_threads: int) -> NDArray[numpy.float64]:
        """Natural logarithm of the probability of each output after its context."""

    def serialised(self) -> bytes:
        """The content of a file."""

    @staticmethod
    def on_file(file: memoryview) -> Net:
        """A net on the mapped content of a file."""

class Trainer:
    """Gradient descent."""

    @staticmethod
    def make(net: Net, *, adaptive: bool, squares: NDArray[numpy.float32]) -> Trainer: ...

    def epoch(self, contexts: NDArray[numpy.int32], outputs: NDArray[numpy.int32], order: NDArray[numpy.int64], *, rate: float, decay: float, dropout: float, batch: int, key: int, n_threads: int) -> float:
        """
        Learn from the examples in this order; the mean log-probability on the way.
        """

    def net(self) -> Net:
        """The net as it is now."""

    def squares(self) -> NDArray[numpy.float32]:
        """Summed squared gradients, one for each weight."""
