"""The Hanover Tagger remembers words: what it says stays what it says without."""

from __future__ import annotations

import pytest

from dragoman.samples import phrasebook
from dragoman.text.annotate.hanta import HantaTagger

package = pytest.importorskip("HanTa.HanoverTagger")


@pytest.mark.parametrize(("lang", "model"), [("de", "morphmodel_ger.pgz"), ("en", "morphmodel_en.pgz")])
def test_tags_and_lemmas_are_those_of_the_package_itself(lang: str, model: str) -> None:
    lines = [line.replace(".", " .").replace("?", " ?").split() for line in phrasebook()[lang][:30]]
    plain = package.HanoverTagger(model)
    expected = [plain.tag_sent(list(line)) for line in lines]
    for _ in range(2):  # the second time from memory
        assert HantaTagger(lang, "xpos").annotate(lines) == [[tag for _, _, tag in line] for line in expected]
        assert HantaTagger(lang, "lemma").annotate(lines) == [[lemma for _, lemma, _ in line] for line in expected]


def test_a_word_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from dragoman.text.annotate import hanta

    looked: list[str] = []
    own = package.HanoverTagger._tag_word
    monkeypatch.setattr(
        package.HanoverTagger,
        "_tag_word",
        lambda self, word, **options: looked.append(word) or own(self, word, **options),
    )
    hanta._tagger.cache_clear()
    HantaTagger("en", "pos").annotate([["Dogs", "see", "dogs"], ["Dogs", "see", "cats"]])
    hanta._tagger.cache_clear()
    assert sorted(looked) == ["Dogs", "cats", "dogs", "see"]
