#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/edit/levenshtein.hpp"
#include "dragoman/edit/ter_batch.hpp"
#include "dragoman/text/unicode.hpp"
#include "line_buffer.hpp"

namespace dragoman::bindings::edit_area {

using namespace nb::literals;
using edit::TerReferences;

namespace {

using Ids = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;

/// Sequences laid end to end: sequence i is [offsets[i], offsets[i + 1]).
class Sequences {
 public:
  Sequences(const Ids& ids, const Offsets& offsets)
      : ids_(ids.data(), ids.size()), offsets_(offsets.data(), offsets.size()) {
    if (offsets_.empty() || offsets_.front() != 0 || offsets_.back() != static_cast<std::int64_t>(ids_.size()) ||
        !std::ranges::is_sorted(offsets_)) {
      throw data_error("The offsets must rise from 0 to the number of ids.");
    }
  }

  std::size_t size() const { return offsets_.size() - 1; }

  std::span<const std::int32_t> operator[](std::size_t i) const {
    return ids_.subspan(static_cast<std::size_t>(offsets_[i]), static_cast<std::size_t>(offsets_[i + 1] - offsets_[i]));
  }

 private:
  std::span<const std::int32_t> ids_;
  std::span<const std::int64_t> offsets_;
};

/// Call `work(kernel, i, hyp, ref)` for each pair of sequences, without the GIL.
template <class Work>
std::size_t for_each_pair(const Sequences& hyps, const Sequences& refs, unsigned n_threads, const Work& work) {
  if (hyps.size() != refs.size()) throw data_error("There must be one reference per hypothesis.");
  nb::gil_scoped_release unlocked;
  for_each_chunk(hyps.size(), n_threads, [&](Chunk chunk) {
    edit::Levenshtein kernel;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) work(kernel, i, hyps[i], refs[i]);
  });
  return hyps.size();
}

template <int (edit::Levenshtein::*Distance)(edit::Levenshtein::Ids, edit::Levenshtein::Ids)>
auto distances(const Ids& hyp_ids, const Offsets& hyp_offsets, const Ids& ref_ids, const Offsets& ref_offsets,
               unsigned n_threads) {
  const Sequences hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets);
  std::vector<std::int32_t> found(hyps.size());
  const std::size_t n = for_each_pair(
      hyps, refs, n_threads,
      [&](edit::Levenshtein& kernel, std::size_t i, auto hyp, auto ref) { found[i] = (kernel.*Distance)(hyp, ref); });
  return to_array(std::move(found), {n});
}

auto operations(const Ids& hyp_ids, const Offsets& hyp_offsets, const Ids& ref_ids, const Offsets& ref_offsets,
                unsigned n_threads) {
  const Sequences hyps(hyp_ids, hyp_offsets), refs(ref_ids, ref_offsets);
  std::vector<std::vector<edit::Operation>> found(hyps.size());
  const std::size_t n = for_each_pair(
      hyps, refs, n_threads,
      [&](edit::Levenshtein& kernel, std::size_t i, auto hyp, auto ref) { found[i] = kernel.operations(hyp, ref); });
  std::vector<std::uint8_t> numbers;
  std::vector<std::int64_t> offsets{0};
  for (const auto& steps : found) {
    for (const edit::Operation step : steps) numbers.push_back(static_cast<std::uint8_t>(step));
    offsets.push_back(static_cast<std::int64_t>(numbers.size()));
  }
  const std::size_t n_steps = numbers.size();
  return std::make_tuple(to_array(std::move(numbers), {n_steps}), to_array(std::move(offsets), {n + 1}));
}

TerReferences digest(nb::handle streams, const std::optional<Input<std::uint8_t, 2>>& present,
                     edit::TercomOptions options) {
  std::vector<std::unique_ptr<AnyLines>> lines;
  std::vector<const text::LineSource*> sources;
  for (const nb::handle stream : streams) {
    sources.push_back(&lines.emplace_back(std::make_unique<AnyLines>(stream))->source());
  }
  const auto there = present ? std::span(present->data(), present->size()) : std::span<const std::uint8_t>();
  nb::gil_scoped_release unlocked;
  return TerReferences(sources, there, options);
}

auto count(const TerReferences& refs, nb::handle hyps, unsigned n_threads) {
  const AnyLines lines(hyps);
  std::vector<std::int32_t> edits;
  {
    nb::gil_scoped_release unlocked;
    edits = refs.count(lines.source(), n_threads);
  }
  return to_array(std::move(edits), {refs.n_segments(), refs.n_references()});
}

auto count_pairs(const TerReferences& refs, nb::handle hyps, unsigned n_threads) {
  const AnyLines lines(hyps);
  std::vector<std::int32_t> edits;
  {
    nb::gil_scoped_release unlocked;
    edits = refs.count_pairs(lines.source(), n_threads);
  }
  return to_array(std::move(edits), {lines.source().size(), refs.n_segments()});
}

