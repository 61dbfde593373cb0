"""Options, declared once: a field of a frozen dataclass with its type, its default, its rule and a line of text.

From a declaration follow the check of a value, its reading from a specification (`bleu:lowercase=yes`) and its writing,
the key of a TOML table, the option of a command, the field of a form, the line of a reference page and the value in a
kernel's struct.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import MISSING, Field, asdict, dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, ClassVar, Self, TypeVar

from dragoman.errors import DataError

__all__ = [
    "Option",
    "Recipe",
    "changed_options",
    "check_options",
    "filled",
    "option",
    "options_of",
    "parse_spec",
    "positional_option",
    "read_options",
    "write_spec",
    "write_value",
]


S = TypeVar("S")


def option(
    default: Any,
    *,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[Any, ...] = (),
    of: Any = None,
    layers: tuple[str, ...] = (),
    positional: bool = False,
    text: str = "",
) -> Any:
    """A recipe's field: its default, its rule (a range, a set of choices, an entry `of` a registry), a line of help.

    An option with `layers` names an annotator that gives one of them, or asks for a layer by its name (`text.layers`).
    The `positional` one of a class may stand first in a specification without its name: `parser:FOLDER,give=pos`.
    """
    if isinstance(default, list | dict | set):
        raise TypeError("A recipe's default must be immutable; use a tuple.")
    rule = {"low": low, "high": high, "choices": choices, "of": of, "layers": layers, "positional": positional}
    return field(default=default, metadata={**rule, "text": text})


@dataclass(frozen=True)
class Option:
    """One option as it was declared. A list has items of one `kind`; what is of no kind here is not read from text."""

    RULES: ClassVar[tuple[str, ...]] = ("low", "high", "choices", "of", "layers", "positional", "text")
    KINDS: ClassVar[dict[str, str]] = {"bool": "yes or no", "int": "a whole number", "float": "a number", "str": "text"}

    name: str
    kind: str  # of KINDS, or empty where the annotation is of none
    default: Any
    is_list: bool = False
    is_optional: bool = False  # None may stand for it
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] = ()
    of: Any = None  # the registry whose entries it names, perhaps with options
    layers: tuple[str, ...] = ()  # that it may ask for
    positional: bool = False  # may stand first in a specification, without its name
    text: str = ""

    @classmethod
    def of_field(cls, declared: Field[Any]) -> Self:
        """The option that a field of a dataclass declares by its annotation, its default and `option`."""
        annotation = declared.type if isinstance(declared.type, str) else getattr(declared.type, "__name__", "")
        rule = {key: value for key, value in declared.metadata.items() if key in cls.RULES}
        default = declared.default if declared.default_factory is MISSING else declared.default_factory()
        is_optional = annotation.endswith(" | None")
        annotation = annotation.removesuffix(" | None")
        literal = re.fullmatch(r"Literal\[(.*)\]", annotation)
        items = re.fullmatch(r"(?:tuple|Sequence)\[(.+?)(?:, \.\.\.)?\]", annotation)
        kind = "str" if literal or rule.get("of") is not None else items.group(1) if items else annotation
        if literal and not rule.get("choices"):
            rule["choices"] = tuple(re.findall(r"'([^']*)'", literal.group(1)))  # as annotations are kept
        return cls(declared.name, kind if kind in cls.KINDS else "", default, bool(items), is_optional, **rule)

    @property
    def wanted(self) -> str:
        """What a value of the right type must be, in words."""
        if self.choices:
            return "one of " + ", ".join(map(repr, self.choices))
        limits = [f"at least {self.low}"] * (self.low is not None) + [f"at most {self.high}"] * (self.high is not None)
        return " and ".join(limits)

    def broken_rule(self, value: Any) -> str:
        """What a value must be that it is not, in words; empty if it keeps the rule."""
        if value is None and (self.is_optional or self.default is None):
            return ""
        items = value if self.is_list and isinstance(value, tuple | list) else [value]
        if (self.is_list and items is not value) or not all(map(self._is_of_type, items)):
            noun = self.KINDS[self.kind] + (" (True or False)" if self.kind == "bool" else "")
            return f"a list, each {noun}" if self.is_list else noun
        if any(isinstance(item, int) and abs(item) >= _LARGEST for item in items):
            return "a number that 64 bits hold"
        return "" if all(map(self._is_allowed, items)) else self.wanted

    def _is_of_type(self, value: Any) -> bool:
        if self.choices or self.of is not None or not self.kind:
            return True
        if self.kind in ("int", "float"):
            return isinstance(value, int if self.kind == "int" else int | float) and not isinstance(value, bool)
        return isinstance(value, bool if self.kind == "bool" else str)

    def _is_allowed(self, value: Any) -> bool:
        if self.choices:
            return value in self.choices and isinstance(value, bool) == any(isinstance(c, bool) for c in self.choices)
        return (self.low is None or value >= self.low) and (self.high is None or value <= self.high)

    def read(self, text: str) -> Any:
        """The value that stands in a specification: truth is yes or no, the items of a list are joined by `+`."""
        if self.is_list:
            return tuple(self._read(item) for item in split_outside(text, "+")) if text else ()
        return self._read(text)

    def _read(self, text: str) -> Any:
        text = text[1:-1] if _is_enclosed(text) else text
        if self.kind == "bool":
            if text.lower() not in _TRUTH:
                raise DataError(f"The option {self.name!r} is yes or no, got {text!r}.")
            return _TRUTH[text.lower()]
        if self.kind not in ("int", "float"):
            return text
        try:
            return int(text) if self.kind == "int" else float(text)
        except ValueError:
            raise DataError(f"The option {self.name!r} is {self.KINDS[self.kind]}, got {text[:40]!r}.") from None


_LARGEST = 2**64  # no array holds a whole number of that size
_TRUTH = {"yes": True, "true": True, "no": False, "false": False}


_DECLARED: dict[type, Mapping[str, Option]] = {}  # a class is read once


def options_of(holder: type) -> Mapping[str, Option]:
    """The options that a dataclass declares, by name, in their order."""
    if holder not in _DECLARED:
        declared = fields(holder) if is_dataclass(holder) else ()
        _DECLARED[holder] = {each.name: Option.of_field(each) for each in declared if each.init}
    return _DECLARED[holder]


def positional_option(holder: type) -> str:
    """The name of the option that may stand without it in a specification; empty if there is none."""
    return next((name for name, each in options_of(holder).items() if each.positional), "")


def check_options(holder: Any) -> None:
    """Raise one error that lists every option of a dataclass that breaks its rule."""
    broken = [
        f"The {name!r} option of {type(holder).__name__} must be {wanted}. Got {getattr(holder, name)!r} instead."
        for name, each in options_of(type(holder)).items()
        if each.kind or each.choices
        if (wanted := each.broken_rule(getattr(holder, name)))
    ]
    if broken:
        raise DataError(" ".join(broken))


@dataclass(frozen=True)
class Recipe:
    """Settings of something that is trained, computed or asked. Every field has a default and may carry a rule."""

    def check(self) -> Self:
        """Return the recipe if every field keeps its rule; raise one error that lists all that do not."""
        check_options(self)
        return self

    def to_dict(self) -> dict[str, Any]:
        """The fields as plain values, for a manifest."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """The recipe with these values; names that are no field of it are refused."""
        declared = options_of(cls)
        unknown = sorted(set(values) - set(declared))
        if unknown:
            raise DataError(f"{cls.__name__} has no option {', '.join(unknown)}. Known: {', '.join(declared)}.")
        # JSON and TOML have no tuples: a list read for a tuple-valued option becomes one again.
        lists = {name for name, each in declared.items() if isinstance(each.default, tuple)}
        plain = {
            name: tuple(value) if name in lists and isinstance(value, list) else value for name, value in values.items()
        }
        return cls(**plain).check()


def filled(struct: S, recipe: Recipe, **others: Any) -> S:
    """A kernel's struct with the values of the recipe's options in its fields, which are called alike or `n_…`.

    A choice is the member of the field's enumeration; what no field is called after stays here. `others` come last.
    """
    for name in options_of(type(recipe)):
        for place in (name, f"n_{name}"):
            if hasattr(struct, place):
                kind, value = type(getattr(struct, place)), getattr(recipe, name)
                setattr(struct, place, kind[value.replace("-", "_")] if issubclass(kind, Enum) else value)
    for place, value in others.items():
        setattr(struct, place, value)
    return struct


def parse_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a specification, `name:value,option=value,option=value`.

    A value that has commas itself stands in parentheses: `ensemble:members=(svr:width=.1,cost=2)+ridge`. The first may
    have no name and is called "" here: it is the positional option's, whatever that is called.
    """
    name, _, text = spec.partition(":")
    options: dict[str, str] = {}
    for number, part in enumerate(filter(None, split_outside(text, ","))):
        key, equals, value = part.partition("=")
        if number == 0 and not (equals and key.isidentifier()):
            options[""] = part
        elif not equals:
            raise DataError(f"{part!r} in {spec!r} is no option; write options as name=value.")
        else:
            options[key] = value
    return name, options


