"""What every annotator keeps to; the table is read from the registry, so a new one is tested by being there."""

from __future__ import annotations

import json
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from dragoman.errors import DataError, NotAvailable, UnknownName
from dragoman.syntax import Name, NamedSentence, NameRecipe, ParserRecipe
from dragoman.text.annotate import ANNOTATORS, Annotator, Need, check_needs, pipelines
from dragoman.text.conllu import Sentence, write_conllu
from dragoman.text.layers import _thawed, annotate_once
from tests.syntax.toy import toy_treebank
from tests.text.annotate.stubs import spacy_modules, stanza_modules, udpipe_modules
from tests.text.hunspell_files import write_dictionary
from tests.text.wordnet_files import write_wordnet

TEXT = [["The", "old", "cars", "were", "bought", "."], [], ["Cars", "."], ["x\x00y", "漢字", "“", "1990"]]


@pytest.fixture(params=ANNOTATORS.names())
def annotator(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Annotator[Any]:
    """Each annotator with what it needs, or with a stand-in for it."""
    options: dict[str, Any] = {}
    if request.param == "conllu":
        full = [Sentence.of(tokens or ["-"], upos=["X"] * max(1, len(tokens))) for tokens in TEXT]
        write_conllu(tmp_path / "text.conllu", full)
        options["path"] = tmp_path / "text.conllu"
    elif request.param == "parser":
        ParserRecipe(epochs=2, tag_epochs=2, folds=2).train(toy_treebank(20)).save(tmp_path / "parser")
        options["model"] = str(tmp_path / "parser")
    elif request.param == "names":
        sentences = [NamedSentence(("the", "Cat"), (Name(1, 2, "PER"),))]
        NameRecipe(epochs=2).train(sentences).save(tmp_path / "names")
        options["model"] = str(tmp_path / "names")
    elif request.param == "hunspell":
        options["dictionary"] = str(write_dictionary(tmp_path, "", "old\ncars\n"))
    elif request.param == "wordnet":
        options["place"] = str(write_wordnet(tmp_path / "dict"))
    elif request.param in {"spacy", "stanza", "udpipe"}:
        modules = spacy_modules(("en_core_web_sm",)) | stanza_modules() | udpipe_modules()
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        (tmp_path / "stanza" / "en").mkdir(parents=True)
        monkeypatch.setenv("STANZA_RESOURCES_DIR", str(tmp_path / "stanza"))
        (tmp_path / "en.udpipe").write_text("model")
        if request.param == "udpipe":
            options["model"] = tmp_path / "en.udpipe"
        for cached in (pipelines._spacy_model, pipelines._stanza_pipeline, pipelines._udpipe_model):
            cached.cache_clear()
    made = ANNOTATORS.get(request.param)(**options)
    assert made.name == request.param
    return made


def text_for(annotator: Annotator[Any]) -> list[list[str]]:
    # A CoNLL-U file has no sentence without words, and fits one text only.
    return [tokens or ["-"] for tokens in TEXT] if annotator.name == "conllu" else TEXT


def test_one_value_per_token(annotator: Annotator[Any]) -> None:
    text = text_for(annotator)
    before = [list(tokens) for tokens in text]
    values = annotator.annotate(text)
    assert [len(line) for line in values] == [len(tokens) for tokens in text]
    assert text == before
    assert annotator.annotate(tuple(map(tuple, text))) == values


def test_every_layer_is_made_once_and_kept_as_it_is(annotator: Annotator[Any]) -> None:
    text = text_for(annotator)
    for layer in annotator.layers:
        maker = replace(annotator, give=layer) if hasattr(annotator, "give") else annotator
        if annotator.name == "conllu" and layer != "pos":
            continue  # the file has parts of speech alone
        assert annotate_once(maker, text) == annotate_once(maker, text) == replace(maker).annotate(text)
        # What is read back from disk equals what was made.
        assert maker.fingerprint() is None or maker.signature() in str(maker.fingerprint())
        values = replace(maker).annotate(text)
        assert [list(map(_thawed, line)) for line in json.loads(json.dumps(values))] == values


def test_lines_do_not_depend_on_each_other(annotator: Annotator[Any]) -> None:
    if annotator.name == "conllu":
        pytest.skip("it belongs to one text")
    whole = annotator.annotate(TEXT)
    assert [annotator.annotate([tokens])[0] for tokens in TEXT] == whole
    assert annotator.annotate([]) == []


def test_its_layer_is_one_of_its_layers(annotator: Annotator[Any]) -> None:
    assert annotator.layer in annotator.layers
    if "give" in {f.name for f in fields(annotator)}:
        for layer in annotator.layers:
            assert replace(annotator, give=layer).layer == layer  # type: ignore[call-arg]
        wrong = replace(annotator, give="colour")  # type: ignore[call-arg]
        with pytest.raises(UnknownName, match=f"{annotator.name} gives no layer 'colour'. Known: "):
            wrong.annotate(text_for(annotator))


def test_it_is_what_its_options_say(annotator: Annotator[Any]) -> None:
    assert annotator.signature().startswith(annotator.name)
    again = replace(annotator)
    annotator.annotate(text_for(annotator))
    assert again == annotator
    assert hash(again) == hash(annotator)
    assert all(f.metadata.get("text") for f in fields(annotator))


def test_bad_tokens_are_named(annotator: Annotator[Any]) -> None:
    with pytest.raises(DataError, match=r"Expected lines of tokens, got one str\. Pass \[line\.split\(\)\]"):
        annotator.annotate("a b")  # type: ignore[arg-type]
    with pytest.raises(DataError, match=r"Line 2 is a str; an annotator takes tokens\. Pass line\.split\(\)"):
        annotator.annotate([["a"], "a b"])  # type: ignore[list-item]
    with pytest.raises(DataError, match="Line 1 has a token that is no str"):
        annotator.annotate([[3]])  # type: ignore[list-item]
    with pytest.raises(DataError, match="Line 1 has an empty token"):
        annotator.annotate([["a", ""]])
    with pytest.raises(DataError, match="Line 1 holds a lone surrogate"):
        annotator.annotate([["\ud800"]])


def test_needs_say_what_and_how(annotator: Annotator[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    for need in annotator.needs():
        assert need.what
        assert need.install
        assert need.available()
    check_needs([annotator])
    lost = Need("a thing", "make thing", lambda: False)
    monkeypatch.setattr(type(annotator), "needs", lambda self: [lost])
    monkeypatch.setattr(type(annotator), "_annotate", lambda self, lines: pytest.fail("it began to work"))
    message = rf"{annotator.name} \({annotator.layer}\) needs a thing\. Install it with: make thing"
    with pytest.raises(NotAvailable, match=message):
        annotator.annotate(text_for(annotator))
