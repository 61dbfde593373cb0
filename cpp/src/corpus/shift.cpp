#include "dragoman/corpus/shift.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>

#include "dragoman/core/errors.hpp"
#include "dragoman/corpus/hashing.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::corpus {
namespace {

constexpr std::size_t kPrefix = 5;        // letters of a word that must agree; cognates differ in their endings
constexpr std::size_t kShortestWord = 4;  // letters

/// A line as the fit sees it: its length and its anchors, sorted, each once.
struct Seen {
  double log_length;
  std::vector<std::uint64_t> anchors;
};

/// The digit that a decimal digit of any script stands for. Unicode lays them out in runs of ten from zero on.
char ascii_digit(char32_t code) noexcept {
  if (code < 0x80) return static_cast<char>(code);
  char32_t first = code;
  while (text::has(first - 1, text::kDecimal)) --first;
  return static_cast<char>('0' + (code - first) % 10);
}

/// The ASCII mark that a mark of another script is the counterpart of; 0 for what is no anchor.
char plain_mark(char32_t code) noexcept {
  switch (code) {
    case U'?':
    case U'\uFF1F':
    case U'\u061F':
    case U'\u037E':
      return '?';
    case U'!':
    case U'\uFF01':
      return '!';
    case U':':
    case U'\uFF1A':
      return ':';
    case U'.':
    case U'\u3002':
    case U'\u0964':
    case U'\u06D4':
    case U'\uFF0E':
      return '.';
    default:
      return 0;
  }
}

char paired_mark(char32_t code) noexcept {
  switch (code) {
    case U'(':
    case U'\uFF08':
      return '(';
    case U'"':
    case U'\u201C':
    case U'\u201D':
    case U'\u201E':
    case U'\u00AB':
    case U'\u00BB':
    case U'\u300C':
      return '"';
    case U'%':
    case U'\uFF05':
      return '%';
    default:
      return 0;
  }
}

class AnchorFinder {
 public:
  Seen look(std::string_view line) {
    Seen seen;
    std::size_t characters = 0;
    char32_t last = 0;  // the last character that is neither space nor quotation mark nor bracket
    const char* p = line.data();
    const char* const end = p + line.size();
    while (p < end) {
      const char32_t code = text::decode(p);
      const auto properties = text::properties(code);
      ++characters;
      if (properties & (text::kAlphabetic | text::kMark)) {
        if (letters_++ < kPrefix) text::append(word_, code);
        end_number(seen);
      } else if (properties & text::kDecimal) {
        number_.push_back(ascii_digit(code));
        end_word(seen);
      } else {
        end_word(seen);
        end_number(seen);
        if (const char mark = paired_mark(code)) add(seen, 'm', std::string_view(&mark, 1));
      }
      if (!(properties & text::kWhiteSpace) && paired_mark(code) == 0 && code != U')' && code != U'\u300D') last = code;
    }
    end_word(seen);
    end_number(seen);
    if (const char mark = plain_mark(last)) add(seen, 'e', std::string_view(&mark, 1));
    std::ranges::sort(seen.anchors);
    const auto doubled = std::ranges::unique(seen.anchors);
    seen.anchors.erase(doubled.begin(), doubled.end());
    seen.log_length = std::log(static_cast<double>(characters) + 1.0);
    return seen;
  }

 private:
  void end_word(Seen& seen) {
    if (letters_ >= kShortestWord) add(seen, 'w', word_);
    letters_ = 0;
    word_.clear();
  }

  void end_number(Seen& seen) {
    if (!number_.empty()) add(seen, 'n', number_);
    number_.clear();
  }

  /// The kind goes into the hash, so that the number 1914 and the word 1914 do not meet.
  static void add(Seen& seen, char kind, std::string_view bytes) {
    seen.anchors.push_back(hash_pair(static_cast<unsigned char>(kind), hash_bytes(bytes)));
  }

  std::string word_;
  std::string number_;
  std::size_t letters_ = 0;
};

std::vector<Seen> look_all(std::span<const std::string_view> lines) {
  std::vector<Seen> seen;
  seen.reserve(lines.size());
  AnchorFinder finder;
  for (const auto line : lines) seen.push_back(finder.look(line));
  return seen;
}

/// The weight of each anchor that both sides have: log(lines / lines with it), on the side that has it more often.
using Weights = std::unordered_map<std::uint64_t, double>;

Weights weigh(const std::vector<Seen>& sources, const std::vector<Seen>& targets, double share) {
  struct Frequency {
    std::uint32_t source = 0;
    std::uint32_t target = 0;
  };
  std::unordered_map<std::uint64_t, Frequency> frequencies;
  for (const auto& line : sources) {
    for (const auto anchor : line.anchors) ++frequencies[anchor].source;
  }
  for (const auto& line : targets) {
    for (const auto anchor : line.anchors) {
      const auto place = frequencies.find(anchor);
      if (place != frequencies.end()) ++place->second.target;
    }
  }
  Weights weights;
  const auto n = static_cast<double>(sources.size());
  for (const auto& [anchor, frequency] : frequencies) {
    if (frequency.target == 0) continue;
    const auto in_lines = static_cast<double>(std::max(frequency.source, frequency.target));
    if (in_lines <= std::max(1.0, share * n)) weights.emplace(anchor, std::log(n / in_lines));
  }
  return weights;
}

}  // namespace

std::vector<double> fit_shifted(std::span<const std::string_view> sources, std::span<const std::string_view> targets,
                                std::span<const int> shifts, const FitOptions& options) {
  if (sources.size() != targets.size()) {
    throw data_error("Sources and targets must have one line per segment, got " + std::to_string(sources.size()) +
                     " and " + std::to_string(targets.size()) + ".");
  }
  std::vector<Seen> source = look_all(sources);
  std::vector<Seen> target = look_all(targets);
  const Weights weights = weigh(source, target, options.anchor_share);
  for (auto* side : {&source, &target}) {
    for (auto& line : *side) std::erase_if(line.anchors, [&](std::uint64_t a) { return !weights.contains(a); });
  }
  std::vector<double> fit(sources.size() * shifts.size(), -options.length_limit);
  const auto n = static_cast<std::ptrdiff_t>(sources.size());
  for (std::ptrdiff_t i = 0; i < n; ++i) {
    for (std::size_t s = 0; s < shifts.size(); ++s) {
      const std::ptrdiff_t j = i + shifts[s];
      if (j < 0 || j >= n) continue;
      const Seen& a = source[static_cast<std::size_t>(i)];
      const Seen& b = target[static_cast<std::size_t>(j)];
      double shared = 0.0;
      for (auto x = a.anchors.begin(), y = b.anchors.begin(); x != a.anchors.end() && y != b.anchors.end();) {
        if (*x == *y) {
          shared += weights.at(*x);
          ++x;
          ++y;
        } else {
          *x < *y ? ++x : ++y;
        }
      }
      const double z = (b.log_length - a.log_length - options.centre) / options.spread;
      fit[static_cast<std::size_t>(i) * shifts.size() + s] =
          std::min(shared, options.anchor_limit) - std::min(z * z / 2, options.length_limit);
    }
  }
  return fit;
}

}  // namespace dragoman::corpus
