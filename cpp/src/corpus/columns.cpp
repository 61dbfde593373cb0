#include "dragoman/corpus/columns.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

namespace dragoman::corpus {

namespace {

/// The different cells of one column, numbered. Open addressing, linear probing; at most half full.
class Cells {
 public:
  std::int32_t number(std::string_view cell) {
    // Neighbouring rows often agree (language, annotator): that costs one comparison.
    if (!values_.empty() && same_bytes(cell, values_[static_cast<std::size_t>(last_)])) return last_;
    if (2 * (values_.size() + 1) > slots_.size()) grow();
    const std::uint64_t hash = hash_bytes(cell);
    std::size_t at = hash & (slots_.size() - 1);
    while (slots_[at].number >= 0) {
      if (slots_[at].hash == hash && same_bytes(cell, values_[static_cast<std::size_t>(slots_[at].number)])) {
        return last_ = slots_[at].number;
      }
      at = (at + 1) & (slots_.size() - 1);
    }
    last_ = static_cast<std::int32_t>(values_.size());
    slots_[at] = {hash, last_};
    values_.emplace_back(cell);
    return last_;
  }

  std::vector<std::string>&& take() && { return std::move(values_); }

 private:
  struct Slot {
    std::uint64_t hash = 0;
    std::int32_t number = -1;
  };

  void grow() {
    std::vector<Slot> wider(std::max<std::size_t>(64, 2 * slots_.size()));
    for (const Slot& slot : slots_) {
      if (slot.number < 0) continue;
      std::size_t at = slot.hash & (wider.size() - 1);
      while (wider[at].number >= 0) at = (at + 1) & (wider.size() - 1);
      wider[at] = slot;
    }
    slots_ = std::move(wider);
  }

  std::vector<Slot> slots_;
  std::vector<std::string> values_;
  std::int32_t last_ = 0;
};

/// Takes the rows as they are split, the header first.
class Builder {
 public:
  void add(const std::vector<std::string_view>& row, std::int64_t line) {
    if (!has_header_) {
      has_header_ = true;
      table_.header.assign(row.begin(), row.end());
      cells_.resize(row.size());
      table_.columns.resize(row.size());
      return;
    }
    if (row.size() != cells_.size()) {
      table_.ragged.push_back({line, static_cast<std::int64_t>(row.size())});
      return;
    }
    table_.lines.push_back(line);
    for (std::size_t i = 0; i < row.size(); ++i) table_.columns[i].codes.push_back(cells_[i].number(row[i]));
  }

  ColumnTable finish() && {
    for (std::size_t i = 0; i < cells_.size(); ++i) table_.columns[i].values = std::move(cells_[i]).take();
    return std::move(table_);
  }

 private:
  ColumnTable table_;
  std::vector<Cells> cells_;
  bool has_header_ = false;
};

const char* find(const char* from, const char* end, char wanted) {
  const void* const found = std::memchr(from, wanted, static_cast<std::size_t>(end - from));
  return found == nullptr ? end : static_cast<const char*>(found);
}

}  // namespace

ColumnTable split_tsv(std::string_view text) {
  Builder builder;
  std::vector<std::string_view> row;
  const char* p = text.data();
  const char* const end = p + text.size();
  for (std::int64_t line = 1; p < end; ++line) {
    const char* const next = find(p, end, '\n');
    const char* stop = next;
    while (stop > p && stop[-1] == '\r') --stop;
    row.clear();
    while (true) {
      const char* const tab = find(p, stop, '\t');
      row.emplace_back(p, static_cast<std::size_t>(tab - p));
      if (tab == stop) break;
      p = tab + 1;
    }
    builder.add(row, line);
    p = next + (next < end);
  }
  return std::move(builder).finish();
}

ColumnTable split_csv(std::string_view text) {
  Builder builder;
  std::vector<std::string_view> row;
  std::vector<std::string> unquoted;  // cells with doubled quotation marks, as they read
  const char* p = text.data();
  const char* const end = p + text.size();
  std::int64_t line = 1;
  while (p < end) {
    const std::int64_t first_line = line;
    row.clear();
    std::vector<std::pair<std::size_t, std::size_t>> rewritten;  // cell, place in `unquoted`
    unquoted.clear();
    bool ended = false;
    while (!ended) {
      if (p < end && *p == '"') {
        const char* const start = ++p;
        bool doubled = false;
        while (true) {
          const char* const mark = find(p, end, '"');
          if (mark == end) throw data_error("a quotation mark is never closed");
          p = mark + 1;
          if (p == end || *p != '"') break;
          doubled = true;
          ++p;
        }
        const std::string_view cell(start, static_cast<std::size_t>(p - 1 - start));
        for (const char c : cell) line += c == '\n';
        row.push_back(cell);
        if (doubled) {
          std::string plain;
          for (std::size_t i = 0; i < cell.size(); ++i) {
            plain += cell[i];
            if (cell[i] == '"') ++i;
          }
          rewritten.emplace_back(row.size() - 1, unquoted.size());
          unquoted.push_back(std::move(plain));
        }
      } else {
        const char* const start = p;
        while (p < end && *p != ',' && *p != '\n' && *p != '\r') ++p;
        row.emplace_back(start, static_cast<std::size_t>(p - start));
      }
      if (p < end && *p == ',') {
        ++p;
        continue;
      }
      if (p < end && *p == '\r' && p + 1 < end && p[1] == '\n') ++p;
      if (p < end && *p != '\n') throw data_error("text or a carriage return stands where a cell should end");
      p += p < end;
      ended = true;
    }
    ++line;
    for (const auto& [cell, place] : rewritten) row[cell] = unquoted[place];
    builder.add(row, first_line);
  }
  return std::move(builder).finish();
}

}  // namespace dragoman::corpus
