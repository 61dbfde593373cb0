#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dragoman::corpus {

/// A column of a text table: for each row the number of its cell among the different cells, these in the order in
/// which they first occur.
struct Column {
  std::vector<std::int32_t> codes;
  std::vector<std::string> values;
};

/// A row whose cells are not as many as the header's.
struct RaggedRow {
  std::int64_t line;
  std::int64_t cells;
};

/// A text table, column by column. Ragged rows are in `ragged` and nowhere else.
struct ColumnTable {
  std::vector<std::string> header;
  std::vector<Column> columns;
  std::vector<std::int64_t> lines;  // the line of the file on which each row begins, from 1
  std::vector<RaggedRow> ragged;
};

/// Split a table at tabs. A line ends at LF, CRs before it are dropped; there is no quoting. Linear in the text.
ColumnTable split_tsv(std::string_view text);

/// Split comma-separated values as in RFC 4180, lines ending in LF or CRLF. A quotation mark that is never closed, text
/// behind a closing one, or a lone CR throws data_error. Linear in the text.
ColumnTable split_csv(std::string_view text);

}  // namespace dragoman::corpus
