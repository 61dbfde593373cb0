from __future__ import annotations

from typing import Any

import pytest

from dragoman.errors import DataError
from dragoman.options import Recipe, options_of
from dragoman.qe import DecisionRecipe, FeatureRecipe, QERecipe, ReportRecipe, ResourceRecipe
from dragoman.qe.classes import ClassRecipe
from dragoman.qe.selection import SelectorRecipe
from dragoman.qe.trees import TreeRecipe
from dragoman.qe.words import WordRecipe
from tests.cli.commands import every_command

COMMANDS = dict(every_command())


@pytest.mark.parametrize(
    ("name", "recipe", "left_out"),
    [
        ("qe train", QERecipe, set()),
        ("qe train", ResourceRecipe, set()),
        ("qe resources", ResourceRecipe, set()),
        ("qe features", FeatureRecipe, set()),
        ("qe decide", DecisionRecipe, set()),
        ("qe report", ReportRecipe, set()),
        ("qe classify", ClassRecipe, set()),
        ("qe select", SelectorRecipe, set()),
        ("qe trees train", TreeRecipe, set()),
        ("qe words train", WordRecipe, {"features", "target_tokeniser"}),
    ],
)
def test_what_a_recipe_declares_is_an_option(name: str, recipe: type[Recipe], left_out: set[str]) -> None:
    given: dict[str | None, Any] = {param.name: param for param in COMMANDS[name].params}
    declared = options_of(recipe)
    assert set(declared) - left_out <= given.keys()
    for option in set(declared) - left_out:
        assert given[option].default == declared[option].default, option
        assert given[option].multiple == declared[option].is_list, option


def test_a_recipe_is_read_from_a_table_and_says_which_option_is_wrong() -> None:
    recipe = QERecipe.from_dict({"learner": "ridge:alpha=0.1", "select": ["pca"], "nested": 3, "task": "effort"})
    learner = recipe.make_learner()
    assert (learner.name, learner.select, learner.nested) == ("ridge", ("pca",), 3)
    assert QERecipe().make_learner().name == "svr"
    assert QERecipe().make_learner(("black-box+syntax",)).name == "ridge"
    with pytest.raises(DataError, match=r"The 'nested' option of QERecipe must be at least 2\. Got 1 instead\."):
        QERecipe.from_dict({"nested": 1})
    with pytest.raises(DataError, match="QERecipe has no option lerner"):
        QERecipe.from_dict({"lerner": "ridge"})
