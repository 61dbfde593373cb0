"""Every rule on sentences that it mends and on one that it leaves; DEPFIX's own examples among them."""

from __future__ import annotations

import pytest

from dragoman.errors import UnknownName
from dragoman.repair.rules import RULES, rules_in_order
from tests.repair.language import analysed, pair, proposed

MAN_READS = "A/DET/2/det man/NOUN/3/nsubj/Number=Sing plays/VERB/0/root/VerbForm=Fin"
MEN_READ = "Men/NOUN/2/nsubj/Number=Plur play/VERB/0/root/VerbForm=Fin"
IN_SHIRT = "in/ADP/4/case a/DET/4/det blue/ADJ/4/amod shirt/NOUN/0/root/Number=Sing"


def test_preposition_and_noun() -> None:
    assert proposed("preposition-noun", pair("do tričkem", "into/ADP/2/case shirt/NOUN/0/root", "0-0 1-1")) >= {
        ("tričkem", form) for form in ("trička", "triček")
    }
    assert proposed("preposition-noun", pair("v modrém ženou", IN_SHIRT, "0-0 2-1 3-2")) >= {("ženou", "ženě")}
    assert not proposed("preposition-noun", pair("v tričku", "in/ADP/2/case shirt/NOUN/0/root", "0-0 1-1"))
    # A reflexive particle is no preposition, unless the source has one there.
    assert not proposed("preposition-noun", pair("se muži", "men/NOUN/0/root/Number=Plur", "0-1"))
    assert (
        proposed("preposition-noun", pair("se muži", "with/ADP/2/case men/NOUN/0/root/Number=Plur", "0-0 1-1")) == set()
    )
    assert proposed("preposition-noun", pair("se ženy", "with/ADP/2/case women/NOUN/0/root/Number=Plur", "0-0 1-1"))
    # A comma, a verb or an unknown word between them: the rule cannot tell.
    assert not proposed("preposition-noun", pair("do , tričkem", IN_SHIRT, "0-0 3-2"))
    assert not proposed("preposition-noun", pair("do xyz tričkem", IN_SHIRT, "0-0 3-2"))


def test_the_case_of_a_preposition_is_settled_before_attributes_agree() -> None:
    orders = [rule.name for rule in rules_in_order()]
    assert orders.index("prepositional-case") < orders.index("preposition-noun") < orders.index("noun-attribute")
    fixes = proposed("noun-attribute", pair("v modrý tričku", IN_SHIRT, "0-0 2-1 3-2"))
    assert ("modrý", "modrém") in fixes  # not modrému: v takes no dative
    assert ("modrý", "modrému") not in fixes


def test_noun_and_attribute() -> None:
    tree = "a/DET/3/det small/ADJ/3/amod woman/NOUN/0/root/Number=Sing"
    assert ("malý", "malá") in proposed("noun-attribute", pair("malý žena", tree, "1-0 2-1"))
    assert ("žena", "ženu") in proposed("noun-attribute", pair("malou žena", tree, "1-0 2-1"))
    assert not proposed("noun-attribute", pair("malá žena", tree, "1-0 2-1"))
    assert not proposed("noun-attribute", pair("malý a žena", tree, "1-0 2-2"))


def test_subject_and_predicate() -> None:
    assert proposed("subject-predicate", pair("Muž hrají", MAN_READS, "1-0 2-1")) == {("hrají", "hraje")}
    assert proposed("subject-predicate", pair("Ženy hraje", MEN_READ, "0-0 1-1")) == {("hraje", "hrají")}
    assert not proposed("subject-predicate", pair("Muž hraje", MAN_READS, "1-0 2-1"))
    # Not confirmed by the source: no link, no change.
    assert not proposed("subject-predicate", pair("Muž hrají", MAN_READS, ""))


def test_subject_and_participle() -> None:
    tree = "A/DET/2/det woman/NOUN/3/nsubj/Number=Sing worked/VERB/0/root/VerbForm=Fin"
    assert proposed("subject-participle", pair("Žena dělal", tree, "1-0 2-1")) == {("dělal", "dělala")}
    assert not proposed("subject-participle", pair("Žena dělala", tree, "1-0 2-1"))
    joined = "man/NOUN/4/nsubj and/CCONJ/3/cc woman/NOUN/1/conj worked/VERB/0/root"
    assert not proposed("subject-participle", pair("muž a žena dělali", joined, "0-0 1-1 2-2 3-3"))


