#include <nanobind/ndarray.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "areas.hpp"
#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/chrf.hpp"
#include "lines.hpp"

namespace dragoman::bindings {

using namespace nb::literals;

namespace {

using metrics::Presence;
using PresenceArray = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Rows of statistics on their way to NumPy.
class Rows {
 public:
  explicit Rows(std::initializer_list<std::size_t> shape) : shape_(shape) {
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

/// Several sequences of str at once: systems or references.
class Streams {
 public:
  explicit Streams(nb::handle sequences) {
    for (nb::handle sequence : nb::borrow<nb::sequence>(sequences)) {
      streams_.push_back(std::make_unique<Lines>(sequence));
      batches_.emplace_back(streams_.back()->views());
    }
  }
  std::span<const metrics::LineBatch> batches() const noexcept { return batches_; }

 private:
  std::vector<std::unique_ptr<Lines>> streams_;
  std::vector<metrics::LineBatch> batches_;
};

auto chrf_aligned(nb::handle systems, nb::handle ref, std::size_t char_order, std::size_t word_order, bool whitespace,
                  unsigned n_threads) {
  const Streams hyps(systems);
  const Lines lines(ref);
  const metrics::LineBatch refs(lines.views());
  const metrics::ChrfScorer scorer({char_order, word_order, whitespace});
  Rows rows({hyps.batches().size(), refs.size(), scorer.width()});
  {
    nb::gil_scoped_release unlocked;
    metrics::score_aligned(scorer, hyps.batches(), std::span(&refs, 1), Presence{}, rows.span(), n_threads);
  }
  return std::move(rows).to_array();
}

}  // namespace

void bind_metrics(nb::module_& m) {
  m.def("chrf", &chrf_aligned, "systems"_a, "ref"_a, nb::kw_only(), "char_order"_a, "word_order"_a, "whitespace"_a, "n_threads"_a);
}

}  // namespace dragoman::bindings
