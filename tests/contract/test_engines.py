"""Every engine keeps the promises of its roles, and a role that is missing is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from click.testing import CliRunner

from dragoman.cli.main import group
from dragoman.data.bitext import Bitext
from dragoman.engines import (
    ENGINES,
    ROLES,
    Candidate,
    Completes,
    Learns,
    Request,
    Role,
    Searches,
    Translates,
    Translation,
    base,
    capabilities,
    load_engine,
    need,
)
from dragoman.engines.roles import PLAIN
from dragoman.engines.translation import stream_by_risk, stream_translations, translate
from dragoman.errors import DataError, ModelError, UnknownName
from dragoman.registry import Registry
from dragoman.samples import phrasebook
from dragoman.smt import EngineRecipe
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.testing.engines import ENGINE, EngineCase, check_engine

LINES = ["Where is the station?", "I would like a room with a view of the zorgblatt.", "", "Good morning!"]


@dataclass(frozen=True)
class Echo(Translates):
    """Says every line again, in capitals if asked; all that it can is translate."""

    capitals: bool = False

    @property
    def languages(self) -> tuple[str, str]:
        return "en", "en"

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        return [Translation(line, (Candidate(line.upper() if self.capitals else line),)) for line in lines]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry[Role]:
    """The registry with one engine more."""
    wider: Registry[Role] = Registry("engine", {**ENGINES._own, "echo": f"{__name__}:Echo"})
    monkeypatch.setattr(base, "ENGINES", wider)
    return wider


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, folder = phrasebook(), tmp_path_factory.mktemp("engine")
    bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
    train_engine(bitext, EngineRecipe(), work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture(scope="module")
def hiero(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, folder = phrasebook(), tmp_path_factory.mktemp("hiero")
    bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
    recipe = changed(EngineRecipe(), ["grammar.kind=hiero", "classes.number=0"])
    train_engine(bitext, recipe, work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture(scope="module")
def learner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, folder = phrasebook(), tmp_path_factory.mktemp("learner")
    bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
    recipe = changed(EngineRecipe(), ["index.use=only", "classes.number=0"])
    train_engine(bitext, recipe, work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture(params=["phrase", "hiero", "echo"])
def engine(request: pytest.FixtureRequest, model: Path, hiero: Path) -> Role:
    folders = {"phrase": model, "hiero": hiero}
    return load_engine(str(folders[request.param])) if request.param in folders else Echo()


def test_every_engine_of_the_registry_is_checked_here() -> None:
    # tests/engines: they need a program or a service; tests/neural: what they decode is trained there
    elsewhere = ["apertium", "chat", "ctranslate2", "deepl", "google", "libretranslate", "neural", "transformers"]
    assert ENGINES.names() == sorted([*elsewhere, "phrase", "postedit", "repair", "tuples"])  # tests/postedit …
    assert all(issubclass(ENGINES.get(name), Translates) for name in ENGINES.names())


def test_it_keeps_the_contract(engine: Role) -> None:
    ENGINE.check(EngineCase(engine, LINES), type(engine).__name__)


def test_who_learns_keeps_the_contract(learner: Path) -> None:
    engine = load_engine(str(learner))
    assert capabilities(engine) == tuple(ROLES)
    check_engine(engine, LINES, ("The zorgblatt is here.", "Das Zorgelblatt ist hier."))


def test_an_engine_that_cannot_learn_says_how_to_train_one_that_can(model: Path, learner: Path) -> None:
    table, index = load_engine(str(model)), load_engine(str(learner))
    assert capabilities(table) == ("translates", "completes", "explains", "searches")
    assert capabilities(index) == tuple(ROLES)
    with pytest.raises(DataError, match=r"cannot learn: its phrases are in a table. Train .* index.use=only"):
        need(table, Learns)


def test_capabilities_are_the_roles_of_an_engine() -> None:
    assert capabilities(Echo()) == ("translates",)
    assert capabilities(object()) == ()


def test_a_missing_role_is_named_with_what_can_fill_it(registry: Registry[Role]) -> None:
    message = r"engine echo lacks the role 'searches'; it has: translates. Engines that can have it: phrase\."
    with pytest.raises(DataError, match=message):
        need(Echo(), Searches)
    with pytest.raises(DataError, match="engine object lacks the role 'completes'; it has: none"):
        need(object(), Completes)
    assert need(Echo(), Translates).translate(["a"]) == ["a"]
    assert "echo" in registry


def test_details_that_an_engine_does_not_tell_are_named() -> None:
    asked = Request(2, alignment=True, confidence=True, features=True)
    message = r"does not tell n-best, alignment, confidence, features; it tells: translations alone\."
    with pytest.raises(DataError, match=message):
        list(stream_translations(Echo(), LINES, asked))
    with pytest.raises(DataError, match="does not tell n-best"):
        list(stream_by_risk(Echo(), LINES))
    with pytest.raises(DataError, match="got n_best=0"):
        Request(0)
    rows = translate(Echo(), LINES).tables()[0].records()
    assert [row["translation"] for row in rows] == LINES
    assert {(row["score"], row["alignment"]) for row in rows} == {(None, None)}


@pytest.mark.usefixtures("registry")
def test_engines_are_opened_by_folder_or_specification(model: Path, tmp_path: Path) -> None:
    assert load_engine("echo:capitals=yes") == Echo(capitals=True)
    assert need(load_engine(f"phrase:{model}"), Translates).languages == ("en", "de")
    with pytest.raises(UnknownName, match=r"No engine is called 'ekho'. Did you mean 'echo'"):
        load_engine("ekho:x=1")
    with pytest.raises(DataError, match=r"The engine 'echo' has no option 'loud'. Known: capitals"):
        load_engine("echo:loud=yes")
    with pytest.raises(ModelError, match=r"There is no model folder nowhere. .* with a name of: .*echo, .*phrase"):
        load_engine("nowhere")
    with pytest.raises(ModelError, match=r"is a language model, which does not translate. .* a translation engine"):
        load_engine(str(model / "lm"))
    with pytest.raises(ModelError, match="has no manifest"):
        load_engine(str(tmp_path))


@pytest.mark.usefixtures("registry")
def test_the_command_line_knows_roles_alone(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("one\ntwo\n")

    def run(*more: str) -> tuple[int, str]:
        done = CliRunner().invoke(group, ["translate", str(text), "-m", "echo:capitals=yes", *more])
        return done.exit_code, done.output or str(done.exception)

    assert run() == (0, "ONE\nTWO\n")
    assert "ONE" in run("--json")[1]
    for option, missing in (
        (("--alignment",), "does not tell alignment"),
        (("--nbest", "3"), "does not tell n-best"),
        (("--trace", str(tmp_path / "trace")), "lacks the role 'searches'"),
        (("--graph", str(tmp_path / "graphs")), "lacks the role 'searches'"),
        (("--pop-limit", "5"), "lacks the role 'searches'"),
    ):
        code, told = run(*option)
        assert code == 1
        assert missing in told
