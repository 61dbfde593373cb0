#include <algorithm>
#include <cmath>
#include <string>

#include "dragoman/core/errors.hpp"
#include "dragoman/lm/model.hpp"
#include "packing.hpp"

namespace dragoman::lm {

namespace {

/// The odd number that undoes multiplication by an odd number, modulo 2^64 (Newton's iteration: five steps from 5
/// bits).
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd * 3 ^ 2;
  for (int i = 0; i < 5; ++i) x *= 2 - odd * x;
  return x;
}

/// What longer_key() was given, key ^ before, if its last step had set no bit.
constexpr std::uint64_t unmixed(std::uint64_t key) {
  key ^= (key >> 29) ^ (key >> 58);
  key *= inverse(0x94D049BB133111EBULL);
  key ^= key >> 32;
  return key * inverse(0xBF58476D1CE4E5B9ULL);
}
static_assert((longer_key(0x123456789ABCDEF1ULL, 77) | 1) ==
              longer_key(unmixed(longer_key(0x123456789ABCDEF1ULL, 77)), 0));

[[noreturn]] void fail_damaged() {
  throw data_error(
      "the language model is damaged (its n-grams do not fit each other). Build it again or copy it again.");
}

/// Numbers as models give them: no negative zero.
float plain(float log_p) { return unpacked(log_p) + 0.0F; }

}  // namespace

/// The n-grams of hash tables, which hold keys and no words. A key is made from that of the n-gram without its first
/// word by steps that can be undone, but for one bit that is always set, and the word changes only the lower half of
/// what they began with. So the upper half says which n-gram it extends, and the lower half by which word.
class HashGrams {
 public:
  explicit HashGrams(const Model& model) : model_(&model) {
    const auto n = static_cast<WordId>(model.unigrams_.size());
    for (WordId word = 0; word < n; ++word) {
      words_.push_back(word);
      keys_.push_back(word_key(word));
      entries_.push_back(nullptr);
    }
  }

  unsigned order() const noexcept { return order_; }
  std::size_t size() const noexcept { return keys_.size(); }
  std::span<const WordId> words(std::size_t i) const noexcept { return {words_.data() + i * order_, order_}; }
  const Model::Entry& entry(std::size_t i) const noexcept { return *entries_[i]; }

  /// Go on to the n-grams that are one word longer.
  void extend() {
    std::vector<std::pair<std::uint64_t, std::size_t>> parents;  // key, number
    for (std::size_t i = 0; i < size(); ++i) {
      const float log_p = order_ == 1 ? model_->unigrams_[i].log_p : entries_[i]->log_p;
      if (extends_left(log_p)) parents.emplace_back(keys_[i], i);
    }
    std::sort(parents.begin(), parents.end());
    struct Child {
      std::size_t parent;
      WordId word;
      const Model::Entry* entry;
    };
    std::vector<Child> children;
    for (const Model::Entry& entry : model_->tables_[order_ + 1]) {
      if (entry.key == 0) continue;
      std::size_t n_found = 0;
      for (const std::uint64_t key : {entry.key, entry.key ^ 1}) {
        const std::uint64_t start = unmixed(key);
        const auto half = std::pair<std::uint64_t, std::size_t>(start >> 32 << 32, 0);
        for (auto at = std::lower_bound(parents.begin(), parents.end(), half);
             at != parents.end() && at->first >> 32 == start >> 32; ++at) {
          const auto word = static_cast<WordId>(at->first ^ start);
          if (!possible(at->second, word)) continue;
          children.push_back({at->second, word, &entry});
          ++n_found;
        }
      }
      if (n_found != 1) {
        throw data_error("The n-grams of this model cannot be told from their keys. Build it again as a trie.");
      }
    }
    std::sort(children.begin(), children.end(), [](const Child& a, const Child& b) {
      return a.parent != b.parent ? a.parent < b.parent : a.word < b.word;
    });
    std::vector<WordId> words;
    words.reserve(children.size() * (order_ + 1));
    keys_.clear();
    entries_.clear();
    for (const Child& child : children) {
      const auto parent = this->words(child.parent);
      words.insert(words.end(), parent.begin(), parent.end());
      words.push_back(child.word);
      keys_.push_back(child.entry->key);
      entries_.push_back(child.entry);
    }
    words_ = std::move(words);
    ++order_;
  }

 private:
  /// Whether an n-gram and a word before it can be in the model: then its context is, and goes on.
  bool possible(std::size_t parent, WordId word) const {
    if (word >= model_->unigrams_.size()) return false;
    const auto ending = words(parent);
    if (order_ == 1) return !std::isnan(model_->unigrams_[word].log_backoff);
    std::uint64_t key = word_key(ending[1]);
    for (const WordId each : ending.subspan(2)) key = longer_key(key, each);
    const Model::Entry* const context = model_->find(order_, longer_key(key, word));
    return context != nullptr && !std::isnan(context->log_backoff);
  }

  const Model* model_;
  unsigned order_ = 1;
  std::vector<WordId> words_;  // order_ of them for each n-gram
  std::vector<std::uint64_t> keys_;
  std::vector<const Model::Entry*> entries_;
};

void Model::enumerate(NGramSink& sink) const {
  sink.begin(std::span(n_ngrams_).first(order_));
  for (WordId word = 0; word < unigrams_.size(); ++word) {
    const Unigram& unigram = unigrams_[word];
    sink.ngram({&word, 1}, plain(unigram.log_p), weight(unigram.log_backoff), extends_left(unigram.log_p),
               !std::isnan(unigram.log_backoff));
  }
  if (!trie_) {
    HashGrams grams(*this);
    while (grams.order() < order_) {
      grams.extend();
      if (grams.size() != n_ngrams_[grams.order() - 1]) fail_damaged();
      for (std::size_t i = 0; i < grams.size(); ++i) {
        const Entry& entry = grams.entry(i);
        sink.ngram(grams.words(i), plain(entry.log_p), weight(entry.log_backoff), extends_left(entry.log_p),
                   !std::isnan(entry.log_backoff));
      }
    }
    return;
  }
  std::array<WordId, kMaxOrder> words;
  std::array<std::uint64_t, kMaxOrder + 1> next;  // by order, the record that comes next: each belongs to one parent
  const auto descend = [&](const auto& self, unsigned order, Trie::Range range, unsigned wanted) -> void {
    if (range.begin != next[order]) fail_damaged();
    next[order] = range.end;
    for (std::uint64_t at = range.begin; at < range.end; ++at) {
      const WordId word = trie_->word(order, at);
      if (word >= unigrams_.size() || (at > range.begin && word <= words[order - 1])) fail_damaged();
      words[order - 1] = word;
      const Trie::Range longer = order < order_ ? trie_->children(order, at) : Trie::Range{0, 0};
      if (order < wanted) {
        self(self, order + 1, longer, wanted);
      } else {
        const float backoff = trie_->log_backoff(order, at);
        sink.ngram({words.data(), order}, trie_->log_p(order, at) + 0.0F, weight(backoff), !longer.empty(),
                   !std::isnan(backoff));
      }
    }
  };
  for (unsigned order = 2; order <= order_; ++order) {
    next.fill(0);
    for (WordId word = 0; word < unigrams_.size(); ++word) {
      words[0] = word;
      descend(descend, 2, trie_->children(word), order);
    }
    if (next[order] != n_ngrams_[order - 1]) fail_damaged();
  }
}

}  // namespace dragoman::lm
