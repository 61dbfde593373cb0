#include "dragoman/phrase/assemble.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_set>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "words.hpp"

namespace dragoman::phrase {

namespace {

constexpr std::size_t kReadings = 8;  // whole words that one choice of translations is spelt with

struct PathOption {
  float rank = 0;  // log p of all its steps
  std::vector<TokenId> words;
  std::span<const Link> links;
  std::vector<float> scores;
};

/// A sequence of whole words, while it grows.
struct Reading {
  float rank = 0;
  std::vector<TokenId> words;
};

bool better(const PathOption& a, const PathOption& b) { return a.rank != b.rank ? a.rank > b.rank : a.words < b.words; }

/// One path over a text: what it makes of a span.
class PathAssembler {
 public:
  PathAssembler(const FactorPath& path, unsigned first, unsigned n_scores, const AssembleOptions& options,
                unsigned at_end)
      : path_(path), options_(options), first_(first), n_scores_(n_scores), at_end_(at_end) {
    // Which whole words show a word of the first step's table.
    const auto gives = path.steps.front().gives;
    for (std::size_t word = 0; word < gives.size(); ++word) {
      if (gives[word] < 0) continue;
      const auto shown = static_cast<std::size_t>(gives[word]);
      if (shown >= shows_.size()) shows_.resize(shown + 1);
      shows_[shown].push_back(static_cast<TokenId>(word));
    }
  }

  unsigned longest() const { return path_.steps.front().table->longest(); }

  void collect(std::size_t begin, std::size_t end, std::vector<PathOption>& options) const {
    std::vector<PhraseTable::Run> runs;
    for (const TranslationStep& step : path_.steps) {
      const auto words = step.source.subspan(begin, end - begin);
      if (std::ranges::any_of(words, [](TokenId word) { return word < 0; })) return;
      runs.push_back(step.table->find(words));
      if (runs.back().count == 0) return;
    }
    const std::size_t before = options.size();
    std::vector<Translation> chosen;
    choose(runs, chosen, options);
    std::sort(options.begin() + static_cast<std::ptrdiff_t>(before), options.end(), better);
    if (options.size() > before + options_.most) options.resize(before + options_.most);
  }

 private:
  /// All ways to choose a translation by each step, of one length.
  void choose(std::span<const PhraseTable::Run> runs, std::vector<Translation>& chosen,
              std::vector<PathOption>& options) const {
    const std::size_t step = chosen.size();
    if (step == runs.size()) return spell(chosen, options);
    for (std::uint32_t i = 0; i < runs[step].count; ++i) {
      const Translation each = path_.steps[step].table->translation(runs[step].first + i);
      if (step > 0 && each.words.size() != chosen[0].words.size()) continue;
      chosen.push_back(each);
      if (can_be_spelt(chosen)) choose(runs, chosen, options);
      chosen.pop_back();
    }
  }

  bool fits(TokenId word, std::span<const Translation> chosen, std::size_t place) const {
    for (std::size_t step = 1; step < chosen.size(); ++step) {
      if (path_.steps[step].gives[static_cast<std::size_t>(word)] != chosen[step].words[place]) return false;
    }
    return true;
  }

  std::span<const TokenId> showing(TokenId word) const {
    const auto at = static_cast<std::size_t>(word);
    return at < shows_.size() ? std::span<const TokenId>(shows_[at]) : std::span<const TokenId>();
  }

  bool can_be_spelt(std::span<const Translation> chosen) const {
    for (std::size_t place = 0; place < chosen[0].words.size(); ++place) {
      const auto words = showing(chosen[0].words[place]);
      if (std::ranges::none_of(words, [&](TokenId word) { return fits(word, chosen, place); })) return false;
    }
    return true;
  }

  float generation(TokenId word) const {
    float sum = 0;
    for (const auto& log_p : path_.generated) sum += log_p[static_cast<std::size_t>(word)];
    return sum;
  }

  /// The best sequences of whole words that show what was chosen.
  void spell(std::span<const Translation> chosen, std::vector<PathOption>& options) const {
    float rank = 0;
    for (const Translation& each : chosen) rank += each.scores[kDirect];
    std::vector<Reading> readings{{rank, {}}}, longer;
    for (std::size_t place = 0; place < chosen[0].words.size(); ++place) {
      longer.clear();
      for (const Reading& each : readings) {
        for (const TokenId word : showing(chosen[0].words[place])) {
          if (!fits(word, chosen, place)) continue;
          Reading& next = longer.emplace_back(each);
          next.rank += generation(word);
          next.words.push_back(word);
        }
      }
      std::ranges::sort(longer, [](const Reading& a, const Reading& b) {
        return a.rank != b.rank ? a.rank > b.rank : a.words < b.words;
      });
      if (longer.size() > kReadings) longer.resize(kReadings);
      readings.swap(longer);
    }
    for (Reading& each : readings) {
      std::vector<float> scores(n_scores_, 0.0F);
      score(chosen, each.words, scores);
      options.push_back({each.rank, std::move(each.words), chosen[0].links, std::move(scores)});
    }
  }

