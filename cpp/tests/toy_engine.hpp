#pragma once

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "dragoman/lm/estimate.hpp"
#include "dragoman/lm/model.hpp"
#include "dragoman/phrase/engine.hpp"
#include "dragoman/phrase/options.hpp"
#include "dragoman/phrase/table.hpp"

/// An engine small enough to look at everything it can do: a few words, random scores, a real language model.
namespace toy {

using namespace dragoman;
using namespace dragoman::phrase;
using Words = std::vector<TokenId>;

inline std::shared_ptr<const lm::Model> random_model(std::mt19937& chance, unsigned order, int n_words) {
  text::WordTable words;
  for (const char* word : {"<unk>", "<s>", "</s>"}) words.add(word);
  for (int i = 0; i < n_words; ++i) words.add(std::to_string(i));
  std::vector<std::int32_t> ids;
  std::vector<std::int64_t> offsets{0};
  for (int line = 0; line < 40; ++line) {
    for (unsigned n = chance() % 7; n > 0; --n) {
      ids.push_back(3 + static_cast<std::int32_t>(chance() % static_cast<unsigned>(n_words)));
    }
    offsets.push_back(static_cast<std::int64_t>(ids.size()));
  }
  const auto estimator = lm::Estimator::make({.order = order});
  estimator->add(ids, offsets);
  lm::ModelBuilder builder(words);
  estimator->finish(static_cast<lm::WordId>(words.size()), builder);
  return builder.finish();
}

struct Settings {
  Orientation orientation = Orientation::none;
  unsigned n_tables = 1;
  unsigned n_models = 1;
  unsigned lm_order = 3;
  int n_source_words = 4;  // with translations; the next one has none
  int n_target_words = 5;
  unsigned most_translations = 3;
  unsigned longest = 2;
};

struct Toy {
  std::unique_ptr<Engine> engine;
  std::vector<float> weights;
};

inline float random_log(std::mt19937& chance) { return -static_cast<float>(chance() % 1000) / 250.0F; }

inline Toy random_engine(std::mt19937& chance, const Settings& settings) {
  const unsigned n_scores = 2 + (settings.orientation == Orientation::none ? 0 : 6);
  std::vector<TableUse> tables;
  for (unsigned t = 0; t < settings.n_tables; ++t) {
    PhraseTableBuilder builder(n_scores);
    const auto fill = [&](const Words& source) {
      builder.source(source);
      std::vector<Words> seen;
      for (unsigned left = 1 + chance() % settings.most_translations; left > 0; --left) {
        Words target(1 + chance() % 3);
        for (auto& word : target)
          word = static_cast<TokenId>(chance() % static_cast<unsigned>(settings.n_target_words));
        if (std::ranges::find(seen, target) != seen.end()) continue;
        seen.push_back(target);
        std::vector<float> scores(n_scores);
        for (auto& score : scores) score = random_log(chance);
        const std::vector<Link> links{{0, 0}};
        builder.add(target, links, scores);
      }
    };
    for (int a = 0; a < settings.n_source_words; ++a) {
      fill({a});
      if (settings.longest < 2) continue;
      for (int b = 0; b < settings.n_source_words; ++b) {
        if (chance() % 2) fill({a, b});
      }
    }
    tables.push_back({builder.finish(), 2});
  }
  std::vector<LanguageModelUse> models;
  for (unsigned m = 0; m < settings.n_models; ++m) {
    // The last target word is one that the model does not know.
    std::vector<lm::WordId> ids;
    for (int i = 0; i + 1 < settings.n_target_words; ++i) ids.push_back(3 + static_cast<lm::WordId>(i));
    models.push_back({random_model(chance, settings.lm_order + m, settings.n_target_words - 1), ids});
  }
  Toy toy;
  toy.engine = std::make_unique<Engine>(std::move(tables), std::move(models), settings.orientation);
  for (std::size_t i = 0; i < toy.engine->n_features(); ++i) {
    toy.weights.push_back(0.1F + static_cast<float>(chance() % 100) / 100.0F);
  }
  return toy;
}

inline Words random_source(std::mt19937& chance, std::size_t length, int n_words) {
  Words source(length);
  for (auto& word : source) word = static_cast<TokenId>(chance() % static_cast<unsigned>(n_words));
  return source;
}

/// A derivation as the definition has it: blocks in the order of the target.
struct Piece {
  int begin, end;
  std::size_t table;  // n_tables: no table
  Words words;
  std::vector<float> scores;
};
struct Derivation {
  std::vector<Piece> blocks;
  std::vector<double> features;
  double score;
  Words words() const {
    Words all;
    for (const Piece& block : blocks) all.insert(all.end(), block.words.begin(), block.words.end());
    return all;
  }
};

/// The top of a shift-reduce parser's stack after these spans, joining at most `most` items at once.
inline std::vector<Span> parsed(const std::vector<Span>& spans, std::size_t most) {
  std::vector<Span> stack;
  for (const Span span : spans) {
    stack.push_back(span);
    for (std::size_t k = 2; k <= std::min(most, stack.size()); ++k) {
      int begin = 1 << 20, end = 0, size = 0;
      for (std::size_t i = stack.size() - k; i < stack.size(); ++i) {
        begin = std::min<int>(begin, stack[i].begin);
        end = std::max<int>(end, stack[i].end);
        size += stack[i].end - stack[i].begin;
      }
      if (end - begin != size) continue;
      stack.resize(stack.size() - k);
      stack.push_back({static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)});
      k = 1;
    }
  }
  return stack;
}

