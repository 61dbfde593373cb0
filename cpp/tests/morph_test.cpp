#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/morph/segmenter.hpp"
#include "dragoman/morph/spelling.hpp"
#include "dragoman/morph/trainer.hpp"
#include "dragoman/text/clusters.hpp"

using namespace dragoman;
using namespace dragoman::morph;

namespace {

std::vector<std::string> clusters(std::string_view text) {
  std::vector<std::string> out;
  text::for_each_cluster(text, [&](std::string_view cluster) { out.emplace_back(cluster); });
  return out;
}

std::vector<std::string> cut(const Segmenter& segmenter, std::string_view word) {
  Segmenter::Scratch scratch;
  std::vector<std::uint32_t> ends;
  segmenter.cut(word, scratch, ends);
  std::vector<std::string> out;
  std::uint32_t begin = 0;
  for (const std::uint32_t end : ends) {
    out.emplace_back(word.substr(begin, end - begin));
    begin = end;
  }
  return out;
}

template <class Work>
bool refuses(const Work& work) {
  try {
    work();
  } catch (const data_error&) {
    return true;
  }
  return false;
}

using Parts = std::vector<std::string>;

}  // namespace

TEST(clusters_keep_what_is_one_letter) {
  CHECK((clusters("Ae\u0301x") == Parts{"A", "e\u0301", "x"}));
  CHECK((clusters("नमस्ते") == Parts{"न", "म", "स्", "ते"}));
  CHECK((clusters("🇩🇪🇫🇷🇪") == Parts{"🇩🇪", "🇫🇷", "🇪"}));
  CHECK((clusters("👩\u200D👧👍🏽") == Parts{"👩\u200D👧", "👍🏽"}));
  CHECK((clusters("\u1100\u1161\u11A8각가\u11A8각\u1161") ==
         Parts{"\u1100\u1161\u11A8", "각", "가\u11A8", "각", "\u1161"}));
  CHECK((clusters("\u0301a") == Parts{"\u0301", "a"}));
}

TEST(description_length_of_three_morphs_by_hand) {
  // The words ab (twice) and b, cut as a+b, a+b, b: counts a 2, b 3; entries "a" and "b".
  const std::vector<std::string_view> morphs{"a", "b"};
  const std::vector<std::int64_t> counts{2, 3};
  const Segmenter segmenter(morphs, counts, 3);
  const auto f = [](double x) { return x * std::log(x); };
  const double corpus = f(8) - f(2) - f(3) - f(3);
  const double lexicon = std::log(4.0) + (f(4) - f(2)) + std::log(3.0) - std::log(2.0);
  CHECK(std::abs(description_length(segmenter.sums(), 1.0) - corpus - lexicon) < 1e-12);
  CHECK(std::abs(description_length(segmenter.sums(), 0.5) - corpus / 2 - lexicon) < 1e-12);
}

TEST(stems_and_endings_are_found) {
  const std::vector<std::string> stems{"walk", "talk", "jump", "paint", "climb", "shout"};
  const std::vector<std::string> endings{"", "ing", "ed", "s", "er"};
  std::vector<std::string> forms;
  for (const auto& stem : stems) {
    for (const auto& ending : endings) forms.push_back(stem + ending);
  }
  const std::vector<std::string_view> views(forms.begin(), forms.end());
  const std::vector<std::int64_t> counts(forms.size(), 1);
  const SpeltWords spelt(views, counts, 100);
  const Segmented found = train(spelt.words(), {}, CounterStream{7});
  std::set<std::string> morphs;
  for (const Place place : found.morphs) morphs.insert(spelt.text(place));
  for (const char* const ending : {"ing", "ed", "s", "er"}) CHECK(morphs.contains(ending));
  CHECK(morphs.contains("paint") && morphs.contains("climb"));
  CHECK(found.lengths.size() > 2 && found.lengths.back() < 0.8 * found.lengths.front());
  for (std::size_t i = 0; i < forms.size(); ++i) {
    std::string whole;
    for (auto at = found.offsets[i]; at < found.offsets[i + 1]; ++at) {
      whole += spelt.text(found.morphs[static_cast<std::size_t>(found.pieces[static_cast<std::size_t>(at)])]);
    }
    CHECK(whole == forms[i]);
  }
}

TEST(the_best_cut_is_found_and_the_unknown_stays_together) {
  const std::vector<std::string_view> morphs{"un", "do", "undo", "ing", "i", "n"};
  const std::vector<std::int64_t> counts{50, 50, 1, 50, 5, 5};
  const Segmenter segmenter(morphs, counts, 100);
  CHECK((cut(segmenter, "undoing") == Parts{"un", "do", "ing"}));
  CHECK((cut(segmenter, "xyundozz") == Parts{"xy", "un", "do", "zz"}));
  CHECK((cut(segmenter, "xyz") == Parts{"xyz"}));
  CHECK((cut(segmenter, "in") == Parts{"i", "n"}));
  CHECK(cut(segmenter, "").empty());
}

TEST(lines_do_not_depend_on_the_threads) {
  const std::vector<std::string_view> morphs{"a", "b", "ab"};
  const std::vector<std::int64_t> counts{4, 4, 2};
  const Segmenter segmenter(morphs, counts, 5);
  const std::vector<std::string_view> lines{"ab ba  abc", "", " ab", "ab ab", "c", "a b"};
  const auto first = segmenter.cut_lines(lines, "_", 1);
  CHECK((first == Parts{"_ab _b a _ab c", "", "_ab", "_ab _ab", "_c", "_a _b"}));
  for (const unsigned n_threads : {2U, 7U}) CHECK(segmenter.cut_lines(lines, "_", n_threads) == first);
}

TEST(lexicons_that_cannot_be_are_refused) {
  const auto make = [](std::vector<std::string_view> morphs, std::vector<std::int64_t> counts, std::int64_t n) {
    return [=] { Segmenter(morphs, counts, n); };
  };
  CHECK(refuses(make({"a", ""}, {1, 1}, 1)));
  CHECK(refuses(make({"a", "a"}, {1, 1}, 1)));
  CHECK(refuses(make({"a"}, {0}, 0)));
  CHECK(refuses(make({"a"}, {1, 2}, 1)));
  CHECK(refuses(make({"a"}, {1}, 2)));
}
