#include "dragoman/combine/network.hpp"

#include <algorithm>

namespace dragoman::combine {

Network::Network(std::size_t n_systems, std::size_t system, std::span<const Word> skeleton)
    : n_systems_(n_systems), words_(n_systems * skeleton.size(), kUnset), there_(n_systems) {
  for (std::size_t i = 0; i < skeleton.size(); ++i) words_[i * n_systems + system] = skeleton[i];
  there_[system] = true;
}

void Network::add(std::size_t system, std::span<const Place> places) {
  std::vector<Word> grown;
  grown.reserve(words_.size() + places.size());
  std::size_t next = 0;
  const auto copy_link = [&](Word word) {
    const auto old = link(next++);
    grown.insert(grown.end(), old.begin(), old.end());
    grown[grown.size() - n_systems_ + system] = word;
  };
  for (const Place& place : places) {
    if (place.link == kNewLink) {
      for (std::size_t k = 0; k < n_systems_; ++k) grown.push_back(there_[k] ? kNull : kUnset);
      grown[grown.size() - n_systems_ + system] = place.word;
      continue;
    }
    while (next < static_cast<std::size_t>(place.link)) copy_link(kNull);
    copy_link(place.word);
  }
  while (next < n_links()) copy_link(kNull);
  words_ = std::move(grown);
  there_[system] = true;
}

}  // namespace dragoman::combine