using Shifts = std::vector<std::tuple<std::int32_t, std::int32_t, std::int32_t>>;
using Trace =
    std::tuple<std::int32_t, std::int32_t, Shifts, nb::bytes, std::vector<std::string>, std::vector<std::string>>;

std::vector<Trace> trace(const TerReferences& refs, nb::handle hyps, bool with_shifts, unsigned n_threads) {
  const AnyLines lines(hyps);
  std::vector<edit::SegmentTrace> traces;
  {
    nb::gil_scoped_release unlocked;
    traces = refs.trace(lines.source(), with_shifts, n_threads);
  }
  std::vector<Trace> rows;
  rows.reserve(traces.size());
  for (edit::SegmentTrace& segment : traces) {
    Shifts shifts;
    for (const auto& [from, length, to] : segment.trace.shifts) shifts.emplace_back(from, length, to);
    const auto& steps = segment.trace.operations;
    rows.emplace_back(segment.reference, segment.trace.edits, std::move(shifts), nb::bytes(steps.data(), steps.size()),
                      std::move(segment.hyp_words), std::move(segment.ref_words));
  }
  return rows;
}

std::vector<std::string> tercom_tokenise(nb::handle sequence, edit::TercomOptions options) {
  const AnyLines lines(sequence);
  std::vector<std::string> tokenised(lines.source().size());
  nb::gil_scoped_release unlocked;
  edit::TercomTokeniser tokenise(options);
  Bytes scratch;
  for (std::size_t i = 0; i < tokenised.size(); ++i) {
    text::split(tokenise(lines.source().line(i, scratch)), [&](std::string_view word) {
      if (!tokenised[i].empty()) tokenised[i].push_back(' ');
      tokenised[i].append(word);
    });
  }
  return tokenised;
}

}  // namespace

void bind(nb::module_& m) {
  const auto def_pairs = [&](const char* name, auto function, const char* text) {
    m.def(name, function, "hyp_ids"_a.noconvert(), "hyp_offsets"_a.noconvert(), "ref_ids"_a.noconvert(),
          "ref_offsets"_a.noconvert(), nb::kw_only(), "n_threads"_a = 1, text);
  };
  def_pairs("levenshtein", &distances<&edit::Levenshtein::distance>,
            "Edit distances of pairs of sequences of int32 ids, laid end to end: int32 array.");
  def_pairs("damerau", &distances<&edit::Levenshtein::damerau>,
            "The same with swaps of neighbours as one edit, no item being edited twice.");
  def_pairs("operations", &operations,
            "Shortest ways from hypotheses to references: uint8 operations and their int64 offsets.\n"
            "Operations: 0 match, 1 substitute, 2 insert, 3 delete.");

  m.def(
      "tercom_tokenise",
      [](nb::handle lines, bool lowercase, bool normalised, bool no_punct, bool asian) {
        return tercom_tokenise(lines, {lowercase, normalised, no_punct, asian});
      },
      "lines"_a, nb::kw_only(), "lowercase"_a, "normalised"_a, "no_punct"_a, "asian"_a,
      "tercom's tokeniser: lines with single spaces between tokens.");

  nb::class_<TerReferences>(m, "TerReferences", "References digested for TER: streams of lines, one per segment.")
      .def(
          "__init__",
          [](TerReferences* self, nb::handle streams, std::optional<Input<std::uint8_t, 2>> present, bool lowercase,
             bool normalised, bool no_punct, bool asian) {
            new (self) TerReferences(digest(streams, present, {lowercase, normalised, no_punct, asian}));
          },
          "streams"_a, "present"_a.noconvert().none() = nb::none(), nb::kw_only(), "lowercase"_a = false,
          "normalised"_a = false, "no_punct"_a = false, "asian"_a = false)
      .def_prop_ro("n_bytes", &TerReferences::n_bytes, "How much memory this holds.")
      .def(
          "lengths",
          [](const TerReferences& self) { return to_array(self.lengths(), {self.n_segments(), self.n_references()}); },
          "Words of each reference, -1 where a segment lacks it: int32 array (segments, references).")
      .def("count", &count, "hyps"_a, nb::kw_only(), "n_threads"_a = 1,
           "Edits against each reference, -1 where a segment lacks it: int32 array (segments, references).")
      .def("count_pairs", &count_pairs, "hyps"_a, nb::kw_only(), "n_threads"_a = 1,
           "Edits of every hypothesis against the first reference of every segment: int32 array (hyps, segments).")
      .def("trace", &trace, "hyps"_a, nb::kw_only(), "with_shifts"_a = true, "n_threads"_a = 1,
           "For each segment: best reference, edits, shifts (from, length, to), operations, hypothesis and reference "
           "words.");
}

}  // namespace dragoman::bindings::edit_area
