"""A small model of every kind, made by the commands of `models.toml`."""

from __future__ import annotations

import shlex
import shutil
import tomllib
from importlib.util import find_spec
from pathlib import Path

import click

from tests.upgrade.asking import Step, run

__all__ = ["make_models"]


def make_models(folder: Path) -> list[Step]:
    """Make all in `models` of a folder that has the texts; the command that asks each."""
    wanted = tomllib.loads(Path(__file__).with_name("models.toml").read_text(encoding="utf-8"))
    asked: list[Step] = []
    for name, steps in wanted.items():
        if "needs" in steps and find_spec(steps["needs"]) is None:
            click.echo(f"{name}: left out, {steps['needs']} is not installed")
            continue
        click.echo(name)
        model = f"models/{name}"
        for command in steps["make"]:
            run(shlex.split(command.format(model=model, work=f"work/{name}")), folder)
        for path in list((folder / model).rglob(steps["leave"])) if "leave" in steps else []:
            shutil.rmtree(path)
        if "use" in steps:
            asked.append({"model": name, "run": steps["use"].replace("{model}", model)})
    return asked