  void score(std::span<const Translation> chosen, std::span<const TokenId> words, std::span<float> scores) const {
    std::size_t at = first_;
    for (std::size_t step = 0; step < chosen.size(); ++step) {
      const unsigned n = path_.steps[step].n_features;
      std::copy_n(chosen[step].scores.begin(), n, scores.begin() + static_cast<std::ptrdiff_t>(at));
      at += n;
    }
    for (const auto& log_p : path_.generated) {
      for (const TokenId word : words) scores[at] += log_p[static_cast<std::size_t>(word)];
      ++at;
    }
    if (options_.orientation) {
      std::copy_n(chosen[0].scores.begin() + path_.steps[0].n_features, kOrientations,
                  scores.begin() + static_cast<std::ptrdiff_t>(at_end_));
    }
  }

  const FactorPath& path_;
  const AssembleOptions& options_;
  unsigned first_;     // the place of its first feature
  unsigned n_scores_;  // of the assembled table
  unsigned at_end_;    // where orientations begin
  std::vector<std::vector<TokenId>> shows_;
};

unsigned n_features_of(const FactorPath& path) {
  unsigned n = static_cast<unsigned>(path.generated.size());
  for (const TranslationStep& step : path.steps) n += step.n_features;
  return n;
}

void check_paths(std::span<const FactorPath> paths, std::size_t n_tokens, const AssembleOptions& options) {
  if (paths.empty()) throw data_error("A factored setup has at least one path.");
  const std::size_t n_words = paths.front().steps.empty() ? 0 : paths.front().steps.front().gives.size();
  for (const FactorPath& path : paths) {
    if (path.steps.empty()) throw data_error("A path of a factored setup translates at least once.");
    for (const TranslationStep& step : path.steps) {
      if (step.source.size() != n_tokens || step.gives.size() != n_words) {
        throw data_error("A translation step needs a word for each of " + std::to_string(n_tokens) + " tokens and " +
                         std::to_string(n_words) + " target words.");
      }
      if (step.n_features <= kDirect ||
          step.n_features + (options.orientation ? kOrientations : 0) > step.table->n_scores()) {
        throw data_error("A phrase table has fewer scores than its step needs.");
      }
    }
    for (const auto& log_p : path.generated) {
      if (log_p.size() != n_words) throw data_error("A generation step needs a score for each target word.");
    }
  }
}

struct Phrase {
  std::size_t begin, end;
};

/// The different phrases of the text up to a length, where they are met first.
std::vector<Phrase> phrases_of(std::span<const TokenId> words, std::span<const std::int64_t> offsets,
                               std::size_t longest) {
  std::unordered_set<std::string_view> met;
  std::vector<Phrase> phrases;
  for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
    const auto last = static_cast<std::size_t>(offsets[i + 1]);
    for (auto begin = static_cast<std::size_t>(offsets[i]); begin < last; ++begin) {
      for (std::size_t end = begin + 1; end <= std::min(last, begin + longest); ++end) {
        const std::string_view bytes(reinterpret_cast<const char*>(words.data() + begin),
                                     (end - begin) * sizeof(TokenId));
        if (met.insert(bytes).second) phrases.push_back({begin, end});
      }
    }
  }
  return phrases;
}

}  // namespace

unsigned n_assembled_features(std::span<const FactorPath> paths) {
  unsigned n = 0;
  for (const FactorPath& path : paths) n += n_features_of(path);
  return n;
}

std::unique_ptr<PhraseTable> assemble(std::span<const FactorPath> paths, std::span<const TokenId> words,
                                      std::span<const std::int64_t> offsets, const AssembleOptions& options) {
  check_paths(paths, words.size(), options);
  if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      static_cast<std::size_t>(offsets.back()) != words.size()) {
    throw data_error("The sentences' offsets do not fit their words.");
  }
  const unsigned n_features = n_assembled_features(paths),
                 n_scores = n_features + (options.orientation ? kOrientations : 0);
  std::vector<PathAssembler> assemblers;
  std::size_t longest = 0;
  for (unsigned first = 0; const FactorPath& path : paths) {
    assemblers.emplace_back(path, first, n_scores, options, n_features);
    longest = std::max<std::size_t>(longest, assemblers.back().longest());
    first += n_features_of(path);
  }
  const auto phrases = phrases_of(words, offsets, longest);
  std::vector<std::vector<PathOption>> found(phrases.size());
  for_each_chunk(phrases.size(), options.n_threads, [&](Chunk chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      for (const PathAssembler& each : assemblers) each.collect(phrases[i].begin, phrases[i].end, found[i]);
    }
  });
  PhraseTableBuilder builder(n_scores);
  for (std::size_t i = 0; i < phrases.size(); ++i) {
    if (found[i].empty()) continue;
    builder.source(words.subspan(phrases[i].begin, phrases[i].end - phrases[i].begin));
    for (const PathOption& option : found[i]) builder.add(option.words, option.links, option.scores);
  }
  return builder.finish();
}

}  // namespace dragoman::phrase
