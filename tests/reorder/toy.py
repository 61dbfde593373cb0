"""The toy language and its translation, which has the verb behind its object and the noun before its adjective."""

from __future__ import annotations

from dragoman.data.alignments import Alignment
from dragoman.reorder.annotation import Annotated, annotated_sentence
from dragoman.text.merging import merge_multiword_tokens
from tests.syntax.toy import toy_treebank


def toy_pairs(n: int, *, seed: int = 1) -> tuple[list[str], list[str], list[Annotated], list[Alignment]]:
    """Source lines, target lines, annotation, links."""
    sentences = [annotated_sentence(merge_multiword_tokens(each)) for each in toy_treebank(n, seed=seed)]
    orders = [target_order(each) for each in sentences]
    targets = [
        " ".join(each.words[place].upper() for place in order) for each, order in zip(sentences, orders, strict=True)
    ]
    links = [Alignment(tuple((place, at) for at, place in enumerate(order))) for order in orders]
    return [" ".join(each.words) for each in sentences], targets, sentences, links


def target_order(sentence: Annotated) -> list[int]:
    """Nouns before adjectives, the verb before the full stop."""
    order = list(range(len(sentence)))
    for place, tag in enumerate(sentence.tags):
        if tag == "ADJ":
            order[place], order[place + 1] = place + 1, place
    verb = sentence.tags.index("VERB")
    order.remove(verb)
    return [*order[:-1], verb, order[-1]]
