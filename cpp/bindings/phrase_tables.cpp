#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/assemble.hpp"
#include "dragoman/phrase/bitext_index.hpp"
#include "dragoman/phrase/combine.hpp"
#include "dragoman/phrase/forced.hpp"
#include "dragoman/phrase/label_orientations.hpp"

namespace dragoman::bindings::phrase_tables_area {

using namespace nb::literals;
using phrase::BitextIndex;
using phrase::CombineOptions;
using phrase::PhraseTable;
using phrase::SampleOptions;
using phrase::TablePart;
using phrase::TokenId;

namespace {

template <class T>
std::span<const T> view(const Input<T, 1>& array) {
  return {array.data(), array.size()};
}

using Part = std::tuple<std::shared_ptr<PhraseTable>, unsigned, Input<TokenId, 1>, Input<TokenId, 1>>;

TablePart part_of(const Part& part) {
  const auto& [table, n_features, source_ids, target_ids] = part;
  return {table.get(), n_features, view(source_ids), view(target_ids)};
}

std::unique_ptr<PhraseTable> combine(const std::vector<Part>& parts, const CombineOptions& options) {
  std::vector<TablePart> all;
  for (const Part& part : parts) all.push_back(part_of(part));
  nb::gil_scoped_release unlocked;
  return phrase::combine(all, options);
}

auto scores_of(const Part& part, const PhraseTable& pairs) {
  const TablePart asked = part_of(part);
  std::vector<float> scores;
  {
    nb::gil_scoped_release unlocked;
    scores = phrase::scores_of(asked, pairs);
  }
  return to_array(std::move(scores), {pairs.size(), asked.n_features});
}

auto all_scores(const PhraseTable& table) {
  std::vector<float> scores;
  scores.reserve(table.size() * table.n_scores());
  for (std::uint32_t i = 0; i < table.size(); ++i) {
    const auto each = table.translation(i).scores;
    scores.insert(scores.end(), each.begin(), each.end());
  }
  return to_array(std::move(scores), {table.size(), table.n_scores()});
}

phrase::AlignedBitext bitext_of(const Input<TokenId, 1>& source, const Input<std::int64_t, 1>& source_offsets,
                                const Input<TokenId, 1>& target, const Input<std::int64_t, 1>& target_offsets,
                                const Input<std::uint16_t, 2>& points, const Input<std::int64_t, 1>& point_offsets) {
  if (source_offsets.size() != target_offsets.size() || source_offsets.size() != point_offsets.size()) {
    throw data_error("Source, target and alignment must have one line for each sentence pair.");
  }
  static_assert(sizeof(phrase::Point) == 4);
  return {view(source),
          view(target),
          view(source_offsets),
          view(target_offsets),
          {reinterpret_cast<const phrase::Point*>(points.data()), points.shape(0)},
          view(point_offsets)};
}

std::unique_ptr<BitextIndex> make_index(Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets,
                                        Input<TokenId, 1> target, Input<std::int64_t, 1> target_offsets,
                                        Input<std::uint16_t, 2> points, Input<std::int64_t, 1> point_offsets,
                                        unsigned longest, phrase::Orientation orientation, unsigned n_threads) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  nb::gil_scoped_release unlocked;
  return BitextIndex::make(bitext, {longest, orientation, n_threads});
}

void add_to_index(BitextIndex& index, Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets,
                  Input<TokenId, 1> target, Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                  Input<std::int64_t, 1> point_offsets) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  nb::gil_scoped_release unlocked;
  index.add(bitext);
}

std::unique_ptr<PhraseTable> index_table(const BitextIndex& index, Input<TokenId, 1> words,
                                         Input<std::int64_t, 1> offsets, const SampleOptions& options) {
  nb::gil_scoped_release unlocked;
  return index.table(view(words), view(offsets), options);
}

nb::bytes index_content(BitextIndex& index) {
  Bytes file;
  {
    nb::gil_scoped_release unlocked;
    file = index.serialised();
  }
  return nb::bytes(file.data(), file.size());
}

std::unique_ptr<BitextIndex> index_on_file(Input<std::uint8_t, 1> file) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Input<std::uint8_t, 1>>(std::move(file));
  return BitextIndex::on_file(content, std::move(owner));
}

