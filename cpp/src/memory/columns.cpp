#include "dragoman/memory/columns.hpp"

namespace dragoman::memory {

namespace {

void count(std::uint8_t& cell) noexcept { cell = static_cast<std::uint8_t>(cell + (cell < 255)); }

}  // namespace

void Columns::add(const Side& side) {
  const auto unit = static_cast<Slot>(n_units_++);
  for (auto& [token, column] : columns_) column.push_back(0);
  for (const TokenId token : side.tokens(unit)) {
    if (const auto known = columns_.find(token); known != columns_.end()) {
      count(known->second[unit]);
      continue;
    }
    const auto units = side.units_with(token);
    if (units.size() <= std::max(kFewest, n_units_ / kShare)) continue;
    auto& column = columns_[token];
    column.resize(n_units_);
    for (const Slot each : units) {
      for (const TokenId other : side.tokens(each)) {
        if (other == token && each != unit) count(column[each]);
      }
    }
    count(column[unit]);
  }
}

}  // namespace dragoman::memory
