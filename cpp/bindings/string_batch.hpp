#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/encoding.hpp"

namespace dragoman::bindings {

namespace nb = nanobind;

using Strings = nb::typed<nb::list, nb::str>;

/// A Python sequence of str, seen as Python stores them: one, two or four bytes for each code point of a string.
/// Unlike Lines it makes no UTF-8. The views stay good while this object lives, also without the GIL.
class StringBatch {
 public:
  explicit StringBatch(nb::handle sequence);

  struct String {
    const void* data;
    std::size_t length;  // code points
    unsigned width;      // bytes of each

    template <class Code>
    std::span<const Code> as() const { return {static_cast<const Code*>(data), length}; }
  };

  std::size_t size() const { return strings_.size(); }
  const String& operator[](std::size_t i) const { return strings_[i]; }

  /// The code points of string `i`, in place of what `buffer` held.
  void widen(std::size_t i, std::u32string& buffer) const;

 private:
  nb::object owner_;
  std::vector<String> strings_;
};

/// The answers for one chunk of a batch, each of the width of its question: threads do not meet.
struct Answers {
  std::vector<std::uint8_t> narrow;
  std::vector<std::uint16_t> wide;
  std::vector<std::uint32_t> widest;
  struct End {
    std::size_t place;
    unsigned width;
  };
  std::vector<End> ends;

  template <class Code>
  std::vector<Code>& text() {
    if constexpr (std::same_as<Code, std::uint8_t>) {
      return narrow;
    } else if constexpr (std::same_as<Code, std::uint16_t>) {
      return wide;
    } else {
      return widest;
    }
  }
};

/// A list of str, in the order of the chunks.
Strings to_list(std::vector<Answers>& chunks, std::size_t n_strings);

/// A str of text with one code point in each element.
template <class Code>
nb::object to_str(std::span<const Code> codes);

/// A list of str, one for each of the batch. `make()` gives a thread its worker; `worker(number, string, out)` appends
/// the answer for a string, which is a span of one of the CodeUnits, to a vector of the same. No GIL meanwhile.
template <class Make>
Strings map_strings(const StringBatch& batch, unsigned n_threads, const Make& make) {
  std::vector<Answers> chunks(std::max<std::size_t>(1, std::min<std::size_t>(n_threads, batch.size())));
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(batch.size(), n_threads, [&](Chunk chunk) {
      auto worker = make();
      Answers& mine = chunks[chunk.index];
      mine.ends.reserve(chunk.end - chunk.begin);
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto& string = batch[i];
        const auto work = [&]<class Code>(std::vector<Code>& out) {
          worker(i, string.as<Code>(), out);
          mine.ends.push_back({out.size(), string.width});
        };
        if (string.width == 1) {
          work(mine.narrow);
        } else if (string.width == 2) {
          work(mine.wide);
        } else {
          work(mine.widest);
        }
      }
    });
  }
  return to_list(chunks, batch.size());
}

/// What a kernel wrote for the strings of one chunk, one behind the other.
struct WideAnswers {
  std::u32string text;
  std::vector<std::size_t> ends;
};

/// A list of str, in the order of the chunks.
Strings to_list(std::vector<WideAnswers>& chunks, std::size_t n_strings);

/// As map_strings, for kernels that take and give UCS-4: `worker(line, out)` with a u32string_view and a u32string.
template <class Make>
Strings map_wide(const StringBatch& batch, unsigned n_threads, const Make& make) {
  std::vector<WideAnswers> chunks(std::max<std::size_t>(1, std::min<std::size_t>(n_threads, batch.size())));
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(batch.size(), n_threads, [&](Chunk chunk) {
      auto worker = make();
      std::u32string line;
      WideAnswers& mine = chunks[chunk.index];
      mine.ends.reserve(chunk.end - chunk.begin);
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        batch.widen(i, line);
        worker(std::u32string_view(line), mine.text);
        mine.ends.push_back(mine.text.size());
      }
    });
  }
  return to_list(chunks, batch.size());
}

}  // namespace dragoman::bindings
