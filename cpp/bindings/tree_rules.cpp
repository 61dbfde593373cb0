#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "aligned_bitext.hpp"
#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/grammar/reorderings.hpp"
#include "dragoman/grammar/tree_extract.hpp"

namespace dragoman::bindings::tree_rules_area {

using namespace nb::literals;
using grammar::ScoreOptions;
using grammar::TreeExtractOptions;
using grammar::TreeStatistics;
using text::TokenId;

namespace {

using Words = Input<TokenId, 1>;
using Offsets64 = Input<std::int64_t, 1>;
using Rows = Input<std::int32_t, 2>;

template <class Row>
std::span<const Row> rows_of(const Rows& rows, const char* what) {
  static_assert(sizeof(Row) == 4 * sizeof(std::int32_t));
  if (rows.shape(1) != 4) throw data_error(std::string("Expected four numbers for each ") + what + ".");
  return {reinterpret_cast<const Row*>(rows.data()), rows.shape(0)};
}

TreeStatistics extract_trees(Words source, Offsets64 source_offsets, Words target, Offsets64 target_offsets,
                             Input<std::uint16_t, 2> points, Offsets64 point_offsets,
                             const text::Vocabulary& source_words, const text::Vocabulary& target_words,
                             const std::vector<std::string>& source_names, const std::vector<std::string>& target_names,
                             Rows nodes, Offsets64 node_offsets, bool of_source, const TreeExtractOptions& options,
                             const ScoreOptions& scoring, nb::callable write,
                             std::optional<std::tuple<Words, Offsets64>> test, std::optional<Input<float, 1>> weights) {
  auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  if (weights) bitext.weights = span_of(*weights);
  const grammar::Trees trees{rows_of<grammar::TreeNode>(nodes, "node"), span_of(node_offsets), of_source};
  grammar::TestText match;
  if (test) match = {span_of(std::get<0>(*test)), span_of(std::get<1>(*test))};
  nb::gil_scoped_release unlocked;
  const grammar::Symbols symbols(source_words, target_words, source_names, target_names);
  return grammar::extract_trees(bitext, symbols, trees, options, match, scoring, [&](std::string_view text) {
    nb::gil_scoped_acquire locked;
    write(nb::bytes(text.data(), text.size()));
  });
}

auto count_reorderings(Words source, Offsets64 source_offsets, Words target, Offsets64 target_offsets,
                       Input<std::uint16_t, 2> points, Offsets64 point_offsets, Rows spans, Offsets64 span_offsets,
                       unsigned longest, unsigned n_threads) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  const grammar::SpanLabels labels{rows_of<grammar::LabelledSpan>(spans, "labelled span"), span_of(span_offsets)};
  if (labels.offsets.size() != bitext.source_offsets.size())
    throw data_error("There must be labels for every sentence.");
  std::vector<std::int64_t> cells;
  {
    nb::gil_scoped_release unlocked;
    for (const auto& row : grammar::count_reorderings(bitext, labels, longest, n_threads)) {
      cells.insert(cells.end(), {row.whole, row.first, row.second});
      cells.insert(cells.end(), row.counts.begin(), row.counts.end());
    }
  }
  const std::size_t n = cells.size() / 7;
  return to_array(std::move(cells), {n, 7});
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<TreeExtractOptions>(m, "TreeExtractOptions", "Which rules are cut out of trees; 0 for no limit.")
      .def(nb::init<>())
#define RULE_OPTION(name, type)                                        \
  .def_prop_rw(                                                        \
      #name, [](const TreeExtractOptions& o) { return o.rules.name; }, \
      [](TreeExtractOptions& o, type value) { o.rules.name = value; })
          RULE_OPTION(depth, unsigned) RULE_OPTION(nodes, unsigned) RULE_OPTION(size, unsigned)
              RULE_OPTION(gaps, unsigned) RULE_OPTION(symbols, unsigned) RULE_OPTION(scope, unsigned)
                  RULE_OPTION(unary, bool) RULE_OPTION(lexical, bool) RULE_OPTION(most, unsigned)
#undef RULE_OPTION
      .def_rw("phrases", &TreeExtractOptions::phrases)
      .def_rw("phrases_of_trees", &TreeExtractOptions::phrases_of_trees);

  nb::class_<TreeStatistics>(m, "TreeStatistics", "What came of cutting rules out of trees.")
      .def_ro("rules", &TreeStatistics::rules)
      .def_ro("n_trees", &TreeStatistics::n_trees)
      .def_ro("n_nodes", &TreeStatistics::n_nodes)
      .def_ro("n_frontier", &TreeStatistics::n_frontier)
      .def_ro("n_cut", &TreeStatistics::n_cut);

  m.def("extract_trees", &extract_trees, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
        "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(), "source_words"_a,
        "target_words"_a, "source_names"_a, "target_names"_a, "nodes"_a.noconvert(), "node_offsets"_a.noconvert(),
        "of_source"_a, "options"_a, "scoring"_a, "write"_a, "test"_a.noconvert() = nb::none(),
        "weights"_a.noconvert() = nb::none(),
        nb::sig("def extract_trees(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
                " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
                " point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words:"
                " dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], nodes:"
                " NDArray[numpy.int32], node_offsets: NDArray[numpy.int64], of_source: bool, options:"
                " TreeExtractOptions, scoring: ScoreOptions, write: typing.Callable[[bytes], object], test:"
                " tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, weights: NDArray[numpy.float32] |"
                " None = None) -> TreeStatistics"),
        "Rules that trees and alignment give, written as lines of a rule table. `nodes`: rows of label, parent (-1 for"
        " the root), begin, end, in pre-order; a word that no child covers is a leaf of the node itself.");

  m.def("count_reorderings", &count_reorderings, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(),
        "spans"_a.noconvert(), "span_offsets"_a.noconvert(), "longest"_a, "n_threads"_a = 1,
        nb::sig("def count_reorderings(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
                " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
                " point_offsets: NDArray[numpy.int64], spans: NDArray[numpy.int32], span_offsets:"
                " NDArray[numpy.int64], longest: int, n_threads: int = 1) -> NDArray[numpy.int64]"),
        "Rows of three labels (of two neighbouring source phrases together, of the first, of the second) and how often"
        " their translations stood side by side, apart, swapped, swapped and apart.");
}

}  // namespace dragoman::bindings::tree_rules_area
