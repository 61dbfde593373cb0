// Rule tables: what was put in is found again, and damaged files are refused or lead nowhere.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/chart/moses_rules.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

using namespace dragoman;
using namespace dragoman::chart;

namespace {

struct Given {
  std::vector<TokenId> source;
  Label label;
  std::vector<TokenId> target;
  std::vector<Link> links;
  std::vector<float> scores;
};

constexpr std::size_t kWords = 6, kLabels = 3;

/// Any rule over a few words and labels.
Given drawn(std::mt19937& random) {
  const auto below = [&](std::size_t n) { return random() % n; };
  Given rule{{}, static_cast<Label>(below(kLabels)), {}, {}, {}};
  std::size_t n_gaps = 0;
  for (std::size_t i = 0, n = 1 + below(4); i < n; ++i) {
    const bool gap = n_gaps < 2 && below(3) == 0;
    n_gaps += gap;
    rule.source.push_back(gap ? gap_symbol(static_cast<Label>(below(kLabels))) : static_cast<TokenId>(below(kWords)));
  }
  for (std::size_t i = 0; i < n_gaps; ++i) rule.target.push_back(graph::gap(i));
  for (std::size_t i = 0, n = 1 + below(3); i < n; ++i) rule.target.push_back(static_cast<TokenId>(below(kWords)));
  std::ranges::shuffle(rule.target, random);
  if (below(2) == 0) rule.links.push_back({0, static_cast<std::uint8_t>(rule.target.size() - 1)});
  rule.scores = {-static_cast<float>(below(1000)) / 16, static_cast<float>(below(3))};
  return rule;
}

std::unique_ptr<RuleTable> packed(const std::vector<Given>& rules, bool quantised) {
  RuleTableBuilder builder(2);
  for (const Given& each : rules) builder.add(each.source, {each.label, each.target, each.links}, each.scores);
  const std::vector<LabelNames> labels = {{0, 0}, {0, 1}, {1, 1}};
  return builder.finish(labels, {kWords, kWords, 2, 2}, quantised);
}

/// Every rule by its source side, in the order given.
void check_rules(const RuleTable& table, const std::vector<Given>& rules, float tolerance) {
  std::map<std::vector<TokenId>, std::vector<Given>> sides;
  for (const Given& each : rules) sides[each.source].push_back(each);
  CHECK(table.n_rules() == rules.size() && table.n_sources() == sides.size());
  for (const auto& [source, own] : sides) {
    const Node node = table.find(source);
    CHECK(node != kNoNode);
    const auto [first, last] = table.rules(node);
    CHECK(last - first == own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      const RuleView view = table.rule(static_cast<std::uint32_t>(first + i));
      CHECK(view.label == own[i].label && std::ranges::equal(view.target, own[i].target) &&
            std::ranges::equal(view.links, own[i].links));
      float scores[2];
      table.scores(static_cast<std::uint32_t>(first + i), scores);
      CHECK(std::abs(scores[0] - own[i].scores[0]) <= tolerance && std::abs(scores[1] - own[i].scores[1]) <= tolerance);
    }
  }
  std::size_t n_sides = 0;
  table.for_each_side([&](std::span<const TokenId> side, RuleTable::Range range) {
    ++n_sides;
    CHECK(sides.at({side.begin(), side.end()}).size() == range.last - range.first);
  });
  CHECK(n_sides == sides.size());
}

/// Walk through all of a table, as a search would.
void use(const RuleTable& table) {
  std::vector<float> scores(table.n_scores());
  table.for_each_side([&](std::span<const TokenId> side, RuleTable::Range range) {
    CHECK(table.find(side) != kNoNode);
    for (auto i = range.first; i < range.last; ++i) {
      table.scores(i, scores);
      CHECK(table.rule(i).label < table.labels().size());
      for (const TokenId symbol : table.rule(i).target) {
        CHECK(graph::is_gap(symbol) ? graph::tail_of(symbol) < side.size()
                                    : static_cast<std::size_t>(symbol) < table.n_target_words());
      }
    }
  });
}

std::unique_ptr<RuleTable> read(std::string_view lines) {
  text::Vocabulary source, target;
  MosesRules rules(source, target);
  rules.add(lines);
  return rules.finish(source, target, false);
}

std::string refusal(std::string_view lines) {
  try {
    read(lines);
  } catch (const data_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(rule_table_finds_every_rule_again) {
  std::mt19937 random(7);
  for (const std::size_t n : {0U, 1U, 20U, 400U}) {
    std::vector<Given> rules;
    for (std::size_t i = 0; i < n; ++i) rules.push_back(drawn(random));
    check_rules(*packed(rules, false), rules, 0);
    check_rules(*packed(rules, true), rules, 0.5F);  // up to a thousand values in 256 bins, a sixteenth apart
  }
}

TEST(rule_table_knows_no_other_source_sides) {
  std::mt19937 random(3);
  std::vector<Given> rules;
  for (std::size_t i = 0; i < 50; ++i) rules.push_back(drawn(random));
  const auto table = packed(rules, false);
  CHECK(table->after(kRoot, -1) == kNoNode && table->after(kRoot, 77) == kNoNode);
  for (std::size_t i = 0; i < 500; ++i) {
    const Given other = drawn(random);
    const Node node = table->find(other.source);
    const bool found = node != kNoNode && table->rules(node).first < table->rules(node).last;
    CHECK(found == std::ranges::any_of(rules, [&](const Given& each) { return each.source == other.source; }));
  }
}

TEST(rule_table_file_is_refused_or_sound) {
  std::mt19937 random(11);
  std::vector<Given> rules;
  for (std::size_t i = 0; i < 12; ++i) rules.push_back(drawn(random));
  for (const bool quantised : {false, true}) {
    const auto table = packed(rules, quantised);
    const std::string whole(table->file());
    std::size_t hash_at = 8;
    const auto stored = [&](std::size_t at) {
      std::uint64_t value;
      std::memcpy(&value, whole.data() + at, 8);
      return value;
    };
    while (stored(hash_at) != hash_bytes(std::string_view(whole).substr(0, hash_at))) hash_at += 8;
    std::size_t n_refused = 0;
    for (std::size_t at = 0; at + 4 <= whole.size(); at += quantised && at > 8192 ? 64 : 4) {
      for (const std::uint32_t value : {0U, 1U, 77U, 0x7FFFFFFFU, 0x80000001U, 0xFFFFFFFFU}) {
        std::vector<std::uint64_t> memory(whole.size() / 8);
        std::memcpy(memory.data(), whole.data(), whole.size());
        char* const file = reinterpret_cast<char*>(memory.data());
        std::memcpy(file + at, &value, 4);
        const std::uint64_t hash = hash_bytes({file, hash_at});
        if (at < hash_at) std::memcpy(file + hash_at, &hash, 8);
        try {
          use(*RuleTable::on_file({file, whole.size()}, nullptr));
        } catch (const data_error&) {
          ++n_refused;
        }
      }
    }
    CHECK(n_refused > 100);
  }
}

TEST(moses_rules_are_read) {
  const auto table = read(
      "der [X][X] bellt [X] ||| the [X][X] barks [X] ||| 0.5 0 ||| 0-0 1-1 2-2 ||| 2 4 1\n"
      "[X][X] von [X][NP] [NP] ||| [X][NP] 's [X][X] [X] ||| 1 1e-400 ||| 2-0 1-1 0-2 ||| |||\n"
      "&#91;X] [X] ||| &#124;|| [X] ||| .25 1\r\n");
  CHECK(table->n_rules() == 3 && table->labels().size() == 3 && table->n_source_words() == 4);
  const TokenId side[] = {gap_symbol(0), 2, gap_symbol(1)};
  const Node node = table->find(side);
  CHECK(node != kNoNode);
  const RuleView rule = table->rule(table->rules(node).first);
  CHECK(std::ranges::equal(rule.target, std::vector<TokenId>{graph::gap(1), 2, graph::gap(0)}));
  CHECK(rule.links.size() == 1 && rule.links[0] == (Link{1, 1}) && rule.label == 2);
  float scores[2];
  table->scores(table->rules(node).first, scores);
  CHECK(scores[0] == 0 && scores[1] == -100);
}

TEST(broken_rules_are_named) {
  const std::string good = "a [X] ||| b [X] ||| 1 1\n";
  const std::pair<const char*, const char*> broken[] = {
      {"a [X] ||| b [X]", "2 fields"},
      {"a [X] ||| b [X] ||| 1 1 ||| ||| ||| ||| x", "7 fields"},
      {"a ||| b [X] ||| 1 1", "source side is 'a'"},
      {"a [X] ||| [X] ||| 1 1", "target side is '[X]'"},
      {"[X [X] ||| b [X] ||| 1", "1 scores, those before it 2"},
      {"[X][] [X] ||| b [X] ||| 1 1", "'[X][]' is no gap"},
      {"a [X] ||| b [X] ||| 1 1 ||| 0-1", "outside"},
      {"a [X] ||| b [X] ||| 1 1 ||| 0:0", "no link"},
      {"a [X][X] [X] ||| b [X][X] [X] ||| 1 1 ||| 0-1 1-0", "joins a word and a gap"},
      {"a [X][X] [X] ||| b [Y][X] [X] ||| 1 1 ||| 1-1", "other labels"},
      {"[X][X] [X][X] [X] ||| [X][X] [X][X] [X] ||| 1 1 ||| 0-0 1-0", "a second link"},
      {"[X][X] [X][X] [X] ||| [X][X] [X][X] [X] ||| 1 1 ||| 0-0 0-1", "a second link"},
      {"[X][X] [X] ||| [X][X] [X] ||| 1 1", "1 gaps in the source, 1 in the target and 0 links"},
      {"a [X] ||| b [X] ||| 1 nan", "score is 'nan'"},
      {"a [X] ||| b [X] ||| 1 -1", "score is '-1'"},
      {"a [X] ||| b [X] ||| 1 1 ||| ||| x", "count is 'x'"},
      {"a [X] ||| b [X] ||| 1 1 ||| ||| ||| f", "pairs of name and value"},
      {"a [X] ||| b [X] ||| 1 1 ||| ||| ||| f g", "feature f is 'g'"},
  };
  CHECK(refusal(good).empty());
  for (const auto& [line, message] : broken) {
    CHECK(refusal(good + line).find(message) != std::string::npos);
  }
}
