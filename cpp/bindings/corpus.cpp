#include "dragoman/corpus/counting.hpp"

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstdint>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/corpus/hashing.hpp"
#include "dragoman/corpus/profile.hpp"
#include "dragoman/corpus/shift.hpp"
#include "lines.hpp"

namespace dragoman::bindings::corpus_area {

using namespace nb::literals;

namespace {

using Keys = Input<std::uint64_t, 1>;

auto profile_lines(nb::handle sequence, unsigned n_threads) {
  const Lines lines(sequence);
  const auto& views = lines.views();
  std::vector<std::int32_t> profiles(views.size() * corpus::kFields);
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(views.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto row = corpus::profile_line(views[i]);
        std::ranges::copy(row, profiles.begin() + static_cast<std::ptrdiff_t>(i * corpus::kFields));
      }
    });
  }
  return to_array(std::move(profiles), {views.size(), corpus::kFields});
}

auto hash_lines(nb::handle sequence, bool skeleton, unsigned n_threads) {
  const Lines lines(sequence);
  const auto& views = lines.views();
  std::vector<std::uint64_t> keys(views.size());
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(views.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        keys[i] = skeleton ? corpus::hash_skeleton(views[i]) : corpus::hash_bytes(views[i]);
      }
    });
  }
  return to_array(std::move(keys), {views.size()});
}

auto hash_pairs(Keys first, Keys second) {
  if (first.size() != second.size()) {
    throw data_error("Two arrays of one length are needed, got " + std::to_string(first.size()) + " and " +
                     std::to_string(second.size()) + ".");
  }
  std::vector<std::uint64_t> keys(first.size());
  for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = corpus::hash_pair(first.data()[i], second.data()[i]);
  return to_array(std::move(keys), {first.size()});
}

auto add_keys(corpus::RepeatCounter& counter, Keys keys) {
  std::vector<std::uint16_t> counts(keys.size());
  std::transform(keys.data(), keys.data() + keys.size(), counts.begin(),
                 [&](std::uint64_t key) { return counter.add(key); });
  return to_array(std::move(counts), {keys.size()});
}

auto add_lines(corpus::TypeCounter& counter, nb::handle sequence) {
  const Lines lines(sequence);
  std::vector<std::int32_t> counts;
  counts.reserve(lines.views().size());
  for (const auto line : lines.views()) counts.push_back(static_cast<std::int32_t>(counter.add(line)));
  const std::size_t n = counts.size();
  return to_array(std::move(counts), {n});
}

auto fit_shifted(nb::handle srcs, nb::handle tgts, const std::vector<int>& shifts, double centre, double spread) {
  const Lines sources(srcs);
  const Lines targets(tgts);
  std::vector<double> fit;
  {
    nb::gil_scoped_release unlocked;
    fit = corpus::fit_shifted(sources.views(), targets.views(), shifts, {.centre = centre, .spread = spread});
  }
  return to_array(std::move(fit), {sources.views().size(), shifts.size()});
}

}  // namespace

void bind(nb::module_& m) {
  m.def("profile_lines", &profile_lines, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
        "What one pass over each line counts: int32 array (lines, fields), columns named by profile_fields().");
  m.def(
      "profile_fields",
      [] {
        nb::list names;
        for (const auto name : corpus::kFieldNames) names.append(nb::str(name.data(), name.size()));
        return names;
      },
      nb::sig("def profile_fields() -> list[str]"), "The names of the columns of profile_lines.");
  m.def("hash_lines", &hash_lines, "lines"_a, nb::kw_only(), "skeleton"_a = false, "n_threads"_a = 1,
        "A 64-bit hash of each line; of its letters and digits (each read as 0) alone if `skeleton`.");
  m.def("hash_pairs", &hash_pairs, "first"_a.noconvert(), "second"_a.noconvert(), "One hash of two, item by item.");
  m.def("fit_shifted", &fit_shifted, "srcs"_a, "tgts"_a, "shifts"_a, nb::kw_only(), "centre"_a, "spread"_a,
        "How well source i and target i + shift fit each other, in nats: float64 array (lines, shifts).");

  // The counters keep the GIL: two threads must not write to one of them.
  nb::class_<corpus::RepeatCounter>(m, "RepeatCounter", "How often each 64-bit key has come so far.")
      .def(nb::init<>())
      .def("add", &add_keys, "keys"_a.noconvert(),
           "Count the keys; for each, how often it has now come (1: first, at most 65,535).")
      .def_prop_ro("distinct", &corpus::RepeatCounter::distinct, "How many different keys there were.");
  nb::class_<corpus::TypeCounter>(m, "TypeCounter", "Counts the different tokens of a text.")
      .def(nb::init<>())
      .def("add", &add_lines, "lines"_a, "Count the tokens of the lines; how many each line has.")
      .def_prop_ro("tokens", &corpus::TypeCounter::tokens, "Tokens so far.")
      .def_prop_ro("types", &corpus::TypeCounter::types, "Different tokens so far.")
      .def_prop_ro("hapaxes", &corpus::TypeCounter::hapaxes, "Tokens that came exactly once.");
}

}  // namespace dragoman::bindings::corpus_area
