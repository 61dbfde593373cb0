#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::text {

struct QuoteOptions {
  std::string lang = "en";
  bool ascii = false;       // " and ' instead of “ ” and ’
  bool guillemets = false;  // « » ‹ › are quotes too
};

/// Brings all quotation marks to “ and ”, all apostrophes to ’ (Zeman, Data Issues of the Multilingual Translation
/// Matrix, WMT 2012, section 3.1). The distinction of single and double quotes is dropped.
///
/// Every mark of a line may open a quotation, close one or, if it is a single mark, be an apostrophe. Each reading has
/// a score from the mark's neighbours, its shape and the language's clitics; a quotation has one for its pair of marks.
/// The reading of the whole line with the highest sum wins, with quotations nested up to three deep. Lines are read on
/// their own: a quotation may begin in one and end in another.
class QuoteNormaliser {
 public:
  explicit QuoteNormaliser(const QuoteOptions& options);

  enum class Family : std::uint8_t { kSingle, kDouble };

  /// A mark in a line, with the scores of its readings.
  struct Mark {
    std::size_t begin;
    std::size_t end;
    Family family;
    int open = 0;
    int close = 0;
    int apostrophe = 0;
    char32_t before = U'\0';  // the nearest characters that are neither blank nor mark
    char32_t behind = U'\0';
  };
  enum class Reading : std::uint8_t { kOpen, kClose, kApostrophe };

  /// Buffers that a thread keeps from line to line.
  struct Workspace {
    std::vector<Mark> marks;
    std::vector<Reading> readings;
    std::vector<std::uint8_t> trace;
    std::u32string once;
    std::u32string twice;
  };

  /// Append the normalised line. A second time changes nothing. Linear in the line.
  void normalise(std::u32string_view line, Workspace& work, std::u32string& out) const;

 private:
  void pass(std::u32string_view line, Workspace& work, std::u32string& out) const;
  void find_marks(std::u32string_view line, std::vector<Mark>& marks) const;
  void score(std::u32string_view line, std::vector<Mark>& marks) const;
  int score_apostrophe(std::u32string_view line, const Mark& mark) const;

  std::string lang_;
  bool ascii_;
  bool guillemets_;
};

}  // namespace dragoman::text
