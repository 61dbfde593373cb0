#include "dragoman/metrics/meteor.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>

#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

enum Module : int { kExact, kStem, kSynonym, kParaphrase };

constexpr std::size_t kBeam = 40;
constexpr std::int32_t kNoEntry = -1;

/// All that could be matched, by the word of the reference where it begins, and how often each word occurs in it.
class Candidates {
 public:
  Candidates(Numbers hyp, Numbers ref, const MeteorLexicon& lexicon, const MeteorParaphrases& paraphrases)
      : hyp_(hyp), ref_(ref), at_(ref.size()), hyp_coverage_(hyp.size()), ref_coverage_(ref.size()) {
    match_words(kExact, [](auto a, auto b) { return a == b; });
    if (std::ranges::equal(hyp, ref)) return;  // nothing else is needed, and the beam cannot go astray
    match_words(kStem, [&](auto a, auto b) { return a != b && lexicon.stems[index(a)] == lexicon.stems[index(b)]; });
    match_words(kSynonym,
                [&](auto a, auto b) { return a != b && share_one(lexicon.synsets_of(a), lexicon.synsets_of(b)); });
    match_phrases(paraphrases);
  }

  const std::vector<MeteorMatch>& at(std::size_t ref_word) const { return at_[ref_word]; }

  /// The only match of all its words, if the word of the reference begins one.
  const MeteorMatch* certain(std::size_t ref_word) const {
    if (at_[ref_word].size() != 1) return nullptr;
    const auto& match = at_[ref_word].front();
    const auto once = [](const std::vector<int>& coverage, std::size_t begin, std::size_t count) {
      return std::ranges::all_of(std::span(coverage).subspan(begin, count), [](int n) { return n == 1; });
    };
    const bool alone =
        once(ref_coverage_, match.start, match.length) && once(hyp_coverage_, match.hyp_start, match.hyp_length);
    return alone ? &match : nullptr;
  }

 private:
  template <class Matches>
  void match_words(Module module, const Matches& matches) {
    for (std::size_t j = 0; j < ref_.size(); ++j) {
      for (std::size_t i = 0; i < hyp_.size(); ++i) {
        if (matches(hyp_[i], ref_[j])) add({module, j, 1, i, 1});
      }
    }
  }

  /// Paraphrases of the reference's phrases in the hypothesis, then the other way round.
  void match_phrases(const MeteorParaphrases& paraphrases) {
    for (std::size_t j = 0; j < ref_.size(); ++j) {
      paraphrases.for_each_at(ref_, j, [&](std::size_t length, Numbers other) {
        for_each_place(other, hyp_, [&](std::size_t i) { add({kParaphrase, j, length, i, other.size()}); });
      });
    }
    for (std::size_t i = 0; i < hyp_.size(); ++i) {
      paraphrases.for_each_at(hyp_, i, [&](std::size_t length, Numbers other) {
        for_each_place(other, ref_, [&](std::size_t j) { add({kParaphrase, j, other.size(), i, length}); });
      });
    }
  }

  template <class Use>
  static void for_each_place(Numbers phrase, Numbers words, const Use& use) {
    for (std::size_t i = 0; i + phrase.size() <= words.size(); ++i) {
      if (std::ranges::equal(phrase, words.subspan(i, phrase.size()))) use(i);
    }
  }

  void add(const MeteorMatch& match) {
    at_[match.start].push_back(match);
    for (std::size_t k = 0; k < match.hyp_length; ++k) ++hyp_coverage_[match.hyp_start + k];
    for (std::size_t k = 0; k < match.length; ++k) ++ref_coverage_[match.start + k];
  }

  Numbers hyp_, ref_;
  std::vector<std::vector<MeteorMatch>> at_;
  std::vector<int> hyp_coverage_, ref_coverage_;
};

/// A choice of matches for the first words of the reference.
struct Path {
  std::int64_t covered = 0;  // words on both sides; a match that is not exact counts half, rounded down
  std::int64_t chunks = 0;   // those that ended
  std::int64_t distance = 0;
  std::size_t next = 0;             // the first word of the reference behind the last match
  std::int64_t hyp_end = kNoEntry;  // where the open chunk goes on in the hypothesis
  std::int32_t last = kNoEntry;     // of `Search::steps_`
  std::vector<bool> hyp_used, ref_used;
};

