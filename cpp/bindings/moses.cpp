#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <tuple>

#include "areas.hpp"
#include "dragoman/text/moses.hpp"
#include "string_batch.hpp"

namespace dragoman::bindings::moses_area {

using namespace nb::literals;

namespace {

using Places = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

/// The spans of each line, as Python found them.
class SpanBatch {
 public:
  SpanBatch() = default;

  /// `ends[i]` is the number of spans of lines 0 to i; `places` holds begin and end of each.
  SpanBatch(const Places& ends, const Places& places, const StringBatch& lines) {
    if (ends.size() != lines.size() || places.size() % 2 != 0) throw std::logic_error("spans do not fit the lines");
    spans_.reserve(places.size() / 2);
    for (std::size_t k = 0; k < places.size(); k += 2) {
      spans_.push_back({static_cast<std::size_t>(places(k)), static_cast<std::size_t>(places(k + 1))});
    }
    std::size_t begin = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto end = static_cast<std::size_t>(ends(i));
      if (end < begin || end > spans_.size()) throw std::logic_error("spans do not fit the lines");
      for (; begin < end; ++begin) {
        const text::Span& span = spans_[begin];
        if (span.begin > span.end || span.end > lines.length(i)) throw std::logic_error("a span leaves its line");
      }
      ends_.push_back(end);
    }
  }

  std::span<const text::Span> operator[](std::size_t i) const {
    if (ends_.empty()) return {};
    const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
    return std::span(spans_).subspan(begin, ends_[i] - begin);
  }

 private:
  std::vector<text::Span> spans_;
  std::vector<std::size_t> ends_;
};

/// One thread's tokeniser: buffers for each shape of string.
class MosesWorker {
 public:
  MosesWorker(const text::MosesTokeniser& tokeniser, const SpanBatch& spans) : tokeniser_(tokeniser), spans_(spans) {}

  template <text::CodeUnit Code>
  void operator()(std::size_t i, std::span<const Code> line, std::vector<Code>& out) {
    tokeniser_.tokenise(line, spans_[i], std::get<text::MosesTokeniser::Workspace<Code>>(work_), out);
  }

 private:
  const text::MosesTokeniser& tokeniser_;
  const SpanBatch& spans_;
  std::tuple<text::MosesTokeniser::Workspace<std::uint8_t>, text::MosesTokeniser::Workspace<std::uint16_t>,
             text::MosesTokeniser::Workspace<std::uint32_t>>
      work_;
};

Strings tokenise(const text::MosesTokeniser& tokeniser, nb::handle sequence, unsigned n_threads) {
  const StringBatch lines(sequence);
  const SpanBatch spans;
  return map_strings(lines, n_threads, [&] { return MosesWorker(tokeniser, spans); });
}

Strings tokenise_around(const text::MosesTokeniser& tokeniser, nb::handle sequence, const Places& ends,
                        const Places& places, unsigned n_threads) {
  const StringBatch lines(sequence);
  const SpanBatch spans(ends, places, lines);
  return map_strings(lines, n_threads, [&] { return MosesWorker(tokeniser, spans); });
}

}  // namespace

void bind(nb::module_& text) {
  nb::class_<text::MosesOptions>(text, "MosesOptions", "Options of the Moses tokeniser; see dragoman.text.moses.")
      .def(nb::init<>())
      .def_rw("lang", &text::MosesOptions::lang)
      .def_rw("aggressive_dash_splits", &text::MosesOptions::aggressive_dash_splits)
      .def_rw("escape", &text::MosesOptions::escape)
      .def_rw("split_last", &text::MosesOptions::split_last)
      .def_rw("protect", &text::MosesOptions::protect);
  nb::class_<text::MosesTokeniser, text::Tokeniser>(text, "MosesTokeniser", "The Moses tokeniser, ready to run.")
      .def(
          "__init__",
          [](text::MosesTokeniser* self, const text::MosesOptions& options, const std::vector<std::string>& prefixes) {
            new (self) text::MosesTokeniser(options, text::Prefixes(prefixes));
          },
          "options"_a, "prefixes"_a)
      .def("tokenise", &tokenise, "lines"_a, nb::kw_only(), "n_threads"_a = 1, "Each line with its tokens separated.")
      .def("tokenise_around", &tokenise_around, "lines"_a, "ends"_a.noconvert(), "places"_a.noconvert(), nb::kw_only(),
           "n_threads"_a = 1,
           "The same with spans to keep whole: int64 arrays of each line's running count of spans, and of begin and "
           "end of each span in code points.");
}

}  // namespace dragoman::bindings::moses_area
