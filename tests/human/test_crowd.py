from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cli.main import group
from dragoman.data.crowd import CONTROL_ANSWERS, TRANSLATIONS, VOTES, Document, VotedSegment, Votes
from dragoman.data.judgements import Judgements, Row
from dragoman.errors import DataError, UnknownName
from dragoman.human import (
    check_controls,
    human_bar,
    monotone_gloss,
    review_workers,
    select_translations,
    split_documents,
    tally_votes,
    vote_support,
    voter_weights,
)


def translated(*rows: tuple[str, str, str | None]) -> Judgements:
    return Judgements.of(TRANSLATIONS, [{"annotator": a, "segment": s, "text": t} for a, s, t in rows])


def voted(*rows: tuple[str, str, str]) -> Judgements:
    return Judgements.of(VOTES, [{"annotator": a, "segment": s, "translator": t} for a, s, t in rows])


TEXTS = translated(("x", "1", "one"), ("y", "1", "uno"), ("x", "2", "two"), ("y", "2", None))


@given(st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), min_size=1, max_size=8), st.integers(0, 3))
def test_the_choice_has_most_votes(counts: list[list[int]], seed: int) -> None:
    votes = Votes(tuple(VotedSegment(str(n), tuple("abcd"[: len(c)]), tuple(c)) for n, c in enumerate(counts)))
    chosen = select_translations(votes, seed=seed)
    assert list(chosen.votes) == [max(c) for c in counts]
    assert chosen.n_tied == sum(c.count(max(c)) > 1 and max(c) > 0 for c in counts)
    assert chosen.n_without_votes == sum(max(c) == 0 for c in counts)
    support = vote_support(votes)
    assert sum(support.support) == len(counts)
    assert support.n == sum(max(c) > 0 for c in counts)
    # A segment's draw does not hang on the others.
    last = select_translations(Votes(votes.segments[-1:]), seed=seed)
    assert last.texts[0] == chosen.texts[-1]


def test_ties_are_broken_evenly_and_chance_alone_ignores_votes() -> None:
    tied = Votes(tuple(VotedSegment(str(n), ("a", "b", "c"), (2, 2, 1)) for n in range(600)))
    counts = Counter(select_translations(tied, seed=1).texts)
    assert set(counts) == {"a", "b"}
    assert 240 < counts["a"] < 360
    random = Counter(select_translations(tied, how="random", seed=1).texts)
    assert all(140 < random[text] < 260 for text in "abc")


def test_individual_votes_are_counted_and_the_last_word_holds() -> None:
    votes = tally_votes(TEXTS, voted(("a", "1", "x"), ("b", "1", "y"), ("a", "1", "y"), ("a", "2", "x")))
    first, second = votes.segments
    assert (first.translations, first.votes, first.translators) == (("one", "uno"), (0, 2), ("x", "y"))
    assert (second.translations, second.votes) == (("two",), (1,))
    assert dict(votes.provenance) == {"files": [], "n_segments": 2, "n_votes": 3, "n_voters": 2, "weights": "equal"}


def test_weighted_votes() -> None:
    single = [("a", str(n), "x") for n in range(4)] + [("b", str(n), "x") for n in range(4)]
    single += [("c", str(n), "y") for n in range(4)]
    weights = voter_weights(voted(*single))
    assert weights == {"a": 0.5, "b": 0.5, "c": 0.0}  # a and b see a tie of the other two
    assert voter_weights(voted(("a", "1", "x"), ("b", "2", "y"))) == {"a": 1.0, "b": 1.0}
    texts = translated(*((who, str(n), who * 2) for who in "xy" for n in range(4)))
    agreed = tally_votes(texts, voted(*single), weights="agreement")
    assert [each.votes for each in agreed.segments] == [(1.0, 0.0)] * 4
    given_ = tally_votes(texts, voted(*single), weights={"a": 1, "b": 1, "c": 5})
    assert select_translations(given_).texts == ("yy",) * 4
    with pytest.raises(DataError, match="The voter 'c' has no weight"):
        tally_votes(texts, voted(*single), weights={"a": 1, "b": 1})


def test_votes_that_cannot_be() -> None:
    absent = r"Vote 1: a votes for a translation of segment '2' by 'y', which is not there\. Translated by: x\."
    with pytest.raises(DataError, match=absent):
        tally_votes(TEXTS, voted(("a", "2", "y")))
    with pytest.raises(DataError, match="Translated by: nobody"):
        tally_votes(TEXTS, voted(("a", "3", "x")))
    with pytest.raises(DataError, match="These are judgements of kind 'crowd-choice'; expected 'crowd-translation'"):
        tally_votes(voted(("a", "1", "x")), voted(("a", "1", "x")))
    with pytest.raises(DataError, match="There are no voted segments"):
        vote_support(Votes(()))
    with pytest.raises(DataError, match="There are no voted segments"):
        select_translations(Votes(()))
    with pytest.raises(DataError, match="chosen by votes or at random, got 'best'"):
        select_translations(Votes((VotedSegment("1", ("a",), (1,)),)), how="best")


