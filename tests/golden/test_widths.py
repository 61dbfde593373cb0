"""No command prints a line that is longer than the reader's terminal.

The commands of `widths/commands.txt` run as on a terminal of 80 columns, and each of their results is rendered for 120
as well. A command that is not among them stands in `EXCEPTIONS`, with the reason.
"""

from __future__ import annotations

import inspect
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.report import Result
from dragoman.report.terminal import PLAIN, Screen
from dragoman.report.wrapping import width_of
from dragoman.samples import copy_samples
from tests.cli.commands import every_command

COMMANDS = Path(__file__).parent / "widths" / "commands.txt"
LEAVES = [name for name, command in every_command() if not isinstance(command, click.Group)]

_LINES = "its lines are data, and as long as they are"
_PREPARED = "it needs more than the samples; what it prints are tables by `emit`, like all that stand here"
_SLOW = "it works for minutes; what it prints are tables by `emit`, like all that stand here"
EXCEPTIONS = {
    **dict.fromkeys(
        [
            "compounds merge",
            "compounds split",
            "inflect apply",
            "inflect verbs restore",
            "inflect verbs simplify",
            "lm classes",
            "qe trace",
            "reorder apply",
            "rescore features",
            "rescore mbr",
            "syntax grammar parse",
            "syntax grammar phrases",
            "syntax names apply",
            "syntax parser apply",
            "text detokenize",
            "text normalize",
            "text split-sentences",
            "text subword decode",
            "text subword encode",
            "text tokenize",
            "text truecase apply",
            "text truecase undo",
            "translate",
        ],
        _LINES,
    ),
    **dict.fromkeys(
        [
            "campaign decide",
            "campaign import",
            "campaign propose",
            "cat assign",
            "cat corrections",
            "cat data",
            "cat package export",
            "cat package import",
            "cat pretranslate",
            "lm heads",
            "metric coherence score",
            "metric coherence train",
            "metric responsiveness score",
            "metric responsiveness train",
            "metric retrieval",
            "metric search",
            "qe classify",
            "qe experiment",
            "qe report",
            "qe select",
            "qe trees predict",
            "qe trees train",
            "rescore apply",
            "rescore mbr-tune",
            "rescore train",
            "rankings ranges",
            "smt cost",
            "smt domains",
            "smt endings",
            "smt tuples engine",
            "smt tuples extract",
            "smt tuples train",
            "study crowd corpus",
            "study crowd split",
            "study crowd variants",
            "study proposals",
            "task campaign",
            "task new",
            "deep annotate",
            "deep information",
            "deep round-trip",
            "deep transfer",
            "repair ablate",
            "repair apply",
            "repair evaluate",
            "repair train",
            "repair worsen",
            "syntax functions apply",
            "syntax functions evaluate",
            "syntax functions train",
            "syntax nouns apply",
            "syntax nouns evaluate",
            "syntax nouns train",
        ],
        _PREPARED,
    ),
    **dict.fromkeys(
        [
            "cat learning",
            "cat simulate",
            "demo",
            "task findings",
            "metric noref",
            "metric train",
            "neural train",
            "postedit apply",
            "postedit substitute",
            "postedit train",
        ],
        _SLOW,
    ),
    "completion": "it prints a script",
    "sacrebleu": "it prints what sacreBLEU prints, with a --width of its own",
    "serve": "it runs until it is stopped",
}


def scenarios() -> dict[str, list[list[str]]]:
    """The commands by the folder that they run in."""
    by_name: dict[str, list[list[str]]] = {}
    for line in COMMANDS.read_text(encoding="utf-8").splitlines()[1:]:
        if line.startswith("# "):
            by_name[line[2:]] = []
        elif line:
            list(by_name.values())[-1].append(shlex.split(line))
    return by_name


def leaf(words: list[str]) -> str:
    """The command that a line calls."""
    return max((name for name in LEAVES if words[: len(name.split())] == name.split()), key=len)


def too_long(text: str, width: int) -> list[str]:
    return [line for line in text.split("\n") if width_of(line) > width]


@pytest.mark.parametrize("scenario", scenarios())
def test_no_line_is_longer_than_the_terminal(scenario: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    copy_samples(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    wide: list[str] = []
    render = Result.render

    def rendered(self: Result, form: str = "text", *, raw: bool = False, screen: Screen = PLAIN) -> str:
        if form == "text" and screen.width is not None:
            wide.extend(too_long(render(self, form, screen=Screen(120)), 120))
        return render(self, form, raw=raw, screen=screen)

    monkeypatch.setattr(Result, "render", rendered)
    wrong = []
    for words in scenarios()[scenario]:
        wide.clear()
        done = CliRunner().invoke(group, words, input="a good long password\n")
        if done.exit_code:
            wrong.append(f"{shlex.join(words)} failed: {done.output[-300:]} {done.exception!r}")
        wrong += [f"{shlex.join(words)}: {line}" for line in [*too_long(done.stdout, 80), *wide]]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name", [name for name, why in EXCEPTIONS.items() if why in (_PREPARED, _SLOW)])
def test_what_is_not_run_prints_by_emit(name: str) -> None:
    command: Any = dict(every_command())[name]
    module = inspect.getmodule(inspect.unwrap(command.callback))
    assert module is not None
    assert "emit(" in inspect.getsource(module)


def test_every_command_is_looked_at_or_has_a_reason() -> None:
    seen = {leaf(words) for lines in scenarios().values() for words in lines}
    missing = [name for name in LEAVES if name not in seen and name not in EXCEPTIONS]
    assert missing == []
    assert not set(EXCEPTIONS) - set(LEAVES)
