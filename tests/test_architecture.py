"""The map of the house (docs/design.md): who may import whom."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "dragoman"

# From the ground up. A room imports only rooms of lower floors; rooms on one floor do not know each other.
FLOORS = [
    {"errors", "lazy"},
    {"compression", "utf8"},
    {"arrays", "options", "rng", "files", "notation", "spreadsheets"},
    {"client", "registry"},
    {"artifact", "cache", "parts"},
    {"_core"},
    {"report"},
    {"text"},
    {"data"},
    {"stats"},
    {"learn"},
    {"syntax", "lm", "align", "samples"},
    {"metrics", "ranking", "corpus", "reorder"},
    {"engines"},
    {"human", "mining", "neural", "qe", "smt", "analysis", "postedit", "repair", "deep"},
    {"combine", "rescoring"},
    {"store"},
    {"cat", "task"},
    {"site", "web"},
    {"demo", "testing"},
    {"cli"},
]
FLOOR = {room: number for number, floor in enumerate(FLOORS) for room in floor}

# Entries of a higher room in a table of a lower one: names, imported when somebody asks for them.
TABLED = {
    "dragoman.syntax.annotator:FrameAnnotator",
    "dragoman.cat.chat:ChatEngine",
    "dragoman.engines.gemba:GembaDA",
    "dragoman.engines.gemba:GembaMQM",
    "dragoman.syntax.annotator:NameAnnotator",
    "dragoman.neural.engine:NeuralEngine",
    "dragoman.neural.foreign:CTranslate2Engine",
    "dragoman.postedit.editor:PostEditor",
    "dragoman.repair.repairer:Repairer",
    "dragoman.neural.pretrained:TransformersEngine",
    "dragoman.smt.engine:Engine",
    "dragoman.smt.tuple_engine:TupleEngine",
    "dragoman.syntax.annotator:ParserAnnotator",
}

# The areas of the native core, from the ground up, by the same rule.
AREAS = [
    {"core"},
    {"classer", "lexical", "net", "rank", "regression", "resample", "sequence", "text", "tree"},
    {"align", "corpus", "edit", "graph", "lm", "metrics", "morph"},
    {"combine", "memory", "nbest", "phrase", "syntax", "tune"},
    {"grammar"},
    {"chart"},
]
AREA_FLOOR = {area: number for number, floor in enumerate(AREAS) for area in floor}


def room_of(path: Path) -> str:
    room = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "cli" if room == "__main__" else room  # `python -m dragoman`, another door of the same room


def imported_rooms(tree: ast.AST) -> set[str]:
    """The rooms that a module imports, also inside functions, or names in a string as `module:Name`."""
    rooms = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "dragoman":
            rooms |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("dragoman."):
            rooms.add(node.module.split(".")[1])
        elif isinstance(node, ast.Import):
            rooms |= {alias.name.split(".")[1] for alias in node.names if alias.name.startswith("dragoman.")}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value not in TABLED:
            named = re.fullmatch(r"dragoman\.(\w+)(\.\w+)*(:\w+)?", node.value)
            rooms |= {named[1]} & FLOOR.keys() if named else set()
    return rooms - {"__version__"}


MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def too_high(path: Path) -> list[str]:
    """What a module imports that is not below it, as lines to read."""
    name, room = path.relative_to(PACKAGE).as_posix(), room_of(path)
    if room not in FLOOR:
        return [f"{name}: {room} has no floor: give it one here and in docs/design.md"]
    others = imported_rooms(tree_of(path)) - {room}
    wrong = sorted(other for other in others if FLOOR.get(other, len(FLOORS)) >= FLOOR[room])
    return [f"{name} ({room}) imports {', '.join(wrong)}"] if wrong else []


def test_a_room_imports_only_lower_floors() -> None:
    assert [line for path in MODULES for line in too_high(path)] == []


def imported_names(path: Path) -> set[str]:
    """The modules that a module imports, and what it takes from them, by their dotted names."""
    names = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
    return names


def test_http_is_the_servers_and_sql_the_stores() -> None:
    http, sql = (
        {"fastapi", "starlette", "uvicorn", "httptools"},
        {"dragoman.store.tables", "dragoman.store.translating.tables", "alembic"},
    )
    for path in MODULES:
        names = imported_names(path)
        assert room_of(path) == "web" or not {name.split(".")[0] for name in names} & http, path
        assert room_of(path) == "store" or not names & sql, path


def test_the_check_sees_a_wrong_import() -> None:
    tree = ast.parse(
        "def f():\n    from dragoman.cli import main\n    import dragoman.web.app\n    from dragoman import qe\n"
        "TABLE = {'rank': 'dragoman.ranking.elo:Elo', 'lm': 'dragoman.lm.model', 'group': 'dragoman.metric'}\n"
    )
    assert imported_rooms(tree) == {"cli", "web", "qe", "ranking", "lm"}


def test_what_is_tabled_is_there() -> None:
    texts = [path.read_text(encoding="utf-8") for path in MODULES]
    assert {name for name in TABLED if any(f'"{name}"' in text for text in texts)} == TABLED


def module_name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def run_time_imports(tree: ast.AST) -> Iterator[ast.ImportFrom]:
    """The imports of a module, inside functions too, without those for type checkers, which tie nothing together."""
    for child in ast.iter_child_nodes(tree):
        if isinstance(child, ast.ImportFrom) and (child.module or "").startswith("dragoman."):
            yield child
        elif not (isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"):
            yield from run_time_imports(child)
        else:
            for other in child.orelse:
                yield from run_time_imports(other)


def doors() -> dict[str, dict[str, str]]:
    """What each room's `__init__` offers, and the module where it lives."""
    return {
        module_name(path): {
            alias.name: str(node.module)
            for node in ast.walk(tree_of(path))
            if isinstance(node, ast.ImportFrom)
            for alias in node.names
        }
        for path in MODULES
        if path.name == "__init__.py"
    }


