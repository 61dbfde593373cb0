#include <string>
#include <vector>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/corpus/columns.hpp"

using namespace dragoman;

namespace {

std::vector<std::string> cells(const corpus::Column& column) {
  std::vector<std::string> found;
  for (const auto code : column.codes) found.push_back(column.values[static_cast<std::size_t>(code)]);
  return found;
}

bool is_refused(const char* text) {
  try {
    corpus::split_csv(text);
  } catch (const data_error&) {
    return true;
  }
  return false;
}

using Strings = std::vector<std::string>;

}  // namespace

TEST(csv_is_split_into_columns) {
  const auto table = corpus::split_csv("a,b\r\n1,\"x \"\"y\"\"\nz\"\n2,\n1,q");
  CHECK((table.header == Strings{"a", "b"}));
  CHECK((cells(table.columns[0]) == Strings{"1", "2", "1"}));
  CHECK((table.columns[0].values == Strings{"1", "2"}));
  CHECK((cells(table.columns[1]) == Strings{"x \"y\"\nz", "", "q"}));
  CHECK((table.lines == std::vector<std::int64_t>{2, 4, 5}));
  CHECK(table.ragged.empty());
}

TEST(rows_of_another_width_are_set_apart) {
  const auto table = corpus::split_csv("a,b\n1\n2,3\n\n4,5,6\n");
  CHECK((cells(table.columns[0]) == Strings{"2"}));
  CHECK(table.ragged.size() == 3);
  CHECK(table.ragged[1].line == 4 && table.ragged[1].cells == 1);
  CHECK(table.ragged[2].line == 5 && table.ragged[2].cells == 3);
}

TEST(what_is_no_csv_is_refused) {
  CHECK(is_refused("a\n\"never closed"));
  CHECK(is_refused("a\n\"x\"y\n"));
  CHECK(is_refused("a\rb\n"));
  CHECK(is_refused("a\r"));
  CHECK(!is_refused(""));
}

TEST(tsv_knows_no_quoting) {
  const auto table = corpus::split_tsv("a\tb\r\n\"1\t2\r\r\n\t");
  CHECK((table.header == Strings{"a", "b"}));
  CHECK((cells(table.columns[0]) == Strings{"\"1", ""}));
  CHECK((cells(table.columns[1]) == Strings{"2", ""}));
  CHECK(corpus::split_tsv("").header.empty());
}
