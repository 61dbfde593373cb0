#include <nanobind/stl/array.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include "aligned_bitext.hpp"
#include "areas.hpp"
#include "arrays.hpp"
#include "buffers.hpp"
#include "dragoman/phrase/extract_parts.hpp"

namespace dragoman::bindings::phrase_parts_area {

using namespace nb::literals;
using phrase::PhraseTable;
using phrase::TokenId;

namespace {

nb::tuple arrays(phrase::LinkCounts&& links) {
  return nb::make_tuple(owned_array(std::move(links.slots)), owned_array(std::move(links.source_totals)),
                        owned_array(std::move(links.target_totals)));
}

nb::tuple collect_pairs(Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                        Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                        Input<std::int64_t, 1> point_offsets, const phrase::ExtractOptions& options) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  phrase::CollectedPairs pairs;
  {
    nb::gil_scoped_release unlocked;
    pairs = phrase::collect_pairs(bitext, options);
  }
  return nb::make_tuple(list_of(pairs.runs), arrays(std::move(pairs.links)));
}

nb::tuple count_links(Input<TokenId, 1> source, Input<std::int64_t, 1> source_offsets, Input<TokenId, 1> target,
                      Input<std::int64_t, 1> target_offsets, Input<std::uint16_t, 2> points,
                      Input<std::int64_t, 1> point_offsets) {
  const auto bitext = bitext_of(source, source_offsets, target, target_offsets, points, point_offsets);
  phrase::LinkCounts links;
  {
    nb::gil_scoped_release unlocked;
    links = phrase::count_links(bitext, phrase::SortedPoints(bitext));
  }
  return arrays(std::move(links));
}

nb::tuple add_up_links(const std::vector<std::shared_ptr<LinkCounts>>& parts) {
  std::vector<phrase::LinkCountsView> all;
  for (const auto& part : parts) all.push_back(part->get());
  phrase::LinkCounts sum;
  {
    nb::gil_scoped_release unlocked;
    sum = phrase::add_up_links(all);
  }
  return arrays(std::move(sum));
}

nb::tuple merge_pairs(const std::vector<Buffer>& runs) {
  phrase::MergedPairs merged;
  {
    const auto all = views(runs);
    nb::gil_scoped_release unlocked;
    merged = phrase::merge_pairs(all);
  }
  auto& statistics = merged.statistics;
  return nb::make_tuple(nb::bytes(merged.pairs.data(), merged.pairs.size()), list_of(merged.targets),
                        owned_array(std::move(statistics.counts_of_counts)), statistics.orientations);
}

phrase::PairStatistics statistics_of(const Counts& counts_of_counts, const std::array<std::uint64_t, 6>& orientations) {
  phrase::PairStatistics statistics;
  statistics.counts_of_counts.assign(counts_of_counts.data(), counts_of_counts.data() + counts_of_counts.size());
  for (std::size_t c = 1; c < statistics.counts_of_counts.size(); ++c) {
    statistics.n_pairs += statistics.counts_of_counts[c];
    statistics.n_instances += c * statistics.counts_of_counts[c];
  }
  statistics.orientations = orientations;
  return statistics;
}

nb::list add_up_targets(const std::vector<Buffer>& ranges, Counts counts_of_counts,
                        const phrase::ExtractOptions& options) {
  std::vector<Bytes> answers;
  {
    const auto all = views(ranges);
    nb::gil_scoped_release unlocked;
    answers = phrase::add_up_targets(all, statistics_of(counts_of_counts, {}), options.smoothing);
  }
  return list_of(answers);
}

nb::bytes score_pairs(Buffer pairs, const std::vector<Buffer>& targets, const LinkCounts& links,
                      Counts counts_of_counts, const std::array<std::uint64_t, 6>& orientations,
                      const phrase::ExtractOptions& options) {
  Bytes file;
  {
    const auto all = views(targets);
    nb::gil_scoped_release unlocked;
    const auto statistics = statistics_of(counts_of_counts, orientations);
    file = phrase::score_pairs(text_of(pairs), all, links.get(), statistics, options)->serialised();
  }
  return nb::bytes(file.data(), file.size());
}

void write_joined(const std::vector<std::shared_ptr<PhraseTable>>& tables, const nb::callable& write) {
  std::vector<const PhraseTable*> all;
  for (const auto& table : tables) all.push_back(table.get());
  PhraseTable::write_joined(all, [&](std::string_view bytes) { write(nb::bytes(bytes.data(), bytes.size())); });
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<LinkCounts>(m, "LinkCounts", "How often words were linked, as collect_pairs and add_up_links give it.")
      .def(nb::init<Counts, Counts, Counts>(), "slots"_a.noconvert(), "source_totals"_a.noconvert(),
           "target_totals"_a.noconvert(),
           nb::sig("def __init__(self, slots: NDArray[numpy.uint64], source_totals: NDArray[numpy.uint64],"
                   " target_totals: NDArray[numpy.uint64]) -> None"));
#define COUNT_ARRAYS "tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.uint64]]"
  m.def(
      "collect_pairs", &collect_pairs, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
      "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(), "options"_a,
      nb::sig("def collect_pairs(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
              " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
              " point_offsets: NDArray[numpy.int64], options: ExtractOptions) -> tuple[list[bytes], " COUNT_ARRAYS "]"),
      "Sorted runs of the phrase pairs of a part of a text, by range of source phrases; how often words were linked.");
  m.def("count_links", &count_links, "source"_a.noconvert(), "source_offsets"_a.noconvert(), "target"_a.noconvert(),
        "target_offsets"_a.noconvert(), "points"_a.noconvert(), "point_offsets"_a.noconvert(),
        nb::sig("def count_links(source: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], target:"
                " NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], points: NDArray[numpy.uint16],"
                " point_offsets: NDArray[numpy.int64]) -> " COUNT_ARRAYS),
        "How often the words of a part of a text were linked.");
  m.def("add_up_links", &add_up_links, "parts"_a, nb::sig("def add_up_links(parts: list[LinkCounts]) -> " COUNT_ARRAYS),
        "The counts of parts, added.");
#undef COUNT_ARRAYS
  m.def(
      "merge_pairs", &merge_pairs, "runs"_a.noconvert(),
      nb::sig("def merge_pairs(runs: list[memoryview]) -> tuple[bytes, list[bytes], NDArray[numpy.uint64], list[int]]"),
      "The pairs of one range, what they tell the shards of target phrases, counts of counts, orientations.");
  m.def("add_up_targets", &add_up_targets, "ranges"_a.noconvert(), "counts_of_counts"_a.noconvert(), "options"_a,
        nb::sig("def add_up_targets(ranges: list[memoryview], counts_of_counts: NDArray[numpy.uint64], options:"
                " ExtractOptions) -> list[bytes]"),
        "Of one shard, what the pairs of each range are told.");
  m.def("score_pairs", &score_pairs, "pairs"_a.noconvert(), "targets"_a.noconvert(), "links"_a,
        "counts_of_counts"_a.noconvert(), "orientations"_a, "options"_a,
        nb::sig("def score_pairs(pairs: memoryview, targets: list[memoryview], links: LinkCounts, counts_of_counts:"
                " NDArray[numpy.uint64], orientations: list[int], options: ExtractOptions) -> bytes"),
        "The file of the table of one range.");
  m.def(
      "write_joined", &write_joined, "tables"_a, "write"_a,
      nb::sig("def write_joined(tables: list[PhraseTable], write: collections.abc.Callable[[bytes], object]) -> None"),
      "Write the file of a table that has the source phrases of several.");
}

}  // namespace dragoman::bindings::phrase_parts_area
