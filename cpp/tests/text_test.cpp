#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/text/code_units.hpp"
#include "dragoman/text/scripts.hpp"
#include "dragoman/text/surface.hpp"
#include "dragoman/text/token_batch.hpp"
#include "dragoman/text/unicode.hpp"
#include "strings_source.hpp"

using namespace dragoman;
using namespace dragoman::text;

namespace {

std::string tokenised(const Tokeniser& tokeniser, std::string_view line) {
  Bytes out;
  out.append("|");  // what stands before must stay
  tokeniser.tokenise(line, out);
  return std::string(out.view());
}

}  // namespace

TEST(every_code_point_survives_encoding) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes;
    append(bytes, code);
    const char* p = bytes.data();
    CHECK(decode(p) == code);
    CHECK(p == bytes.data() + bytes.size());
  }
}

TEST(split_follows_python) {
  std::vector<std::string> tokens;
  split(
      " a\u2028b\x1f"
      "c\u200Bd\u3000",
      [&](std::string_view token) { tokens.emplace_back(token); });
  CHECK((tokens == std::vector<std::string>{"a", "b", "c\u200Bd"}));
}

TEST(scripts_count_letters_only) {
  const auto counts = count_scripts("abc 12 где。漢字");
  CHECK(counts[static_cast<std::size_t>(Script::kLatin)] == 3);
  CHECK(counts[static_cast<std::size_t>(Script::kCyrillic)] == 3);
  CHECK(counts[static_cast<std::size_t>(Script::kHan)] == 2);
  CHECK(counts[static_cast<std::size_t>(Script::kOther)] == 0);
}

TEST(white_space_is_found_at_every_character) {
  for (char32_t code = 0; code < 0x110000; ++code) {
    if (code >= 0xD800 && code < 0xE000) continue;
    std::string bytes;
    append(bytes, code);
    CHECK(space_length(bytes.data()) == (has(code, kPythonSpace) ? bytes.size() : 0));
    CHECK(utf8_length(bytes[0]) == bytes.size());
    CHECK(is_utf8(bytes));
  }
}

TEST(split_finds_white_space_at_every_place_of_a_step) {
  for (const std::string space : {" ", "\t", "\x1f", "\u0085", "\u1680", "\u2003", "\u3000", "  ", " \u3000\n"}) {
    for (std::size_t before = 0; before < 40; ++before) {
      const std::string left = std::string(before, 'a') + "\u00E9\u2019\u3042";  // begin as white space may
      std::vector<std::string> tokens;
      split(space + left + space + "b", [&](std::string_view token) { tokens.emplace_back(token); });
      CHECK((tokens == std::vector<std::string>{left, "b"}));
    }
  }
}

