#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/metrics/batch.hpp"
#include "dragoman/metrics/chrf.hpp"
#include "dragoman/metrics/ngram_trie.hpp"

using namespace dragoman::metrics;

namespace {

using Counts = std::map<std::string, int>;

Counts n_grams(const std::string& text, std::size_t n) {
  Counts counts;
  for (std::size_t i = 0; i + n <= text.size(); ++i) ++counts[text.substr(i, n)];
  return counts;
}

struct Texts final : dragoman::text::LineSource {
  explicit Texts(std::vector<std::string> all) : texts(std::move(all)) {}
  std::size_t size() const noexcept override { return texts.size(); }
  std::string_view line(std::size_t i, dragoman::Bytes&) const override { return texts[i]; }
  std::vector<std::string> texts;
};

/// Clipped matches by definition: for each n-gram the smaller of its counts.
std::vector<int> naive_matches(const std::string& hyp, const std::vector<std::string>& refs, std::size_t order) {
  std::vector<int> matches(order);
  for (std::size_t n = 1; n <= order; ++n) {
    Counts clip;
    for (const auto& ref : refs) {
      for (const auto& [gram, count] : n_grams(ref, n)) clip[gram] = std::max(clip[gram], count);
    }
    for (const auto& [gram, count] : n_grams(hyp, n)) matches[n - 1] += std::min(count, clip[gram]);
  }
  return matches;
}

std::vector<int> trie_matches(NgramTrie& trie, const std::string& hyp) {
  std::vector<int> matches(trie.order());
  trie.match(hyp, [&](NgramTrie::Node, std::size_t n) { ++matches[n - 1]; });
  return matches;
}

/// Texts over a small alphabet, so that n-grams repeat.
std::string draw(unsigned& state, std::size_t length, unsigned alphabet) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) {
    state = state * 1664525u + 1013904223u;
    text.push_back(static_cast<char>('a' + (state >> 24) % alphabet));
  }
  return text;
}

}  // namespace

TEST(the_trie_clips_as_the_definition_does) {
  unsigned state = 1;
  for (std::size_t order = 1; order <= 6; ++order) {
    NgramTrie trie(order);
    for (std::size_t round = 0; round < 200; ++round) {
      const unsigned alphabet = 1 + round % 4;
      const std::vector<std::string> refs{draw(state, round % 13, alphabet), draw(state, round % 7, alphabet)};
      trie.clear(round % 2 == 0 ? 0 : refs[0].size());  // a wrong guess of the length costs time, not truth
      for (const auto& ref : refs) trie.add(ref);
      for (int hyp = 0; hyp < 3; ++hyp) {
        const auto text = draw(state, (round + 5) % 17, alphabet + 1);
        CHECK(trie_matches(trie, text) == naive_matches(text, refs, order));
      }
    }
  }
}

TEST(the_trie_forgets_what_was_cleared) {
  NgramTrie trie(3);
  trie.clear(3);
  trie.add(std::string("abc"));
  trie.clear(1);
  trie.add(std::string("x"));
  CHECK((trie_matches(trie, "abcx") == std::vector<int>{1, 0, 0}));
}

TEST(sums_of_texts_count_every_occurrence) {
  NgramTrie trie(2);
  trie.clear(0);
  trie.add(std::string("aba"), NgramTrie::Merge::kSum);
  trie.add(std::string("ab"), NgramTrie::Merge::kSum);
  const auto a = trie.find(NgramTrie::kRoot, 'a');
  CHECK(trie.count(a) == 3);
  CHECK(trie.count(trie.find(a, 'b')) == 2);
}

TEST(matrix_and_aligned_scores_agree) {
  const Texts hyps({"the cat", "a dog", ""}), refs({"the cat sat", "dog", "a"});
  const auto make = [] { return ChrfScorer({2, 1, false}); };
  const std::size_t width = make().width();
  std::vector<double> pairs(9 * width);
  score_pairs(make, LineBatch{&hyps}, LineBatch{&refs}, pairs, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const Texts one_hyp({hyps.texts[i]}), one_ref({refs.texts[j]});
      const LineBatch hyp{&one_hyp}, ref{&one_ref};
      std::vector<double> row(width);
      score_aligned(make, [] { return PlainReader(); }, std::span(&hyp, 1), std::span(&ref, 1), {}, row, 1);
      CHECK(std::equal(row.begin(), row.end(), pairs.begin() + static_cast<std::ptrdiff_t>((i * 3 + j) * row.size())));
    }
  }
}
