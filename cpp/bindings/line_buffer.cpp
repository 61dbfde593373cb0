#include "line_buffer.hpp"

#include "areas.hpp"

namespace dragoman::bindings::line_buffer_area {

using namespace nb::literals;

namespace {

nb::str line(const BytesLines& self, std::size_t i) {
  if (i >= self.lines().size()) throw nb::index_error("line number out of range");
  Bytes scratch;
  const std::string_view text = self.lines().line(i, scratch);
  return nb::str(text.data(), text.size());
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<BytesLines>(m, "LineBuffer", "Lines of UTF-8 bytes, as they lie there.")
      .def(nb::init<nb::bytes>(), "utf8"_a)
      .def("__len__", [](const BytesLines& self) { return self.lines().size(); })
      .def("line", &line, "number"_a, "One line, from 0.")
      .def_prop_ro("utf8", &BytesLines::bytes, "The bytes.");
}

}  // namespace dragoman::bindings::line_buffer_area
