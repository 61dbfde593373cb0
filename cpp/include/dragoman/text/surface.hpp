#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "dragoman/text/tokeniser.hpp"

namespace dragoman::text {

/// What the surface tokenisers tell apart. Those below kSpace are copied in the fast path, which recognises the others
/// in a bitwise "or" of several kinds: each has a bit that none of the first three has.
enum class CharKind : std::uint8_t {
  kPlain = 0,
  kBlank = 1,   // U+0020
  kDigit = 2,   // keeps a mark between two of its kind inside the token
  kSpace = 4,   // other white space
  kSingle = 5,  // always a token of its own
  kPoint = 6,   // a mark: a token of its own, except beside digits
  kDash = 7,    // a token of its own behind a digit
  kMarkup = 8,  // may begin what 13a rewrites: & < LF
  kWide = 9,    // first byte of a character whose kind stands in the table of characters
};

/// The rules of mteval-v13a, of mteval-v14 "international" and of the Chinese variant of the former, as sacreBLEU 2.6
/// applies them, in one pass over the line. Linear time, at most 2n bytes of output for n bytes of input.
///
/// Those tools rewrite the line by a chain of substitutions. Two of them, "put spaces around a mark that does not
/// follow a digit" and "around a mark that does not precede one", consume the neighbouring character, so that in a run
/// of marks every second one is the neighbour of the one before it. What remains of this is parity: behind something
/// that is not a digit, pairing starts with that character; behind a digit, or at a bare line start, with the first
/// mark. The last mark of a run is left over by the first substitution if the run's length does not fit the pairing,
/// and then stays with a digit behind it. All other marks become tokens.
class SurfaceTokeniser final : public Tokeniser {
 public:
  static const SurfaceTokeniser& v13a();
  static const SurfaceTokeniser& international();
  static const SurfaceTokeniser& chinese();

  void tokenise(std::string_view line, Bytes& out) const override;
  bool tokenise_latin1(std::string_view line, Bytes& out) const override;

 private:
  enum class Form { kUtf8, kLatin1 };

  /// The kind of a code point, wanted once each when the tables are made (and for those beyond U+FFFF).
  using KindOf = CharKind (*)(char32_t);

  /// A run of marks: all become tokens, except one that stays with what follows (and, if it is the only one, with what
  /// goes before).
  struct Run {
    const char* end;
    const char* joint;  // the end of the run if there is none
  };

  SurfaceTokeniser(KindOf kind_of, bool padded, bool stripped, bool markup);

  template <Form form>
  CharKind kind_at(const char* p, std::size_t& length) const noexcept;
  template <Form form>
  bool digit_at(const char* p) const noexcept;
  template <Form form>
  bool digit_before(const char* p, const char* begin) const noexcept;
  template <Form form>
  Run run_at(const char* p, const char* begin, const char* end) const noexcept;
  template <Form form>
  char* cut(std::string_view line, char* out, bool markup) const noexcept;
  std::string_view stripped_latin1(std::string_view line) const noexcept;

  std::array<CharKind, 256> bytes_;   // by first byte of UTF-8
  std::array<CharKind, 256> latin1_;  // by code point, up to U+00FF
  std::vector<CharKind> wide_;        // by code point, up to U+FFFF
  KindOf kind_of_;
  bool padded_;    // the rules see a space before and behind the line
  bool stripped_;  // white space at both ends is dropped before the rules apply
  bool markup_;    // SGML entities, <skipped> and hyphenated line ends are resolved first
};

/// Every character is a token, white space too (which then separates).
class CharTokeniser final : public Tokeniser {
 public:
  void tokenise(std::string_view line, Bytes& out) const override;
};

}  // namespace dragoman::text
