"""Factored engines: the notation, words with factors, a language model of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import InProcess
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.constraints import Constraints, Term
from dragoman.smt.factor_setup import FactoredSetup
from dragoman.smt.factors import SEPARATOR, FactorSection, FactorWords, compose, usual_values
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.text.conllu import Sentence, write_conllu
from dragoman.text.positional_tags import lemma_or_form, mot1, mot2

PLAIN = ["tune.method=none", "classes.number=0", "features=", "align.method=diagonal", "lm.order=3"]
STEMS = "factors.target=L=snowball:lang=de"


@pytest.fixture(scope="module")
def small(book: dict[str, list[str]]) -> Bitext:
    return Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de")


def recipe(*settings: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="en", target_lang="de"), [*PLAIN, *settings])


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("tF-F", "direct"),
        ("tF-FaLaT", "direct"),
        ("tFaT-FaT", "direct"),
        ("tL-L+tT-T+gLaT-F", "single-step"),
        ("tL-L+tT-T+gLaT-F:tF-FaLaT", "single-step"),
        ("tF-F:tL-F", "single-step"),
        ("tF-LaT=tLaT-F:tL-F", "two-step"),
        ("tF-LOF.MOT=tLOF.MOT-F", "two-step"),
        ("tF-LOFaMOT=tLOFaMOT-F:tLOF-F", "two-step"),
        ("tF-L=tL-T=tT-F", "complex"),
    ],
)
def test_w12_cub_setups_are_read_written_and_classed(text: str, kind: str) -> None:
    setup = FactoredSetup.parse(text)
    assert (str(setup), setup.kind) == (text, kind)


@given(st.data())
def test_a_setup_is_read_as_it_is_written(data: st.DataObject) -> None:
    names = st.lists(st.sampled_from(["L", "T", "LOF", "MOT", "LOF.MOT"]), unique=True, max_size=3)
    searches = data.draw(st.integers(1, 3))
    reads, texts = ["F"], []
    for _ in range(searches):
        gives = ["F", *data.draw(names)]
        path = f"t{'a'.join(reads)}-{'a'.join(gives)}"
        texts.append(":".join([path] * data.draw(st.integers(1, 2))))
        reads = gives
    text = "=".join(texts)
    assert str(FactoredSetup.parse(f" {text} ".replace("=", " = "))) == text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty; the plain one is tF-F"),
        ("F-F", "'F-F' is no step of a factored setup"),
        ("tF", "'tF' is no step"),
        ("tF-f", "'tF-f' is no step"),
        ("tF-FaF", "names the factor F twice"),
        ("gF-T", "a path begins with a translation"),
        ("tF-F+gL-T", "reads L, which no step of its path gave"),
        ("tF-L=tT-F", "reads T, which no step of the search before gave"),
        ("tF-L", "gives no forms"),
    ],
)
def test_what_is_no_setup_is_named(text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        FactoredSetup.parse(text)


@pytest.mark.parametrize(
    ("form", "lemma", "tag", "expected"),
    [
        ("lidé", "člověk", "NNMP1-----A---1", ("člověk", "NPA-", "NMP1-A")),
        ("by", "být", "Vc-------------", ("by", "c---", "V-----")),
        ("neočekávali", "očekávat", "VpMP---XR-NA---", ("očekávat", "pPN-", "VMP-RA")),
    ],
)
def test_w12_cub_figure_of_lemmas_and_modified_tags(form: str, lemma: str, tag: str, expected: tuple[str, ...]) -> None:
    assert (lemma_or_form(form, lemma, tag), mot1(tag), mot2(tag)) == expected


def test_other_parts_of_speech_and_wrong_tags() -> None:
    assert mot2("RR--6----------") == "R--6--"
    assert mot2("AAIP4----1A----") == "AIP41A"
    assert mot2("Dg-------1A----") == "D---1A"
    assert lemma_or_form(",", ",", "Z:-------------") == ","
    with pytest.raises(DataError, match="A positional tag has 15 characters, as NNMP1-----A---1; got 'NN'"):
        mot1("NN")


def test_an_engine_with_factors_translates_forms_and_models_both(small: Bitext, tmp_path: Path) -> None:
    asked = recipe("factors.setup=tF-FaL", STEMS)
    done = train_engine(small, asked, work=tmp_path / "work", output=tmp_path / "engine")
    engine = done.engine
    assert all(SEPARATOR in word for word in engine.models.target.words()[10:20])
    assert {"lm", "lm-L"} <= set(engine.weights)
    lines = [source for source, _ in small][:40]
    output = engine.translate(lines)
    assert not any(SEPARATOR in line for line in output)
    assert Engine.load(tmp_path / "engine").translate(lines) == output
    assert SEPARATOR not in engine.graph(engine.source.prepare(lines[:1])[0]).n_best(1)[0].text
    # The stem model counts: without it, scores differ.
    tokens = engine.source.prepare(lines)
    without = engine.with_weights({**engine.weights, "lm-L": 0.0})
    assert without.decode(tokens).scores.tolist() != engine.decode(tokens).scores.tolist()


def test_terms_are_known_by_their_forms_and_whole_targets_refused(small: Bitext, tmp_path: Path) -> None:
    engine = train_engine(small, recipe("factors.setup=tF-FaL", STEMS), work=tmp_path).engine
    tokens = engine.source.prepare(["I have a room."])
    term = Constraints(terms=(Term(2, 4, "ein Zimmer"),))
    assert "ein Zimmer" in engine.decode(tokens, constraints=[term]).best()[0]
    with pytest.raises(DataError, match="is not told a translation's words"):
        engine.decode(tokens, constraints=[Constraints(target="Ich habe ein Zimmer .")])


def test_a_form_factor_alone_changes_nothing(small: Bitext, tmp_path: Path) -> None:
    # Every word carries the same factor: the phrases are those of the plain engine.
    constant = ["factors.setup=tF-FaX", "factors.target=X=hunspell:dictionary=" + str(_empty_dictionary(tmp_path))]
    lines = [source for source, _ in small]
    plain = train_engine(small, recipe(), work=tmp_path / "work").engine
    factored = train_engine(small, recipe(*constant, "factors.modelled=none"), work=tmp_path / "work").engine
    assert factored.translate(lines) == plain.translate(lines)


def _empty_dictionary(folder: Path) -> Path:
    (folder / "none.aff").write_text("SET UTF-8\n")
    (folder / "none.dic").write_text("0\n")
    return folder / "none"


def test_source_factors_fall_back_to_those_of_the_form(small: Bitext, tmp_path: Path) -> None:
    asked = recipe("factors.setup=tFaL-FaL", STEMS, "factors.source=L=snowball:lang=en")
    engine = train_engine(small, asked, work=tmp_path).engine
    lines = [source for source, _ in small][:20]
    assert not any(SEPARATOR in line for line in engine.translate([*lines, "", "zebra xyzzy"]))
    assert engine.translate(["xyzzy"]) == ["Xyzzy"]


def test_generated_factors_are_those_that_words_have_most_often(small: Bitext, tmp_path: Path) -> None:
    engine = train_engine(small, recipe("factors.setup=tF-F+gF-L", STEMS), work=tmp_path).engine
    assert "lm-L" in engine.weights
    assert not any(SEPARATOR in word for word in engine.models.target.words())
    assert usual_values(["a b a", "a"], [["X", "Y", "X"], ["Y"]]) == {"a": "X", "b": "Y"}


def test_parts_of_a_training_leave_the_same_engine(small: Bitext, tmp_path: Path) -> None:
    asked = recipe("factors.setup=tF-FaL", STEMS)
    one = train_engine(small, asked, work=tmp_path / "one", output=tmp_path / "a")
    two = train_engine(small, asked, work=tmp_path / "two", output=tmp_path / "b", pool=InProcess(), part=60)
    assert one.engine.weights == two.engine.weights
    assert (tmp_path / "a/phrases/phrases.bin").read_bytes() == (tmp_path / "b/phrases/phrases.bin").read_bytes()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["factors.setup=tF-FaT"], r'The factor T of the target has no maker: target = \["T=parser:FOLDER"\]'),
        (["factors.setup=tF-F:tL-F"], "The factor L of the source has no maker"),
        (["factors.setup=tF-F:tF-FaL", STEMS, "prune.method=prune"], "there are no prune.method"),
        (["factors.setup=tF-F:tF-FaL", STEMS, "text.numbers=yes"], "there are no prune.method, text.numbers"),
        (["factors.setup=tF-LaT=tLaT-F:tL-F"], "The factor L of the target has no maker"),
        (["factors.setup=tF-F:tF-FaL", STEMS, "factors.search=2"], "has 1 searches, not 2"),
        (["factors.setup=tF-FaL", "factors.target=T=snowball:lang=de"], "The factor L of the target has no maker"),
        (
            ["factors.setup=tF-FaL", "factors.target=L=snowball:de+T=snowball:de"],
            "has no factor T of the target; known: F",
        ),
        (["factors.setup=tF-FaL", STEMS, "factors.modelled=T"], "no factor T to model; known: L"),
        (["factors.setup=tF-FaL", "factors.target=snowball"], "'snowball' names no maker of a factor"),
        (["factors.setup=tF-FaL", STEMS, "index.use=only"], "phrases in a table"),
        (["factors.setup=tF-FaL", STEMS, "compounds.side=target"], "of whole words"),
        (["factors.setup=tF-FaL", STEMS, "text.endings=3"], "no text.endings"),
    ],
)
def test_what_an_engine_cannot_do_is_named(settings: list[str], message: str) -> None:
    with pytest.raises(DataError, match=message):
        recipe(*settings)


def test_tags_of_tokens_of_two_words_are_made_simpler_one_by_one(tmp_path: Path) -> None:
    tags = ["J,-------------+Vc-------------", "NNMP1-----A---1"]
    write_conllu(tmp_path / "tags.conllu", [Sentence.of(["aby", "lidé"], xpos=tags)])
    maker = f"T=conllu:{tmp_path / 'tags.conllu'},give=xpos"
    section = FactorSection(setup="tF-FaT", target=(maker,), tags="mot2")
    assert section.values("target", ["aby lidé"], ["F", "T"]) == [[["J-----+V-----", "NMP1-A"]]]
    with pytest.raises(DataError, match="sentence 1 has 2 tokens, but line 1 of the text has 1"):
        section.values("target", ["aby"], ["F", "T"])  # tags beside the wrong tokens


def test_words_carry_what_columns_say() -> None:
    assert compose(["a b", ""], [[["X", "Y"], []]]) == [f"a{SEPARATOR}X b{SEPARATOR}Y", ""]
    with pytest.raises(ValueError, match="zip"):
        compose(["a b"], [[["X"]]])
    words = FactorWords(("F", "T"))
    assert words.value(f"a{SEPARATOR}b{SEPARATOR}T", "F") == f"a{SEPARATOR}b"
    assert (words.value("new", "T"), words.form("new")) == ("<unk>", "new")
    values = FactorSection(setup="tF-FaL", target=("L=snowball:lang=de",)).values("target", ["<s> Häuser"], ["F", "L"])
    assert values == [[["(s)", "haus"]]]
