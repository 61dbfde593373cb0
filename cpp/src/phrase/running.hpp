#pragma once

#include <algorithm>
#include <cstdint>

#include "dragoman/phrase/search.hpp"

namespace dragoman::phrase {

/// Mean and variance of numbers that come one after the other (Welford 1962).
class Running {
 public:
  void add(double value) {
    least_ = n_ == 0 ? value : std::min(least_, value);
    most_ = n_ == 0 ? value : std::max(most_, value);
    ++n_;
    const double before = value - mean_;
    mean_ += before / static_cast<double>(n_);
    squares_ += before * (value - mean_);
  }
  Spread spread() const { return {mean_, n_ == 0 ? 0 : squares_ / static_cast<double>(n_), least_, most_}; }

 private:
  std::uint64_t n_ = 0;
  double mean_ = 0, squares_ = 0, least_ = 0, most_ = 0;
};

}  // namespace dragoman::phrase