def test_the_subject_is_a_nominative() -> None:
    tree = "The/DET/2/det woman/NOUN/3/nsubj/Number=Sing plays/VERB/0/root"
    assert proposed("subject", pair("Ženou hraje", tree, "1-0 2-1")) == {("Ženou", "Žena")}
    assert not proposed("subject", pair("Žena hraje", tree, "1-0 2-1"))


def test_a_relative_pronoun_agrees_with_the_noun_before_it() -> None:
    tree = "woman/NOUN/0/root/Number=Sing who/PRON/3/nsubj plays/VERB/1/acl:relcl"
    assert ("kterého", "kterou") in proposed("relative-pronoun", pair("ženu , kterého hraje", tree, "0-0 1-2 2-3"))
    assert not proposed("relative-pronoun", pair("žena , která hraje", tree, "0-0 1-2 2-3"))


def test_by_is_the_instrumental_below_a_verb_and_the_genitive_below_a_noun() -> None:
    built = "built/VERB/0/root/VerbForm=Part by/ADP/3/case David/PROPN/1/obl/Number=Sing"
    assert proposed("by", pair("postaveno David", built, "0-0 2-1")) == {("David", "Davidem")}
    songs = "songs/NOUN/0/root/Number=Plur by/ADP/3/case David/PROPN/1/nmod/Number=Sing"
    assert proposed("by", pair("písně David", songs, "0-0 2-1")) == {("David", "Davida")}
    assert not proposed("by", pair("písně Davida", songs, "0-0 2-1"))
    assert not proposed("by", pair("písně od David", songs, "0-0 1-1 2-2"))


def test_of_is_the_genitive() -> None:
    tree = "pictures/NOUN/0/root/Number=Plur of/ADP/3/case Rudolf/PROPN/1/nmod/Number=Sing"
    assert proposed("of", pair("obrázky Rudolf", tree, "0-0 2-1")) == {("Rudolf", "Rudolfa")}
    assert not proposed("of", pair("obrázky Rudolfa", tree, "0-0 2-1"))


def test_a_continuous_tense_has_no_auxiliary() -> None:
    tree = "David/PROPN/3/nsubj is/AUX/3/aux experimenting/VERB/0/root/Tense=Pres|VerbForm=Part"
    one = pair("David není experimentovat .", tree, "0-0 1-1 2-2")
    assert proposed("present-continuous", one) == {("není", "")}
    (fix,) = RULES.make("present-continuous").applies(one, 1)
    assert fix.also == ((2, "neexperimentuje"),)
    assert not proposed("present-continuous", pair("David experimentuje", tree, "0-0 2-1"))


def test_the_past_of_a_continuous_tense_has_none_either() -> None:
    tree = "woman/NOUN/3/nsubj/Number=Sing was/AUX/3/aux experimenting/VERB/0/root/Tense=Pres|VerbForm=Part"
    one = pair("žena nebyla experimentovat .", tree, "0-0 1-1 2-2")
    assert proposed("past-continuous", one) == {("nebyla", "")}
    (fix,) = RULES.make("past-continuous").applies(one, 1)
    assert fix.also == ((2, "neexperimentovala"),)
    assert not proposed("present-continuous", one)
    assert proposed("past-continuous", pair("muž byl experimentovat", tree, "0-0 1-1 2-2")) == {("byl", "")}
    assert not proposed("past-continuous", pair("žena experimentovala", tree, "0-0 2-1"))
    can = "woman/NOUN/3/nsubj/Number=Sing was/AUX/0/root to/PART/4/mark experiment/VERB/2/xcomp/VerbForm=Inf"
    assert not proposed("past-continuous", pair("žena byla experimentovat", can, "0-0 1-1 3-2"))


