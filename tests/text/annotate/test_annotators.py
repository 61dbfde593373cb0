"""What single annotators give, and what they say when something is missing or wrong."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import ClassVar

import pytest

from dragoman.errors import DataError, FormatError, NotAvailable, UnknownName
from dragoman.text.annotate import ANNOTATORS, Annotator, check_needs, pipelines
from dragoman.text.annotate.function_words import FUNCTION_WORD_LANGUAGES, FunctionWords, function_words
from dragoman.text.annotate.hanta import HantaTagger
from dragoman.text.annotate.lemmas import SimplemmaLemmas
from dragoman.text.annotate.pipelines import SpacyAnnotator, StanzaAnnotator, UdpipeAnnotator
from dragoman.text.annotate.stems import SnowballStems
from dragoman.text.annotate.synonyms import WordNetSynonyms
from dragoman.text.annotate.treebank import ConlluAnnotator
from dragoman.text.conllu import read_conllu
from dragoman.text.languages import LANGUAGE_NAMES
from tests.text.annotate.stubs import spacy_modules, stanza_modules, udpipe_modules
from tests.text.wordnet_files import write_wordnet


def test_stems() -> None:
    assert SnowballStems().annotate([["Houses", "housing", "."]]) == [["hous", "hous", "."]]
    assert SnowballStems(lang="de-AT").annotate([["Häuser", "GROẞEN"]]) == [["haus", "gross"]]
    assert SnowballStems(algorithm="porter").annotate([["fairly"]]) == [["fairli"]]
    assert SnowballStems(lang="de").signature() == "snowball+lang=de"
    with pytest.raises(UnknownName, match=r"Snowball has no stemmer for 'zh'\. It has: ar, ca, cs"):
        SnowballStems(lang="zh")
    with pytest.raises(UnknownName, match=r"Snowball has no algorithm 'klingon'\. It has: .*porter"):
        SnowballStems(algorithm="klingon").annotate([["a"]])


def test_an_old_snowball_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import snowballstemmer

    monkeypatch.setattr(snowballstemmer, "algorithms", lambda: ["english"])
    with pytest.raises(NotAvailable, match=r"The czech stemmer needs a newer snowballstemmer.*pip install --upgrade"):
        SnowballStems(lang="cs").annotate([["psů"]])


def test_every_stemmer_is_there() -> None:
    for lang in (
        "ar",
        "cs",
        "el",
        "es",
        "fi",
        "fr",
        "hi",
        "hu",
        "it",
        "nb",
        "nl",
        "no",
        "pl",
        "pt",
        "ru",
        "sv",
        "ta",
        "tr",
    ):
        assert lang in LANGUAGE_NAMES
        assert len(SnowballStems(lang=lang).annotate([["a", "b"]])[0]) == 2


def test_a_corpus_costs_one_call_per_distinct_word(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    @dataclass(frozen=True)
    class Counting(SnowballStems):
        def _annotate_types(self, words: object) -> list[str]:
            asked.extend(words)  # type: ignore[arg-type]
            return super()._annotate_types(list(words))  # type: ignore[call-overload]

    counting = Counting()
    text = [["cat", "cats", "cat"]] * 100
    assert counting.annotate(text) == [["cat", "cat", "cat"]] * 100
    counting.annotate([["cats", "dogs"]])
    assert asked == ["cat", "cats", "dogs"]
    monkeypatch.setattr("dragoman.text.annotate.base._MOST_KNOWN", 2)
    counting.annotate([["cats"]])
    assert asked == ["cat", "cats", "dogs", "cats"]


def test_lemmas() -> None:
    assert SimplemmaLemmas().annotate([["Were", "houses", "Xyzzys"]]) == [["be", "house", "Xyzzys"]]
    with pytest.raises(UnknownName, match=r"simplemma has no dictionary for 'zh'\. It has: ar, ast"):
        SimplemmaLemmas(lang="zh")


def test_parts_of_speech() -> None:
    english = [["The", "old", "dog", "barked", "in", "London", "…"]]
    assert HantaTagger().annotate(english) == [["DET", "ADJ", "NOUN", "VERB", "ADP", "PROPN", "PUNCT"]]
    assert HantaTagger(give="xpos").annotate(english)[0][:3] == ["AT0", "AJ0", "NN1"]
    assert HantaTagger(give="lemma").annotate(english)[0][3] == "bark"
    german = HantaTagger(lang="de").annotate([["Die", "Häuser", "sind", "alt", "."]])
    assert german == [["DET", "NOUN", "AUX", "ADJ", "PUNCT"]]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:  # 800 MB, given back when the process ends
        dutch = pool.submit(HantaTagger(lang="nl").annotate, [["De", "kat", "zit", "op", "de", "mat", "."]]).result()
    assert dutch == [["DET", "NOUN", "VERB", "ADP", "DET", "NOUN", "PUNCT"]]
    with pytest.raises(UnknownName, match=r"HanTa has no model for 'fr'\. It has: de, en, nl"):
        HantaTagger(lang="fr")


def test_the_tagger_survives_long_words() -> None:
    word = "a" * 100_000
    assert HantaTagger(give="lemma").annotate([[word, "dogs"]]) == [[word, "dog"]]


@pytest.mark.realdata
@pytest.mark.parametrize(("lang", "name", "least"), [("en", "en_partut-ud-test", 0.91), ("de", "de_gsd-ud-dev", 0.92)])
def test_universal_tags_against_treebanks(lang: str, name: str, least: float, data_folder: Path) -> None:
    sentences = read_conllu(data_folder / "ud" / f"{name}.conllu.gz")[:150]
    tags = HantaTagger(lang=lang).annotate([[word.form for word in sentence.words] for sentence in sentences])
    pairs = [
        (word.upos, tag)
        for s, line in zip(sentences, tags, strict=True)
        for word, tag in zip(s.words, line, strict=True)
    ]
    assert sum(gold == found for gold, found in pairs) / len(pairs) >= least


def test_function_words() -> None:
    assert FunctionWords().annotate([["The", "dog", "ISN’T", "on", "it"]]) == [[True, False, True, True, True]]
    assert FunctionWords(lang="fr").annotate([["L’", "homme", "d&apos;", "un"]]) == [[True, False, True, True]]
    with pytest.raises(UnknownName, match=r"no list of function words for 'zh'\. Known: cs, de, en"):
        FunctionWords(lang="zh")
    with pytest.raises(UnknownName, match="no list of function words for 'ja'"):
        function_words("ja")


@pytest.mark.parametrize("lang", FUNCTION_WORD_LANGUAGES)
def test_lists_of_function_words_are_sound(lang: str) -> None:
    words = function_words(lang)
    assert 250 < len(words) < 800
    assert all(word == word.lower() and "’" not in word for word in words)


def test_every_list_is_offered() -> None:
    from importlib.resources import files

    found = sorted(path.name.removesuffix(".txt") for path in (files("dragoman.text") / "function_words").iterdir())
    assert tuple(found) == FUNCTION_WORD_LANGUAGES


@pytest.mark.realdata
@pytest.mark.parametrize(
    ("lang", "name"),
    [
        ("cs", "cs_cltt-ud-dev"),
        ("de", "de_gsd-ud-dev"),
        ("en", "en_lines-ud-dev"),
        ("es", "es_pud-ud-test"),
        ("fr", "fr_sequoia-ud-dev"),
    ],
)
def test_function_words_against_treebanks(lang: str, name: str, data_folder: Path) -> None:
    """At least 98 % of the closed classes are listed, and at most 6 % of the open ones (*have* as a full verb)."""
    sentences = read_conllu(data_folder / "ud" / f"{name}.conllu.gz")
    listed = FunctionWords(lang=lang).annotate([[word.form for word in s.words] for s in sentences])
    found: dict[bool, list[bool]] = {True: [], False: []}
    for sentence, line in zip(sentences, listed, strict=True):
        for word, is_listed in zip(sentence.words, line, strict=True):
            if word.upos in {"ADP", "AUX", "CCONJ", "DET", "PART", "PRON", "SCONJ"}:
                found[True].append(is_listed)
            elif word.upos in {"ADJ", "NOUN", "PROPN", "VERB"}:
                found[False].append(is_listed)
    assert sum(found[True]) / len(found[True]) >= 0.98
    assert sum(found[False]) / len(found[False]) <= 0.06


def test_synonyms(tmp_path: Path) -> None:
    place = str(write_wordnet(tmp_path / "dict"))
    words = [["Cars", "the", "bought"]]
    assert WordNetSynonyms(place=place).annotate(words) == [[("auto", "motor car", "railcar"), (), ("purchase",)]]
    ids = WordNetSynonyms(place=place, give="synsets").annotate([["car", "auto", "mouse"]])[0]
    assert set(ids[0]) & set(ids[1])
    assert not set(ids[0]) & set(ids[2])
    with pytest.raises(DataError, match="nowhere holds no WordNet database"):
        WordNetSynonyms(place=str(tmp_path / "nowhere")).annotate(words)


CONLLU = """\
# text = Il va au bois.
1\tIl\til\tPRON\t_\t_\t2\tnsubj\t_\t_
2\tva\taller\tVERB\t_\t_\t0\troot\t_\t_
3-4\tau\t_\t_\t_\t_\t_\t_\t_\t_
3\tà\tà\tADP\t_\t_\t5\tcase\t_\t_
4\tle\tle\tDET\t_\tDefinite=Def\t5\tdet\t_\t_
5\tbois\tbois\tNOUN\t_\t_\t2\tobl\t_\t_

