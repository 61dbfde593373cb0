"""Stand-ins for spaCy, Stanza and UDPipe, as far as our adapters speak to them."""

from __future__ import annotations

import types
from typing import Any


def tag(word: str) -> str:
    return "PUNCT" if word == "." else "NOUN"


class _SpacyDoc(list[Any]):
    def __init__(self, vocab: object, words: list[str]) -> None:
        assert vocab == "vocab"
        super().__init__(types.SimpleNamespace(text=word, pos_="", tag_="", lemma_="") for word in words)


class _SpacyModel:
    vocab = "vocab"

    def pipe(self, docs: Any) -> Any:
        for doc in docs:
            for token in doc:
                token.pos_, token.tag_, token.lemma_ = tag(token.text), "NN", token.text.lower()
            yield doc


def spacy_modules(models: tuple[str, ...]) -> dict[str, types.ModuleType]:
    """spaCy with these models installed."""
    spacy, tokens, util = (types.ModuleType(name) for name in ("spacy", "spacy.tokens", "spacy.util"))
    spacy.load = lambda name: _SpacyModel()  # type: ignore[attr-defined]
    tokens.Doc = _SpacyDoc  # type: ignore[attr-defined]
    util.is_package = lambda name: name in models  # type: ignore[attr-defined]
    return {"spacy": spacy, "spacy.tokens": tokens, "spacy.util": util}


class _StanzaPipeline:
    def __init__(self, lang: str, **options: object) -> None:
        assert options["tokenize_pretokenized"] is True
        assert options["download_method"] is None

    def __call__(self, lines: list[list[str]]) -> object:
        assert all(lines), "Stanza takes no empty sentences"
        sentences = [
            types.SimpleNamespace(
                words=[types.SimpleNamespace(upos=tag(word), xpos=None, lemma=word.lower()) for word in words]
            )
            for words in lines
        ]
        return types.SimpleNamespace(sentences=sentences)


def stanza_modules() -> dict[str, types.ModuleType]:
    """Stanza."""
    stanza = types.ModuleType("stanza")
    stanza.Pipeline = _StanzaPipeline  # type: ignore[attr-defined]
    return {"stanza": stanza}


class _UdpipeSentence:
    def __init__(self) -> None:
        self.words = [types.SimpleNamespace(form="<root>", upostag="", xpostag="", lemma="")]

    def addWord(self, form: str) -> None:
        self.words.append(types.SimpleNamespace(form=form, upostag="", xpostag="", lemma=""))


class _UdpipeModel:
    @staticmethod
    def load(path: str) -> _UdpipeModel | None:
        with open(path, encoding="utf-8") as stream:
            return _UdpipeModel() if stream.read() == "model" else None

    def tag(self, sentence: _UdpipeSentence, options: str, error: Any) -> bool:
        for word in sentence.words[1:]:
            if word.form == "refuse":
                error.message = "no"
                return False
            word.upostag, word.lemma = tag(word.form), word.form.lower()
        return True


def udpipe_modules() -> dict[str, types.ModuleType]:
    """UDPipe's bindings."""
    ufal, udpipe = types.ModuleType("ufal"), types.ModuleType("ufal.udpipe")
    udpipe.Sentence = _UdpipeSentence  # type: ignore[attr-defined]
    udpipe.Model = _UdpipeModel  # type: ignore[attr-defined]
    udpipe.Pipeline = types.SimpleNamespace(DEFAULT="")  # type: ignore[attr-defined]
    udpipe.ProcessingError = lambda: types.SimpleNamespace(message="")  # type: ignore[attr-defined]
    ufal.udpipe = udpipe  # type: ignore[attr-defined]
    return {"ufal": ufal, "ufal.udpipe": udpipe}
