"""Which engines there are, how one is opened, and what it can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from dragoman.artifact import Artifact, read_manifest
from dragoman.engines.results import Request
from dragoman.engines.roles import ROLES, Role, Translates
from dragoman.errors import DataError, ModelError
from dragoman.registry import Registry

__all__ = ["ENGINES", "capabilities", "check_details", "load_engine", "need"]

R = TypeVar("R", bound=Role)

# Rooms above this one: a name here is data, imported when an engine is opened.
ENGINES: Registry[Role] = Registry(
    "engine",
    {
        "apertium": "dragoman.engines.apertium:Apertium",
        "chat": "dragoman.cat.chat:ChatEngine",
        "ctranslate2": "dragoman.neural.foreign:CTranslate2Engine",
        "deepl": "dragoman.engines.services:DeepL",
        "google": "dragoman.engines.services:Google",
        "libretranslate": "dragoman.engines.services:LibreTranslate",
        "neural": "dragoman.neural.engine:NeuralEngine",
        "phrase": "dragoman.smt.engine:Engine",
        "postedit": "dragoman.postedit.editor:PostEditor",
        "repair": "dragoman.repair.repairer:Repairer",
        "transformers": "dragoman.neural.pretrained:TransformersEngine",
        "tuples": "dragoman.smt.tuple_engine:TupleEngine",
    },
)


def load_engine(spec: str, *, verify: bool = False) -> Role:
    """The engine of a model folder, by what its manifest says it is, or of a specification: `NAME:OPTION=VALUE,…`.

    `NAME:FOLDER` is a folder that must hold an engine of this name. `verify` hashes all its files first.
    """
    name, colon, rest = spec.partition(":")
    if Path(spec).exists() or not colon:
        return _opened(spec, verify)
    cls = ENGINES.get(name)
    return cls.load(rest, verify=verify) if issubclass(cls, Artifact) else ENGINES.make(spec)


def _opened(folder: str, verify: bool) -> Role:
    if not Path(folder).exists():
        raise ModelError(
            f"There is no model folder {folder}. An engine is a folder, as dragoman smt train makes it, or "
            f"NAME:OPTIONS with a name of: {', '.join(ENGINES.names())}."
        )
    kind = read_manifest(folder).kind
    classes = {name: ENGINES.get(name) for name in ENGINES.names()}
    for cls in classes.values():
        if issubclass(cls, Artifact) and cls.kind == kind:
            return cls.load(folder, verify=verify)
    kinds = [f"a {cls.kind} ({name})" for name, cls in classes.items() if issubclass(cls, Artifact)]
    raise ModelError(f"{folder} is a {kind}, which does not translate. Engines' folders hold {' or '.join(kinds)}.")


def capabilities(engine: object) -> tuple[str, ...]:
    """The names of the roles that an engine fills."""
    return tuple(name for name, role in ROLES.items() if isinstance(engine, role) and not engine.lacks(role))


def need(engine: object, role: type[R]) -> R:
    """The engine, for one of its roles; one that lacks it raises with the reason and with what can fill it."""
    if not isinstance(engine, role):
        able = [name for name in ENGINES.names() if issubclass(ENGINES.get(name), role)]
        raise DataError(
            f"The engine {_name(engine)} lacks the role {_role_name(role)!r}; it has: "
            f"{', '.join(capabilities(engine)) or 'none'}. Engines that can have it: {', '.join(able) or 'none'}."
        )
    reason = engine.lacks(role)
    if reason:
        raise DataError(reason)
    return engine


def check_details(engine: Translates, request: Request) -> None:
    """Raise if more is asked of each translation than the engine tells."""
    asked = {
        "n-best": request.n_best > 1,
        "alignment": request.alignment,
        "confidence": request.confidence,
        "features": request.features,
        "glossary": bool(request.glossary),
    }
    missing = [name for name, wanted in asked.items() if wanted and name not in engine.details]
    if missing:
        raise DataError(
            f"The engine {_name(engine)} does not tell {', '.join(missing)}; it tells: "
            f"{', '.join(sorted(engine.details)) or 'translations alone'}."
        )


def _name(engine: object) -> str:
    kind = type(engine.origin if isinstance(engine, Role) else engine)
    return next((name for name in ENGINES.names() if ENGINES.get(name) is kind), kind.__name__)


def _role_name(role: type[Role]) -> str:
    return next(name for name, each in ROLES.items() if each is role)
