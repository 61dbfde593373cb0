#include <algorithm>
#include <cstdint>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/scripts.hpp"
#include "lines.hpp"

namespace dragoman::bindings::text_area {

using namespace nb::literals;

namespace {

auto count_scripts(nb::handle sequence, unsigned n_threads) {
  const Lines lines(sequence);
  const auto& views = lines.views();
  std::vector<std::int32_t> counts(views.size() * text::kScripts);
  {
    nb::gil_scoped_release unlocked;
    for_each_chunk(views.size(), n_threads, [&](Chunk chunk) {
      for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
        const auto row = text::count_scripts(views[i]);
        std::ranges::copy(row, counts.begin() + static_cast<std::ptrdiff_t>(i * text::kScripts));
      }
    });
  }
  return to_array(std::move(counts), {views.size(), text::kScripts});
}

}  // namespace

void bind(nb::module_& text) {
  text.def("count_scripts", &count_scripts, "lines"_a, nb::kw_only(), "n_threads"_a = 1,
           "Alphabetic characters of each script in each line: int32 array (lines, scripts).");
}

}  // namespace dragoman::bindings::text_area
