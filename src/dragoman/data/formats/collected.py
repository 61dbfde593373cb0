"""Outputs gathered from the tasks of other campaign tools into a test set.

Those list what annotators see, task by task, so an output may stand there many times. Taken are the outputs of systems,
each once; controls, tutorials and repeats are left: a campaign here plans its own.
"""

from __future__ import annotations

from typing import Any

from dragoman.data.formats.gather import built
from dragoman.data.testset import TestSet
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_json

__all__ = ["Collected", "loaded", "text_in"]


class Collected:
    """Segments in the order in which they first occur within documents, with what each system made of them."""

    def __init__(self, path: StrPath, *, common: bool = False) -> None:
        self.path = path
        self.common = common
        self.docs: dict[str, dict[str, str | None]] = {}  # document → segment's key → source
        self.outputs: dict[str, dict[tuple[str, str], str]] = {}  # system → document and key → text
        self.refs: dict[tuple[str, str], str] = {}

    def add(self, doc: str, key: str, source: str | None, system: str, text: str) -> None:
        """An output, which may be there already."""
        first_source = self.docs.setdefault(doc, {}).setdefault(key, source)
        if first_source != source:
            raise FormatError(
                f"segment {key!r} of {doc!r} has two sources: {str(first_source)[:40]!r}, {str(source)[:40]!r}.",
                path=self.path,
            )
        first_text = self.outputs.setdefault(system, {}).setdefault((doc, key), text)
        if first_text != text:
            raise FormatError(f"{system!r} has two translations of segment {key[:40]!r} of {doc!r}.", path=self.path)

    def test_set(
        self, source_lang: str | None = None, target_lang: str | None = None, *, name: str = "", reference: str = "A"
    ) -> TestSet:
        """Every system must have every segment: who compares systems compares them on the same text.

        With `common`, segments that some system lacks are left out instead.
        """
        places = [(doc, key) for doc, segments in self.docs.items() for key in segments]
        if self.common:
            places = [place for place in places if all(place in texts for texts in self.outputs.values())]
        if not places:
            what = "segment that every system translated" if self.docs else "output of a system"
            raise FormatError(f"there is not a single {what}.", path=self.path)
        for system, texts in self.outputs.items():
            missing = next((place for place in places if place not in texts), None)
            if missing is not None:
                raise FormatError(
                    f"{system!r} has {len(texts)} of {len(places)} segments; it lacks {missing[1][:40]!r} of "
                    f"{missing[0]!r}. Systems are compared on the same segments; the format's option common=yes takes "
                    "those that all have.",
                    path=self.path,
                )
        refs = [self.refs.get(place) for place in places]
        srcs = [self.docs[doc][key] for doc, key in places]
        if None in srcs and any(source is not None for source in srcs):
            doc, key = places[srcs.index(None)]
            raise FormatError(f"segment {key[:40]!r} of {doc!r} has no source, but others have.", path=self.path)
        return built(
            self.path,
            name=name,
            source_lang=source_lang,
            target_lang=target_lang,
            srcs=None if None in srcs else srcs,
            refs={reference: refs} if any(ref is not None for ref in refs) else {},
            systems={system: [texts[place] for place in places] for system, texts in self.outputs.items()},
            docs=[doc for doc, _ in places],
        )


def loaded(path: StrPath) -> Any:
    """The JSON of a file."""
    return parse_json(read_text(path), path=path)


def text_in(value: Any, what: str, path: StrPath) -> str:
    """A text, checked to be one."""
    if not isinstance(value, str):
        raise FormatError(f"{what} is {str(value)[:40]!r}; expected text.", path=path)
    return value
