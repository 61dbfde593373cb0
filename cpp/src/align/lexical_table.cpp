#include "dragoman/align/lexical_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::align {

namespace {

constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

std::size_t vocabulary_size(std::span<const TokenId> words) {
  TokenId most = -1;
  for (const TokenId word : words) most = std::max(most, word);
  return static_cast<std::size_t>(most + 1);
}

/// Where each source word stands: words in the order of their ids, and for each the sentences and positions.
class Occurrences {
 public:
  struct At {
    std::uint32_t sentence;
    std::uint32_t position;
  };

  explicit Occurrences(const Side& side) {
    const std::size_t begin = side.size() ? static_cast<std::size_t>(side.offsets.front()) : 0;
    const std::size_t end = side.size() ? static_cast<std::size_t>(side.offsets.back()) : 0;
    const auto words = side.words.subspan(begin, end - begin);
    starts_.assign(vocabulary_size(words) + 1, 0);
    for (const TokenId word : words) ++starts_[static_cast<std::size_t>(word) + 1];
    for (std::size_t w = 0; w + 1 < starts_.size(); ++w) starts_[w + 1] += starts_[w];
    at_.resize(words.size());
    std::vector<std::size_t> next(starts_.begin(), starts_.end() - 1);
    for (std::size_t i = 0; i < side.size(); ++i) {
      const auto sentence = side.sentence(i);
      for (std::size_t s = 0; s < sentence.size(); ++s) {
        at_[next[static_cast<std::size_t>(sentence[s])]++] = {static_cast<std::uint32_t>(i),
                                                              static_cast<std::uint32_t>(s)};
      }
    }
  }

  std::size_t n_words() const noexcept { return starts_.size() - 1; }
  std::span<const At> of(std::size_t word) const noexcept {
    return std::span(at_).subspan(starts_[word], starts_[word + 1] - starts_[word]);
  }

 private:
  std::vector<std::size_t> starts_;
  std::vector<At> at_;
};

std::size_t n_targets_of(const Side& target) {
  const std::size_t begin = target.size() ? static_cast<std::size_t>(target.offsets.front()) : 0;
  const std::size_t end = target.size() ? static_cast<std::size_t>(target.offsets.back()) : 0;
  return vocabulary_size(target.words.subspan(begin, end - begin));
}

Places room(const Side& source, const Side& target) {
  Places places{place_offsets(source, target), {}};
  places.places.resize(places.offsets.back());
  return places;
}

}  // namespace

std::vector<std::size_t> place_offsets(const Side& source, const Side& target) {
  std::vector<std::size_t> offsets(source.size() + 1, 0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    offsets[i + 1] = offsets[i] + (source.sentence(i).size() + 1) * target.sentence(i).size();
  }
  return offsets;
}

LexicalTable collect_pairs(const Side& source, const Side& target, Places& places) {
  const Occurrences occurrences(source);
  places = room(source, target);
  LexicalTable table;
  std::vector<std::uint32_t> place(n_targets_of(target), kNowhere);
  const auto meet = [&](std::size_t sentence, std::size_t row) {
    const auto words = target.sentence(sentence);
    std::uint32_t* const out = places.places.data() + places.offsets[sentence] + row * words.size();
    for (std::size_t t = 0; t < words.size(); ++t) {
      auto& known = place[static_cast<std::size_t>(words[t])];
      if (known == kNowhere) {
        known = static_cast<std::uint32_t>(table.targets.size());
        table.targets.push_back(words[t]);
      }
      out[t] = known;
    }
  };
  table.rows.push_back(0);
  const auto close = [&] {
    for (auto at = static_cast<std::size_t>(table.rows.back()); at < table.targets.size(); ++at) {
      place[static_cast<std::size_t>(table.targets[at])] = kNowhere;
    }
    if (table.targets.size() >= kNowhere) {
      throw data_error(
          "The bitext has more than four thousand million word pairs. Split it, or shorten its sentences.");
    }
    table.rows.push_back(static_cast<std::int64_t>(table.targets.size()));
  };
  for (std::size_t i = 0; i < source.size(); ++i) meet(i, 0);
  close();
  for (std::size_t word = 0; word < occurrences.n_words(); ++word) {
    for (const auto& at : occurrences.of(word)) meet(at.sentence, at.position + 1);
    close();
  }
  table.p.resize(table.targets.size());
  return table;
}

LexicalTable unite_rows(std::span<const TableView> tables, std::size_t begin, std::size_t end,
                        std::vector<std::uint32_t>& places) {
  const auto row_of = [&](const TableView& table, std::size_t row) {
    const std::size_t last = table.rows.size() - 1;
    return static_cast<std::size_t>(table.rows[std::min(row, last)]);
  };
  std::vector<std::size_t> next;  // by table, where the places of its next row go
  std::size_t n = 0, n_targets = 0;
  for (const TableView& table : tables) {
    next.push_back(n);
    const std::size_t first = row_of(table, begin), last = row_of(table, end);
    n += last - first;
    n_targets = std::max(n_targets, vocabulary_size(table.targets.subspan(first, last - first)));
  }
  places.resize(n);
  LexicalTable united;
  united.rows.push_back(0);
  std::vector<std::uint32_t> place(n_targets, kNowhere);
  for (std::size_t row = begin; row < end; ++row) {
    for (std::size_t k = 0; k < tables.size(); ++k) {
      for (auto at = row_of(tables[k], row); at < row_of(tables[k], row + 1); ++at) {
        const TokenId target = tables[k].targets[at];
        auto& known = place[static_cast<std::size_t>(target)];
        if (known == kNowhere) {
          known = static_cast<std::uint32_t>(united.targets.size());
          united.targets.push_back(target);
        }
        places[next[k]++] = known;
      }
    }
    for (auto at = static_cast<std::size_t>(united.rows.back()); at < united.targets.size(); ++at) {
      place[static_cast<std::size_t>(united.targets[at])] = kNowhere;
    }
    united.rows.push_back(static_cast<std::int64_t>(united.targets.size()));
  }
  return united;
}

