#include "dragoman/chart/moses_rules.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "dragoman/core/errors.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::chart {
namespace {

using text::WordTable;

constexpr float kLowest = -100.0F;  // of a logarithm, as in phrase tables
constexpr TokenId kAnyGap = text::kNoToken;
constexpr std::size_t kLeastFields = 3, kMostFields = 6;

/// What a message shows of a line.
std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 60;
  if (text.size() <= kMost) return "'" + std::string(text) + "'";
  std::size_t end = kMost;
  while ((static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return "'" + std::string(text.substr(0, end)) + "…'";
}

bool is_bracketed(std::string_view token) { return token.size() > 1 && token.front() == '[' && token.back() == ']'; }

bool is_label(std::string_view name) { return !name.empty() && name.find_first_of("[]") == name.npos; }

/// The names in `[X][NP]`; throws if they are none.
std::pair<std::string_view, std::string_view> names_of(std::string_view gap) {
  const auto middle = gap.find("][");
  if (middle != gap.npos) {
    const auto source = gap.substr(1, middle - 1), target = gap.substr(middle + 2, gap.size() - middle - 3);
    if (is_label(source) && is_label(target)) return {source, target};
  }
  throw data_error(quoted(gap) + " is no gap; one has the labels of both sides, as [X][X].");
}

/// The number of the word that a token stands for.
TokenId word_of(std::string_view token, WordTable& words) {
  if (token.starts_with("&#")) {
    for (const auto& [escape, character] :
         {std::pair<std::string_view, char>{"&#91;", '['}, {"&#124;", '|'}, {"&#38;", '&'}}) {
      if (token.starts_with(escape)) return words.add(character + std::string(token.substr(escape.size())));
    }
  }
  return words.add(token);
}

double number_of(std::string_view token, const std::string& what, double low) {
  const std::string_view digits = token.starts_with('+') ? token.substr(1) : token;
  double value = NAN;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(digits).c_str(), nullptr);
  if (error == std::errc::invalid_argument || end != digits.data() + digits.size() || !std::isfinite(value) ||
      value < low) {
    throw data_error("the " + what + " is " + quoted(token) + "; expected a number" + (low == 0 ? " from 0 on." : "."));
  }
  return value;
}

/// One of the two numbers of a link.
bool read_place(std::string_view digits, std::size_t& place) {
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), place);
  return error == std::errc() && end == digits.data() + digits.size() && digits.size() <= 4;
}

/// A side without the label behind it, which has its brackets.
std::string_view take_whole(std::span<const std::string_view>& side, const char* which) {
  if (side.size() > 1 && is_bracketed(side.back()) && is_label(side.back().substr(1, side.back().size() - 2))) {
    const auto whole = side.back();
    side = side.first(side.size() - 1);
    if (side.size() <= kMostSymbols) return whole;
    throw data_error("the " + std::string(which) + " side has " + std::to_string(side.size()) +
                     " symbols; a rule has at most " + std::to_string(kMostSymbols) + ".");
  }
  std::string found;
  for (const auto token : side) (found.empty() ? found : found += ' ') += token;
  throw data_error("the " + std::string(which) + " side is " + quoted(found) +
                   "; expected words and gaps, and a label as [X] behind them.");
}

/// The words of a table from one on, as lines.
class NewWords final : public text::LineSource {
 public:
  NewWords(const WordTable& words, std::size_t first) : words_(words), first_(std::min(first, words.size())) {}
  std::size_t size() const noexcept override { return words_.size() - first_; }
  std::string_view line(std::size_t i, Bytes&) const override { return words_.word(static_cast<TokenId>(first_ + i)); }

 private:
  const WordTable& words_;
  std::size_t first_;
};

std::vector<std::string> words_of(const WordTable& table) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < table.size(); ++i) words.emplace_back(table.word(static_cast<TokenId>(i)));
  return words;
}

}  // namespace

MosesRules::MosesRules(const text::Vocabulary& source, const text::Vocabulary& target,
                       const std::vector<std::string>& named) {
  source.for_each_word([&](std::string_view word) { source_words_.add(word); });
  target.for_each_word([&](std::string_view word) { target_words_.add(word); });
  for (const std::string& name : named) named_.add(name);
}

void MosesRules::add(std::string_view lines) {
  while (!lines.empty()) {
    const auto end = std::min(lines.find('\n'), lines.size());
    ++n_lines_;
    add_line(lines.substr(0, end));
    lines.remove_prefix(std::min(end + 1, lines.size()));
  }
}

void MosesRules::add_line(std::string_view line) {
  auto& fields = fields_of(line);
  const auto source_whole = take_whole(fields[0], "source"), target_whole = take_whole(fields[1], "target");
  read_links(fields.size() > 3 ? fields[3] : Tokens(), fields[0].size(), fields[1].size());
  read_side(fields[0], source_words_, source_);
  read_side(fields[1], target_words_, target_);
  link_gaps();
  read_scores(fields[2], fields.size() > 5 ? fields[5] : Tokens());
  if (fields.size() > 4) {
    for (const auto token : fields[4]) number_of(token, "count", 0);
  }
  for (TokenId& symbol : source_.symbols) {
    if (is_gap_symbol(symbol))
      symbol = gap_symbol(label(fields[0][static_cast<std::size_t>(&symbol - source_.symbols.data())]));
  }
  spelt_.assign(source_whole).append(target_whole);
  builder_->add(source_.symbols, {label(spelt_), target_.symbols, word_links_}, scores_);
}

