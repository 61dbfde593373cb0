"""Engines of projects on the command line: of other languages, and older in a project's copy than on the server."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dragoman.cli.main import group
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.translating.projects import find_project
from dragoman.web.models.engines import Engines
from dragoman.web.serving import _checked_engines, open_house
from dragoman.web.settings import Settings
from tests.web.cat.engines import WordEngine

LANGUAGES = {"de-en": ("de", "en"), "de-fr": ("de-DE", "fr"), "any": ("", "")}


def cat(*words: str) -> Result:
    return CliRunner().invoke(group, ["cat", *words], catch_exceptions=False)


@pytest.fixture
def serve(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], tuple[str, ...]]:
    """What a server with three engines prints of projects when it starts."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text("Es regnet.\n", encoding="utf-8")
    for name in LANGUAGES:
        (tmp_path / name).mkdir()
        (tmp_path / name / "manifest.json").write_text("{}")

    def load(folder: str) -> WordEngine:
        engine = WordEngine()
        engine.languages = LANGUAGES[Path(folder).name]
        return engine

    monkeypatch.setattr("dragoman.engines.load_engine", load)
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", load)
    settings = Settings(
        db="dragoman.db", engines=tuple(f"{name}={tmp_path / name}" for name in LANGUAGES), learning="copies"
    )
    return lambda: open_house(settings, _checked_engines(settings)[1]).engine_remarks


def test_an_engine_of_other_languages_is_refused(serve: Callable[[], tuple[str, ...]], tmp_path: Path) -> None:
    with pytest.raises(DataError, match="The engine 'x' translates de-DE-fr, the project is de-en"):
        cat("new", "a", "letter.txt", "-l", "de-en", "--engine", f"x={tmp_path / 'de-fr'}")
    unknown = cat("new", "b", "letter.txt", "-l", "de-en", "--engine", "de-fr")
    assert "warning: no server of this database has served an engine de-fr yet" in unknown.stderr
    (told,) = serve()
    assert told.startswith("the engine de-fr translates de-DE-fr, but the project b is de-en. Choose another")
    with pytest.raises(DataError, match=r"'de-fr' translates de-DE-fr, .* de-en\. Engines .* that fit: de-en, any\."):
        cat("new", "c", "letter.txt", "-l", "de-en", "--engine", "de-fr")
    for name, given in (("d", "de-en"), ("e", "any"), ("f", f"own={tmp_path / 'de-en'}")):
        made = cat("new", name, "letter.txt", "-l", "de-AT-en", "--engine", given)
        assert (made.exit_code, made.stderr) == (0, "")
    assert "the engine de-fr translates de-DE-fr, but the project b is de-en" in cat("report", "b").stderr
    with pytest.raises(DataError, match=r"de-fr' translates de-DE-fr, the project is de-en\.$"):
        cat("pretranslate", "b", "-m", str(tmp_path / "de-fr"))
    assert "a" not in [row["name"] for row in json.loads(cat("list", "--json").stdout)["rows"]]


def test_an_old_learning_copy_is_told_wherever_its_project_is_opened(
    serve: Callable[[], tuple[str, ...]], tmp_path: Path
) -> None:
    cat("new", "letters", "letter.txt", "-l", "de-en", "--engine", f"de-en={tmp_path / 'de-en'}")
    assert serve() == ()
    store = Store(tmp_path / "dragoman.db")
    with store.read() as connection:
        project = find_project(connection, 1)
    store.close()
    copy = tmp_path / "copies" / f"{project.id}.de-en"
    copy.mkdir(parents=True)
    (copy / "manifest.json").write_text("{}")
    assert cat("report", "letters").stderr == ""
    (tmp_path / "de-en" / "manifest.json").write_text('{"trained": "again"}')
    (told,) = serve()
    assert told.startswith("the project letters translates with a learning copy of an earlier engine de-en; ")
    assert told.endswith("or with POST /api/v1/cat/projects/1/engine/renew.")
    for words in (("report", "letters"), ("log", "letters"), ("export", "letters", "-o", "out")):
        assert cat(*words).stderr == f"dragoman: warning: {told}\n"


def test_every_engine_is_loaded_once_to_be_examined(serve: Callable[[], tuple[str, ...]], tmp_path: Path) -> None:
    found = Engines([f"de-en={tmp_path / 'de-en'}"]).examined()
    assert found == {"de-en": (("de", "en"), None)}