def test_segments_without_votes_have_no_share() -> None:
    support = vote_support(Votes((VotedSegment("1", ("a", "b"), (0, 0)),)))
    assert (support.n, support.share_on(2), support.mean_winner_share) == (0, None, None)
    assert "Segments without votes: 1." in support.tables()[0].note


LONG = ["the cat sat on the mat", "a dog ran over the hill", "my house is very old", "rain fell in the night"]


def crew(**texts: list[str | None]) -> Judgements:
    return Judgements.of(
        TRANSLATIONS,
        [
            {
                "annotator": who,
                "segment": str(n),
                "text": text,
                "submitted": float(place),
                "task": "t",
                "seconds": 100.0,
            }
            for place, (who, lines) in enumerate(texts.items())
            for n, text in enumerate(lines)
        ],
    )


def test_each_sign_shows_where_it_should() -> None:
    table = crew(
        ann=LONG,
        bob=[line.replace("the", "that") for line in LONG],
        copy=LONG,
        none=[None] * 4,
        pasted=["machine words " + line for line in LONG],
    )
    machine = {str(n): "machine words " + line for n, line in enumerate(LONG)}
    found = {worker.name: worker for worker in review_workers(table, machine=machine).workers}
    assert (found["ann"].copied, found["copy"].copied, found["pasted"].machine) == (0, 1, 1)
    assert (found["none"].empty, found["none"].score, found["none"].related) == (1, 0, None)
    assert found["ann"].score > 0.9 > found["pasted"].score == found["copy"].score == 0
    assert (found["ann"].hasty, found["ann"].seconds, found["ann"].gloss, found["ann"].votes) == (0, 100, None, None)


def test_short_lines_are_nobodys_copy_and_without_times_nobody_copied() -> None:
    short = {worker.name: worker for worker in review_workers(crew(a=["yes", "no"], b=["yes", "no"])).workers}
    assert (short["a"].copied, short["b"].copied) == (None, None)
    table = translated(*((who, str(n), line) for who in "ab" for n, line in enumerate(LONG)))
    assert [worker.copied for worker in review_workers(table).workers] == [None, None]


def test_a_single_worker_has_nobody_to_be_compared_with() -> None:
    worker = review_workers(crew(ann=LONG)).workers[0]
    assert (worker.related, worker.score) == (None, 1)


def test_places_votes_and_glosses_are_shown_but_not_counted() -> None:
    rows: list[Row] = [
        {"annotator": who, "segment": str(n), "text": line, "said_country": "IN", "seen_country": seen}
        for who, seen in (("a", "IN"), ("b", "US"))
        for n, line in enumerate(LONG)
    ]
    table = Judgements.of(TRANSLATIONS, rows)
    votes = tally_votes(table, voted(*(("v", str(n), "a") for n in range(4))))
    glosses = {str(n): line for n, line in enumerate(LONG)}
    found = {worker.name: worker for worker in review_workers(table, votes=votes, glosses=glosses).workers}
    assert (found["a"].elsewhere, found["b"].elsewhere) == (0, 1)
    assert (found["a"].votes, found["b"].votes) == (2, 0)
    assert found["a"].gloss == found["b"].gloss > 50
    assert found["a"].score == found["b"].score


def test_reviews_that_cannot_be() -> None:
    with pytest.raises(DataError, match="There are no translations to review"):
        review_workers(translated())
    rows = [{"annotator": "a", "segment": str(n), "text": "x", "task": "t", "seconds": float(n)} for n in (1, 2)]
    with pytest.raises(DataError, match="The task 't' of a took 1 and 2 seconds; the time is that of the whole task"):
        review_workers(Judgements.of(TRANSLATIONS, rows))


def test_glosses_take_the_longest_entry() -> None:
    dictionary = {"guten": "good", "guten morgen": "good morning", "welt": "world"}
    assert monotone_gloss("Guten Morgen liebe  Welt", dictionary) == "good morning liebe world"
    assert monotone_gloss("Guten Morgen", dictionary, longest=1) == "good Morgen"
    assert monotone_gloss("", dictionary) == ""


def answers(*rows: tuple[str, str, str | None]) -> Judgements:
    return Judgements.of(CONTROL_ANSWERS, [{"annotator": a, "item": i, "answer": t} for a, i, t in rows])


