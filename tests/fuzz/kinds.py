"""Which kinds of models there are: read in the code, so that none is missed that nothing has imported."""

from __future__ import annotations

import ast

from tests.conftest import ROOT

__all__ = ["kinds_of_artifacts"]


def kinds_of_artifacts() -> dict[str, str]:
    """The classes below `Artifact` that say what kind they are, and the kind."""
    bases: dict[str, set[str]] = {}
    kinds: dict[str, str] = {}
    for path in sorted((ROOT / "src" / "dragoman").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if "Artifact" not in text and "kind: ClassVar" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                name = f"{path.relative_to(ROOT)}:{node.name}"
                bases[name] = {each.id for each in node.bases if isinstance(each, ast.Name)}
                kinds.update((name, kind) for each in node.body if (kind := _kind(each)))
    return {name: kinds[name] for name in _below("Artifact", bases) if name in kinds}


def _below(top: str, bases: dict[str, set[str]]) -> set[str]:
    """The classes that have a class among those above them."""
    known, below = {top}, set[str]()
    while more := {name for name, above in bases.items() if above & known} - below:
        below |= more
        known |= {name.rpartition(":")[2] for name in more}
    return below


def _kind(node: ast.stmt) -> str | None:
    """The text that a line of a class says to be its kind."""
    match node:
        case ast.AnnAssign(target=ast.Name(id="kind"), value=ast.Constant(value=str(kind))):
            return kind
        case ast.Assign(targets=[ast.Name(id="kind")], value=ast.Constant(value=str(kind))):
            return kind
    return None
