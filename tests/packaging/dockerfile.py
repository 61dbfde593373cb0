"""A Dockerfile as its instructions, and what is wrong with them."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Instruction", "instructions", "problems"]


@dataclass(frozen=True)
class Instruction:
    """One instruction: its word, what stands behind it, and its first line."""

    word: str
    text: str
    line: int

    def words(self) -> list[str]:
        """The program and its arguments, where they are written as JSON."""
        words: list[str] = json.loads(self.text)
        return words


def instructions(text: str) -> list[Instruction]:
    """The instructions; a line that ends in a backslash goes on."""
    read: list[Instruction] = []
    whole, first = "", 0
    for number, line in enumerate(text.splitlines(), start=1):
        if not whole and (not line.strip() or line.startswith("#")):
            continue
        first = first if whole else number
        whole += line.strip().removesuffix("\\")
        if not line.endswith("\\"):
            word, _, rest = whole.partition(" ")
            read.append(Instruction(word, rest.strip(), first))
            whole = ""
    return read


def problems(text: str, root: Path) -> list[str]:
    """What hadolint and its like would say of the file, each with its line."""
    read = instructions(text)
    told = [f"{each.line}: {said}" for each in read for said in _problems(each, root)]
    words = [each.word for each in read]
    users = [each.text for each in read if each.word == "USER"]
    if not users or users[-1] in ("root", "0"):
        told.append("the container runs as root")
    return told + [f"there is no {word}" for word in ("HEALTHCHECK", "EXPOSE", "CMD") if word not in words]


def _problems(each: Instruction, root: Path) -> list[str]:
    told = []
    match each.word:
        case "FROM" if not re.match(r"[\w./-]+:(?!latest)[\w.-]*\d[\w.-]*( AS \w+)?$", each.text):
            told.append("the image has no version")
        case "RUN" if "apt-get install" in each.text:
            needed = ("apt-get update", "--no-install-recommends", "--yes", "rm -rf /var/lib/apt/lists/*")
            told += [f"apt-get without {part}" for part in needed if part not in each.text]
        case "RUN" if each.text.startswith("pip ") and "--no-cache-dir" not in each.text:
            told.append("pip without --no-cache-dir")
        case "COPY" if not each.text.startswith("--from"):
            told += [f"{name} is not there" for name in each.text.split()[:-1] if not (root / name).exists()]
        case "ADD" | "MAINTAINER":
            told.append(f"{each.word} is not to be used")
        case "CMD" | "ENTRYPOINT" if not each.text.startswith("["):
            told.append(f"{each.word} starts a shell, which takes the signals; write a list")
    return told
