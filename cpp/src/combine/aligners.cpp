#include "dragoman/combine/aligners.hpp"

#include <algorithm>

namespace dragoman::combine {

EditTable edit_table(const Network& network, std::span<const Word> hyp, const Likeness& likeness) {
  EditTable table{hyp.size(), network.n_links(), {}, {}};
  table.replace.assign(hyp.size() * network.n_links(), EditTable::kInsert);
  table.skip.resize(network.n_links());
  std::vector<Word> words;
  for (std::size_t link = 0; link < network.n_links(); ++link) {
    words.clear();
    std::size_t n_there = 0, n_words = 0;
    for (const Word word : network.link(link)) {
      n_there += word != kUnset;
      n_words += word >= 0;
      if (word >= 0 && std::ranges::find(words, word) == words.end()) words.push_back(word);
    }
    table.skip[link] = static_cast<float>(n_words) / static_cast<float>(n_there);
    for (std::size_t i = 0; i < hyp.size(); ++i) {
      float& cost = table.replace[i * table.n_links + link];
      for (const Word word : words) cost = std::min(cost, likeness.cost(word, hyp[i]));
    }
  }
  return table;
}

float edit_distance(const EditTable& table) {
  std::vector<float> row(table.n_links + 1);
  for (std::size_t k = 0; k < table.n_links; ++k) row[k + 1] = row[k] + table.skip[k];
  for (std::size_t i = 0; i < table.n_words; ++i) {
    float diagonal = row[0];
    row[0] += EditTable::kInsert;
    for (std::size_t k = 0; k < table.n_links; ++k) {
      const float replaced = diagonal + table.of(i, k);
      diagonal = row[k + 1];
      row[k + 1] = std::min({replaced, diagonal + EditTable::kInsert, row[k] + table.skip[k]});
    }
  }
  return row.back();
}

Steps steps_of(std::span<const std::int32_t> links) {
  struct Placed {
    std::int32_t near;  // link, or that of the left neighbour
    Step step;
  };
  std::vector<Placed> placed;
  std::int32_t near = Network::kNewLink;
  for (std::size_t i = 0; i < links.size(); ++i) {
    if (links[i] != Network::kNewLink) near = links[i];
    placed.push_back({near, {static_cast<std::int32_t>(i), links[i]}});
  }
  std::ranges::stable_sort(placed, {}, &Placed::near);
  Steps steps;
  for (const Placed& each : placed) steps.push_back(each.step);
  return steps;
}

}  // namespace dragoman::combine
