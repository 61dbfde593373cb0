"""Verbs without person and number inside an engine, which gives them back in its output (TALP-UPC at WMT 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.artifact import MANIFEST, checksum
from dragoman.errors import DataError
from dragoman.options import Recipe, option
from dragoman.syntax.parser import Parser
from dragoman.syntax.verbs import VerbModel, VerbRecipe, simplified_verbs

__all__ = ["SimplerVerbs", "VerbSection"]

_MODEL, _PARSER = "verbs", "verb-parser"


@dataclass(frozen=True)
class VerbSection(Recipe):
    """Finite verbs of the target as lemmas without person and number; classifiers inflect them in the output."""

    parser: str = option("", text="folder of a parser with lemmas, which knows verbs; none: verbs stay as they are")
    sentences: int = option(5000, low=1, text="of the text that person, number and forms are learnt from")
    epochs: int = option(10, low=1, high=1000, text="rounds over their verbs for each classifier")

    def __bool__(self) -> bool:
        return bool(self.parser)

    def fingerprint(self) -> str:
        """What the parser knows."""
        path = Path(self.parser) / MANIFEST
        if not path.is_file():
            raise DataError(
                f"There is no parser {self.parser}. Train one: dragoman syntax parser train TREEBANK -m {self.parser} "
                "--lemmas."
            )
        return checksum(path)

    def train(self, token_lines: Sequence[str]) -> SimplerVerbs:
        """What the parser says of the verbs of tokenised lines teaches how they are inflected."""
        parser = Parser.load(self.parser)
        if parser.lemmas is None:
            raise DataError(
                f"The parser {self.parser} has learnt no lemmas. Train it again: dragoman syntax parser train … "
                "--lemmas."
            )
        lines = [line.split() for line in token_lines if line][: self.sentences]
        tagged = [sentence for sentence in parser.tag(lines) if sentence]
        return SimplerVerbs(parser, VerbRecipe(epochs=self.epochs).train(tagged))


@dataclass(frozen=True, eq=False)
class SimplerVerbs:
    """Makes verbs simpler, and inflects them again."""

    parser: Parser
    model: VerbModel

    def cut(self, lines: Sequence[str]) -> list[str]:
        """Tokenised lines whose finite verbs have no person and number."""
        tagged = self.parser.tag([line.split() for line in lines])
        return [" ".join(simplified_verbs(sentence)) if sentence else "" for sentence in tagged]

    def join(self, lines: Sequence[str]) -> list[str]:
        """Lines with forms in their place."""
        return self.model.restore(lines)

    def save(self, folder: Path, name: str) -> None:
        """Write the models as folders `verbs.NAME` and `verb-parser.NAME`."""
        self.model.save(folder / f"{_MODEL}.{name}")
        self.parser.save(folder / f"{_PARSER}.{name}")

    @classmethod
    def load(cls, folder: Path, name: str) -> SimplerVerbs | None:
        """What `save` wrote of a side, in a folder whose checksums have been checked; None if it wrote nothing."""
        model, parser = folder / f"{_MODEL}.{name}", folder / f"{_PARSER}.{name}"
        return cls(Parser.read_part(parser), VerbModel.read_part(model)) if model.is_dir() else None
