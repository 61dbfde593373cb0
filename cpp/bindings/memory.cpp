#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <tuple>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/memory/index.hpp"
#include "dragoman/memory/words.hpp"
#include "lines.hpp"
#include "strings.hpp"

namespace dragoman::bindings::memory_area {

using namespace nb::literals;
using memory::Context;
using memory::Index;

namespace {

/// The hash of a neighbour's text, 0 for None.
std::uint64_t neighbour(nb::handle text) {
  return text.is_none() ? 0 : memory::context_hash(to_utf8(nb::cast<nb::str>(text)));
}

std::vector<Context> contexts_of(nb::handle previous, nb::handle next, std::size_t n) {
  if (nb::len(previous) != n || nb::len(next) != n) throw data_error("There must be two neighbours for each text.");
  std::vector<Context> contexts;
  contexts.reserve(n);
  for (std::size_t i = 0; i < n; ++i) contexts.push_back({neighbour(previous[i]), neighbour(next[i])});
  return contexts;
}

void add(Index& index, const Input<std::int64_t, 1>& ids, nb::handle sources, nb::handle targets, nb::handle previous,
         nb::handle next) {
  const Lines source_lines(sources), target_lines(targets);
  const std::size_t n = ids.size();
  if (source_lines.views().size() != n || target_lines.views().size() != n) {
    throw data_error("There must be one id, source and target for each unit.");
  }
  const auto contexts = contexts_of(previous, next, n);
  nb::gil_scoped_release unlocked;
  for (std::size_t i = 0; i < n; ++i) index.add(ids(i), source_lines.views()[i], target_lines.views()[i], contexts[i]);
}

std::size_t remove(Index& index, const Input<std::int64_t, 1>& ids) {
  nb::gil_scoped_release unlocked;
  std::size_t removed = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) removed += index.remove(ids(i)) ? 1 : 0;
  return removed;
}

using MatchRow = std::tuple<std::int64_t, double, std::string, std::string>;

std::vector<std::vector<MatchRow>> matches(const Index& index, nb::handle texts, nb::handle previous, nb::handle next,
                                           std::size_t most, double threshold, unsigned n_threads) {
  const Lines lines(texts);
  const auto contexts = contexts_of(previous, next, lines.views().size());
  std::vector<std::vector<MatchRow>> rows(contexts.size());
  {
    nb::gil_scoped_release unlocked;
    std::vector<memory::Query> queries;
    for (std::size_t i = 0; i < contexts.size(); ++i) queries.push_back({lines.views()[i], contexts[i]});
    auto found = index.matches(queries, most, threshold, n_threads);
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (auto& [id, score, source, target] : found[i]) {
        rows[i].emplace_back(id, score, std::move(source), std::move(target));
      }
    }
  }
  return rows;
}

using HitRow = std::tuple<std::int64_t, std::string, std::string, std::vector<std::pair<std::size_t, std::size_t>>>;

std::vector<HitRow> concordance(const Index& index, nb::str text, bool in_target, memory::Mode mode, std::size_t most) {
  const std::string query = to_utf8(text);
  std::vector<HitRow> rows;
  nb::gil_scoped_release unlocked;
  for (auto& [id, source, target, places] :
       index.concordance(query, in_target ? memory::Which::kTarget : memory::Which::kSource, mode, most)) {
    rows.emplace_back(id, std::move(source), std::move(target), std::move(places));
  }
  return rows;
}

/// Each token of a text: its folded form, its begin and end in characters, and what it is: 0 word, 1 mark, 2 code.
std::vector<std::tuple<std::string, std::size_t, std::size_t, int>> words(nb::str text) {
  const std::string utf8 = to_utf8(text);
  std::vector<std::tuple<std::string, std::size_t, std::size_t, int>> rows;
  std::string folded;
  std::size_t bytes = 0, chars = 0;
  const auto chars_before = [&](std::size_t end) {
    for (; bytes < end; ++bytes) chars += (static_cast<unsigned char>(utf8[bytes]) & 0xC0) != 0x80;
    return chars;
  };
  memory::for_each_word(utf8, [&](const memory::Word& word) {
    memory::fold(utf8, word, folded);
    const std::size_t begin = chars_before(word.begin);
    rows.emplace_back(folded, begin, chars_before(word.end), static_cast<int>(word.kind));
  });
  return rows;
}

}  // namespace

void bind(nb::module_& m) {
  m.def("words", &words, "text"_a);
  nb::enum_<memory::Mode>(m, "Mode", "How words are looked for.")
      .value("PHRASE", memory::Mode::kPhrase)
      .value("WORDS", memory::Mode::kWords)
      .value("EXACT", memory::Mode::kExact);
  nb::class_<Index>(m, "Index", "A translation memory that can be asked; see dragoman.cat.memory.")
      .def(nb::init<>())
      .def("__len__", &Index::size)
      .def_prop_ro("n_bytes", &Index::bytes)
      .def("add", &add, "ids"_a.noconvert(), "sources"_a, "targets"_a, "previous"_a, "next"_a)
      .def("remove", &remove, "ids"_a.noconvert())
      .def("matches", &matches, "texts"_a, "previous"_a, "next"_a, "most"_a, "threshold"_a, "n_threads"_a = 1)
      .def("concordance", &concordance, "text"_a, "in_target"_a, "mode"_a, "most"_a);
}

}  // namespace dragoman::bindings::memory_area
