#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "dragoman/text/casing.hpp"

namespace dragoman::text {

/// Looks a std::string key up by view, without a copy.
struct ViewHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const noexcept { return std::hash<std::string_view>{}(text); }
};
template <class Value>
using StringMap = std::unordered_map<std::string, Value, ViewHash, std::equal_to<>>;
using StringSet = std::unordered_set<std::string, ViewHash, std::equal_to<>>;

StringSet string_set(const std::vector<std::string_view>& words);

/// The tokens that end a sentence inside a line, and those that may stand between a sentence's start and its first
/// word.
class SentenceMarks {
 public:
  SentenceMarks(const std::vector<std::string_view>& ends, const std::vector<std::string_view>& openers);

  bool is_end(std::string_view token) const noexcept { return token.size() <= longest_ && ends_.contains(token); }
  bool is_opener(std::string_view token) const noexcept { return token.size() <= longest_ && openers_.contains(token); }

  /// Whether the token behind `token` begins a sentence, if `token` itself does (`at_start`) or does not.
  bool starts_after(std::string_view token, bool at_start) const noexcept {
    return is_end(token) || (at_start && is_opener(token));
  }

 private:
  StringSet ends_, openers_;
  std::size_t longest_ = 0;
};

struct TruecaseOptions {
  CaseRules rules = CaseRules::kStandard;
  bool possibly_use_first_token = false;  // Moses' option of that name, see CaseCounts::add
  bool moses_starts = false;  // Moses' training takes an opening mark behind an end for the sentence's first word
};

/// How often each form of each word was seen where its case tells something. Counts are in tenths of a token.
class CaseCounts {
 public:
  CaseCounts(TruecaseOptions options, SentenceMarks marks) : options_(options), marks_(std::move(marks)) {}

  /// Count the tokens of the lines. A sentence's first word counts only under `possibly_use_first_token`: fully if it
  /// has no capital, and with a tenth of the weight if it is the line's only token. Tokens without case are left out.
  /// The sums are whole numbers, so they do not depend on `n_threads`.
  void add(std::span<const std::string_view> lines, unsigned n_threads);

  /// Add the counts of a table: a heading, then lines of word, form, count, total, and further forms and counts,
  /// separated by tabs. Words and totals follow from the rest and are not looked at. Throws data_error for other lines.
  void add_table(std::string_view table);

  /// Add to the count of one form.
  void add_form(std::string_view form, std::int64_t tenths);

  struct Row {
    std::string lower, form;
    std::int64_t tenths;
  };
  /// All forms, sorted by lower-cased word; of one word the most frequent first, and of equally frequent ones the
  /// last in code-point order, which puts small letters before capitals.
  std::vector<Row> rows() const;

  CaseRules rules() const noexcept { return options_.rules; }
  const SentenceMarks& marks() const noexcept { return marks_; }

 private:
  TruecaseOptions options_;
  SentenceMarks marks_;
  StringMap<std::int64_t> counts_;
};

/// Gives words the case they were mostly seen in. Immutable, hence shared freely between threads.
class CaseModel {
 public:
  explicit CaseModel(const CaseCounts& counts);
  CaseModel(const CaseModel&) = delete;  // known_ points into best_
  CaseModel& operator=(const CaseModel&) = delete;

  /// The line with its words in true case and its white space as it was. A sentence's first word takes its best form;
  /// another word is changed only if it was never seen as it is. With `ignore_case` the input's case means nothing:
  /// every word takes its best form, unknown ones become lower case.
  std::string apply(std::string_view line, bool ignore_case) const;

 private:
  const std::string* best(std::string_view token) const;

  CaseRules rules_;
  SentenceMarks marks_;
  StringMap<std::string> best_;          // lower-cased word -> best form
  StringMap<const std::string*> known_;  // every form seen -> best form of its word
};

/// Undo truecasing: the first word of each sentence in the line gets a capital. In a headline, every word does that is
/// not in `small_words`.
std::string recase(std::string_view line, const SentenceMarks& marks, CaseRules rules, bool headline,
                   const StringSet& small_words);

}  // namespace dragoman::text
