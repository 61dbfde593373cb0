#pragma once

#include <string_view>

// Questions about one character that several kernels ask.
namespace dragoman::text {

inline bool is_one_of(char32_t code, std::u32string_view set) { return set.find(code) != std::u32string_view::npos; }
inline bool is_ascii_digit(char32_t code) { return code >= U'0' && code <= U'9'; }
inline bool is_ascii_letter(char32_t code) { return (code >= U'a' && code <= U'z') || (code >= U'A' && code <= U'Z'); }

}  // namespace dragoman::text
