"""Vocabularies against a dict, and everything that can be wrong with their files."""

from __future__ import annotations

import struct
import threading
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from dragoman.errors import DataError, FormatError, ModelError, UnknownName
from dragoman.text import TokenIds, Vocabulary
from dragoman.text.surface import NoTokeniser, Tokeniser13a

words = st.one_of(
    st.text(max_size=6), st.sampled_from(["", "a", "b", "the", "the ", "\0", "\0\0", "é", "e\u0301", "漢字", "😀"])
)


class AgainstADict(RuleBasedStateMachine):
    """Whatever is done to a vocabulary, a dict and a Counter tell what must come out."""

    def __init__(self) -> None:
        super().__init__()
        self.vocabulary = Vocabulary(counted=True)
        self.model: dict[str, int] = {}
        self.counter: Counter[str] = Counter()

    def meet(self, word: str) -> int:
        self.counter[word] += 1
        return self.model.setdefault(word, len(self.model))

    @rule(batch=st.lists(words, max_size=40), n_threads=st.sampled_from([1, 2, 7]))
    def take_words(self, batch: list[str], n_threads: int) -> None:
        expected = [self.meet(word) for word in batch]
        assert self.vocabulary.ids(batch, n_threads=n_threads).tolist() == expected

    @rule(batch=st.lists(st.lists(words, max_size=9).map(" ".join), max_size=9), n_threads=st.sampled_from([1, 2, 7]))
    def take_lines(self, batch: list[str], n_threads: int) -> None:
        expected = [[self.meet(word) for word in line.split()] for line in batch]
        tokens = NoTokeniser().encode(batch, self.vocabulary, n_threads=n_threads)
        assert [line.tolist() for line in tokens] == expected
        assert tokens.lengths().tolist() == [len(line) for line in expected]
        assert self.vocabulary.decode(tokens) == [" ".join(line.split()) for line in batch]

    @rule(others=st.lists(st.lists(words, max_size=20), max_size=3))
    def merge(self, others: list[list[str]]) -> None:
        vocabularies = []
        for met in others:
            vocabularies.append(Vocabulary(counted=True))
            vocabularies[-1].ids(met)
        before = self.vocabulary.words()
        merged = self.vocabulary.merge(*vocabularies)
        assert self.vocabulary.words() == before
        for met in others:
            for word in met:
                self.meet(word)
        for vocabulary, mapping in zip([self.vocabulary, *vocabularies], merged.maps, strict=True):
            assert [merged.vocabulary.word(i) for i in mapping.tolist()] == vocabulary.words()
        self.vocabulary = merged.vocabulary

    @rule(min_count=st.integers(0, 4))
    def prune(self, min_count: int) -> None:
        kept = [word for word in self.model if self.counter[word] >= min_count]
        pruned = self.vocabulary.pruned(min_count)
        renumbered = {word: number for number, word in enumerate(kept)}
        assert pruned.map.tolist() == [renumbered.get(word, -1) for word in self.model]
        self.vocabulary, self.model = pruned.vocabulary, renumbered
        self.counter = Counter({word: self.counter[word] for word in kept})

    @rule()
    def thaw(self) -> None:
        self.vocabulary = self.vocabulary.freeze().thawed()

    @rule(word=words)
    def ask(self, word: str) -> None:
        assert self.vocabulary.get(word) == self.model.get(word)
        assert (word in self.vocabulary) == (word in self.model)

    @invariant()
    def agrees(self) -> None:
        assert len(self.vocabulary) == len(self.model)
        assert self.vocabulary.words() == list(self.model)
        assert self.vocabulary.counts.tolist() == [self.counter[word] for word in self.model]


TestAgainstADict = AgainstADict.TestCase
TestAgainstADict.settings = settings(stateful_step_count=15)


