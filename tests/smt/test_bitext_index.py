"""Phrases looked up in an indexed text: the same as a table's; what is learnt is there at once, and on disk."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman import _core
from dragoman.align.sampler import Sampler
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.smt import BitextIndex, Engine, EngineRecipe, LearntPair, PhraseExtraction, PhraseSampling
from dragoman.smt.inspection import inspect_engine
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.smt.tuning import Tuning
from tests.smt.test_extraction import Sentence, aligned
from tests.smt.test_tables import pairs_of, sentences

EVERYTHING = PhraseSampling(samples=0, inverse_samples=0, translations_per_phrase=0)
texts = st.lists(sentences(), min_size=1, max_size=6)


def learnt(sentence: Sentence) -> LearntPair:
    source, target, links = sentence
    return LearntPair(" ".join(source), " ".join(target), " ".join(f"{s}-{t}" for s, t in sorted(links)))


def table_of(index: BitextIndex, lines: list[str]) -> bytes:
    """All that is found for lines, as the bytes of a table file."""
    return index.sample(_core.text.surface_tokeniser("none").batch(lines)).table.serialised()


@given(texts, st.sampled_from(["none", "word", "hierarchical"]), st.integers(1, 3))
def test_if_all_occurrences_are_looked_at_the_scores_are_those_of_the_extracted_table(
    text: list[Sentence], orientation: str, longest: int
) -> None:
    recipe = PhraseExtraction(smoothing="none", translations_per_phrase=0, orientation=orientation, longest=longest)
    table = recipe.extract(*aligned(text))
    sampling = PhraseSampling(
        samples=0, inverse_samples=0, translations_per_phrase=0, orientation=orientation, longest=longest
    )
    index = sampling.index(*aligned(text))
    for source, _, _ in text:
        for begin in range(len(source)):
            for end in range(begin + 1, len(source) + 1):
                phrase = " ".join(source[begin:end])
                assert index.translations(phrase) == table.translations(phrase)
    assert index.translations("z") == index.translations("") == []


@given(texts, st.integers(0, 6), st.integers(1, 4))
def test_what_is_found_does_not_depend_on_when_pairs_came(text: list[Sentence], cut: int, samples: int) -> None:
    cut = min(cut, len(text))
    sampling = PhraseSampling(samples=samples, inverse_samples=samples)
    lines = [" ".join(source) for source, _, _ in text]
    whole = sampling.index(*aligned(text))
    grown = sampling.index(*aligned(text[:cut]))
    for sentence in text[cut:]:
        grown.learn([learnt(sentence)])
    assert grown.core.n_added == len(text) - cut
    assert table_of(grown, lines) == table_of(whole, lines)
    grown.core.serialised()  # makes one array of both
    assert grown.core.n_added == 0
    assert table_of(grown, lines) == table_of(whole, lines)
    for n_threads in (2, 7):
        batch = _core.text.surface_tokeniser("none").batch(lines)
        assert whole.sample(batch, n_threads=n_threads).table.serialised() == table_of(whole, lines)


def test_samples_are_evenly_spaced_and_stand_for_the_whole() -> None:
    # Sorted by what follows: a A, a B, a B, a B; two of the four are the first and the third.
    text: list[Sentence] = [
        (["a", word], [target, word.upper()], frozenset({(0, 0), (1, 1)}))
        for word, target in (("b", "X"), ("c", "Y"), ("c", "Y"), ("c", "Y"))
    ]
    index = PhraseSampling(samples=2).index(*aligned(text))
    found = {pair.target: pair.scores for pair in index.translations("a")}
    assert {target: round(scores[-3]) for target, scores in found.items()} == {"X": 1, "Y": 1}
    np.testing.assert_allclose([np.exp(found["X"][2]), np.exp(found["Y"][2])], 0.5)
    assert round(found["Y"][-1]) == 3  # of the whole: two for the one that was seen, of three
    np.testing.assert_allclose(np.exp(found["Y"][0]), 2 / 3, rtol=1e-5)


def test_a_coherent_estimate_counts_occurrences_without_a_translation() -> None:
    text: list[Sentence] = [(["a", "b"], ["A"], frozenset({(0, 0), (1, 0)})), (["a"], ["A"], frozenset({(0, 0)}))]
    assert np.exp(EVERYTHING.index(*aligned(text)).translations("a")[0].scores[2]) == 1
    coherent = PhraseSampling(coherent=True).index(*aligned(text))
    np.testing.assert_allclose(np.exp(coherent.translations("a")[0].scores[2]), 0.5)


def small_index(tmp_path: Path) -> Path:
    EVERYTHING.index(*aligned([(["a", "b"], ["A", "B"], frozenset({(0, 0), (1, 1)}))])).save(tmp_path / "index")
    return tmp_path / "index"


def test_what_was_learnt_is_there_after_a_crash_and_a_line_cut_short_is_not(tmp_path: Path) -> None:
    folder = small_index(tmp_path)
    index = BitextIndex.load(folder)
    index.learn([LearntPair("a new", "A neu", "0-0 1-1")])
    journal = folder / "learnt.jsonl"
    whole = journal.read_bytes()
    journal.write_bytes(whole + b'{"source": "c", "tar')  # no call to learn had returned
    again = BitextIndex.load(folder)
    assert len(again) == 2
    assert [pair.target for pair in again.translations("new")] == ["neu"]
    again.learn([LearntPair("d", "D", "0-0")])
    assert [json.loads(line)["source"] for line in journal.read_bytes().splitlines()] == ["a new", "d"]
    assert pairs_of(BitextIndex.load(folder)) == pairs_of(again)
    again.save(folder)  # the pairs become part of the index
    assert not journal.exists()
    assert (len(BitextIndex.load(folder)), BitextIndex.load(folder).core.n_added) == (3, 0)
    again.learn([LearntPair("e", "E", "0-0")])
    assert [pair.target for pair in BitextIndex.load(folder).translations("e")] == ["E"]


def test_two_that_share_a_folder_learn_from_each_other_in_one_order(tmp_path: Path) -> None:
    folder = small_index(tmp_path)
    one, other = BitextIndex.load(folder), BitextIndex.load(folder)
    one.learn([LearntPair("x", "X", "0-0")])
    other.learn([LearntPair("y", "Y", "0-0")])  # sees x first
    assert one.refresh() == 1
    assert one.source.words() == other.source.words() == BitextIndex.load(folder).source.words()
    assert table_of(one, ["x y a b"]) == table_of(other, ["x y a b"])


def test_a_rollback_leaves_the_index_as_it_was_here_and_elsewhere(tmp_path: Path) -> None:
    text: list[Sentence] = [(["a", "b"], ["A", "B"], {(0, 0), (1, 1)})]
    lines = ["a b", "b c", "c d"]
    fresh = EVERYTHING.index(*aligned(text))
    before = table_of(fresh, lines)
    index, other = (BitextIndex.load(fresh.save(tmp_path / "index")) for _ in range(2))
    pairs = [LearntPair("b c", "B C", "0-0 1-1"), LearntPair("c d", "C D", "0-0 1-1")]
    index.learn(pairs[:1])
    one = table_of(index, lines)
    index.learn(pairs[1:])
    other.refresh()
    assert table_of(other, lines) == table_of(index, lines) != one
    assert index.rollback(2) == 1
    other.refresh()
    reloaded = BitextIndex.load(tmp_path / "index")
    assert table_of(index, lines) == table_of(other, lines) == table_of(reloaded, lines) == one
    assert other.rollback(1) == 1
    index.refresh()
    assert [len(each) for each in (index, other)] == [1, 1]
    assert table_of(index, lines) == table_of(BitextIndex.load(tmp_path / "index"), lines) == before
    index.learn(pairs[:1])
    assert table_of(index, lines) == one
    with pytest.raises(DataError, match=r"has 2 sentence pairs, of which 1 were learnt .* back to 1 or more, not to 0"):
        index.rollback(0)
    with pytest.raises(DataError, match="not to 3"):
        index.rollback(3)
    index.save(tmp_path / "index")
    index.learn(pairs[1:])
    with pytest.raises(DataError, match="back to 2 or more, not to 1"):
        index.rollback(1)
    index.rollback(2)
    assert table_of(index, lines) == table_of(BitextIndex.load(tmp_path / "index"), lines) == one
    fresh.learn(pairs)  # in memory
    assert fresh.rollback(1) == 2
    assert table_of(fresh, lines) == before
    (tmp_path / "index" / "learnt.jsonl").write_text('{"n_pairs": "two"}\n')
    with pytest.raises(FormatError, match=r"learnt.jsonl:1: this is no learnt sentence pair"):
        BitextIndex.load(tmp_path / "index")


def test_wrong_pairs_are_refused_and_nothing_is_learnt(tmp_path: Path) -> None:
    folder = small_index(tmp_path)
    index = BitextIndex.load(folder)
    good = LearntPair("a", "A", "0-0")
    with pytest.raises(DataError, match="Sentence pair 2 has 1 and 1 tokens, but a link 0-1"):
        index.learn([good, LearntPair("a", "A", "0-1")])
    with pytest.raises(DataError, match="Sentence pair 1 has a side without words"):
        index.learn([LearntPair("", "A", ""), good])
    with pytest.raises(DataError, match="Sentence pair 1 has 1001 and 1 tokens; at most 1000"):
        index.learn([LearntPair("a " * 1001, "A", "")])
    assert len(index) == 1
    assert not (folder / "learnt.jsonl").exists()
    (folder / "learnt.jsonl").write_text('{"source": "a"}\n')
    with pytest.raises(FormatError, match=r"learnt.jsonl:1: this is no learnt sentence pair"):
        BitextIndex.load(folder)
    (folder / "learnt.jsonl").write_text('{"source": "a", "target": "A", "links": "0-7"}\n')
    with pytest.raises(FormatError, match="a link leads beyond its sentences"):
        BitextIndex.load(folder)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="this is no bitext index of Dragoman's"):
        _core.phrase.BitextIndex.on_file(memoryview(b"nothing of the kind" * 100))
    folder = small_index(tmp_path)
    content = (folder / "index.bin").read_bytes()
    with pytest.raises(DataError, match=r"has \d+ bytes and should have"):
        _core.phrase.BitextIndex.on_file(memoryview(content[:-8]))
    (folder / "index.bin").write_bytes(content[:-8])
    with pytest.raises(ModelError, match=r"index.bin is damaged"):
        BitextIndex.load(folder)


def test_threads_look_up_while_others_learn(tmp_path: Path) -> None:
    index = BitextIndex.load(small_index(tmp_path))
    failures: list[Exception] = []

    def look_up() -> None:
        try:
            for _ in range(60):
                for pair in index.translations("a"):
                    assert pair.target
        except Exception as error:
            failures.append(error)

    def learn(name: str) -> None:
        for i in range(20):
            index.learn([LearntPair(f"a {name}{i}", f"A{name}{i} B", "0-0 1-1")])

    threads = [Thread(target=look_up) for _ in range(2)] + [Thread(target=learn, args=(name,)) for name in "xy"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(index) == 41
    assert len(index.translations("a")) == 41


RECIPE = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))


@pytest.fixture(scope="module")
def searching(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("searching")
    train_engine(bitext, changed(RECIPE, ["index.use=only"]), work=folder / "work", output=folder / "engine")
    return folder / "engine"


def test_an_engine_on_all_occurrences_translates_as_one_with_a_table(
    bitext: Bitext, book: dict[str, list[str]], tmp_path: Path
) -> None:
    told = ["index.samples=0", "index.inverse_samples=0", "index.translations_per_phrase=100"]
    engines = [
        train_engine(bitext, changed(RECIPE, settings), work=tmp_path).engine
        for settings in (["phrases.smoothing=none"], ["index.use=only", *told])
    ]
    assert engines[0].feature_names == engines[1].feature_names
    srcs = book["en"][500:]
    decoded = [engine.decode(engine.source.prepare(srcs), n_best=3, features=True) for engine in engines]
    assert decoded[0].texts == decoded[1].texts
    np.testing.assert_array_equal(decoded[0].features, decoded[1].features)


def test_an_engine_uses_what_it_learnt_at_once_and_when_it_is_loaded_again(searching: Path) -> None:
    engine = Engine.load(searching)
    assert "Quarkauflauf" not in engine.translate(["I like gazumpwurst ."])[0]
    before = len(engine.models.index) if engine.models.index else 0
    assert engine.learn(["gazumpwurst", "the gazumpwurst ."], ["Quarkauflauf", "der Quarkauflauf ."]) == before + 2
    expected = engine.translate(["I like gazumpwurst ."])
    assert "Quarkauflauf" in expected[0]
    again = Engine.load(searching)
    assert again.translate(["I like gazumpwurst ."]) == expected
    for n_threads in (2, 7):
        assert again.translate(["I like gazumpwurst ."], n_threads=n_threads) == expected
    assert dict(inspect_engine(searching).tables()[0].rows)["index"].endswith("in the place of a phrase table")


def test_what_was_learnt_is_linked_by_the_recipes_aligner(searching: Path) -> None:
    engine = Engine.load(searching)
    assert engine.models.aligner is not None
    assert engine.models.aligner.recipe.to_dict() == {"method": "sampler", **Sampler(samplers=1).to_dict()}


def test_a_learnt_word_is_not_read_as_a_related_one_and_has_no_class(searching: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(searching, tmp_path / "engine"))
    engine, other = Engine.load(copy), Engine.load(copy)
    line = "the stations"
    assert engine.source.prepare([line]) == other.source.prepare([line]) == ["the station"]
    engine.learn(["stations", "the stations"], ["Zugbahnhöfe", "die Zugbahnhöfe"])
    assert engine.source.prepare([line]) == [line]
    assert "Zugbahnhöfe" in engine.translate([line])[0]
    assert other.refresh() == 2
    assert other.refresh() == 0
    assert other.translate([line]) == engine.translate([line])
    assert "class-lm" in engine.feature_names
    decoded = engine.decode([line], n_best=10, features=True)
    vector = np.array(list(engine.weights.values()))
    np.testing.assert_allclose(decoded.features @ vector, decoded.scores, rtol=1e-4, atol=1e-3)


def test_an_engine_with_more_features_still_learns(searching: Path) -> None:
    engine = Engine.load(searching).with_features("word-pairs")
    assert engine.models.index is not None
    assert engine.models.aligner is not None
    names = engine.decode(["the hotel"], features=True).sparse.keys.tolist()
    assert any(engine.sparse_names.name(key).startswith("word-pairs ") for key in names)


def test_an_engine_takes_a_table_and_an_index_side_by_side(bitext: Bitext, tmp_path: Path) -> None:
    recipe = changed(RECIPE, ["index.use=beside"])
    train_engine(bitext, recipe, work=tmp_path / "w", output=tmp_path / "m")
    engine = Engine.load(tmp_path / "m")
    assert engine.feature_names[:8] == (*(f"table.{i}" for i in range(1, 5)), *(f"index.{i}" for i in range(1, 5)))
    decoded = engine.decode(engine.source.prepare(["Good morning."]), n_best=20, distinct=False, features=True)
    vector = np.array(list(engine.weights.values()))
    np.testing.assert_allclose(decoded.features @ vector, decoded.scores, rtol=1e-4, atol=1e-3)
    used = decoded.features[:, :8] != 0
    assert used[:, :4].any()
    assert used[:, 4:].any()
    engine.learn("gazumpwurst", "Quarkauflauf")
    assert engine.translate(["gazumpwurst"]) == ["Quarkauflauf"]


def test_an_engine_with_a_table_alone_says_how_to_get_one_that_learns(engine: Engine) -> None:
    with pytest.raises(DataError, match=r"cannot learn: its phrases are in a table.*index.use=only"):
        engine.learn("a", "b")


def test_lattices_need_a_table(searching: Path) -> None:
    from dragoman.smt import Constraints, Lattice

    engine = Engine.load(searching)
    with pytest.raises(DataError, match=r"does not take lattices.*--set index.use=none"):
        engine.decode(["a"], constraints=[Constraints(lattice=Lattice(((0, 1, "a", 0.0),)))])


@pytest.mark.realdata
def test_on_real_text_every_score_is_the_extracted_tables(data_folder: Path) -> None:
    from dragoman.files import read_lines
    from dragoman.smt.pairs import TokenisedPairs, align_pairs, encode
    from dragoman.smt.preparation import TextSide

    sides = [TextSide(lang, RECIPE.text) for lang in ("en", "de")]
    lines = [side.tokenise(read_lines(data_folder / "multi30k" / f"train.{side.lang}.gz")[:3000]) for side in sides]
    linked = align_pairs(TokenisedPairs(*lines), RECIPE, 2)
    table = PhraseExtraction(smoothing="none", translations_per_phrase=0).extract(
        linked.text, linked.source, linked.target, n_threads=2
    )
    index = EVERYTHING.index(linked.text, linked.source, linked.target, n_threads=2)
    held_out = sides[0].tokenise(read_lines(data_folder / "multi30k" / "val.en.gz"))
    ids = encode(linked.source.freeze(), held_out)
    found = index.core.table(ids.ids, ids.offsets, EVERYTHING.core(2))
    seen: set[tuple[int, ...]] = set()
    for begin, end in zip(ids.offsets[:-1].tolist(), ids.offsets[1:].tolist(), strict=True):
        words = ids.ids[begin:end].tolist()
        seen |= {tuple(words[a:b]) for a in range(len(words)) for b in range(a + 1, min(len(words), a + 7) + 1)}
    n_sources = 0
    for phrase in seen:
        asked = np.array(phrase, dtype=np.int32)
        expected = table.core.find(asked)
        assert found.find(asked) == expected
        n_sources += bool(expected)
    assert n_sources == found.n_sources > 5000
