// Ensembles of grammars: one cell computed by hand, and what must hold of every one.
#include <cmath>
#include <vector>

#include "check.hpp"
#include "dragoman/chart/mixing.hpp"
#include "dragoman/core/errors.hpp"

using namespace dragoman;
using namespace dragoman::chart;

namespace {

// Three rules of one source side in two models; the second lacks the second rule, the first the third.
const std::vector<float> kCell = {-1, -3, -2, kNoScore, kNoScore, -0.5F};

std::vector<float> mixture(Mixing mix, std::vector<float> shares, float floor = -10) {
  std::vector<float> into(3);
  Mixer({mix, std::move(shares), floor}).mix(kCell, into);
  return into;
}

bool near(const std::vector<float>& found, const std::vector<double>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (std::isinf(wanted[i]) ? found[i] != kNoScore : std::abs(found[i] - wanted[i]) > 1e-5) return false;
  }
  return found.size() == wanted.size();
}

std::unique_ptr<RuleTable> table_of(const std::vector<std::pair<std::vector<TokenId>, std::vector<float>>>& rules) {
  RuleTableBuilder builder(2);
  for (const auto& [words, scores] : rules) {
    const TokenId source[] = {words[0]};
    const TokenId target[] = {words[1]};
    builder.add(source, {0, target, {}}, scores);
  }
  const LabelNames label{0, 0};
  return builder.finish({&label, 1}, {3, 3, 1, 1}, false);
}

}  // namespace

TEST(a_cell_is_mixed_as_by_hand) {
  const double none = -INFINITY;
  // 0.6 e^-1 + 0.4 e^-3 = 0.220728 + 0.019915; 0.6 e^-2 = 0.081201; 0.4 e^-0.5 = 0.242612
  CHECK(near(mixture(Mixing::wsum, {0.6F, 0.4F}), {std::log(0.240643), std::log(0.081201), std::log(0.242612)}));
  // the same, measured by 0.6: the larger of 0.220728 and 0.019915
  CHECK(near(mixture(Mixing::wmax, {0.6F, 0.4F}), {-1, -2, std::log(0.242612 / 0.6)}));
  CHECK(near(mixture(Mixing::prod, {0.6F, 0.4F}), {-1.8, -5.2, -6.2}));
  // 0.6 e^-1 = 0.2207 against 0.4 e^-0.5 = 0.2426: the second; and 0.6 (e^-1 + e^-2) = 0.3019 against 0.2625: the first
  CHECK(near(mixture(Mixing::switch_max, {0.6F, 0.4F}), {-3, none, -0.5}));
  CHECK(near(mixture(Mixing::switch_sum, {0.6F, 0.4F}), {-1, -2, none}));
}

TEST(a_model_alone_says_what_it_says) {
  for (const Mixing mix : {Mixing::prod, Mixing::wsum, Mixing::wmax, Mixing::switch_max, Mixing::switch_sum}) {
    CHECK(near(mixture(mix, {1, 0}), {-1, -2, -INFINITY}));
    CHECK(near(mixture(mix, {0, 1}), {-3, -INFINITY, -0.5}));
    std::vector<float> into(2);
    Mixer({mix, {0.5F, 0.5F}, -10}).mix(std::vector<float>{-1, -1, -7, -7}, into);
    CHECK(near(into, {-1, -7}));
  }
}

TEST(tables_are_merged_and_mixed) {
  // Words 0, 1, 2 of the second table are 1, 0, 2 of the first, in source and target.
  const auto first = table_of({{{0, 0}, {-1, 0}}, {{0, 1}, {-2, 0}}, {{2, 2}, {-4, 0}}});
  const auto second = table_of({{{1, 1}, {-3, 1}}, {{1, 2}, {-0.5F, 2}}, {{0, 0}, {-6, 0}}});
  const std::vector<TokenId> same = {0, 1, 2}, other = {1, 0, 2};
  const std::vector<Label> labels = {0};
  const std::vector<MergePart> parts = {{first.get(), same, same, labels}, {second.get(), other, other, labels}};
  const LabelNames name{0, 0};
  const auto merged = merge(parts, {&name, 1}, {3, 3, 1, 1});
  CHECK(merged->n_rules() == 5 && merged->n_scores() == 6 && merged->n_sources() == 3);
  const std::vector<std::vector<float>> weights = {{1, 0}, {1, 0}};
  const auto table = mixed(*merged, weights, {Mixing::prod, {0.6F, 0.4F}, -10}, false);
  const TokenId side[] = {0};
  const auto [begin, end] = table->rules(table->find(side));
  CHECK(end - begin == 3);
  std::vector<float> scores(3);
  for (auto i = begin; i < end; ++i) table->scores(i, std::span(scores).subspan(i - begin, 1));
  CHECK(near(scores, {-1.8, -5.2, -6.2}));
  CHECK(mixed(*merged, weights, {Mixing::switch_max, {0.6F, 0.4F}, -10}, false)->n_rules() == 4);
  CHECK(mixed(*merged, weights, {Mixing::wsum, {0, 1}, -10}, true)->n_rules() == 3);
  for (const MixingOptions& wrong : {MixingOptions{Mixing::prod, {1}, 0}, MixingOptions{Mixing::prod, {0, 0}, 0},
                                     MixingOptions{Mixing::prod, {-1, 1}, 0}}) {
    bool is_refused = false;
    try {
      mixed(*merged, weights, wrong, false);
    } catch (const data_error&) {
      is_refused = true;
    }
    CHECK(is_refused);
  }
}
