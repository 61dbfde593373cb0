"""Apertium, the rule-based engine, where its program and a language pair are installed: `apertium:eng-spa`."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Translates
from dragoman.errors import DataError, NotAvailable
from dragoman.options import check_options, option
from dragoman.text.languages import base_language

__all__ = ["Apertium"]


@dataclass(frozen=True)
class Apertium(Translates):
    """A mode of the installed Apertium. Words that it does not know are copied."""

    name: ClassVar[str] = "apertium"

    mode: str = option("", positional=True, text="mode as `apertium -l` lists it: eng-spa")
    timeout: float = option(600.0, low=0.1, text="seconds for all the text of a call")

    def __post_init__(self) -> None:
        check_options(self)
        if shutil.which("apertium") is None:
            raise NotAvailable("Apertium is not installed; on Debian: apt-get install apertium apertium-eng-spa.")
        modes = self._run("-l", text="").split()
        if self.mode not in modes:
            raise DataError(f"Apertium has no mode {self.mode!r} here. Installed: {', '.join(modes) or 'none'}.")

    @property
    def languages(self) -> tuple[str, str]:
        """Of the mode's name."""
        source, _, target = self.mode.partition("-")
        return base_language(source.partition("_")[0]), base_language(target.partition("_")[0])

    def translations(
        self,
        lines: Sequence[str],
        request: Request = PLAIN,  # noqa: ARG002, it tells nothing but translations
        *,
        n_threads: int = 1,  # noqa: ARG002
    ) -> list[Translation]:
        """The translation of each line, which is a paragraph to Apertium: nothing moves from one to another."""
        texts = [" ".join(line.split()) for line in lines]
        places = [place for place, text in enumerate(texts) if text]
        output = self._run("-u", "-f", "txt", self.mode, text="".join(f"{texts[place]}\n\n" for place in places))
        answers = [part.replace("\n", " ").strip() for part in output.rstrip("\n").split("\n\n")] if places else []
        if len(answers) != len(places):
            raise DataError(f"Apertium gave {len(answers)} paragraphs for {len(places)}; send fewer lines at a time.")
        for place, answer in zip(places, answers, strict=True):
            texts[place] = answer
        return [Translation(line, (Candidate(text),)) for line, text in zip(lines, texts, strict=True)]

    def _run(self, *words: str, text: str) -> str:
        try:
            done = subprocess.run(  # noqa: S603, a program of the system and a mode that it lists
                ["apertium", *words],  # noqa: S607
                input=text,
                capture_output=True,
                text=True,
                encoding="utf-8",
                errors="replace",
                timeout=self.timeout,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DataError(f"Apertium took longer than {self.timeout:g} seconds.") from None
        if done.returncode:
            raise DataError(f"Apertium failed: {done.stderr.strip()[:200] or done.returncode}.")
        return done.stdout