/// Features by their definitions, from the whole derivation at once.
inline std::vector<double> features_of(const Engine& engine, const std::vector<Piece>& blocks, int n,
                                       const DecodeOptions& limits) {
  std::vector<double> values(engine.n_features(), 0.0);
  std::vector<bool> covered(static_cast<std::size_t>(n), false);
  const auto all = [&](int begin, int end, bool state) {
    for (int i = begin; i < end; ++i) {
      if (covered[static_cast<std::size_t>(i)] != state) return false;
    }
    return true;
  };
  const auto place = [&](int begin, int end, int last_begin, int last_end, bool behind) -> unsigned {
    if (engine.orientation() == Orientation::word) return begin == last_end ? 0 : end == last_begin ? 1 : 2;
    if (begin >= last_end && all(last_end, begin, !behind)) return 0;
    if (end <= last_begin && all(end, last_begin, !behind)) return 1;
    return 2;
  };
  int last_begin = 0, last_end = 0;
  std::vector<Span> spans;
  const Piece* last = nullptr;
  const auto orient = [&](const Piece* block, unsigned which) {
    if (block == nullptr || block->table >= engine.tables().size()) return;
    values[engine.orientation_at() + which] += block->scores[engine.tables()[block->table].n_features + which];
  };
  for (const Piece& block : blocks) {
    if (block.table < engine.tables().size()) {
      for (unsigned f = 0; f < engine.tables()[block.table].n_features; ++f) {
        values[engine.table_at(block.table) + f] += block.scores[f];
      }
    } else {
      values[engine.unknown_at()] -= 1;
    }
    values[engine.word_penalty_at()] -= static_cast<double>(block.words.size());
    values[engine.phrase_penalty_at()] -= 1;
    values[engine.distortion_at()] -= std::pow(std::abs(block.begin - last_end), limits.distortion_exponent);
    if (engine.orientation() != Orientation::none) {
      unsigned before = place(block.begin, block.end, last_begin, last_end, false);
      if (engine.orientation() == Orientation::hierarchical && limits.hierarchy != Hierarchy::approximate) {
        const auto stack = parsed(spans, limits.hierarchy == Hierarchy::two_reducing ? 2 : 1000);
        const Span top = stack.empty() ? Span{0, 0} : stack.back();
        before = block.begin == top.end ? 0 : block.end == top.begin ? 1 : 2;
      }
      orient(&block, before);
      orient(last, 3 + place(block.begin, block.end, last_begin, last_end, true));
    }
    for (int i = block.begin; i < block.end; ++i) covered[static_cast<std::size_t>(i)] = true;
    last_begin = block.begin, last_end = block.end, last = &block;
    spans.push_back({static_cast<std::uint16_t>(block.begin), static_cast<std::uint16_t>(block.end)});
  }
  if (engine.orientation() != Orientation::none) orient(last, 3 + place(n, n, last_begin, last_end, true));
  for (std::size_t m = 0; m < engine.language_models().size(); ++m) {
    const LanguageModelUse& use = engine.language_models()[m];
    lm::State before = use.model->begin(), after;
    const auto say = [&](lm::WordId id) {
      values[engine.language_model_at(m)] += 2.302585092994046 * floored(use.model->score(before, id, after).log_p);
      before = after;
    };
    for (const Piece& block : blocks) {
      for (const TokenId word : block.words) say(use.id(word));
    }
    say(lm::kEos);
  }
  return values;
}

