#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/text/prefixes.hpp"

namespace dragoman::text {

struct SplitterOptions {
  std::string lang = "en";
  bool list_items = false;  // `1.`, `(a).`, `iv.` at the beginning of a sentence do not end it
};

/// Cuts paragraphs into sentences by the rules of Moses' split-sentences.perl, after the Europarl tools: a sentence
/// ends at a mark that is followed by what may begin one, unless the mark belongs to an abbreviation.
///
/// It knows more than Moses: beside . ? ! ؟ । ॥, and 。．？！ in Chinese and Japanese, the full stops of Urdu,
/// Armenian, Ethiopic, Burmese and Khmer and the ellipsis …; quotes as German and its neighbours write them, „so“ and
/// »so«; and which of the straight quotes between blanks are the closing ones. In scripts without capitals every letter
/// may begin a sentence. Unlike Moses it asks for abbreviations also before a bracket or a quote (`Dr. "Bones"`), and
/// puts no blanks between Chinese marks.
class SentenceSplitter {
 public:
  SentenceSplitter(const SplitterOptions& options, Prefixes prefixes);

  /// Buffers that a thread keeps from paragraph to paragraph.
  struct Workspace {
    std::u32string text;
    std::vector<std::uint8_t> begins;  // whether a sentence begins at a character of `text`
    std::string word;
  };

  /// Append the sentences, one behind the other, and where each ends. White space inside a sentence becomes one blank;
  /// an empty line ends a sentence. Linear in the paragraph.
  void split(std::u32string_view paragraph, Workspace& work, std::u32string& out, std::vector<std::size_t>& ends) const;

 private:
  void mark(Workspace& work) const;
  void mark_east_asian(Workspace& work) const;
  bool may_begin(char32_t code) const;
  bool is_opener(char32_t code) const;
  bool is_closer(char32_t code) const;
  std::size_t skip_openers(std::u32string_view text, std::size_t i) const;
  bool begins_sentence(std::u32string_view text, std::size_t i) const;
  bool ends_at_full_stop(Workspace& work, std::size_t word, std::size_t blank) const;
  Breaks breaks_behind(Workspace& work, std::size_t word, std::size_t stop) const;

  Prefixes prefixes_;
  bool is_caseless_;          // the language's script has no capitals
  bool has_reversed_quotes_;  // “ and « close, » opens
  bool is_east_asian_;        // no blanks between sentences
  bool list_items_;
};

}  // namespace dragoman::text
