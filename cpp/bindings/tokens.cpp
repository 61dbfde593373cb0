#include <nanobind/stl/string.h>

#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/pipeline.hpp"
#include "dragoman/text/surface.hpp"
#include "dragoman/text/token_batch.hpp"
#include "strings.hpp"

namespace dragoman::bindings::tokens_area {

using namespace nb::literals;
using text::TokenBatch;
using text::Tokeniser;

namespace {

constexpr std::size_t kBlock = 256;  // lines tokenised before their Python strings are made: they are still in cache

nb::list tokenise(const Tokeniser& tokeniser, nb::handle sequence, unsigned n_threads) {
  const StrLines lines(sequence);
  std::vector<nb::object> strs;
  strs.reserve(lines.size());
  struct Product {
    Bytes scratch, tokenised;
    StrBlock strs;
  };
  const auto make = [&](Chunk block, Product& product) {
    product.strs.clear();
    for (std::size_t i = block.begin; i < block.end; ++i) {
      const auto latin1 = lines.latin1(i);
      const auto write = [&](Bytes& out) { return tokeniser.tokenise_latin1(*latin1, out); };
      if (latin1 && product.strs.add_latin1(write)) continue;
      product.tokenised.clear();
      tokeniser.tokenise(lines.line(i, product.scratch), product.tokenised);
      product.strs.add(product.tokenised.view());
    }
  };
  const auto use = [&](Chunk, Product& product) {
    nb::gil_scoped_acquire locked;
    product.strs.emit(strs);
  };
  {
    nb::gil_scoped_release unlocked;
    in_order<Product>(lines.size(), kBlock, n_threads, make, use);
  }
  return to_list(std::move(strs));
}

TokenBatch batch(const Tokeniser& tokeniser, nb::handle sequence, unsigned n_threads) {
  const StrLines lines(sequence);
  nb::gil_scoped_release unlocked;
  return text::tokenise_batch(lines, tokeniser, n_threads);
}

void check(nb::handle sequence) {
  const StrLines lines(sequence);
  nb::gil_scoped_release unlocked;
  Bytes scratch;
  for (std::size_t i = 0; i < lines.size(); ++i) lines.line(i, scratch);
}

const Tokeniser& surface_tokeniser(const std::string& name) {
  static const text::NoTokeniser none;
  static const text::CharTokeniser characters;
  if (name == "13a") return text::SurfaceTokeniser::v13a();
  if (name == "intl") return text::SurfaceTokeniser::international();
  if (name == "zh") return text::SurfaceTokeniser::chinese();
  if (name == "char") return characters;
  if (name == "none") return none;
  throw nb::key_error(name.c_str());
}

nb::list batch_lines(const TokenBatch& batch) {
  StrBlock block;
  for (std::size_t i = 0; i < batch.size(); ++i) block.add(batch.line(i));
  return block.to_list();
}

nb::list batch_tokens(const TokenBatch& batch, std::size_t i) {
  if (i >= batch.size()) throw nb::index_error("line number out of range");
  StrBlock block;
  for (const auto span : batch.tokens(i)) block.add(batch.token(span));
  return block.to_list();
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Tokeniser>(m, "Tokeniser", "Cuts lines into tokens; further tokenisers derive from it.")
      .def("tokenise", &tokenise, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def tokenise(self, lines: collections.abc.Sequence[str], *, n_threads: int = 1) -> list[str]"),
           "Each line with its tokens separated by white space.")
      .def("batch", &batch, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def batch(self, lines: collections.abc.Sequence[str], *, n_threads: int = 1) -> TokenBatch"),
           "All lines as one run of UTF-8 with the places of their tokens.");

  m.def("surface_tokeniser", &surface_tokeniser, "name"_a, nb::rv_policy::reference,
        "The tokeniser 13a, intl, zh, char or none.");
  m.def("check_lines", &check, "lines"_a, nb::sig("def check_lines(lines: collections.abc.Sequence[str]) -> None"),
        "Raise if a line is not str or holds a lone surrogate.");

  using Owned = nb::pointer_and_handle<TokenBatch>;
  nb::class_<TokenBatch>(m, "TokenBatch", "Tokenised lines in one run of UTF-8, with the places of lines and tokens.")
      .def("__len__", &TokenBatch::size)
      .def("lines", &batch_lines, nb::sig("def lines(self) -> list[str]"), "The tokenised lines.")
      .def("tokens", &batch_tokens, "line"_a, nb::sig("def tokens(self, line: int) -> list[str]"),
           "The tokens of one line.")
      .def_prop_ro(
          "text", [](const TokenBatch& batch) { return nb::bytes(batch.text().data(), batch.text().size()); },
          "All tokenised lines, one behind the other, in UTF-8.")
      .def_prop_ro(
          "line_offsets", [](Owned batch) { return borrowed_array(batch.p->line_offsets(), batch.h); },
          "Line i is text[line_offsets[i]:line_offsets[i + 1]].")
      .def_prop_ro(
          "token_offsets", [](Owned batch) { return borrowed_array(batch.p->token_offsets(), batch.h); },
          "The spans of line i are token_spans[token_offsets[i]:token_offsets[i + 1]].")
      .def_prop_ro(
          "token_spans",
          [](Owned batch) {
            const auto spans = batch.p->spans();
            using Spans = nb::ndarray<nb::numpy, const std::int64_t, nb::shape<-1, 2>>;
            return Spans(spans.data(), {spans.size(), 2}, batch.h);
          },
          "Begin and end of every token in the text: int64 array (tokens, 2).");
}

}  // namespace dragoman::bindings::tokens_area
