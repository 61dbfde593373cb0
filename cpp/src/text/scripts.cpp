#include "dragoman/text/scripts.hpp"

namespace dragoman::text {

std::array<std::int32_t, kScripts> count_scripts(std::string_view line) noexcept {
  std::array<std::int32_t, kScripts> counts{};
  const char* p = line.data();
  const char* const end = p + line.size();
  while (p < end) {
    const char32_t code = decode(p);
    if (has(code, kAlphabetic)) ++counts[static_cast<std::size_t>(script(code))];
  }
  return counts;
}

}  // namespace dragoman::text
