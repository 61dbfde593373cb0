#include "batch_parts.hpp"

#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kLongestSentence = 0xFFFE;

/// Sort the values from `first` on by key, those of one key summed.
void sum_equal(std::vector<SparseValue>& all, std::size_t first) {
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
  std::sort(begin, all.end(), [](const SparseValue& a, const SparseValue& b) { return a.key < b.key; });
  std::size_t kept = first;
  for (std::size_t i = first; i < all.size(); ++i) {
    if (kept > first && all[kept - 1].key == all[i].key) {
      all[kept - 1].value += all[i].value;
    } else {
      all[kept++] = all[i];
    }
  }
  all.resize(kept);
}

template <class T>
void join(std::vector<T>& all, const std::vector<T>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

}  // namespace

void FoundPaths::end_path(double score) {
  word_ends.push_back(static_cast<std::int64_t>(words.size()));
  link_ends.push_back(static_cast<std::int64_t>(links.size() / 2));
  phrase_ends.push_back(static_cast<std::int64_t>(phrases.size() / 3));
  scores.push_back(score);
}

void FoundPaths::end_features(std::span<const double> values, std::size_t first) {
  sum_equal(sparse, first);
  sparse_ends.push_back(static_cast<std::int64_t>(sparse.size()));
  features.insert(features.end(), values.begin(), values.end());
}

void put_together(std::span<const FoundPaths> parts, Translations& all) {
  all.path_offsets.push_back(0);
  all.word_offsets.push_back(0);
  all.link_offsets.push_back(0);
  all.phrase_offsets.push_back(0);
  all.sparse_offsets.push_back(0);
  for (const FoundPaths& part : parts) {
    const auto shift = [](std::vector<std::int64_t>& offsets_so_far, const std::vector<std::int64_t>& ends) {
      const auto before = offsets_so_far.back();
      for (const auto end : ends) offsets_so_far.push_back(before + end);
    };
    shift(all.word_offsets, part.word_ends);
    shift(all.link_offsets, part.link_ends);
    shift(all.phrase_offsets, part.phrase_ends);
    shift(all.sparse_offsets, part.sparse_ends);
    for (const SparseValue& each : part.sparse) {
      all.sparse_keys.push_back(each.key);
      all.sparse_values.push_back(each.value);
    }
    join(all.words, part.words);
    join(all.links, part.links);
    join(all.phrases, part.phrases);
    join(all.scores, part.scores);
    join(all.features, part.features);
    join(all.confidences, part.confidences);
    all.path_offsets.push_back(static_cast<std::int64_t>(all.scores.size()));
  }
}

void check_batch(std::size_t n_features, std::size_t n_given, const Sentences& sentences, const Weights& all_weights,
                 const DecodeOptions& limits) {
  const auto weights = all_weights.dense;
  if (weights.size() != n_features) {
    throw data_error("The engine has " + std::to_string(n_features) + " features, got " +
                     std::to_string(weights.size()) + " weights.");
  }
  if (!limits.future_weights.empty() && limits.future_weights.size() != n_features) {
    throw data_error("The engine has " + std::to_string(n_features) + " features, got " +
                     std::to_string(limits.future_weights.size()) + " weights for the future.");
  }
  if (limits.pop_limit == 0 || limits.options_per_phrase == 0) {
    throw data_error("A search needs a pop limit and options per phrase of 1 or more.");
  }
  if (!sentences.constraints.empty() && sentences.constraints.size() != sentences.size()) {
    throw data_error("There must be constraints (or none) for each of " + std::to_string(sentences.size()) +
                     " sentences, got " + std::to_string(sentences.constraints.size()) + ".");
  }
  if (!sentences.layer.empty() && sentences.layer.size() != sentences.words.size()) {
    throw data_error("An annotation has a value for each of " + std::to_string(sentences.words.size()) +
                     " source words, got " + std::to_string(sentences.layer.size()) + ".");
  }
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    const auto length = static_cast<std::size_t>(sentences.offsets[i + 1] - sentences.offsets[i]);
    if (length > kLongestSentence) {
      throw data_error("Sentence " + std::to_string(i + 1) + " has " + std::to_string(length) +
                       " words; a sentence can have 65534. Split it.");
    }
    if (sentences.constraints.empty() || sentences.constraints[i] == nullptr) continue;
    try {
      sentences.constraints[i]->check(n_given, length);
    } catch (const data_error& error) {
      throw data_error("Sentence " + std::to_string(i + 1) + ": " + error.what());
    }
  }
}

}  // namespace dragoman::phrase
