"""Any decoder that reads source lines and writes translations, as direct search runs it."""

from __future__ import annotations

import subprocess
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from dragoman.errors import DataError
from dragoman.smt.tune.direct import Parameter

__all__ = ["CommandDecoder"]


class CommandDecoder:
    """A program: `CommandDecoder(["decode", "--lm", "{lm}", "--beam", "{beam}"], sources)`.

    A parameter's value stands where its name stands in braces; source lines go in on standard input, a translation
    for each comes back on standard output.
    """

    def __init__(self, command: Sequence[str], sources: Sequence[str], *, parameters: Sequence[Parameter] = ()) -> None:
        if isinstance(command, str) or not command:
            raise DataError("A command is a list of words: the program and its arguments.")
        self.command = list(command)
        self.sources = list(sources)
        self.integers = {each.name for each in parameters if each.integer}

    def __call__(self, parameters: Mapping[str, float], segments: NDArray[np.int64]) -> list[str]:
        """Translations of the segments with these numbers."""
        words = self.command
        for name, value in parameters.items():
            shown = str(int(value)) if name in self.integers else repr(float(value))
            words = [word.replace("{" + name + "}", shown) for word in words]
        text = "".join(f"{self.sources[i]}\n" for i in segments.tolist())
        try:
            done = subprocess.run(words, input=text.encode(), capture_output=True, check=False)  # noqa: S603
        except OSError as error:
            raise DataError(f"The decoder {words[0]} could not be started: {error}.") from None
        if done.returncode:
            errors = done.stderr.decode(errors="replace").strip().splitlines()
            raise DataError(
                f"The decoder {words[0]} ended with code {done.returncode}: {errors[-1] if errors else '–'}"
            )
        lines = done.stdout.decode(errors="replace").splitlines()
        if len(lines) != len(segments):
            raise DataError(f"The decoder {words[0]} wrote {len(lines)} lines for {len(segments)} segments.")
        return lines
