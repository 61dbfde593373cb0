#pragma once

#include <cstdint>
#include <string_view>

namespace dragoman::corpus {

/// A 64-bit hash of bytes. Among five million different lines two share a hash with probability 7e-7.
/// It names lines within one run; it is never written to a file.
std::uint64_t hash_bytes(std::string_view bytes) noexcept;

/// The hash of what is left of a line when only letters, marks and digits stay, each digit read as 0: lines that differ
/// in punctuation, spacing or numbers share it. Case is the caller's (fold it before).
std::uint64_t hash_skeleton(std::string_view line);

/// One hash of two, in this order.
std::uint64_t hash_pair(std::uint64_t first, std::uint64_t second) noexcept;

}  // namespace dragoman::corpus
