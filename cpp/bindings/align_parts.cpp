#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>

#include "areas.hpp"
#include "arrays.hpp"
#include "bitext.hpp"
#include "dragoman/align/diagonal.hpp"
#include "dragoman/align/hmm.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings::align_parts_area {

using namespace nb::literals;

namespace {

template <class Work>
auto unlocked(const Work& work) {
  nb::gil_scoped_release released;
  return work();
}

using PairPlaces = Input<std::uint32_t, 1>;

/// Where the pairs of a part stand in its own table, as `met_pairs` found them: every pass asks for them again.
class PartPlaces {
 public:
  PartPlaces(const PairPlaces& places, std::size_t n_pairs, const Bitext& bitext)
      : offsets_(align::place_offsets(bitext.from(), bitext.to())), places_(view(places)) {
    const auto most = std::ranges::max_element(places_);
    if (places_.size() != offsets_.back() || (most != places_.end() && *most >= n_pairs)) {
      throw data_error("The places of a part's word pairs do not fit its sentences or its table.");
    }
  }

  align::PlacesView get() const { return {offsets_, places_}; }

 private:
  std::vector<std::size_t> offsets_;
  std::span<const std::uint32_t> places_;
};

nb::tuple met_pairs(const Bitext& bitext) {
  align::Places places;
  auto table = unlocked([&] {
    check(bitext);
    return align::collect_pairs(bitext.from(), bitext.to(), places);
  });
  return nb::make_tuple(owned_array(std::move(table.rows)), owned_array(std::move(table.targets)),
                        owned_array(std::move(places.places)));
}

/// The values of a part's pairs out of those of all parts.
auto take(Input<float, 1> values, PairPlaces places) {
  std::vector<float> taken(places.size());
  unlocked([&] {
    const auto from = view(values);
    const auto at = view(places);
    for (std::size_t k = 0; k < at.size(); ++k) {
      if (at[k] >= from.size()) throw data_error("A place leads beyond the values.");
      taken[k] = from[at[k]];
    }
  });
  return owned_array(std::move(taken));
}

/// Counts by pair of the whole from those of parts, which say where theirs belong.
auto add_up(std::size_t n_pairs, const std::vector<std::pair<PairPlaces, Input<std::uint64_t, 1>>>& parts) {
  std::vector<std::uint64_t> sums(n_pairs, 0);
  unlocked([&] {
    for (const auto& [places, counts] : parts) {
      const auto at = view(places);
      const auto more = view(counts);
      if (at.size() != more.size()) throw data_error("There must be a place for every count.");
      for (std::size_t k = 0; k < at.size(); ++k) {
        if (at[k] >= n_pairs) throw data_error("A place leads beyond the counts.");
        sums[at[k]] += more[k];
      }
    }
  });
  return owned_array(std::move(sums));
}

nb::tuple unite_rows(const std::vector<std::pair<Offsets, Ids>>& tables, std::size_t begin, std::size_t end) {
  std::vector<align::TableView> views;
  for (const auto& [rows, targets] : tables) {
    if (rows.size() == 0 || rows.data()[rows.size() - 1] != static_cast<std::int64_t>(targets.size())) {
      throw data_error("Rows of a table must end at its number of pairs.");
    }
    views.push_back({view(rows), view(targets), {}});
  }
  std::vector<std::uint32_t> places;
  auto united = unlocked([&] { return align::unite_rows(views, begin, end, places); });
  return nb::make_tuple(owned_array(std::move(united.rows)), owned_array(std::move(places)));
}

nb::tuple expect_diagonal(Input<float, 1> p, PairPlaces places, const Bitext& bitext,
                          const align::DiagonalOptions& options) {
  std::vector<double> log_p(bitext.from().size());
  auto counts = unlocked([&] {
    check(bitext);
    const PartPlaces own(places, p.size(), bitext);
    return align::expect_diagonal(view(p), own.get(), bitext.from(), bitext.to(), bitext.anchors(), options, log_p);
  });
  return nb::make_tuple(owned_array(std::move(counts.pairs)), counts.distance, owned_array(std::move(log_p)));
}

nb::tuple expect_hmm(Input<float, 1> p, PairPlaces places, Input<double, 1> jumps, const Bitext& bitext,
                     double p_null) {
  std::vector<double> log_p(bitext.from().size());
  std::vector<std::int64_t> lengths;
  auto counts = unlocked([&] {
    check(bitext);
    const align::ContextPlaces contexts(bitext.from());
    lengths.assign(contexts.lengths.begin(), contexts.lengths.end());
    const PartPlaces own(places, p.size(), bitext);
    const align::Jumps weights(std::vector<double>(jumps.data(), jumps.data() + jumps.size()));
    return align::expect_hmm(view(p), weights, contexts, own.get(), bitext.from(), bitext.to(), bitext.anchors(),
                             p_null, log_p);
  });
  return nb::make_tuple(owned_array(std::move(counts.pairs)), owned_array(std::move(counts.jumps)),
                        owned_array(std::move(lengths)), owned_array(std::move(counts.contexts)),
                        owned_array(std::move(log_p)));
}

auto estimate(Input<std::int64_t, 1> rows, Input<std::uint64_t, 1> counts, double alpha) {
  if (rows.size() == 0 || rows.data()[0] != 0 ||
      rows.data()[rows.size() - 1] != static_cast<std::int64_t>(counts.size())) {
    throw data_error("Rows must begin at 0 and end at the number of counts.");
  }
  align::LexicalTable table;
  {
    nb::gil_scoped_release released;
    table.rows.assign(rows.data(), rows.data() + rows.size());
    table.p.resize(counts.size());
    align::estimate(table, span_of(counts), {alpha, {}}, 1);
  }
  return owned_array(std::move(table.p));
}

double next_tension(Input<std::int64_t, 2> sizes, double tension, std::uint64_t distance, std::uint64_t null) {
  align::Sizes by_size;
  std::size_t n_words = 0;
  for (std::size_t i = 0; i < sizes.shape(0); ++i) {
    const auto at = [&](std::size_t k) { return static_cast<std::size_t>(sizes.data()[3 * i + k]); };
    by_size[{at(0), at(1)}] += at(2);
    n_words += at(1) * at(2);
  }
  return align::next_tension(by_size, n_words, tension, distance, null);
}

auto next_jumps(Input<double, 1> jumps, Input<std::int64_t, 1> lengths, Input<std::uint64_t, 1> jump_counts,
                Input<std::uint64_t, 1> context_counts) {
  const align::Jumps weights(std::vector<double>(jumps.data(), jumps.data() + jumps.size()));
  const align::ContextPlaces places(span_of(lengths));
  const std::size_t needed = places.starts.empty() ? 0 : places.starts.back();
  if (context_counts.size() != needed || jump_counts.size() != jumps.size()) {
    throw data_error("Counts of jumps and of their contexts do not fit the lengths of sentences.");
  }
  return owned_array(align::next_jumps(weights, places, span_of(jump_counts), span_of(context_counts)));
}

}  // namespace

