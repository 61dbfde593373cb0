"""Write the type stubs of the native core beside the package:  make stubs."""

from __future__ import annotations

from pathlib import Path

from nanobind.stubgen import StubGen

import dragoman._core

_IMPORT = "from numpy.typing import NDArray"
TARGET = Path(__file__).parents[1] / "src" / "dragoman" / "_core"


def main() -> None:
    """Write `__init__.pyi` for the module and a stub for each of its areas."""
    TARGET.mkdir(exist_ok=True)
    areas = [name for name in dir(dragoman._core) if not name.startswith("_")]
    lines = [f"from . import {name} as {name}" for name in areas]
    (TARGET / "__init__.pyi").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in areas:
        generator = StubGen(getattr(dragoman._core, name))
        generator.put(getattr(dragoman._core, name))
        (TARGET / f"{name}.pyi").write_text(with_arrays(generator.get()), encoding="utf-8")


def with_arrays(stub: str) -> str:
    """The stub with the import of NDArray, which nanobind forgets where only written signatures name it."""
    missing = "NDArray[" in stub and _IMPORT not in stub
    return stub.replace("import numpy\n", f"import numpy\n{_IMPORT}\n", 1) if missing else stub


if __name__ == "__main__":
    main()
