#include "dragoman/text/sentences.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "string_batch.hpp"

namespace dragoman::bindings::sentences_area {

using namespace nb::literals;

namespace {

nb::typed<nb::list, Strings> split(const text::SentenceSplitter& splitter, nb::handle sequence, unsigned n_threads) {
  const StringBatch batch(sequence);
  struct Product {
    text::SentenceSplitter::Workspace work;
    std::u32string paragraph;
    std::u32string text;                // the sentences of a block of paragraphs
    std::vector<std::size_t> ends;      // of each sentence in `text`
    std::vector<std::size_t> n_so_far;  // sentences up to each paragraph's end
  };
  const auto fill = [&](Chunk block, Product& product) {
    product.text.clear();
    product.ends.clear();
    product.n_so_far.clear();
    for (std::size_t i = block.begin; i < block.end; ++i) {
      batch.widen(i, product.paragraph);
      splitter.split(product.paragraph, product.work, product.text, product.ends);
      product.n_so_far.push_back(product.ends.size());
    }
  };
  const auto emit = [](Product& product, const nb::list& into, std::size_t i) {
    std::size_t begin = 0;
    std::size_t sentence = 0;
    for (const std::size_t n : product.n_so_far) {
      nb::list sentences;
      for (; sentence < n; ++sentence) {
        const std::size_t end = product.ends[sentence];
        sentences.append(to_str(std::span<const char32_t>(product.text).subspan(begin, end - begin)));
        begin = end;
      }
      PyList_SET_ITEM(into.ptr(), static_cast<Py_ssize_t>(i++), sentences.release().ptr());
    }
  };
  return nb::typed<nb::list, Strings>(produce<Product>(batch.size(), n_threads, fill, emit));
}

}  // namespace

void bind(nb::module_& text) {
  nb::class_<text::SentenceSplitter>(text, "SentenceSplitter", "The sentence splitter, ready to run.")
      .def(
          "__init__",
          [](text::SentenceSplitter* self, std::string lang, bool list_items,
             const std::vector<std::string>& prefixes) {
            const text::SplitterOptions options{.lang = std::move(lang), .list_items = list_items};
            new (self) text::SentenceSplitter(options, text::Prefixes(prefixes));
          },
          nb::kw_only(), "lang"_a, "list_items"_a, "prefixes"_a)
      .def("split", &split, "paragraphs"_a, nb::kw_only(), "n_threads"_a = 1, "The sentences of each paragraph.");
}

}  // namespace dragoman::bindings::sentences_area
