"""Every code block of the README and the guides does what it says."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import signal
import subprocess
import sys
import tomllib
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from dragoman.cli.main import group
from tests.docs.blocks import agrees, code_blocks, commands, run, shell_lines, tells_failure
from tests.docs.ready import program

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
GUIDES = [path for path in DOCUMENTS if path.parent.name == "guides"]
OTHERS = [path for path in DOCUMENTS if path not in GUIDES]


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


each_document = pytest.mark.parametrize("path", DOCUMENTS, ids=name_of)


SHOWN = {"COLUMNS": "120", "NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
INSTALLED = Path(sys.executable).parent


@pytest.fixture(scope="session")
def ready(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The folder of a `dragoman` that has done its imports."""
    if sys.platform != "linux":
        pytest.skip("a process with libraries of a Mac cannot fork; the slow tests run each guide")
    with program(tmp_path_factory.mktemp("ready"), {**os.environ, **SHOWN}) as folder:
        yield folder


def check_console_blocks(path: Path, folder: Path, programs: Path) -> None:
    """Run the commands of a document in a folder, `dragoman` being that of `programs`."""
    wanted = commands(path.read_text(encoding="utf-8"))
    if not wanted:
        pytest.skip("no console blocks")
    environment = {**os.environ, **SHOWN, "PATH": f"{programs}:{INSTALLED}:{os.environ['PATH']}"}
    wrong = []
    for step in wanted:
        code, printed = run(step.command, folder, environment)
        if (step.shown and not agrees(step.shown, printed)) or (code and not tells_failure(step.shown)):
            wrong.append(f"{path.name}:{step.line}: $ {step.command} (exit code {code})\n" + "\n".join(printed))
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize("path", OTHERS, ids=name_of)
def test_console_blocks(path: Path, tmp_path: Path) -> None:
    check_console_blocks(path, tmp_path, INSTALLED)


@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_console_blocks_of_guides(path: Path, tmp_path: Path, ready: Path) -> None:
    check_console_blocks(path, tmp_path, ready)


@pytest.mark.slow
@pytest.mark.parametrize("path", GUIDES, ids=name_of)
def test_console_blocks_of_guides_by_programs_of_their_own(path: Path, tmp_path: Path) -> None:
    check_console_blocks(path, tmp_path, INSTALLED)


def test_a_ready_program_is_the_program(ready: Path, tmp_path: Path) -> None:
    for command in (
        "dragoman --version",
        "dragoman scoer",
        "dragoman score none -r none",
        "echo a b | dragoman text tokenize | cat",
        "dragoman completion bash | head -1",
        "cd / && dragoman score a -r b",
    ):
        ours, installed = (
            run(command, tmp_path, {**os.environ, **SHOWN, "PATH": f"{programs}:{INSTALLED}:{os.environ['PATH']}"})
            for programs in (ready, INSTALLED)
        )
        assert ours == installed


@pytest.mark.parametrize(("host", "code"), [("192.0.2.1", 97), ("engine.example", 97), ("127.0.0.1", 1)])
def test_a_command_of_a_guide_stays_on_this_machine(ready: Path, tmp_path: Path, host: str, code: int) -> None:
    """What no guide does, so that each shows that its commands fetch nothing."""
    command = f"echo Haus | dragoman translate -m libretranslate:http://{host}:9,source=de,target=en"
    environment = {**os.environ, **SHOWN, "PATH": f"{ready}:{INSTALLED}:{os.environ['PATH']}"}
    ended, printed = run(command, tmp_path, environment)
    assert ended == code, printed
    assert (f"A guide reaches for {host}." in printed) == (code == 97)


def test_a_command_ends_with_the_one_who_asked(ready: Path) -> None:
    command = [ready / "dragoman", "text", "tokenize"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, bufsize=0) as asked:
        assert asked.stdin is not None
        asked.terminate()
        assert asked.wait() == -signal.SIGTERM
        lines = iter(lambda: asked.stdin.write(b"\n" * 4096), None)
        with pytest.raises(BrokenPipeError):
            deque(lines, maxlen=0)  # until nobody can read them any more


def check_dragoman(words: list[str]) -> None:
    """Parse a command line as `dragoman` would, without doing what it says."""
    context = group.make_context("dragoman", words)
    while isinstance(context.command, click.Group) and (rest := [*context._protected_args, *context.args]):
        name, found, rest = context.command.resolve_command(context, rest)
        assert found is not None, name
        context = found.make_context(name, rest, parent=context)


def check_shell_line(line: str) -> None:
    """Raise unless the programs, options, targets, files and extras that the commands of a pipeline name are there."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|")
    lexer.whitespace_split = True
    pipeline: list[list[str]] = [[]]
    for word in lexer:
        if word == "|":
            pipeline.append([])
        else:
            pipeline[-1].append(word)
    for words in filter(None, pipeline):
        check_command(words, line)


def check_command(words: list[str], line: str) -> None:
    program, *words = words
    if program == "dragoman":
        check_dragoman(words)
    elif program == "make":
        assert re.search(rf"^{words[0]}:", (ROOT / "Makefile").read_text(), re.MULTILINE), line
    elif program == "python":
        assert (ROOT / words[0]).is_file(), line
    elif program == "pip":
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
        named = re.findall(r"\[([\w,-]+)\]", line)
        assert {name for names in named for name in names.split(",")} <= set(extras), line
    else:
        assert program in {"curl", "dask", "echo", "pipx", "uvx"}, f"nothing checks {program!r}: {line}"


@each_document
def test_shell_blocks(path: Path) -> None:
    lines = shell_lines(path.read_text(encoding="utf-8"))
    if not lines:
        pytest.skip("no sh blocks")
    wrong = []
    for number, line in lines:
        try:
            check_shell_line(line)
        except (AssertionError, click.ClickException, ValueError) as error:
            wrong.append(f"{path.name}:{number}: {line}\n{error}")
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.parametrize(
    "line",
    [
        "dragoman scoer a",
        "dragoman score a --reff b",
        "dragoman smt trian",
        "make tea",
        "python bench/no.py",
        'pip install ".[everything]"',
        "frobnicate",
    ],
)
def test_a_wrong_shell_line_is_found(line: str) -> None:
    with pytest.raises((AssertionError, click.ClickException)):
        check_shell_line(line)


def test_a_command_that_fails_unseen_is_found(tmp_path: Path) -> None:
    assert run("false", tmp_path, dict(os.environ))[0] == 1
    assert run("false | cat", tmp_path, dict(os.environ))[0] == 1
    assert tells_failure(["dragoman: There is no file x."])
    assert not tells_failure([])
    assert not tells_failure(["…"])


@each_document
def test_python_blocks(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = code_blocks(path.read_text(encoding="utf-8"), "python")
    source = "\n".join("\n".join(lines) + "\n" for _, lines in blocks)
    if ">>>" not in source:
        pytest.skip("no python sessions")
    monkeypatch.chdir(tmp_path)
    session = doctest.DocTestParser().get_doctest(source, {}, path.name, str(path), 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    said: list[str] = []
    runner.run(session, out=said.append)
    assert runner.failures == 0, "".join(said)


def test_the_runner_tells_wrong_output_from_right() -> None:
    assert agrees(["a", "…", "d"], ["a", "b", "c", "d"])
    assert agrees(["time …s", "x"], ["time 3.2s", "x"])
    assert not agrees(["a", "…"], ["b"])
    assert not agrees(["a"], ["a", "b"])
    text = "```console\n$ echo a \\\n    b\na b\n$ true\n```\n"
    assert [(c.command, c.shown) for c in commands(text)] == [("echo a b", ["a b"]), ("true", [])]
