"""Formemes: compact labels of content words that say in which form they stand (Dušek et al., WMT 2012).

`v:if+fin`, `n:into+X`, `n:subj`, `adj:attr`: part of speech by syntactic use, the words in front (prepositions,
subordinating conjunctions, as they are written), and the form. Languages with cases tell nouns by case (`n:1`,
`n:v+6`), the others by position.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dragoman.deep.trees import DeepNode, DeepTree, deep_tree, relation_of
from dragoman.errors import UnknownName
from dragoman.text.conllu import Sentence, Word

__all__ = ["LANGUAGES", "Scheme", "formemes_of", "scheme_of"]

_CASES = {"Nom": "1", "Gen": "2", "Dat": "3", "Acc": "4", "Voc": "5", "Loc": "6", "Ins": "7"}
_SUBJECTS = frozenset({"nsubj", "csubj"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "SYM", "X"})
_IN_FRONT = frozenset({"ADP", "SCONJ"})
_NOMINAL_USES = frozenset({"nsubj", "obj", "iobj", "obl", "nmod", "appos"})


@dataclass(frozen=True)
class Scheme:
    """What a language's formemes tell apart."""

    cases: Mapping[str, str] | None = None  # None: nouns are told by their position
    infinitive: str = ""  # the particle of infinitives, which is no conjunction


LANGUAGES: Mapping[str, Scheme] = {
    "cs": Scheme(_CASES),
    "de": Scheme(_CASES, "zu"),
    "en": Scheme(None, "to"),
    "es": Scheme(None),
    "fr": Scheme(None),
}


def scheme_of(language: str) -> Scheme:
    """The scheme of a language by its tag; unknown ones raise with the known."""
    scheme = LANGUAGES.get(language.partition("-")[0].lower())
    if scheme is None:
        raise UnknownName(f"There are no formemes for {language!r}. Known: {', '.join(LANGUAGES)}.")
    return scheme


def formemes_of(sentence: Sentence, language: str) -> tuple[DeepTree, list[str]]:
    """The deep tree of a sentence and the formeme of each of its nodes."""
    tree, scheme = deep_tree(sentence), scheme_of(language)
    return tree, [_formeme(tree, node, scheme) for node in tree.nodes]


def _formeme(tree: DeepTree, node: DeepNode, scheme: Scheme) -> str:
    word = node.word
    kind = _kind(tree, node)
    if kind == "v":
        return f"v:{_with(_front(tree, node, scheme), _verb_form(tree, node, scheme))}"
    if kind == "n":
        return f"n:{_noun_form(tree, node, scheme)}"
    if kind == "adj":
        return f"adj:{_adjective_form(tree, node, scheme)}"
    return "adv" if word.upos == "ADV" or kind == "adv" else "x"


def _kind(tree: DeepTree, node: DeepNode) -> str:
    """The part of speech by tag, then by syntactic position: adjectives and numerals may stand for nouns."""
    word, relation = node.word, relation_of(_effective(tree, node).word)
    if word.upos in {"VERB", "AUX"}:
        return "v"
    if word.upos == "ADV":
        return "adv"
    if word.upos in {"ADJ", "DET", "NUM"}:
        if word.upos == "NUM" and relation in {"nmod", "appos", "flat", "compound"}:
            return "n"  # Apollo 11
        nominal = relation in _NOMINAL_USES or (_has_preposition(node) and relation != "amod")
        possessive = word.features.get("Poss") == "Yes"
        if relation == "advmod" and word.upos != "DET":
            return "adv"
        return "n" if nominal and not possessive else "adj"
    if word.upos in _NOMINAL:
        return "adj" if word.features.get("Poss") == "Yes" and relation == "det" else "n"
    if word.upos in {"ADP", "SCONJ"}:
        return "adv"  # a preposition without its noun: he came by
    return "x"


def _effective(tree: DeepTree, node: DeepNode) -> DeepNode:
    """Of a conjunct, the first of its coordination, whose relation is that of all."""
    while relation_of(node.word) == "conj" and (above := tree.parent(node)) is not None:
        node = above
    return node


def _front(tree: DeepTree, node: DeepNode, scheme: Scheme) -> str:
    """The words in front, by their tags, not by their labels; a conjunct without any shares those of the first."""
    particle = scheme.infinitive
    words = [
        each
        for each in node.functions
        if each.upos in _IN_FRONT and each.id < node.word.id and not (each.form.lower() == particle and _is_mark(each))
    ]
    if not words and relation_of(node.word) == "conj":
        first = _effective(tree, node)
        return "" if first is node else _front(tree, first, scheme)
    fixed = [each for each in node.functions if relation_of(each) == "fixed" and each.id < node.word.id]
    parts = sorted(
        {each.id: each for each in (*words, *(f for f in fixed if words))}.values(), key=lambda each: each.id
    )
    return "_".join(each.form.lower().replace("+", "") for each in parts)


