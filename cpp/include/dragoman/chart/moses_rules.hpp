#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dragoman/chart/rule_table.hpp"
#include "dragoman/text/vocabulary.hpp"

namespace dragoman::chart {

/// Reads rule tables in the text format of Moses, as `grammar::Symbols` spells them, line by line:
///
///     der [X][X] bellt [X] ||| the [X][X] barks [X] ||| 0.5 0.4 0.25 0.3 ||| 0-0 1-1 2-2 ||| 2 4 1 ||| name 0.5
///
/// A rule's scores are the logarithms of the numbers without names, then, as they stand, those of the names asked for.
class MosesRules {
 public:
  /// Words keep the numbers that the vocabularies give them; new ones follow.
  MosesRules(const text::Vocabulary& source, const text::Vocabulary& target,
             const std::vector<std::string>& named = {});

  /// Take in whole lines of UTF-8. Throws data_error that says what is wrong with line `n_lines`, the last one looked
  /// at.
  void add(std::string_view lines);
  std::size_t n_lines() const noexcept { return n_lines_; }

  /// The table of all lines; the vocabularies, those that this began with, take in the words that they lack.
  std::unique_ptr<RuleTable> finish(text::Vocabulary& source, text::Vocabulary& target, bool quantised);
  /// The names of a label's sides by number, source and target.
  std::pair<std::vector<std::string>, std::vector<std::string>> label_names() const;

 private:
  using Tokens = std::span<const std::string_view>;
  struct Side {
    std::vector<TokenId> symbols;      // words; gaps by gap_symbol
    std::vector<std::uint8_t> places;  // of the gaps
  };

  void add_line(std::string_view line);
  std::vector<Tokens>& fields_of(std::string_view line);
  void read_side(Tokens tokens, text::WordTable& words, Side& side) const;
  void read_links(Tokens tokens, std::size_t n_source, std::size_t n_target);
  void link_gaps();
  void read_scores(Tokens scores, Tokens named);
  Label label(std::string_view spelt);

  text::WordTable source_words_, target_words_, named_;
  text::WordTable spelt_labels_;  // `[X][NP]`
  text::WordTable source_names_, target_names_;
  std::vector<LabelNames> labels_;
  std::optional<RuleTableBuilder> builder_;
  std::size_t n_lines_ = 0, n_scores_ = 0;
  // Of the line that is being read.
  std::vector<std::string_view> tokens_;
  std::vector<Tokens> fields_;
  Side source_, target_;
  std::vector<Link> links_, word_links_;
  std::vector<float> scores_;
  std::string spelt_;
};

}  // namespace dragoman::chart