def read_options(holder: type, texts: Mapping[str, str], *, title: str) -> dict[str, Any]:
    """The values of a dataclass' options that a specification gives as text; `title` says whose they are in errors."""
    declared = options_of(holder)
    first = positional_option(holder)
    if "" in texts and (not first or first in texts):
        what = f"{first!r} is given twice" if first else f"{texts['']!r} is no option; write options as name=value"
        raise DataError(f"{title}: {what}. Known: {', '.join(declared) or 'none'}.")
    named = {key or first: text for key, text in texts.items()}
    for key in named:
        if key not in declared:
            raise DataError(f"{title} has no option {key!r}. Known: {', '.join(declared) or 'none'}.")
    return {key: declared[key].read(text) for key, text in named.items()}


def changed_options(holder: Any) -> list[str]:
    """The options of a dataclass that differ from their defaults, each as `name=value`."""
    return [f"{each.name}={_write_option(value)}" for each, value in _changed(holder)]


def _changed(holder: Any) -> list[tuple[Option, Any]]:
    values = [(each, getattr(holder, name)) for name, each in options_of(type(holder)).items()]
    return [(each, value) for each, value in values if value != each.default]


def write_spec(holder: Any) -> str:
    """What has a name and options as a specification: the name, and the options that differ from their defaults."""
    first, others = [], []
    for each, value in _changed(holder):
        text = _write_option(value)
        if each.positional and text:
            first = [f"({text})" if text.partition("=")[0].isidentifier() and "=" in text else text]
        else:
            others.append(f"{each.name}={text}")
    return ":".join(filter(None, (holder.name, ",".join(first + others))))


def _write_option(value: Any) -> str:
    """A value behind its option's name: text that has commas stands in parentheses."""
    text = write_value(value)
    return f"({text})" if isinstance(value, str) and ("," in text or _is_enclosed(text)) else text


def write_value(value: Any) -> str:
    """A value as specifications and signatures write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple | list):
        return "+".join(f"({each})" if "," in each or "+" in each else each for each in map(write_value, value))
    return str(value)


def split_outside(text: str, mark: str) -> list[str]:
    """The parts of a text between marks that do not stand in parentheses; a text without one is its only part."""
    parts, depth = [""], 0
    for character in text:
        depth += (character == "(") - (character == ")")
        if character == mark and depth <= 0:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def _is_enclosed(text: str) -> bool:
    """Whether the first character is a parenthesis that the last one closes."""
    if not (text.startswith("(") and text.endswith(")")):
        return False
    depth = 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return place == len(text) - 1
    return False
