"""Things computed from content, kept by the content's digest: asked for again, they need not be computed again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from dragoman.errors import DataError
from dragoman.files import StrPath, atomic_path
from dragoman.lazy import later

if TYPE_CHECKING:
    import hashlib
    import json
else:
    hashlib, json = map(later, ("hashlib", "json"))

__all__ = ["ContentCache", "ContentFolder", "digest_of"]

T = TypeVar("T")


class ContentCache(Generic[T]):
    """The things used last, as many as fit into `capacity` bytes. Safe to share between threads."""

    def __init__(self, capacity: int, size: Callable[[T], int]) -> None:
        self.capacity = capacity
        self._size = size
        self._kept: OrderedDict[Hashable, T] = OrderedDict()
        self._held = 0
        self._lock = Lock()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What stands under `key`, made if it is not there. A thing larger than the whole cache is made, not kept."""
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        made = make()  # without the lock: two threads may make the same thing, and one of them is kept
        with self._lock:
            size = self._size(made)
            if key not in self._kept and size <= self.capacity:
                self._kept[key] = made
                self._held += size
                while self._held > self.capacity:
                    self._held -= self._size(self._kept.popitem(last=False)[1])
        return made

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._kept.clear()
            self._held = 0

    @property
    def n_bytes(self) -> int:
        """How much is held."""
        return self._held

    def __len__(self) -> int:
        return len(self._kept)


class ContentFolder:
    """Bytes on disk, a file each, named after the digest of what they were made from.

    A file that is damaged is not found; the oldest go when there are more than `capacity` bytes. A folder that cannot
    be written is left alone: work is not lost because it could not be kept.
    """

    def __init__(self, folder: StrPath, *, capacity: int = 1 << 30) -> None:
        self.folder = Path(folder)
        self.capacity = capacity
        self._held: int | None = None  # bytes in the folder, counted when the first thing is kept

    def load(self, key: str) -> tuple[dict[str, Any], bytes] | None:
        """What is kept under a key, if it is there and whole: the facts about it, and the bytes."""
        from dragoman.notation import parse_json

        path = self._path(key)
        try:
            head, _, body = path.read_bytes().partition(b"\n")
            about = parse_json(head)
            if about.pop("digest") != _seal(about, body) or about["key"] != key:
                return None
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None
        with suppress(OSError):
            path.touch()  # used last
        return about, body

    def store(self, key: str, body: bytes, about: Mapping[str, Any] | None = None) -> None:
        """Keep bytes, all of them or nothing."""
        facts = {"key": key, **(about or {})}
        head = json.dumps({**facts, "digest": _seal(facts, body)})
        with suppress(OSError, DataError):
            self._path(key).parent.mkdir(parents=True, exist_ok=True)
            with atomic_path(self._path(key)) as temporary:
                temporary.write_bytes(head.encode() + b"\n" + body)
            self._held = self._held + len(body) if self._held is not None else sum(map(_length, self._files()))
            if self._held > self.capacity:
                self._make_room()

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / key[2:]

    def _files(self) -> list[Path]:
        return list(self.folder.glob("??/*"))

    def _make_room(self) -> None:
        files = sorted(self._files(), key=lambda path: path.stat().st_mtime)
        self._held = sum(map(_length, files))
        for path in files:
            if self._held <= self.capacity:
                return
            self._held -= _length(path)
            path.unlink()


def _seal(facts: Mapping[str, Any], body: bytes) -> str:
    """The digest of bytes and of what is said about them."""
    return digest_of(json.dumps(facts, sort_keys=True).encode() + b"\n" + body)


def digest_of(content: bytes) -> str:
    """The name of content."""
    return hashlib.blake2b(content, digest_size=20).hexdigest()


def _length(path: Path) -> int:
    return path.stat().st_size
