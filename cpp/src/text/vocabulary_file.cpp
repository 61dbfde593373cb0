#include "dragoman/core/file_header.hpp"
#include "dragoman/text/vocabulary.hpp"

// A vocabulary file: this header; offsets (n_words + 1, uint64); counts (n_words, int64) if counted; slots of the hash
// table (n_slots, 8 bytes each); the bytes of all words. Every array begins at a multiple of eight.
namespace dragoman::text {
namespace {

constexpr FileKind kKind{
    "DragVoc\n", 1, "vocabulary",
    "this is no vocabulary file. Make one with Vocabulary.save, or read a word list with read_words."};

struct Header {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t file_size;
  std::uint64_t n_words;
  std::uint64_t n_slots;
  std::uint64_t n_bytes;
  std::int32_t unk;
  std::uint32_t counted;
  std::uint64_t body_hash;
  std::uint64_t header_hash;  // of all before it
};
/// The size of the file, in units that cannot overflow for sizes that fit a file at all.
bool size_fits(const Header& header) {
  constexpr std::uint64_t kMost = std::uint64_t{1} << 48;
  if (header.n_words > kMost || header.n_slots > kMost || header.n_bytes > kMost) return false;
  const std::uint64_t counts = header.counted != 0 ? header.n_words : 0;
  return header.file_size == sizeof(Header) + 8 * (header.n_words + 1 + counts + header.n_slots) + header.n_bytes;
}

Header checked_header(std::string_view file) {
  const auto header = read_header<Header>(file, kKind);
  check_header(header, file, kKind, size_fits(header), header.file_size);
  return header;
}

}  // namespace

Bytes Vocabulary::serialised() const {
  const std::shared_lock held(lock_);
  auto header = new_header<Header>(kKind);
  header.n_words = words_.size();
  header.n_slots = words_.slots().size();
  header.n_bytes = words_.bytes().size();
  header.unk = unk_;
  header.counted = counted_;
  header.file_size = sizeof header + words_.offsets().size_bytes() + counts_.size_bytes() +
                     words_.slots().size_bytes() + words_.bytes().size();
  Bytes file;
  file.reserve(header.file_size);
  file.append({reinterpret_cast<const char*>(&header), sizeof header});
  file.append(bytes_of(words_.offsets()));
  file.append(bytes_of(counts_));
  file.append(bytes_of(words_.slots()));
  file.append(words_.bytes());
  header.body_hash = hash_bytes(file.view().substr(sizeof header));
  header.header_hash = hash_of_header(header);
  file.overwrite(0, {reinterpret_cast<const char*>(&header), sizeof header});
  return file;
}

std::unique_ptr<Vocabulary> Vocabulary::on_file(std::string_view file, std::shared_ptr<const void> owner) {
  const Header header = checked_header(file);
  if (header.body_hash != hash_bytes(file.substr(sizeof header))) {
    throw data_error("the vocabulary is damaged (checksum differs). Build it again or copy it again.");
  }
  const char* place = file.data() + sizeof header;
  const auto take = [&]<class T>(std::uint64_t n, const T*) {
    const std::span<const T> values(reinterpret_cast<const T*>(place), n);
    place += values.size_bytes();
    return values;
  };
  auto vocabulary = std::make_unique<Vocabulary>();
  const auto offsets = take(header.n_words + 1, static_cast<const std::uint64_t*>(nullptr));
  vocabulary->counts_ = take(header.counted != 0 ? header.n_words : 0, static_cast<const std::int64_t*>(nullptr));
  const auto slots = take(header.n_slots, static_cast<const WordTable::Slot*>(nullptr));
  vocabulary->words_ = WordTable(offsets, {place, header.n_bytes}, slots);
  if (header.unk < kNoToken || header.unk >= static_cast<std::int64_t>(header.n_words)) {
    throw data_error("the vocabulary is damaged (there is no word for the unknown). Build it again.");
  }
  vocabulary->unk_ = header.unk;
  vocabulary->counted_ = header.counted != 0;
  vocabulary->frozen_ = true;
  vocabulary->owner_ = std::move(owner);
  return vocabulary;
}

}  // namespace dragoman::text