def test_a_perfect_has_no_auxiliary() -> None:
    tree = "woman/NOUN/3/nsubj/Number=Sing has/AUX/3/aux worked/VERB/0/root/VerbForm=Part"
    assert proposed("perfect-auxiliary", pair("žena má dělala", tree, "0-0 1-1 2-2")) == {("má", "")}
    assert proposed("perfect-auxiliary", pair("ženy mají malé dělaly", tree, "0-0 1-1 2-3")) == {("mají", "")}
    assert not proposed("perfect-auxiliary", pair("mám dělala", tree, "1-0 2-1"))  # the first person has one
    has = "woman/NOUN/2/nsubj/Number=Sing has/VERB/0/root a/DET/4/det book/NOUN/2/obj"
    assert not proposed("perfect-auxiliary", pair("žena má knihu", has, "0-0 1-1 3-2"))
    assert not proposed("perfect-auxiliary", pair("žena má dělala", tree, "0-0 2-2"))  # not confirmed by a link


def test_a_verb_has_the_tense_of_the_source() -> None:
    past = "woman/NOUN/2/nsubj/Number=Sing worked/VERB/0/root/Tense=Past|VerbForm=Fin"
    assert proposed("tense", pair("žena dělá", past, "0-0 1-1")) == {("dělá", "dělala")}
    assert not proposed("tense", pair("žena dělala", past, "0-0 1-1"))
    assert not proposed("tense", pair("žena je dělá", past, "0-0 1-2"))  # a chain of verbs
    now = "woman/NOUN/2/nsubj/Number=Sing works/VERB/0/root/Tense=Pres|VerbForm=Fin"
    assert not proposed("tense", pair("žena dělala", now, "0-0 1-1"))  # told in the past, it may be right
    will = "woman/NOUN/3/nsubj/Number=Sing will/AUX/3/aux work/VERB/0/root/VerbForm=Inf"
    assert proposed("tense", pair("žena dělala", will, "0-0 2-1")) == {("dělala", "dělá"), ("dělala", "bude dělat")}
    assert not proposed("tense", pair("žena dělá", will, "0-0 2-1"))


def test_a_reflexive_beside_its_verb_is_no_preposition() -> None:
    looks = "woman/NOUN/2/nsubj/Number=Sing looks/VERB/0/root with/ADP/4/case women/NOUN/2/obl/Number=Plur"
    one = analysed(pair("žena se ženy dívá", looks, "0-0 1-3 2-1 3-2"))
    assert (one.nodes[1].relation, one.nodes[1].head) == ("expl:pv", 3)
    assert not one.is_preposition(1)
    assert not proposed("preposition-noun", pair("žena se ženy dívá", looks, "0-0 1-3 2-1 3-2"))
    plays = analysed(pair("žena se ženy hraje", looks, "0-0 1-3 2-1 3-2"))
    assert (plays.nodes[1].relation, plays.is_preposition(1)) == ("case", True)


def test_a_reflexive_hangs_on_the_verb_of_its_clause_unless_sound_and_case_ask_for_a_preposition() -> None:
    tree = "woman/NOUN/2/nsubj/Number=Sing plays/VERB/0/root"
    plays = analysed(pair("žena se hraje , dělá", tree, "0-0 1-2"))
    assert (plays.nodes[1].relation, plays.nodes[1].head) == ("expl", 2)
    assert not proposed("lone-reflexive", plays)
    school = analysed(pair("žena hraje se školou", tree, "0-0 1-1"))
    assert (school.nodes[2].relation, school.nodes[2].head) == ("case", 3)
    assert analysed(pair("žena hraje se muži", tree, "0-0 1-1")).nodes[2].relation == "expl"  # m is no such sound


def test_the_pronoun_of_the_source_gives_person_number_and_gender() -> None:
    she = "She/PRON/2/nsubj worked/VERB/0/root/VerbForm=Fin"
    assert proposed("verb-by-source-subject", pair("dělal", she, "1-0")) == {("dělal", "dělala")}
    they = "They/PRON/2/nsubj play/VERB/0/root/VerbForm=Fin"
    assert proposed("verb-by-source-subject", pair("hraje", they, "1-0")) == {("hraje", "hrají")}
    assert not proposed("verb-by-source-subject", pair("hrají", they, "1-0"))


