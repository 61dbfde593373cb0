"""Views of a test set for metrics: its references, ragged if need be, and whole texts to score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import NoneType
from typing import TYPE_CHECKING, Any, cast

from dragoman.data import check_parallel
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.lazy import later
from dragoman.text.lines import TextLines

if TYPE_CHECKING:
    import hashlib

    import numpy as np
    from numpy.typing import NDArray
else:
    hashlib = later("hashlib")

__all__ = [
    "RefStreams",
    "References",
    "RefsInput",
    "ScoredText",
    "as_test_set",
    "by_reference",
    "check_lines",
    "content_digest",
    "native",
]


@dataclass(frozen=True)
class References:
    """One stream of lines per reference, `None` where a reference has no translation of that segment.

    Every segment has at least one reference. Made by `References.of`, which checks, or from a checked test set.
    """

    names: tuple[str, ...]
    streams: tuple[Sequence[str | None], ...]
    _digests: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, refs: RefsInput) -> References:
        """References from `refs[r][i]`, from a mapping of names to streams, or from themselves."""
        if isinstance(refs, References):
            return refs
        if isinstance(refs, str):
            raise DataError("refs is one string; give a list of reference streams: refs=[lines].")
        named = dict(refs) if isinstance(refs, Mapping) else {f"refs[{r}]": lines for r, lines in enumerate(refs)}
        if not named:
            raise DataError("There are no references; give at least one: refs=[lines].")
        for name, lines in named.items():
            if isinstance(lines, str):
                raise DataError(f"{name} is a string, not a stream of lines; give a list of streams: refs=[lines].")
            _check_items(name, lines, optional=True)
        check_parallel(named)
        streams = tuple(lines if isinstance(lines, TextLines) else tuple(lines) for lines in named.values())
        return cls._translated(tuple(named), streams)

    @classmethod
    def of_test_set(cls, test_set: TestSet) -> References:
        """The references of a test set."""
        if not test_set.refs:
            raise DataError("There are no references; give at least one: refs=[lines].")
        return cls._translated(tuple(test_set.refs), tuple(test_set.refs.values()))

    @classmethod
    def _translated(cls, names: tuple[str, ...], streams: tuple[Sequence[str | None], ...]) -> References:
        if all(None in stream for stream in streams):
            _check_translated(streams)
        return cls(names, streams)

    def __len__(self) -> int:
        return len(self.streams[0])

    @cached_property
    def nrefs(self) -> int | None:
        """How many references each segment has; None where the number varies."""
        if not any(None in stream for stream in self.streams):
            return len(self.streams)
        counts = {sum(ref is not None for ref in segment) for segment in zip(*self.streams, strict=True)}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def present(self) -> NDArray[np.uint8]:
        """Where there is a reference: array (references, segments) of 0 and 1."""
        import numpy as np

        there = np.ones((len(self.streams), len(self)), dtype=np.uint8)
        for r, stream in enumerate(self.streams):
            if None in stream:
                there[r] = [line is not None for line in stream]
        return there

    def lines(self, number: int) -> Sequence[str]:
        """A reference's lines, empty where it has none (see `present`)."""
        stream = self.streams[number]
        return ["" if line is None else line for line in stream] if None in stream else cast("Sequence[str]", stream)

    def digest(self, number: int) -> str:
        """A digest of a reference's content."""
        if number not in self._digests:
            self._digests[number] = content_digest(self.streams[number])
        return self._digests[number]


