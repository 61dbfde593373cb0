#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

/// Several translations of one sentence, word by word beside each other, and what is read from them together.
namespace dragoman::combine {

using Word = std::int32_t;

inline constexpr Word kNull = -1;   // the system has no word in this link
inline constexpr Word kUnset = -2;  // the system has not been aligned yet

/// A confusion network: links one behind the other, in each of which every system has a word or none. The arcs of a
/// link are its different words. `Word`s are whatever the caller numbers.
class Network {
 public:
  /// The network of one translation.
  Network(std::size_t n_systems, std::size_t system, std::span<const Word> skeleton);
  /// A finished one: (links, systems).
  Network(std::size_t n_systems, std::vector<Word> words)
      : n_systems_(n_systems), words_(std::move(words)), there_(n_systems, true) {}

  std::size_t n_systems() const noexcept { return n_systems_; }
  std::size_t n_links() const noexcept { return words_.size() / n_systems_; }
  std::span<const Word> link(std::size_t i) const noexcept {
    return std::span(words_).subspan(i * n_systems_, n_systems_);
  }
  std::span<const Word> words() const noexcept { return words_; }

  /// A word of a translation in its place: in a link, or in one of its own behind what came before.
  struct Place {
    Word word;
    std::int32_t link;  // kNewLink
  };
  static constexpr std::int32_t kNewLink = -1;

  /// Add a translation, its words in the order of the links; a link none stands in gets no word of this system.
  void add(std::size_t system, std::span<const Place> places);

 private:
  std::size_t n_systems_;
  std::vector<Word> words_;  // link by link
  std::vector<bool> there_;  // by system
};

}  // namespace dragoman::combine
