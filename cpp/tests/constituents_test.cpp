#include <cmath>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/syntax/constituents.hpp"

namespace {

using namespace dragoman::syntax;

enum : Symbol { ROOT, S, NP, VP, V, N, PP, P };

/// S → NP VP, VP → V NP | VP PP, NP → NP PP | N, PP → P NP; the coarse grammar is the same.
Grammar sample() {
  const double half = std::log(0.5);
  const std::vector<Binary> binary{
      {S, NP, VP, 0}, {VP, V, NP, half}, {VP, VP, PP, half}, {NP, NP, PP, half}, {PP, P, NP, 0}};
  const std::vector<Unary> unary{{ROOT, S, 0}, {NP, N, half}};
  const std::vector<double> even(8, 1.0 / 8), zeros(8, 0.0), ones(8, 1.0);
  // Rows: a noun, a verb, a preposition.
  return {Rules(8, binary, unary),
          Rules(8, binary, unary),
          {0, 1, 2, 3, 4, 5, 6, 7},
          ones,
          zeros,
          even,
          {0, 1, 2, 3, 4, 5, 6, 7},
          ROOT,
          {{0, 1, 2, 3}, {N, V, P}, {0, 0, 0}}};
}

std::vector<Parsed> parse(const std::vector<std::int32_t>& rows, std::size_t longest = 100) {
  const Grammar grammar = sample();
  const std::vector<std::int64_t> offsets{0, static_cast<std::int64_t>(rows.size())};
  return parse_constituents(grammar, {.n_best = 100, .longest = longest}, rows, offsets, 1);
}

}  // namespace

TEST(every_attachment_is_a_tree) {
  // N V N P N: two trees; with another P N: five (Catalan numbers).
  const auto two = parse({0, 1, 0, 2, 0})[0];
  CHECK(!two.is_failed && two.trees.size() == 2);
  CHECK(std::abs(two.trees[0].score - 5 * std::log(0.5)) < 1e-12);
  CHECK(std::abs(two.log_sentence - 4 * std::log(0.5)) < 1e-12);
  CHECK(parse({0, 1, 0, 2, 0, 2, 0})[0].trees.size() == 5);
  CHECK(parse({0, 1, 0, 2, 0, 2, 0, 2, 0})[0].trees.size() == 14);
}

TEST(nodes_come_before_their_children) {
  const auto tree = parse({0, 1, 0})[0].trees[0];
  CHECK((tree.labels == std::vector<std::int32_t>{ROOT, S, NP, N, -1, VP, V, -2, NP, N, -3}));
  CHECK((tree.parents == std::vector<std::int32_t>{-1, 0, 1, 2, 3, 1, 5, 6, 5, 8, 9}));
}

TEST(parts_are_glued_where_there_is_no_tree) {
  const auto none = parse({2, 0, 1})[0];
  CHECK(none.is_failed && none.trees.size() == 1);
  CHECK((none.trees[0].labels == std::vector<std::int32_t>{ROOT, PP, P, -1, NP, N, -2, V, -3}));
  const auto pieces = parse({0, 1, 0, 0, 1, 0}, 3)[0];
  CHECK(pieces.is_failed && pieces.trees[0].labels.back() == -6);
}

TEST(long_sentences_do_not_underflow) {
  std::vector<std::int32_t> rows{0, 1, 0};
  for (int i = 0; i < 40; ++i) rows.insert(rows.end(), {2, 0});
  const auto found = parse(rows)[0];
  CHECK(!found.is_failed && found.trees.size() == 100 && std::isfinite(found.log_sentence));
  CHECK(found.log_sentence > found.trees[0].score);
}

TEST(wrong_rows_and_grammars_are_refused) {
  for (const std::int32_t row : {-1, 3}) {
    bool is_refused = false;
    try {
      parse({row});
    } catch (const dragoman::data_error&) {
      is_refused = true;
    }
    CHECK(is_refused);
  }
  bool is_refused = false;
  try {
    Rules(2, {{0, 1, 2, 0.0}}, {});
  } catch (const dragoman::data_error&) {
    is_refused = true;
  }
  CHECK(is_refused);
}
