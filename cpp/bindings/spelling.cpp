#include "dragoman/text/spelling.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <stdexcept>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/unicode.hpp"
#include "lines.hpp"

namespace dragoman::bindings::spelling_area {

using namespace nb::literals;
using text::Affix;
using text::FlagSets;
using text::Speller;
using text::SpellingRules;

namespace {

std::u32string to_chars(std::string_view text) {
  std::u32string out;
  const char* p = text.data();
  while (p < text.data() + text.size()) out.push_back(text::decode(p));
  return out;
}

/// Of each affix: what it strips, what it adds, its condition; and whether it is a suffix and crosses, its flag, its
/// set.
std::vector<Affix> affixes_of(const std::vector<std::string_view>& texts, const Input<std::uint32_t, 2>& numbers) {
  const std::size_t n = numbers.shape(0);
  if (numbers.shape(1) != 4 || texts.size() != 3 * n) throw std::logic_error("an affix is three texts, four numbers");
  std::vector<Affix> affixes;
  affixes.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    affixes.push_back({.is_suffix = numbers(i, 0) != 0,
                       .crosses = numbers(i, 1) != 0,
                       .flag = numbers(i, 2),
                       .strip = to_chars(texts[3 * i]),
                       .add = to_chars(texts[3 * i + 1]),
                       .condition = to_chars(texts[3 * i + 2]),
                       .flags = numbers(i, 3)});
  }
  return affixes;
}

void make_speller(Speller* self, const SpellingRules& rules, const Input<std::uint32_t, 1>& flags,
                  const Input<std::int64_t, 1>& offsets, nb::handle affix_texts,
                  const Input<std::uint32_t, 2>& affix_numbers, nb::handle words,
                  const Input<std::uint32_t, 1>& word_flags) {
  const Lines texts(affix_texts);
  const Lines lines(words);
  nb::gil_scoped_release unlocked;
  new (self) Speller(rules, FlagSets(span_of(flags), span_of(offsets)), affixes_of(texts.views(), affix_numbers),
                     lines.views(), span_of(word_flags));
}

nb::ndarray<nb::numpy, bool> knows(const Speller& speller, nb::handle words, unsigned n_threads) {
  const Lines lines(words);
  const auto& views = lines.views();
  const std::size_t n = views.size();
  auto* const known = new bool[n]();
  nb::capsule owner(known, [](void* p) noexcept { delete[] static_cast<bool*>(p); });
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(n, n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) known[i] = speller.knows(views[i]);
    });
  }
  return nb::ndarray<nb::numpy, bool>(known, {n}, owner);
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<SpellingRules>(m, "SpellingRules",
                            "What an affix file says beyond its affixes; see dragoman.text.spelling.")
      .def(nb::init<>())
      .def_rw("forbidden", &SpellingRules::forbidden)
      .def_rw("need_affix", &SpellingRules::need_affix)
      .def_rw("keep_case", &SpellingRules::keep_case)
      .def_rw("circumfix", &SpellingRules::circumfix)
      .def_rw("warn", &SpellingRules::warn)
      .def_rw("compound", &SpellingRules::compound)
      .def_rw("compound_begin", &SpellingRules::compound_begin)
      .def_rw("compound_middle", &SpellingRules::compound_middle)
      .def_rw("compound_end", &SpellingRules::compound_end)
      .def_rw("compound_permit", &SpellingRules::compound_permit)
      .def_rw("compound_forbid", &SpellingRules::compound_forbid)
      .def_rw("compound_root", &SpellingRules::compound_root)
      .def_rw("only_in_compound", &SpellingRules::only_in_compound)
      .def_rw("compound_min", &SpellingRules::compound_min)
      .def_rw("compound_max", &SpellingRules::compound_max)
      .def_rw("full_strip", &SpellingRules::full_strip)
      .def_rw("sharp_s", &SpellingRules::sharp_s)
      .def_rw("more_suffixes", &SpellingRules::more_suffixes)
      .def_rw("no_twice", &SpellingRules::no_twice)
      .def_rw("no_capitals", &SpellingRules::no_capitals)
      .def_rw("no_triples", &SpellingRules::no_triples)
      .def_rw("no_mistakes", &SpellingRules::no_mistakes)
      .def_rw("case_rules", &SpellingRules::case_rules)
      .def_rw("ignored", &SpellingRules::ignored)
      .def_rw("breaks", &SpellingRules::breaks)
      .def_rw("conversions", &SpellingRules::conversions)
      .def_rw("mistakes", &SpellingRules::mistakes)
      .def_rw("compound_rules", &SpellingRules::compound_rules);
  nb::class_<Speller>(m, "Speller", "Says which words a Hunspell dictionary knows.")
      .def("__init__", &make_speller, "rules"_a, "flags"_a.noconvert(), "offsets"_a.noconvert(), "affix_texts"_a,
           "affix_numbers"_a.noconvert(), "words"_a, "word_flags"_a.noconvert())
      .def("knows", &knows, "words"_a, "n_threads"_a = 1);
}

}  // namespace dragoman::bindings::spelling_area
