"""Every annotator of the registry keeps the contract of annotators."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from dragoman.syntax import Name, NamedSentence, NameRecipe, ParserRecipe
from dragoman.testing.annotators import ANNOTATOR, TEXT, AnnotatorCase
from dragoman.text.annotate import ANNOTATORS, pipelines
from dragoman.text.conllu import Sentence, write_conllu
from tests.syntax.toy import toy_treebank
from tests.text.annotate.stubs import spacy_modules, stanza_modules, udpipe_modules
from tests.text.hunspell_files import write_dictionary
from tests.text.wordnet_files import write_wordnet

FULL = [tokens or ["-"] for tokens in TEXT]


@pytest.fixture(params=ANNOTATORS.names())
def case(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AnnotatorCase:
    """Each annotator with what it needs, or with a stand-in for it."""
    options: dict[str, Any] = {}
    if request.param == "conllu":
        write_conllu(tmp_path / "text.conllu", [Sentence.of(tokens, upos=["X"] * len(tokens)) for tokens in FULL])
        options["path"] = tmp_path / "text.conllu"
    elif request.param == "parser":
        ParserRecipe(lemmas=True, epochs=2, tag_epochs=2, folds=2).train(toy_treebank(20)).save(tmp_path / "parser")
        options["model"] = str(tmp_path / "parser")
    elif request.param == "names":
        sentences = [NamedSentence(("the", "Cat"), (Name(1, 2, "PER"),))]
        NameRecipe(epochs=2).train(sentences).save(tmp_path / "names")
        options["model"] = str(tmp_path / "names")
    elif request.param == "frames":
        rows = ["\n".join(f"{token} -" for token in tokens) for tokens in TEXT if tokens]
        (tmp_path / "frames.txt").write_text("\n\n".join(rows) + "\n", encoding="utf-8")
        options["path"] = str(tmp_path / "frames.txt")
    elif request.param == "hunspell":
        options["dictionary"] = str(write_dictionary(tmp_path, "", "old\ncars\n"))
    elif request.param == "thesaurus":
        (tmp_path / "classes.txt").write_text("A01= old ancient\nB02# cars autos old\n", encoding="utf-8")
        options["file"] = str(tmp_path / "classes.txt")
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
    # A CoNLL-U file has no sentence without words, and fits one text only; this one has parts of speech alone.
    return AnnotatorCase(made, FULL, ("pos",)) if request.param == "conllu" else AnnotatorCase(made)


def test_it_keeps_the_contract(case: AnnotatorCase) -> None:
    ANNOTATOR.check(case, case.annotator.name)
