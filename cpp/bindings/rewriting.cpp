#include <nanobind/stl/string.h>

#include "areas.hpp"
#include "dragoman/text/detokenise.hpp"
#include "dragoman/text/punctuation.hpp"
#include "dragoman/text/quotes.hpp"
#include "string_batch.hpp"

// Kernels that write a line anew: detokeniser and normalisers.
namespace dragoman::bindings::rewriting_area {

using namespace nb::literals;

namespace {

Strings detokenise(const text::MosesDetokeniser& detokeniser, nb::handle sequence, unsigned n_threads) {
  return map_wide(StringBatch(sequence), n_threads, [&] {
    return [&, work = text::MosesDetokeniser::Workspace{}](std::u32string_view line, std::u32string& out) mutable {
      detokeniser.detokenise(line, work, out);
    };
  });
}

template <class Normaliser>
Strings normalise(const Normaliser& normaliser, nb::handle sequence, unsigned n_threads) {
  return map_wide(StringBatch(sequence), n_threads, [&] {
    return [&, work = typename Normaliser::Workspace{}](std::u32string_view line, std::u32string& out) mutable {
      normaliser.normalise(line, work, out);
    };
  });
}

}  // namespace

void bind(nb::module_& text) {
  nb::class_<text::MosesDetokeniser>(text, "MosesDetokeniser", "The Moses detokeniser, ready to run.")
      .def(
          "__init__",
          [](text::MosesDetokeniser* self, std::string lang, bool unescape) {
            new (self) text::MosesDetokeniser({.lang = std::move(lang), .unescape = unescape});
          },
          nb::kw_only(), "lang"_a, "unescape"_a)
      .def("detokenise", &detokenise, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           "The text that each line's tokens make.");

  nb::class_<text::PunctuationNormaliser>(text, "PunctuationNormaliser", "The punctuation normaliser, ready to run.")
      .def(
          "__init__",
          [](text::PunctuationNormaliser* self, std::string lang, bool penn, bool quote_commas, bool numbers,
             bool replace_unicode, bool remove_control) {
            new (self) text::PunctuationNormaliser({.lang = std::move(lang),
                                                    .penn = penn,
                                                    .quote_commas = quote_commas,
                                                    .numbers = numbers,
                                                    .replace_unicode = replace_unicode,
                                                    .remove_control = remove_control});
          },
          nb::kw_only(), "lang"_a, "penn"_a, "quote_commas"_a, "numbers"_a, "replace_unicode"_a, "remove_control"_a)
      .def("normalise", &normalise<text::PunctuationNormaliser>, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           "Each line with its punctuation normalised.");

  nb::class_<text::QuoteNormaliser>(text, "QuoteNormaliser", "The quote normaliser, ready to run.")
      .def(
          "__init__",
          [](text::QuoteNormaliser* self, std::string lang, bool ascii, bool guillemets) {
            new (self) text::QuoteNormaliser({.lang = std::move(lang), .ascii = ascii, .guillemets = guillemets});
          },
          nb::kw_only(), "lang"_a, "ascii"_a, "guillemets"_a)
      .def("normalise", &normalise<text::QuoteNormaliser>, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           "Each line with its quotes and apostrophes normalised.");
}

}  // namespace dragoman::bindings::rewriting_area
