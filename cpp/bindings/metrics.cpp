#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/metrics/amber.hpp"
#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/bleu.hpp"
#include "dragoman/metrics/chrf.hpp"
#include "dragoman/metrics/edit_rates.hpp"
#include "dragoman/metrics/nist.hpp"
#include "dragoman/metrics/resegment.hpp"
#include "dragoman/metrics/word_order.hpp"
#include "dragoman/metrics/word_reader.hpp"
#include "dragoman/text/tokeniser.hpp"
#include "line_buffer.hpp"
#include "streams.hpp"
#include "strings.hpp"

namespace dragoman::bindings::metrics_area {

using namespace nb::literals;

namespace {

using metrics::IdBatch;
using metrics::LineBatch;
using metrics::Presence;
using metrics::TokenId;

/// Rows of statistics on their way to NumPy.
class Rows {
 public:
  explicit Rows(std::vector<std::size_t> shape) : shape_(std::move(shape)) {
    std::size_t size = 1;
    for (const std::size_t extent : shape_) size *= extent;
    values_ = std::make_unique<std::vector<double>>(size);
  }
  std::span<double> span() noexcept { return *values_; }

  auto to_array() && {
    auto* const kept = values_.release();
    nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<double>*>(p); });
    return nb::ndarray<nb::numpy, double>(kept->data(), shape_.size(), shape_.data(), owner);
  }

 private:
  std::vector<std::size_t> shape_;
  std::unique_ptr<std::vector<double>> values_;
};

/// Segments of text, from a line buffer or from a sequence of str.
class LineStream {
 public:
  explicit LineStream(nb::handle lines) : lines_(lines) {}
  LineBatch batch() const noexcept { return {&lines_.source()}; }

 private:
  AnyLines lines_;
};

/// Statistics of systems against aligned references: array (systems, segments, statistics).
template <class Stream, class MakeReader, class Prepare>
auto aligned(const Prepare& prepare, const MakeReader& make_reader, nb::handle systems, nb::handle refs,
             const PresenceArray& present, unsigned n_threads) {
  const Streams<Stream> hyps(systems), references(refs);
  const std::size_t n = present.shape(1);
  hyps.check_length(n);
  references.check_length(n);
  if (present.shape(0) != references.batches().size()) throw std::invalid_argument("present does not fit refs");
  const Presence presence(present.data(), present.size());
  const auto make = prepare(references.batches(), presence);
  Rows rows({hyps.batches().size(), n, make().width()});
  {
    nb::gil_scoped_release unlocked;
    metrics::score_aligned(make, make_reader, hyps.batches(), references.batches(), presence, rows.span(), n_threads);
  }
  return std::move(rows).to_array();
}

/// Statistics of every hypothesis against every reference: array (hypotheses, references, statistics).
template <class Stream, class Make>
auto pairs(const Make& make, nb::handle hyps, nb::handle refs, unsigned n_threads) {
  const Stream left(hyps), right(refs);
  Rows rows({left.batch().size(), right.batch().size(), make().width()});
  {
    nb::gil_scoped_release unlocked;
    metrics::score_pairs(make, left.batch(), right.batch(), rows.span(), n_threads);
  }
  return std::move(rows).to_array();
}

/// Define `name` for lines of text that a tokeniser cuts into words, and `name_pairs` for ids, with the scorers that
/// `make(options…)` makes.
template <class... Options, class Make, class... Names>
void def_words(nb::module_& m, const std::string& name, const std::string& what, Make make, Names... names) {
  m.def(
      name.c_str(),
      [make](nb::handle systems, nb::handle refs, const PresenceArray& present, const text::Tokeniser& tokeniser,
             Options... options, unsigned n_threads) {
        const auto prepare = [=](auto, Presence) { return [=] { return make(options...); }; };
        const auto reader = [&] { return metrics::WordReader(tokeniser); };
        return aligned<LineStream>(prepare, reader, systems, refs, present, n_threads);
      },
      "systems"_a, "refs"_a, "present"_a.noconvert(), "tokeniser"_a, nb::kw_only(), names..., "n_threads"_a,
      (what + ": array (systems, segments, statistics).").c_str());
  m.def((name + "_pairs").c_str(),
        [make](nb::handle hyps, nb::handle refs, Options... options, unsigned n_threads) {
          return pairs<IdStream>([=] { return make(options...); }, hyps, refs, n_threads);
        },
        "hyps"_a, "refs"_a, nb::kw_only(), names..., "n_threads"_a,
        (what + ", of all pairs: array (hyps, refs, statistics).").c_str());
}

using Sums = nb::typed<nb::list, double>;

