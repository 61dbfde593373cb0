#pragma once

#include <nanobind/nanobind.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/core/pipeline.hpp"
#include "dragoman/text/encoding.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

using Strings = nb::typed<nb::list, nb::str>;

/// A Python sequence of str, seen as Python stores them: one, two or four bytes for each code point of a string.
/// Unlike Lines it makes no UTF-8. The views stay good while this object lives, also without the GIL.
class StringBatch {
 public:
  explicit StringBatch(nb::handle sequence);

  std::size_t size() const { return strings_.size(); }
  std::size_t length(std::size_t i) const { return strings_[i].length; }

  /// Call `use` with string `i`, a span of one of the CodeUnits. A lone surrogate throws data_error.
  template <class Use>
  void visit(std::size_t i, const Use& use) const {
    const String& string = strings_[i];
    if (string.width == 1) {
      use(string.as<std::uint8_t>());
    } else if (string.width == 2) {
      check(i, string.as<std::uint16_t>());
      use(string.as<std::uint16_t>());
    } else {
      check(i, string.as<std::uint32_t>());
      use(string.as<std::uint32_t>());
    }
  }

  /// The code points of string `i`, in place of what `buffer` held.
  void widen(std::size_t i, std::u32string& buffer) const;

 private:
  struct String {
    const void* data;
    std::size_t length;  // code points
    unsigned width;      // bytes of each

    template <class Code>
    std::span<const Code> as() const {
      return {static_cast<const Code*>(data), length};
    }
  };
  template <class Code>
  static void check(std::size_t i, std::span<const Code> string);

  nb::object owner_;
  std::vector<String> strings_;
};

/// A str of text with one code point in each element.
template <class Code>
nb::object to_str(std::span<const Code> codes);

/// Strings on their way to Python, each of the width that its kernel gave it.
class Answers {
 public:
  template <class Code>
  std::vector<Code>& text() {
    if constexpr (std::same_as<Code, std::uint8_t>) {
      return narrow_;
    } else if constexpr (std::same_as<Code, std::uint16_t>) {
      return wide_;
    } else {
      return widest_;
    }
  }

  /// What was appended to `text<Code>()` since the last time is one answer.
  template <class Code>
  void end() {
    ends_.push_back({text<Code>().size(), sizeof(Code)});
  }

  /// Put the answers into a list from place `i` on, and forget them. Needs the GIL.
  void emit(const nb::list& into, std::size_t i);

 private:
  struct End {
    std::size_t place;
    unsigned width;
  };
  std::vector<std::uint8_t> narrow_;
  std::vector<std::uint16_t> wide_;
  std::vector<std::uint32_t> widest_;
  std::vector<End> ends_;
};

inline constexpr std::size_t kBlock = 256;  // lines worked on before their Python strings are made: still in cache

/// A list with an answer for each of `n_items`: threads fill products block by block without the GIL, `fill(Chunk,
/// Product&)`; the caller's thread turns them into Python's objects in order, `emit(Product&, list, place)`.
template <class Product, class Fill, class Emit>
nb::list produce(std::size_t n_items, unsigned n_threads, const Fill& fill, const Emit& emit) {
  nb::list result = nb::steal<nb::list>(PyList_New(static_cast<Py_ssize_t>(n_items)));
  if (!result.is_valid()) nb::raise_python_error();
  nb::gil_scoped_release unlocked;
  in_order<Product>(n_items, kBlock, n_threads, fill, [&](Chunk block, Product& product) {
    nb::gil_scoped_acquire locked;
    emit(product, result, block.begin);
  });
  return result;
}

/// A list of str, one for each of the batch. `make()` gives a worker, as many as there are threads and blocks under
/// way; `worker(number, string, out)` appends the answer for a string, which is a span of one of the CodeUnits, to a
/// vector of the same.
template <class Make>
Strings map_strings(const StringBatch& batch, unsigned n_threads, const Make& make) {
  struct Product {
    std::optional<decltype(make())> worker;
    Answers answers;
  };
  const auto fill = [&](Chunk block, Product& product) {
    if (!product.worker) product.worker.emplace(make());
    Answers& answers = product.answers;
    for (std::size_t i = block.begin; i < block.end; ++i) {
      batch.visit(i, [&]<class Code>(std::span<const Code> string) {
        (*product.worker)(i, string, answers.text<Code>());
        answers.end<Code>();
      });
    }
  };
  const auto emit = [](Product& product, const nb::list& into, std::size_t i) { product.answers.emit(into, i); };
  return Strings(produce<Product>(batch.size(), n_threads, fill, emit));
}

/// As map_strings, for kernels that take and give UCS-4: `worker(line, out)` with a u32string_view and a u32string.
template <class Make>
Strings map_wide(const StringBatch& batch, unsigned n_threads, const Make& make) {
  struct Product {
    std::optional<decltype(make())> worker;
    std::u32string line;
    std::u32string answer;
    Answers answers;
  };
  const auto fill = [&](Chunk block, Product& product) {
    if (!product.worker) product.worker.emplace(make());
    Answers& answers = product.answers;
    auto& text = answers.text<std::uint32_t>();
    for (std::size_t i = block.begin; i < block.end; ++i) {
      batch.widen(i, product.line);
      product.answer.clear();
      (*product.worker)(std::u32string_view(product.line), product.answer);
      text.insert(text.end(), product.answer.begin(), product.answer.end());
      answers.end<std::uint32_t>();
    }
  };
  const auto emit = [](Product& product, const nb::list& into, std::size_t i) { product.answers.emit(into, i); };
  return Strings(produce<Product>(batch.size(), n_threads, fill, emit));
}

}  // namespace dragoman::bindings
