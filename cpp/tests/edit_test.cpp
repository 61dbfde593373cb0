#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/edit/levenshtein.hpp"
#include "dragoman/edit/rows.hpp"
#include "dragoman/edit/ter.hpp"
#include "dragoman/edit/tercom.hpp"
#include "dragoman/text/unicode.hpp"

using namespace dragoman;
using namespace dragoman::edit;

namespace {

using Sequence = std::vector<std::int32_t>;

Sequence random_sequence(std::mt19937& chance, int length, int n_ids) {
  Sequence sequence(static_cast<std::size_t>(length));
  for (auto& id : sequence) id = static_cast<std::int32_t>(chance() % static_cast<unsigned>(n_ids));
  return sequence;
}

/// The distance and operations that an engine finds, without shifts.
template <class Rows>
std::pair<int, std::vector<Operation>> walk(const Sequence& hyp, const Sequence& ref) {
  const int n_hyp = static_cast<int>(hyp.size()), n_ref = static_cast<int>(ref.size());
  WordPlaces places;
  places.set(ref);
  const Beam beam(n_hyp, n_ref);
  Rows rows;
  rows.set(n_hyp, n_ref, beam, places);
  typename Rows::State state{};
  rows.begin(state);
  for (int i = 1; i <= n_hyp; ++i) {
    const Word word = hyp[static_cast<std::size_t>(i) - 1];
    rows.step_traced(state, i, std::min(word, places.unknown()));
  }
  std::vector<Operation> operations;
  for (int i = n_hyp, j = n_ref; i > 0 || j > 0;) {
    operations.push_back(rows.operation(i, j));
    if (operations.back() != Operation::kInsert) --i;
    if (operations.back() != Operation::kDelete) --j;
  }
  return {rows.distance(state), operations};
}

int count_edits(const std::vector<Operation>& operations) {
  return static_cast<int>(operations.size() -
                          static_cast<std::size_t>(std::ranges::count(operations, Operation::kMatch)));
}

/// Number the words of a reference 0, 1, …, others -1.
std::pair<Sequence, Sequence> numbered(const Sequence& hyp, const Sequence& ref) {
  Sequence seen, hyp_words, ref_words;
  for (const auto id : ref) {
    auto place = std::ranges::find(seen, id);
    if (place == seen.end()) place = seen.insert(seen.end(), id);
    ref_words.push_back(static_cast<std::int32_t>(place - seen.begin()));
  }
  for (const auto id : hyp) {
    const auto place = std::ranges::find(seen, id);
    hyp_words.push_back(place == seen.end() ? -1 : static_cast<std::int32_t>(place - seen.begin()));
  }
  return {hyp_words, ref_words};
}

}  // namespace

TEST(bit_parallel_rows_equal_the_cells_of_the_beam) {
  std::mt19937 chance(1);
  for (int trial = 0; trial < 3000; ++trial) {
    const int n_ref = 1 + static_cast<int>(chance() % (trial % 10 == 0 ? 300 : 70));
    const int n_hyp = trial % 4 == 0 ? 1 + static_cast<int>(chance() % 120)
                                     : std::max(1, n_ref + static_cast<int>(chance() % 41) - 20);
    const int n_ids = 1 + static_cast<int>(chance() % 30);
    const auto [hyp, ref] = numbered(random_sequence(chance, n_hyp, n_ids), random_sequence(chance, n_ref, n_ids));
    Sequence known = hyp;
    for (auto& word : known) word = word < 0 ? static_cast<Word>(ref.size()) : word;
    const Beam beam(n_hyp, n_ref);
    const auto expected = walk<Cells>(known, ref);
    CHECK(expected.first == count_edits(expected.second));
    if (Whole::fits(beam, n_ref)) CHECK(walk<Whole>(known, ref) == expected);
    if (Strip<true>::fits(beam, n_ref)) CHECK(walk<Strip<true>>(known, ref) == expected);
    if (Strip<false>::fits(beam, n_ref)) CHECK(walk<Strip<false>>(known, ref) == expected);
  }
}

TEST(a_strip_as_steep_as_can_be_is_read_in_one_window) {
  Sequence ref(100);
  for (std::size_t j = 0; j < ref.size(); ++j) ref[j] = static_cast<Word>(j);
  for (Word word = 0; word < 100; ++word) CHECK(walk<Strip<false>>({0, word}, ref) == walk<Cells>({0, word}, ref));
}

TEST(a_moved_block_is_one_edit) {
  TerAligner aligner;
  const Sequence ref{0, 1, 2, 3, 4, 5}, hyp{3, 4, 5, 0, 1, 2};
  CHECK(aligner.edits(hyp, ref) == 1);
  const TerTrace trace = aligner.trace(hyp, ref);
  CHECK(trace.edits == 1);
  CHECK(trace.shifts.size() == 1);
  CHECK(trace.shifts[0].from == 0 && trace.shifts[0].length == 3 && trace.shifts[0].to == 3);
  CHECK(trace.operations == std::vector<Operation>(6, Operation::kMatch));
  CHECK(aligner.trace(hyp, ref, false).edits == 6);
}

