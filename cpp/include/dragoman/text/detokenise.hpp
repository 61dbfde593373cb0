#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dragoman::text {

struct DetokeniserOptions {
  std::string lang = "en";  // rules for en, fr, it, ga, ca, cs, fi, ko
  bool unescape = true;     // entities back to & | < > ' " [ ]
};

/// The rules of Moses' detokenizer.perl. docs/differences-moses.md lists where its answer differs from sacremoses'.
class MosesDetokeniser {
 public:
  explicit MosesDetokeniser(const DetokeniserOptions& options);

  /// Buffers that a thread keeps from line to line.
  struct Workspace {
    std::u32string padded;
    std::u32string text;
    std::vector<std::u32string_view> words;
    std::vector<std::pair<std::u32string_view, bool>> open_quotes;
  };

  /// Append the text that the tokens of `line` (separated by white space) make. Linear in the line.
  void detokenise(std::u32string_view line, Workspace& work, std::u32string& out) const;

 private:
  enum class Lang { kOther, kEnglish, kFrench, kItalian, kCzech, kFinnish, kKorean };
  Lang lang_;
  bool unescape_;
};

}  // namespace dragoman::text
