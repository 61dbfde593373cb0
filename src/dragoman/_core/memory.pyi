"""Translation memories: matches, concordance."""

import enum
from typing import Annotated

import numpy
from numpy.typing import NDArray


def words(text: str) -> list[tuple[str, int, int, int]]: ...

class Mode(enum.Enum):
    """How words are looked for."""

    PHRASE = 0

    WORDS = 1

    EXACT = 2

class Index:
    """A translation memory that can be asked; see dragoman.cat.memory."""

    def __init__(self) -> None: ...

    def __len__(self) -> int: ...

    @property
    def n_bytes(self) -> int: ...

    def add(self, ids: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)], sources: object, targets: object, previous: object, next: object) -> None: ...

    def remove(self, ids: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> int: ...

    def matches(self, texts: object, previous: object, next: object, most: int, threshold: float, n_threads: int = 1) -> list[list[tuple[int, float, str, str]]]: ...

    def concordance(self, text: str, in_target: bool, mode: Mode, most: int) -> list[tuple[int, str, str, list[tuple[int, int]]]]: ...
