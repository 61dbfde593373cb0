#include "dragoman/text/casing.hpp"

#include "check.hpp"
#include "dragoman/text/truecase.hpp"

using namespace dragoman;
using text::CaseRules;

TEST(sigma_is_final_only_at_the_end_of_a_word) {
  CHECK(text::lower("ΟΔΥΣΣΕΥΣ Σ ΑΣ.", CaseRules::kStandard) == "οδυσσευς σ ας.");
  CHECK(text::lower("ΑΣ\u0301\u00ADΣ", CaseRules::kStandard) == "ασ\u0301\u00ADς");
}

TEST(turkish_pairs_its_dots) {
  CHECK(text::lower("ISPARTA İZMİR I\u0307", CaseRules::kTurkic) == "ısparta izmir i");
  CHECK(text::upper("ısparta izmir", CaseRules::kTurkic) == "ISPARTA İZMİR");
  CHECK(text::capitalised("izmir", CaseRules::kTurkic) == "İzmir");
  CHECK(text::lower("I", CaseRules::kTurkic) == "ı");
}

TEST(lemmas_lend_their_case) {
  const auto cast = [](const char* form, const char* lemma) {
    return text::cast_case(form, lemma, CaseRules::kStandard);
  };
  CHECK(cast("PRAZE", "Praha") == "Praze");
  CHECK(cast("Hunden", "hund") == "hunden");
  CHECK(cast("natos", "NATO") == "NATOs");
  CHECK(cast("IPHONES", "iPhone") == "iPhones");
  CHECK(cast("Me", "I") == "me");
  CHECK(cast("i", "I") == "I");
  CHECK(cast("Foo", "_") == "Foo");
  CHECK(cast("", "Foo").empty());
}

TEST(marks_carry_a_sentence_start) {
  const text::SentenceMarks marks({".", ":"}, {"(", "\""});
  CHECK(marks.starts_after(".", false));
  CHECK(marks.starts_after("(", true));
  CHECK(!marks.starts_after("(", false));
  CHECK(!marks.starts_after("word", true));
  CHECK(text::recase("a : \" b c", marks, CaseRules::kStandard, false, {}) == "A : \" B c");
}

TEST(counts_do_not_depend_on_the_threads) {
  const std::vector<std::string_view> lines{"The US said us", "Us : the dog", "x US us", "", "go , The the"};
  std::vector<text::CaseCounts::Row> first;
  for (const unsigned n_threads : {1u, 2u, 7u}) {
    text::CaseCounts counts({}, text::SentenceMarks({":"}, {}));
    counts.add(lines, n_threads);
    const auto rows = counts.rows();
    if (n_threads == 1) first = rows;
    CHECK(rows.size() == first.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      CHECK(rows[i].form == first[i].form && rows[i].tenths == first[i].tenths);
    }
  }
  CHECK(first.back().form == "US" && first.back().tenths == 20);
}
