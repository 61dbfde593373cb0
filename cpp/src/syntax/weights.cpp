#include "dragoman/syntax/weights.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>

#include "dragoman/core/errors.hpp"

namespace dragoman::syntax {

namespace {

std::uint32_t check_of(Feature key) noexcept { return static_cast<std::uint32_t>(key >> 32); }

}  // namespace

void SparseWeights::check() const {
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const bool fit = counts.size() == keys.size() && classes.size() == total && weights.size() == total &&
                   total < std::uint64_t{0xFFFFFFFF} && std::ranges::find(counts, 0U) == counts.end() &&
                   std::ranges::is_sorted(keys) && std::ranges::adjacent_find(keys) == keys.end();
  if (!fit) throw data_error("The weights' arrays do not fit each other.");
}

Weights::Weights(const SparseWeights& arrays, std::size_t n_classes) : n_classes_(n_classes) {
  arrays.check();
  if (std::ranges::any_of(arrays.classes, [&](std::uint16_t klass) { return klass >= n_classes; })) {
    throw data_error("The weights name a class that the model does not have.");
  }
  const std::size_t n = arrays.keys.size();
  slots_.assign(std::bit_ceil(2 * n + 1), Slot{});
  mask_ = slots_.size() - 1;
  entries_.reserve(arrays.classes.size() + 1);
  entries_.push_back({0, 1, 0.0F});
  std::size_t at = 0;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t slot = arrays.keys[k] & mask_;
    while (slots_[slot].begin != 0) slot = (slot + 1) & mask_;
    slots_[slot] = {check_of(arrays.keys[k]), static_cast<std::uint32_t>(entries_.size())};
    for (std::uint32_t i = 0; i < arrays.counts[k]; ++i, ++at) {
      entries_.push_back(
          {arrays.classes[at], static_cast<std::uint16_t>(i + 1 == arrays.counts[k]), arrays.weights[at]});
    }
  }
}

