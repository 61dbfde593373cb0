#include "text/moses_kinds.hpp"

#include <memory>

#include "dragoman/text/unicode.hpp"

namespace dragoman::text {

namespace {

bool extends(char32_t code) {
  constexpr char32_t kZeroWidthNonJoiner = 0x200C;
  return has(code, kMark) || code == kZeroWidthJoiner || code == kZeroWidthNonJoiner ||
         (code >= 0x1F3FB && code <= 0x1F3FF) || (code >= 0xE0020 && code <= 0xE007F);
}

}  // namespace

Kinds far_kinds(char32_t code) noexcept {
  const std::uint32_t mask = properties(code);
  const auto any = [&](std::uint32_t wanted) { return (mask & wanted) != 0; };
  if (any(kPythonSpace)) return kIsSpace;
  Kinds kinds = 0;
  if (any(kNumber)) kinds |= kIsNumber;
  if (any(kLower)) kinds |= kIsLower;
  if (any(kAlphabetic)) kinds |= kIsAlpha;
  if (any(kAlphabetic) && !any(kNumber)) kinds |= kIsLetter;
  if (code >= U'0' && code <= U'9') kinds |= kIsAsciiDigit;
  if (code == U's') kinds |= kIsS;
  if (any(kAlphabetic | kDecimal)) return kinds | kIsWord;
  switch (code) {
    case U'.':
      return kIsDot;
    case U',':
      return kIsComma;
    case U'\'':
      return kIsApostrophe | kIsEscaped;
    case U'`':
    case U'-':
      return 0;
    case U'&':
    case U'|':
    case U'<':
    case U'>':
    case U'"':
    case U'[':
    case U']':
      return kIsOther | kIsEscaped;
    default:
      return kinds | kIsOther | (extends(code) ? kExtends | kIsLetter : 0);
  }
}

const NearKinds& near_kinds() noexcept {
  static const auto table = [] {
    auto kinds = std::make_unique<NearKinds>();
    for (char32_t code = 0; code < kinds->size(); ++code) (*kinds)[code] = static_cast<std::uint16_t>(far_kinds(code));
    return kinds;
  }();
  return *table;
}

}  // namespace dragoman::text