/// Every derivation of a sentence that `admits` does not refuse block by block, best first.
inline std::vector<Derivation> all_derivations(const Toy& toy, const Words& source, const DecodeOptions& limits,
                                               const std::function<bool(const std::vector<Piece>&)>& admits = {}) {
  const Engine& engine = *toy.engine;
  const int n = static_cast<int>(source.size());
  const auto translations = [&](int begin, int end) {
    std::vector<Piece> blocks;
    const std::span<const TokenId> words(source.data() + begin, static_cast<std::size_t>(end - begin));
    for (std::size_t t = 0; t < engine.tables().size(); ++t) {
      const auto& table = *engine.tables()[t].table;
      const auto run = table.find(words);
      for (std::uint32_t i = run.first; i < run.first + run.count; ++i) {
        const auto each = table.translation(i);
        blocks.push_back(
            {begin, end, t, {each.words.begin(), each.words.end()}, {each.scores.begin(), each.scores.end()}});
      }
    }
    if (blocks.empty() && end == begin + 1) {
      Words copy;
      if (!limits.drop_unknown) copy.push_back(copied(static_cast<std::size_t>(begin)));
      blocks.push_back({begin, end, engine.tables().size(), copy, {}});
    }
    return blocks;
  };
  std::vector<Derivation> all;
  std::vector<Piece> blocks;
  std::vector<bool> covered(source.size(), false);
  const int limit = static_cast<int>(std::min<unsigned>(limits.distortion_limit, 1000));
  const auto go = [&](const auto& again, int n_covered) -> void {
    if (n_covered == n) {
      Derivation derivation{blocks, features_of(engine, blocks, n, limits), 0};
      for (std::size_t f = 0; f < derivation.features.size(); ++f) {
        derivation.score += static_cast<double>(toy.weights[f]) * derivation.features[f];
      }
      all.push_back(std::move(derivation));
      return;
    }
    int gap = 0;
    while (covered[static_cast<std::size_t>(gap)]) ++gap;
    const int last_end = blocks.empty() ? 0 : blocks.back().end;
    for (int begin = gap; begin < n; ++begin) {
      for (int end = begin + 1; end <= n && !covered[static_cast<std::size_t>(end) - 1]; ++end) {
        if (begin != gap && (std::abs(begin - last_end) > limit || end - gap > limit)) continue;
        for (const Piece& block : translations(begin, end)) {
          blocks.push_back(block);
          if (!admits || admits(blocks)) {
            for (int i = begin; i < end; ++i) covered[static_cast<std::size_t>(i)] = true;
            again(again, n_covered + end - begin);
            for (int i = begin; i < end; ++i) covered[static_cast<std::size_t>(i)] = false;
          }
          blocks.pop_back();
        }
      }
    }
  };
  go(go, 0);
  std::ranges::stable_sort(all, [](const Derivation& a, const Derivation& b) { return a.score > b.score; });
  return all;
}

}  // namespace toy
