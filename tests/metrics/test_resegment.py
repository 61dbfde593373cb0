"""Output cut anew into the references' segments."""

from __future__ import annotations

import pytest

from dragoman.errors import DataError
from dragoman.metrics import ScoreRecipe, as_test_set, resegment, resegment_systems, score, score_test_set

REFS = [["The cat sat.", "It was warm.", "Nobody spoke."]]


def test_a_stream_is_cut_where_the_references_are() -> None:
    found = resegment(["the cat  sat. It was", "warm. Nobody", "spoke."], REFS)
    assert found.segments == ("the cat  sat.", "It was warm.", "Nobody spoke.")
    assert found.n_lines == 3
    assert found.to_dict()["rows"][1] == {"segment": 2, "text": "It was warm."}


def test_missing_and_superfluous_words() -> None:
    assert resegment(["The cat sat. Nobody spoke."], REFS).segments == ("The cat sat.", "", "Nobody spoke.")
    assert resegment([], REFS).segments == ("", "", "")
    assert resegment([" ", ""], REFS).segments == ("", "", "")
    found = resegment(["The cat sat. and so on It was warm. Nobody spoke."], REFS).segments
    assert found == ("The cat sat.", "and so on It was warm.", "Nobody spoke.")


def test_several_references_and_documents() -> None:
    refs = [["a b", "c d", "e f"], ["x y", None, "g h"]]
    docs, hyp_docs = ["one", "one", "two"], ["one", "two"]
    for n_threads in (1, 2, 7):
        found = resegment(["x y c d", "g h"], refs, docs=docs, hyp_docs=hyp_docs, n_threads=n_threads)
        assert found.segments == ("x y", "c d", "g h")
    # A document that the output lacks stays empty.
    assert resegment(["g h"], refs, docs=docs, hyp_docs=["two"]).segments == ("", "", "g h")


def test_characters_where_there_are_no_spaces() -> None:
    refs = [["猫が座った。", "暖かかった。"]]
    assert resegment(["猫が座った。暖かか", "った。"], refs, unit="char").segments == ("猫が座った。", "暖かか った。")
    # A letter whose lower case is two characters is still one.
    assert resegment(["İstanbul da"], [["istanbul", "da"]], unit="char").segments == ("İstanbul", "da")


def test_scores_say_that_segments_were_cut_anew() -> None:
    outputs = {"x": ["The cat sat. It was warm.", "Nobody spoke."]}
    test_set = resegment_systems(as_test_set({}, REFS), outputs)
    sheet = score_test_set(test_set, ScoreRecipe(metrics=("bleu", "wer")), run={"seg": "mwer"})
    assert sheet.values[0, :, 0].tolist() == pytest.approx([100, 0])
    assert sheet.signatures[1].startswith("WER|nrefs:1|seg:mwer|case:mixed|")
    test_set = resegment_systems(as_test_set({}, REFS, docs=["a", "a", "b"]), outputs, hyp_docs={"x": ["a", "b"]})
    docs = score_test_set(test_set, ScoreRecipe(metrics=("wer",), level="document"))
    assert docs.values.ravel().tolist() == [0, 0]


def test_what_cannot_be_cut_is_named() -> None:
    with pytest.raises(DataError, match="name the references' too: docs"):
        resegment(["a"], REFS, hyp_docs=["d"])
    with pytest.raises(DataError, match="got hyps=1, hyp_docs=2"):
        resegment(["a"], REFS, docs=["d"] * 3, hyp_docs=["d", "d"])
    with pytest.raises(DataError, match="a document 'e' that the references lack"):
        resegment(["a"], REFS, docs=["d"] * 3, hyp_docs=["e"])
    with pytest.raises(DataError, match="a document begins again later"):
        resegment(["a"], REFS, docs=["d", "e", "d"], hyp_docs=["d"])
    with pytest.raises(DataError, match="unit of resegmentation is word or char; got 'line'"):
        resegment(["a"], REFS, unit="line")  # type: ignore[arg-type]
    with pytest.raises(DataError, match="n_threads must be at least 1"):
        resegment(["a"], REFS, n_threads=0)
    with pytest.raises(DataError, match="hyps is one string"):
        resegment("abc", REFS)


@pytest.mark.realdata
def test_a_real_system_gets_its_segments_back(newstest2013) -> None:
    ref, systems = newstest2013("fr-en")
    hyps = systems["online-B"][:300]
    found = resegment([" ".join(hyps)], [ref[:300]]).segments
    given = [" ".join(line.split()) for line in hyps]
    assert sum(a == b for a, b in zip(found, given, strict=True)) > 200  # most; a word or two at the edges may move
    before, after = (
        score({"x": lines}, [ref[:300]], metrics=["bleu"]).values[0, 0, 0] for lines in (given, list(found))
    )
    assert abs(before - after) < 1
