from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from dragoman.syntax import merge_multiword_tokens
from dragoman.text.conllu import EmptyNode, MultiwordToken, Sentence, Word, parse_conllu

SPANISH = """\
# text = Dámelo en la casa del rey
1-3\tDámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=Yes
1\tDá\tdar\tVERB\tV\tMood=Imp|Number=Sing\t0\troot\t_\t_
2\tme\tyo\tPRON\tP\tCase=Dat|Number=Sing|Person=1\t1\tiobj\t_\t_
3\tlo\tél\tPRON\tP\tCase=Acc|Gender=Masc\t1\tobj\t_\t_
4\ten\ten\tADP\tE\t_\t6\tcase\t_\t_
5\tla\tel\tDET\tD\tGender=Fem\t6\tdet\t_\t_
6\tcasa\tcasa\tNOUN\tN\tGender=Fem\t1\tobl\t_\t_
7-8\tdel\t_\t_\t_\t_\t_\t_\t_\t_
7\tde\tde\tADP\tE\t_\t9\tcase\t_\t_
8\tel\tel\tDET\tD\tDefinite=Def|Gender=Masc\t9\tdet\t_\t_
9\trey\trey\tNOUN\tN\tGender=Masc\t6\tnmod\t_\t_

"""


def test_words_of_a_token_become_one() -> None:
    (sentence,) = parse_conllu(SPANISH.split("\n")[:-1])
    merged = merge_multiword_tokens(sentence)
    assert [word.form for word in merged.words] == ["Dámelo", "en", "la", "casa", "del", "rey"]
    assert [word.upos for word in merged.words] == ["VERB+PRON+PRON", "ADP", "DET", "NOUN", "ADP+DET", "NOUN"]
    assert [word.head for word in merged.words] == [0, 4, 4, 1, 6, 4]
    assert [word.deprel for word in merged.words] == ["root", "case", "det", "obl", "case", "nmod"]
    verb, *_, article, _ = merged.words
    # The verb keeps its own number; what it lacks comes from the pronouns, the first of them first.
    assert verb.feats == "Case=Dat|Gender=Masc|Mood=Imp|Number=Sing|Person=1"
    assert article.feats == "Definite=Def|Gender=Masc"
    assert (article.lemma, article.xpos) == ("de+el", "E+D")
    assert merged.comments == sentence.comments
    merged.check_tree()


def test_what_has_no_multiword_token_stays_as_it_is() -> None:
    plain = Sentence.of(["a", "b"])
    assert merge_multiword_tokens(plain) is plain


def test_a_token_of_one_word_is_taken_as_written() -> None:
    one = Sentence((MultiwordToken(1, 1, "A"), Word(1, "a", head=0, deprel="root")))
    assert [word.form for word in merge_multiword_tokens(one).words] == ["A"]


def test_empty_nodes_are_dropped() -> None:
    sentence = Sentence((Word(1, "a", head=0, deprel="root", deps="0:root"), EmptyNode(1, 1, "b")))
    merged = merge_multiword_tokens(sentence)
    assert merged.rows == (Word(1, "a", head=0, deprel="root"),)


@st.composite
def trees(draw: st.DrawFn) -> Sentence:
    """Any tree of up to eight words, with ranges anywhere."""
    n = draw(st.integers(1, 8))
    order = draw(st.permutations(range(1, n + 1)))
    heads = {order[0]: 0}
    for place in range(1, n):
        heads[order[place]] = order[draw(st.integers(0, place - 1))]
    rows: list[Word | MultiwordToken] = []
    covered = 0
    for word in range(1, n + 1):
        if word > covered and draw(st.booleans()):
            covered = draw(st.integers(word, n))
            rows.append(MultiwordToken(word, covered, f"t{word}"))
        rows.append(Word(word, f"w{word}", upos="X", head=heads[word], deprel="root" if heads[word] == 0 else "dep"))
    return Sentence(tuple(rows))


@given(trees())
def test_merging_keeps_trees_trees(sentence: Sentence) -> None:
    sentence.check_tree()
    merged = merge_multiword_tokens(sentence).check_tree()
    assert len(merged.words) == len(sentence.tokens)
    (root,) = (word for word in merged.words if word.head == 0)
    assert root.deprel == "root"
