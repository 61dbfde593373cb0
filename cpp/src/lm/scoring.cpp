#include "dragoman/lm/scoring.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"
#include "lately.hpp"
#include "score_run.hpp"

namespace dragoman::lm {

namespace {

/// Sentences put one behind the other as word numbers, until there are enough of them to look up at once.
class Run {
 public:
  Run(const Model& model, bool bos, bool eos, const Members* members, bool many)
      : model_(&model), bos_(bos), eos_(eos), members_(members) {
    // For a few lines, laying it out would take longer than it saves.
    if (many && members == nullptr) lately_.emplace(model);
  }

  /// Appends a line's words.
  void add(std::string_view line) {
    // As many words as there can be, so that each is a plain write.
    const std::size_t begin = n_words_;
    const std::size_t most = begin + line.size() / 2 + 3;
    if (most > words_.size()) words_.resize(2 * most);
    WordId* at = words_.data() + begin;
    if (bos_) *at++ = kBos;
    if (lately_) {
      // A copy, since words are read beyond their ends.
      line_.clear();
      char* const copy = line_.room(line.size() + Lately::kReach);
      std::memcpy(copy, line.data(), line.size());
      text::split({copy, line.size()}, [&](std::string_view token) { *at++ = spoken(lately_->find(token)); });
    } else if (members_ == nullptr) {
      text::split(line, [&](std::string_view token) { *at++ = spoken(model_->find(token)); });
    } else {
      text::split(line, [&](std::string_view token) {
        const auto member = members_->find(token);
        member_log_p_.resize(static_cast<std::size_t>(at - words_.data()), 0.0F);
        member_log_p_.push_back(member.log_p);
        *at++ = member.word;
      });
    }
    if (eos_) *at++ = kEos;
    n_words_ = static_cast<std::size_t>(at - words_.data());
    n_past_.resize(n_words_, kMaxOrder - 1);
    for (std::size_t i = begin; i < std::min<std::size_t>(n_words_, begin + kMaxOrder - 1); ++i) {
      n_past_[i] = static_cast<std::uint8_t>(i - begin);
    }
    ends_.push_back(n_words_);
  }
  bool full() const noexcept { return n_words_ >= 2048; }

  /// Calls `token(scored, word)` for every word and `end()` behind every line; then the run is empty.
  template <class Token, class End>
  void score(const Token& token, const End& end) {
    std::size_t line = 0;
    const auto close = [&](std::size_t at) {
      for (; line < ends_.size() && ends_[line] <= at; ++line) end();
    };
    model_->score_run(std::span(words_).first(n_words_), n_past_, [&](std::size_t i, const Scored& scored) {
      close(i);
      token(i < member_log_p_.size() ? Scored{scored.log_p + member_log_p_[i], scored.n_matched} : scored, words_[i]);
    });
    close(n_words_);
    member_log_p_.clear();
    n_words_ = 0;
    n_past_.clear();
    ends_.clear();
  }

 private:
  /// <s> inside a line is no word that could be predicted.
  static WordId spoken(WordId word) noexcept { return word == kBos ? kUnk : word; }

  const Model* model_;
  bool bos_, eos_;
  const Members* members_;
  std::optional<Lately> lately_;
  Bytes line_;
  std::vector<WordId> words_;  // n_words_ of them count
  std::size_t n_words_ = 0;
  std::vector<float> member_log_p_;  // of the words up to the last one that has one
  std::vector<std::uint8_t> n_past_;
  std::vector<std::size_t> ends_;
};

template <class Token, class End>
void score_all(const Model& model, const text::LineSource& lines, const Chunk& chunk, bool bos, bool eos,
               const Members* members, const Token& token, const End& end) {
  Run run(model, bos, eos, members, chunk.end - chunk.begin >= 100);
  Bytes scratch;
  for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
    run.add(lines.line(i, scratch));
    if (run.full()) run.score(token, end);
  }
  run.score(token, end);
}

}  // namespace

ScoredTokens score_lines(const Model& model, const text::LineSource& lines, bool bos, bool eos, unsigned n_threads,
                         const Members* members) {
  std::vector<ScoredTokens> parts(std::max<std::size_t>(1, n_threads));
  for_each_chunk(lines.size(), n_threads, [&](const Chunk& chunk) {
    ScoredTokens& part = parts[chunk.index];
    score_all(
        model, lines, chunk, bos, eos, members,
        [&](const Scored& scored, WordId word) {
          part.log_p.push_back(scored.log_p);
          part.n_matched.push_back(static_cast<std::uint8_t>(scored.n_matched));
          part.unknown.push_back(word == kUnk);
        },
        [&] { part.offsets.push_back(static_cast<std::int64_t>(part.log_p.size())); });
  });
  ScoredTokens all;
  all.offsets.push_back(0);
  std::size_t n_tokens = 0;
  for (const ScoredTokens& part : parts) n_tokens += part.log_p.size();
  all.log_p.reserve(n_tokens);
  all.n_matched.reserve(n_tokens);
  all.unknown.reserve(n_tokens);
  all.offsets.reserve(lines.size() + 1);
  for (const ScoredTokens& part : parts) {
    const auto before = static_cast<std::int64_t>(all.log_p.size());
    all.log_p.insert(all.log_p.end(), part.log_p.begin(), part.log_p.end());
    all.n_matched.insert(all.n_matched.end(), part.n_matched.begin(), part.n_matched.end());
    all.unknown.insert(all.unknown.end(), part.unknown.begin(), part.unknown.end());
    for (const auto offset : part.offsets) all.offsets.push_back(before + offset);
  }
  return all;
}

std::vector<double> score_totals(const Model& model, const text::LineSource& lines, bool bos, bool eos,
                                 unsigned n_threads) {
  std::vector<double> totals(lines.size());
  for_each_chunk(lines.size(), n_threads, [&](const Chunk& chunk) {
    std::size_t at = chunk.begin;
    double total = 0;
    score_all(
        model, lines, chunk, bos, eos, nullptr, [&](const Scored& scored, WordId) { total += scored.log_p; },
        [&] {
          totals[at++] = total;
          total = 0;
        });
  });
  return totals;
}

}  // namespace dragoman::lm
