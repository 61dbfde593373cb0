#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "aligned_bitext.hpp"
#include "arrays.hpp"
#include "chart.hpp"
#include "dragoman/chart/forced_rules.hpp"

namespace dragoman::bindings::forced_rules_area {

using namespace nb::literals;
using chart::RuleTable;
using phrase::TokenId;

namespace {

phrase::ForcedUse forced_rules(const RuleTable& table, Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets,
                               Input<TokenId, 1> target, Input<std::int64_t, 1> target_offsets,
                               Input<std::uint16_t, 2> points, Input<std::int64_t, 1> point_offsets,
                               const text::Vocabulary& source_words, const text::Vocabulary& target_words,
                               const std::string& label, const grammar::HieroOptions& hiero, unsigned span,
                               Input<TokenId, 1> copies, Input<float, 1> weights, const phrase::DecodeOptions& limits,
                               const phrase::ForcedOptions& options) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  nb::gil_scoped_release unlocked;
  const grammar::Symbols symbols(source_words, target_words, {label}, {label});
  return chart::forced_rules(table, bitext, symbols, hiero, span, span_of(copies), span_of(weights), limits, options);
}

}  // namespace

void bind(nb::module_& m) {
  m.def("forced_rules", &forced_rules, "table"_a, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(),
        "source_words"_a, "target_words"_a, "label"_a, "hiero"_a, "span"_a, "copies"_a.noconvert(),
        "weights"_a.noconvert(), "limits"_a, "options"_a,
        nb::sig("def forced_rules(table: RuleTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64],"
                " target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
                " point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words:"
                " dragoman._core.text.Vocabulary, label: str, hiero: dragoman._core.grammar.HieroOptions, span: int,"
                " copies: NDArray[numpy.int32], weights: NDArray[numpy.float32], limits:"
                " dragoman._core.phrase.DecodeOptions, options: dragoman._core.phrase.ForcedOptions) ->"
                " dragoman._core.phrase.ForcedUse"),
        "Translate training pairs again by the rules of their table, leaving one out.");
  m.def(
      "prune_rules",
      [](const RuleTable& table, const phrase::ForcedUse& use, unsigned restore, bool quantised) {
        nb::gil_scoped_release unlocked;
        return chart::prune_rules(table, use.used, restore, quantised);
      },
      "table"_a, "use"_a, "restore"_a, "quantised"_a, "The rules that are used, without their counts.");
}

}  // namespace dragoman::bindings::forced_rules_area
