#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"
#include "dragoman/phrase/table.hpp"

// A table file: this header, then the arrays in the order of its counts, each beginning at a multiple of eight. The
// folder's manifest has the checksum of the whole, so that opening a table need not read it; the header has its own.
namespace dragoman::phrase {
namespace {

constexpr char kMagic[8] = {'D', 'r', 'a', 'g', 'P', 'h', 'r', '\n'};
constexpr std::uint32_t kByteOrder = 0x01020304;
constexpr std::uint32_t kVersion = 1;

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
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) % 8 == 0);

std::uint64_t hash_of(const Header& header) {
  return hash_bytes({reinterpret_cast<const char*>(&header), offsetof(Header, header_hash)});
}

constexpr std::uint64_t filled_up(std::uint64_t size) { return (size + 7) / 8 * 8; }

Header checked_header(std::string_view file) {
  Header header;
  if (file.size() < sizeof header || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0) {
    throw data_error("this is no phrase table of Dragoman's. Make one with: dragoman smt train.");
  }
  std::memcpy(&header, file.data(), sizeof header);
  if (header.byte_order != kByteOrder) {
    throw data_error("the phrase table was saved on a machine of another byte order. Build it again on this one.");
  }
  if (header.version != kVersion) {
    throw data_error("the phrase table has format " + std::to_string(header.version) + "; this version reads format " +
                     std::to_string(kVersion) + ". Build it again.");
  }
  std::uint64_t size = sizeof header;
  for (const auto each : header.sizes) size += filled_up(each);
  if (header.header_hash != hash_of(header)) {
    throw data_error("the phrase table is damaged (checksum of the header differs). Build it again or copy it again.");
  }
  if (header.file_size != file.size() || header.file_size != size) {
    throw data_error("the phrase table has " + std::to_string(file.size()) + " bytes and should have " +
                     std::to_string(header.file_size) + ". Copy it again, whole.");
  }
  return header;
}

template <class T>
std::string_view as_bytes(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

Bytes PhraseTable::serialised() const {
  const std::string_view arrays[] = {as_bytes(slots_),   as_bytes(source_offsets_), as_bytes(source_words_),
                                     as_bytes(runs_),    as_bytes(entries_),        as_bytes(words_),
                                     as_bytes(links_),   as_bytes(scores_)};
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.byte_order = kByteOrder;
  header.version = kVersion;
  header.n_scores = n_scores_;
  header.longest = longest_;
  header.n_sources = n_sources_;
  header.file_size = sizeof header;
  for (std::size_t i = 0; i < std::size(arrays); ++i) {
    header.sizes[i] = arrays[i].size();
    header.file_size += filled_up(arrays[i].size());
  }
  header.header_hash = hash_of(header);
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
  table->owner_ = std::move(owner);
  return table;
}

}  // namespace dragoman::phrase