TEST(what_is_not_utf8_is_seen) {
  for (const std::string_view bytes :
       {"\x80", "a\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xED\xA0\x80", "\xE2\x82", "\xF0\x8F\xBF\xBF",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3\x41"}) {
    CHECK(!is_utf8(bytes));
  }
  CHECK(is_utf8(""));
  CHECK(is_utf8("aé漢😀"));
}

TEST(characters_survive_every_width) {
  const auto check = []<class Unit>(const std::vector<Unit>& characters, std::uint32_t max_char) {
    for (std::size_t shift = 0; shift < 20; ++shift) {  // so that steps of eight begin and break everywhere
      std::vector<Unit> padded(shift, Unit{'x'});
      padded.insert(padded.end(), characters.begin(), characters.end());
      padded.insert(padded.end(), 11, Unit{'y'});
      Bytes utf8, units;
      CHECK(append_utf8(std::span<const Unit>(padded), utf8));
      const Units made = append_units(utf8.view(), units);
      CHECK(made.max_char == max_char);
      CHECK(made.length == padded.size());
      CHECK(made.width() == sizeof(Unit));
      const std::string_view expected(reinterpret_cast<const char*>(padded.data()), padded.size() * sizeof(Unit));
      CHECK(units.view() == expected);
    }
  };
  check(std::vector<std::uint8_t>{}, 0x7F);
  check(std::vector<std::uint8_t>{0, 0x7F}, 0x7F);
  check(std::vector<std::uint8_t>{0x80, 'a', 0xFF}, 0xFF);
  check(std::vector<std::uint16_t>{0x100, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFF, 0xE9, 'a'}, 0xFFFF);
  check(std::vector<std::uint32_t>{0x10000, 0x10FFFF, 0x20AC, 0xE9, 'a'}, 0x10FFFF);
}

TEST(lone_surrogates_are_refused_and_leave_nothing) {
  Bytes out;
  out.append("before");
  const std::vector<std::uint16_t> two{'a', 0xD800};
  const std::vector<std::uint32_t> four{'a', 0xDFFF, 0x10000};
  CHECK(!append_utf8(std::span<const std::uint16_t>(two), out));
  CHECK(!append_utf8(std::span<const std::uint32_t>(four), out));
  CHECK(out.view() == "before");
}

TEST(surface_tokenisers_append) {
  CHECK(tokenised(SurfaceTokeniser::v13a(), "Hi, 1.5-2&amp;") == "|Hi , 1.5 - 2 &");
  CHECK(tokenised(SurfaceTokeniser::international(), "«Hi» 5.") == "|« Hi » 5.");
  CHECK(tokenised(SurfaceTokeniser::chinese(), " 你好a. ") == "|你 好 a .");
  CHECK(tokenised(CharTokeniser(), "aé") == "|a é");
  CHECK(tokenised(NoTokeniser(), " a ") == "| a ");
  for (const Tokeniser* tokeniser : {static_cast<const Tokeniser*>(&SurfaceTokeniser::v13a()),
                                     static_cast<const Tokeniser*>(&SurfaceTokeniser::international()),
                                     static_cast<const Tokeniser*>(&SurfaceTokeniser::chinese())}) {
    CHECK(tokenised(*tokeniser, "") == "|");
    CHECK(tokenised(*tokeniser, " \t ") == "|");
  }
}

TEST(latin1_gives_what_utf8_gives) {
  // Every character of Latin-1 in every company that the rules look at, in lines of all lengths.
  std::string line;
  std::size_t done = 0;
  for (int code = 0; code < 0x100; ++code) {
    for (const std::string_view company : {"a1", "1.", ".,", "1-", "- ", "..", "$1", "ab cd ef gh ij kl mn"}) {
      line.append(company.substr(0, 1)).push_back(static_cast<char>(code));
      line.append(company.substr(1));
      if (line.size() < 1 + static_cast<std::size_t>(code)) continue;
      for (const auto* tokeniser :
           {&SurfaceTokeniser::v13a(), &SurfaceTokeniser::international(), &SurfaceTokeniser::chinese()}) {
        Bytes utf8, latin1, expected;
        const std::span characters(reinterpret_cast<const std::uint8_t*>(line.data()), line.size());
        CHECK(append_utf8(characters, utf8));
        if (!tokeniser->tokenise_latin1(line, latin1)) {
          CHECK(line.find("-\n") != std::string::npos);
          continue;
        }
        const Units made = append_units(tokenised(*tokeniser, utf8.view()).substr(1), expected);
        CHECK(latin1.view() == expected.view());
        CHECK(latin1_units(latin1.view()).max_char == made.max_char);
      }
      line.clear();
      ++done;
    }
  }
  CHECK(done > 100);
  Bytes out;
  out.append("|");
  CHECK(!SurfaceTokeniser::v13a().tokenise_latin1("&amp;", out));  // the long way resolves it
  CHECK(!NoTokeniser().tokenise_latin1("a", out));
  CHECK(out.view() == "|");
}

TEST(blanks_collapse_at_every_place_of_a_step) {
  for (std::size_t before = 0; before < 40; ++before) {
    for (std::size_t blanks = 1; blanks < 20; ++blanks) {
      const std::string left(before, 'a'), right(17, 'b');
      const std::string expected = before == 0 ? "|" + right : "|" + left + " " + right;
      CHECK(tokenised(SurfaceTokeniser::v13a(), left + std::string(blanks, ' ') + right) == expected);
    }
  }
}

TEST(a_batch_knows_its_lines_and_tokens) {
  const Strings lines({"a, b", "", "  ", "é.", "c"});
  for (const unsigned n_threads : {1u, 2u, 7u}) {
    const TokenBatch batch = tokenise_batch(lines, SurfaceTokeniser::v13a(), n_threads);
    CHECK(batch.size() == 5);
    CHECK(batch.text() == "a , bé .c");
    CHECK(batch.line(0) == "a , b");
    CHECK(batch.line(1).empty() && batch.tokens(1).empty());
    CHECK(batch.line(2).empty() && batch.tokens(2).empty());
    CHECK(batch.tokens(3).size() == 2);
    CHECK(batch.token(batch.tokens(3)[0]) == "é");
    CHECK(batch.token(batch.tokens(4)[0]) == "c");
    CHECK((std::vector(batch.token_offsets().begin(), batch.token_offsets().end()) ==
           std::vector<std::int64_t>{0, 3, 3, 3, 5, 6}));
  }
  CHECK(tokenise_batch(Strings({}), NoTokeniser(), 3).size() == 0);
}
