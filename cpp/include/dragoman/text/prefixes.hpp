#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dragoman::text {

/// Whether a full stop behind a word belongs to the word.
enum class Breaks {
  kYes,           // the word is no known abbreviation
  kNever,         // an abbreviation: `Mr`
  kUnlessNumber,  // an abbreviation only in front of a number: `No`, as in `No. 5`
};

/// The abbreviations of a language, each as Moses writes it: `Mr`, or `No #NUMERIC_ONLY#`. An abbreviation that is
/// listed both ways counts as numeric only.
class Prefixes {
 public:
  explicit Prefixes(const std::vector<std::string>& entries);

  Breaks find(std::string_view word) const noexcept {
    const auto place = words_.find(word);
    return place == words_.end() ? Breaks::kYes : place->second;
  }

 private:
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };
  std::unordered_map<std::string, Breaks, Hash, std::equal_to<>> words_;
};

}  // namespace dragoman::text
