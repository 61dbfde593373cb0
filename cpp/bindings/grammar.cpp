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
#include "dragoman/grammar/extract.hpp"

namespace dragoman::bindings::grammar_area {

using namespace nb::literals;
using grammar::HieroOptions;
using grammar::RuleFeature;
using grammar::RuleStatistics;
using grammar::ScoreOptions;
using text::TokenId;

namespace {

/// Rows of begin, end, label, anchor; offsets by sentence; whether other spans may be rules, and gaps; whether rules
/// are called by the labels of their spans.
using Labels = std::tuple<Input<std::int32_t, 2>, Input<std::int64_t, 1>, bool, bool, bool>;

grammar::SpanLabels labels_of(const std::optional<Labels>& labels) {
  if (!labels) return {};
  const auto& [spans, offsets, other_rules, other_gaps, names_rules] = *labels;
  if (spans.shape(1) != 4) throw data_error("A labelled span has four numbers: begin, end, label, anchor.");
  static_assert(sizeof(grammar::LabelledSpan) == 16);
  return {{reinterpret_cast<const grammar::LabelledSpan*>(spans.data()), spans.shape(0)},
          span_of(offsets),
          other_rules,
          other_gaps,
          names_rules};
}

RuleStatistics extract_hiero(Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                             Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                             Input<std::int64_t, 1> point_offsets, const text::Vocabulary& source_words,
                             const text::Vocabulary& target_words, const std::vector<std::string>& source_names,
                             const std::vector<std::string>& target_names, const HieroOptions& options,
                             const ScoreOptions& scoring, nb::callable write, std::optional<Labels> source_labels,
                             std::optional<Labels> target_labels,
                             std::optional<std::tuple<Input<TokenId, 1>, Input<std::int64_t, 1>>> test,
                             std::optional<Input<float, 1>> weights) {
  auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  if (weights) bitext.weights = span_of(*weights);
  const grammar::BitextLabels labels{labels_of(source_labels), labels_of(target_labels)};
  grammar::TestText match;
  if (test) match = {span_of(std::get<0>(*test)), span_of(std::get<1>(*test))};
  nb::gil_scoped_release unlocked;
  const grammar::Symbols symbols(source_words, target_words, source_names, target_names);
  return grammar::extract_hiero(bitext, symbols, labels, options, match, scoring, [&](std::string_view text) {
    nb::gil_scoped_acquire locked;
    write(nb::bytes(text.data(), text.size()));
  });
}

auto marks(const RuleStatistics& statistics) {
  std::vector<std::uint64_t> cells;
  for (const auto& mark : statistics.marks) cells.insert(cells.end(), {mark.key[0], mark.key[1], mark.at});
  const std::size_t n = statistics.marks.size();
  return to_array(std::move(cells), {n, 3});
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<grammar::Tight>(m, "Tight", "Which phrase pairs have no unaligned words at their edges.")
      .value("none", grammar::Tight::none)
      .value("gaps", grammar::Tight::gaps)
      .value("all", grammar::Tight::all);

  nb::class_<HieroOptions>(m, "HieroOptions", "Which hierarchical rules are extracted.")
      .def(nb::init<>())
      .def_rw("longest", &HieroOptions::longest)
      .def_rw("symbols", &HieroOptions::symbols)
      .def_rw("gaps", &HieroOptions::gaps)
      .def_rw("shortest_gap", &HieroOptions::shortest_gap)
      .def_rw("adjacent_gaps", &HieroOptions::adjacent_gaps)
      .def_rw("aligned_word", &HieroOptions::aligned_word)
      .def_rw("tight", &HieroOptions::tight)
      .def_rw("fractional", &HieroOptions::fractional)
      .def_rw("shallow", &HieroOptions::shallow);

  nb::enum_<RuleFeature>(m, "RuleFeature", "Further scores of a rule.")
      .value("penalty", RuleFeature::penalty)
      .value("rarity", RuleFeature::rarity)
      .value("once", RuleFeature::once)
      .value("twice", RuleFeature::twice)
      .value("thrice", RuleFeature::thrice)
      .value("hierarchical", RuleFeature::hierarchical)
      .value("boundary", RuleFeature::boundary)
      .value("swap", RuleFeature::swap)
      .value("tree", RuleFeature::tree)
      .value("unaligned_source", RuleFeature::unaligned_source)
      .value("unaligned_target", RuleFeature::unaligned_target)
      .value("source_of_label", RuleFeature::source_of_label)
      .value("target_of_label", RuleFeature::target_of_label)
      .value("source_in_label", RuleFeature::source_in_label)
      .value("target_in_label", RuleFeature::target_in_label)
      .value("noisy_or_source", RuleFeature::noisy_or_source)
      .value("noisy_or_target", RuleFeature::noisy_or_target)
      .value("mean_source", RuleFeature::mean_source)
      .value("mean_target", RuleFeature::mean_target)
      .value("inserted_source", RuleFeature::inserted_source)
      .value("inserted_target", RuleFeature::inserted_target);

  nb::enum_<grammar::Significance>(m, "Significance", "Whether rules whose sides meet by chance are left out.")
      .value("none", grammar::Significance::none)
      .value("keep_once", grammar::Significance::keep_once)
      .value("drop_once", grammar::Significance::drop_once);

  nb::class_<ScoreOptions>(m, "ScoreOptions", "How rules are scored, and which of them are kept.")
      .def(nb::init<>())
      .def_rw("smoothing", &ScoreOptions::smoothing)
      .def_rw("translations_per_source", &ScoreOptions::translations_per_source)
      .def_rw("least_count", &ScoreOptions::least_count)
      .def_rw("significance", &ScoreOptions::significance)
      .def_rw("rule_features", &ScoreOptions::features)
      .def_rw("as_run", &ScoreOptions::as_run, "Write the rules unscored, for merge_rules.")
      .def_prop_rw(
          "memory", [](const ScoreOptions& o) { return o.workspace.memory; },
          [](ScoreOptions& o, std::size_t bytes) { o.workspace.memory = bytes; })
      .def_prop_rw(
          "folder", [](const ScoreOptions& o) { return o.workspace.folder; },
          [](ScoreOptions& o, const std::string& folder) { o.workspace.folder = folder; })
      .def_prop_rw(
          "n_threads", [](const ScoreOptions& o) { return o.workspace.n_threads; },
          [](ScoreOptions& o, unsigned n) { o.workspace.n_threads = n; });

  nb::class_<RuleStatistics>(m, "RuleStatistics", "What came of counting and scoring rules.")
      .def_ro("n_instances", &RuleStatistics::n_instances)
      .def_ro("n_rules", &RuleStatistics::n_rules)
      .def_ro("n_written", &RuleStatistics::n_written)
      .def_ro("n_lexical", &RuleStatistics::n_lexical)
      .def_ro("n_sources", &RuleStatistics::n_sources)
      .def_prop_ro("marks", &marks, nb::rv_policy::move, nb::sig("def marks(self) -> NDArray[numpy.uint64]"),
                   "Of a run, rows of a source side's key, in two halves, and where it begins.");

  m.def(
      "extract_hiero", &extract_hiero, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
      "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(), "source_words"_a,
      "target_words"_a, "source_names"_a, "target_names"_a, "options"_a, "scoring"_a, "write"_a,
      "source_labels"_a.noconvert() = nb::none(), "target_labels"_a.noconvert() = nb::none(),
      "test"_a.noconvert() = nb::none(), "weights"_a.noconvert() = nb::none(),
      nb::sig(
          "def extract_hiero(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
          " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
          " point_offsets: NDArray[numpy.int64], source_words: dragoman._core.text.Vocabulary, target_words:"
          " dragoman._core.text.Vocabulary, source_names: list[str], target_names: list[str], options:"
          " HieroOptions, scoring: ScoreOptions, write: typing.Callable[[bytes], object], source_labels:"
          " tuple[NDArray[numpy.int32], NDArray[numpy.int64], bool, bool, bool] | None = None, target_labels:"
          " tuple[NDArray[numpy.int32], NDArray[numpy.int64], bool, bool, bool] | None = None, test:"
          " tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, weights: NDArray[numpy.float32] | None ="
          " None) -> RuleStatistics"),
      "Hierarchical rules of an aligned bitext, written as lines of a rule table. `source_labels`: rows of begin, end,"
      " label and anchor (a word that must stay beside the gap, or -1), offsets by sentence, whether other spans may"
      " be rules, whether they may be gaps, whether rules are called by the labels of their spans.");
}

}  // namespace dragoman::bindings::grammar_area