phrase::ForcedUse forced_use(std::shared_ptr<PhraseTable> table, unsigned n_features, phrase::Orientation orientation,
                             Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                             Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                             Input<std::int64_t, 1> point_offsets, Input<TokenId, 1> copies, Input<float, 1> weights,
                             const phrase::DecodeOptions& limits, const phrase::ForcedOptions& options) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  nb::gil_scoped_release unlocked;
  return phrase::forced_use(std::move(table), n_features, orientation, bitext, view(copies), view(weights), limits,
                            options);
}

using Step = std::tuple<std::shared_ptr<PhraseTable>, unsigned, Input<TokenId, 1>, Input<TokenId, 1>>;
using Path = std::tuple<std::vector<Step>, std::vector<Input<float, 1>>>;

std::unique_ptr<PhraseTable> assemble(const std::vector<Path>& paths, Input<TokenId, 1> words,
                                      Input<std::int64_t, 1> offsets, unsigned most, bool orientation,
                                      unsigned n_threads) {
  std::vector<phrase::FactorPath> all;
  for (const auto& [steps, generated] : paths) {
    phrase::FactorPath& path = all.emplace_back();
    for (const auto& [table, n_features, source, gives] : steps) {
      path.steps.push_back({table.get(), n_features, view(source), view(gives)});
    }
    for (const auto& log_p : generated) path.generated.push_back(view(log_p));
  }
  nb::gil_scoped_release unlocked;
  return phrase::assemble(all, view(words), view(offsets), {most, orientation, n_threads});
}

/// The words of all pairs: of the source phrases, where the pairs of each begin, and of the translations.
nb::tuple phrases_of(const PhraseTable& table) {
  std::vector<TokenId> source, target;
  std::vector<std::int64_t> source_offsets{0}, runs{0}, target_offsets{0};
  {
    nb::gil_scoped_release unlocked;
    table.for_each_source([&](std::span<const TokenId> words, PhraseTable::Run run) {
      source.insert(source.end(), words.begin(), words.end());
      source_offsets.push_back(static_cast<std::int64_t>(source.size()));
      runs.push_back(run.first + run.count);
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        const auto said = table.translation(i).words;
        target.insert(target.end(), said.begin(), said.end());
        target_offsets.push_back(static_cast<std::int64_t>(target.size()));
      }
    });
  }
  return nb::make_tuple(owned_array(std::move(source)), owned_array(std::move(source_offsets)),
                        owned_array(std::move(runs)), owned_array(std::move(target)),
                        owned_array(std::move(target_offsets)));
}

auto find_pairs(const PhraseTable& table, Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets,
                Input<TokenId, 1> target, Input<std::int64_t, 1> target_offsets) {
  if (source_offsets.size() != target_offsets.size()) throw data_error("A pair has two phrases.");
  std::vector<std::int64_t> numbers;
  {
    nb::gil_scoped_release unlocked;
    const auto part = [](const auto& words, const auto& ends, std::size_t i) {
      const auto begin = static_cast<std::size_t>(ends.data()[i]);
      return view(words).subspan(begin, static_cast<std::size_t>(ends.data()[i + 1]) - begin);
    };
    for (std::size_t i = 0; i + 1 < source_offsets.size(); ++i) {
      const auto run = table.find(part(source, source_offsets, i));
      const auto said = part(target, target_offsets, i);
      std::int64_t number = -1;
      for (std::uint32_t k = run.first; k < run.first + run.count && number < 0; ++k) {
        if (std::ranges::equal(table.translation(k).words, said)) number = k;
      }
      numbers.push_back(number);
    }
  }
  return owned_array(std::move(numbers));
}

