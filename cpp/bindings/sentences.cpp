#include "dragoman/text/sentences.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "string_batch.hpp"

namespace dragoman::bindings {

using namespace nb::literals;

namespace {

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

void bind_sentences(nb::module_& text) {
  nb::class_<text::SentenceSplitter>(text, "SentenceSplitter", "The sentence splitter, ready to run.")
      .def("__init__",
           [](text::SentenceSplitter* self, std::string lang, bool list_items,
              const std::vector<std::string>& prefixes) {
             const text::SplitterOptions options{.lang = std::move(lang), .list_items = list_items};
             new (self) text::SentenceSplitter(options, text::Prefixes(prefixes));
           },
           nb::kw_only(), "lang"_a, "list_items"_a, "prefixes"_a)
      .def("split", &split, "paragraphs"_a, nb::kw_only(), "n_threads"_a = 1, "The sentences of each paragraph.");
}

}  // namespace dragoman::bindings
