from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.errors import DataError
from dragoman.options import (
    Option,
    Recipe,
    changed_options,
    check_options,
    option,
    options_of,
    parse_spec,
    read_options,
    write_spec,
    write_value,
)


@dataclass(frozen=True)
class Stew(Recipe):
    """Options of every kind."""

    name: ClassVar[str] = "stew"

    minutes: int = option(30, low=1, high=600, text="how long it cooks")
    salt: float = option(0.5, low=0)
    covered: bool = True
    lang: str = "en"
    pot: str = option("large", choices=("small", "large"))
    lid: Literal["on", "off"] = "on"
    spice: str | None = None
    limit: int | None = option(None, low=2)
    steps: tuple[str, ...] = ("cut", "boil")
    weights: tuple[float, ...] = option((1.0,), low=0)
    notes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Soup(Recipe):
    """An option that may stand without its name."""

    name: ClassVar[str] = "soup"

    hot: bool = True
    of: str = option("", positional=True, text="what it is made of")
    bowls: int = 1


def test_the_type_is_what_the_annotation_says() -> None:
    declared = options_of(Stew)
    assert list(declared)[:3] == ["minutes", "salt", "covered"]
    assert {name: each.kind for name, each in declared.items()} == {
        "minutes": "int",
        "salt": "float",
        "covered": "bool",
        "lang": "str",
        "pot": "str",
        "lid": "str",
        "spice": "str",
        "limit": "int",
        "steps": "str",
        "weights": "float",
        "notes": "",
    }
    assert declared["minutes"].text == "how long it cooks"
    assert declared["lid"].choices == ("on", "off")
    assert declared["limit"].is_optional
    assert declared["weights"].is_list
    assert declared["notes"].default == {}


def test_an_option_that_is_none_by_default_is_read_by_its_type() -> None:
    assert read_options(Stew, {"limit": "12"}, title="A stew") == {"limit": 12}
    with pytest.raises(DataError, match="The option 'limit' is a whole number, got 'many'"):
        read_options(Stew, {"limit": "many"}, title="A stew")


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"minutes": 0}, "The 'minutes' option of Stew must be at least 1 and at most 600. Got 0 instead."),
        ({"minutes": True}, "must be a whole number. Got True instead."),
        ({"minutes": 2.5}, "must be a whole number. Got 2.5 instead."),
        ({"salt": float("nan")}, "The 'salt' option of Stew must be at least 0. Got nan instead."),
        ({"salt": "much"}, "must be a number. Got 'much' instead."),
        ({"covered": 1}, "The 'covered' option of Stew must be yes or no (True or False). Got 1 instead."),
        ({"lang": 3}, "The 'lang' option of Stew must be text. Got 3 instead."),
        ({"pot": "tiny"}, "must be one of 'small', 'large'. Got 'tiny' instead."),
        ({"lid": "open"}, "must be one of 'on', 'off'. Got 'open' instead."),
        ({"limit": 1}, "The 'limit' option of Stew must be at least 2. Got 1 instead."),
        ({"steps": ("cut", 3)}, "The 'steps' option of Stew must be a list, each text. Got ('cut', 3) instead."),
        ({"weights": (1.0, -1.0)}, "The 'weights' option of Stew must be at least 0. Got (1.0, -1.0) instead."),
    ],
)
def test_a_broken_rule_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(DataError) as caught:
        Stew(**values).check()  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_all_broken_rules_are_named_at_once() -> None:
    with pytest.raises(DataError, match=r"'minutes' option.*'pot' option"):
        check_options(Stew(minutes=0, pot="tiny"))


def test_whole_numbers_are_numbers_and_none_is_nothing() -> None:
    assert Stew(salt=1, spice=None, limit=None).check()


@pytest.mark.parametrize("text", ["minutes", "minutes5", "=5"])
def test_what_is_no_option_is_named(text: str) -> None:
    with pytest.raises(DataError, match="no option"):
        read_options(Stew, parse_spec(f"stew:{text}")[1], title="The dish 'stew'")