nb::tuple label_orientations(std::shared_ptr<PhraseTable> table, Input<TokenId, 1> source,
                             Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                             Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                             Input<std::int64_t, 1> point_offsets, Input<std::int32_t, 2> spans,
                             Input<std::int64_t, 1> span_offsets, std::size_t n_labels, phrase::Orientation orientation,
                             unsigned longest, const std::optional<Input<float, 1>>& weights, unsigned n_threads) {
  auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  if (weights) bitext.weights = view(*weights);
  if (spans.shape(1) != 3) throw data_error("Expected begin, end and label for each span.");
  static_assert(sizeof(phrase::TargetLabel) == 12);
  const phrase::TargetLabels labels{
      {reinterpret_cast<const phrase::TargetLabel*>(spans.data()), spans.shape(0)}, view(span_offsets), n_labels};
  std::vector<double> counts, masses;
  std::vector<std::int64_t> rows;
  {
    nb::gil_scoped_release unlocked;
    const auto found = phrase::label_orientations(*table, bitext, labels, orientation, longest, n_threads);
    for (const auto& each : found.of_labels) counts.insert(counts.end(), each.begin(), each.end());
    for (const auto& each : found.of_pairs) {
      rows.insert(rows.end(), {static_cast<std::int64_t>(each.pair), each.label});
      masses.push_back(each.mass);
    }
  }
  const std::size_t n = masses.size();
  return nb::make_tuple(to_array(std::move(counts), {n_labels, std::size_t{6}}),
                        to_array(std::move(rows), {n, std::size_t{2}}), to_array(std::move(masses), {n}));
}

