"""What every declared resource must do: be built by its group, lie in a folder, be found there again."""

from __future__ import annotations

from collections import Counter
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from dragoman.cli.qe_resources import resources
from dragoman.metrics import hter
from dragoman.qe import FEATURES
from dragoman.qe.features.base import make_feature
from dragoman.qe.features.sets import FEATURE_SETS
from dragoman.qe.resources import EXTRAS, GROUPS, RESOURCES, IndicatorRecipe, Resource, options_for
from dragoman.qe.resources.declared import Derived
from dragoman.qe.resources.folder import save_resources
from dragoman.qe.resources.groups import build_groups
from dragoman.qe.resources.material import Material
from dragoman.qe.words.features import WORD_FEATURES, WORD_SET, make_word_features
from dragoman.syntax import Parser
from tests.qe.parsed import tiny_parser

SOURCES = [f"the cat number {n} sat on the mat ." for n in range(12)]
EDITS = [f"el gato {n} estaba en la estera ." for n in range(12)]
OUTPUTS = [edit.replace("estaba", "sentado") if n % 2 else edit for n, edit in enumerate(EDITS)]
BUILT = [group for group in GROUPS if group.build is not None]
each_resource = pytest.mark.parametrize("resource", RESOURCES.values(), ids=list(RESOURCES))


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Material:
    found = hter(OUTPUTS, EDITS)
    text = Material(
        SOURCES,
        EDITS,
        judged=(SOURCES, OUTPUTS),
        tags=found.tags,
        scores=found.values,
        phrases=IndicatorRecipe().rows(SOURCES, OUTPUTS),
    )
    parser = Parser.load(tiny_parser(tmp_path_factory.mktemp("models") / "parser"))
    return text.with_parses({"source": parser, "target": parser})


@pytest.fixture(scope="module")
def made(material: Material) -> dict[str, Any]:
    return build_groups(material, list(EXTRAS))


def test_names_are_declared_once() -> None:
    names = Counter(resource.name for group in GROUPS for resource in group.resources)
    assert set(names.values()) == {1}
    assert len({group.name for group in GROUPS}) == len(GROUPS)
    files = [resource.file for resource in RESOURCES.values()]
    assert len(set(files)) == len(files)
    assert all(resource.text for resource in RESOURCES.values())


@pytest.mark.parametrize("group", BUILT, ids=[group.name for group in BUILT])
def test_a_group_builds_what_it_declares(group: Any, material: Material, made: dict[str, Any]) -> None:
    found = group.build(replace(material, built=made))
    declared = {resource.name for resource in group.resources if not isinstance(resource, Derived)}
    assert found.keys() == declared
    for name, value in found.items():
        assert isinstance(value, RESOURCES[name].kind or tuple)


@each_resource
def test_what_is_saved_is_found_and_what_is_removed_is_not(
    resource: Resource, made: dict[str, Any], tmp_path: Path
) -> None:
    if resource.name not in made:
        assert resource.load(tmp_path) is None
        return
    save_resources({resource.name: made[resource.name]}, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [resource.file]
    again = resource.load(tmp_path)
    assert type(again) is type(made[resource.name])
    if resource.sizes is not None:
        assert resource.sizes(again) == resource.sizes(made[resource.name])
    save_resources({}, tmp_path)
    assert resource.load(tmp_path) is None
    assert not list(tmp_path.iterdir())


def test_every_resource_serves_a_feature() -> None:
    specs = {spec for specs in FEATURE_SETS.values() for spec in specs}
    for name in FEATURES.names():  # with its defaults, and with each choice of an option
        choices = [f"{f.name}={choice}" for f in fields(FEATURES.get(name)) for choice in f.metadata.get("choices", ())]
        specs |= {name, *(f"{name}:{each}" for each in choices if not each.endswith(("=True", "=False")))}
    needed = {name for spec in specs for name in make_feature(spec).needed()}
    needed |= {name for feature in make_word_features([*WORD_FEATURES.names(), *WORD_SET]) for name in feature.needed()}
    assert needed == RESOURCES.keys()


def test_the_command_line_names_the_extras() -> None:
    options = {param.name: param for param in resources.params}
    assert f"Also build {', '.join(sorted(EXTRAS))}, or all" in str(vars(options["also"])["help"])
    given = {option for resource in RESOURCES.values() for option in resource.options}
    assert given <= {name for param in options.values() for name in param.opts}


def test_options_say_what_must_be_given() -> None:
    assert options_for(["source_lm"]) == ()
    assert options_for(["confidence", "source_tag_lm", "tag_ibm1"]) == (
        "--post-edited",
        "--source-parser",
        "--target-parser",
    )
    assert options_for(["word_bayes", "wide_target_2"]) == ("--post-edited", "--target-wide", "--also word-bayes")