/// A path that may be made, from which it comes and by which match.
struct Extension {
  std::tuple<std::int64_t, std::int64_t, std::int64_t> rank;
  std::size_t number;  // the first of equals is kept
  std::size_t parent;
  const MeteorMatch* match;  // none: the word is left out, or in a match already
  bool operator<(const Extension& other) const { return std::tie(rank, number) < std::tie(other.rank, other.number); }
};

std::int64_t credit(const MeteorMatch& match) {
  const auto words = [&](std::size_t n) { return static_cast<std::int64_t>(match.module == kExact ? n : n / 2); };
  return words(match.length) + words(match.hyp_length);
}

std::int64_t distance_of(const MeteorMatch& match) {
  return std::abs(static_cast<std::int64_t>(match.start) - static_cast<std::int64_t>(match.hyp_start));
}

bool breaks_chunk(const Path& path, const MeteorMatch& match) {
  return path.hyp_end != kNoEntry && path.hyp_end != static_cast<std::int64_t>(match.hyp_start);
}

class Search {
 public:
  Search(std::size_t n_hyp, std::size_t n_ref, const Candidates& candidates) : candidates_(candidates), fixed_(n_ref) {
    Path start;
    start.hyp_used.resize(n_hyp);
    start.ref_used.resize(n_ref);
    for (std::size_t j = 0; j < n_ref; ++j) {
      fixed_[j] = candidates.certain(j);
      if (fixed_[j]) mark(start, *fixed_[j]);
    }
    paths_.push_back(std::move(start));
  }

  std::vector<MeteorMatch> best() {
    for (std::size_t j = 0; j < fixed_.size(); ++j) advance(j);
    const auto closed = [](const Path& path) {
      return std::tuple(-path.covered, path.chunks + (path.hyp_end != kNoEntry), path.distance);
    };
    std::int32_t step = std::ranges::min_element(paths_, {}, closed)->last;
    std::vector<MeteorMatch> matches;
    for (; step != kNoEntry; step = steps_[static_cast<std::size_t>(step)].before) {
      matches.push_back(*steps_[static_cast<std::size_t>(step)].match);
    }
    std::ranges::reverse(matches);
    return matches;
  }

 private:
  struct Step {
    const MeteorMatch* match;
    std::int32_t before;
  };

  static void mark(Path& path, const MeteorMatch& match) {
    for (std::size_t k = 0; k < match.length; ++k) path.ref_used[match.start + k] = true;
    for (std::size_t k = 0; k < match.hyp_length; ++k) path.hyp_used[match.hyp_start + k] = true;
  }

  static bool is_free(const Path& path, const MeteorMatch& match) {
    for (std::size_t k = 0; k < match.length; ++k) {
      if (path.ref_used[match.start + k]) return false;
    }
    for (std::size_t k = 0; k < match.hyp_length; ++k) {
      if (path.hyp_used[match.hyp_start + k]) return false;
    }
    return true;
  }

  void advance(std::size_t word) {
    extensions_.clear();
    for (std::size_t p = 0; p < paths_.size(); ++p) extend(p, word);
    const auto kept = std::min(kBeam, extensions_.size());
    const auto middle = extensions_.begin() + static_cast<std::ptrdiff_t>(kept);
    std::partial_sort(extensions_.begin(), middle, extensions_.end());
    std::vector<Path> next;
    next.reserve(kept);
    for (const auto& extension : std::span(extensions_).first(kept)) next.push_back(made(extension, word));
    paths_ = std::move(next);
  }

  void extend(std::size_t p, std::size_t word) {
    const Path& path = paths_[p];
    if (word < path.next) return propose(p, nullptr, false, path.distance);
    if (const auto* match = fixed_[word]) {
      return propose(p, match, breaks_chunk(path, *match), path.distance + distance_of(*match));
    }
    // The distance of a match is charged to the paths that are made after its own: METEOR 1.5 does so, and its scores
    // depend on it.
    std::int64_t distance = path.distance;
    for (const auto& match : candidates_.at(word)) {
      if (!is_free(path, match)) continue;
      propose(p, &match, breaks_chunk(path, match), distance);
      distance += distance_of(match);
    }
    propose(p, nullptr, path.hyp_end != kNoEntry, distance);
  }

