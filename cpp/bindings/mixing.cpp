#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "arrays.hpp"
#include "chart.hpp"
#include "dragoman/chart/mixing.hpp"

namespace dragoman::bindings::mixing_area {

using namespace nb::literals;
using chart::Mixing;
using chart::MixingOptions;
using chart::RuleTable;
using text::TokenId;

namespace {

using Part = std::tuple<const RuleTable*, Input<TokenId, 1>, Input<TokenId, 1>, std::vector<chart::Label>>;

std::unique_ptr<RuleTable> merge(const std::vector<Part>& parts, const std::vector<chart::LabelNames>& labels,
                                 std::size_t n_source_words, std::size_t n_target_words, std::size_t n_source_labels,
                                 std::size_t n_target_labels) {
  std::vector<chart::MergePart> all;
  for (const auto& [table, source_ids, target_ids, own_labels] : parts) {
    all.push_back({table, span_of(source_ids), span_of(target_ids), own_labels});
  }
  nb::gil_scoped_release unlocked;
  return chart::merge(all, labels, {n_source_words, n_target_words, n_source_labels, n_target_labels});
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<Mixing>(m, "Mixing", "How the models of an ensemble are mixed.")
      .value("prod", Mixing::prod)
      .value("wsum", Mixing::wsum)
      .value("wmax", Mixing::wmax)
      .value("switch_max", Mixing::switch_max)
      .value("switch_sum", Mixing::switch_sum);

  nb::class_<MixingOptions>(m, "MixingOptions")
      .def(nb::init<>())
      .def_rw("mix", &MixingOptions::mix)
      .def_rw("shares", &MixingOptions::shares)
      .def_rw("floor", &MixingOptions::floor);

  m.def(
      "merge", &merge, "parts"_a, "labels"_a, "n_source_words"_a, "n_target_words"_a, "n_source_labels"_a,
      "n_target_labels"_a,
      nb::sig(
          "def merge(parts: collections.abc.Sequence[tuple[RuleTable, NDArray[numpy.int32], NDArray[numpy.int32],"
          " collections.abc.Sequence[int]]], labels: collections.abc.Sequence[tuple[int, int]], n_source_words: int,"
          " n_target_words: int, n_source_labels: int, n_target_labels: int) -> RuleTable"),
      "The rules of several tables, each with the new numbers of its words and labels: scores side by side, then 0 for"
      " each table that has a rule, -100 for each that lacks it.");
  m.def(
      "mixed",
      [](const RuleTable& merged, const std::vector<std::vector<float>>& weights, const MixingOptions& options,
         bool quantised) {
        nb::gil_scoped_release unlocked;
        return chart::mixed(merged, weights, options, quantised);
      },
      "merged"_a, "weights"_a, "options"_a, nb::kw_only(), "quantised"_a = false,
      "The rules of merged tables with one score, by each model's weights for its own scores.");
}

}  // namespace dragoman::bindings::mixing_area
