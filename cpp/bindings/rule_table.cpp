#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "chart.hpp"
#include "dragoman/chart/moses_rules.hpp"
#include "dragoman/core/errors.hpp"
#include "strings.hpp"

namespace dragoman::bindings::rule_table_area {

using namespace nb::literals;
using chart::MosesRules;
using chart::RuleTable;
using text::TokenId;
using text::Vocabulary;

namespace {

std::unique_ptr<RuleTable> on_file(Input<std::uint8_t, 1> file) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Input<std::uint8_t, 1>>(std::move(file));
  nb::gil_scoped_release unlocked;
  return RuleTable::on_file(content, std::move(owner));
}

void add(MosesRules& rules, nb::str lines) {
  const auto text = to_utf8(lines);
  nb::gil_scoped_release unlocked;
  rules.add(text);
}

nb::tuple rule(const RuleTable& table, std::uint32_t number) {
  if (number >= table.n_rules()) throw nb::index_error("rule number out of range");
  const auto [label, target, links] = table.rule(number);
  std::vector<std::int64_t> symbols;
  for (const TokenId each : target) {
    symbols.push_back(graph::is_gap(each) ? -1 - static_cast<std::int64_t>(graph::tail_of(each)) : each);
  }
  std::vector<std::pair<int, int>> pairs;
  for (const auto& link : links) pairs.emplace_back(link.source, link.target);
  std::vector<float> scores(table.n_scores());
  table.scores(number, scores);
  return nb::make_tuple(label, symbols, pairs, scores);
}

chart::Node node_of(const RuleTable& table, const std::vector<std::int64_t>& source) {
  std::vector<TokenId> symbols;
  for (const auto each : source) {
    symbols.push_back(each < 0 ? chart::gap_symbol(static_cast<chart::Label>(-1 - each)) : static_cast<TokenId>(each));
  }
  return table.find(symbols);
}

std::vector<std::tuple<std::uint32_t, bool, chart::Label, std::size_t>> kinds(const RuleTable& table) {
  std::vector<std::tuple<std::uint32_t, bool, chart::Label, std::size_t>> all;
  for (const auto& [kind, count] : table.kinds()) all.emplace_back(kind.n_gaps, kind.is_monotone, kind.label, count);
  return all;
}

nb::tuple find(const RuleTable& table, const std::vector<std::int64_t>& source) {
  const chart::Node node = node_of(table, source);
  const auto [first, last] = node == chart::kNoNode ? RuleTable::Range{0, 0} : table.rules(node);
  return nb::make_tuple(first, last);
}

nb::tuple sides(const RuleTable& table) {
  std::vector<std::int64_t> symbols, offsets{0}, rules;
  {
    nb::gil_scoped_release unlocked;
    table.for_each_side([&](std::span<const TokenId> side, RuleTable::Range range) {
      for (const TokenId each : side) {
        symbols.push_back(chart::is_gap_symbol(each) ? -1 - static_cast<std::int64_t>(chart::label_of(each)) : each);
      }
      offsets.push_back(static_cast<std::int64_t>(symbols.size()));
      rules.push_back(range.first);
      rules.push_back(range.last);
    });
  }
  const std::size_t n = rules.size() / 2;
  return nb::make_tuple(owned_array(std::move(symbols)), owned_array(std::move(offsets)),
                        to_array(std::move(rules), {n, 2}));
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<RuleTable>(m, "RuleTable", "The rules of a grammar by their source sides.")
      .def("__len__", &RuleTable::n_rules)
      .def_prop_ro("n_scores", &RuleTable::n_scores)
      .def_prop_ro("n_sources", &RuleTable::n_sources)
      .def_prop_ro("n_nodes", &RuleTable::n_nodes)
      .def_prop_ro("n_source_words", &RuleTable::n_source_words)
      .def_prop_ro("n_target_words", &RuleTable::n_target_words)
      .def_prop_ro("n_source_labels", &RuleTable::n_source_labels)
      .def_prop_ro("n_target_labels", &RuleTable::n_target_labels)
      .def_prop_ro("is_quantised", &RuleTable::is_quantised)
      .def_prop_ro(
          "labels", [](const RuleTable& table) { return std::vector(table.labels().begin(), table.labels().end()); },
          "The numbers of the names of each label's sides.")
      .def("find", &find, "source"_a,
           nb::sig("def find(self, source: collections.abc.Sequence[int]) -> tuple[int, int]"),
           "The first rule of a source side and the one behind its last. Symbols: words, and -1 - label for gaps.")
      .def(
          "begins",
          [](const RuleTable& table, const std::vector<std::int64_t>& source) {
            return node_of(table, source) != chart::kNoNode;
          },
          "source"_a, nb::sig("def begins(self, source: collections.abc.Sequence[int]) -> bool"),
          "Whether a source side begins so.")
      .def("kinds", &kinds, nb::call_guard<nb::gil_scoped_release>(),
           "How many rules have so many gaps, in the order of the source or not, and a label.")
      .def("rule", &rule, "number"_a,
           nb::sig("def rule(self, number: int) -> tuple[int, list[int], list[tuple[int, int]], list[float]]"),
           "Label, target side (words, and -1 - k for the source's gap k), links, scores.")
      .def("sides", &sides,
           nb::sig("def sides(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.int64]]"),
           "All source sides that have rules: symbols, as in `find`, offsets, and rows of first rule and the one "
           "behind the last.")
      .def(
          "serialised", [](const RuleTable& table) { return nb::bytes(table.file().data(), table.file().size()); },
          "The content of a table file.")
      .def_static("on_file", &on_file, "file"_a.noconvert(), nb::sig("def on_file(file: memoryview) -> RuleTable"),
                  "A table on the mapped content of a file.");

  nb::class_<MosesRules>(m, "MosesRules", "A reader of rule tables in Moses' text format.")
      .def(nb::init<const Vocabulary&, const Vocabulary&, const std::vector<std::string>&>(), "source"_a, "target"_a,
           "named"_a = std::vector<std::string>{})
      .def("add", &add, "lines"_a, "Take in whole lines.")
      .def_prop_ro("n_lines", &MosesRules::n_lines, "Lines looked at: the last one is wrong if `add` raises.")
      .def("finish", &MosesRules::finish, "source"_a, "target"_a, nb::kw_only(), "quantised"_a = false,
           nb::call_guard<nb::gil_scoped_release>(), "The table; the vocabularies take in the words that they lack.")
      .def_prop_ro("label_names", &MosesRules::label_names, "The names of labels by number, source and target.");
}

}  // namespace dragoman::bindings::rule_table_area
