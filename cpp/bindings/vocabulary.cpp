#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>

#include <algorithm>
#include <optional>
#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/text/token_batch.hpp"
#include "dragoman/text/vocabulary.hpp"
#include "lines.hpp"
#include "strings.hpp"

namespace dragoman::bindings::vocabulary_area {

using namespace nb::literals;
using text::TokenId;
using text::Vocabulary;

namespace {

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

template <class T>
std::span<const T> view(const Array<T>& array) {
  return {array.data(), array.size()};
}

nb::tuple to_arrays(text::TokenIds&& tokens) {
  return nb::make_tuple(owned_array(std::move(tokens.ids)), owned_array(std::move(tokens.offsets)));
}

nb::tuple encode(Vocabulary& vocabulary, nb::handle sequence, const text::Tokeniser& tokeniser, unsigned n_threads) {
  const StrLines lines(sequence);
  text::TokenIds tokens;
  {
    nb::gil_scoped_release unlocked;
    tokens = vocabulary.encode(lines, tokeniser, n_threads);
  }
  return to_arrays(std::move(tokens));
}

nb::tuple encode_batch(Vocabulary& vocabulary, const text::TokenBatch& batch, unsigned n_threads) {
  text::TokenIds tokens;
  {
    nb::gil_scoped_release unlocked;
    tokens = vocabulary.encode(text::BatchLines(batch), text::NoTokeniser(), n_threads);
  }
  return to_arrays(std::move(tokens));
}

auto encode_words(Vocabulary& vocabulary, nb::handle sequence, unsigned n_threads) {
  const StrLines words(sequence);
  std::vector<TokenId> ids;
  {
    nb::gil_scoped_release unlocked;
    ids = vocabulary.encode_words(words, n_threads);
  }
  return owned_array(std::move(ids));
}

void declare(Vocabulary& vocabulary, nb::handle sequence, std::optional<Array<std::int64_t>> counts) {
  const StrLines words(sequence);
  const auto numbers = counts ? view(*counts) : std::span<const std::int64_t>();
  nb::gil_scoped_release unlocked;
  vocabulary.declare(words, numbers);
}

auto find_words(const Vocabulary& vocabulary, nb::handle sequence) {
  const Lines words(sequence);
  std::vector<TokenId> ids(words.views().size());
  nb::gil_scoped_release unlocked;
  std::ranges::transform(words.views(), ids.begin(), [&](std::string_view word) { return vocabulary.find(word); });
  return ids;
}

nb::list all_words(const Vocabulary& vocabulary) {
  StrBlock block;
  {
    nb::gil_scoped_release unlocked;
    vocabulary.for_each_word([&](std::string_view word) { block.add(word); });
  }
  return block.to_list();
}

nb::list decode(const Vocabulary& vocabulary, Array<TokenId> ids, Array<std::int64_t> offsets) {
  StrBlock block;
  {
    nb::gil_scoped_release unlocked;
    vocabulary.decode(view(ids), view(offsets), [&](std::string_view text) { block.add(text); });
  }
  return block.to_list();
}

nb::tuple pruned(const Vocabulary& vocabulary, std::int64_t min_count) {
  auto [kept, mapping] = vocabulary.pruned(min_count);
  return nb::make_tuple(std::move(kept), owned_array(std::move(mapping)));
}

nb::bytes serialised(const Vocabulary& vocabulary) {
  Bytes file;
  {
    nb::gil_scoped_release unlocked;
    file = vocabulary.serialised();
  }
  return nb::bytes(file.data(), file.size());
}

std::unique_ptr<Vocabulary> on_file(Array<std::uint8_t> file) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Array<std::uint8_t>>(std::move(file));
  return Vocabulary::on_file(content, std::move(owner));
}

}  // namespace

void bind(nb::module_& m) {
  using Unlocked = nb::call_guard<nb::gil_scoped_release>;
  nb::class_<Vocabulary>(m, "Vocabulary", "Words and their int32 ids.")
      .def(nb::init<bool>(), nb::kw_only(), "counted"_a = false)
      .def("__len__", &Vocabulary::size, Unlocked())
      .def_prop_ro("frozen", &Vocabulary::frozen, Unlocked())
      .def_prop_ro("counted", &Vocabulary::counted)
      .def_prop_ro("unk", &Vocabulary::unk, "The id of the word for the unknown, or -1.")
      .def(
          "find", [](const Vocabulary& v, nb::str word) { return v.find(to_utf8(word)); }, "word"_a,
          "The id of a word, or -1.")
      .def("word", &Vocabulary::word, Unlocked(), "id"_a)
      .def(
          "find_words", [](const Vocabulary& v, nb::handle words) { return owned_array(find_words(v, words)); },
          "words"_a, nb::sig("def find_words(self, words: collections.abc.Sequence[str]) -> NDArray[numpy.int32]"),
          "The ids of words, -1 for those that are not there.")
      .def("words", &all_words, nb::sig("def words(self) -> list[str]"), "All words, in the order of their ids.")
      .def(
          "counts", [](const Vocabulary& v) { return owned_array(v.counts()); }, "How often each was met.")
      .def("encode", &encode, "lines"_a, "tokeniser"_a, nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def encode(self, lines: collections.abc.Sequence[str], tokeniser: Tokeniser, *, n_threads: int = 1)"
                   " -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
           "The ids of all tokens and the offsets of the lines.")
      .def("encode_batch", &encode_batch, "batch"_a, nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def encode_batch(self, batch: TokenBatch, *, n_threads: int = 1)"
                   " -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
           "The ids of all tokens of a batch and the offsets of the lines.")
      .def("encode_words", &encode_words, "words"_a, nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def encode_words(self, words: collections.abc.Sequence[str], *, n_threads: int = 1)"
                   " -> NDArray[numpy.int32]"),
           "The ids of words, each string being one.")
      .def("decode", &decode, "ids"_a.noconvert(), "offsets"_a.noconvert(),
           nb::sig("def decode(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> list[str]"),
           "The lines of tokens, separated by spaces.")
      .def("declare", &declare, "words"_a, "counts"_a.noconvert() = nb::none(),
           nb::sig("def declare(self, words: collections.abc.Sequence[str], counts: NDArray[numpy.int64] | None = None)"
                   " -> None"),
           "Take in words that are not counted as met, perhaps with counts from elsewhere.")
      .def(
          "name_unk", [](Vocabulary& v, nb::str word) { v.name_unk(to_utf8(word)); }, "word"_a,
          "Make this the word for the unknown; it enters if it is new.")
      .def("freeze", &Vocabulary::freeze, Unlocked())
      .def("thawed", &Vocabulary::thawed, Unlocked(), "A growing copy.")
      .def(
          "absorb", [](Vocabulary& v, const Vocabulary& other) { return owned_array(v.absorb(other)); }, "other"_a,
          "Take in all words of another vocabulary; the new id of each.")
      .def("pruned", &pruned, "min_count"_a,
           nb::sig("def pruned(self, min_count: int) -> tuple[Vocabulary, NDArray[numpy.int32]]"),
           "What was met often enough, and the new id of each old word.")
      .def("serialised", &serialised, "The content of a vocabulary file.")
      .def_static("on_file", &on_file, "file"_a.noconvert(), nb::sig("def on_file(file: memoryview) -> Vocabulary"),
                  "A frozen vocabulary on the mapped content of a file.");
}

}  // namespace dragoman::bindings::vocabulary_area
