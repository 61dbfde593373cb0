#include "dragoman/metrics/chrf.hpp"

#include <algorithm>

#include "dragoman/metrics/bleu.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::metrics {
namespace {

bool is_punctuation(char byte) noexcept {
  const auto c = static_cast<unsigned char>(byte);
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

bool is_one_character(std::string_view word) noexcept {
  const char* p = word.data();
  text::decode(p);
  return p == word.data() + word.size();
}

/// Call `use(word)` for the words of a line as chrF++ cuts them: at white space, with one ASCII punctuation mark taken
/// off the end of a longer word, or else off its beginning (so `(hi)` becomes `(hi` and `)`, as in chrF++.py).
template <class Use>
void cut_words(std::string_view line, const Use& use) {
  text::split(line, [&](std::string_view word) {
    if (is_one_character(word)) {
      use(word);
    } else if (is_punctuation(word.back())) {
      use(word.substr(0, word.size() - 1));
      use(word.substr(word.size() - 1));
    } else if (is_punctuation(word.front())) {
      use(word.substr(0, 1));
      use(word.substr(1));
    } else {
      use(word);
    }
  });
}

}  // namespace

ChrfScorer::ChrfScorer(const ChrfOptions& options)
    : options_(options),
      char_trie_(options.char_order),
      word_trie_(options.word_order),
      matches_(std::max(options.char_order, options.word_order)) {}

void ChrfScorer::digest(std::span<const Segment> refs) {
  const std::string_view ref = refs.empty() ? std::string_view{} : refs[0].read(scratch_);
  ids_.clear();
  if (options_.char_order > 0) {
    read_chars(ref);
    char_trie_.clear(chars_.size());
    char_trie_.add(chars_);
    n_ref_chars_ = chars_.size();
  }
  if (options_.word_order > 0) {
    words_.clear();
    cut_words(ref, [&](std::string_view word) { words_.push_back(ids_.add(word)); });
    word_trie_.clear(words_.size());
    word_trie_.add(words_);
    n_ref_words_ = words_.size();
  }
}

void ChrfScorer::score(Segment segment, std::span<double> row) {
  const std::string_view hyp = segment.read(scratch_);
  auto place = row.begin();
  const auto write = [&](NgramTrie& trie, const auto& symbols, std::size_t n_ref) {
    std::ranges::fill(matches_, 0);
    trie.match(symbols, [&](NgramTrie::Node, std::size_t n) { ++matches_[n - 1]; });
    for (std::size_t n = 1; n <= trie.order(); ++n) {
      *place++ = n_ref >= n ? n_grams(symbols.size(), n) : 0.0;
      *place++ = n_grams(n_ref, n);
      *place++ = static_cast<double>(matches_[n - 1]);
    }
  };
  if (options_.char_order > 0) {
    read_chars(hyp);
    write(char_trie_, chars_, n_ref_chars_);
  }
  if (options_.word_order > 0) {
    words_.clear();
    cut_words(hyp, [&](std::string_view word) { words_.push_back(ids_.find(word)); });
    write(word_trie_, words_, n_ref_words_);
  }
}

void ChrfScorer::read_chars(std::string_view line) {
  chars_.resize(line.size());
  auto place = chars_.begin();
  const char* p = line.data();
  const char* const end = p + line.size();
  while (p < end) {
    if (!options_.whitespace) {
      if (const std::size_t space = text::space_length(p); space != 0) {
        p += space;
        continue;
      }
    }
    *place++ = text::decode(p);
  }
  chars_.erase(place, chars_.end());
}

}  // namespace dragoman::metrics
