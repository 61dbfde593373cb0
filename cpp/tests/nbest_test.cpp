#include <cmath>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/nbest/confidence.hpp"
#include "dragoman/nbest/diversity.hpp"
#include "dragoman/nbest/list_model.hpp"

using namespace dragoman;
using namespace dragoman::nbest;

namespace {

bool near(double a, double b) { return std::abs(a - b) < 1e-12; }

// "a b c" with the list "a b c", "a c", "b c a".
const std::vector<std::int32_t> kOutput{0, 1, 2}, kEntries{0, 1, 2, 0, 2, 1, 2, 0};
const std::vector<std::int64_t> kOutputEnds{0, 3}, kEntryEnds{0, 3, 5, 8}, kListEnds{0, 3};
const Lists kLists{kOutput, kOutputEnds, kEntries, kEntryEnds, kListEnds};

}  // namespace

TEST(confidence_of_three_entries) {
  const std::vector<double> weights{0.5, 0.3, 0.2};
  const auto found = confidences(kLists, weights, 1, 1);
  const auto at = [&](std::size_t token, std::size_t criterion, std::size_t size) {
    return found.values[(token * kCriteria + criterion) * kSizes + size - 1];
  };
  CHECK(near(at(0, 0, 1), 0.8) && near(at(1, 0, 1), 0.5) && near(at(2, 0, 1), 0.5));
  CHECK(near(at(0, 1, 1), 0.8) && near(at(1, 1, 1), 0.7) && near(at(2, 1, 1), 1.0));
  CHECK(near(at(0, 2, 1), 1.0) && near(at(1, 2, 1), 0.7) && near(at(2, 2, 1), 1.0));
  CHECK(near(at(1, 1, 2), 0.7) && near(at(0, 2, 3), 0.5) && std::isnan(at(2, 2, 2)));
}

TEST(diversity_of_three_entries) {
  // Distances: 1 from the first to the second, 2 to the third, 3 between these ("a c" and "b c a").
  const auto found = diversities(kLists, 10, 1).front();
  CHECK(found.central == 0 && found.mean_distance == 1.5 && found.top_to_central == 0);
  CHECK(found.near[0] == 1 && found.near[1] == 2 && found.repeats == 0);
  CHECK(diversities(kLists, 1, 1).front().mean_distance == 0);
}

TEST(a_model_of_a_list_likes_what_the_list_has) {
  const auto found = list_log_p(kLists, 1);
  // Unigrams: 8 words and 3 ends; each of a, b, c and the end has (own + 4 / 5) / 15.
  const double expected = std::log10(3.8 / 15) + std::log10(2.8 / 15) + std::log10(3.8 / 15) + std::log10(3.8 / 15);
  CHECK(near(found[0], expected));
  CHECK(found[1] > found[0]);
}

TEST(weights_of_entries_are_checked) {
  try {
    confidences(kLists, std::vector<double>{1, 2}, 1, 1);
    CHECK(false);
  } catch (const data_error& error) {
    CHECK(std::string(error.what()).find("got 2 in all") != std::string::npos);
  }
}
