#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/extract_parts.hpp"

namespace dragoman::phrase {

/// A phrase pair in a run, with its words and links behind it; in a run of a part of the text once for each way in
/// which its words were linked there, those first that were met first.
struct PairHead {
  std::uint64_t source_hash, target_hash;
  std::uint64_t links_hash;
  std::array<std::uint32_t, 6> orientations;
  std::uint32_t count;
  std::uint32_t n_of_source;  // pairs of its source phrase, once they are known
  std::uint8_t n_source, n_target;
  std::uint16_t n_links;
  std::uint32_t size;  // bytes of it all, a multiple of eight
};
static_assert(sizeof(PairHead) == 64);

/// A place in a run of pairs.
class PairCursor {
 public:
  PairCursor() = default;
  explicit PairCursor(std::string_view run) : at_(run.data()), end_(run.data() + run.size()) { check(); }

  explicit operator bool() const noexcept { return at_ != end_; }
  PairCursor& operator++() {
    at_ += head().size;
    check();
    return *this;
  }
  const PairHead& head() const noexcept { return *reinterpret_cast<const PairHead*>(at_); }
  const TokenId* words() const noexcept { return reinterpret_cast<const TokenId*>(at_ + sizeof(PairHead)); }
  std::span<const TokenId> source() const noexcept { return {words(), head().n_source}; }
  std::span<const TokenId> target() const noexcept { return {words() + head().n_source, head().n_target}; }
  std::span<const Link> links() const noexcept {
    return {reinterpret_cast<const Link*>(words() + head().n_source + head().n_target), head().n_links};
  }
  std::string_view bytes() const noexcept { return {at_, head().size}; }

 private:
  void check() const {
    if (at_ == end_) return;
    const auto left = static_cast<std::size_t>(end_ - at_);
    if (left < sizeof(PairHead) || head().size > left || head().size < sizeof(PairHead)) {
      throw data_error("A run of phrase pairs is damaged. Take its folder away and run the command again.");
    }
  }
  const char* at_ = nullptr;
  const char* end_ = nullptr;
};

inline bool same_pair(const PairHead& a, const PairHead& b) noexcept {
  return a.source_hash == b.source_hash && a.target_hash == b.target_hash;
}

inline bool less(const PairCursor& a, const PairCursor& b) noexcept {
  if (a.head().source_hash != b.head().source_hash) return a.head().source_hash < b.head().source_hash;
  return a.head().target_hash < b.head().target_hash;
}

inline void append(Bytes& run, PairHead head, std::span<const TokenId> source, std::span<const TokenId> target,
                   std::span<const Link> links) {
  const std::size_t size = sizeof head + source.size_bytes() + target.size_bytes() + links.size_bytes();
  head.size = static_cast<std::uint32_t>((size + 7) / 8 * 8);
  run.append({reinterpret_cast<const char*>(&head), sizeof head});
  run.append({reinterpret_cast<const char*>(source.data()), source.size_bytes()});
  run.append({reinterpret_cast<const char*>(target.data()), target.size_bytes()});
  run.append({reinterpret_cast<const char*>(links.data()), links.size_bytes()});
  run.append(std::string_view("\0\0\0\0\0\0\0", head.size - size));
}

}  // namespace dragoman::phrase
