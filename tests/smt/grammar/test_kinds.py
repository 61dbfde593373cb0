"""One door for all kinds of grammars, with parses of either side; rules that only reorder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from dragoman.errors import DataError, UnknownName
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.grammar import (
    GrammarExtraction,
    GrammarKind,
    ParsedRules,
    ParsedText,
    TreeExtraction,
    extract_grammar,
    input_spans,
)
from dragoman.smt.grammar.extraction import SpanLabels
from dragoman.smt.grammar.labels import LABELLERS
from dragoman.smt.grammar.reorderings import count_reorderings
from dragoman.smt.grammar.soft_labels import add_named_gaps, without_wholes
from dragoman.smt.pairs import encode
from dragoman.text.conllu import Sentence, Word
from dragoman.text.trees import parse_tree
from dragoman.text.vocabulary import Vocabulary

from .test_labels import IRAQ

EUROPE = (
    "ouzhou baguo lianming zhichi meiguo dui yi celie",
    "eight european countries jointly support america 's stand against iraq",
    "0-1 1-0 1-2 2-3 3-4 4-5 4-6 5-8 6-9 7-7",
)


def bitext(*pairs: tuple[str, str, str]) -> tuple[AlignedText, Vocabulary, Vocabulary]:
    words = Vocabulary(), Vocabulary()
    links = [[tuple(map(int, link.split("-"))) for link in pair[2].split()] for pair in pairs]
    text = AlignedText(
        encode(words[0], [pair[0] for pair in pairs]),
        encode(words[1], [pair[1] for pair in pairs]),
        np.array([link for each in links for link in each], dtype=np.uint16).reshape(-1, 2),
        np.cumsum([0, *map(len, links)], dtype=np.int64),
    )
    return text, *words


def lines(path: Path) -> dict[tuple[str, str], list[float]]:
    """Scores by source and target side, as a table has them in its order."""
    table = [line.split(" ||| ") for line in path.read_text(encoding="utf-8").splitlines()]
    assert [cells[0].encode() for cells in table] == sorted(cells[0].encode() for cells in table)
    return {(cells[0], cells[1]): [float(score) for score in cells[2].split()] for cells in table}


class TestHeads:
    """Li, Tu, Zhou & van Genabith 2012, figures 2 and 3."""

    def extract(self, folder: Path, **options: object) -> dict[tuple[str, str], list[float]]:
        kind = GrammarKind(labels="heads", **options)  # type: ignore[arg-type]
        made = extract_grammar(*bitext(EUROPE), folder / "rules", kind=kind, parses={"source": ParsedText((IRAQ,))})
        assert isinstance(made, ParsedRules)
        assert (made.side, made.n_unparsed, made.n_written) == ("source", 0, len(lines(folder / "rules")))
        return lines(folder / "rules")

    def test_rules_of_the_figure(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path)
        assert ("celie [NN]", "stand [X]") in rules
        assert ("dui yi [NN][X] [NN]", "[NN][X] against iraq [X]") in rules
        assert ("zhichi meiguo [VV-NR]", "support america 's [X]") in rules
        assert ("[VV-NR][X] dui yi [NN][X] [VV]", "[VV-NR][X] [NN][X] against iraq [X]") in rules

    def test_rules_that_reorder(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, reorder=True)
        assert rules["[VV-NR][X] [NN][X] [VV]", "[VV-NR][X] [NN][X] [X]"] == [1, 1, 1, 1, 1, pytest.approx(0.367879)]
        assert rules["celie [NN]", "stand [X]"][4:] == [1, 1]
        # `dui yi` and `celie` change places.
        assert ("[P][X] [NN][X] [NN]", "[NN][X] [P][X] [X]") in rules

    def test_rules_without_labels_beside_them(self, tmp_path: Path) -> None:
        labelled, rules = self.extract(tmp_path), self.extract(tmp_path, backoff=True)
        extract_grammar(*bitext(EUROPE), tmp_path / "plain", kind=GrammarKind())
        plain = lines(tmp_path / "plain")
        penalty = pytest.approx(0.367879)
        assert all(rules[sides] == [*scores, 1] for sides, scores in labelled.items())
        assert all(rules[sides] == [*scores, penalty] for sides, scores in plain.items())
        renames = rules.keys() - labelled.keys() - plain.keys()
        assert ("[VV-NR][X] [X]", "[VV-NR][X] [X]") in renames
        assert all(source == target and rules[source, target] == [1, 1, 1, 1, penalty] for source, target in renames)
        both = self.extract(tmp_path, backoff=True, reorder=True)
        assert both["celie [X]", "stand [X]"] == [*rules["celie [X]", "stand [X]"], 1, 1]

    def test_labels_that_are_scored_and_not_demanded(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, soft=1)
        extract_grammar(*bitext(EUROPE), tmp_path / "plain", kind=GrammarKind())
        plain, penalty = lines(tmp_path / "plain"), pytest.approx(0.367879)
        assert all(rules[sides] == [*scores, 1] for sides, scores in plain.items())
        # Every phrase is an X; gaps have names, and what stands over a span of that name fills them.
        assert ("dui yi [NN][X] [X]", "[NN][X] against iraq [X]") in rules
        assert rules["[X][X] [NN]", "[X][X] [X]"] == [1, 1, 1, 1, penalty]
        naming = {sides for sides in rules if len(sides[0].split()) == 2 and sides[0].startswith("[X][X] ")}
        wholes = {source.split()[-1] for source, _ in rules.keys() - naming}
        assert wholes == {"[X]"}
        assert ("celie [NN]", "stand [X]") not in rules
        assert all("][" in source for source, _ in rules.keys() - plain.keys())

    def test_rare_names_of_gaps_are_left_out_and_plain_rules_are_not(self, tmp_path: Path) -> None:
        all_names, often = self.extract(tmp_path, soft=1), self.extract(tmp_path, soft=2)
        assert ("dui yi [X][X] [X]", "[X][X] against iraq [X]") in often
        assert ("dui yi [NN][X] [X]", "[NN][X] against iraq [X]") in all_names.keys() - often.keys()

    def test_rules_with_names_lean_on_those_without(self, tmp_path: Path) -> None:
        """Of gaps that change places or do not, each has the probability of its own rule without names."""
        plain, named = tmp_path / "plain", tmp_path / "named"
        swapped = "[X][X] of [X][X] [X] ||| [X][X] de [X][X] [X] ||| 0.2 1 0.3 1 ||| 0-2 1-1 2-0 ||| 5 10 3"
        straight = "[X][X] of [X][X] [X] ||| [X][X] de [X][X] [X] ||| 0.5 1 0.6 1 ||| 0-0 1-1 2-2 ||| 5 10 6"
        plain.write_text(f"{straight}\n{swapped}\nword [X] ||| mot [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n")
        named.write_text(
            "[N][X] of [V][X] [X] ||| [V][X] de [N][X] [X] ||| 1 1 1 1 ||| 0-2 2-0 1-1 ||| 1 1 1\n"
            "[V][X] as [N][X] [X] ||| [N][X] a [V][X] [X] ||| 1 1 0.5 1 ||| 0-2 1-1 2-0 ||| 1 2 1\n"
            "word [X] ||| mot [X] ||| 1 1 1 1 ||| 0-0 ||| 1 1 1\n"
        )
        add_named_gaps(plain, named, ["X", "N", "V"])
        rules = lines(plain)
        assert rules["[X][X] of [X][X] [X]", "[X][X] de [X][X] [X]"][:4] == [0.2, 1, 0.3, 1]
        # Two phrases' worth of (.2, .3) beside the one that was met; nothing where the table has no such rule.
        assert rules["[N][X] of [V][X] [X]", "[V][X] de [N][X] [X]"] == pytest.approx([1.4 / 3, 1, 1.6 / 3, 1, 1], 1e-5)
        assert rules["[V][X] as [N][X] [X]", "[N][X] a [V][X] [X]"] == pytest.approx([1 / 3, 1, 1 / 4, 1, 1], 1e-5)

    def test_reorderings_whatever_the_whole_is_called(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, soft=1, reorder=True)
        penalty = pytest.approx(0.367879)
        assert rules["[VV-NR][X] [NN][X] [X]", "[VV-NR][X] [NN][X] [X]"] == [1, 1, 1, 1, 1, 1, penalty]
        counts = np.array([[3, 1, 2, 4, 0, 1, 0], [4, 1, 2, 1, 1, 0, 0], [3, 2, 1, 2, 0, 0, 0]])
        assert without_wholes(counts).tolist() == [[0, 1, 2, 5, 1, 1, 0], [0, 2, 1, 2, 0, 0, 0]]

    @pytest.mark.parametrize(
        "kind",
        [
            GrammarKind(soft=1),
            GrammarKind(labels="samt", soft=1),
            GrammarKind(labels="heads", soft=1, backoff=True),
        ],
        ids=["no labels", "labels of the target", "backoff"],
    )
    def test_soft_labels_are_of_the_source(self, kind: GrammarKind) -> None:
        with pytest.raises(DataError, match="Soft labels are of the source"):
            kind.check()

    def test_a_line_without_a_parse_has_rules_without_labels_alone(self, tmp_path: Path) -> None:
        text = bitext(EUROPE, EUROPE)
        kind = GrammarKind(labels="heads", backoff=True)
        parses = {"source": ParsedText((IRAQ, None))}
        made = extract_grammar(*text, tmp_path / "rules", kind=kind, parses=parses)
        rules = lines(tmp_path / "rules")
        assert (made.n_written, made.n_sources) == (len(rules), len({source for source, _ in rules}))
        assert rules["celie [X]", "stand [X]"][4:] == [pytest.approx(0.367879)]

    def test_swapped_neighbours_in_one_derivation(self, tmp_path: Path) -> None:
        """Zuotian chuxi huiyi: no rule of Hiero has yesterday behind the rest, and a reordering does it."""
        pair = ("zuotian chuxi huiyi", "attended a meeting yesterday", "0-3 1-0 2-1 2-2")
        tree = Sentence(
            tuple(
                Word(i, form, xpos=tag, head=head)
                for i, (form, tag, head) in enumerate([("zuotian", "NT", 2), ("chuxi", "VV", 0), ("huiyi", "NN", 2)], 1)
            )
        )
        kind = GrammarKind(labels="heads", reorder=True)
        extract_grammar(*bitext(pair), tmp_path / "rules", kind=kind, parses={"source": ParsedText((tree,))})
        rules = lines(tmp_path / "rules")
        assert ("[NT][X] [VV][X] [VV]", "[VV][X] [NT][X] [X]") in rules
        assert {("zuotian [NT]", "yesterday [X]"), ("chuxi huiyi [VV]", "attended a meeting [X]")} < rules.keys()


def test_probabilities_of_all_ways_are_one() -> None:
    pairs = [
        ("a b c", "x y z", links)
        for links in ("0-0 1-1 2-2", "0-1 1-0 2-2", "0-2 1-1 2-0", "0-0 1-2 2-1", "0-2 1-0 2-1")
    ]
    text, *_ = bitext(*pairs)
    spans = [(b, e, "L") for b in range(3) for e in range(b + 1, 4)]
    labels = SpanLabels.of([spans] * len(pairs))
    for n_threads in (1, 2, 7):
        ((whole, first, second, *ways),) = count_reorderings(text, labels, longest=3, n_threads=n_threads).tolist()
        assert (whole, first, second) == (1, 1, 1)
        assert ways == naive_ways(pairs)


def naive_ways(pairs: list[tuple[str, str, str]]) -> list[int]:
    """By permutations: neighbours are consecutive source words whose translations are consecutive target words."""
    ways = [0, 0, 0, 0]
    for _, _, links in pairs:
        order = [int(link.split("-")[1]) for link in links.split()]
        stretches = [
            (b, e) for b in range(3) for e in range(b + 1, 4) if max(order[b:e]) - min(order[b:e]) == e - b - 1
        ]
        for b, e in stretches:
            for _, end in [each for each in stretches if each[0] == e]:
                first, second = order[b:e], order[e:end]
                if max(first) < min(second):
                    ways[0 if max(first) + 1 == min(second) else 1] += 1
                else:
                    ways[2 if max(second) + 1 == min(first) else 3] += 1
    return ways


FOR_MOST = ("pour la majorité des gens", "for most people", "0-0 1-1 2-1 3-1 4-2")
TREE = parse_tree("(PP (IN for) (NP (JJ most) (NN people)))")


class TestLabels:
    def extract(self, folder: Path, parse: object = TREE, **options: object) -> dict[tuple[str, str], list[float]]:
        kind = GrammarKind(**options)  # type: ignore[arg-type]
        parses = {"target": ParsedText((parse,))}  # type: ignore[arg-type]
        made = extract_grammar(*bitext(FOR_MOST), folder / "rules", kind=kind, parses=parses)
        assert isinstance(made, ParsedRules)
        assert made.n_unparsed == (parse is None)
        return lines(folder / "rules")

    def test_constituents(self, tmp_path: Path) -> None:
        """Weese et al. 2012, rules 1 to 5."""
        rules = self.extract(tmp_path, labels="constituents", unlabelled="discard")
        assert ("pour [X][NP] [X]", "for [X][NP] [PP]") in rules
        assert "pour la majorité des [X]" not in {source for source, _ in rules}

    def test_samt(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, labels="samt", unlabelled="discard")
        assert ("pour la majorité des [X]", "for most [IN+JJ]") in rules
        assert ("pour la majorité des [X]", "for most [X]") in self.extract(tmp_path, labels="constituents")

    def test_without_a_parse_everything_is_called_x(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, None, labels="samt", unlabelled="discard")
        assert ("pour la majorité des [X]", "for most [X]") in rules
        assert self.extract(tmp_path, None, kind="ghkm").keys() >= {("pour [X]", "for [X]")}

    def test_rules_of_trees(self, tmp_path: Path) -> None:
        rules = self.extract(tmp_path, kind="ghkm")
        assert ("pour [X][NP] [X]", "for [X][NP] [PP]") in rules
        assert ("pour la majorité des [X]", "for most [X]") not in rules


def test_every_labeller_makes_a_grammar(tmp_path: Path) -> None:
    parse = Sentence(
        tuple(
            Word(i, form, upos=tag, head=head, deprel=rel)
            for i, (form, tag, head, rel) in enumerate(
                [("for", "ADP", 3, "case"), ("most", "ADJ", 3, "amod"), ("people", "NOUN", 0, "root")], 1
            )
        )
    )
    for name in LABELLERS.names():
        kind = GrammarKind(labels=name, side="target")
        extract_grammar(*bitext(FOR_MOST), tmp_path / "rules", kind=kind, parses={"target": ParsedText((parse,))})
        assert len({target.split()[-1] for _, target in lines(tmp_path / "rules")}) > 1


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    pair = bitext(FOR_MOST)
    with pytest.raises(DataError, match=r"kind ghkm needs parses of the target\. .*--target-parses"):
        extract_grammar(*pair, tmp_path / "rules", kind=GrammarKind(kind="ghkm"))
    with pytest.raises(DataError, match="kind hiero with labels=heads needs parses of the source"):
        extract_grammar(*pair, tmp_path / "rules", kind=GrammarKind(labels="heads"), parses={})
    parses = {"target": ParsedText((None, None))}
    with pytest.raises(DataError, match="parses of the target=2"):
        extract_grammar(*pair, tmp_path / "rules", kind=GrammarKind(kind="ghkm"), parses=parses)
    with pytest.raises(DataError, match="called by their trees"):
        GrammarKind(kind="ghkm", labels="samt").check()
    with pytest.raises(DataError, match="labels of the source"):
        GrammarKind(labels="samt", reorder=True).check()
    with pytest.raises(UnknownName, match="No span labeller is called 'sant'"):
        GrammarKind(labels="sant").check()


def test_spans_of_a_sentence_to_translate() -> None:
    assert input_spans(GrammarKind(), TREE) is None
    assert input_spans(GrammarKind(kind="ghkm"), TREE) is None  # the trees are of the target
    of_source = GrammarKind(kind="ghkm", side="source")
    assert input_spans(of_source, TREE) == [(0, 3, "PP"), (0, 1, "IN"), (1, 3, "NP"), (1, 2, "JJ"), (2, 3, "NN")]
    assert input_spans(of_source, None) == []
    heads = input_spans(GrammarKind(labels="heads"), IRAQ)
    assert heads is not None
    assert (0, 8, "VV") in heads
    assert input_spans(GrammarKind(labels="heads"), None) == []


def test_plain_rules_need_no_parses(tmp_path: Path) -> None:
    made = extract_grammar(*bitext(FOR_MOST), tmp_path / "rules", kind=GrammarKind(), rules=GrammarExtraction(gaps=0))
    assert made.n_written == made.n_lexical > 0
    assert not isinstance(made, ParsedRules)


def test_the_report_counts_nodes(tmp_path: Path) -> None:
    made = extract_grammar(
        *bitext(FOR_MOST),
        tmp_path / "rules",
        kind=GrammarKind(kind="ghkm"),
        trees=TreeExtraction(),
        parses={"target": ParsedText((TREE,))},
    )
    assert isinstance(made, ParsedRules)
    assert (made.n_labels, made.n_nodes, made.n_frontier, made.n_cut) == (5, 5, 5, 0)
    assert [table.title for table in made.tables()][1] == "parses of the target"
    assert made.meta()["side"] == "target"
