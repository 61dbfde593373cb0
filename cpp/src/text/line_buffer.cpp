#include "dragoman/text/line_buffer.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::text {

LineBuffer::LineBuffer(std::string_view bytes) : bytes_(bytes) {
  if (const std::size_t good = valid_utf8(bytes); good < bytes.size()) {
    const auto line = 1 + std::count(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(good), '\n');
    throw data_error("Line " + std::to_string(line) + " is not UTF-8.");
  }
  begins_.push_back(0);
  for (const char *p = bytes.data(), *const end = p + bytes.size(); p < end;) {
    const void* const found = std::memchr(p, '\n', static_cast<std::size_t>(end - p));
    p = found == nullptr ? end + 1 : static_cast<const char*>(found) + 1;  // the last line as if it had its end
    begins_.push_back(static_cast<std::size_t>(p - bytes.data()));
  }
}

std::string_view LineBuffer::line(std::size_t i, Bytes&) const {
  std::string_view text = bytes_.substr(begins_[i], begins_[i + 1] - 1 - begins_[i]);
  while (!text.empty() && text.back() == '\r') text.remove_suffix(1);
  return text;
}

std::size_t valid_utf8(std::string_view bytes) noexcept {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  std::size_t i = 0;
  while (i < bytes.size()) {
    std::uint64_t word;
    while (bytes.size() - i >= 8 && (std::memcpy(&word, bytes.data() + i, 8), (word & 0x8080808080808080) == 0)) i += 8;
    if (i == bytes.size()) break;
    const unsigned char lead = at(i);
    if (lead < 0x80) {
      ++i;
      continue;
    }
    // Which second bytes are good depends on the first (The Unicode Standard, table 3-7).
    const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                               : lead >= 0xE0 && lead < 0xF0 ? 3
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                                                             : 0;
    if (length == 0 || bytes.size() - i < length) return i;
    const unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (at(i + 1) < low || at(i + 1) > high) return i;
    for (std::size_t k = 2; k < length; ++k) {
      if ((at(i + k) & 0xC0) != 0x80) return i;
    }
    i += length;
  }
  return i;
}

}  // namespace dragoman::text
