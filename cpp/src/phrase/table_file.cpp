#include <algorithm>
#include <bit>

#include "dragoman/core/file_header.hpp"
#include "dragoman/phrase/table.hpp"

// A table file: this header, then the arrays in the order of its counts, each beginning at a multiple of eight. The
// folder's manifest has the checksum of the whole, so that opening a table need not read it; the header has its own.
namespace dragoman::phrase {
namespace {

constexpr FileKind kKind{"DragPhr\n", 1, "phrase table",
                         "this is no phrase table of Dragoman's. Make one with: dragoman smt train."};

struct Header {
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
Header checked_header(std::string_view file) {
  const auto header = read_header<Header>(file, kKind);
  check_header(header, file, kKind, true, size_with(sizeof header, header.sizes, file));
  return header;
}

}  // namespace

Bytes PhraseTable::serialised() const {
  const std::string_view arrays[] = {bytes_of(slots_),   bytes_of(source_offsets_), bytes_of(source_words_),
                                     bytes_of(runs_),    bytes_of(entries_),        bytes_of(words_),
                                     bytes_of(links_),   bytes_of(scores_)};
  auto header = new_header<Header>(kKind);
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

std::unique_ptr<PhraseTable> PhraseTable::on_file(std::string_view file, std::shared_ptr<const void> owner,
                                                  std::size_t n_target_words) {
  const Header header = checked_header(file);
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
  check_arrays(table->has_sizes(), kKind);
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