#define DRAGOMAN_BITEXT                                                                               \
  "source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target: NDArray[numpy.int32]," \
  " target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16], point_offsets: NDArray[numpy.int64]"

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<phrase::Combination>(m, "Combination", "How several phrase tables become one.")
      .value("both", phrase::Combination::both)
      .value("either", phrase::Combination::either)
      .value("back_off", phrase::Combination::backoff)
      .value("fill_up", phrase::Combination::fill_up)
      .value("interpolated", phrase::Combination::interpolated)
      .value("pooled", phrase::Combination::pooled);

  nb::class_<CombineOptions>(m, "CombineOptions")
      .def(nb::init<>())
      .def_rw("mode", &CombineOptions::mode)
      .def_rw("orientation", &CombineOptions::orientation)
      .def_rw("counts", &CombineOptions::counts)
      .def_rw("provenance", &CombineOptions::provenance)
      .def_rw("backoff_longest", &CombineOptions::backoff_longest)
      .def_rw("weights", &CombineOptions::weights);

  m.def("combine", &combine, "parts"_a, "options"_a,
        nb::sig("def combine(parts: collections.abc.Sequence[tuple[PhraseTable, int, NDArray[numpy.int32],"
                " NDArray[numpy.int32]]], options: CombineOptions) -> PhraseTable"),
        "One table of several: each with the number of its features and the new ids of its source and target words.");
  m.def("scores_of", &scores_of, "part"_a, "pairs"_a,
        nb::sig("def scores_of(part: tuple[PhraseTable, int, NDArray[numpy.int32], NDArray[numpy.int32]], pairs:"
                " PhraseTable) -> NDArray[numpy.float32]"),
        "The features that a table has for each pair of another, -inf for those that it lacks.");
  m.def("all_scores", &all_scores, "table"_a, nb::sig("def all_scores(table: PhraseTable) -> NDArray[numpy.float32]"),
        "The scores of all pairs of a table, in its order.");
  m.def(
      "with_scores",
      [](const PhraseTable& table, const Input<float, 2>& scores) {
        nb::gil_scoped_release unlocked;
        return phrase::with_scores(table, {scores.data(), scores.size()}, static_cast<unsigned>(scores.shape(1)));
      },
      "table"_a, "scores"_a.noconvert(),
      nb::sig("def with_scores(table: PhraseTable, scores: NDArray[numpy.float32]) -> PhraseTable"),
      "The same phrase pairs with other scores, a row for each in the table's order.");

  m.def("assemble", &assemble, "paths"_a, "words"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "most"_a,
        "orientation"_a, "n_threads"_a = 1,
        nb::sig(
            "def assemble(paths: collections.abc.Sequence[tuple[collections.abc.Sequence[tuple[PhraseTable, int,"
            " NDArray[numpy.int32], NDArray[numpy.int32]]], collections.abc.Sequence[NDArray[numpy.float32]]]], words:"
            " NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, most: int, orientation: bool, n_threads: int = 1)"
            " -> PhraseTable"),
        "The phrases of a text by the paths of a factored setup. A path has its translation steps, each a table, the"
        " number of its features, its word of each token and of each whole target word; and its generation steps, each"
        " log p by whole target word.");

  nb::class_<SampleOptions>(m, "SampleOptions")
      .def(nb::init<>())
      .def_rw("samples", &SampleOptions::samples)
      .def_rw("inverse_samples", &SampleOptions::inverse_samples)
      .def_rw("translations_per_phrase", &SampleOptions::translations_per_phrase)
      .def_rw("orientation_smoothing", &SampleOptions::orientation_smoothing)
      .def_rw("coherent", &SampleOptions::coherent)
      .def_rw("n_threads", &SampleOptions::n_threads);

  nb::class_<BitextIndex>(m, "BitextIndex", "An aligned bitext, searched for phrases when they are to be translated.")
      .def_static("make", &make_index, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
                  "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(), nb::kw_only(),
                  "longest"_a, "orientation"_a, "n_threads"_a = 1,
                  nb::sig("def make(" DRAGOMAN_BITEXT ", *, longest: int, orientation: Orientation, n_threads: int = 1)"
                          " -> BitextIndex"))
      .def("add", &add_to_index, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
           "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(),
           nb::sig("def add(self, " DRAGOMAN_BITEXT ") -> None"), "Take in sentence pairs.")
      .def("table", &index_table, "words"_a.noconvert(), "offsets"_a.noconvert(), "options"_a,
           nb::sig("def table(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], options: SampleOptions)"
                   " -> PhraseTable"),
           "All phrases of these sentences that the bitext has.")
      .def(
          "n_occurrences",
          [](const BitextIndex& index, Input<TokenId, 1> phrase) { return index.n_occurrences(view(phrase)); },
          "phrase"_a.noconvert(), nb::sig("def n_occurrences(self, phrase: NDArray[numpy.int32]) -> int"))
      .def("__len__", &BitextIndex::n_pairs)
      .def_prop_ro("n_added", &BitextIndex::n_added)
      .def_prop_ro(
          "n_words", [](const BitextIndex& index) { return nb::make_tuple(index.n_words()[0], index.n_words()[1]); },
          nb::sig("def n_words(self) -> tuple[int, int]"),
          "Of source and target, one more than the largest number of a word; what was added does not count.")
      .def_prop_ro("longest", &BitextIndex::longest)
      .def_prop_ro("orientation", &BitextIndex::orientation)
      .def("serialised", &index_content,
           "The content of an index file; what was added becomes part of the large array.")
      .def_static("on_file", &index_on_file, "file"_a.noconvert(),
                  nb::sig("def on_file(file: memoryview) -> BitextIndex"), "An index on the mapped content of a file.");

  nb::class_<phrase::ForcedOptions>(m, "ForcedOptions")
      .def(nb::init<>())
      .def_rw("n_best", &phrase::ForcedOptions::n_best)
      .def_rw("margin", &phrase::ForcedOptions::margin)
      .def_rw("leave_one_out", &phrase::ForcedOptions::leave_one_out)
      .def_rw("artificial", &phrase::ForcedOptions::artificial)
      .def_rw("floor", &phrase::ForcedOptions::floor)
      .def_rw("scale", &phrase::ForcedOptions::scale)
      .def_rw("power", &phrase::ForcedOptions::power)
      .def_rw("longest", &phrase::ForcedOptions::longest)
      .def_rw("n_threads", &phrase::ForcedOptions::n_threads);

  nb::class_<phrase::ForcedUse>(m, "ForcedUse", "What training pairs use of a table when they are translated again.")
      .def_prop_ro(
          "used", [](const phrase::ForcedUse& use) { return owned_array(std::vector(use.used)); },
          nb::sig("def used(self) -> NDArray[numpy.uint8]"))
      .def_prop_ro(
          "counts", [](const phrase::ForcedUse& use) { return owned_array(std::vector(use.counts)); },
          nb::sig("def counts(self) -> NDArray[numpy.float64]"))
      .def_ro("n_pairs", &phrase::ForcedUse::n_pairs)
      .def_ro("n_reached", &phrase::ForcedUse::n_reached)
      .def_ro("n_whole", &phrase::ForcedUse::n_whole);

  m.def("forced_use", &forced_use, "table"_a, "n_features"_a, "orientation"_a, "source"_a.noconvert(),
        "source_offsets"_a.noconvert(), "target"_a.noconvert(), "target_offsets"_a.noconvert(), "points"_a.noconvert(),
        "point_offsets"_a.noconvert(), "copies"_a.noconvert(), "weights"_a.noconvert(), "limits"_a, "options"_a,
        nb::sig("def forced_use(table: PhraseTable, n_features: int, orientation: Orientation, " DRAGOMAN_BITEXT
                ", copies: NDArray[numpy.int32], weights: NDArray[numpy.float32], limits: DecodeOptions, options:"
                " ForcedOptions) -> ForcedUse"),
        "Translate training pairs again by the phrases of their table, leaving one out.");
  m.def(
      "label_orientations", &label_orientations, "table"_a, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
      "target"_a.noconvert(), "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(),
      "spans"_a.noconvert(), "span_offsets"_a.noconvert(), "n_labels"_a, "orientation"_a, "longest"_a,
      "weights"_a.noconvert() = nb::none(), "n_threads"_a = 1,
      nb::sig("def label_orientations(table: PhraseTable, " DRAGOMAN_BITEXT
              ", spans: NDArray[numpy.int32], span_offsets: NDArray[numpy.int64], n_labels: int, orientation:"
              " Orientation, longest: int, weights: NDArray[numpy.float32] | None = None, n_threads: int = 1) ->"
              " tuple[NDArray[numpy.float64], NDArray[numpy.int64], NDArray[numpy.float64]]"),
      "How labels of target spans (begin, end, label) are oriented, labels x 6; rows of a pair of the table and a label"
      " that it has, and how often.");
  m.def(
      "prune_unused",
      [](const PhraseTable& table, const phrase::ForcedUse& use, unsigned restore) {
        nb::gil_scoped_release unlocked;
        return phrase::prune_unused(table, use.used, restore);
      },
      "table"_a, "use"_a, "restore"_a, "The translations that are used.");
  m.def("phrases_of", &phrases_of, "table"_a,
        nb::sig("def phrases_of(table: PhraseTable) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64],"
                " NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64]]"),
        "The words of source phrases and where each begins, the first pair of each, the words of the pairs' targets and"
        " where each begins.");
  m.def("find_pairs", &find_pairs, "table"_a, "source"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target"_a.noconvert(), "target_offsets"_a.noconvert(),
        nb::sig("def find_pairs(table: PhraseTable, source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64],"
                " target: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64]) -> NDArray[numpy.int64]"),
        "The numbers of pairs in a table, -1 for those that it lacks.");
  m.def(
      "keep_used",
      [](const PhraseTable& table, Input<std::uint8_t, 1> used, unsigned restore) {
        nb::gil_scoped_release unlocked;
        return phrase::prune_unused(table, view(used), restore);
      },
      "table"_a, "used"_a.noconvert(), "restore"_a,
      nb::sig("def keep_used(table: PhraseTable, used: NDArray[numpy.uint8], restore: int) -> PhraseTable"),
      "The translations marked by 1, and for a single word that would be left without any its first.");
  m.def("reestimate", &phrase::reestimate, "table"_a, "use"_a, "restore"_a, "discount"_a,
        nb::call_guard<nb::gil_scoped_release>(), "The translations that are used, with probabilities of their use.");
  m.def("left_out", &phrase::left_out, "log_p"_a, "count"_a, "total"_a, "own_count"_a, "own_total"_a, "floor"_a,
        "log p without a sentence pair's own counts.");
  m.def(
      "shared_count",
      [](const std::vector<double>& counts, const std::vector<double>& scores, double scale, double power) {
        if (counts.size() != scores.size()) throw data_error("Each derivation has a count and a score.");
        return phrase::shared_count(counts, scores, scale, power);
      },
      "counts"_a, "scores"_a, "scale"_a, "power"_a, "What derivations count that share one.");
}

}  // namespace dragoman::bindings::phrase_tables_area