def test_what_the_source_denies_is_denied() -> None:
    tree = "He/PRON/4/nsubj does/AUX/4/aux not/PART/4/advmod work/VERB/0/root/VerbForm=Inf"
    assert proposed("negation", pair("dělá", tree, "3-0")) == {("dělá", "nedělá")}
    assert not proposed("negation", pair("nikdy dělá", tree, "3-1"))
    assert not proposed("negation", pair("nedělá", tree, "3-0"))


def test_the_passive_auxiliary_agrees() -> None:
    tree = "school/NOUN/3/nsubj:pass/Number=Sing was/AUX/3/aux:pass built/VERB/0/root/VerbForm=Part"
    assert ("byl", "byla") in proposed("passive-auxiliary", pair("škola byl postavena", tree, "0-0 1-1 2-2"))
    assert not proposed("passive-auxiliary", pair("škola byla postavena", tree, "0-0 1-1 2-2"))


def test_the_auxiliary_of_an_infinitive_agrees_with_its_subject() -> None:
    tree = "woman/NOUN/3/nsubj/Number=Sing was/AUX/3/aux working/VERB/0/root/VerbForm=Part"
    assert ("byl", "byla") in proposed("infinitive-auxiliary", pair("žena byl dělat", tree, "0-0 1-1 2-2"))
    assert not proposed("infinitive-auxiliary", pair("žena byla dělat", tree, "0-0 1-1 2-2"))
    assert not proposed("infinitive-auxiliary", pair("žena byl dělala", tree, "0-0 1-1 2-2"))


def test_a_reflexive_without_a_verb_goes() -> None:
    tree = "pictures/NOUN/0/root/Number=Plur"
    assert proposed("lone-reflexive", pair("obrázky se", tree, "0-0")) == {("se", "")}
    assert not proposed("lone-reflexive", pair("obrázky se hrají", tree, "0-0"))


def test_prepositions_are_vocalised() -> None:
    assert proposed("vocalisation", pair("V vodě", "In/ADP/2/case water/NOUN/0/root", "0-0")) == {("V", "Ve")}
    assert proposed("vocalisation", pair("s ženou", "with/ADP/2/case woman/NOUN/0/root", "0-0")) == {("s", "se")}
    assert not proposed("vocalisation", pair("v domě", "in/ADP/2/case house/NOUN/0/root", "0-0"))


def test_capitals_and_lost_tokens() -> None:
    tree = "5/NUM/2/nummod books/NOUN/0/root/Number=Plur ./PUNCT/2/punct"
    assert proposed("lost-tokens", pair("knihy", tree, "1-0")) == {("knihy", "5 knihy"), ("knihy", "knihy.")}
    assert not proposed("lost-tokens", pair("5 knih.", tree, "1-1 2-2"))
    assert proposed("capital", pair("muž hraje", MAN_READS, "1-0")) == {("muž", "Muž")}
    assert not proposed("capital", pair("Muž hraje", MAN_READS, "1-0"))


def test_numbers_and_heads_of_the_source_mend_the_analysis() -> None:
    one = pair("ženy", "women/NOUN/0/root/Number=Plur", "0-0")
    proposed("noun-number", one)
    assert {each.feats["Number"] for each in one.nodes[0].readings} == {"Plur"}
    two = pair("v tričku", "shirt/NOUN/0/root", "0-1")
    proposed("preposition-without-children", two)
    assert (two.nodes[0].head, two.nodes[0].relation) == (1, "case")
    aux = pair("byla postavena rychle", "was/AUX/2/aux built/VERB/0/root quickly/ADV/1/advmod", "0-0 1-1 2-2")
    assert aux.nodes[2].head == 0
    proposed("auxiliary-children", aux)
    assert aux.nodes[2].head == 1


def test_rules_are_known_by_name() -> None:
    assert [rule.name for rule in rules_in_order(only=("negation",))] == ["negation"]
    assert "negation" not in [rule.name for rule in rules_in_order(without=("negation",))]
    with pytest.raises(UnknownName, match="Did you mean 'negation'"):
        rules_in_order(without=("negatio",))
    assert {RULES.make(name).name for name in RULES.names()} == set(RULES.names())
