"""WordNet's database files: a tiny hand-written one everywhere, the real one where it is installed."""

from __future__ import annotations

import shutil
import sys
import types
import zipfile
from pathlib import Path

import pytest

from dragoman.errors import DataError, FormatError, NotAvailable, UnknownName
from dragoman.text import wordnet
from dragoman.text.wordnet import Synset, WnLexicon, WordNet, find_wordnet, open_synonyms, wordnet_places
from tests.text.wordnet_files import write_wordnet


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_wordnet(tmp_path / "dict")


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without any WordNet."""
    for name in ("WNSEARCHDIR", "WNHOME", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    places = wordnet_places()
    monkeypatch.setattr(wordnet, "wordnet_places", lambda: [tmp_path / str(place).lstrip("/") for place in places])
    monkeypatch.setitem(sys.modules, "wn", None)


def test_words_lead_to_their_sets(folder: Path) -> None:
    tiny = WordNet(folder)
    car, rail = tiny.synsets("Car")
    assert car.words == ("car", "auto", "motor car")
    assert car.gloss == "a motor vehicle"
    assert rail.words == ("car", "railcar")
    assert tiny.synset(car.id) == car
    (symbol, hypernym), *_ = car.pointers
    assert (symbol, tiny.synset(hypernym).words) == ("@", ("vehicle",))
    good = tiny.synsets("good", "a")[0]
    assert good.words == ("good", "fine")
    assert tiny.synset(good.pointers[0][1]).words == ("bad",)
    assert {synset.pos for synset in tiny.synsets("box")} == {"n", "v"}
    assert isinstance(car, Synset)
    assert list(tiny.words("v")) == ["box", "buy", "purchase"]


@pytest.mark.parametrize(
    ("word", "pos", "bases"),
    [
        ("mice", "n", ("mouse",)),
        ("mouses", "n", ("mouse",)),
        ("cars", "n", ("car",)),
        ("boxes", "n", ("box",)),
        ("boxes", "v", ("box",)),
        ("boxing", "v", ("box",)),
        ("purchased", "v", ("purchase",)),
        ("bought", "v", ("buy",)),
        ("better", "a", ("good",)),
        ("finest", "a", ("fine",)),
        ("best", "r", ("well",)),
        ("motor car", "n", ("motor_car",)),
        ("PARIS", "n", ("paris",)),
        ("s", "n", ()),
        ("", "n", ()),
        ("unknown", "n", ()),
        ("漢", "n", ()),
        ("\ud800", "n", ()),
    ],
)
def test_inflected_forms_lead_to_base_forms(word: str, pos: str, bases: tuple[str, ...], folder: Path) -> None:
    assert WordNet(folder).base_forms(word, pos) == bases


def test_synonyms(folder: Path) -> None:
    tiny = WordNet(folder)
    assert tiny.synonyms("cars") == ("auto", "motor car", "railcar")
    assert tiny.synonyms("bought") == ("purchase",)
    assert tiny.synonyms("paris") == ("city of light",)
    assert tiny.synonyms("nonesuch") == ()
    assert set(tiny.synset_ids("car")) & set(tiny.synset_ids("autos"))
    assert not set(tiny.synset_ids("car")) & set(tiny.synset_ids("mouse"))


def test_every_word_is_found_by_bisection(folder: Path) -> None:
    tiny = WordNet(folder)
    for pos in "nvar":
        for word in tiny.words(pos):
            assert word in tiny.base_forms(word, pos)


def test_an_archive_serves_as_well(folder: Path, tmp_path: Path) -> None:
    archive = Path(shutil.make_archive(str(tmp_path / "wordnet"), "zip", folder.parent, "dict"))
    assert WordNet(archive).synonyms("cars") == WordNet(folder).synonyms("cars")


@pytest.mark.parametrize(
    ("variable", "inside"), [("WNSEARCHDIR", "."), ("WNHOME", "dict"), ("NLTK_DATA", "corpora/wordnet")]
)
def test_files_are_found_where_the_environment_says(
    variable: str, inside: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("WNSEARCHDIR", "WNHOME", "NLTK_DATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(wordnet.Path, "home", lambda: tmp_path / "home")
    write_wordnet(tmp_path / "here" / inside)
    monkeypatch.setenv(variable, str(tmp_path / "here"))
    expected = tmp_path / "here" / inside
    assert expected in wordnet_places()
    if not Path("/usr/share/wordnet/index.noun").is_file() or variable != "NLTK_DATA":
        assert find_wordnet() == expected


def test_nltk_keeps_its_data_zipped(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nltk" / "corpora").mkdir(parents=True)
    made = shutil.make_archive(str(tmp_path / "nltk" / "corpora" / "wordnet"), "zip", folder.parent, "dict")
    monkeypatch.setattr(wordnet, "wordnet_places", lambda: [tmp_path / "no", Path(made)])
    assert find_wordnet() == Path(made)
    assert open_synonyms().synonyms("cars") == ("auto", "motor car", "railcar")


@pytest.mark.usefixtures("nowhere")
def test_what_is_missing_is_named_with_the_install_line() -> None:
    assert find_wordnet() is None
    with pytest.raises(NotAvailable, match=r"apt install wordnet-base .*nltk\.downloader wordnet.* Looked in .*WNHOME"):
        open_synonyms()
    with pytest.raises(NotAvailable, match=r"This needs the package wn\. Install it with: pip install wn"):
        open_synonyms(lang="es")


class FakeSynset:
    def __init__(self, name: str, words: list[str]) -> None:
        self.id = name
        self.words = words

    def lemmas(self) -> list[str]:
        return self.words


def fake_wn(database: Path, languages: tuple[str, ...]) -> types.ModuleType:
    module = types.ModuleType("wn")
    sets = {"coche": [FakeSynset("omw-1", ["coche", "auto"])], "cars": [FakeSynset("oewn-1", ["car", "Auto"])]}

    class Wordnet:
        def __init__(self, *, lang: str, lemmatizer: object) -> None:
            assert (lemmatizer is not None) == (lang == "en")

        def synsets(self, word: str) -> list[FakeSynset]:
            return sets.get(word, [])

    module.config = types.SimpleNamespace(database_path=database)  # type: ignore[attr-defined]
    module.lexicons = lambda lang: ["some"] if lang in languages else []  # type: ignore[attr-defined]
    module.Wordnet = Wordnet  # type: ignore[attr-defined]
    return module


@pytest.mark.usefixtures("nowhere")
def test_a_lexicon_of_wn_serves_where_there_are_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "wn.db"
    morphy = types.ModuleType("wn.morphy")
    morphy.Morphy = lambda: lambda word: {"n": {word.removesuffix("s")}}  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "wn", fake_wn(database, ("en", "es")))
    monkeypatch.setitem(sys.modules, "wn.morphy", morphy)
    with pytest.raises(NotAvailable, match=r"Install it with: apt install wordnet-base"):
        open_synonyms()
    database.touch()
    assert open_synonyms().synonyms("Cars") == ("auto",)
    spanish = open_synonyms(lang="es-MX")
    assert isinstance(spanish, WnLexicon)
    assert spanish.synset_ids("coche") == ("omw-1",)
    assert spanish.synonyms("coche") == ("auto",)
    with pytest.raises(
        NotAvailable, match=r"no lexicon for 'fr'\. Install one with: python -m wn download omw-fr:1\.4"
    ):
        open_synonyms(lang="fr")


def test_wrong_places_and_damaged_files_are_named(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"empty holds no WordNet database: index\.noun, data\.noun, noun\.exc"):
        WordNet(tmp_path / "empty")
    with pytest.raises(UnknownName, match=r"No part of speech of WordNet's is called 'x'\. Known: n, v, a, r"):
        WordNet(folder).synsets("car", "x")
    with pytest.raises(DataError, match="'car' is no id of a synset; expected eight digits"):
        WordNet(folder).synset("car")
    with pytest.raises(
        FormatError, match=r"data\.noun: no synset at byte 12345: index and data are not of one version"
    ):
        WordNet(folder).synset("00012345-n")
    index = folder / "index.noun"
    index.write_text(index.read_text().replace("mouse n 1 1", "mouse n 1 x"))
    with pytest.raises(FormatError, match=r"index\.noun: the entry of 'mouse' is damaged"):
        WordNet(folder).synsets("mouse")
    data = folder / "data.verb"
    data.write_text(data.read_text().replace("v 02 buy", "v zz buy"))
    with pytest.raises(FormatError, match=r"data\.verb: the synset at byte \d+ is damaged"):
        WordNet(folder).synsets("buy")
    not_zip = tmp_path / "x.zip"
    with zipfile.ZipFile(not_zip, "w") as archive:
        archive.writestr("readme", "x")
    with pytest.raises(DataError, match=r"x\.zip holds no WordNet database"):
        WordNet(not_zip)


@pytest.mark.skipif(find_wordnet() is None, reason="no WordNet here: apt install wordnet-base")
def test_the_real_database() -> None:
    real = WordNet(find_wordnet() or "")
    # WordNet 3.0's statistics, wnstats(7WN): 155,287 unique strings; 3.1 has a few more.
    assert sum(1 for pos in "nvar" for _ in real.words(pos)) >= 155_287
    assert "automobile" in real.synonyms("cars")
    assert "purchase" in real.synonyms("bought")
    assert real.base_forms("mice", "n") == ("mouse",)
    assert "domestic dog" in {word for synset in real.synsets("dogs", "n") for word in synset.words}
    assert all(word in real.base_forms(word, "a") for word in list(real.words("a"))[::500])
