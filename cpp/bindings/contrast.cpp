#include "dragoman/metrics/contrast.hpp"

#include <nanobind/stl/tuple.h>

#include <algorithm>
#include <tuple>

#include "areas.hpp"
#include "arrays.hpp"
#include "streams.hpp"

namespace dragoman::bindings::contrast_area {

using namespace nb::literals;

namespace {

void check_ids(const metrics::IdBatch& batch) {
  if (std::ranges::any_of(batch.ids, [](metrics::TokenId id) { return id < 0; })) {
    throw std::invalid_argument("ids are negative");
  }
}

auto found_words(nb::handle words, nb::handle others, unsigned n_threads) {
  const IdStream own(words), other(others);
  if (own.batch().size() != other.batch().size()) throw std::invalid_argument("streams have different lengths");
  check_ids(own.batch());
  check_ids(other.batch());
  std::vector<std::uint8_t> found;
  {
    nb::gil_scoped_release unlocked;
    found = metrics::found_words(own.batch(), other.batch(), n_threads);
  }
  const std::size_t n = found.size();
  return to_array(std::move(found), {n});
}

auto match_ngrams(nb::handle systems, nb::handle refs, const PresenceArray& present, std::size_t order,
                  unsigned n_threads) {
  const Streams<IdStream> hyps(systems), references(refs);
  hyps.check_length(present.shape(1));
  references.check_length(present.shape(1));
  if (present.shape(0) != references.batches().size()) throw std::invalid_argument("present does not fit refs");
  metrics::NgramMatches made;
  {
    nb::gil_scoped_release unlocked;
    made =
        metrics::match_ngrams(order, hyps.batches(), references.batches(), {present.data(), present.size()}, n_threads);
  }
  const std::size_t n = made.parents.size();
  return std::make_tuple(to_array(std::move(made.parents), {n}), to_array(std::move(made.words), {n}),
                         to_array(std::move(made.counts), {hyps.batches().size(), n}));
}

}  // namespace

void bind(nb::module_& m) {
  m.def("found_words", &found_words, "words"_a, "others"_a, nb::kw_only(), "n_threads"_a,
        "For each word, in order, whether the other text still has one of its kind: uint8 array (words,).");
  m.def(
      "match_ngrams", &match_ngrams, "systems"_a, "refs"_a, "present"_a.noconvert(), nb::kw_only(), "order"_a,
      "n_threads"_a,
      "N-grams of the references: parents and last words, int32 arrays (n-grams,), and each system's clipped matches, "
      "int64 array (systems, n-grams).");
}

}  // namespace dragoman::bindings::contrast_area
