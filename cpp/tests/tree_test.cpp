#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/tree/kernel.hpp"

namespace {

using dragoman::tree::Forest;
using dragoman::tree::Parts;

// [VP [V brought] [NP [D a] [N cat]]], then [S [DT] [JJ] [N]] and [S [DT] [N] [N]]
Forest sample() {
  enum : std::int32_t { VP, V, brought, NP, D, a, N, cat, S, DT, JJ };
  const std::vector<std::int32_t> labels{VP, V, brought, NP, D, a, N, cat, S, DT, JJ, N, S, DT, N, N};
  const std::vector<std::int32_t> parents{-1, 0, 1, 0, 3, 4, 3, 6, -1, 0, 0, 0, -1, 0, 0, 0};
  const std::vector<std::int64_t> offsets{0, 8, 12, 16};
  return {labels, parents, offsets};
}

double kernel(const Forest& forest, Parts parts, std::int64_t a, std::int64_t b, double decay = 1) {
  const std::vector<std::int64_t> row{a}, column{b};
  return forest.gram(parts, {decay, decay}, false, row, column, 1)[0];
}

}  // namespace

TEST(the_worked_counts_of_common_parts) {
  const Forest forest = sample();
  CHECK(kernel(forest, Parts::subset, 0, 0) == 17);
  CHECK(kernel(forest, Parts::partial, 0, 0) == 48);
  // S, S DT, S N twice, S DT N twice; then DT, and the one N with two.
  CHECK(kernel(forest, Parts::partial, 1, 2) == 6 + 1 + 2);
  CHECK(kernel(forest, Parts::subset, 1, 2) == 0);
  CHECK(kernel(forest, Parts::subset, 1, 1) == 1);
}

TEST(a_tree_kernel_does_not_depend_on_threads_and_is_one_with_itself) {
  const Forest forest = sample();
  const std::vector<std::int64_t> all{0, 1, 2};
  for (const Parts parts : {Parts::subset, Parts::partial}) {
    const auto one = forest.gram(parts, {}, true, all, all, 1);
    CHECK(one == forest.gram(parts, {}, true, all, all, 7));
    for (std::size_t i = 0; i < 3; ++i) CHECK(one[i * 4] > 0.999999 && one[i * 4] < 1.000001);
  }
}

TEST(what_is_no_tree_is_refused) {
  const std::vector<std::int32_t> labels{0, 1}, parents{-1, 1};
  const std::vector<std::int64_t> offsets{0, 2};
  bool refused = false;
  try {
    Forest(labels, parents, offsets);
  } catch (const dragoman::data_error&) {
    refused = true;
  }
  CHECK(refused);
}
