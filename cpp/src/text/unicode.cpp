#include "dragoman/text/unicode.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <span>
#include <vector>

namespace dragoman::text {
namespace {

struct Run {
  char32_t first;
  std::uint32_t value;
};

#include "text/unicode_tables.inc"

constexpr std::size_t kBlock = 128;
constexpr std::size_t kCodePoints = 0x110000;

/// A two-stage table: most blocks of 128 code points are alike, so each is kept once.
template <class Value>
class Table {
 public:
  explicit Table(std::span<const Run> runs) {
    std::map<std::array<Value, kBlock>, std::uint16_t> seen;
    auto run = runs.begin();
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      std::array<Value, kBlock> values;
      for (std::size_t i = 0; i < kBlock; ++i) {
        const auto code = static_cast<char32_t>(block * kBlock + i);
        while (std::next(run) != runs.end() && std::next(run)->first <= code) ++run;
        values[i] = static_cast<Value>(run->value);
      }
      const auto [place, is_new] = seen.try_emplace(values, static_cast<std::uint16_t>(seen.size()));
      if (is_new) values_.insert(values_.end(), values.begin(), values.end());
      blocks_[block] = place->second;
    }
  }

  Value operator[](char32_t code) const noexcept {
    return code < kCodePoints ? values_[blocks_[code / kBlock] * kBlock + code % kBlock] : Value{};
  }

 private:
  std::array<std::uint16_t, kCodePoints / kBlock> blocks_;
  std::vector<Value> values_;
};

}  // namespace

std::uint32_t properties(char32_t code) noexcept {
  static const Table<std::uint32_t> table(kPropertyRuns);
  return table[code];
}

Script script(char32_t code) noexcept {
  static const Table<std::uint8_t> table(kScriptRuns);
  return static_cast<Script>(table[code]);
}

ClusterKind cluster_kind(char32_t code) noexcept {
  static const Table<std::uint8_t> table(kClusterRuns);
  return static_cast<ClusterKind>(table[code]);
}

bool is_utf8(std::string_view bytes) noexcept {
  const char* p = bytes.data();
  const char* const end = p + bytes.size();
  while (p < end) {
    const auto lead = static_cast<unsigned char>(*p);
    if (lead < 0x80) {
      ++p;
      continue;
    }
    const std::size_t length = utf8_length(*p);
    if (lead < 0xC2 || lead > 0xF4 || static_cast<std::size_t>(end - p) < length) return false;
    for (std::size_t i = 1; i < length; ++i) {
      if ((static_cast<unsigned char>(p[i]) & 0xC0) != 0x80) return false;
    }
    const char32_t code = decode(p);
    constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
    if (code < kLeast[length] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) return false;
  }
  return true;
}

void append(std::string& out, char32_t code) {
  const auto tail = [&](int shift) { out.push_back(static_cast<char>(0x80 | (code >> shift & 0x3F))); };
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | code >> 6));
    tail(0);
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | code >> 12));
    tail(6);
    tail(0);
  } else {
    out.push_back(static_cast<char>(0xF0 | code >> 18));
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace dragoman::text
