"""A recipe as options of a command: what is declared once is not written again for the command line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar

import click

from dragoman.cli.output import RegistryChoice
from dragoman.errors import DataError
from dragoman.options import Option, Recipe, options_of

__all__ = ["recipe_options"]

F = TypeVar("F", bound=Callable[..., Any])


def recipe_options(
    recipe: type[Recipe],
    *,
    argument: str = "recipe",
    skip: Sequence[str] = (),
    spellings: Mapping[str, Sequence[str]] | None = None,
    types: Mapping[str, click.ParamType] | None = None,  # type: ignore[type-arg]  # generic from click 8.4 on
    variables: Mapping[str, str] | None = None,
) -> Callable[[F], F]:
    """Add an option for each field of a recipe; the command gets the one that was put together as its `argument`.

    `--all-pairs` is `all_pairs`; an option of another name has `spellings`. Fields to `skip` keep their defaults, and a
    field whose values are read in a way of its own has a type. Where `variables` names one of the environment for a
    field, it is read if the option is not given.
    """
    declared = [each for each in options_of(recipe).values() if each.name not in skip]
    spelt = {each.name: _spellings(each, spellings)[-1] for each in declared}

    def decorate(command: F) -> F:
        @wraps(command)
        def run(**values: Any) -> Any:
            chosen = recipe(**{each.name: values.pop(each.name) for each in declared})
            _check(chosen, spelt)
            return command(**{argument: chosen}, **values)

        decorated: Any = run
        for each in reversed(declared):
            names = _spellings(each, spellings)
            settings = _settings(each, names)
            variable = (variables or {}).get(each.name)
            if variable:
                settings |= {"envvar": variable, "help": f"{settings['help'].rstrip('.')}; also ${variable}."}
            if each.name in (types or {}):
                settings["type"] = (types or {})[each.name]
            decorated = click.option(*_switch(names, each), each.name, **settings)(decorated)
        result: F = decorated
        return result

    return decorate


def _spellings(option: Option, spellings: Mapping[str, Sequence[str]] | None) -> Sequence[str]:
    return (spellings or {}).get(option.name) or (f"--{option.name.replace('_', '-')}",)


def _check(recipe: Recipe, spelt: Mapping[str, str]) -> None:
    """Refuse a recipe that breaks its rules, in the words of the command line."""
    try:
        recipe.check()
    except DataError as error:
        text = re.sub(r"The '(\w+)' option of \w+ must", lambda rule: f"{spelt.get(rule[1], rule[1])} must", str(error))
        for name, spelling in spelt.items():
            text = re.sub(rf"^The {name} must", f"{spelling} must", text)
        raise click.UsageError(text) from None


def _switch(names: Sequence[str], option: Option) -> Sequence[str]:
    """What is true by default can be switched off."""
    if option.kind == "bool" and option.default:
        return [f"{name}/--no-{name.removeprefix('--')}" for name in names]
    return names


def _settings(option: Option, names: Sequence[str]) -> dict[str, Any]:
    text = f"{option.text[:1].upper()}{option.text[1:]}" + "; may be repeated" * option.is_list
    text += "" if text.endswith("…") else "."
    settings: dict[str, Any] = {"help": text, "default": option.default}
    if option.kind == "bool":
        return settings if option.default else {**settings, "is_flag": True}
    settings |= {"type": _type(option), "multiple": option.is_list}
    if option.kind == "str" and not option.choices:
        settings["metavar"] = names[-1].lstrip("-").upper() if option.of is None else "NAME"
    return {**settings, "show_default": option.default not in (None, "", ())}


def _type(option: Option) -> click.ParamType:  # type: ignore[type-arg]
    if option.choices:
        return click.Choice(option.choices, case_sensitive=False)
    if option.of is not None:
        return RegistryChoice(option.of)
    low, high = option.low, option.high
    if option.kind not in ("int", "float"):
        return click.STRING
    if low is high is None:
        return click.INT if option.kind == "int" else click.FLOAT
    if option.kind == "float":
        return click.FloatRange(low, high)
    return click.IntRange(None if low is None else int(low), None if high is None else int(high))
