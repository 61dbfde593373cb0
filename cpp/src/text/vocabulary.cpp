#include "dragoman/text/vocabulary.hpp"

#include <algorithm>
#include <mutex>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

constexpr std::size_t kSample = 256;             // lines of a chunk that foretell the number of its tokens
constexpr std::size_t kMostForetold = 1u << 24;  // tokens: 64 MB, should the first lines be unlike the rest

/// A word as a message shows it.
std::string quoted(std::string_view word) {
  constexpr std::size_t kMost = 60;
  if (word.size() > kMost) {
    std::size_t end = kMost;
    while ((static_cast<unsigned char>(word[end]) & 0xC0) == 0x80) --end;
    return "'" + std::string(word.substr(0, end)) + "…'";
  }
  return "'" + std::string(word) + "'";
}

}  // namespace

Vocabulary::Vocabulary(bool counted) : counted_(counted) {}

std::size_t Vocabulary::size() const {
  const std::shared_lock held(lock_);
  return words_.size();
}

bool Vocabulary::frozen() const {
  const std::shared_lock held(lock_);
  return frozen_;
}

TokenId Vocabulary::find(std::string_view word) const {
  const std::shared_lock held(lock_);
  return words_.find(word);
}

std::string Vocabulary::word(std::int64_t id) const {
  const std::shared_lock held(lock_);
  if (id < 0 || id >= static_cast<std::int64_t>(words_.size())) {
    throw data_error("There is no word with id " + std::to_string(id) + ": the vocabulary has " +
                     std::to_string(words_.size()) + " words, counted from 0.");
  }
  return std::string(words_.word(static_cast<TokenId>(id)));
}

std::vector<std::int64_t> Vocabulary::counts() const {
  const std::shared_lock held(lock_);
  return {counts_.begin(), counts_.end()};
}

void Vocabulary::check(std::span<const TokenId> ids, std::span<const std::int64_t> offsets) const {
  if (offsets.empty() || offsets.front() != 0 || !std::ranges::is_sorted(offsets) ||
      offsets.back() != static_cast<std::int64_t>(ids.size())) {
    throw data_error("The offsets of lines must rise from 0 to the number of ids, " + std::to_string(ids.size()) + ".");
  }
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] >= 0 && static_cast<std::size_t>(ids[i]) < words_.size()) continue;
    throw data_error("Token " + std::to_string(i + 1) + " has the id " + std::to_string(ids[i]) +
                     ", but the vocabulary has " + std::to_string(words_.size()) + " words, counted from 0.");
  }
}

/// The id of a word met in a line (counted from 0): kNoToken if it is to be added.
TokenId Vocabulary::known(std::string_view word, std::size_t line) const {
  const TokenId id = words_.find(word);
  if (id != kNoToken || !frozen_) return id;
  if (unk_ == kNoToken) {
    throw data_error("Line " + std::to_string(line + 1) + ": the frozen vocabulary does not know " + quoted(word) +
                     " and has no word for the unknown. Make it with unk=…, or use thawed().");
  }
  return unk_;
}

template <class ForEachToken>
TokenIds Vocabulary::encode_with(const LineSource& lines, unsigned n_threads, const ForEachToken& for_each_token) {
  // Each chunk numbers its words by itself, in a table small enough for the cache, and asks for the vocabulary's id
  // when it meets a word for the first time. New words enter afterwards, chunk by chunk, hence in the order of the
  // text.
  struct Part {
    WordTable words;
    std::vector<TokenId> ids;     // own number → id in the vocabulary
    std::vector<TokenId> tokens;  // own numbers
  };
  std::unique_lock alone(lock_, std::defer_lock);
  std::shared_lock together(lock_, std::defer_lock);
  together.lock();
  if (!frozen_) {
    together.unlock();
    alone.lock();
  }

  TokenIds result;
  result.offsets.assign(lines.size() + 1, 0);
  std::vector<Part> parts(std::clamp<std::size_t>(n_threads, 1, std::max<std::size_t>(1, lines.size())));
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    Part& part = parts[chunk.index];
    Bytes scratch, tokenised;
    struct Token {
      std::string_view text;
      std::uint64_t hash;
    };
    std::vector<Token> tokens;
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      // What the first lines hold tells how much the rest will: one allocation instead of many that are copied.
      if (const std::size_t done = i - chunk.begin; done == kSample) {
        const std::size_t expected = part.tokens.size() / done * (chunk.end - chunk.begin) * 5 / 4;
        part.tokens.reserve(std::min(expected, kMostForetold));
      }
      // Two rounds over the line: while the first hashes, memory fetches what the second will ask for.
      tokens.clear();
      for_each_token(lines.line(i, scratch), tokenised, [&](std::string_view token) {
        const std::uint64_t hash = hash_bytes(token);
        part.words.expect(hash);
        tokens.push_back({token, hash});
      });
      for (const Token& token : tokens) {
        const TokenId number = part.words.add(token.text, token.hash);
        if (static_cast<std::size_t>(number) == part.ids.size()) part.ids.push_back(known(token.text, i));
        part.tokens.push_back(number);
      }
      result.offsets[i + 1] = static_cast<std::int64_t>(part.tokens.size());  // within the part, until below
    }
  });

  if (!frozen_) {
    for (Part& part : parts) {
      for (std::size_t number = 0; number < part.ids.size(); ++number) {
        TokenId& id = part.ids[number];
        if (id == kNoToken) id = words_.add(part.words.word(static_cast<TokenId>(number)));
      }
    }
  }

  // The first part's tokens become the result, the others follow; each thread renames its own.
  std::vector<std::size_t> before(parts.size() + 1);
  for (std::size_t i = 0; i < parts.size(); ++i) before[i + 1] = before[i] + parts[i].tokens.size();
  result.ids = std::move(parts[0].tokens);
  result.ids.resize(before.back());
  for_each_chunk(lines.size(), n_threads, [&](Chunk chunk) {
    const Part& part = parts[chunk.index];
    const std::size_t start = before[chunk.index];
    const auto own = std::span(result.ids).subspan(start, before[chunk.index + 1] - start);
    if (chunk.index != 0) std::ranges::copy(part.tokens, own.begin());
    for (TokenId& id : own) id = part.ids[static_cast<std::size_t>(id)];
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) result.offsets[i + 1] += static_cast<std::int64_t>(start);
  });
  if (counted_ && !frozen_) {
    own_counts_.resize(words_.size());
    for (const TokenId id : result.ids) ++own_counts_[static_cast<std::size_t>(id)];
    counts_ = own_counts_;
  }
  return result;
}