def needs_of_modules() -> dict[str, set[str]]:
    """The modules that each module needs at run time, names from a room's door followed to their home."""
    trees, offered = {module_name(path): tree_of(path) for path in MODULES}, doors()

    def home(module: str, name: str) -> str:
        inside = f"{module}.{name}"
        return inside if inside in trees else offered.get(module, {}).get(name, module)

    found = {
        name: {home(str(node.module), alias.name) for node in run_time_imports(tree) for alias in node.names}
        for name, tree in trees.items()
        if name not in offered
    }
    return {name: needed & found.keys() - {name} for name, needed in found.items()}


def cycle_in(graph: dict[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_need_each_other() -> None:
    assert cycle_in(needs_of_modules()) == []


def test_the_check_sees_a_cycle() -> None:
    assert cycle_in({"a": {"b"}, "b": {"c"}, "c": {"a"}}) == ["a", "c", "b", "a"]
    assert cycle_in({"a": {"b"}, "b": {"c"}}) == []


def included_areas(area: str) -> set[str]:
    files = [path for folder in ("include/dragoman", "src") for path in (ROOT / "cpp" / folder / area).rglob("*.?pp")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    return set(re.findall(r'#include "dragoman/(\w+)/', text)) - {area}


def test_an_area_of_the_core_includes_only_lower_ones() -> None:
    areas = sorted(path.name for path in (ROOT / "cpp" / "include" / "dragoman").iterdir())
    assert set(areas) - AREA_FLOOR.keys() == set(), "an area has no floor: give it one here"
    wrong = [
        f"{area} includes {other}"
        for area in areas
        for other in sorted(included_areas(area))
        if AREA_FLOOR.get(other, len(AREAS)) >= AREA_FLOOR[area]
    ]
    assert wrong == []


def misnamed(files: Iterable[str]) -> list[str]:
    """Sources and tests of the core that bear no header's name, or a part's without the header's own beside it."""
    paths = [PurePosixPath(file) for file in files]
    headers = {(path.parent.name, path.stem) for path in paths if path.suffix == ".hpp" and "tests" not in path.parts}
    sources = {(path.parent.name, path.stem) for path in paths if path.suffix == ".cpp" and "src" in path.parts}
    named = headers & sources
    wrong = {
        f"{area}/{stem}.cpp"
        for area, stem in sources - headers
        if not any(area == other and stem.startswith(f"{header}_") for other, header in named)
    }
    subjects = {name for header in headers for name in header}
    tests = {path.name for path in paths if path.match("tests/*_test.cpp")}
    return sorted(wrong | {name for name in tests if name.removesuffix("_test.cpp") not in subjects})


def test_header_source_and_test_have_one_name() -> None:
    folders = [ROOT / "cpp" / folder for folder in ("include", "src", "tests")]
    files = [path.relative_to(ROOT).as_posix() for folder in folders for path in folder.rglob("*.?pp")]
    assert misnamed(files) == []


def test_the_check_sees_a_wrong_name() -> None:
    headers = ["cpp/include/dragoman/lm/model.hpp", "cpp/include/dragoman/lm/trie.hpp", "cpp/src/graph/inside.hpp"]
    right = ["cpp/src/lm/model.cpp", "cpp/src/lm/model_file.cpp", "cpp/src/graph/inside.cpp"]
    right += ["cpp/tests/inside_test.cpp", "cpp/tests/lm_test.cpp", "cpp/tests/test_main.cpp", "cpp/tests/toy.hpp"]
    assert misnamed(headers + right) == []
    wrong = ["cpp/src/lm/keys.cpp", "cpp/src/lm/trie_model.cpp", "cpp/src/graph/model.cpp", "cpp/tests/toy_test.cpp"]
    assert misnamed(headers + right + wrong) == ["graph/model.cpp", "lm/keys.cpp", "lm/trie_model.cpp", "toy_test.cpp"]


def test_contributing_lists_the_floors() -> None:
    text = " ".join((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    listed = text.partition("From the ground up: ")[2].partition(". ")[0]
    assert [set(floor.split()) for floor in re.findall(r"`([^`]*)`", listed)] == FLOORS


def test_no_room_is_called_utils() -> None:
    assert not [path for path in MODULES if path.stem in {"utils", "util", "helpers", "misc", "common"}]
