#pragma once

#include <string>
#include <string_view>

namespace dragoman::text {

struct PunctuationOptions {
  std::string lang = "en";
  bool penn = false;             // leave ` and '' alone: the text is to be parsed by a Penn Treebank parser
  bool quote_commas = true;      // move commas and full stops into or out of quotes, as the language has it
  bool numbers = true;           // 1 000 with a no-break space becomes 1,000 or 1.000
  bool replace_unicode = false;  // first, East Asian punctuation to ASCII
  bool remove_control = false;   // last, control and format characters to nothing, or to a space between words
};

/// The rules of Moses' normalize-punctuation.perl, replace-unicode-punctuation.perl and remove-non-printing-char.perl.
/// docs/differences-moses.md lists where its answer differs from sacremoses'.
class PunctuationNormaliser {
 public:
  explicit PunctuationNormaliser(const PunctuationOptions& options);

  /// Buffers that a thread keeps from line to line.
  struct Workspace {
    std::u32string text;
    std::u32string buffer;
  };

  /// Append the normalised line, without white space at its ends.
  void normalise(std::u32string_view line, Workspace& work, std::u32string& out) const;

 private:
  enum class QuoteCommas { kLeave, kIntoQuotes, kOutOfQuotes };
  QuoteCommas quote_commas_;
  char32_t separator_;  // between the digits of a number; 0 leaves the no-break space
  bool penn_;
  bool replace_unicode_;
  bool remove_control_;
};

}  // namespace dragoman::text