TokenIds Vocabulary::encode(const LineSource& lines, const Tokeniser& tokeniser, unsigned n_threads) {
  return encode_with(lines, n_threads, [&](std::string_view line, Bytes& tokenised, const auto& use) {
    tokenised.clear();
    tokeniser.tokenise(line, tokenised);
    split(tokenised.view(), use);
  });
}

std::vector<TokenId> Vocabulary::encode_words(const LineSource& words, unsigned n_threads) {
  return encode_with(words, n_threads, [](std::string_view word, Bytes&, const auto& use) { use(word); }).ids;
}

void Vocabulary::declare(const LineSource& words, std::span<const std::int64_t> counts) {
  const std::unique_lock held(lock_);
  Bytes scratch;
  for (std::size_t i = 0; i < words.size(); ++i) words.line(i, scratch);  // all or nothing
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto id = static_cast<std::size_t>(words_.add(words.line(i, scratch)));
    if (!counted_) continue;
    own_counts_.resize(words_.size());
    if (!counts.empty()) own_counts_[id] += counts[i];
  }
  counts_ = own_counts_;
}

void Vocabulary::name_unk(std::string_view word) {
  const std::unique_lock held(lock_);
  unk_ = words_.add(word);
  if (counted_) own_counts_.resize(words_.size());
  counts_ = own_counts_;
}

void Vocabulary::freeze() {
  const std::unique_lock held(lock_);
  frozen_ = true;
}

std::unique_ptr<Vocabulary> Vocabulary::thawed() const {
  const std::shared_lock held(lock_);
  auto copy = std::make_unique<Vocabulary>();
  copy->words_ = words_;
  copy->own_counts_.assign(counts_.begin(), counts_.end());
  copy->counts_ = copy->own_counts_;
  copy->unk_ = unk_;
  copy->counted_ = counted_;
  return copy;
}

std::vector<TokenId> Vocabulary::absorb(const Vocabulary& other) {
  const std::unique_lock held(lock_);
  const std::shared_lock held_other(other.lock_);
  std::vector<TokenId> mapping(other.words_.size());
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    mapping[i] = words_.add(other.words_.word(static_cast<TokenId>(i)));
    if (!counted_) continue;
    own_counts_.resize(words_.size());
    if (other.counted_) own_counts_[static_cast<std::size_t>(mapping[i])] += other.counts_[i];
  }
  counts_ = own_counts_;
  if (unk_ == kNoToken && other.unk_ != kNoToken) unk_ = mapping[static_cast<std::size_t>(other.unk_)];
  return mapping;
}

std::pair<std::unique_ptr<Vocabulary>, std::vector<TokenId>> Vocabulary::pruned(std::int64_t min_count) const {
  const std::shared_lock held(lock_);
  auto kept = std::make_unique<Vocabulary>(counted_);
  std::vector<TokenId> mapping(words_.size(), kNoToken);
  std::int64_t gone = 0;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    const auto id = static_cast<TokenId>(i);
    if (counts_[i] < min_count && id != unk_) {
      gone += counts_[i];
      continue;
    }
    mapping[i] = kept->words_.add(words_.word(id));
    kept->own_counts_.push_back(counts_[i]);
  }
  if (unk_ != kNoToken) {
    kept->unk_ = mapping[static_cast<std::size_t>(unk_)];
    kept->own_counts_[static_cast<std::size_t>(kept->unk_)] += gone;
    std::ranges::replace(mapping, kNoToken, kept->unk_);
  }
  kept->counts_ = kept->own_counts_;
  return {std::move(kept), std::move(mapping)};
}

}  // namespace dragoman::text
