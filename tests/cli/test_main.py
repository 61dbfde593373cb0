from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from dragoman import __version__
from dragoman.cli.main import COMMANDS, group


def every_command() -> list[tuple[str, click.Command]]:
    """All commands and subcommands with their full names."""
    found = []
    for name in COMMANDS:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        found.append((name, command))
        if isinstance(command, click.Group):
            found += [(f"{name} {sub}", each) for sub, each in command.commands.items()]
    return found


LEAVES = [(name, command) for name, command in every_command() if not isinstance(command, click.Group)]
each_command = pytest.mark.parametrize(("name", "command"), every_command(), ids=[name for name, _ in every_command()])
each_leaf = pytest.mark.parametrize(("name", "command"), LEAVES, ids=[name for name, _ in LEAVES])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_table_says_what_the_command_says(name: str) -> None:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    assert command.get_short_help_str(limit=200) == COMMANDS[name][1]


@each_leaf
def test_every_command_takes_json(name: str, command: click.Command) -> None:
    assert "--json" in {option for parameter in command.params for option in parameter.opts}


@each_leaf
def test_help_opens_with_a_line_that_can_be_pasted(name: str, command: click.Command) -> None:
    shown = CliRunner().invoke(group, [*name.split(), "--help"])
    assert shown.exit_code == 0
    assert re.search(rf"\n    .*\bdragoman {name}\b", shown.output)


@each_command
def test_options_explain_themselves(name: str, command: click.Command) -> None:
    silent = [p.name for p in command.params if isinstance(p, click.Option) and not p.help]
    assert not silent


def run(*words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", "from dragoman.cli.main import main; main()", *words],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


def test_version() -> None:
    assert run("--version").stdout == f"dragoman {__version__}\n"


def test_a_wrong_call_exits_2_with_the_nearest_command() -> None:
    done = run("inspekt", "x")
    assert done.returncode == 2
    assert "There is no command 'inspekt'. Did you mean 'inspect'?" in done.stderr
    assert done.stdout == ""


def test_wrong_input_exits_1_with_one_line_and_no_traceback(tmp_path: Path) -> None:
    done = run("inspect", str(tmp_path / "none"))
    assert done.returncode == 1
    assert done.stderr == f"dragoman: There is no model folder {tmp_path / 'none'}.\n"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_are_printed(shell: str) -> None:
    done = run("completion", shell)
    assert "_DRAGOMAN_COMPLETE" in done.stdout
    assert json.loads(run("completion", shell, "--json").stdout)["rows"][0]["shell"] == shell


def test_completion_answers_the_shell() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "from dragoman.cli.main import main; main()"],
        env={"_DRAGOMAN_COMPLETE": "bash_complete", "COMP_WORDS": "dragoman ins", "COMP_CWORD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "plain,inspect" in done.stdout


def test_a_reader_that_leaves_early_is_no_error() -> None:
    command = f"{sys.executable} -c 'from dragoman.cli.main import main; main()' completion bash"
    script = command + " | head -1; exit ${PIPESTATUS[0]}"
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stderr == ""