@given(st.lists(words, max_size=50), st.booleans(), st.none() | words)
def test_a_saved_vocabulary_comes_back(
    tmp_path_factory: pytest.TempPathFactory, met: list[str], counted: bool, unk: str | None
) -> None:
    path = tmp_path_factory.mktemp("vocabulary") / "v"
    vocabulary = Vocabulary(unk=unk, counted=counted)
    vocabulary.ids(met)
    vocabulary.save(path)
    loaded = Vocabulary.load(path)
    assert loaded.words() == vocabulary.words()
    assert (loaded.frozen, loaded.counted, loaded.unk, loaded.unk_id) == (True, counted, unk, vocabulary.unk_id)
    if counted:
        assert loaded.counts.tolist() == vocabulary.counts.tolist()
    assert [loaded.get(word) for word in met] == [vocabulary.get(word) for word in met]
    assert loaded.thawed().ids(["quite new"]).tolist() == [len(vocabulary)]
    loaded.save(path)  # over the file it stands on
    assert Vocabulary.load(path).words() == loaded.words() == vocabulary.words()


def test_many_words_keep_their_ids_through_growth_and_file(tmp_path: Path) -> None:
    many = [f"word{i * 7919 % 100_003}" for i in range(100_003)]
    vocabulary = Vocabulary(many)
    assert vocabulary.ids(many, n_threads=2).tolist() == list(range(len(many)))
    vocabulary.save(tmp_path / "v")
    assert Vocabulary.load(tmp_path / "v").ids(many[::-1]).tolist() == list(range(len(many)))[::-1]


def test_unknown_words_in_a_frozen_vocabulary() -> None:
    vocabulary = Vocabulary(["a", "b"], unk="<unk>")
    assert (vocabulary.words(), vocabulary.unk_id) == (["<unk>", "a", "b"], 0)
    vocabulary.freeze()
    assert NoTokeniser().encode(["b x a", "y"], vocabulary).ids.tolist() == [2, 0, 1, 0]
    assert len(vocabulary) == 3
    without = Vocabulary(["a"]).freeze()
    message = r"Line 2: the frozen vocabulary does not know 'x' and has no word for the unknown\. Make it with unk="
    for n_threads in (1, 2):
        with pytest.raises(DataError, match=message):
            NoTokeniser().encode(["a", "a x", "y"], without, n_threads=n_threads)
    with pytest.raises(DataError, match=r"does not know 'é{29}à…' and"):
        without.ids(["é" * 29 + "à" * 1000])


def test_counts_stop_when_frozen() -> None:
    vocabulary = Vocabulary(["never met"], counted=True)
    vocabulary.ids(["a", "a", "b"])
    vocabulary.freeze().ids(["a"])
    assert vocabulary.counts.tolist() == [0, 2, 1]


def test_pruned_words_go_to_the_unknown() -> None:
    vocabulary = Vocabulary(unk="?", counted=True)
    vocabulary.ids(["c", "a", "b", "a", "b", "a"])
    pruned = vocabulary.pruned(2)
    assert pruned.vocabulary.words() == ["?", "a", "b"]
    assert pruned.vocabulary.counts.tolist() == [1, 3, 2]
    assert pruned.map.tolist() == [0, 0, 1, 2]
    assert pruned.vocabulary.unk == "?"


def test_merging_takes_over_a_word_for_the_unknown() -> None:
    merged = Vocabulary(["a"]).merge(Vocabulary(["b"], unk="?"))
    assert (merged.vocabulary.words(), merged.vocabulary.unk_id) == (["a", "?", "b"], 1)


def test_what_cannot_be_merged_is_refused() -> None:
    with pytest.raises(DataError, match=r"different words for the unknown cannot be merged: '<unk>', '\?'\."):
        Vocabulary(unk="?").merge(Vocabulary(unk="<unk>"))
    with pytest.raises(DataError, match="A counted vocabulary can be merged only with counted ones"):
        Vocabulary(counted=True).merge(Vocabulary())


def test_what_needs_counts_says_so() -> None:
    with pytest.raises(DataError, match=r"The vocabulary has no counts\. Make it with counted=True"):
        _ = Vocabulary(["a"]).counts
    with pytest.raises(DataError, match="The vocabulary has no counts"):
        Vocabulary(["a"]).pruned(2)


