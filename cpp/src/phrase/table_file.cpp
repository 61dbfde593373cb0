#include <algorithm>
#include <bit>
#include <limits>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/file_header.hpp"
#include "dragoman/phrase/table.hpp"

// A table file: this header, then the arrays in the order of its counts, each beginning at a multiple of eight. The
// folder's manifest has the checksum of the whole, so that opening a table need not read it; the header has its own.
namespace dragoman::phrase {
namespace {

constexpr FileKind kTableKind{"DragPhr\n", 1, "phrase table",
                              "this is no phrase table of Dragoman's. Make one with: dragoman smt train."};

struct TableHeader {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint32_t n_scores;
  std::uint32_t longest;
  std::uint64_t file_size;
  std::uint64_t n_sources;
  std::uint64_t sizes[8];     // bytes of each array, without what fills it up to eight
  std::uint64_t header_hash;  // of all before it
};
TableHeader checked_header(std::string_view file) {
  const auto header = read_header<TableHeader>(file, kTableKind);
  check_header(header, file, kTableKind, true, size_with(sizeof header, header.sizes, file));
  return header;
}

}  // namespace

Bytes PhraseTable::serialised() const {
  const std::string_view arrays[] = {bytes_of(slots_), bytes_of(source_offsets_), bytes_of(source_words_),
                                     bytes_of(runs_),  bytes_of(entries_),        bytes_of(words_),
                                     bytes_of(links_), bytes_of(scores_)};
  auto header = new_header<TableHeader>(kTableKind);
  header.n_scores = n_scores_;
  header.longest = longest_;
  header.n_sources = n_sources_;
  header.file_size = sizeof header;
  for (std::size_t i = 0; i < std::size(arrays); ++i) {
    header.sizes[i] = arrays[i].size();
    header.file_size += filled_up(arrays[i].size());
  }
  header.header_hash = hash_of_header(header);
  Bytes file;
  file.reserve(header.file_size);
  file.append({reinterpret_cast<const char*>(&header), sizeof header});
  for (const auto array : arrays) {
    file.append(array);
    file.append(std::string_view("\0\0\0\0\0\0\0", filled_up(array.size()) - array.size()));
  }
  return file;
}

void PhraseTable::write_joined(std::span<const PhraseTable* const> tables,
                               const std::function<void(std::string_view)>& write) {
  auto header = new_header<TableHeader>(kTableKind);
  std::uint64_t n_source_words = 0, n_entries = 0, n_words = 0, n_links = 0;
  for (const PhraseTable* const table : tables) {
    header.n_scores = table->n_scores_;
    header.longest = std::max(header.longest, static_cast<std::uint32_t>(table->longest_));
    header.n_sources += table->n_sources_;
    n_source_words += table->source_words_.size();
    n_entries += table->size();
    n_words += table->words_.size();
    n_links += table->links_.size();
  }
  if (std::max({n_source_words, n_entries, n_words, n_links}) >= std::numeric_limits<std::uint32_t>::max()) {
    throw data_error("A phrase table holds less than four thousand million words; prune it, or make two.");
  }
  auto at = tables.begin();
  const auto slots = slots_for(header.n_sources, [&, i = std::size_t{0}]() mutable {
    while (i == (*at)->n_sources_) ++at, i = 0;
    return (*at)->source_words_of(i++);
  });
  const std::uint64_t n_scores = n_entries * header.n_scores;
  const std::uint64_t sizes[] = {
      slots.size() * 4,           (header.n_sources + 1) * 4,      n_source_words * sizeof(TokenId),
      (header.n_sources + 1) * 4, (n_entries + 1) * sizeof(Entry), n_words * sizeof(TokenId),
      n_links * sizeof(Link),     n_scores * sizeof(float)};
  header.file_size = sizeof header;
  for (std::size_t i = 0; i < std::size(sizes); ++i) {
    header.sizes[i] = sizes[i];
    header.file_size += filled_up(sizes[i]);
  }
  header.header_hash = hash_of_header(header);
  write({reinterpret_cast<const char*>(&header), sizeof header});
  std::size_t section = 0;
  const auto end = [&] {
    write(std::string_view("\0\0\0\0\0\0\0", filled_up(sizes[section]) - sizes[section]));
    ++section;
  };
  // Places count from the beginning of the whole; behind the last there is one more.
  const auto places = [&](const auto& of, const auto& moved, const auto& last) {
    for (const PhraseTable* const table : tables) {
      const auto values = of(*table);
      if (values.empty()) continue;
      auto own = std::vector(values.begin(), values.end() - 1);
      for (auto& each : own) each = moved(each);
      write(bytes_of(std::span<const typename decltype(own)::value_type>(own)));
      moved.next(*table);
    }
    write({reinterpret_cast<const char*>(&last), sizeof last});
    end();
  };
  const auto copies = [&](const auto& of) {
    for (const PhraseTable* const table : tables) write(bytes_of(of(*table)));
    end();
  };
  write(bytes_of(std::span<const std::uint32_t>(slots)));
  end();
  struct Moved {
    mutable std::uint32_t base = 0;
    std::uint32_t (*size)(const PhraseTable&);
    std::uint32_t operator()(std::uint32_t place) const { return base + place; }
    void next(const PhraseTable& table) const { base += size(table); }
  };
  struct MovedEntry {
    mutable Entry base{};
    Entry operator()(Entry entry) const { return {base.words + entry.words, base.links + entry.links}; }
    void next(const PhraseTable& table) const {
      base.words += static_cast<std::uint32_t>(table.words_.size());
      base.links += static_cast<std::uint32_t>(table.links_.size());
    }
  };
  places([](const PhraseTable& table) { return table.source_offsets_; },
         Moved{0, [](const PhraseTable& table) { return static_cast<std::uint32_t>(table.source_words_.size()); }},
         static_cast<std::uint32_t>(n_source_words));
  copies([](const PhraseTable& table) { return table.source_words_; });
  places([](const PhraseTable& table) { return table.runs_; },
         Moved{0, [](const PhraseTable& table) { return static_cast<std::uint32_t>(table.size()); }},
         static_cast<std::uint32_t>(n_entries));
  places([](const PhraseTable& table) { return table.entries_; }, MovedEntry{},
         Entry{static_cast<std::uint32_t>(n_words), static_cast<std::uint32_t>(n_links)});
  copies([](const PhraseTable& table) { return table.words_; });
  copies([](const PhraseTable& table) { return table.links_; });
  copies([](const PhraseTable& table) { return table.scores_; });
}

std::unique_ptr<PhraseTable> PhraseTable::on_file(std::string_view file, std::shared_ptr<const void> owner,
                                                  std::size_t n_target_words) {
  const TableHeader header = checked_header(file);
  const char* place = file.data() + sizeof header;
  std::size_t number = 0;
  const auto take = [&]<class T>(std::span<const T>& values) {
    values = {reinterpret_cast<const T*>(place), header.sizes[number] / sizeof(T)};
    place += filled_up(header.sizes[number++]);
  };
  auto table = std::make_unique<PhraseTable>();
  table->n_scores_ = header.n_scores;
  table->longest_ = header.longest;
  table->n_sources_ = header.n_sources;
  take(table->slots_);
  take(table->source_offsets_);
  take(table->source_words_);
  take(table->runs_);
  take(table->entries_);
  take(table->words_);
  take(table->links_);
  take(table->scores_);
  check_arrays(table->has_sizes(), kTableKind);
  table->n_target_words_ = n_target_words;
  table->owner_ = owner ? std::move(owner) : std::make_shared<const int>();  // on a file, whoever holds it
  return table;
}

/// The arrays have the lengths that the header says; what is in them is looked at when it is met.
bool PhraseTable::has_sizes() const {
  return source_offsets_.size() == n_sources_ + 1 && runs_.size() == n_sources_ + 1 && !entries_.empty() &&
         scores_.size() / std::max(1U, n_scores_) == size() && scores_.size() == size() * n_scores_ &&
         (slots_.empty() || std::has_single_bit(slots_.size()));
}

}  // namespace dragoman::phrase