void bind(nb::module_& m) {
  m.def("met_pairs", &met_pairs, "bitext"_a,
        nb::sig("def met_pairs(bitext: Bitext) -> tuple[NDArray[numpy.int64], NDArray[numpy.int32],"
                " NDArray[numpy.uint32]]"),
        "Rows and targets of a table of all word pairs that meet in sentence pairs, and where in it they stand: by "
        "pair of"
        " sentences, by source word, the empty one first, by target word.");
  m.def("take", &take, "values"_a.noconvert(), "places"_a.noconvert(),
        nb::sig("def take(values: NDArray[numpy.float32], places: NDArray[numpy.uint32]) -> NDArray[numpy.float32]"),
        "The values at these places.");
  m.def("add_up", &add_up, "n_pairs"_a, "parts"_a.noconvert(),
        nb::sig("def add_up(n_pairs: int, parts: list[tuple[NDArray[numpy.uint32], NDArray[numpy.uint64]]]) ->"
                " NDArray[numpy.uint64]"),
        "The sums of the parts' counts, by place.");
  m.def(
      "unite_rows", &unite_rows, "tables"_a.noconvert(), "begin"_a, "end"_a,
      nb::sig("def unite_rows(tables: list[tuple[NDArray[numpy.int64], NDArray[numpy.int32]]], begin: int, end: int) ->"
              " tuple[NDArray[numpy.int64], NDArray[numpy.uint32]]"),
      "Rows of one table of the pairs in some rows of several, and where in it the pairs of each stand.");
  m.def("expect_diagonal", &expect_diagonal, "p"_a.noconvert(), "places"_a.noconvert(), "bitext"_a, "options"_a,
        nb::sig("def expect_diagonal(p: NDArray[numpy.float32], places: NDArray[numpy.uint32], bitext: Bitext, options:"
                " DiagonalOptions) ->"
                " tuple[NDArray[numpy.uint64], int, NDArray[numpy.float64]]"),
        "A round's pass over a part of a text: counts by pair and distance, both in units; log p by sentence.");
  m.def(
      "expect_hmm", &expect_hmm, "p"_a.noconvert(), "places"_a.noconvert(), "jumps"_a.noconvert(), "bitext"_a,
      "p_null"_a,
      nb::sig("def expect_hmm(p: NDArray[numpy.float32], places: NDArray[numpy.uint32], jumps: NDArray[numpy.float64],"
              " bitext: Bitext, p_null: float) ->"
              " tuple[NDArray[numpy.uint64], NDArray[numpy.uint64], NDArray[numpy.int64], NDArray[numpy.uint64],"
              " NDArray[numpy.float64]]"),
      "The same: counts by pair, by jump; the lengths met and counts of their contexts; log p by sentence.");
  m.def("estimate", &estimate, "rows"_a.noconvert(), "counts"_a.noconvert(), "alpha"_a,
        nb::sig("def estimate(rows: NDArray[numpy.int64], counts: NDArray[numpy.uint64], alpha: float) ->"
                " NDArray[numpy.float32]"),
        "Probabilities of the pairs of rows from counts in units.");
  m.def("next_tension", &next_tension, "sizes"_a.noconvert(), "tension"_a, "distance"_a, "null"_a,
        nb::sig("def next_tension(sizes: NDArray[numpy.int64], tension: float, distance: int, null: int) -> float"),
        "The tension after a round; a row of `sizes` has source words, target words, and how many pairs have so many.");
  m.def("next_jumps", &next_jumps, "jumps"_a.noconvert(), "lengths"_a.noconvert(), "jump_counts"_a.noconvert(),
        "context_counts"_a.noconvert(),
        nb::sig("def next_jumps(jumps: NDArray[numpy.float64], lengths: NDArray[numpy.int64], jump_counts:"
                " NDArray[numpy.uint64], context_counts: NDArray[numpy.uint64]) -> NDArray[numpy.float64]"),
        "The weights of jumps after a round.");
}

}  // namespace dragoman::bindings::align_parts_area
