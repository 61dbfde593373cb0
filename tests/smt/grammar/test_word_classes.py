"""Labels by the classes of a span's first and last words."""

from __future__ import annotations

from dragoman.smt.grammar import class_labels
from dragoman.smt.pairs import encode
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.text.vocabulary import Vocabulary


def test_spans_are_called_by_the_classes_of_their_first_and_last_words() -> None:
    vocabulary = Vocabulary(unk=UNKNOWN)
    text = encode(vocabulary, ["the dog barks", "", "cats"])
    labels = class_labels(text, vocabulary, {"the": "D", "dog": "N", "barks": "V"}, longest=2)
    spans = [(int(b), int(e), labels.names[label], int(anchor)) for b, e, label, anchor in labels.spans]
    assert labels.offsets.tolist() == [0, 5, 5, 6]
    assert spans == [
        (0, 1, "D", -1),
        (0, 2, "D-N", -1),
        (1, 2, "N", -1),
        (1, 3, "N-V", -1),
        (2, 3, "V", -1),
        (0, 1, "unk", -1),
    ]


def test_no_text_has_no_labels() -> None:
    vocabulary = Vocabulary(unk=UNKNOWN)
    labels = class_labels(encode(vocabulary, []), vocabulary, {}, longest=3)
    assert labels.names == ("X",)
    assert labels.offsets.tolist() == [0]
