#include <algorithm>
#include <mutex>
#include <string>

#include "dragoman/memory/index.hpp"

namespace dragoman::memory {

namespace {

/// The words of a vocabulary that a part of what is looked for may be.
class Pattern {
 public:
  /// A whole word.
  Pattern(const Side& side, std::string_view part) : only_(side.find(part)) {
    if (only_ != text::kNoToken) add(side, only_);
  }

  /// The end of a word, its beginning, or, if both are open, anything in it.
  Pattern(const Side& side, std::string_view part, bool open_begin, bool open_end) : fits_(side.n_words()) {
    for (std::size_t i = 0; i < fits_.size(); ++i) {
      const auto token = static_cast<TokenId>(i);
      const std::string_view word = side.word(token);
      if (word.size() < part.size() || side.kind(token) == WordKind::kCode) continue;
      fits_[i] = open_begin && open_end ? word.find(part) != word.npos
                 : open_begin           ? word.ends_with(part)
                                        : word.starts_with(part);
      if (fits_[i]) add(side, token);
    }
  }

  bool fits(TokenId token) const noexcept {
    return fits_.empty() ? token == only_ : fits_[static_cast<std::size_t>(token)];
  }
  std::size_t n_units() const noexcept { return n_units_; }

  /// Call `use(unit)` for the units that have such a word, newest first, while it returns true.
  template <class Use>
  void for_each_unit(const Side& side, const Use& use) const {
    if (tokens_.size() == 1) {
      const auto units = side.units_with(tokens_.front());
      for (std::size_t i = units.size(); i-- > 0;) {
        if (!use(units[i])) return;
      }
    } else if (n_units_ > side.size() / 4) {
      for (auto unit = static_cast<Slot>(side.size()); unit-- > 0;) {
        if (!use(unit)) return;
      }
    } else {
      std::vector<Slot> units;
      for (const TokenId token : tokens_)
        units.insert(units.end(), side.units_with(token).begin(), side.units_with(token).end());
      std::ranges::sort(units, std::greater{});
      units.erase(std::unique(units.begin(), units.end()), units.end());
      for (const Slot unit : units) {
        if (!use(unit)) return;
      }
    }
  }

 private:
  void add(const Side& side, TokenId token) {
    tokens_.push_back(token);
    n_units_ += side.units_with(token).size();
  }

  TokenId only_ = text::kNoToken;
  std::vector<bool> fits_;  // by token; empty if it is one word
  std::vector<TokenId> tokens_;
  std::size_t n_units_ = 0;
};

using Places = std::vector<std::pair<std::size_t, std::size_t>>;

/// Where the parts stand one behind the other, codes between them passed over; places do not overlap.
Places phrase_places(const Side& side, std::span<const TokenId> tokens, const std::vector<Pattern>& parts) {
  Places places;
  for (std::size_t begin = 0; begin < tokens.size(); ++begin) {
    std::size_t at = begin, part = 0;
    while (at < tokens.size() && part < parts.size()) {
      if (parts[part].fits(tokens[at])) {
        ++part;
      } else if (part == 0 || side.kind(tokens[at]) != WordKind::kCode) {
        break;
      }
      ++at;
    }
    if (part < parts.size()) continue;
    places.emplace_back(begin, at);
    begin = at - 1;
  }
  return places;
}

/// Where the words stand, if all are there.
Places word_places(std::span<const TokenId> tokens, const std::vector<Pattern>& parts) {
  const auto has = [&](const Pattern& part) {
    return std::ranges::any_of(tokens, [&](TokenId token) { return part.fits(token); });
  };
  Places places;
  if (!std::ranges::all_of(parts, has)) return places;
  for (std::size_t at = 0; at < tokens.size(); ++at) {
    if (std::ranges::any_of(parts, [&](const Pattern& part) { return part.fits(tokens[at]); }))
      places.emplace_back(at, at + 1);
  }
  return places;
}

std::vector<Pattern> patterns(const Side& side, std::string_view text, Mode mode) {
  std::vector<std::string> parts;
  for_each_word(text, [&](const Word& word) {
    if (word.kind == WordKind::kCode) return;
    parts.emplace_back();
    fold(text, word, parts.back());
  });
  std::vector<Pattern> patterns;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const bool begin_open = mode == Mode::kPhrase && i == 0, end_open = mode == Mode::kPhrase && i + 1 == parts.size();
    if (begin_open || end_open) {
      patterns.emplace_back(side, parts[i], begin_open, end_open);
    } else {
      patterns.emplace_back(side, parts[i]);
    }
  }
  return patterns;
}

}  // namespace

std::vector<Hit> Index::concordance(std::string_view text, Which which, Mode mode, std::size_t most) const {
  const std::shared_lock held(lock_);
  const Side& side = which == Which::kSource ? source_ : target_;
  const std::vector<Pattern> parts = patterns(side, text, mode);
  std::vector<Hit> hits;
  if (parts.empty() || most == 0) return hits;
  const auto& rarest = *std::ranges::min_element(parts, {}, &Pattern::n_units);
  if (rarest.n_units() == 0) return hits;
  rarest.for_each_unit(side, [&](Slot unit) {
    if (removed_[unit]) return true;
    const auto tokens = side.tokens(unit);
    auto places = mode == Mode::kWords ? word_places(tokens, parts) : phrase_places(side, tokens, parts);
    if (!places.empty()) {
      hits.push_back({ids_[unit], std::string(source_.text(unit)), std::string(target_.text(unit)), std::move(places)});
    }
    return hits.size() < most;
  });
  return hits;
}

}  // namespace dragoman::memory
