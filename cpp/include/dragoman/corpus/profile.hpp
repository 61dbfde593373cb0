#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace dragoman::corpus {

/// What one pass over a line counts. Cleaning, lint and statistics all read the same profile.
enum class Field : std::uint8_t {
  kTokens,         // runs between white space, as Python's str.split() finds them
  kCharacters,     // code points
  kLongestToken,   // code points
  kLetters,        // Alphabetic
  kDigits,         // Nd
  kPunctuation,    // P*
  kControls,       // Cc but TAB
  kInvalid,        // U+FFFD, U+FEFF behind the first place of a line, noncharacters
  kMojibake,       // UTF-8 that was read as Windows-1252 or Latin-1 (see profile.cpp)
  kMixedWords,     // runs of letters that mix Latin with Cyrillic or Greek: look-alikes
  kDetachedMarks,  // commas and full stops with a space before and a space or the end behind
  kAttachedMarks,  // commas and full stops behind a letter, a space or the end behind
  kUnbalanced,     // bits: 1 round, 2 square, 4 curly brackets do not pair; 8 an odd number of double quotation marks
  kOuterSpace,     // bits: 1 white space at the beginning, 2 at the end
};
inline constexpr std::size_t kFields = 14;
inline constexpr std::array<std::string_view, kFields> kFieldNames = {
    "tokens",  "characters", "longest_token", "letters",        "digits",         "punctuation", "controls",
    "invalid", "mojibake",   "mixed_words",   "detached_marks", "attached_marks", "unbalanced",  "outer_space"};

using Profile = std::array<std::int32_t, kFields>;

/// The profile of one line of valid UTF-8. Linear in the line, no allocation.
Profile profile_line(std::string_view line) noexcept;

}  // namespace dragoman::corpus
