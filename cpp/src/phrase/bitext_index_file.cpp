#include <algorithm>
#include <bit>
#include <limits>
#include <mutex>

#include "bitext_segment.hpp"
#include "dragoman/core/file_header.hpp"

// An index file: this header, then the arrays in the order of their sizes, each beginning at a multiple of eight.
namespace dragoman::phrase {
namespace {

constexpr FileKind kIndexKind{"DragIdx\n", 1, "bitext index",
                              "this is no bitext index of Dragoman's. Make one with: dragoman smt index."};

struct IndexHeader {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint32_t longest;
  std::uint32_t orientation;
  std::uint64_t file_size;
  std::uint64_t n_instances;
  std::uint64_t orientations[6];
  std::uint64_t sizes[13];    // bytes of each array, without what fills it up to eight
  std::uint64_t header_hash;  // of all before it
};

constexpr TokenId kMostWord = std::numeric_limits<TokenId>::max() - 2;  // pairs of words are counted by number + 2

/// Whether sentences cut the text, each ends in kEnd, and every sorted place is that of a word.
bool is_inside(const SuffixText& text) {
  const auto n = text.n_sentences();
  if (!cuts(text.starts, text.words.size()) || text.sentences.size() != text.words.size() ||
      text.suffixes.size() != text.words.size() - n) {
    return false;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (text.starts[i] == text.starts[i + 1]) return false;
    for (std::size_t place = text.starts[i]; place < text.starts[i + 1]; ++place) {
      const bool is_end = place + 1 == text.starts[i + 1];
      const TokenId word = text.words[place];
      if (text.sentences[place] != i || (is_end ? word != SuffixText::kEnd : word < 0 || word > kMostWord))
        return false;
    }
  }
  return std::ranges::all_of(text.suffixes,
                             [&](std::uint32_t place) { return place < text.words.size() && text.words[place] >= 0; });
}

/// Whether a free slot ends every search, and no pair is of words without a total.
bool counts_fit(const LexicalCounts::Arrays& lexicon) {
  if (lexicon.slots.empty()) return true;
  bool has_free = false;
  for (const auto& slot : lexicon.slots) {
    const std::uint64_t source = slot.key >> 32, target = slot.key & 0xFFFFFFFF;  // words + 2
    has_free = has_free || slot.key == 0;
    if (slot.key != 0 && (source == 0 || source > lexicon.source_totals.size() || target == 0 ||
                          target > lexicon.target_totals.size())) {
      return false;
    }
  }
  return has_free && std::has_single_bit(lexicon.slots.size());
}

/// Whether all links are between words of one sentence pair.
template <class Segment>
bool links_fit(const Segment& base) {
  const PointsView& points = base.points;
  if (base.source.n_sentences() != base.target.n_sentences() || points.offsets.size() != base.source.words.size() + 1 ||
      !cuts(points.offsets, points.targets.size())) {
    return false;
  }
  for (std::size_t i = 0; i < base.n_pairs(); ++i) {
    const auto n_target = base.target.length(i);
    const auto begin = points.at(base.source.starts[i]), end = points.at(base.source.starts[i + 1]);
    for (auto p = begin; p < end; ++p) {
      if (points.target(p) >= n_target) return false;
    }
  }
  return true;
}

std::size_t n_words_of(const SuffixText& text) {
  return text.words.empty() ? 0 : static_cast<std::size_t>(std::ranges::max(text.words) + 1);
}

}  // namespace

std::array<std::size_t, 2> BitextIndex::n_words() const {
  const std::shared_lock lock(mutex_);
  return {n_words_of(base_->source), n_words_of(base_->target)};
}

Bytes BitextIndex::serialised() {
  const std::unique_lock lock(mutex_);
  merge();
  lexicon_->gather();
  const auto lexicon = lexicon_->arrays();
  const Segment& base = *base_;
  const std::string_view arrays[] = {
      bytes_of(base.source.words),     bytes_of(base.source.starts),   bytes_of(base.source.sentences),
      bytes_of(base.source.suffixes),  bytes_of(base.target.words),    bytes_of(base.target.starts),
      bytes_of(base.target.sentences), bytes_of(base.target.suffixes), bytes_of(base.points.offsets),
      bytes_of(base.points.targets),   bytes_of(lexicon.slots),        bytes_of(lexicon.source_totals),
      bytes_of(lexicon.target_totals)};
  auto header = new_header<IndexHeader>(kIndexKind);
  static_assert(std::size(arrays) == std::size(header.sizes));
  header.longest = longest_;
  header.orientation = static_cast<std::uint32_t>(orientation_);
  header.n_instances = n_instances_;
  for (unsigned f = 0; f < 6; ++f) header.orientations[f] = orientations_[f];
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

std::unique_ptr<BitextIndex> BitextIndex::on_file(std::string_view file, std::shared_ptr<const void> owner) {
  const auto header = read_header<IndexHeader>(file, kIndexKind);
  const bool sound = header.longest >= 1 && header.longest <= 255 &&
                     header.orientation <= static_cast<std::uint32_t>(Orientation::hierarchical);
  check_header(header, file, kIndexKind, sound, size_with(sizeof header, header.sizes, file));
  std::unique_ptr<BitextIndex> index(new BitextIndex(header.longest, static_cast<Orientation>(header.orientation)));
  const char* place = file.data() + sizeof header;
  std::size_t number = 0;
  const auto take = [&]<class T>(std::span<const T>& values) {
    values = {reinterpret_cast<const T*>(place), header.sizes[number] / sizeof(T)};
    place += filled_up(header.sizes[number++]);
  };
  Segment& base = *index->base_;
  for (SuffixText* text : {&base.source, &base.target}) {
    take(text->words);
    take(text->starts);
    take(text->sentences);
    take(text->suffixes);
  }
  take(base.points.offsets);
  take(base.points.targets);
  LexicalCounts::Arrays lexicon;
  take(lexicon.slots);
  take(lexicon.source_totals);
  take(lexicon.target_totals);
  check_arrays(is_inside(base.source) && is_inside(base.target) && links_fit(base) && counts_fit(lexicon), kIndexKind);
  index->lexicon_ = std::make_unique<LexicalCounts>(lexicon);
  index->n_instances_ = header.n_instances;
  for (unsigned f = 0; f < 6; ++f) index->orientations_[f] = header.orientations[f];
  index->owner_ = std::move(owner);
  return index;
}

}  // namespace dragoman::phrase
