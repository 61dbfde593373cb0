"""Features of tags and parses, by values worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dragoman.align.base import Aligner
from dragoman.align.ibm import Diagonal
from dragoman.errors import DataError
from dragoman.lm import KneserNey
from dragoman.metrics.units import tag_spans
from dragoman.qe import Resources, extract_features
from dragoman.qe.features import FEATURE_SETS, feature_set
from dragoman.qe.recipes import FeatureRecipe
from dragoman.qe.resources import GivenParses, LexicalTable, NgramRecipe, Parsed, load_resources
from dragoman.qe.resources.parses import COARSE
from dragoman.qe.resources.projection import ProjectionRecipe, projected_edges
from dragoman.qe.resources.sequences import SequenceRecipe, sequence_lines, source_tags
from dragoman.qe.resources.tags import TagLexiconRecipe
from dragoman.qe.words import extract_words
from dragoman.syntax import Grammar, tree_depth, tree_width
from dragoman.text.conllu import MultiwordToken, Sentence, Word, write_conllu
from tests.qe.parsed import given, sentence, tiny_grammar

ENGLISH = (
    "John/PROPN/2/nsubj loves/VERB/0/root/VerbForm=Fin the/DET/5/det green/ADJ/5/amod house/NOUN/2/obj ./PUNCT/2/punct"
)
SPANISH = (
    "John/PROPN/2/nsubj ama/VERB/0/root/VerbForm=Fin la/DET/4/det casa/NOUN/2/obj verde/ADJ/4/amod ./PUNCT/2/punct"
)
SOURCE, OUTPUT = "John loves the green house .", "John ama la casa verde ."
LEXICON = LexicalTable(
    [("loves", "ama", 0.5), ("the", "la", 0.4), ("green", "verde", 0.9), ("house", "casa", 0.9), ("house", "la", 0.01)]
)


@pytest.fixture(scope="module")
def aligner() -> Aligner:
    """Sees every pair of words in the order of the table."""
    pairs = [("John", "John"), ("loves", "ama"), ("the", "la"), ("green", "verde"), ("house", "casa"), (".", ".")]
    return Diagonal().train([s for s, _ in pairs] * 20, [t for _, t in pairs] * 20)


@pytest.fixture(scope="module")
def resources(aligner: Aligner) -> Resources:
    return Resources.of(source_parser=given(ENGLISH), target_parser=given(SPANISH), lexicon=LEXICON, aligner=aligner)


def one(spec: str, source: str = SOURCE, output: str = OUTPUT, resources: Resources | None = None) -> float:
    found = extract_features(
        [source], [output], FeatureRecipe(features=(spec,), check_languages=False), resources=resources
    )
    return float(found.values[0, 0])


def on_target(spec: str, parse: str) -> float:
    output = " ".join(entry.split("/")[0] for entry in parse.split())
    return one(spec, "x", output, Resources.of(target_parser=given(parse)))


def test_counts_of_tags(resources: Resources) -> None:
    assert one("tag-count", resources=resources) == 4  # John ama casa verde
    assert one("tag-count:tag=function", resources=resources) == 1
    assert one("tag-count:tag=NOUN,per=length", resources=resources) == pytest.approx(1 / 6)
    assert one("tag-count:tag=noun,on=source", resources=resources) == 2
    assert one("tag-count:tag=VERB,on=difference", resources=resources) == 0
    assert one("tag-count:tag=PRON,on=ratio", resources=resources) == 0
    assert one("tag-count:tag=ADJ,on=ratio", resources=resources) == 1


def test_a_word_written_as_one_has_all_its_tags() -> None:
    joined = Sentence(
        (
            MultiwordToken(1, 2, "del"),
            Word(1, "de", upos="ADP", head=3, deprel="case"),
            Word(2, "el", upos="DET", head=3, deprel="det", feats="Number=Sing"),
            Word(3, "mar", upos="NOUN", head=0, deprel="root", feats="Number=Plur"),
        )
    )
    resources = Resources.of(target_parser=GivenParses([joined]))
    for tag in ("ADP", "DET"):
        assert one(f"tag-count:tag={tag}", "x", "del mar", resources) == 1
    parsed = Parsed.of(GivenParses([joined]), [["del", "mar"], []])
    assert parsed.lines() == ["ADP+DET NOUN", ""]
    assert parsed.lines("morph") == ["ADP+DET|Number=Sing NOUN|Number=Plur", ""]
    assert parsed.heads.tolist() == [1, -1]
    with pytest.raises(DataError, match="there is no parse of the sentence 'de el mar'"):
        one("tag-count", "x", "de el mar", resources)


def test_parses_are_joined_and_taken_apart() -> None:
    parser = given(ENGLISH, SPANISH)
    lines = [SOURCE.split(), [], OUTPUT.split(), SOURCE.split()]
    whole = Parsed.of(parser, lines)
    parts = Parsed.joined([Parsed.of(parser, lines[:2]), Parsed.of(parser, []), Parsed.of(parser, lines[2:])])
    for other in (parts, whole.take([0, 1, 2, 3])):
        assert other.lines("morph") == whole.lines("morph")
        assert other.relations.list() == whole.relations.list()
        assert other.heads.tolist() == whole.heads.tolist()
        assert other.offsets.tolist() == whole.offsets.tolist()
    alone = whole.take([2])
    assert alone.lines() == ["PROPN VERB DET NOUN ADJ PUNCT"]
    assert alone.heads.tolist() == [1, -1, 3, 1, 3, 1]
    assert whole.take([]).lines() == []


def test_trees(resources: Resources) -> None:
    # ama — John, casa, . — la, verde
    assert one("tree-shape", resources=resources) == 3
    assert one("tree-shape:value=width", resources=resources) == 3
    assert one("tree-shape:value=leaves", resources=resources) == pytest.approx(4 / 6)
    # John 1, la 1, casa 2, verde 1, . 4; the source: 1, 2, 1, 3, 4
    assert one("tree-shape:value=distance", resources=resources) == pytest.approx(9 / 5)
    assert one("tree-shape:value=longest,on=source", resources=resources) == 4
    assert one("tree-shape:value=distance,on=difference", resources=resources) == pytest.approx(11 / 5 - 9 / 5)
    assert one("tree-shape:value=left", resources=resources) == pytest.approx(2 / 5)
    assert one("tree-shape:value=crossing", resources=resources) == 0
    crossed = "a/X/3/dep b/X/4/dep c/X/0/root d/X/3/dep"  # a–c and b–d cross
    assert on_target("tree-shape:value=crossing", crossed) == pytest.approx(2 / 3)
    assert one("tree-shape", SOURCE, "", resources) == 0


def test_heads_in_a_circle_and_parses_without_trees_are_named() -> None:
    circle = "a/X/2/dep b/X/1/dep"
    with pytest.raises(DataError, match="The heads of the parse of line 1 go in a circle"):
        on_target("tree-shape", circle)
    flat = GivenParses([Sentence.of(["a", "b"], upos=["X", "X"])])
    with pytest.raises(DataError, match="The parse of line 1 has tags but no tree"):
        one("tree-shape", "x", "a b", Resources.of(target_parser=flat))
    assert one("tag-count:tag=X", "x", "a b", Resources.of(target_parser=flat)) == 2


def test_phrases_and_subjects(resources: Resources) -> None:
    assert one("phrases", resources=resources) == 2
    assert one("phrases:kind=vp", resources=resources) == 1
    assert one("phrases:kind=pp", resources=resources) == 0
    at_home = "she/PRON/3/nsubj is/AUX/3/cop/VerbForm=Fin home/NOUN/0/root in/ADP/5/case town/NOUN/3/nmod"
    assert on_target("phrases:kind=pp", at_home) == 1
    assert on_target("phrases:kind=vp", at_home) == 1
    assert on_target("phrases:kind=np", at_home) == 3
    assert on_target("subjects", at_home) == 1
    assert one("subjects:kind=other", resources=resources) == 1
    # Vengo y veo la casa que es grande: two verbs without a subject, one clause with a pronoun
    dropped = (
        "Vengo/VERB/0/root/VerbForm=Fin y/CCONJ/3/cc veo/VERB/1/conj/VerbForm=Fin la/DET/5/det casa/NOUN/3/obj "
        "que/PRON/8/nsubj es/AUX/8/cop/VerbForm=Fin grande/ADJ/5/acl:relcl comer/VERB/3/xcomp/VerbForm=Inf"
    )
    assert on_target("subjects:kind=none", dropped) == 2
    assert on_target("subjects:kind=none,per=clause", dropped) == pytest.approx(2 / 3)
    assert on_target("subjects:kind=pronoun", dropped) == 1
    assert on_target("subjects:kind=other", dropped) == 0


def test_common_tags_and_matched_relations(resources: Resources) -> None:
    assert one("common-tags", resources=resources) == 6
    assert one("common-tags:one=NOUN,per=source", resources=resources) == 1
    assert one("common-tags:over=relation,one=amod", resources=resources) == 1
    assert one("common-tags:over=relation,one=ADJ", resources=resources) == 0  # no relation is called so
    # nsubj(loves, John), obj, amod(house, green), det(house, the), punct(loves, .): all of five
    assert one("relation-match", resources=resources) == 1
    assert one("relation-match:relation=nsubj", resources=resources) == 1
    assert one("relation-match:least=0.45", resources=resources) == pytest.approx(4 / 5)  # the, la: 0.4
    # The paper's example: nsubj(loves, John) matches nsubj(ama, John) and not obj(ama, John).
    other = resources.having(target_parser=given("John/PROPN/2/obj ama/VERB/0/root"))
    assert one("relation-match:relation=nsubj", SOURCE, "John ama", other) == 0
    subject = resources.having(target_parser=given("John/PROPN/2/nsubj ama/VERB/0/root"))
    assert one("relation-match:relation=nsubj", SOURCE, "John ama", subject) == 1
    assert one("relation-match:on=target", SOURCE, "John ama", subject) == 1
    assert one("relation-match", SOURCE, "John ama", subject) == pytest.approx(1 / 5)


def test_links_that_join_words_of_one_tag(resources: Resources, aligner: Aligner) -> None:
    found = aligner.align([SOURCE], [OUTPUT], symmetrisation="intersection")
    links = {(int(s), int(t)) for s, t in found.links}
    assert links == {(0, 0), (1, 1), (2, 2), (3, 4), (4, 3), (5, 5)}
    assert one("link-tags:value=count", resources=resources) == 6
    assert one("link-tags", resources=resources) == 1
    wrong = resources.having(target_parser=given(SPANISH.replace("verde/ADJ", "verde/VERB")))
    assert one("link-tags:value=count", resources=wrong) == 5
    assert one("link-tags", resources=wrong) == pytest.approx(5 / 6)
    assert one("link-tags:value=count,per=target", resources=wrong) == pytest.approx(5 / 6)
    assert one("link-tags:tag=NOUN", resources=wrong) == pytest.approx(2 / 6)  # John and house
    assert one("link-tags:value=same,tag=ADJ", resources=wrong) == 0
    assert one("link-tags:value=same,tag=ADJ,on=target", resources=wrong) == 0  # there is none
    assert one("link-tags:value=same", resources=wrong) == pytest.approx(5 / 6)
    assert one("link-tags:value=aligned,tag=VERB,on=target", resources=wrong) == pytest.approx(2 / 6)


def test_there_are_as_many_alignment_features_as_the_paper_counts() -> None:
    alone = ("aligned", "idf-ratio", "link-tags")
    assert len(COARSE) == 12
    assert sum(spec.partition(":")[0] in alone for spec in FEATURE_SETS["fbk13"]) == 89


def test_rare_tags_and_words_with_several() -> None:
    corpus = ["DET NOUN VERB", "DET ADJ NOUN", "DET NOUN VERB ADV"]
    words = ["the light shines", "the light house", "the house shines bright"]
    resources = Resources.of(
        target_parser=given("the/DET/2/det big/ADJ/3/amod light/NOUN/0/root shines/VERB/3/acl"),
        target_tag_ngrams=NgramRecipe(order=7).train(corpus),
        target_tag_lexicon=TagLexiconRecipe().train(words, corpus),
        target_ngrams=NgramRecipe(order=1).train(words),
    )
    output = "the big light shines"
    # DET ADJ 1, ADJ NOUN 1, NOUN VERB 2; DET ADJ NOUN 1, ADJ NOUN VERB 0
    assert one("rarest-tags:length=2", "x", output, resources) == 1
    assert one("rarest-tags:length=2,log=yes", "x", output, resources) == pytest.approx(math.log(2))
    assert one("rarest-tags", "x", output, resources) == 0
    assert one("rarest-tags:below=10", "x", output, resources) == 1
    assert one("rarest-tags:length=5", "x", output, resources) == -1
    # light is NOUN and ADJ, big is not there
    assert one("tag-ambiguity", "x", output, resources) == pytest.approx(1 / 4)
    assert one("tag-ambiguity:value=unknown", "x", output, resources) == pytest.approx(1 / 4)
    assert one("unknown-common", "x", output, resources) == 1
    assert one("unknown-common:share=yes", "x", output, resources) == pytest.approx(1 / 4)
    named = resources.having(target_parser=given("the/DET/2/det big/PROPN/3/amod light/NOUN/0/root shines/VERB/3/acl"))
    assert one("unknown-common", "x", output, named) == 0
    assert tag_spans(["A B C D E", "A B", ""]) == ["A_B_C_D B_C_D_E", "A_B", ""]


def test_scrambled_words_have_rarer_tags() -> None:
    """The least frequent run of a sentence in another order is rarer, nine times of ten."""
    lines = ["DET ADJ NOUN VERB DET NOUN ADP DET NOUN PUNCT"] * 5 + ["PRON AUX VERB ADP PROPN PUNCT"] * 5
    counts = NgramRecipe(order=3).train(lines)
    rng = np.random.default_rng(1)
    rarer = 0
    for trial in range(40):
        tags = lines[0 if trial % 2 else 5].split()
        order = rng.permutation(len(tags))
        words = [f"w{place}" for place in range(len(tags))]
        parse = " ".join(f"{w}/{tags[i]}/{k}/dep" for k, (w, i) in enumerate(zip(words, order, strict=True)))
        resources = Resources.of(target_parser=given(parse), target_tag_ngrams=counts)
        rarer += one("rarest-tags", "x", " ".join(words), resources) < 5
    assert rarer >= 36


def test_models_of_tags() -> None:
    corpus = ["DET NOUN VERB PUNCT", "DET ADJ NOUN VERB PUNCT", "PROPN VERB DET NOUN PUNCT"]
    model = KneserNey(order=3).train(corpus)
    resources = Resources.of(target_parser=given(SPANISH), target_tag_lm=model, target_morph_lm=model)
    tags = "PROPN VERB DET NOUN ADJ PUNCT"
    assert one("lm:model=target-tag,value=sum", "x", OUTPUT, resources) == pytest.approx(
        float(model.score([tags])[0]), rel=1e-5
    )
    morph = tags.replace("VERB", "VERB|VerbForm=Fin")
    assert one("lm:model=target-morph,value=sum", "x", OUTPUT, resources) == pytest.approx(
        float(model.score([morph])[0]), rel=1e-5
    )
    with pytest.raises(
        DataError, match=r"need source_parser, source_tag_lm\. Build the resources with --source-parser, or"
    ):
        extract_features(["a"], ["b"], FeatureRecipe(features=("lm:model=source-tag",)))


def test_sequences_of_the_paper() -> None:
    """The examples of Pighin et al.: open-class words as the tags of their source words, and chains of stop words."""
    tokens = ["el", "gobierno", "de", "Irlanda", "piensa", "verde", "en", "muchos", "países", "."]
    closed = np.array([word in {"el", "de", "en", "muchos", "."} for word in tokens])
    tags = ["DT", "NN", "IN", "*", "VBZ", "JJ", "IN", "JJ", "NNS", "."]
    assert sequence_lines("tag-stop", [tokens], [closed], [tags]) == ["el NN de * VBZ JJ en muchos NNS ."]
    chain = ["mediante", "la", "casa", "de", "los", "montes", "y", "de", "las", "tierras"]
    stops = np.array([word in {"mediante", "la", "de", "los", "y", "las"} for word in chain])
    assert sequence_lines("chain", [chain], [stops], [chain]) == ["mediante_la de_los y_de_las"]
    assert sequence_lines("root", [["Working"]], [np.array([False])], [["*"]]) == ["work"]
    assert sequence_lines("ending", [["Working", "day"]], [np.zeros(2, bool)], [["*"] * 2]) == ["ing -"]
    assert sequence_lines("ending-stop", [["the", "houses"]], [np.array([True, False])], [["*"] * 2]) == ["the es"]


def test_sequences_in_models_of_outputs_and_of_post_edits(aligner: Aligner) -> None:
    outputs, edits = ["la casa verde", "la casa"], ["el perro verde", "la casa azul"]
    lines = {
        name: {
            "word": texts,
            "tag-stop": [" ".join("NOUN" if len(word) > 3 else word for word in text.split()) for text in texts],
        }
        for name, texts in (("outputs", outputs), ("edits", edits))
    }
    models = SequenceRecipe().train(lines)
    resources = Resources.of(
        source_parser=given(ENGLISH), target_parser=given(SPANISH), aligner=aligner, sequences=models
    )
    lower = OUTPUT.lower()
    ours, good = (float(models.models[name, "word"].score([lower])[0]) / 7 for name in ("outputs", "edits"))
    assert one("sequence-contrast:value=outputs", SOURCE, OUTPUT, resources) == pytest.approx(10**-ours, rel=1e-5)
    assert one("sequence-contrast", SOURCE, OUTPUT, resources) == pytest.approx(10 ** (good - ours), rel=1e-5)
    inverse = one("sequence-contrast:value=inverse", SOURCE, OUTPUT, resources)
    assert inverse == pytest.approx(10 ** (ours - good), rel=1e-5)
    # Closed classes are kept, others are their source words' tags.
    units = "PROPN VERB la NOUN ADJ ."
    found = float(models.models["outputs", "tag-stop"].score([units])[0]) / 7
    assert one("sequence-contrast:unit=tag-stop,value=outputs", SOURCE, OUTPUT, resources) == pytest.approx(
        10**-found, rel=1e-5
    )
    assert one("sequence-contrast:unit=chain", SOURCE, OUTPUT, resources) == 1  # no model has such units
    assert one("sequence-contrast", SOURCE, "", resources) == 1


def test_words_know_their_tags(resources: Resources) -> None:
    specs = [
        "tag",
        "tag:at=1",
        "tag:length=2",
        "tag:kind=morph",
        "tag:side=source",
        "tag-pair",
        "relation",
        "head-tag",
        "head-tag:with_relation=yes",
        "tag-confidence",
    ]
    found = extract_words([SOURCE], [OUTPUT], specs, resources).values
    assert found["tag"] == ["PROPN", "VERB", "DET", "NOUN", "ADJ", "PUNCT"]
    assert found["tag:at=1"] == ["VERB", "DET", "NOUN", "ADJ", "PUNCT", ""]
    assert found["tag:length=2"][:2] == ["∅ PROPN", "PROPN VERB"]
    assert found["tag:kind=morph"][1] == "VERB|VerbForm=Fin"
    assert found["relation"] == ["nsubj", "root", "det", "obj", "amod", "punct"]
    assert found["head-tag"] == ["VERB", "∅", "NOUN", "VERB", "NOUN", "VERB"]
    assert found["head-tag:with_relation=yes"][4] == "ADJ amod NOUN"
    assert np.isnan(np.asarray(found["tag-confidence"], dtype=float)).all()
    assert found["tag-pair"][3] in {"NOUN NOUN", "NOUN ADJ"}
    assert found["tag:side=source"][0] == "PROPN"


def test_tags_of_linked_source_words(aligner: Aligner) -> None:
    found = aligner.align([SOURCE], ["casa verde x"], symmetrisation="intersection")
    links = replace(found, links=np.array([[2, 0], [4, 0], [3, 1]], dtype=np.uint16), offsets=np.array([0, 3]))
    parsed = Parsed.of(given(ENGLISH), [SOURCE.split()])
    assert source_tags(parsed, links, np.array([0, 3])) == [["DET+NOUN", "ADJ", "*"]]


def test_projected_dependencies(aligner: Aligner) -> None:
    """Three sentences by hand: kept, changed, and one with a word that is not linked."""
    parsed = Parsed.of(given(ENGLISH), [SOURCE.split()] * 3)
    outputs = [OUTPUT, "John ama la casa verde .", "John ama"]
    edits = [OUTPUT, "John ama la verde .", "John ama"]

    def edges(lines: Sequence[str]) -> list[list[tuple[int, tuple[str, str, str]]]]:
        links = aligner.align([SOURCE] * 3, list(lines), symmetrisation="intersection")
        return projected_edges(parsed, links, [line.split() for line in lines])

    said = edges(outputs)
    assert [edge for _, edge in said[2]] == [("nsubj", "ama", "john")]
    table = ProjectionRecipe().train(said, edges(edits))
    # In the second post-edit nothing is linked to house, so that det, amod and obj are changed there.
    counts = table.of([("nsubj", "ama", "john"), ("amod", "casa", "verde"), ("det", "x", "y")], "word")
    assert counts.tolist() == [[3, 0], [1, 1], [0, 0]]
    assert table.of([("nsubj", "amar", "john")], "root").tolist() == [[0, 0]]
    assert table.of([("amod", "casas", "verdes")], "root").tolist() == [[1, 1]]
    resources = Resources.of(source_parser=given(ENGLISH), aligner=aligner, projected=table)
    # Five edges: nsubj and punct kept always, det, amod and obj in one of two.
    kept = one("projected-dependencies:value=kept", SOURCE, OUTPUT, resources)
    changed = one("projected-dependencies", SOURCE, OUTPUT, resources)
    assert (kept, changed) == (pytest.approx(3.5 / 5), pytest.approx(1.5 / 5))
    assert one("projected-dependencies:value=coverage", SOURCE, OUTPUT, resources) == kept + changed
    assert one("projected-dependencies:value=kept,part=quarter", SOURCE, OUTPUT, resources) == 1
    assert one("projected-dependencies:part=half", SOURCE, OUTPUT, resources) == 0.5
    assert one("projected-dependencies", SOURCE, "", resources) == 0
    unseen = "Mary loves the green house ."
    fresh = resources.having(source_parser=given(ENGLISH.replace("John", "Mary")))
    assert one("projected-dependencies:value=coverage", unseen, "nadie", fresh) == 0


def test_constituents(tmp_path: Path) -> None:
    grammar = Grammar.load(tiny_grammar(tmp_path / "grammar"))
    line = "the cat sat on the mat ."
    parse = grammar.parse([line.split()], n_best=20)[0]
    resources = Resources.of(source_grammar=grammar, target_grammar=grammar)
    values = {
        "likelihood": parse.log_likelihood,
        "mean": parse.log_likelihood / 7,
        "trees": parse.n_trees,
        "confidence": parse.confidence,
        "mean-confidence": parse.mean_confidence,
        "failed": 0,
        "depth": tree_depth(parse.tree),
        "width": tree_width(parse.tree),
    }
    for value, wanted in values.items():
        assert one(f"constituents:value={value}", "x", line, resources) == pytest.approx(float(wanted))
    assert str(parse.tree).count("(NP ") == one("node-count", "x", line, resources) >= 2
    assert one("node-count:label=PP,on=source", line, "x", resources) == 1
    assert one("node-count:label=NP,on=inverse", line, line, resources) == 1
    assert one("node-count:label=QP", "x", line, resources) == 0
    assert one("constituents", "x", "", resources) == 0
    assert np.isfinite(one("constituents", "x", "sat " * 150, resources))
    assert one("constituents:value=failed", "x", "sat " * 150, resources) == 1


def test_parses_from_files_take_the_place_of_parsers(tmp_path: Path) -> None:
    write_conllu(tmp_path / "mt.conllu", [sentence(SPANISH)])
    resources = load_resources(None, layers={"dependencies": f"conllu:{tmp_path / 'mt.conllu'}"})
    found = extract_features(
        [SOURCE, ""],
        [OUTPUT, ""],
        FeatureRecipe(features=("tag-count", "parse-confidence")),
        resources=resources,
        cache=tmp_path / "kept",
    )
    assert found.values.tolist() == [[4, 1], [0, 1]]
    write_conllu(tmp_path / "mt.conllu", [sentence(SPANISH.replace("verde/ADJ", "verde/X"))])
    again = load_resources(None, layers={"dependencies": f"conllu:{tmp_path / 'mt.conllu'}"})
    assert again.beside != resources.beside
    kept = extract_features(
        [SOURCE], [OUTPUT], FeatureRecipe(features=("tag-count",)), resources=again, cache=tmp_path / "kept"
    )
    assert kept.values.tolist() == [[3]]


def test_options_are_checked() -> None:
    with pytest.raises(DataError, match="'tag' option of TagCount must be one of 'content'"):
        feature_set("tag-count:tag=verbs")
