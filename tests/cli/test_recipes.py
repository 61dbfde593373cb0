from __future__ import annotations

from dataclasses import dataclass

import click
import pytest
from click.testing import CliRunner

from dragoman.cli.recipes import recipe_options
from dragoman.options import Recipe, option
from dragoman.stats.base import PAIRED_TESTS


@dataclass(frozen=True)
class Stew(Recipe):
    """Options of every kind."""

    minutes: int = option(30, low=1, high=600, text="how long it cooks")
    salt: float = option(0.5, low=0, text="grams of it")
    pepper: float = option(1.0, text="grains of it")
    covered: bool = option(True, text="with a lid")
    is_hot: bool = option(False, text="served at once")
    pot: str = option("large", choices=("small", "large"), text="which pot")
    spice: str | None = option(None, text="what else")
    tests: tuple[str, ...] = option(("sign",), of=PAIRED_TESTS, text="how to taste it: sign, t, …")
    secret: str = option("", text="not for everybody")


@click.command()
@click.argument("guest")
@recipe_options(Stew, skip=("secret",), spellings={"minutes": ("-t", "--time")})
def cook(guest: str, recipe: Stew) -> None:
    """Cook."""
    click.echo(f"{guest} {recipe}")


def run(*words: str) -> tuple[int, str]:
    done = CliRunner().invoke(cook, ["ann", *words])
    return done.exit_code, done.output


def test_without_options_the_recipe_is_the_default() -> None:
    assert run() == (0, f"ann {Stew()}\n")


def test_options_make_the_recipe() -> None:
    words = ["-t", "5", "--salt", "2", "--no-covered", "--is-hot", "--pot", "small", "--spice", "dill"]
    expected = Stew(5, 2.0, 1.0, False, True, "small", "dill", ("t", "sign:sides=1"))
    assert run(*words, "--tests", "t", "--tests", "sign:sides=1") == (0, f"ann {expected}\n")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-t", "0"), "0 is not in the range 1<=x<=600"),
        (("--salt", "-1"), "-1.0 is not in the range x>=0"),
        (("--pot", "tiny"), "'tiny' is not one of 'small', 'large'"),
        (("--tests", "sgin"), "Did you mean 'sign'?"),
        (("--secret", "x"), "No such option"),
    ],
)
def test_what_breaks_a_rule_is_a_wrong_call(words: tuple[str, ...], message: str) -> None:
    status, output = run(*words)
    assert status == 2
    assert message in output


def test_help_is_made_of_the_declarations() -> None:
    text = " ".join(run("--help")[1].split())
    for part in (
        "-t, --time INTEGER RANGE How long it cooks. [default: 30; 1<=x<=600]",
        "--pepper FLOAT Grains of it. [default: 1.0]",
        "--covered / --no-covered With a lid.",
        "--is-hot Served at once.",
        "--pot [small|large] Which pot. [default: large]",
        "--spice SPICE What else.",
        "--tests NAME How to taste it: sign, t, …; may be repeated. [default: sign]",
    ):
        assert part in text
