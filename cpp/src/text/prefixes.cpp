#include "dragoman/text/prefixes.hpp"

namespace dragoman::text {

Prefixes::Prefixes(const std::vector<std::string>& entries) {
  constexpr std::string_view kMark = " #NUMERIC_ONLY#";
  for (const std::string_view entry : entries) {
    if (entry.ends_with(kMark)) {
      words_[std::string(entry.substr(0, entry.size() - kMark.size()))] = Breaks::kUnlessNumber;
    } else {
      words_.try_emplace(std::string(entry), Breaks::kNever);
    }
  }
}

}  // namespace dragoman::text