def test_words_and_ids_that_are_not_there() -> None:
    vocabulary = Vocabulary(["a"])
    with pytest.raises(UnknownName, match=r"The vocabulary of 1 words has no word 'b'\."):
        vocabulary.id("b")
    for number in (1, -1, 2**40):
        with pytest.raises(DataError, match=rf"There is no word with id {number}: the vocabulary has 1 words"):
            vocabulary.word(number)
    assert vocabulary.id("a") == 0
    assert 5 not in vocabulary
    assert list(vocabulary) == ["a"]
    assert repr(vocabulary) == "<Vocabulary of 1 words, growing, unk=None, counted=False>"


def test_a_lone_surrogate_is_no_word() -> None:
    for call in (Vocabulary().get, Vocabulary().id, lambda word: Vocabulary(unk=word)):
        with pytest.raises(DataError, match="The word holds a lone surrogate, which is no character"):
            call("\ud800")


def test_decoding_checks_ids_and_offsets() -> None:
    vocabulary = Vocabulary(["a", "b"])
    ids, offsets = np.array([0, 1], np.int32), np.array([0, 1, 2], np.int64)
    assert vocabulary.decode(TokenIds(ids, offsets)) == ["a", "b"]
    for wrong in ([0, 1], [1, 2], [0, 2, 1], [0, 3], []):
        with pytest.raises(DataError, match=r"The offsets of lines must rise from 0 to the number of ids, 2\."):
            vocabulary.decode(TokenIds(ids, np.array(wrong, np.int64)))
    with pytest.raises(DataError, match="Token 2 has the id 2, but the vocabulary has 2 words"):
        vocabulary.decode(TokenIds(np.array([0, 2], np.int32), offsets))
    with pytest.raises(TypeError):
        vocabulary.decode(TokenIds(ids.astype(np.int64), offsets))  # type: ignore[arg-type]


def test_ids_are_read_only_and_lines_are_counted_from_0() -> None:
    tokens = NoTokeniser().encode(["a b", "", "c"], Vocabulary())
    assert not tokens.ids.flags.writeable
    assert [line.tolist() for line in tokens] == [[0, 1], [], [2]]
    assert tokens[-1].tolist() == [2]
    with pytest.raises(DataError, match=r"There is no line 3: the batch has 3 lines, counted from 0\."):
        tokens[3]
    with pytest.raises(DataError, match=r"There is no line -1: the batch has 0 lines"):
        NoTokeniser().batch([]).tokens(-1)


