"""Modified Kneser–Ney smoothing (Chen & Goodman 1998), estimated by sorting (Heafield et al., ACL 2013).

The numbers are those of KenLM's `lmplz`: interpolated down to the uniform distribution over the vocabulary with `<unk>`
and without `<s>`; n-grams that begin with `<s>` and those of the highest order keep their counts, all others count the
different words before them; pruning goes by counts, and what is pruned is left to the lower order.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice

from dragoman import _core
from dragoman.errors import DataError
from dragoman.files import StrPath, open_writer
from dragoman.lm.levels import to_level
from dragoman.lm.storage import Storage
from dragoman.options import option
from dragoman.text.vocabulary import Vocabulary

__all__ = ["SPECIAL", "Estimation"]

_BATCH = 50_000  # lines counted at a time
SPECIAL = ("<unk>", "<s>", "</s>")
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}


@dataclass(frozen=True)
class Estimation(Storage):
    """How to estimate a language model from tokenised text, as far as the core's model."""

    order: int = option(5, low=1, high=9, text="length of the longest n-grams")
    prune: tuple[int, ...] = option((), text="by order: n-grams met at most so often are left out; the last goes on")
    memory: str = option("1g", text="memory for sorting, as 512m or 2g; what does not fit goes to disk")
    max_words: int = option(0, low=0, text="the most frequent so many words stay in the model; 0: all")
    min_count: int = option(1, low=1, text="words met less often are left out of the model")
    fallback: tuple[float, ...] = option(
        (0.5, 1.0, 1.5), text="discounts for once, twice and more where the counts of an order give none"
    )

    def estimate(
        self,
        lines: Iterable[str],
        *,
        vocabulary: Iterable[str] | None,
        arpa: StrPath | None,
        folder: StrPath | None,
        n_threads: int,
    ) -> tuple[_core.lm.Model, str]:
        """The model, and the SHA-256 of the text (see `KneserNey.train`)."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass an iterable of lines.")
        estimator = self.estimator(folder=str(folder or tempfile.gettempdir()), n_threads=n_threads)
        words = Vocabulary((*SPECIAL, *(vocabulary or ())), unk="<unk>")
        if vocabulary is not None:
            words.freeze()
        whitespace = _core.text.surface_tokeniser("none")
        digest = sha256()
        for batch in _batches(lines):
            units = to_level(self.level, batch)
            estimator.add(*words.core.encode(units, whitespace, n_threads=n_threads))
            digest.update("".join(f"{line}\n" for line in batch).encode())
        with ExitStack() as stack:
            write: Callable[[bytes], object] | None = None
            if arpa is not None:
                stream = stack.enter_context(open_writer(arpa))
                write = lambda text: stream.write(text.decode())  # noqa: E731 - a name for the core to call
            return self.finish(estimator, words, write), digest.hexdigest()

    def estimator(self, *, folder: str, n_threads: int) -> _core.lm.Estimator:
        """What counts text; `folder` is for scratch files."""
        self._check_lists()
        return _core.lm.Estimator.make(
            order=self.order,
            prune=list(self.prune),
            fallback=list(self.fallback),
            max_words=self.max_words,
            min_count=self.min_count,
            memory=_bytes(self.memory),
            folder=folder,
            n_threads=n_threads,
        )

    def finish(
        self, estimator: _core.lm.Estimator, words: Vocabulary, write: Callable[[bytes], object] | None = None
    ) -> _core.lm.Model:
        """The model of what an estimator counted; `write` is handed the text of an ARPA file."""
        if not self.entropy:
            return estimator.finish(words.core, arpa=write, **self.storage())[0]
        # Pruned before it is quantised.
        whole, _ = estimator.finish(words.core, arpa=None, trie=False, p_bits=0, backoff_bits=0)
        model = whole.pruned(self.entropy, **self.storage())
        if write is not None:
            model.write_arpa(write)
        return model

    def _check_lists(self) -> None:
        self.check_storage()
        if list(self.prune) != sorted(self.prune) or any(threshold < 0 for threshold in self.prune):
            raise DataError(f"The thresholds of pruning must not fall from order to order, got {list(self.prune)}.")
        if len(self.fallback) != 3:
            raise DataError(f"There are three discounts, for once, twice and more; got {list(self.fallback)}.")


def _bytes(size: str) -> int:
    match = re.fullmatch(r"([0-9]{1,9})([kmg]?)b?", size.strip().lower())
    if not match or not int(match[1]):
        raise DataError(f"memory is {size!r}; expected a number with a unit, as 512m or 2g.")
    return int(match[1]) * _UNITS[match[2]]


def _batches(lines: Iterable[str]) -> Iterator[list[str]]:
    source = iter(lines)
    while batch := list(islice(source, _BATCH)):
        yield batch
