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

std::unique_ptr<PhraseTable> PhraseTable::on_file(std::string_view file, std::shared_ptr<const void> owner) {
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
  check_arrays(table->is_inside(), kKind);
  table->owner_ = std::move(owner);
  return table;
}

/// Nothing that an array says may lead outside another. Looks at everything but the scores, once.
bool PhraseTable::is_inside() {
  const auto n = n_sources_;
  if (source_offsets_.size() != n + 1 || runs_.size() != n + 1 || entries_.empty() ||
      scores_.size() / std::max(1U, n_scores_) != size() || scores_.size() != size() * n_scores_ ||
      !cuts(source_offsets_, source_words_.size()) || !cuts(runs_, size())) {
    return false;
  }
  // Without a free slot the search for an absent phrase would not end.
  if (!slots_.empty() && (!std::has_single_bit(slots_.size()) || std::ranges::count(slots_, 0U) == 0 ||
                          std::ranges::any_of(slots_, [&](std::uint32_t slot) { return slot > n; }))) {
    return false;
  }
  const Entry last = entries_.back();
  if (entries_[0].words != 0 || entries_[0].links != 0 || last.words != words_.size() || last.links != links_.size()) {
    return false;
  }
  for (std::size_t source = 0; source < n; ++source) {
    const auto n_source = source_offsets_[source + 1] - source_offsets_[source];
    if (n_source > longest_) return false;
    for (auto i = runs_[source]; i < runs_[source + 1]; ++i) {
      const Entry here = entries_[i], next = entries_[i + 1];
      if (next.words < here.words || next.words > words_.size() || next.links < here.links ||
          next.links > links_.size()) {
        return false;
      }
      for (const Link link : links_.subspan(here.links, next.links - here.links)) {
        if (link.source >= n_source || link.target >= next.words - here.words) return false;
      }
    }
  }
  for (const TokenId word : words_) {
    if (word < 0) return false;
    n_target_words_ = std::max<std::size_t>(n_target_words_, static_cast<std::size_t>(word) + 1);
  }
  return true;
}

}  // namespace dragoman::phrase