def test_a_value_with_commas_stands_in_parentheses() -> None:
    name, texts = parse_spec("stew:steps=(cut:size=2,thin=yes)+boil,covered=no")
    assert name == "stew"
    assert read_options(Stew, texts, title="A stew") == {"steps": ("cut:size=2,thin=yes", "boil"), "covered": False}


def test_a_parenthesis_that_is_not_closed_is_text() -> None:
    assert Option("lang", "str", "").read("(a)b(c)") == "(a)b(c)"
    assert Option("lang", "str", "").read("(a") == "(a"


# What stands in parentheses must close what it opens; a specification has no way to write other text.
WORDS = st.text("abc:=,+.- ", max_size=8)


@given(
    st.builds(
        Stew,
        minutes=st.integers(1, 600),
        salt=st.floats(0, 10),
        covered=st.booleans(),
        lang=st.text("abc:=,.-", max_size=5),
        pot=st.sampled_from(["small", "large"]),
        limit=st.none() | st.integers(2, 99),
        steps=st.lists(WORDS.filter(bool), min_size=1).map(tuple),
        weights=st.lists(st.floats(0, 9), min_size=1).map(tuple),
    )
)
def test_what_is_written_is_read_back(stew: Stew) -> None:
    name, texts = parse_spec(write_spec(stew))
    assert name == "stew"
    assert Stew(**read_options(Stew, texts, title="A stew")) == stew


@given(st.builds(Soup, hot=st.booleans(), of=st.text("ab_:=,+./- ", max_size=8), bowls=st.integers(0, 9)))
def test_what_stands_first_is_read_back(soup: Soup) -> None:
    name, texts = parse_spec(write_spec(soup))
    assert name == "soup"
    assert Soup(**read_options(Soup, texts, title="A soup")) == soup


@pytest.mark.parametrize(
    ("spec", "soup"),
    [
        ("soup:peas", Soup(of="peas")),
        ("soup:peas,hot=no", Soup(of="peas", hot=False)),
        ("soup:hot=no,of=peas", Soup(of="peas", hot=False)),
        ("soup:./lr=0.1/peas", Soup(of="./lr=0.1/peas")),
        ("soup:http://host:80/x", Soup(of="http://host:80/x")),
        ("soup:(peas,beans),bowls=2", Soup(of="peas,beans", bowls=2)),
        ("soup:(hot=no)", Soup(of="hot=no")),
        ("soup", Soup()),
    ],
)
def test_a_value_may_stand_first_without_its_name(spec: str, soup: Soup) -> None:
    assert Soup(**read_options(Soup, parse_spec(spec)[1], title="A soup")) == soup


def test_the_value_that_stands_first_is_written_first() -> None:
    assert write_spec(Soup(hot=False, of="es-en")) == "soup:es-en,hot=no"
    assert changed_options(Soup(of="es-en")) == ["of=es-en"]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("soup:peas,of=beans", "A soup: 'of' is given twice. Known: hot, of, bowls."),
        ("soup:bowls=2,peas", "'peas' in 'soup:bowls=2,peas' is no option; write options as name=value."),
        ("soup:bowls=2,bowl=3", "A soup has no option 'bowl'. Known: hot, of, bowls."),
    ],
)
def test_a_wrong_place_is_named(spec: str, message: str) -> None:
    with pytest.raises(DataError) as caught:
        read_options(Soup, parse_spec(spec)[1], title="A soup")
    assert str(caught.value) == message


def test_only_what_differs_is_written() -> None:
    assert changed_options(Stew()) == []
    assert write_spec(Stew()) == "stew"
    assert write_spec(Stew(covered=False, weights=(1.0, 2.0))) == "stew:covered=no,weights=1.0+2.0"
    assert write_value(("a,b", "c")) == "(a,b)+c"