@dataclass(frozen=True)
class ScoredText:
    """What metrics take of a test set, which was checked: each system's lines, the references, perhaps the sources."""

    systems: Sequence[Sequence[str]]
    refs: References
    srcs: Sequence[str] | None = None

    @classmethod
    def of(cls, test_set: TestSet) -> ScoredText:
        """The texts of all systems of a test set."""
        return cls(tuple(test_set.systems.values()), References.of_test_set(test_set), test_set.srcs)

    @classmethod
    def of_streams(cls, systems: Sequence[Sequence[str]], refs: RefsInput, srcs: Sequence[str] | None) -> ScoredText:
        """Texts from nowhere else, once every stream holds text and all have one line per segment."""
        references = References.of(refs)
        named = {"hyps" if len(systems) == 1 else f"systems[{s}]": hyps for s, hyps in enumerate(systems)}
        for name, lines in named.items():
            check_lines(name, lines)
        streams = dict(zip(references.names, references.streams, strict=True))
        check_parallel({**named, **streams, "srcs": srcs})
        return cls(systems, references, srcs)

    def only(self, segments: Sequence[int], reference: int | None = None) -> ScoredText:
        """Some of the segments, counted from 0, with all references or one."""
        numbers = range(len(self.refs.streams)) if reference is None else [reference]
        streams = tuple(tuple(self.refs.streams[r][i] for i in segments) for r in numbers)
        return ScoredText(
            [[lines[i] for i in segments] for lines in self.systems],
            References(tuple(self.refs.names[r] for r in numbers), streams),
            None if self.srcs is None else [self.srcs[i] for i in segments],
        )


RefStreams = Mapping[str, Sequence[str | None]] | Sequence[Sequence[str | None]]
RefsInput = References | RefStreams


def by_reference(segments: Sequence[Sequence[str]]) -> list[list[str | None]]:
    """Streams `refs[r][i]` from a list of each segment's references, of which there may be different numbers."""
    n_streams = max(map(len, segments), default=0)
    return [[refs[r] if r < len(refs) else None for refs in segments] for r in range(n_streams)]


def as_test_set(
    systems: Mapping[str, Sequence[str]],
    refs: RefStreams,
    srcs: Sequence[str] | None = None,
    **labels: Any,
) -> TestSet:
    """A test set from streams at hand; references without names are called `Reference 1`, `Reference 2` …"""
    if not isinstance(systems, Mapping):
        raise DataError(f"systems maps names to lines, as in {{'mine': lines}}; got {type(systems).__name__}.")
    if not isinstance(refs, Mapping):
        if isinstance(refs, str) or any(isinstance(lines, str) for lines in refs):
            raise DataError("refs has a string for a stream of lines; give a list of streams: refs=[lines].")
        refs = {f"Reference {number}": lines for number, lines in enumerate(refs, start=1)}
    return TestSet(systems=systems, refs=refs, srcs=srcs, **labels)


def check_lines(name: str, lines: Sequence[str]) -> None:
    """Raise unless `lines` is a stream of strings."""
    if isinstance(lines, str):
        raise DataError(f"{name} is one string, not a stream of lines; give a list of lines.")
    _check_items(name, lines, optional=False)


def native(lines: Sequence[str]) -> Any:
    """The lines as a kernel takes them: the bytes themselves where there are any."""
    return lines.core if isinstance(lines, TextLines) else lines


def content_digest(lines: Sequence[str | None]) -> str:
    """A digest of a stream of lines that differs wherever the lines do."""
    if isinstance(lines, TextLines):
        return hashlib.blake2b(b"text" + lines.core.utf8, digest_size=16).hexdigest()
    lengths = ",".join("-" if line is None else str(len(line)) for line in lines)
    digest = hashlib.blake2b(b"list" + lengths.encode(), digest_size=16)
    digest.update("".join(line for line in lines if line).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def _check_translated(streams: tuple[Sequence[str | None], ...]) -> None:
    segments = enumerate(zip(*streams, strict=True), start=1)
    bare = [str(number) for number, segment in segments if all(ref is None for ref in segment)]
    if bare:
        more = f" and {len(bare) - 5} more" if len(bare) > 5 else ""
        raise DataError(
            f"No reference translates segment {', '.join(bare[:5])}{more}; leave such segments out of the test set."
        )


def _check_items(name: str, lines: Sequence[str | None], *, optional: bool) -> None:
    if isinstance(lines, TextLines) or set(map(type, lines)) <= ({str, NoneType} if optional else {str}):
        return
    for number, line in enumerate(lines, start=1):
        if not isinstance(line, str) and not (optional and line is None):
            wanted = "text or None" if optional else "text"
            raise DataError(f"Segment {number} of {name} is {type(line).__name__}, not {wanted}.")
