#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dragoman::nbest {

using Ids = std::span<const std::int32_t>;

/// Outputs, and for each a list of translations of the same source, as word ids of one vocabulary, flat. Output s is
/// [output_offsets[s], output_offsets[s + 1]) of `outputs`; its list are the entries [list_offsets[s],
/// list_offsets[s + 1]), entry c being [entry_offsets[c], entry_offsets[c + 1]) of `entries`.
struct Lists {
  std::span<const std::int32_t> outputs;
  std::span<const std::int64_t> output_offsets;
  std::span<const std::int32_t> entries;
  std::span<const std::int64_t> entry_offsets;
  std::span<const std::int64_t> list_offsets;

  std::size_t size() const noexcept { return output_offsets.empty() ? 0 : output_offsets.size() - 1; }
  Ids output(std::size_t s) const noexcept { return cut(outputs, output_offsets, s); }
  Ids entry(std::size_t c) const noexcept { return cut(entries, entry_offsets, c); }
  std::size_t first(std::size_t s) const noexcept { return static_cast<std::size_t>(list_offsets[s]); }
  std::size_t last(std::size_t s) const noexcept { return static_cast<std::size_t>(list_offsets[s + 1]); }

  /// Throws data_error if the arrays do not fit one another.
  void check() const;

 private:
  static Ids cut(Ids all, std::span<const std::int64_t> offsets, std::size_t i) noexcept {
    return all.subspan(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(offsets[i + 1] - offsets[i]));
  }
};

}  // namespace dragoman::nbest
