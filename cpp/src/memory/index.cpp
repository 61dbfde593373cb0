#include "dragoman/memory/index.hpp"

#include <algorithm>
#include <mutex>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/memory/fuzzy_search.hpp"

namespace dragoman::memory {

std::uint64_t context_hash(std::string_view text) noexcept { return std::max<std::uint64_t>(1, hash_bytes(text)); }

std::size_t Index::size() const {
  const std::shared_lock held(lock_);
  return ids_.size() - n_removed_;
}

std::size_t Index::bytes() const {
  const std::shared_lock held(lock_);
  const std::size_t for_each = sizeof(std::int64_t) + sizeof(Context) + 8 + 3 * sizeof(Slot);
  return source_.bytes() + target_.bytes() + columns_.bytes() + for_each * ids_.capacity() + 4 * latest_.size();
}

std::uint64_t Index::key(const Tokens& tokens) noexcept {
  const auto& chosen = tokens.words.empty() ? tokens.all : tokens.words;
  return hash_bytes({reinterpret_cast<const char*>(chosen.data()), chosen.size() * sizeof(TokenId)},
                    tokens.words.empty() ? 1 : 0);
}

void Index::add(std::int64_t id, std::string_view source, std::string_view target, Context context) {
  const std::unique_lock held(lock_);
  if (!ids_.empty() && id <= ids_.back()) {
    throw data_error("Unit " + std::to_string(id) + " comes behind unit " + std::to_string(ids_.back()) +
                     "; units are added in the order of their ids.");
  }
  const auto unit = static_cast<Slot>(ids_.size());
  source_.add(source);
  target_.add(target);
  columns_.add(source_);
  ids_.push_back(id);
  contexts_.push_back(context);
  sizes_.push_back(static_cast<std::uint32_t>(source_.tokens(unit).size()));
  removed_.push_back(false);
  keys_.push_back(key(source_.tokens_of(source)));
  earlier_.push_back(0);
  if (latest_.size() < ids_.size()) {
    latest_.assign(std::max<std::size_t>(64, 2 * latest_.size()), 0);
    for (Slot each = 0; each <= unit; ++each) chain(each);
  } else {
    chain(unit);
  }
}

void Index::chain(Slot unit) {
  Slot& latest = latest_[keys_[unit] & (latest_.size() - 1)];
  earlier_[unit] = latest;
  latest = unit + 1;
}

Slot Index::slot(std::int64_t id) const {
  const auto at = std::ranges::lower_bound(ids_, id);
  return static_cast<Slot>(at == ids_.end() || *at != id ? ids_.size() : static_cast<std::size_t>(at - ids_.begin()));
}

bool Index::remove(std::int64_t id) {
  const std::unique_lock held(lock_);
  const Slot unit = slot(id);
  if (unit == ids_.size() || removed_[unit]) return false;
  removed_[unit] = true;
  sizes_[unit] = 0;
  ++n_removed_;
  return true;
}

std::vector<std::vector<Match>> Index::matches(std::span<const Query> queries, std::size_t most, double threshold,
                                               unsigned n_threads) const {
  const std::shared_lock held(lock_);
  std::vector<std::vector<Match>> found(queries.size());
  for_each_chunk(queries.size(), n_threads, [&](Chunk chunk) {
    FuzzySearch search(*this);
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) found[i] = search.matches(queries[i], most, threshold);
  });
  return found;
}

}  // namespace dragoman::memory