/// BLEU's statistics summed over the segments, of systems that all references cover: plain numbers, so that a score
/// from the shell need not wait for NumPy.
nb::typed<nb::list, Sums> bleu_totals(nb::handle systems, nb::handle refs, const text::Tokeniser& tokeniser,
                                      std::size_t order, unsigned n_threads) {
  const Streams<LineStream> hyps(systems), references(refs);
  const std::size_t n = references.batches().empty() ? 0 : references.batches()[0].size();
  hyps.check_length(n);
  references.check_length(n);
  const auto make = [=] { return metrics::BleuScorer(order); };
  const std::size_t width = make().width();
  std::vector<double> rows(hyps.batches().size() * n * width);
  {
    nb::gil_scoped_release unlocked;
    metrics::score_aligned(
        make, [&] { return metrics::WordReader(tokeniser); }, hyps.batches(), references.batches(), Presence{},
        std::span<double>(rows), n_threads);
  }
  nb::typed<nb::list, Sums> totals;
  for (std::size_t s = 0; s < hyps.batches().size(); ++s) {
    std::vector<double> sum(width);
    for (std::size_t i = 0; i < n * width; ++i) sum[i % width] += rows[s * n * width + i];
    Sums numbers;
    for (const double value : sum) numbers.append(value);
    totals.append(numbers);
  }
  return totals;
}

metrics::BleuRule bleu_rule(std::size_t order, const std::string& smoothing, double value, bool effective_order) {
  using metrics::Smoothing;
  const Smoothing kind = smoothing == "floor"   ? Smoothing::kFloor
                         : smoothing == "add-k" ? Smoothing::kAddK
                         : smoothing == "exp"   ? Smoothing::kExp
                                                : Smoothing::kNone;
  return {order, kind, value, effective_order};
}

metrics::BleuParts bleu_parts_of(const std::vector<double>& totals, const metrics::BleuRule& rule) {
  if (totals.size() != 2 + 2 * rule.order) throw std::invalid_argument("the statistics are not those of this order");
  return metrics::bleu_parts(totals, rule);
}

/// Define what computes BLEU from summed statistics.
void def_bleu(nb::module_& m) {
  m.def("bleu_totals", &bleu_totals, "systems"_a, "refs"_a, "tokeniser"_a, nb::kw_only(), "order"_a, "n_threads"_a,
        "Statistics of BLEU summed over the segments, of each system; every segment has all references.");
  m.def(
      "bleu_score",
      [](const std::vector<double>& totals, std::size_t order, const std::string& smoothing, double value,
         bool effective) { return bleu_parts_of(totals, bleu_rule(order, smoothing, value, effective)).score(); },
      "totals"_a, nb::kw_only(), "order"_a, "smoothing"_a, "value"_a, "effective_order"_a,
      "BLEU of summed statistics, in per cent.");
  m.def(
      "bleu_parts",
      [](const std::vector<double>& totals, std::size_t order, const std::string& smoothing, double value,
         bool effective) {
        const auto parts = bleu_parts_of(totals, bleu_rule(order, smoothing, value, effective));
        return std::tuple(parts.precisions, parts.penalty, parts.matched);
      },
      "totals"_a, nb::kw_only(), "order"_a, "smoothing"_a, "value"_a, "effective_order"_a,
      "Precisions in per cent, brevity penalty, and whether anything matches.");
  m.def(
      "bleu_scores",
      [](const Input<double, 2>& totals, std::size_t order, const std::string& smoothing, double value,
         bool effective) {
        const auto rule = bleu_rule(order, smoothing, value, effective);
        const std::size_t width = totals.shape(1);
        if (width != 2 + 2 * order) throw std::invalid_argument("the statistics are not those of this order");
        std::vector<double> scores(totals.shape(0));
        for (std::size_t i = 0; i < scores.size(); ++i) {
          scores[i] = metrics::bleu_parts(std::span(totals.data() + i * width, width), rule).score();
        }
        const std::size_t n = scores.size();
        return to_array(std::move(scores), {n});
      },
      "totals"_a.noconvert(), nb::kw_only(), "order"_a, "smoothing"_a, "value"_a, "effective_order"_a,
      "BLEU of each row of summed statistics: array (rows,).");
}

auto chrf(nb::handle systems, nb::handle refs, const PresenceArray& present, std::size_t char_order,
          std::size_t word_order, bool whitespace, unsigned n_threads) {
  const auto make = [=] { return metrics::ChrfScorer({char_order, word_order, whitespace}); };
  return aligned<LineStream>([&](auto, Presence) { return make; }, [] { return metrics::PlainReader(); }, systems, refs,
                             present, n_threads);
}

auto chrf_pairs(nb::handle hyps, nb::handle refs, std::size_t char_order, std::size_t word_order, bool whitespace,
                unsigned n_threads) {
  const auto make = [=] { return metrics::ChrfScorer({char_order, word_order, whitespace}); };
  return pairs<LineStream>(make, hyps, refs, n_threads);
}

auto nist(nb::handle systems, nb::handle refs, const PresenceArray& present, std::size_t order, unsigned n_threads) {
  const auto prepare = [=](std::span<const IdBatch> batches, Presence presence) {
    return [counts = std::make_shared<const metrics::NistCounts>(order, batches, presence)] {
      return metrics::NistScorer(counts);
    };
  };
  return aligned<IdStream>(prepare, [] { return metrics::PlainReader(); }, systems, refs, present, n_threads);
}

auto amber(nb::handle systems, nb::handle refs, const PresenceArray& present, std::size_t order, unsigned n_threads) {
  const auto make = [=] { return metrics::AmberScorer(order); };
  return aligned<IdStream>([&](auto, Presence) { return make; }, [] { return metrics::PlainReader(); }, systems, refs,
                           present, n_threads);
}

