"""Threads: the cores at hand, unless the environment or the caller says otherwise."""

from __future__ import annotations

import os

import click
import pytest
from click.testing import CliRunner

from dragoman.cli.output import cores, threads_option
from tests.cli.commands import every_command


@click.command()
@threads_option
def tell(n_threads: int) -> None:
    click.echo(str(n_threads))


def told(*words: str, **environment: str) -> str:
    done = CliRunner(env={"DRAGOMAN_THREADS": None, **environment}).invoke(tell, words)
    return done.output.strip()


def test_the_cores_that_the_process_may_use(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cores() >= 1
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {3, 5, 8}, raising=False)
    assert cores() == 3
    assert told() == "3"


def test_the_environment_and_the_caller_choose_otherwise() -> None:
    assert told(DRAGOMAN_THREADS="5") == "5"
    assert told("--threads", "1", DRAGOMAN_THREADS="5") == "1"
    assert "0 is not in the range x>=1" in told(DRAGOMAN_THREADS="0")
    assert "'many' is not a valid integer range" in told(DRAGOMAN_THREADS="many")


def test_threads_mean_the_same_in_every_command() -> None:
    options = [
        parameter for _, command in every_command() for parameter in command.params if parameter.name == "n_threads"
    ]
    assert len(options) > 30
    assert {(option.envvar, option.default) for option in options} == {("DRAGOMAN_THREADS", cores)}
