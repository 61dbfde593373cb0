"""A little Czech to repair: a text that has the forms of a few words, sources with trees, and links."""

from __future__ import annotations

from functools import cache

from dragoman.repair.grammar import load_grammar
from dragoman.repair.lexicon import Lexicon, learn_lexicon
from dragoman.repair.pairs import Pair, pair_of, words_of
from dragoman.repair.rules import RULES, Rule, rules_in_order
from dragoman.text.conllu import Sentence, Word

TEXT = """
muž muže muži mužem mužů mužům mužích mužové žena ženy ženě ženu ženou ženám ženách ženami žen
tričko trička tričku tričkem tričkách tričky triček dům město města městu městem městech
kniha knihy knize knihu knihou knihách knihami knih obrázek obrázku obrázky obrázků obrázkem
modrý modrého modrému modrém modrým modré modrá modrou modrých modrými malý malého malému malém malým malé malá malou
malých malými malí který kterého kterou která které kteří kterých kterém pes psa psi psem
dělá dělají dělal dělala dělali dělaly dělat dělající nedělá hraje hrají hrající čte čtou čtoucí
experimentovat experimentuje experimentují experimentující je jsou byl byla byli byly
rudolf rudolfa rudolfem rudolfovi david davida davidem davidovi píseň písně písni písní
koláč koláče koláči koláčem koláčů postaven postavena postaveno škola školy škole školu školou
dívá dívají dívat dívala díval má mají mám
"""


@cache
def lexicon() -> Lexicon:
    return learn_lexicon(load_grammar("cs"), [line.split() for line in TEXT.splitlines()] * 3)


def source(text: str) -> Sentence:
    """`dog/NOUN/2/nsubj barks/VERB/0/root`; features may stand fifth."""
    rows = []
    for number, word in enumerate(text.split(), start=1):
        form, upos, head, relation, *feats = word.split("/")
        rows.append(Word(number, form, form.lower(), upos, "_", feats[0] if feats else "_", int(head), relation))
    return Sentence(tuple(rows))


def pair(line: str, tree: str, links: str) -> Pair:
    arcs = [tuple(map(int, link.split("-"))) for link in links.split()]
    assert all(b < len(words_of(line)) for _, b in arcs)
    return pair_of(line, source(tree), arcs, load_grammar("cs"), lexicon())  # type: ignore[arg-type]


def analysed(one: Pair) -> Pair:
    """After the rules of analysis."""
    for rule in rules_in_order():
        rule.analyse(one)
    return one


def proposed(name: str, one: Pair) -> set[tuple[str, str]]:
    """What a rule proposes, anywhere: old and new form."""
    rule: Rule = RULES.make(name)
    analysed(one)
    fixes = [fix for place in range(len(one.nodes)) for fix in rule.applies(one, place)]
    assert all(rule.explain(one, fix) for fix in fixes)
    return {(one.nodes[fix.place].form, fix.form) for fix in fixes}


NOUNS = {"man": "muž", "woman": "žena", "shirt": "tričko"}
ADJECTIVES = {"blue": ("modrý", "modrá", "modrém"), "small": ("malý", "malá", "malém")}
SOURCE = "A man in a blue shirt plays."


def bitext() -> tuple[list[str], list[str]]:
    sources, targets = [], []
    for adjective, (masculine, feminine, locative) in ADJECTIVES.items():
        for noun, attribute, other in (("man", masculine, "muži"), ("woman", feminine, "ženy")):
            sources += [f"A {noun} in a {adjective} shirt plays.", f"A {adjective} {noun} plays.", f"{noun}s play."]
            targets += [f"{NOUNS[noun].capitalize()} v {locative} tričku hraje.", f"{attribute} {NOUNS[noun]} hraje."]
            targets += [f"{other.capitalize()} hrají."]
    sources += ["shirts shirt shirt shirt", "playing men women man woman", "blue blue small small"]
    targets += ["trička tričkem tričko tričkách", "hrající mužem ženou muže ženu", "modrého modrým malého malým"]
    return sources * 4, targets * 4