1\t_\t_\tSYM\t_\t_\t0\troot\t_\t_

"""


@pytest.fixture
def treebank(tmp_path: Path) -> Path:
    path = tmp_path / "x.conllu"
    path.write_text(CONLLU, encoding="utf-8")
    return path


def test_a_file_is_matched_by_order(treebank: Path) -> None:
    tokens = [["Il", "va", "au", "bois"], ["_"]]
    assert ConlluAnnotator(treebank).annotate(tokens) == [["PRON", "VERB", "ADP+DET", "NOUN"], ["SYM"]]
    assert ConlluAnnotator(treebank, give="lemma").annotate(tokens) == [["il", "aller", "à+le", "bois"], ["_"]]
    assert ConlluAnnotator(treebank, give="feats").annotate(tokens)[0][2] == "_+Definite=Def"
    words = [["Il", "va", "à", "le", "bois"], ["_"]]
    assert ConlluAnnotator(treebank, unit="word").annotate(words)[0][2:4] == ["ADP", "DET"]


@pytest.mark.parametrize(
    ("tokens", "give", "message"),
    [
        (
            [["Il", "va", "au", "bois"]],
            "pos",
            r"x\.conllu:9: the file goes on with sentence 2, but the text has 1 lines",
        ),
        (
            [["Il", "va", "au", "bois"], ["_"], ["a"]],
            "pos",
            r":9: the file ends after 2 sentences, .* text has 3 lines",
        ),
        ([["Il", "va"], ["_"]], "pos", r":2: sentence 1 has 4 tokens, but line 1 of the text has 2"),
        ([["Il", "va", "au", "lit"], ["_"]], "pos", r":7: sentence 1 has 'bois' where line 1 of the text has 'lit'"),
        ([["Il", "va", "au", "bois"], ["_"]], "xpos", r":2: 'Il' has no xpos"),
    ],
)
def test_a_file_that_does_not_fit_is_named(tokens: list[list[str]], give: str, message: str, treebank: Path) -> None:
    with pytest.raises(FormatError, match=message):
        ConlluAnnotator(treebank, give=give).annotate(tokens)


def test_annotators_are_made_from_a_specification(treebank: Path) -> None:
    assert ANNOTATORS.make("hanta:lang=de,give=lemma") == HantaTagger(lang="de", give="lemma")
    assert ANNOTATORS.make("simplemma:greedy=yes") == SimplemmaLemmas(greedy=True)
    assert ANNOTATORS.make(f"conllu:path={treebank},unit=word") == ConlluAnnotator(str(treebank), unit="word")
    with pytest.raises(DataError, match="The annotator conllu needs a file: conllu:path=FILE"):
        ANNOTATORS.make("conllu")
    with pytest.raises(DataError, match="The annotator udpipe needs a model file: udpipe:model=FILE"):
        ANNOTATORS.make("udpipe:give=pos")


def test_a_missing_file_is_a_need(tmp_path: Path) -> None:
    with pytest.raises(NotAvailable, match=r"conllu \(pos\) needs the file .*gone\.conllu"):
        ConlluAnnotator(tmp_path / "gone.conllu").annotate([["a"]])


@pytest.fixture
def fresh_models() -> None:
    for cached in (pipelines._spacy_model, pipelines._stanza_pipeline, pipelines._udpipe_model):
        cached.cache_clear()


@pytest.mark.usefixtures("fresh_models")
def test_models_the_user_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, module in (spacy_modules(("xx_sm",)) | stanza_modules() | udpipe_modules()).items():
        monkeypatch.setitem(sys.modules, name, module)
    monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path))
    (tmp_path / "de").mkdir()
    (tmp_path / "x.udpipe").write_text("model")
    text = [["Haus", "."], [], ["refuse"]]
    for annotator in (SpacyAnnotator("xx_sm"), StanzaAnnotator("de-AT"), UdpipeAnnotator(tmp_path / "x.udpipe")):
        assert annotator.annotate(text[:2]) == [["NOUN", "PUNCT"], []]
    assert SpacyAnnotator("xx_sm", "xpos").annotate(text[:1]) == [["NN", "NN"]]
    assert StanzaAnnotator("de", "lemma").annotate(text[:2]) == [["haus", "."], []]
    assert StanzaAnnotator("de", "xpos").annotate(text[:1]) == [["_", "_"]]
    with pytest.raises(DataError, match=r"The UDPipe model .*x\.udpipe could not tag: no\."):
        UdpipeAnnotator(tmp_path / "x.udpipe").annotate(text)
    (tmp_path / "y.udpipe").write_text("noise")
    with pytest.raises(DataError, match=r"y\.udpipe is no UDPipe model, or a damaged one"):
        UdpipeAnnotator(tmp_path / "y.udpipe").annotate(text)
    with pytest.raises(
        NotAvailable, match=r"needs the spaCy model en_core_web_sm\. .*python -m spacy download en_core"
    ):
        SpacyAnnotator().annotate(text)
    with pytest.raises(NotAvailable, match=r"needs Stanza's models for fr\. .*stanza\.download\('fr'\)"):
        StanzaAnnotator("fr").annotate(text)
    with pytest.raises(NotAvailable, match=r"needs the UDPipe model .*z\.udpipe\. .*lindat"):
        UdpipeAnnotator(tmp_path / "z.udpipe").annotate(text)


@pytest.mark.parametrize(
    ("name", "package"), [("spacy", "spacy"), ("stanza", "stanza"), ("udpipe", "ufal.udpipe"), ("hanta", "HanTa")]
)
def test_missing_packages_are_named(name: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    options = {"model": "x"} if name == "udpipe" else {}
    with pytest.raises(
        NotAvailable, match=rf"{name} \(pos\) needs the package {package}\. Install it with: pip install"
    ):
        ANNOTATORS.get(name)(**options).annotate([["a"]])


def test_all_that_is_missing_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "simplemma", None)
    monkeypatch.setitem(sys.modules, "HanTa", None)
    wanted: list[Annotator[str]] = [SnowballStems(), SimplemmaLemmas(), HantaTagger(), HantaTagger(lang="de")]
    with pytest.raises(NotAvailable) as caught:
        check_needs(wanted)
    assert str(caught.value).splitlines() == [
        "2 things are missing:",
        '  simplemma (lemma) needs the package simplemma. Install it with: pip install "dragoman[lemmas]"',
        '  hanta (pos) needs the package HanTa. Install it with: pip install "dragoman[pos]"',
    ]


def test_a_tagger_that_recuts_the_text_is_caught() -> None:
    @dataclass(frozen=True)
    class Recutting(Annotator[str]):
        name: ClassVar[str] = "recutting"
        layers: ClassVar[tuple[str, ...]] = ("pos",)

        def _annotate(self, token_lines: object) -> list[list[str]]:
            return [["X", "X"]]

    with pytest.raises(DataError, match="Line 1 has 1 tokens, but recutting gave 2 values for it"):
        Recutting().annotate([["don't"]])
