#include <algorithm>
#include <functional>

#include "dragoman/core/file_header.hpp"
#include "dragoman/graph/hypergraph.hpp"

// A hypergraph file: this header, then the arrays in the order of its counts, each beginning at a multiple of eight.
namespace dragoman::graph {
namespace {

constexpr char kMagic[8] = {'D', 'r', 'a', 'g', 'H', 'y', 'p', '\n'};
constexpr std::uint32_t kVersion = 2;  // 1 knew single tails alone
constexpr std::size_t kArrays = 7;

struct Header {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint64_t n_source, n_features;
  std::uint64_t is_many_tailed;
  std::uint64_t sizes[kArrays];  // bytes of each array, without what fills it up to eight
  std::uint64_t hash;            // of the arrays
};
static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) % 8 == 0);

}  // namespace

Bytes Hypergraph::serialised() const {
  const std::string_view arrays[kArrays] = {bytes_of(arcs_),    bytes_of(arc_offsets_), bytes_of(tails_),
                                            bytes_of(phrases_), bytes_of(words_),       bytes_of(links_),
                                            bytes_of(features_)};
  Header header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.byte_order = kByteOrder;
  header.version = kVersion;
  header.n_source = n_source_;
  header.n_features = n_features_;
  header.is_many_tailed = is_many_tailed_;
  for (std::size_t i = 0; i < kArrays; ++i) {
    header.sizes[i] = arrays[i].size();
    header.hash = hash_bytes(arrays[i], header.hash);
  }
  Bytes file;
  file.append({reinterpret_cast<const char*>(&header), sizeof header});
  for (const auto array : arrays) {
    file.append(array);
    file.append(std::string_view("\0\0\0\0\0\0\0", filled_up(array.size()) - array.size()));
  }
  return file;
}

Hypergraph Hypergraph::loaded(std::string_view file) {
  Header header;
  if (file.size() < sizeof header || std::memcmp(file.data(), kMagic, sizeof kMagic) != 0) {
    throw data_error("this is no search hypergraph of Dragoman's.");
  }
  std::memcpy(&header, file.data(), sizeof header);
  if (header.byte_order != kByteOrder || header.version != kVersion) {
    throw data_error("the hypergraph has format " + std::to_string(header.version) +
                     " or another byte order; this version reads format " + std::to_string(kVersion) +
                     " of this machine. Translate again.");
  }
  std::uint64_t size = sizeof header;
  for (const auto each : header.sizes) size += each <= file.size() ? filled_up(each) : file.size();
  if (size != file.size()) {
    throw data_error("the hypergraph has " + std::to_string(file.size()) + " bytes and should have " +
                     std::to_string(size) + ". Copy it again, whole.");
  }
  Hypergraph graph;
  graph.n_source_ = header.n_source;
  graph.n_features_ = header.n_features;
  graph.is_many_tailed_ = header.is_many_tailed != 0;
  const char* place = file.data() + sizeof header;
  std::size_t number = 0;
  std::uint64_t hash = 0;
  const auto take = [&]<class T>(std::vector<T>& values) {
    const auto bytes = header.sizes[number++];
    hash = hash_bytes({place, bytes}, hash);
    values.resize(bytes / sizeof(T));
    if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), place, values.size() * sizeof(T));
    place += filled_up(bytes);
  };
  take(graph.arcs_);
  take(graph.arc_offsets_);
  take(graph.tails_);
  take(graph.phrases_);
  take(graph.words_);
  take(graph.links_);
  take(graph.features_);
  if (hash != header.hash) throw data_error("the hypergraph is damaged (its checksum differs). Copy it again.");
  graph.check();
  return graph;
}

/// A checksum can be forged, and a builder be told anything: nothing that an array says may lead outside another.
void Hypergraph::check() const {
  const auto require = [](bool holds) {
    if (!holds) throw data_error("the hypergraph is damaged (its arrays do not fit each other). Translate again.");
  };
  require(!phrases_.empty() && phrases_.back().first_word == words_.size() &&
          phrases_.back().first_link == links_.size());
  for (std::size_t i = 0; i + 1 < phrases_.size(); ++i) {
    require(phrases_[i].first_word <= phrases_[i + 1].first_word &&
            phrases_[i].first_link <= phrases_[i + 1].first_link);
    require(phrases_[i].begin < phrases_[i].end && phrases_[i].end <= n_source_);
  }
  require(is_many_tailed_ || (tails_.empty() && std::ranges::none_of(words_, is_gap)));
  require(arc_offsets_.empty() ? arcs_.empty() : arc_offsets_.front() == 0 && arc_offsets_.back() == arcs_.size());
  for (std::size_t i = 0; is_many_tailed_ && i < arcs_.size(); ++i) {
    require(arcs_[i].tail <= (i + 1 < arcs_.size() ? arcs_[i + 1].tail : tails_.size()));
  }
  std::vector<bool> filled;
  for (std::size_t node = 0; node < n_nodes(); ++node) {
    require(arc_offsets_[node] <= arc_offsets_[node + 1] && arc_offsets_[node + 1] <= arcs_.size());
    require((arc_offsets_[node] == arc_offsets_[node + 1]) == (node == 0));
    for (std::size_t i = arc_offsets_[node]; i < arc_offsets_[node + 1]; ++i) {
      require(arcs_[i].to == node && (arcs_[i].phrase == kNoPhrase || arcs_[i].phrase < n_phrases()));
      for (const auto tail : tails(i)) require(tail < node && (tail > 0 || !is_many_tailed_));
      if (!is_many_tailed_) continue;
      // Each tail is said once.
      filled.assign(tails(i).size(), false);
      const auto fill = [&](std::size_t k) {
        require(k < filled.size() && !filled[k]);
        filled[k] = true;
      };
      tell(i, fill, [](TokenId) {});
      require(std::ranges::all_of(filled, std::identity()));
    }
  }
  require(features_.size() == arcs_.size() * n_features_);
}

}  // namespace dragoman::graph
