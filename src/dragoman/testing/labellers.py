"""What every labeller of spans promises."""

from __future__ import annotations

from dragoman.smt.grammar.labels import LABELLERS, Labeller
from dragoman.testing.contract import Contract
from dragoman.text.conllu import Sentence, Word

__all__ = ["LABELLER", "check_labeller"]

LABELLER: Contract[Labeller] = Contract("span labeller")

_WORDS = [
    ("the", "DET", 2, "det"),
    ("[dog]", "NOUN", 3, "nsubj"),
    ("sleeps", "VERB", 0, "root"),
    ("in", "ADP", 6, "case"),
    ("our", "PRON", 6, "nmod"),
    ("house", "NOUN", 3, "obl"),
    (".", "PUNCT", 3, "punct"),
]
SENTENCE = Sentence(
    tuple(
        Word(number, form, upos=upos, xpos=f"[{upos} |", head=head, deprel=deprel)
        for number, (form, upos, head, deprel) in enumerate(_WORDS, start=1)
    )
)


def check_labeller(entry: str | Labeller) -> None:
    """Check a labeller, given by its name and options or itself; it must take dependencies."""
    LABELLER.check(LABELLERS.make(entry) if isinstance(entry, str) else entry, str(entry))


@LABELLER.rule
def spans_lie_in_the_sentence(labeller: Labeller) -> None:
    for longest in (1, 3, 10):
        spans = labeller.spans(SENTENCE, longest)
        assert spans
        assert all(0 <= begin < end <= min(len(_WORDS), begin + longest) for begin, end in spans)


@LABELLER.rule
def labels_can_be_written_in_a_rule_table(labeller: Labeller) -> None:
    for label in labeller.spans(SENTENCE, 10).values():
        assert label
        assert not set(label) & set("[]| \t\n")


@LABELLER.rule
def a_sentence_without_a_parse_has_none(labeller: Labeller) -> None:
    assert not labeller.spans(None, 10)


@LABELLER.rule
def what_it_learns_from_does_not_change_what_it_is(labeller: Labeller) -> None:
    learnt = labeller.learn([SENTENCE, None, SENTENCE])
    assert learnt.side == labeller.side
    assert learnt.side in {"source", "target"}
    assert learnt.spans(SENTENCE, 10) == learnt.spans(SENTENCE, 10)
