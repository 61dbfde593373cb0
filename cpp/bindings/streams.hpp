#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "dragoman/metrics/batch.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

template <class T>
using Array = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PresenceArray = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

/// Segments of token ids, from a pair of arrays (ids, offsets).
class IdStream {
 public:
  explicit IdStream(nb::handle pair) : ids_(cast<metrics::TokenId>(pair[0])), offsets_(cast<std::int64_t>(pair[1])) {
    const auto n = static_cast<std::int64_t>(ids_.size());
    std::int64_t before = 0;
    if (offsets_.size() == 0) throw std::invalid_argument("offsets are empty");
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      if (offsets_.data()[i] < before || offsets_.data()[i] > n) throw std::invalid_argument("offsets do not fit ids");
      before = offsets_.data()[i];
    }
  }
  metrics::IdBatch batch() const noexcept { return {{ids_.data(), ids_.size()}, {offsets_.data(), offsets_.size()}}; }

 private:
  template <class T>
  static Array<T> cast(const nb::object& object) {
    Array<T> array;
    if (!nb::try_cast(object, array, false)) throw nb::type_error("expected ids as int32 and offsets as int64 arrays");
    return array;
  }
  Array<metrics::TokenId> ids_;
  Array<std::int64_t> offsets_;
};

/// Several streams of one length.
template <class Stream>
class Streams {
 public:
  using Batch = decltype(std::declval<Stream>().batch());

  explicit Streams(nb::handle sequence) {
    for (nb::handle item : nb::borrow<nb::sequence>(sequence)) {
      streams_.push_back(std::make_unique<Stream>(item));
      batches_.push_back(streams_.back()->batch());
    }
  }
  std::span<const Batch> batches() const noexcept { return batches_; }
  void check_length(std::size_t n) const {
    for (const Batch& batch : batches_) {
      if (batch.size() != n) throw std::invalid_argument("streams have different lengths");
    }
  }

 private:
  std::vector<std::unique_ptr<Stream>> streams_;
  std::vector<Batch> batches_;
};

}  // namespace dragoman::bindings