TEST(traces_add_up_and_replay) {
  std::mt19937 chance(2);
  TerAligner aligner;
  for (int trial = 0; trial < 500; ++trial) {
    const auto [hyp, ref] = numbered(random_sequence(chance, static_cast<int>(chance() % 50), 12),
                                     random_sequence(chance, static_cast<int>(chance() % 50), 12));
    const TerTrace trace = aligner.trace(hyp, ref);
    CHECK(trace.edits == aligner.edits(hyp, ref));
    CHECK(trace.edits == count_edits(trace.operations) + static_cast<int>(trace.shifts.size()));
    Sequence words = hyp;
    for (const auto& [from, length, to] : trace.shifts) {
      const Sequence block(words.begin() + from, words.begin() + from + length);
      words.erase(words.begin() + from, words.begin() + from + length);
      words.insert(words.begin() + to, block.begin(), block.end());
    }
    std::size_t i = 0, j = 0;
    for (const Operation operation : trace.operations) {
      if (operation == Operation::kMatch) CHECK(words[i] == ref[j]);
      if (operation == Operation::kSubstitute) CHECK(words[i] != ref[j]);
      i += operation != Operation::kInsert;
      j += operation != Operation::kDelete;
    }
    CHECK(i == words.size() && j == ref.size());
  }
}

TEST(nothing_on_one_side_is_all_insertions_or_deletions) {
  TerAligner aligner;
  CHECK(aligner.edits({}, {}) == 0);
  CHECK(aligner.trace(Sequence{-1, -1}, {}).operations == std::vector<Operation>(2, Operation::kDelete));
  CHECK(aligner.trace({}, Sequence{0, 1, 0}).operations == std::vector<Operation>(3, Operation::kInsert));
}

TEST(ten_thousand_words_take_bounded_time) {
  std::mt19937 chance(3);
  TerAligner aligner;
  Sequence ref = random_sequence(chance, 10000, 500);
  Sequence hyp = ref;
  for (int k = 0; k < 200; ++k) std::swap(hyp[chance() % hyp.size()], hyp[chance() % hyp.size()]);
  const auto [hyp_words, ref_words] = numbered(hyp, ref);
  CHECK(aligner.edits(hyp_words, ref_words) <= 400);
}

TEST(levenshtein_equals_its_definition) {
  std::mt19937 chance(4);
  Levenshtein kernel;
  for (int trial = 0; trial < 400; ++trial) {
    const Sequence hyp = random_sequence(chance, static_cast<int>(chance() % 200), 8);
    const Sequence ref = random_sequence(chance, static_cast<int>(chance() % 200), 8);
    std::vector<std::vector<int>> plain(hyp.size() + 1, std::vector<int>(ref.size() + 1)), swaps = plain;
    for (auto* const cells : {&plain, &swaps}) {
      for (std::size_t i = 0; i <= hyp.size(); ++i) {
        for (std::size_t j = 0; j <= ref.size(); ++j) {
          auto& cell = (*cells)[i][j];
          if (i == 0 || j == 0) {
            cell = static_cast<int>(i + j);
            continue;
          }
          cell = std::min(
              {(*cells)[i - 1][j - 1] + (hyp[i - 1] != ref[j - 1]), (*cells)[i - 1][j] + 1, (*cells)[i][j - 1] + 1});
          if (cells == &swaps && i > 1 && j > 1 && hyp[i - 1] == ref[j - 2] && hyp[i - 2] == ref[j - 1]) {
            cell = std::min(cell, swaps[i - 2][j - 2] + 1);
          }
        }
      }
    }
    CHECK(kernel.distance(hyp, ref) == plain.back().back());
    CHECK(kernel.damerau(hyp, ref) == swaps.back().back());
    CHECK(count_edits(kernel.operations(hyp, ref)) == plain.back().back());
  }
}

TEST(alignments_that_do_not_fit_are_refused) {
  Levenshtein kernel;
  const Sequence many(200000, 1);
  std::string message;
  try {
    kernel.operations(many, many);
  } catch (const data_error& error) {
    message = error.what();
  }
  CHECK(message.find("200000 and 200000 items are too long to be aligned") != std::string::npos);
}

TEST(tercom_is_not_idempotent) {
  TercomTokeniser tokenise({.normalised = true});
  const auto words = [&](std::string_view line) {
    std::string joined;
    text::split(tokenise(line), [&](std::string_view word) { joined.append(word).push_back('|'); });
    return joined;
  };
  CHECK(words("x..1") == "x|.|.1|");
  CHECK(words("x . .1") == "x|.|.|1|");
  CHECK(words("He said &quot;10,5%&quot;, John's 3-4.") == "He|said|\"|10,5|%|\"|,|John|'s|3|-|4|.|");
}
