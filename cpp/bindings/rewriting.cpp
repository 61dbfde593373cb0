#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "dragoman/text/detokenise.hpp"
#include "dragoman/text/punctuation.hpp"
#include "dragoman/text/quotes.hpp"
#include "dragoman/text/sentences.hpp"
#include "string_batch.hpp"

// Kernels that write a line anew: detokeniser, normalisers, sentence splitter.
namespace dragoman::bindings {

using namespace nb::literals;

namespace {

Strings detokenise(const text::MosesDetokeniser& detokeniser, nb::handle sequence, unsigned n_threads) {
  return map_wide(StringBatch(sequence), n_threads, [&] {
    return [&detokeniser, work = text::MosesDetokeniser::Workspace{}](std::u32string_view line, std::u32string& out) mutable {
      detokeniser.detokenise(line, work, out);
    };
  });
}

template <class Normaliser>
Strings normalise(const Normaliser& normaliser, nb::handle sequence, unsigned n_threads) {
  return map_wide(StringBatch(sequence), n_threads, [&] {
    return [&normaliser, work = typename Normaliser::Workspace{}](std::u32string_view line, std::u32string& out) mutable {
      normaliser.normalise(line, work, out);
    };
  });
}

/// The sentences of one chunk of paragraphs.
struct Sentences {
  std::u32string text;
  std::vector<std::size_t> ends;      // of each sentence in `text`
  std::vector<std::size_t> n_so_far;  // sentences up to each paragraph's end
};

nb::typed<nb::list, Strings> split(const text::SentenceSplitter& splitter, nb::handle sequence, unsigned n_threads) {
  const StringBatch batch(sequence);
  std::vector<Sentences> chunks(std::max<std::size_t>(1, std::min<std::size_t>(n_threads, batch.size())));
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(batch.size(), n_threads, [&](Chunk chunk) {
      text::SentenceSplitter::Workspace work;
      std::u32string paragraph;
      Sentences& mine = chunks[chunk.index];
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        batch.widen(i, paragraph);
        splitter.split(paragraph, work, mine.text, mine.ends);
        mine.n_so_far.push_back(mine.ends.size());
      }
    });
  }
  nb::typed<nb::list, Strings> result{nb::list()};
  for (const Sentences& chunk : chunks) {
    std::size_t begin = 0;
    std::size_t sentence = 0;
    for (const std::size_t n : chunk.n_so_far) {
      nb::list sentences;
      for (; sentence < n; ++sentence) {
        const std::size_t end = chunk.ends[sentence];
        sentences.append(to_str(std::span<const char32_t>(chunk.text).subspan(begin, end - begin)));
        begin = end;
      }
      result.append(sentences);
    }
  }
  return result;
}

}  // namespace

void bind_rewriting(nb::module_& text) {
  nb::class_<text::MosesDetokeniser>(text, "MosesDetokeniser", "The Moses detokeniser, ready to run.")
      .def("__init__",
           [](text::MosesDetokeniser* self, std::string lang, bool unescape) {
             new (self) text::MosesDetokeniser({.lang = std::move(lang), .unescape = unescape});
           },
           nb::kw_only(), "lang"_a, "unescape"_a)
      .def("detokenise", &detokenise, "lines"_a, nb::kw_only(), "n_threads"_a = 1, "The text that each line's tokens make.");

  nb::class_<text::PunctuationNormaliser>(text, "PunctuationNormaliser", "The Moses punctuation normaliser, ready to run.")
      .def("__init__",
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
      .def("__init__",
           [](text::QuoteNormaliser* self, std::string lang, bool ascii, bool guillemets) {
             new (self) text::QuoteNormaliser({.lang = std::move(lang), .ascii = ascii, .guillemets = guillemets});
           },
           nb::kw_only(), "lang"_a, "ascii"_a, "guillemets"_a)
      .def("normalise", &normalise<text::QuoteNormaliser>, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           "Each line with its quotes and apostrophes normalised.");

  nb::class_<text::SentenceSplitter>(text, "SentenceSplitter", "The sentence splitter, ready to run.")
      .def("__init__",
           [](text::SentenceSplitter* self, std::string lang, bool list_items, const std::vector<std::string>& prefixes) {
             new (self) text::SentenceSplitter({.lang = std::move(lang), .list_items = list_items}, text::Prefixes(prefixes));
           },
           nb::kw_only(), "lang"_a, "list_items"_a, "prefixes"_a)
      .def("split", &split, "paragraphs"_a, nb::kw_only(), "n_threads"_a = 1, "The sentences of each paragraph.");
}

}  // namespace dragoman::bindings
