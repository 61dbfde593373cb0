#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "dragoman/chart/batch.hpp"
#include "toy_engine.hpp"

/// A grammar small enough to look at every derivation.
namespace toy {

using chart::Label;

struct ToyRule {
  Words source;  // words, chart::gap_symbol
  Label label;
  Words target;  // words, graph::gap
  std::vector<float> scores;
};

struct ToyGrammar {
  std::vector<ToyRule> rules;
  std::vector<chart::LabelNames> labels;
  std::unique_ptr<chart::Engine> engine;
  std::vector<float> weights;
};

struct GrammarSettings {
  unsigned n_labels = 1;
  unsigned n_source_labels = 1;
  unsigned n_models = 1;
  unsigned span = 0;
  bool renames = false;  // rules that are a gap alone
  std::vector<std::string> features = {};
  std::vector<std::string> given = {};
};

constexpr int kToyWords = 4;  // of the source, the last without a rule
constexpr int kToyTargets = 5;

inline ToyGrammar random_grammar(std::mt19937& chance, const GrammarSettings& settings) {
  ToyGrammar toy;
  for (Label label = 0; label < settings.n_labels; ++label)
    toy.labels.push_back({label % settings.n_source_labels, label});
  const auto any_label = [&] { return static_cast<Label>(chance() % settings.n_labels); };
  const auto word = [&] { return static_cast<TokenId>(chance() % (kToyWords - 1)); };
  const auto gap = [&] { return chart::gap_symbol(any_label()); };
  chart::RuleTableBuilder builder(2);
  std::set<std::tuple<Words, Label, Words>> seen;
  const auto add = [&](const Words& source, Label label) {
    std::size_t n_gaps = 0;
    for (const TokenId symbol : source) n_gaps += chart::is_gap_symbol(symbol) ? 1 : 0;
    Words target;
    for (std::size_t k = 0; k < n_gaps; ++k) target.push_back(graph::gap(k));
    for (unsigned n = chance() % 3 + (n_gaps == 0 ? 1 : 0); n > 0; --n) {
      target.push_back(static_cast<TokenId>(chance() % kToyTargets));
    }
    std::ranges::shuffle(target, chance);
    if (!seen.insert({source, label, target}).second) return;
    ToyRule rule{source, label, target, {random_log(chance), random_log(chance)}};
    std::vector<graph::Link> links;
    for (std::size_t s = 0; s < source.size(); ++s) {
      for (std::size_t t = 0; t < target.size(); ++t) {
        if (chart::is_gap_symbol(source[s]) || graph::is_gap(target[t]) || chance() % 2) continue;
        links.push_back({static_cast<std::uint8_t>(s), static_cast<std::uint8_t>(t)});
      }
    }
    builder.add(source, {label, target, links}, rule.scores);
    toy.rules.push_back(std::move(rule));
  };
  for (int a = 0; a + 1 < kToyWords; ++a) add({a}, any_label());
  for (int i = 0; i < 3; ++i) {
    add({word()}, any_label());
    add({word(), word()}, any_label());
    add({gap(), word()}, any_label());
    add({word(), gap()}, any_label());
    add({word(), gap(), word(), gap()}, any_label());
    add({gap(), word(), gap()}, any_label());
  }
  add({gap(), gap()}, any_label());
  if (settings.renames) {
    for (Label label = 0; label + 1 < settings.n_labels; ++label) add({chart::gap_symbol(label)}, label + 1);
  }
  std::vector<phrase::LanguageModelUse> models;
  for (unsigned m = 0; m < settings.n_models; ++m) {
    std::vector<lm::WordId> ids;
    for (int i = 0; i + 1 < kToyTargets; ++i) ids.push_back(3 + static_cast<lm::WordId>(i));
    models.push_back({random_model(chance, 2 + m, kToyTargets - 1), ids});
  }
  std::vector<phrase::Engine::More> more;
  for (const auto& name : settings.features) more.push_back({name, phrase::make_feature(name)});
  const chart::RuleTableBuilder::Sizes sizes{kToyWords, kToyTargets, settings.n_source_labels, settings.n_labels};
  std::vector<Label> unknown;
  for (Label label = 0; label < settings.n_labels; ++label) unknown.push_back(label);
  chart::GrammarUse use{builder.finish(toy.labels, sizes, false), {}, unknown, 0, settings.span};
  toy.engine = std::make_unique<chart::Engine>(std::move(use), std::move(models), settings.given, std::move(more));
  for (std::size_t i = 0; i < toy.engine->n_features(); ++i) {
    toy.weights.push_back(0.1F + static_cast<float>(chance() % 100) / 100.0F);
  }
  return toy;
}

/// A derivation by its definition: the words it says and what it has so far, but for language models.
struct Tree {
  Words words;
  std::vector<double> features;
};

/// All derivations of all spans by all labels, straight from the definition.
class AllTrees {
 public:
  AllTrees(const ToyGrammar& toy, Words source, const std::vector<int>& walls = {},
           const std::set<std::tuple<int, int, std::uint32_t>>* labels = nullptr)
      : toy_(toy), source_(std::move(source)), walls_(walls), labels_(labels) {}

  const std::vector<Tree>& of(int begin, int end, Label label) {
    const auto [place, is_new] = known_.try_emplace({begin, end, label});
    if (is_new) place->second = made(begin, end, label);
    return known_[{begin, end, label}];
  }