def test_threads_of_the_caller_may_share_a_growing_vocabulary() -> None:
    vocabulary = Vocabulary(counted=True)
    lines = [f"w{i % 97} w{i % 89}, w{i}" for i in range(3000)]
    results: list[TokenIds] = []
    threads = [
        threading.Thread(target=lambda: results.append(Tokeniser13a().encode(lines, vocabulary, n_threads=2)))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    expected = Tokeniser13a().tokenise(lines)
    assert all(vocabulary.decode(result) == expected for result in results)
    assert vocabulary.counts.sum() == 4 * sum(len(line.split()) for line in expected)


# Files


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    vocabulary = Vocabulary(unk="<unk>", counted=True)
    vocabulary.ids(["eins", "zwei", "drei", "vier", "zwei"])
    vocabulary.save(tmp_path / "v")
    return tmp_path / "v"


def test_every_changed_byte_is_noticed(saved: Path) -> None:
    content = saved.read_bytes()
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0x40
        saved.write_bytes(changed)
        with pytest.raises(ModelError, match="v: "):
            Vocabulary.load(saved)


def test_every_truncation_is_noticed(saved: Path) -> None:
    content = saved.read_bytes()
    for size in range(len(content)):
        saved.write_bytes(content[:size])
        with pytest.raises(
            ModelError, match=r"v: (the file is empty|this is no vocabulary file|the vocabulary has \d+ bytes and)"
        ):
            Vocabulary.load(saved)
    saved.write_bytes(content + b"\0")
    with pytest.raises(
        ModelError, match=rf"has {len(content) + 1} bytes and should have {len(content)}\. Copy it again, whole\."
    ):
        Vocabulary.load(saved)


def test_another_version_is_named(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    content[12:16] = struct.pack("=I", 9)
    saved.write_bytes(content)
    with pytest.raises(
        ModelError, match=r"the vocabulary has format 9; this version reads format 1\. Build it again\."
    ):
        Vocabulary.load(saved)


def test_another_byte_order_is_named(saved: Path) -> None:
    content = bytearray(saved.read_bytes())
    content[8:12] = content[8:12][::-1]
    saved.write_bytes(content)
    with pytest.raises(ModelError, match=r"saved on a machine of another byte order\. Build it again on this one\."):
        Vocabulary.load(saved)


def test_damage_is_named(saved: Path) -> None:
    content = saved.read_bytes()
    saved.write_bytes(content[:20] + b"\xff" + content[21:])
    with pytest.raises(
        ModelError, match=r"damaged \(checksum of the header differs\)\. Build it again or copy it again"
    ):
        Vocabulary.load(saved)
    saved.write_bytes(content[:-1] + b"\xff")
    with pytest.raises(ModelError, match=r"damaged \(checksum differs\)\. Build it again or copy it again"):
        Vocabulary.load(saved)


def test_a_word_list_is_no_vocabulary_file(tmp_path: Path) -> None:
    path = tmp_path / "words.txt"
    path.write_text("eins\nzwei\n" * 20, encoding="utf-8")
    with pytest.raises(
        ModelError, match=r"words\.txt: this is no vocabulary file\. .* read a word list with read_words"
    ):
        Vocabulary.load(path)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"There is no vocabulary file .*nowhere\."):
        Vocabulary.load(tmp_path / "nowhere")


def test_an_interrupted_save_leaves_the_old_file(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(path: Path, content: bytes) -> None:
        with path.open("wb") as stream:
            stream.write(content[:50])
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "write_bytes", interrupted)
    with pytest.raises(KeyboardInterrupt):
        Vocabulary(["new"]).save(saved)
    assert [path.name for path in saved.parent.iterdir()] == ["v"]
    assert "zwei" in Vocabulary.load(saved)


# Word lists


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\t\n\r\ufeff", exclude_categories=["Cs"]), min_size=1), unique=True
    ),
    st.booleans(),
)
def test_a_word_list_comes_back(tmp_path_factory: pytest.TempPathFactory, met: list[str], counted: bool) -> None:
    path = tmp_path_factory.mktemp("words") / "words.txt.gz"
    vocabulary = Vocabulary(counted=counted)
    vocabulary.ids(met + met[1:])
    vocabulary.write_words(path)
    back = Vocabulary.read_words(path)
    assert back.words() == met
    assert not back.frozen
    if counted and met:
        assert back.counts.tolist() == vocabulary.counts.tolist()


def test_the_unknown_keeps_its_place_in_a_list(tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text("a\t5\n<unk>\t2\n", encoding="utf-8")
    vocabulary = Vocabulary.read_words(path, unk="<unk>")
    assert (vocabulary.words(), vocabulary.unk_id, vocabulary.counts.tolist()) == (["a", "<unk>"], 1, [5, 2])
    vocabulary = Vocabulary.read_words(path, unk="?")
    assert (vocabulary.words(), vocabulary.unk_id, vocabulary.counts.tolist()) == (["?", "a", "<unk>"], 0, [0, 5, 2])


@pytest.mark.parametrize("word", ["", "a\tb", "a\nb", "a\r", "\ufeffa"])
def test_a_word_that_a_list_cannot_hold_is_refused(word: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"Word 1 cannot stand in a word list: .* Use save\(\), which takes any word\."):
        Vocabulary(["good", word]).write_words(tmp_path / "words")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a\n\nb\n", r"words:2: the line has no word\. Delete it\."),
        ("a\nb\na\n", r"words:3: 'a' stands already on line 1\."),
        ("a\t1\nb\n", r"words:2: counts must stand on every line or on none\."),
        ("a\nb\t1\n", r"words:2: counts must stand on every line or on none\."),
        ("a\t-1\n", r"words:1: the count is '-1'; expected a whole number of at most 18 digits\."),
        ("a\t1\t2\n", r"words:1: the count is '1\\t2'; expected a whole number"),
        ("a\t1234567890123456789\n", r"words:1: the count is '1234567890123456789'; expected"),
    ],
)
def test_wrong_lines_of_a_list_are_named(content: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "words"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        Vocabulary.read_words(path)
