#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace dragoman::lm {

/// Ascending representatives of values, exactly `n_bins`: bins of equal numbers of values, each with its mean (Federico
/// & Bertoldi, WMT 2006). If there are no more different values than bins, the values themselves, the last repeated.
inline std::vector<float> bin_centres(std::vector<float> values, std::size_t n_bins) {
  std::sort(values.begin(), values.end());
  std::vector<float> centres(values);
  centres.erase(std::unique(centres.begin(), centres.end()), centres.end());
  if (centres.size() <= n_bins) {
    centres.resize(n_bins, centres.empty() ? 0.0F : centres.back());
    return centres;
  }
  centres.clear();
  for (std::size_t i = 0; i < n_bins; ++i) {
    const std::size_t begin = values.size() * i / n_bins, end = values.size() * (i + 1) / n_bins;
    double sum = 0;
    for (std::size_t k = begin; k < end; ++k) sum += values[k];
    centres.push_back(static_cast<float>(sum / static_cast<double>(end - begin)));
  }
  return centres;
}

/// The place of the representative nearest to `value`.
inline std::size_t nearest(std::span<const float> centres, float value) {
  const auto above = std::lower_bound(centres.begin(), centres.end(), value);
  if (above == centres.begin()) return 0;
  if (above == centres.end()) return centres.size() - 1;
  return static_cast<std::size_t>(above - centres.begin()) - (*above - value < value - above[-1] ? 0 : 1);
}

}  // namespace dragoman::lm
