#include "dragoman/text/truecase.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

constexpr std::int64_t kFull = 10, kPartial = 1;  // tenths of a token

/// Copies a line token by token, keeping what stands between the tokens.
class LineCopy {
 public:
  explicit LineCopy(std::string_view line) : rest_(line.data()), end_(line.data() + line.size()) {
    out_.reserve(line.size() + 8);
  }

  void put(std::string_view token, std::string_view instead) {
    out_.append(rest_, token.data());
    out_.append(instead);
    rest_ = token.data() + token.size();
  }

  std::string finish() {
    out_.append(rest_, end_);
    return std::move(out_);
  }

 private:
  const char* rest_;
  const char* end_;
  std::string out_;
};

void count_line(std::string_view line, const TruecaseOptions& options, const SentenceMarks& marks,
                std::vector<std::string_view>& tokens, StringMap<std::int64_t>& counts) {
  tokens.clear();
  split(line, [&](std::string_view token) { tokens.push_back(token); });
  bool at_start = true;
  bool seen_word = false;  // something other than an opening mark
  for (const std::string_view token : tokens) {
    std::int64_t weight = at_start ? 0 : kFull;
    if (at_start && options.possibly_use_first_token) {
      const char* p = token.data();
      if (is_lower_or_caseless(decode(p), options.rules)) {
        weight = kFull;
      } else if (tokens.size() == 1) {
        weight = kPartial;
      }
    }
    if (weight > 0) {
      if (const auto place = counts.find(token); place != counts.end()) {
        place->second += weight;
      } else if (has_case(token)) {
        counts.emplace(token, weight);
      }
    }
    // train-truecaser.perl passes over opening marks only at the head of the line.
    const bool opener_counts = options.moses_starts && seen_word;
    seen_word = seen_word || !marks.is_opener(token);
    at_start = opener_counts ? marks.is_end(token) : marks.starts_after(token, at_start);
  }
}

}  // namespace

StringSet string_set(const std::vector<std::string_view>& words) {
  StringSet set;
  for (const std::string_view word : words) set.emplace(word);
  return set;
}

SentenceMarks::SentenceMarks(const std::vector<std::string_view>& ends, const std::vector<std::string_view>& openers)
    : ends_(string_set(ends)), openers_(string_set(openers)) {
  for (const auto* const marks : {&ends, &openers}) {
    for (const std::string_view mark : *marks) longest_ = std::max(longest_, mark.size());
  }
}

void CaseCounts::add(std::span<const std::string_view> lines, unsigned n_threads) {
  const std::size_t n_parts = std::max<std::size_t>(1, std::min<std::size_t>(n_threads, lines.size()));
  std::vector<StringMap<std::int64_t>> parts(n_parts);
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    std::vector<std::string_view> tokens;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      count_line(lines[i], options_, marks_, tokens, parts[chunk.index]);
    }
  });
  for (const auto& part : parts) {
    for (const auto& [form, tenths] : part) counts_[form] += tenths;
  }
}

namespace {

/// The text up to a mark, which both are taken off the front.
std::string_view take_cell(std::string_view& rest, char mark) {
  const std::size_t end = std::min(rest.find(mark), rest.size());
  const std::string_view cell = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return cell;
}

/// A count such as 12 or 0.3, in tenths.
bool read_tenths(std::string_view cell, std::int64_t& tenths) {
  std::int64_t whole = 0, tenth = 0;
  const auto [point, error] = std::from_chars(cell.data(), cell.data() + cell.size(), whole);
  const char* end = point;
  if (error == std::errc() && end != cell.data() + cell.size() && *end == '.') {
    const auto [last, wrong] = std::from_chars(end + 1, cell.data() + cell.size(), tenth);
    if (wrong != std::errc() || last != end + 2) return false;
    end = last;
  }
  tenths = 10 * whole + tenth;
  return error == std::errc() && end == cell.data() + cell.size();
}

}  // namespace

void CaseCounts::add_table(std::string_view table) {
  take_cell(table, '\n');
  for (std::size_t number = 2; !table.empty(); ++number) {
    std::string_view row = take_cell(table, '\n');
    take_cell(row, '\t');
    for (bool first = true; first || !row.empty(); first = false) {
      const std::string_view form = take_cell(row, '\t');
      std::int64_t tenths = 0;
      if (form.empty() || !read_tenths(take_cell(row, '\t'), tenths)) {
        throw data_error("line " + std::to_string(number) + " has no form and count where it should.");
      }
      add_form(form, tenths);
      if (first) take_cell(row, '\t');
    }
  }
}

void CaseCounts::add_form(std::string_view form, std::int64_t tenths) { counts_[std::string(form)] += tenths; }

std::vector<CaseCounts::Row> CaseCounts::rows() const {
  std::vector<Row> rows;
  rows.reserve(counts_.size());
  for (const auto& [form, tenths] : counts_) rows.push_back({lower(form, options_.rules), form, tenths});
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tie(a.lower, b.tenths, b.form) < std::tie(b.lower, a.tenths, a.form);
  });
  return rows;
}

CaseModel::CaseModel(const CaseCounts& counts) : rules_(counts.rules()), marks_(counts.marks()) {
  for (const auto& [low, form, tenths] : counts.rows()) {
    const auto [place, is_first] = best_.try_emplace(low, form);  // rows begin with a word's best form
    known_.emplace(form, &place->second);
  }
}

const std::string* CaseModel::best(std::string_view token) const {
  const auto place = best_.find(lower(token, rules_));
  return place == best_.end() ? nullptr : &place->second;
}

std::string CaseModel::apply(std::string_view line, bool ignore_case) const {
  LineCopy copy(line);
  bool at_start = true;
  split(line, [&](std::string_view token) {
    const auto place = known_.find(token);
    if (ignore_case) {
      const std::string* const found = place != known_.end() ? place->second : best(token);
      copy.put(token, found != nullptr ? std::string_view(*found) : std::string_view(lower(token, rules_)));
    } else if (place != known_.end()) {
      copy.put(token, at_start ? std::string_view(*place->second) : token);
    } else if (const std::string* const found = best(token)) {
      copy.put(token, *found);
    }
    at_start = marks_.starts_after(token, at_start);
  });
  return copy.finish();
}

std::string recase(std::string_view line, const SentenceMarks& marks, CaseRules rules, bool headline,
                   const StringSet& small_words) {
  LineCopy copy(line);
  bool at_start = true;
  split(line, [&](std::string_view token) {
    if (at_start || (headline && !small_words.contains(token))) copy.put(token, capitalised(token, rules));
    at_start = marks.starts_after(token, at_start);
  });
  return copy.finish();
}

}  // namespace dragoman::text
