#include "dragoman/lexical/bags.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::lexical {

void check_tokens(const Tokens& tokens, std::size_t n_words) {
  if (tokens.offsets.empty() || tokens.offsets.front() != 0 ||
      tokens.offsets.back() != static_cast<std::int64_t>(tokens.ids.size()) ||
      !std::is_sorted(tokens.offsets.begin(), tokens.offsets.end())) {
    throw data_error("The ends of sentences do not fit the tokens.");
  }
  for (const auto id : tokens.ids) {
    if (id >= static_cast<std::int64_t>(n_words)) {
      throw data_error("There is no word " + std::to_string(id) + " among " + std::to_string(n_words) + ".");
    }
  }
}

void check_rows(const SparseView& rows) {
  if (rows.offsets.empty() || rows.offsets.front() != 0 || rows.columns.size() != rows.values.size() ||
      rows.offsets.back() != static_cast<std::int64_t>(rows.columns.size()) ||
      !std::is_sorted(rows.offsets.begin(), rows.offsets.end())) {
    throw data_error("The ends of rows do not fit their entries.");
  }
}

double SparseView::at(std::size_t row, std::int32_t column) const {
  const auto begin = columns.begin() + offsets[row], end = columns.begin() + offsets[row + 1];
  const auto found = std::lower_bound(begin, end, column);
  return found != end && *found == column
             ? static_cast<double>(values[static_cast<std::size_t>(found - columns.begin())])
             : 0.0;
}

Bags::Bags(const Tokens& tokens, std::int32_t n_words) : n_words_(n_words) {
  check_tokens(tokens, static_cast<std::size_t>(n_words));
  if (tokens.size() > std::numeric_limits<std::uint32_t>::max()) throw data_error("There are too many sentences.");
  offsets_.reserve(tokens.size() + 1);
  offsets_.push_back(0);
  ids_.reserve(tokens.ids.size());
  for (std::size_t s = 0; s < tokens.size(); ++s) {
    const auto first = static_cast<std::ptrdiff_t>(ids_.size());
    for (auto at = tokens.offsets[s]; at < tokens.offsets[s + 1]; ++at) {
      const auto id = tokens.ids[static_cast<std::size_t>(at)];
      if (id >= 0) ids_.push_back(id);
    }
    std::sort(ids_.begin() + first, ids_.end());
    ids_.erase(std::unique(ids_.begin() + first, ids_.end()), ids_.end());
    offsets_.push_back(ids_.size());
  }
}

Postings::Postings(const Bags& bags) : offsets_(static_cast<std::size_t>(bags.n_words()) + 1) {
  for (std::size_t s = 0; s < bags.size(); ++s) {
    for (const auto word : bags[s]) ++offsets_[static_cast<std::size_t>(word) + 1];
  }
  for (std::size_t word = 1; word < offsets_.size(); ++word) offsets_[word] += offsets_[word - 1];
  sentences_.resize(offsets_.back());
  auto next = offsets_;
  for (std::size_t s = 0; s < bags.size(); ++s) {
    for (const auto word : bags[s]) sentences_[next[static_cast<std::size_t>(word)]++] = static_cast<std::uint32_t>(s);
  }
}

}  // namespace dragoman::lexical