def _is_mark(word: Word) -> bool:
    return relation_of(word) == "mark"


def _has_preposition(node: DeepNode) -> bool:
    return any(each.upos == "ADP" and each.id < node.word.id for each in node.functions)


def _with(front: str, form: str) -> str:
    return f"{front}+{form}" if front else form


def _verb_form(tree: DeepTree, node: DeepNode, scheme: Scheme) -> str:
    word = node.word
    clause = node
    if relation_of(word) == "cop" and (above := tree.parent(node)) is not None:
        clause = above  # the clause's place in the sentence is that of its predicate
    effective = _effective(tree, clause).word
    auxiliaries = [each for each in (*node.functions, *clause.functions) if each.upos == "AUX"]
    if _is_relative(tree, clause):
        return "rc"
    finite = _is_finite(word, scheme) or any(_is_finite(each, scheme) for each in auxiliaries)
    if finite:
        return "fin"
    form = word.features.get("VerbForm")
    if form == "Inf" or any(each.form.lower() == scheme.infinitive for each in node.functions):
        return "inf"
    if relation_of(effective) == "amod":
        return "attr"
    if form == "Ger" or (form == "Part" and _front(tree, node, scheme)):
        return "ger"  # tired of arguing: treebanks do not agree on what a gerund is
    return "attr" if form == "Part" or relation_of(effective) == "acl" else "fin"


def _is_finite(word: Word, scheme: Scheme) -> bool:
    feats = word.features
    form = feats.get("VerbForm")
    if form is not None:
        # A Czech participle in -l makes the past by itself.
        return form == "Fin" or (scheme.cases is _CASES and form == "Part" and feats.get("Tense") == "Past")
    return "Mood" in feats or "Person" in feats


def _is_relative(tree: DeepTree, node: DeepNode) -> bool:
    if node.word.deprel == "acl:relcl":
        return True
    if relation_of(_effective(tree, node).word) != "acl":
        return False
    return any(other.word.features.get("PronType") == "Rel" for other in tree.children(node))


def _noun_form(tree: DeepTree, node: DeepNode, scheme: Scheme) -> str:
    front = _front(tree, node, scheme)
    if scheme.cases is not None:
        case = _case(node, scheme)
        if not front and _is_attribute(tree, node, scheme, case):
            return "attr"
        return _with(front, case)
    if front:
        return f"{front}+X"
    effective = _effective(tree, node)
    word, relation = effective.word, relation_of(effective.word)
    if word.features.get("Poss") == "Yes" or word.deprel in {"nmod:poss", "det:poss"}:
        return "poss"
    if relation in _SUBJECTS:
        return "subj"
    if relation == "iobj":
        return "obj1"
    if relation in {"obj", "xcomp", "ccomp"}:
        above = tree.parent(effective)
        siblings = [] if above is None else tree.children(above)
        return "obj2" if any(relation_of(each.word) == "iobj" for each in siblings) else "obj"
    if relation in {"obl", "advmod", "advcl"}:
        return "adv"
    if relation in {"nmod", "compound", "flat", "appos", "nummod", "amod"}:
        return "attr"
    if any(relation_of(each.word) == "cop" for each in tree.children(effective)):
        return "obj"  # a predicate noun
    return "X"  # no position: headings, exclamations


def _case(node: DeepNode, scheme: Scheme) -> str:
    cases = scheme.cases or {}
    named = node.word.features.get("Case") or next(
        (case for each in node.functions if (case := each.features.get("Case")) and each.upos == "DET"), None
    )
    return "X" if named is None else cases.get(named, "X")


def _is_attribute(tree: DeepTree, node: DeepNode, scheme: Scheme, case: str) -> bool:
    """A noun below a noun, in the same case: president Smith; in another it keeps its case."""
    above = tree.parent(node)
    if relation_of(node.word) not in {"nmod", "flat", "appos", "compound", "nummod"} or above is None:
        return False
    if relation_of(node.word) in {"flat", "compound"}:
        return True
    return above.word.upos in _NOMINAL and case in {_case(above, scheme), "X"}


def _adjective_form(tree: DeepTree, node: DeepNode, scheme: Scheme) -> str:
    relation = relation_of(_effective(tree, node).word)
    if node.word.features.get("Poss") == "Yes":
        return "poss"
    if relation in {"amod", "det", "nummod", "nmod", "flat", "compound"}:
        return "attr"
    if scheme.cases is not None and (case := _case(node, scheme)) != "X":
        return case
    return "compl"