void Weights::score(std::span<const Feature> features, std::span<float> scores) const noexcept {
  std::ranges::fill(scores, 0.0F);
  // Three passes, so that the memory of all features is on its way before the first is waited for.
  for (const Feature key : features) __builtin_prefetch(&slots_[key & mask_]);
  std::array<std::uint32_t, kMostFeatures> found;
  std::size_t n = 0;
  for (const Feature key : features) {
    const std::uint32_t check = check_of(key);
    for (std::size_t slot = key & mask_; slots_[slot].begin != 0; slot = (slot + 1) & mask_) {
      if (slots_[slot].check == check) {
        found[n++] = slots_[slot].begin;
        __builtin_prefetch(&entries_[slots_[slot].begin]);
        break;
      }
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Entry* entry = &entries_[found[i]];
    for (;; ++entry) {
      scores[entry->klass] += entry->weight;
      if (entry->last != 0) break;
    }
  }
}

Learner::Learner(std::size_t n_classes) : n_classes_(n_classes), rows_(std::size_t{1} << 16) {}

std::size_t Learner::find(Feature key) const noexcept {
  const std::size_t mask = rows_.size() - 1;
  std::size_t at = key & mask;
  while (rows_[at].size != 0 && rows_[at].key != key) at = (at + 1) & mask;
  return at;
}

void Learner::score(std::span<const Feature> features, std::span<float> scores) const noexcept {
  std::ranges::fill(scores, 0.0F);
  const std::size_t mask = rows_.size() - 1;
  for (const Feature key : features) __builtin_prefetch(&rows_[key & mask]);
  for (const Feature key : features) {
    const Row& row = rows_[find(key)];
    for (std::size_t i = 0; i < row.size; ++i) {
      const Cell& cell = cells_[row.begin + i];
      scores[cell.klass] += cell.weight;
    }
  }
}

void Learner::update(std::span<const Feature> features, std::uint16_t right, std::uint16_t wrong) {
  if (right == wrong) return;
  for (const Feature key : features) {
    if (2 * (used_ + 1) > rows_.size()) grow();
    Row& row = rows_[find(key)];
    if (row.size == 0) {
      row.key = key;
      ++used_;
    }
    add(row, right, 1.0F);
    add(row, wrong, -1.0F);
  }
}

void Learner::add(Row& row, std::uint16_t klass, float value) {
  std::size_t i = 0;
  while (i < row.size && cells_[row.begin + i].klass != klass) ++i;
  if (i == row.size) {
    if (row.size == row.capacity) {
      const std::size_t begin = cells_.size();
      const auto capacity = static_cast<std::uint16_t>(std::max(2, 2 * row.capacity));
      cells_.resize(begin + capacity);
      past_.resize(begin + capacity);
      std::copy_n(cells_.begin() + row.begin, row.size, cells_.begin() + static_cast<std::ptrdiff_t>(begin));
      std::copy_n(past_.begin() + row.begin, row.size, past_.begin() + static_cast<std::ptrdiff_t>(begin));
      row.begin = static_cast<std::uint32_t>(begin);
      row.capacity = capacity;
    }
    cells_[row.begin + i] = {klass, 0.0F};
    past_[row.begin + i] = {now_, 0.0};
    ++row.size;
  }
  Cell& cell = cells_[row.begin + i];
  Past& past = past_[row.begin + i];
  past.total += static_cast<double>(cell.weight) * static_cast<double>(now_ - past.since);
  past.since = now_;
  cell.weight += value;
}

void Learner::grow() {
  std::vector<Row> old(2 * rows_.size());
  old.swap(rows_);
  for (const Row& row : old) {
    if (row.size != 0) rows_[find(row.key)] = row;
  }
}

SparseWeights Learner::average() const {
  std::vector<std::uint32_t> order;
  order.reserve(used_);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].size != 0) order.push_back(static_cast<std::uint32_t>(i));
  }
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return rows_[i].key; });
  SparseWeights found;
  std::vector<std::pair<std::uint16_t, float>> kept;
  const auto decisions = static_cast<double>(std::max<std::int64_t>(1, now_));
  for (const std::uint32_t i : order) {
    const Row& row = rows_[i];
    kept.clear();
    for (std::size_t c = row.begin; c < row.begin + std::size_t{row.size}; ++c) {
      const double weight = static_cast<double>(cells_[c].weight);
      const double mean = (past_[c].total + weight * static_cast<double>(now_ - past_[c].since)) / decisions;
      kept.emplace_back(cells_[c].klass, static_cast<float>(mean));
    }
    std::ranges::sort(kept);
    found.keys.push_back(row.key);
    found.counts.push_back(static_cast<std::uint32_t>(kept.size()));
    for (const auto& [klass, mean] : kept) {
      found.classes.push_back(klass);
      found.weights.push_back(mean);
    }
  }
  return found;
}

SparseWeights mean_of(std::span<const SparseWeights> models, double smallest) {
  struct Place {
    std::size_t key = 0, entry = 0;
  };
  std::vector<Place> places(models.size());
  std::vector<std::pair<std::uint16_t, double>> row;
  SparseWeights found;
  for (;;) {
    const Feature* next = nullptr;
    for (std::size_t m = 0; m < models.size(); ++m) {
      if (places[m].key < models[m].keys.size()) {
        const Feature& key = models[m].keys[places[m].key];
        if (next == nullptr || key < *next) next = &key;
      }
    }
    if (next == nullptr) return found;
    const Feature key = *next;
    row.clear();
    for (std::size_t m = 0; m < models.size(); ++m) {
      const SparseWeights& model = models[m];
      Place& place = places[m];
      if (place.key == model.keys.size() || model.keys[place.key] != key) continue;
      for (const std::size_t end = place.entry + model.counts[place.key]; place.entry < end; ++place.entry) {
        row.emplace_back(model.classes[place.entry], static_cast<double>(model.weights[place.entry]));
      }
      ++place.key;
    }
    std::ranges::stable_sort(row, {}, [](const auto& entry) { return entry.first; });
    const std::size_t before = found.classes.size();
    for (std::size_t i = 0; i < row.size();) {
      const std::uint16_t klass = row[i].first;
      double sum = 0;
      for (; i < row.size() && row[i].first == klass; ++i) sum += row[i].second;
      const double mean = sum / static_cast<double>(models.size());
      if (mean == 0 || std::abs(mean) < smallest) continue;
      found.classes.push_back(klass);
      found.weights.push_back(static_cast<float>(mean));
    }
    if (found.classes.size() == before) continue;
    found.keys.push_back(key);
    found.counts.push_back(static_cast<std::uint32_t>(found.classes.size() - before));
  }
}

}  // namespace dragoman::syntax
