#include "dragoman/metrics/edit_column.hpp"

namespace dragoman::metrics {

void EditColumn::start(std::size_t length) {
  length_ = length;
  blocks_.assign((length + 63) / 64, {~std::uint64_t{0}, 0});
  last_ = length == 0 ? 0 : std::uint64_t{1} << (length - 1) % 64;
  top_ = 0;
  bottom_ = static_cast<std::int64_t>(length);
}

void EditColumn::start(std::span<const std::int64_t> costs) {
  start(costs.size() - 1);
  top_ = costs.front();
  bottom_ = costs.back();
  for (std::size_t i = 0; i < length_; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i % 64;
    if (costs[i + 1] <= costs[i]) blocks_[i / 64].up &= ~bit;
    if (costs[i + 1] < costs[i]) blocks_[i / 64].down |= bit;
  }
}

void EditColumn::read(std::vector<std::int64_t>& costs) const {
  costs.resize(length_ + 1);
  std::int64_t cost = costs[0] = top_;
  for (std::size_t i = 0; i < length_; ++i) {
    const auto& [up, down] = blocks_[i / 64];
    cost += static_cast<std::int64_t>(up >> i % 64 & 1) - static_cast<std::int64_t>(down >> i % 64 & 1);
    costs[i + 1] = cost;
  }
}

}  // namespace dragoman::metrics