def test_controls_accept_and_reject() -> None:
    table = answers(
        ("good", "1", "The Cat!"),
        ("good", "2", "dog"),
        ("bad", "1", "cow"),
        ("bad", "2", None),
        ("bad", "3", "x"),
        ("new", "3", "y"),
        ("late", "1", "cow"),
        ("late", "1", "the cat"),
    )
    result = check_controls(table, {"1": ["cat", "the cat"], "2": ["dog"]}, threshold=0.5, min_controls=2)
    found = {worker.name: worker for worker in result.workers}
    assert (found["good"].accuracy, found["good"].accepted) == (1, True)
    assert (found["bad"].accuracy, found["bad"].n_items, found["bad"].accepted) == (0, 3, False)
    assert (found["new"].accuracy, found["new"].accepted) == (None, None)
    assert (found["late"].accuracy, found["late"].accepted) == (
        1,
        None,
    )  # the last answer holds; one control is too few
    assert (result.meta()["n_rejected"], result.meta()["n_undecided"]) == (1, 2)
    with pytest.raises(DataError, match="None of the answered items has a key"):
        check_controls(table, {"9": ["x"]}, threshold=0.5)
    with pytest.raises(DataError, match="The threshold is a share from 0 to 1, got 60"):
        check_controls(table, {"1": ["x"]}, threshold=60)
    with pytest.raises(DataError, match="at least one control, got min_controls=0"):
        check_controls(table, {"1": ["x"]}, threshold=0.5, min_controls=0)


@given(
    st.lists(st.sampled_from("abc"), min_size=1, max_size=60),
    st.sampled_from([None, {"train": 7, "dev": 1, "test": 1, "more": 1}, {"a": 1, "b": 1}, {"a": 5, "b": 3, "c": 2}]),
    st.sampled_from([None, 1, 2]),
)
def test_every_part_is_within_one_document_of_its_share(categories, shares, seed) -> None:
    documents = [Document(str(n), category) for n, category in enumerate(categories)]
    split = split_documents(documents, shares=shares, seed=seed)
    counts = Counter((d.category, part) for d, part in zip(documents, split.parts, strict=True))
    total = sum(split.shares.values())
    for category, n in Counter(categories).items():
        for part, share in split.shares.items():
            assert abs(counts[category, part] - n * share / total) < 1


def test_documents_that_cannot_be_dealt() -> None:
    twice = [Document("1", "a"), Document("1", "a"), Document("2", "a")]
    split = split_documents(twice)
    assert split.parts[0] == split.parts[1] == split.part_of("1")
    with pytest.raises(UnknownName, match="No document is called '3'"):
        split.part_of("3")
    with pytest.raises(DataError, match="The document '1' is in the categories 'a' and 'b': it could go to two parts"):
        split_documents([Document("1", "a"), Document("1", "b")])
    with pytest.raises(DataError, match="There are no documents to deal"):
        split_documents([])
    with pytest.raises(DataError, match="Every part needs a share from 1 on"):
        split_documents(twice, shares={"a": 0})


def test_the_bar() -> None:
    bar = human_bar({"a": ["the cat sat on it", ""], "b": ["the cat sat on it", "a dog"], "c": ["x y z", "a dog"]})
    assert (bar.n, round(bar.scores[0], 1)) == ((1, 2, 2), 100.0)
    assert "nrefs:2" in bar.signature
    with pytest.raises(DataError, match="compared with others; got 1 translations"):
        human_bar({"a": ["x"]})
    with pytest.raises(DataError, match="All lines of 'a' are empty"):
        human_bar({"a": [""], "b": ["x"]})
    with pytest.raises(DataError, match="Streams must have one line per segment, got a=1, b=2"):
        human_bar({"a": ["x"], "b": ["x", "y"]})


def test_commands_say_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "v.tsv").write_text("1\t1\ta\t1\n")
    done = CliRunner().invoke(group, ["study", "crowd", "votes", str(tmp_path / "v.tsv"), "--weights", "agreement"])
    assert done.exit_code == 2
    assert "name the --translations" in done.output
    (tmp_path / "d.tsv").write_text("1\tx\tX\tMISC\n")
    done = CliRunner().invoke(group, ["study", "crowd", "split", str(tmp_path / "d.tsv"), "--share", "training"])
    assert done.exit_code == 2
    assert "write PART=N" in done.output
    assert CliRunner().invoke(group, ["study", "crowd", "split", str(tmp_path / "d.tsv")]).exit_code == 0
    done = CliRunner().invoke(group, ["study", "crowd", "select", str(tmp_path / "v.tsv"), "--random"])
    assert "Chosen by chance alone" in done.output