Places find_places(const TableView& table, const Side& source, const Side& target) {
  const Occurrences occurrences(source);
  Places places = room(source, target);
  const auto none = static_cast<std::uint32_t>(table.targets.size());
  std::vector<std::uint32_t> place(n_targets_of(target), none);
  const auto fill = [&](std::size_t sentence, std::size_t row) {
    const auto words = target.sentence(sentence);
    std::uint32_t* const out = places.places.data() + places.offsets[sentence] + row * words.size();
    for (std::size_t t = 0; t < words.size(); ++t) out[t] = place[static_cast<std::size_t>(words[t])];
  };
  // Marks a row's pairs, calls, and takes the marks away again.
  const auto with_row = [&](std::size_t row, const auto& call) {
    const bool known = row + 1 < table.rows.size();
    const auto begin = known ? table.rows[row] : 0, end = known ? table.rows[row + 1] : 0;
    const auto mark = [&](bool in) {
      for (auto at = static_cast<std::size_t>(begin); at < static_cast<std::size_t>(end); ++at) {
        const auto word = static_cast<std::size_t>(table.targets[at]);
        if (word < place.size()) place[word] = in ? static_cast<std::uint32_t>(at) : none;
      }
    };
    mark(true);
    call();
    mark(false);
  };
  with_row(0, [&] {
    for (std::size_t i = 0; i < source.size(); ++i) fill(i, 0);
  });
  for (std::size_t word = 0; word < occurrences.n_words(); ++word) {
    if (occurrences.of(word).empty()) continue;
    with_row(word + 1, [&] {
      for (const auto& at : occurrences.of(word)) fill(at.sentence, at.position + 1);
    });
  }
  return places;
}

LexicalTable without_least(const LexicalTable& table) {
  LexicalTable kept;
  kept.rows.push_back(0);
  for (std::size_t row = 0; row + 1 < table.rows.size(); ++row) {
    for (auto at = static_cast<std::size_t>(table.rows[row]); at < static_cast<std::size_t>(table.rows[row + 1]);
         ++at) {
      if (table.p[at] <= kLeastP) continue;
      kept.targets.push_back(table.targets[at]);
      kept.p.push_back(table.p[at]);
    }
    kept.rows.push_back(static_cast<std::int64_t>(kept.targets.size()));
  }
  return kept;
}

double exp_digamma(double x) noexcept {
  // ψ(x) = ψ(x + 6) − Σ 1 / (x + k), k = 0 … 5; the sum as one fraction, its terms taken in pairs: with u = x (x + 5)
  // they have the denominators u, u + 4 and u + 6.
  const double u = x * (x + 5), v = u + 4, w = u + 6;
  const double sum = (2 * x + 5) * (v * w + u * w + u * v) / (u * v * w);
  if (sum > 600) return 0;
  // The series of ψ(z + ½) about ln z.
  const double z = x + 5.5, y = 1 / (z * z);
  const double series = y * (1.0 / 24 + y * (-7.0 / 960 + y * (31.0 / 8064 - y * 127.0 / 30720)));
  return z * std::exp(series - sum);
}

void estimate(LexicalTable& table, std::span<const std::uint64_t> counts, const Estimation& how, unsigned n_threads) {
  for_each_chunk(table.rows.size() - 1, n_threads, [&](const Chunk& chunk) {
    for (std::size_t row = chunk.begin; row < chunk.end; ++row) {
      const auto begin = static_cast<std::size_t>(table.rows[row]), end = static_cast<std::size_t>(table.rows[row + 1]);
      std::uint64_t units = 0;
      double extra = how.alpha * static_cast<double>(end - begin);
      for (auto at = begin; at < end; ++at) units += counts[at];
      if (!how.prior.empty()) {
        for (auto at = begin; at < end; ++at) extra += static_cast<double>(how.prior[at]);
      }
      const double total = static_cast<double>(units) / kUnit + extra;
      const double norm = how.alpha > 0 ? exp_digamma(total) : total;
      const double scale = norm > 0 ? 1 / norm : 0;
      for (auto at = begin; at < end; ++at) {
        double count = static_cast<double>(counts[at]) / kUnit + how.alpha;
        if (!how.prior.empty()) count += static_cast<double>(how.prior[at]);
        const double value = how.alpha > 0 ? exp_digamma(count) : count;
        table.p[at] = std::max(static_cast<float>(value * scale), kLeastP);
      }
    }
  });
}

std::vector<float> place_weights(const TableView& table, const PairWeights& pairs) {
  std::vector<float> weights(table.targets.size(), 0);
  for (std::size_t k = 0; k < pairs.sources.size(); ++k) {
    const auto row = static_cast<std::size_t>(pairs.sources[k] + 1);
    if (row + 1 >= table.rows.size()) continue;
    for (auto at = static_cast<std::size_t>(table.rows[row]); at < static_cast<std::size_t>(table.rows[row + 1]);
         ++at) {
      if (table.targets[at] == pairs.targets[k]) weights[at] += pairs.weights[k];
    }
  }
  return weights;
}

}  // namespace dragoman::align
