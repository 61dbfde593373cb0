#include <algorithm>
#include <limits>

#include "dragoman/phrase/options.hpp"
#include "target.hpp"

namespace dragoman::phrase {

/// Lattices: every way from node to node that says a phrase of the tables. Ways that say the same are one option, the
/// best arcs'.
void OptionSet::collect_lattice(const Lattice& lattice, const Constraints& constraints) {
  constexpr std::size_t kMostWays = 20000;  // from one node; a broad network has more than anyone can look at
  std::size_t most_words = 1;
  for (const TableUse& use : engine_->tables()) most_words = std::max<std::size_t>(most_words, use.table->longest());
  std::vector<std::vector<Option*>> found(length_ * longest_);
  distances_.assign(length_ + 1, std::numeric_limits<int>::max() / 2);
  distances_[0] = 0;
  std::vector<std::size_t> first(length_ + 2, lattice.arcs.size());
  for (std::size_t i = lattice.arcs.size(); i-- > 0;) first[lattice.arcs[i].from] = i;
  for (std::size_t node = length_; node-- > 0;) first[node] = std::min(first[node], first[node + 1]);
  for (const auto& arc : lattice.arcs) distances_[arc.to] = std::min(distances_[arc.to], distances_[arc.from] + 1);
  has_levels_ = constraints.given.empty() && std::ranges::all_of(lattice.arcs, [&](const Lattice::Arc& arc) {
                  return arc.word != Lattice::kNothing && distances_[arc.to] == distances_[arc.from] + 1;
                });

  // What a target or an annotation decides holds in this sentence alone.
  const Target* const target = constraints.target ? &*constraints.target : nullptr;
  const bool exact = target && !target->prefix;
  const bool is_shared = target == nullptr && !engine_->reads_layer();
  std::vector<TokenId> words;
  std::vector<std::uint16_t> places;  // of the words, where the lattice knows them
  std::size_t n_ways = 0;
  const auto walk = [&](const auto& again, std::size_t begin, std::size_t node, float score,
                        std::size_t n_arcs) -> void {
    for (std::size_t i = first[node]; i < lattice.arcs.size() && lattice.arcs[i].from == node; ++i) {
      const auto& arc = lattice.arcs[i];
      if (++n_ways > kMostWays && n_arcs > 0) return;
      const bool says = arc.word != Lattice::kNothing;
      if (says && words.size() == most_words) continue;
      if (says) {
        words.push_back(arc.word);
        places.push_back(arc.place == Lattice::kNoPlace ? arc.from : arc.place);
      }
      const Span span{static_cast<std::uint16_t>(begin), arc.to};
      const float sum = score + arc.score;
      if (!is_closed(span, &constraints)) {
        candidates_.clear();
        if (!words.empty()) (is_shared ? add_known(span, words, sum) : add_translations(span, words, sum));
        if (n_arcs == 0 && !says) add_nothing(span, sum);
        if (n_arcs == 0 && says && candidates_.empty()) add_unknown(span, words, i, sum, limits_->drop_unknown);
        if (exact) std::erase_if(candidates_, [&](const Option* option) { return !occurs(*target, *option); });
        if (target && target->artificial && n_arcs == 0 && says) add_unknown(span, words, i, sum, true);
        if (!candidates_.empty()) {
          const auto own_places = arena_.make<std::uint16_t>(places.size());
          std::ranges::copy(places, own_places.begin());
          for (Option* option : candidates_) option->places = own_places;
        }
        auto& there = found[begin * longest_ + (arc.to - begin - 1U)];
        there.insert(there.end(), candidates_.begin(), candidates_.end());
      }
      again(again, begin, arc.to, sum, n_arcs + 1);
      if (says) {
        words.pop_back();
        places.pop_back();
      }
    }
  };
  for (std::size_t begin = 0; begin < length_; ++begin) {
    n_ways = 0;
    walk(walk, begin, begin, 0, 0);
  }
  for (std::size_t begin = 0; begin < length_; ++begin) {
    for (std::size_t end = begin + 1; end <= std::min(length_, begin + longest_); ++end) {
      candidates_ = found[begin * longest_ + (end - begin - 1)];
      std::ranges::stable_sort(candidates_, better_option);
      std::vector<Option*> kept;
      for (Option* option : candidates_) {
        if (kept.size() == limits_->options_per_phrase && !exact) break;
        // Who is told the translation asks by which phrases it comes about: those of two ways are two.
        const auto same = [&](const Option* other) {
          return other->table == option->table &&
                 std::ranges::equal(other->translation.words, option->translation.words) &&
                 (!exact || other->translation.scores.data() == option->translation.scores.data());
        };
        if (std::ranges::none_of(kept, same)) kept.push_back(option);
      }
      candidates_ = std::move(kept);
      for (const Given& given : constraints.given) {
        if (given.span == Span{static_cast<std::uint16_t>(begin), static_cast<std::uint16_t>(end)})
          add_given(given, {});
      }
      std::ranges::stable_sort(candidates_, better_option);
      close_cell(begin, end);
    }
  }
}

/// Many ways of a lattice say the same words: their translations are looked at once, and of each way only as many as
/// its span can have in the end.
void OptionSet::add_known(Span span, std::span<const TokenId> source, float arc_score) {
  const auto key = key_of(source);
  if (!key) return;
  const auto found = known_.find(*key);
  std::span<const Option> known;
  if (found != known_.end()) {
    known = found->second;
  } else {
    add_translations(span, source, 0);
    std::ranges::stable_sort(candidates_, better_option);
    if (candidates_.size() > limits_->options_per_phrase) candidates_.resize(limits_->options_per_phrase);
    known = remember(*key);
    candidates_.clear();
  }
  const auto said = own(source);
  std::span<float> value;
  float more = 0, more_future = 0;
  if (arc_score != 0 && engine_->n_given() > 0) {
    value = arena_.make<float>(1);
    value[0] = arc_score;
    const auto at = engine_->given_at();
    more = weights_[at] * arc_score;
    more_future = (limits_->future_weights.empty() ? weights_ : limits_->future_weights)[at] * arc_score;
  }
  const auto copies = arena_.make<Option>(known.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    copies[i] = known[i];
    copies[i].span = span;
    copies[i].source = said;
    copies[i].given = value;
    copies[i].fixed += more;
    copies[i].future += more_future;
    candidates_.push_back(&copies[i]);
  }
}

}  // namespace dragoman::phrase