/// The tokens of each field, the last ones left out where they are empty.
std::vector<MosesRules::Tokens>& MosesRules::fields_of(std::string_view line) {
  tokens_.clear();
  fields_.clear();
  text::split(line, [&](std::string_view token) { tokens_.push_back(token); });
  for (auto begin = tokens_.begin();;) {
    const auto end = std::find(begin, tokens_.end(), "|||");
    fields_.emplace_back(begin, end);
    if (end == tokens_.end()) break;
    begin = end + 1;
  }
  while (fields_.size() > kLeastFields && fields_.back().empty()) fields_.pop_back();
  if (fields_.size() < kLeastFields || fields_.size() > kMostFields) {
    throw data_error("the line has " + std::to_string(fields_.size()) + " fields between '|||'; a rule has 3 to 6.");
  }
  return fields_;
}

/// Words by number; gaps, which are looked at, by any label.
void MosesRules::read_side(Tokens tokens, WordTable& words, Side& side) const {
  side.symbols.clear();
  side.places.clear();
  for (const auto token : tokens) {
    if (is_bracketed(token)) {
      if (spelt_labels_.find(token) == text::kNoToken) names_of(token);
      side.places.push_back(static_cast<std::uint8_t>(side.symbols.size()));
      side.symbols.push_back(kAnyGap);
    } else {
      side.symbols.push_back(word_of(token, words));
    }
  }
}

void MosesRules::read_links(Tokens tokens, std::size_t n_source, std::size_t n_target) {
  links_.clear();
  for (const auto token : tokens) {
    const auto middle = token.find('-');
    std::size_t source = 0, target = 0;
    if (middle == token.npos || !read_place(token.substr(0, middle), source) ||
        !read_place(token.substr(middle + 1), target)) {
      throw data_error(quoted(token) + " is no link; one is 0-1, source and target.");
    }
    if (source >= n_source || target >= n_target) {
      throw data_error("the link " + std::string(token) + " lies outside of a rule with " + std::to_string(n_source) +
                       " and " + std::to_string(n_target) + " symbols.");
    }
    links_.push_back({static_cast<std::uint8_t>(source), static_cast<std::uint8_t>(target)});
  }
  const auto key = [](Link link) { return link.source << 8 | link.target; };
  if (!std::ranges::is_sorted(links_, {}, key)) std::ranges::sort(links_, {}, key);
  links_.erase(std::unique(links_.begin(), links_.end()), links_.end());
}

/// Give each gap of the target the number of the source's that it is linked to, and leave the links of words.
void MosesRules::link_gaps() {
  word_links_.clear();
  std::size_t n_linked = 0;
  int last = -1;  // gap of the source: links are sorted by it
  const Tokens source = fields_[0], target = fields_[1];
  const auto shown = [](Link link) { return std::to_string(link.source) + "-" + std::to_string(link.target); };
  for (const Link link : links_) {
    const bool by_gap = is_gap_symbol(source_.symbols[link.source]);
    if (by_gap != is_gap_symbol(target_.symbols[link.target])) {
      throw data_error("the link " + shown(link) + " joins a word and a gap.");
    }
    if (!by_gap) {
      word_links_.push_back(link);
      continue;
    }
    TokenId& symbol = target_.symbols[link.target];
    if (symbol != kAnyGap || link.source == last || source[link.source] != target[link.target]) {
      throw data_error("the gaps of the link " + shown(link) + " have other labels, or one of them a second link.");
    }
    symbol =
        graph::gap(static_cast<std::size_t>(std::ranges::find(source_.places, link.source) - source_.places.begin()));
    last = link.source;
    ++n_linked;
  }
  if (n_linked != source_.places.size() || n_linked != target_.places.size()) {
    throw data_error(std::to_string(source_.places.size()) + " gaps in the source, " +
                     std::to_string(target_.places.size()) + " in the target and " + std::to_string(n_linked) +
                     " links between them; expected one link for each pair of gaps in the alignment.");
  }
}

void MosesRules::read_scores(Tokens scores, Tokens named) {
  scores_.clear();
  for (const auto token : scores) {
    scores_.push_back(std::max(kLowest, static_cast<float>(std::log(number_of(token, "score", 0)))));
  }
  if (!builder_) {
    n_scores_ = scores_.size();
    builder_.emplace(n_scores_ + named_.size());
  }
  if (scores_.size() != n_scores_) {
    throw data_error("the rule has " + std::to_string(scores_.size()) + " scores, those before it " +
                     std::to_string(n_scores_) + ".");
  }
  if (named.size() % 2 != 0) throw data_error("sparse features come in pairs of name and value.");
  scores_.resize(n_scores_ + named_.size(), 0.0F);
  for (std::size_t i = 0; i < named.size(); i += 2) {
    const double value = number_of(named[i + 1], "feature " + std::string(named[i]), -HUGE_VAL);
    const TokenId column = named_.find(named[i]);
    if (column != text::kNoToken)
      scores_[n_scores_ + static_cast<std::size_t>(column)] = std::max(kLowest, static_cast<float>(value));
  }
}

Label MosesRules::label(std::string_view spelt) {
  const auto number = static_cast<std::size_t>(spelt_labels_.add(spelt));
  if (number == labels_.size()) {
    const auto [source, target] = names_of(spelt);
    labels_.emplace_back(source_names_.add(source), target_names_.add(target));
  }
  return static_cast<Label>(number);
}

std::unique_ptr<RuleTable> MosesRules::finish(text::Vocabulary& source, text::Vocabulary& target, bool quantised) {
  source.declare(NewWords(source_words_, source.size()));
  target.declare(NewWords(target_words_, target.size()));
  if (!builder_) builder_.emplace(named_.size());
  return builder_->finish(
      labels_, {source_words_.size(), target_words_.size(), source_names_.size(), target_names_.size()}, quantised);
}

std::pair<std::vector<std::string>, std::vector<std::string>> MosesRules::label_names() const {
  return {words_of(source_names_), words_of(target_names_)};
}

}  // namespace dragoman::chart