  void propose(std::size_t parent, const MeteorMatch* match, bool ends_chunk, std::int64_t distance) {
    const Path& path = paths_[parent];
    const std::int64_t covered = path.covered + (match ? credit(*match) : 0);
    extensions_.push_back({{-covered, path.chunks + ends_chunk, distance}, extensions_.size(), parent, match});
  }

  Path made(const Extension& extension, std::size_t word) {
    Path path = paths_[extension.parent];
    std::tie(path.covered, path.chunks, path.distance) = extension.rank;
    path.covered = -path.covered;
    if (extension.match) {
      mark(path, *extension.match);
      path.next = extension.match->start + extension.match->length;
      path.hyp_end = static_cast<std::int64_t>(extension.match->hyp_start + extension.match->hyp_length);
      steps_.push_back({extension.match, path.last});
      path.last = static_cast<std::int32_t>(steps_.size()) - 1;
    } else if (word >= path.next) {
      path.next = word + 1;
      path.hyp_end = kNoEntry;
    }
    return path;
  }

  const Candidates& candidates_;
  std::vector<const MeteorMatch*> fixed_;
  std::vector<Path> paths_;
  std::vector<Extension> extensions_;
  std::vector<Step> steps_;
};

std::int64_t count_chunks(std::span<const MeteorMatch> matches) {
  std::int64_t chunks = 0;
  const MeteorMatch* before = nullptr;
  for (const auto& match : matches) {
    chunks += !before || before->start + before->length != match.start ||
              before->hyp_start + before->hyp_length != match.hyp_start;
    before = &match;
  }
  return chunks;
}

}  // namespace

Numbers MeteorLexicon::synsets_of(std::int32_t word) const {
  const auto begin = static_cast<std::size_t>(synset_offsets[static_cast<std::size_t>(word)]);
  const auto end = static_cast<std::size_t>(synset_offsets[static_cast<std::size_t>(word) + 1]);
  return synsets.subspan(begin, end - begin);
}

void MeteorParaphrases::add(Numbers phrase, Numbers paraphrase) {
  longest_ = std::max(longest_, phrase.size());
  auto& bucket = entries_[phrase_hash(phrase)];
  auto entry = std::ranges::find_if(bucket, [&](const Entry& each) { return std::ranges::equal(each.phrase, phrase); });
  if (entry == bucket.end()) entry = bucket.insert(bucket.end(), Entry{{phrase.begin(), phrase.end()}, {}});
  entry->paraphrases.emplace_back(paraphrase.begin(), paraphrase.end());
}

const MeteorParaphrases::Entry* MeteorParaphrases::find(Numbers phrase) const {
  const auto bucket = entries_.find(phrase_hash(phrase));
  if (bucket == entries_.end()) return nullptr;
  const auto entry =
      std::ranges::find_if(bucket->second, [&](const Entry& each) { return std::ranges::equal(each.phrase, phrase); });
  return entry == bucket->second.end() ? nullptr : &*entry;
}

std::vector<MeteorMatch> meteor_alignment(Numbers hyp, Numbers ref, const MeteorLexicon& lexicon,
                                          const MeteorParaphrases& paraphrases) {
  return Search(hyp.size(), ref.size(), Candidates(hyp, ref, lexicon, paraphrases)).best();
}

MeteorRow meteor_row(Numbers hyp, Numbers ref, const MeteorLexicon& lexicon, const MeteorParaphrases& paraphrases) {
  const auto is_function = [&](std::int32_t word) {
    return lexicon.is_function_word[static_cast<std::size_t>(word)] != 0;
  };
  MeteorRow row{};
  row[0] = static_cast<double>(hyp.size());
  row[1] = static_cast<double>(ref.size());
  row[2] = static_cast<double>(std::ranges::count_if(hyp, is_function));
  row[3] = static_cast<double>(std::ranges::count_if(ref, is_function));
  const auto matches = meteor_alignment(hyp, ref, lexicon, paraphrases);
  for (const auto& match : matches) {
    const auto first = 4 + 4 * static_cast<std::size_t>(match.module);
    for (const auto word : hyp.subspan(match.hyp_start, match.hyp_length)) ++row[first + (is_function(word) ? 2 : 0)];
    for (const auto word : ref.subspan(match.start, match.length)) ++row[first + (is_function(word) ? 3 : 1)];
  }
  row.back() = static_cast<double>(count_chunks(matches));
  return row;
}

}  // namespace dragoman::metrics