auto amber_pairs(nb::handle hyps, nb::handle refs, std::size_t order, unsigned n_threads) {
  return pairs<IdStream>([=] { return metrics::AmberScorer(order); }, hyps, refs, n_threads);
}

/// Where each of a document's segments begins in the document's stream of words.
auto resegment(nb::handle streams, nb::handle refs, const PresenceArray& present, Array<std::int64_t> docs,
               unsigned n_threads) {
  const IdStream hyps(streams);
  const Streams<IdStream> references(refs);
  const std::size_t n = present.shape(1), n_docs = hyps.batch().size();
  references.check_length(n);
  if (present.shape(0) != references.batches().size()) throw std::invalid_argument("present does not fit refs");
  const std::span<const std::int64_t> bounds(docs.data(), docs.size());
  if (bounds.size() != n_docs + 1 || bounds[0] != 0 || bounds.back() != static_cast<std::int64_t>(n) ||
      !std::ranges::is_sorted(bounds)) {
    throw std::invalid_argument("docs do not fit the streams or the references");
  }
  auto* const begins = new std::vector<std::int64_t>(n);
  nb::capsule owner(begins, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(n_docs, n_threads, [&](Chunk chunk) {
      std::vector<std::vector<metrics::Tokens>> groups;
      for (std::size_t d = chunk.begin; d < chunk.end; ++d) {
        const auto first = static_cast<std::size_t>(bounds[d]), end = static_cast<std::size_t>(bounds[d + 1]);
        groups.assign(end - first, {});
        for (std::size_t i = first; i < end; ++i) {
          for (std::size_t r = 0; r < references.batches().size(); ++r) {
            if (present.data()[r * n + i] != 0) groups[i - first].push_back(references.batches()[r][i]);
          }
        }
        std::ranges::copy(metrics::resegment(hyps.batch()[d], groups),
                          begins->begin() + static_cast<std::ptrdiff_t>(first));
      }
    });
  }
  return nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>(begins->data(), {n}, owner);
}

}  // namespace

void bind(nb::module_& m) {
  using namespace metrics;
  using std::size_t;
  m.def("chrf", &chrf, "systems"_a, "refs"_a, "present"_a.noconvert(), nb::kw_only(), "char_order"_a, "word_order"_a,
        "whitespace"_a, "n_threads"_a, "Statistics of chrF with one reference: array (systems, segments, statistics).");
  m.def("chrf_pairs", &chrf_pairs, "hyps"_a, "refs"_a, nb::kw_only(), "char_order"_a, "word_order"_a, "whitespace"_a,
        "n_threads"_a, "Statistics of chrF, of all pairs: array (hyps, refs, statistics).");
  m.def("nist", &nist, "systems"_a, "refs"_a, "present"_a.noconvert(), nb::kw_only(), "order"_a, "n_threads"_a,
        "Statistics of NIST, from ids: array (systems, segments, statistics).");
  def_bleu(m);
  def_words<size_t>(m, "bleu", "Statistics of BLEU", [](size_t order) { return BleuScorer(order); }, "order"_a);
  def_words<size_t>(
      m, "overlap", "N-grams of one order in common with one reference, of the hypothesis, of the reference",
      [](size_t order) { return OverlapScorer(order); }, "order"_a);
  def_words(m, "lcs", "Longest common subsequence with one reference, lengths of hypothesis and reference",
            [] { return LcsScorer(); });
  def_words(m, "wer", "Edits to one reference, and its length", [] { return WerScorer(); });
  def_words(m, "per", "Position-independent errors against one reference, and its length", [] { return PerScorer(); });
  def_words(m, "cder", "CDER's edits and jumps to one reference, and its length", [] { return CderScorer(); });
  def_words<double>(
      m, "gtm", "GTM's match with one reference, lengths of hypothesis and reference",
      [](double exponent) { return GtmScorer(exponent); }, "exponent"_a);
  def_words<bool>(
      m, "ribes", "RIBES' rank correlation, precision and brevity penalty with one reference",
      [](bool paper) { return RibesScorer(paper ? RibesContext::kPaper : RibesContext::kTool); }, "paper"_a);
  m.def("amber", &amber, "systems"_a, "refs"_a, "present"_a.noconvert(), nb::kw_only(), "order"_a, "n_threads"_a,
        "AMBER's matches of each order, aligned words, chunks, rho, tau, v1 and v2 with one reference, from ids: array "
        "(systems, segments, statistics).");
  m.def("amber_pairs", &amber_pairs, "hyps"_a, "refs"_a, nb::kw_only(), "order"_a, "n_threads"_a,
        "The same of all pairs: array (hyps, refs, statistics).");
  m.def("resegment", &resegment, "streams"_a, "refs"_a, "present"_a.noconvert(), "docs"_a.noconvert(), nb::kw_only(),
        "n_threads"_a, "Where each segment begins in its document's stream of words, for fewest edits.");
}

}  // namespace dragoman::bindings::metrics_area