  /// The whole sentence, glued, with language models and the score.
  std::vector<Derivation> sentences() {
    const int n = static_cast<int>(source_.size());
    std::vector<std::vector<Tree>> glued(source_.size() + 1);
    glued[0].push_back({{}, std::vector<double>(toy_.engine->n_features(), 0.0)});
    for (int end = 1; end <= n; ++end) {
      for (int begin = 0; begin < end; ++begin) {
        for (Label label = 0; label < toy_.labels.size(); ++label) {
          for (const Tree& part : of(begin, end, label)) {
            for (const Tree& before : glued[static_cast<std::size_t>(begin)]) {
              Tree all = before;
              all.words.insert(all.words.end(), part.words.begin(), part.words.end());
              for (std::size_t f = 0; f < all.features.size(); ++f) all.features[f] += part.features[f];
              all.features[toy_.engine->glue_at()] -= 1;
              glued[static_cast<std::size_t>(end)].push_back(std::move(all));
            }
          }
        }
      }
    }
    std::vector<Derivation> all;
    for (Tree& tree : glued[source_.size()]) {
      Derivation made{{{0, n, 0, tree.words, {}}}, tree.features, 0};
      for (std::size_t m = 0; m < toy_.engine->language_models().size(); ++m) {
        const auto& use = toy_.engine->language_models()[m];
        lm::State before = use.model->begin(), after;
        const auto say = [&](lm::WordId id) {
          made.features[toy_.engine->language_model_at(m)] +=
              2.302585092994046 * floored(use.model->score(before, id, after).log_p);
          before = after;
        };
        for (const TokenId word : tree.words) say(use.id(word));
        say(lm::kEos);
      }
      for (std::size_t f = 0; f < made.features.size(); ++f) {
        made.score += static_cast<double>(toy_.weights[f]) * made.features[f];
      }
      all.push_back(std::move(made));
    }
    std::ranges::stable_sort(all, [](const Derivation& a, const Derivation& b) { return a.score > b.score; });
    return all;
  }

 private:
  bool stands(Label label, int begin, int end) const {
    for (const int wall : walls_) {
      if (begin < wall && wall < end) return false;
    }
    const auto name = toy_.labels[label].first;
    return !labels_ || name == 0 || labels_->contains({begin, end, name});
  }

  std::vector<Tree> made(int begin, int end, Label label) {
    std::vector<Tree> all;
    if (!stands(label, begin, end)) return all;
    const auto& engine = *toy_.engine;
    bool is_known = false;
    for (const ToyRule& rule : toy_.rules) {
      if (end == begin + 1 && rule.source == Words{source_[static_cast<std::size_t>(begin)]} &&
          stands(rule.label, begin, end)) {
        is_known = true;
      }
      if (rule.label != label) continue;
      const bool has_gap = std::ranges::any_of(rule.source, chart::is_gap_symbol);
      if (has_gap && engine.span() > 0 && end - begin > static_cast<int>(engine.span())) continue;
      std::vector<const Tree*> parts;
      match(rule, 0, begin, end, parts, all);
    }
    if (end == begin + 1 && !is_known) {
      Tree tree{{copied(static_cast<std::size_t>(begin))}, std::vector<double>(engine.n_features(), 0.0)};
      tree.features[engine.word_penalty_at()] = tree.features[engine.phrase_penalty_at()] =
          tree.features[engine.unknown_at()] = -1;
      all.push_back(tree);
    }
    return all;
  }

  void match(const ToyRule& rule, std::size_t symbol, int at, int end, std::vector<const Tree*>& parts,
             std::vector<Tree>& all) {
    if (symbol == rule.source.size()) {
      if (at == end) all.push_back(applied(rule, parts));
      return;
    }
    if (!chart::is_gap_symbol(rule.source[symbol])) {
      if (at < end && source_[static_cast<std::size_t>(at)] == rule.source[symbol])
        match(rule, symbol + 1, at + 1, end, parts, all);
      return;
    }
    const int rest = static_cast<int>(rule.source.size() - symbol) - 1;  // each symbol behind it covers a word or more
    for (int next = at + 1; next <= end - rest; ++next) {
      for (const Tree& part : std::vector<Tree>(of(at, next, chart::label_of(rule.source[symbol])))) {
        parts.push_back(&part);
        match(rule, symbol + 1, next, end, parts, all);
        parts.pop_back();
      }
    }
  }

  Tree applied(const ToyRule& rule, const std::vector<const Tree*>& parts) const {
    const auto& engine = *toy_.engine;
    Tree tree{{}, std::vector<double>(engine.n_features(), 0.0)};
    for (std::size_t f = 0; f < 2; ++f) tree.features[f] = rule.scores[f];
    tree.features[engine.phrase_penalty_at()] = -1;
    for (const TokenId word : rule.target) {
      if (graph::is_gap(word)) {
        const Tree& part = *parts[graph::tail_of(word)];
        tree.words.insert(tree.words.end(), part.words.begin(), part.words.end());
      } else {
        tree.words.push_back(word);
        tree.features[engine.word_penalty_at()] -= 1;
      }
    }
    for (const Tree* part : parts) {
      for (std::size_t f = 0; f < tree.features.size(); ++f) tree.features[f] += part->features[f];
    }
    return tree;
  }

  const ToyGrammar& toy_;
  Words source_;
  std::vector<int> walls_;
  const std::set<std::tuple<int, int, std::uint32_t>>* labels_;
  std::map<std::tuple<int, int, Label>, std::vector<Tree>> known_;
};

}  // namespace toy
