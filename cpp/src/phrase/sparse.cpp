#include "dragoman/phrase/sparse.hpp"

#include <bit>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

namespace dragoman::phrase {

SparseWeights::SparseWeights(std::span<const SparseKey> keys, std::span<const float> weights) {
  if (keys.size() != weights.size()) {
    throw data_error("There are " + std::to_string(keys.size()) + " sparse features and " +
                     std::to_string(weights.size()) + " weights for them.");
  }
  if (keys.empty()) return;
  slots_.assign(std::bit_ceil(2 * keys.size() + 2), {kFree, 0});
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::size_t slot = place(keys[i]) & mask;
    while (slots_[slot].key != kFree && slots_[slot].key != keys[i]) slot = (slot + 1) & mask;
    if (slots_[slot].key != kFree || keys[i] == kFree) throw data_error("A sparse feature has two weights.");
    slots_[slot] = {keys[i], weights[i]};
  }
  identity_ = hash_bytes({reinterpret_cast<const char*>(weights.data()), weights.size_bytes()},
                         hash_bytes({reinterpret_cast<const char*>(keys.data()), keys.size_bytes()})) |
              1;
}

}  // namespace dragoman::phrase
