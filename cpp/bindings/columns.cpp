#include "dragoman/corpus/columns.hpp"

#include <nanobind/nanobind.h>

#include "areas.hpp"
#include "arrays.hpp"

namespace dragoman::bindings::columns_area {

using namespace nb::literals;

namespace {

nb::list to_strs(const std::vector<std::string>& values) {
  nb::list list;
  for (const std::string& value : values) list.append(nb::str(value.data(), value.size()));
  return list;
}

nb::tuple split_columns(nb::bytes data, bool quoted) {
  const std::string_view text(data.c_str(), data.size());
  corpus::ColumnTable table;
  {
    nb::gil_scoped_release unlocked;
    table = quoted ? corpus::split_csv(text) : corpus::split_tsv(text);
  }
  nb::list columns;
  for (corpus::Column& column : table.columns) {
    const std::size_t n = column.codes.size();
    columns.append(nb::make_tuple(to_array(std::move(column.codes), {n}), to_strs(column.values)));
  }
  nb::list ragged;
  for (const corpus::RaggedRow& row : table.ragged) ragged.append(nb::make_tuple(row.line, row.cells));
  const std::size_t n = table.lines.size();
  return nb::make_tuple(to_strs(table.header), columns, to_array(std::move(table.lines), {n}), ragged);
}

}  // namespace

void bind(nb::module_& corpus) {
  corpus.def("split_columns", &split_columns, "data"_a, nb::kw_only(), "quoted"_a,
             nb::sig("def split_columns(data: bytes, *, quoted: bool) -> tuple[list[str], "
                     "list[tuple[NDArray[numpy.int32], list[str]]], NDArray[numpy.int64], list[tuple[int, int]]]"),
             "A table in valid UTF-8, CSV (quoted) or TSV, by columns: header, for each column int32 codes (rows,) and "
             "the different cells, int64 lines on which the rows begin (rows,), and (line, cells) of each ragged row.");
}

}  // namespace dragoman::bindings::columns_area
