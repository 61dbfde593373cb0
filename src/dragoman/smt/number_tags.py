"""Numbers in an engine: one word for all in its models; in its output their values, as the target writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dragoman.smt.decoded import Decoded
from dragoman.text.numbers import DECIMAL, INTEGER, localise_number, number_tag

__all__ = ["NumberTags", "tagged"]

_TAGS = (INTEGER, DECIMAL)
_LEFT = re.compile(rf"(?<!\S)(?:{INTEGER}|{DECIMAL})(?: |$)")
_SPACED = re.compile(r"(?<=\d)_(?=\d{3})")


def tagged(line: str, lang: str) -> str:
    """A line of tokens with a tag for each number; as many tokens as before."""
    if not any(letter.isdigit() for letter in line):
        return line
    return " ".join([number_tag(token, lang) or token for token in line.split(" ")])


def shown(line: str) -> str:
    """A line of tokens for people: spaces within numbers, and no tag that stands for none of the source's."""
    return _SPACED.sub(" ", _LEFT.sub("", line).rstrip(" ")) if "_" in line or "@@" in line else line


@dataclass(frozen=True)
class NumberTags:
    """Tags of a pair of languages."""

    source: str
    target: str

    def tag(self, token_lines: Sequence[str]) -> list[str]:
        """Source lines as the models know them."""
        return [tagged(line, self.source) for line in token_lines]

    def translations(self, token: str) -> tuple[str, ...]:
        """What to try for a source number that no model knows."""
        return (localise_number(token, self.source, self.target),) if number_tag(token, self.source) else ()

    def restored(self, decoded: Decoded, token_lines: Sequence[str]) -> Decoded:
        """Translations with values in the places of tags: of the source number a tag is linked to, else of the next."""
        texts = list(decoded.texts)
        for sentence, line in enumerate(token_lines):
            values = [(i, token) for i, token in enumerate(line.split(" ")) if number_tag(token, self.source)]
            for path in decoded.paths(sentence) if values else ():
                links = [(int(s), int(t)) for s, t in decoded.links_of(path)]
                texts[path] = self._filled(texts[path], values, links)
        return replace(decoded, texts=texts)

    def _filled(self, text: str, values: Sequence[tuple[int, str]], links: Sequence[tuple[int, int]]) -> str:
        tokens = text.split(" ")
        left = dict(values)
        places = [place for place, token in enumerate(tokens) if token in _TAGS]
        unlinked = []
        for place in places:
            linked = [s for s, t in links if t == place and s in left]
            if linked:
                tokens[place] = localise_number(left.pop(linked[0]), self.source, self.target)
            else:
                unlinked.append(place)
        for place in unlinked:
            wanted = tokens[place]
            fitting = [s for s, token in left.items() if number_tag(token, self.source) == wanted]
            if fitting:
                tokens[place] = localise_number(left.pop(fitting[0]), self.source, self.target)
        return " ".join(tokens)
