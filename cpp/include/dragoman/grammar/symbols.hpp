#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/grammar/span_labels.hpp"
#include "dragoman/text/vocabulary.hpp"

namespace dragoman::grammar {

/// A source label and a target label: what a gap is called, or the whole of a rule.
using LabelPair = std::uint32_t;

/// How rules are spelt, in the text format of Moses: words, gaps as `[X][NP]`, the whole of a rule as `[X]`.
///
/// A word that would be read as something else (`[X]`, `|||`, or one that begins with `&#`) has its first character
/// written as a number: `&#91;X]`. Whatever reads a table turns `&#91;`, `&#124;` and `&#38;` at a word's beginning
/// back.
class Symbols {
 public:
  /// The labels of each side by number, without brackets; the first is the default. Throws data_error for labels that
  /// cannot be written, or too many of them.
  Symbols(const text::Vocabulary& source, const text::Vocabulary& target, std::vector<std::string> source_labels,
          std::vector<std::string> target_labels);

  LabelPair pair(Label source, Label target) const noexcept {
    return source * static_cast<std::uint32_t>(target_labels_.size()) + target;
  }
  Label source_label(LabelPair pair) const noexcept { return pair / static_cast<std::uint32_t>(target_labels_.size()); }
  Label target_label(LabelPair pair) const noexcept { return pair % static_cast<std::uint32_t>(target_labels_.size()); }

  std::size_t n_source_labels() const noexcept { return source_labels_.size(); }
  std::size_t n_target_labels() const noexcept { return target_labels_.size(); }
  std::size_t n_source_words() const noexcept { return source_words_.size(); }
  std::size_t n_target_words() const noexcept { return target_words_.size(); }

  std::string_view source_word(text::TokenId word) const noexcept {
    return source_words_[static_cast<std::size_t>(word)];
  }
  std::string_view target_word(text::TokenId word) const noexcept {
    return target_words_[static_cast<std::size_t>(word)];
  }
  std::string_view gap(LabelPair pair) const noexcept { return gaps_[pair]; }
  std::string_view source_whole(LabelPair pair) const noexcept { return source_labels_[source_label(pair)]; }
  std::string_view target_whole(LabelPair pair) const noexcept { return target_labels_[target_label(pair)]; }

  /// Ranks of what stands in a source side among all that can, in the order of bytes, from 1; equal spellings share
  /// one.
  std::uint32_t word_rank(text::TokenId word) const noexcept { return ranks_[static_cast<std::size_t>(word)]; }
  std::uint32_t gap_rank(LabelPair pair) const noexcept { return ranks_[source_words_.size() + pair]; }
  std::uint32_t whole_rank(LabelPair pair) const noexcept {
    return ranks_[source_words_.size() + gaps_.size() + source_label(pair)];
  }
  std::uint32_t n_ranks() const noexcept { return n_ranks_; }  // one more than the largest

 private:
  std::vector<std::string> source_words_, target_words_;
  std::vector<std::string> source_labels_, target_labels_, gaps_;  // with their brackets
  std::vector<std::uint32_t> ranks_;                               // source words, gaps, source labels
  std::uint32_t n_ranks_ = 0;
};

}  // namespace dragoman::grammar
