#include "dragoman/core/file_header.hpp"
#include "dragoman/lm/model.hpp"

// A model file: this header; unigrams; for each order from 2 its table, or the arrays of the trie; offsets, slots and
// bytes of the words. Every array begins at a multiple of eight. The folder's manifest has the checksum of the whole,
// so that opening a model need not read it; the header has its own.
namespace dragoman::lm {
namespace {

constexpr FileKind kKind{"DragLM \n", 2, "language model",
                         "this is no language model of Dragoman's. Make one with: dragoman lm build."};

struct Header {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint32_t order;
  std::uint32_t structure;
  std::uint32_t p_bits;
  std::uint32_t backoff_bits;
  std::uint64_t file_size;
  std::uint64_t n_words;
  std::uint64_t n_slots;
  std::uint64_t n_bytes;
  std::uint64_t n_ngrams[kMaxOrder];
  std::uint64_t table_sizes[kMaxOrder];  // of hash tables, by order − 1; the first is unused
  std::uint64_t header_hash;             // of all before it
};
std::vector<std::uint64_t> trie_sizes(const Header& header) {
  return Trie::array_sizes(header.order, header.n_ngrams, {header.p_bits, header.backoff_bits});
}

std::uint64_t size_of(const Header& header) {
  std::uint64_t middle = 0;
  if (header.structure == static_cast<std::uint32_t>(Structure::kTrie)) {
    for (const auto size : trie_sizes(header)) middle += size;
  } else {
    for (unsigned k = 2; k <= header.order; ++k) middle += sizeof(Model::Entry) * header.table_sizes[k - 1];
  }
  return sizeof(Header) + 8 * header.n_words + middle + 8 * (header.n_words + 1) + 8 * header.n_slots + header.n_bytes;
}

/// Whether no count is larger than a file of this size can hold, so that their sums do not wrap.
bool counts_fit(const Header& header, std::uint64_t file_size) {
  if (header.n_words < 3 || header.n_words > file_size || header.n_slots > file_size || header.n_bytes > file_size ||
      header.n_ngrams[0] != header.n_words) {
    return false;
  }
  const bool is_trie = header.structure == static_cast<std::uint32_t>(Structure::kTrie);
  for (unsigned k = 2; k <= header.order; ++k) {
    const auto n = header.n_ngrams[k - 1], size = header.table_sizes[k - 1];
    if (is_trie ? n > 8 * file_size : size < 1 || size > file_size || n > size) return false;
  }
  return true;
}

Header checked_header(std::string_view file) {
  const auto header = read_header<Header>(file, kKind);
  const bool sound = header.header_hash == hash_of_header(header) && header.order >= 1 && header.order <= kMaxOrder &&
                     header.structure <= 1 && header.p_bits <= 16 && header.backoff_bits <= 16 &&
                     counts_fit(header, file.size());
  check_header(header, file, kKind, sound, sound ? size_of(header) : 0);
  return header;
}

}  // namespace

Bytes Model::serialised() const {
  auto header = new_header<Header>(kKind);
  header.order = order_;
  header.structure = static_cast<std::uint32_t>(structure());
  header.p_bits = quantisation().p_bits;
  header.backoff_bits = quantisation().backoff_bits;
  header.n_words = words_.size();
  header.n_slots = words_.slots().size();
  header.n_bytes = words_.bytes().size();
  for (unsigned k = 1; k <= order_; ++k) {
    header.n_ngrams[k - 1] = n_ngrams_[k - 1];
    header.table_sizes[k - 1] = tables_[k].size();
  }
  header.file_size = size_of(header);
  header.header_hash = hash_of_header(header);
  Bytes file;
  file.reserve(header.file_size);
  file.append({reinterpret_cast<const char*>(&header), sizeof header});
  file.append(bytes_of(unigrams_));
  if (trie_) {
    for (const std::string_view array : trie_->arrays()) file.append(array);
  } else {
    for (unsigned k = 2; k <= order_; ++k) file.append(bytes_of(tables_[k]));
  }
  file.append(bytes_of(words_.offsets()));
  file.append(bytes_of(words_.slots()));
  file.append(words_.bytes());
  return file;
}

std::unique_ptr<Model> Model::on_file(std::string_view file, std::shared_ptr<const void> owner) {
  const Header header = checked_header(file);
  const char* place = file.data() + sizeof header;
  const auto take = [&]<class T>(std::uint64_t n, const T*) {
    const std::span<const T> values(reinterpret_cast<const T*>(place), n);
    place += values.size_bytes();
    return values;
  };
  auto model = std::make_unique<Model>();
  model->order_ = header.order;
  model->unigrams_ = take(header.n_words, static_cast<const Unigram*>(nullptr));
  model->n_ngrams_[0] = header.n_ngrams[0];
  for (unsigned k = 2; k <= header.order; ++k) model->n_ngrams_[k - 1] = header.n_ngrams[k - 1];
  if (header.structure == static_cast<std::uint32_t>(Structure::kTrie)) {
    std::vector<std::string_view> arrays;
    for (const auto size : trie_sizes(header)) {
      arrays.emplace_back(place, size);
      place += size;
    }
    const Quantisation quantisation{header.p_bits, header.backoff_bits};
    model->trie_.emplace(header.order, std::span(header.n_ngrams).first(header.order), quantisation, arrays);
    check_arrays(model->trie_->is_inside(), kKind);
  } else {
    for (unsigned k = 2; k <= header.order; ++k) {
      model->tables_[k] = take(header.table_sizes[k - 1], static_cast<const Entry*>(nullptr));
      // Without a free place the search for an absent key would not end. One is among the first, as a rule.
      check_arrays(std::ranges::any_of(model->tables_[k], [](const Entry& entry) { return entry.key == 0; }), kKind);
    }
  }
  const auto offsets = take(header.n_words + 1, static_cast<const std::uint64_t*>(nullptr));
  const auto slots = take(header.n_slots, static_cast<const text::WordTable::Slot*>(nullptr));
  model->words_ = text::WordTable(offsets, {place, header.n_bytes}, slots);
  model->owner_ = std::move(owner);
  return model;
}

}  // namespace dragoman::lm
