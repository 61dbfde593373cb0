#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "check.hpp"
#include "dragoman/text/detokenise.hpp"
#include "dragoman/text/moses.hpp"
#include "dragoman/text/protect.hpp"
#include "dragoman/text/quotes.hpp"
#include "dragoman/text/sentences.hpp"

using namespace dragoman;

namespace {

text::MosesTokeniser english() {
  text::MosesOptions options;
  options.escape = false;
  return {options, text::Prefixes({"Mr", "No #NUMERIC_ONLY#"})};
}

std::string tokens(std::string_view line, std::vector<text::Span> spans = {}) {
  const std::vector<std::uint8_t> codes(line.begin(), line.end());
  std::vector<std::uint8_t> out;
  text::MosesTokeniser::Workspace<std::uint8_t> work;
  english().tokenise<std::uint8_t>(codes, spans, work, out);
  return {out.begin(), out.end()};
}

template <text::CodeUnit Code>
std::vector<Code> tokens_of(std::vector<Code> line) {
  std::vector<Code> out;
  text::MosesTokeniser::Workspace<Code> work;
  english().tokenise<Code>(line, {}, work, out);
  return out;
}

}  // namespace

TEST(moses_takes_utf8_and_appends) {
  Bytes out;
  english().tokenise("No, 5,", out);
  english().tokenise("|Größe, 3,5 ½ Mr. No. 5 日本。", out);
  CHECK(out.view() == "No , 5 ,| Größe , 3,5 ½ Mr. No. 5 日本 。");
}

TEST(moses_runs_may_be_longer_than_a_block_of_bits) {
  for (const std::size_t size : {1u, 15u, 16u, 17u, 62u, 63u, 64u, 65u, 127u, 128u, 129u, 1000u}) {
    const std::string word(size, 'a');
    CHECK(tokens(word + "," + word + ".") == word + " , " + word + " .");
    CHECK(tokens(word + "5" + word) == word + "5" + word);
  }
}

TEST(moses_answers_alike_for_every_width) {
  const std::string line = "It's \xE9t\xE9, \"rock'n'roll\"... (5,000) U.S. x--y 1990's .'";
  const std::vector<std::uint8_t> narrow(line.begin(), line.end());
  const auto expected = tokens_of(narrow);
  const auto wide = tokens_of(std::vector<std::uint16_t>(narrow.begin(), narrow.end()));
  const auto widest = tokens_of(std::vector<std::uint32_t>(narrow.begin(), narrow.end()));
  CHECK((std::vector<std::uint8_t>(wide.begin(), wide.end()) == expected));
  CHECK((std::vector<std::uint8_t>(widest.begin(), widest.end()) == expected));
}

TEST(moses_spans_move_with_the_control_characters_before_them) {
  CHECK(tokens("\x01"
               "a,b\x02,c\x03",
               {{1, 6}}) == "a,b, c");
  CHECK(tokens("a\x01"
               "b",
               {{1, 2}}) == "ab");
  CHECK(tokens("a,b", {{0, 0}, {0, 3}, {1, 2}}) == "a,b");
}

TEST(overlapping_spans_are_settled_leftmost_then_longest) {
  std::vector<text::Span> spans = {{5, 9}, {0, 3}, {2, 6}, {0, 4}, {7, 7}, {4, 5}};
  text::settle_overlaps(spans);
  CHECK(spans.size() == 3);
  CHECK(spans[0].begin == 0 && spans[0].end == 4);
  CHECK(spans[1].begin == 4 && spans[1].end == 5);
  CHECK(spans[2].begin == 5 && spans[2].end == 9);
}

TEST(a_prefix_listed_both_ways_is_numeric_only) {
  const text::Prefixes prefixes({"Art", "Art #NUMERIC_ONLY#", "pp #NUMERIC_ONLY#", "pp"});
  CHECK(prefixes.find("Art") == text::Breaks::kUnlessNumber);
  CHECK(prefixes.find("pp") == text::Breaks::kUnlessNumber);
  CHECK(prefixes.find("") == text::Breaks::kYes);
}

TEST(workspaces_forget_the_line_before) {
  const text::MosesDetokeniser detokeniser({.lang = "en"});
  text::MosesDetokeniser::Workspace words;
  std::u32string joined;
  for (int i = 0; i < 2; ++i) detokeniser.detokenise(U"\" a", words, joined);
  CHECK(joined == U"\"a\"a");

  const text::QuoteNormaliser quotes({.lang = "en"});
  text::QuoteNormaliser::Workspace marks;
  std::u32string directed;
  for (int i = 0; i < 2; ++i) quotes.normalise(U"\"a", marks, directed);
  CHECK(directed == U"“a“a");

  const text::SentenceSplitter splitter({.lang = "en"}, text::Prefixes({"Mr"}));
  text::SentenceSplitter::Workspace text;
  std::u32string sentences;
  std::vector<std::size_t> ends;
  for (int i = 0; i < 2; ++i) splitter.split(U" A b.  Mr. C. ", text, sentences, ends);
  CHECK(sentences == U"A b.Mr. C.A b.Mr. C.");
  CHECK((ends == std::vector<std::size_t>{4, 10, 14, 20}));
}
