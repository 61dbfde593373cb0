#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {

/// How many alphabetic characters of each script a line has, indexed by Script. Linear in the line.
std::array<std::int32_t, kScripts> count_scripts(std::string_view line) noexcept;

}  // namespace dragoman::text
