#include "dragoman/lm/arpa.hpp"

#include <array>
#include <charconv>
#include <string>
#include <vector>

#include "dragoman/core/errors.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::lm {

namespace {

std::string quoted(std::string_view text) {
  std::string shown(1, '\'');
  shown.append(text);
  shown += '\'';
  return shown;
}

/// The lines of a file, with their numbers for what is said about them.
class LineReader {
 public:
  explicit LineReader(std::string_view file) : rest_(file) {}

  /// The next line that is not empty; false at the end.
  bool next(std::string_view& line) {
    while (!rest_.empty()) {
      const auto end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
      if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
      ++number_;
      if (!text::is_utf8(line)) {
        fail("the line is not UTF-8. If the file is Latin-1, convert it with: iconv -f ISO-8859-1 -t UTF-8");
      }
      if (!line.empty()) return true;
    }
    ++number_;
    return false;
  }
  [[noreturn]] void fail(const std::string& problem) const {
    throw data_error("line " + std::to_string(number_) + ": " + problem);
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

std::string_view cut(std::string_view& line) {
  const auto begin = line.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return line = {}, std::string_view();
  line.remove_prefix(begin);
  const auto end = line.find_first_of(" \t");
  const auto word = line.substr(0, end);
  line.remove_prefix(end == std::string_view::npos ? line.size() : end);
  return word;
}

bool to_number(std::string_view text, auto& number) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

std::vector<std::uint64_t> read_counts(LineReader& lines) {
  std::string_view line;
  do {
    if (!lines.next(line)) lines.fail("there is no \\data\\ section: this is no ARPA file.");
  } while (line != "\\data\\");
  std::vector<std::uint64_t> counts;
  while (lines.next(line)) {
    if (line == "\\1-grams:") return counts;
    if (!line.starts_with("ngram ")) lines.fail("expected 'ngram N=count' or \\1-grams:, got " + quoted(line) + ".");
    const auto equals = line.find('=');
    std::uint64_t order = 0, count = 0;
    if (equals == std::string_view::npos || !to_number(line.substr(6, equals - 6), order) ||
        !to_number(line.substr(equals + 1), count) || order != counts.size() + 1 || order > kMaxOrder) {
      lines.fail(quoted(line) + " is no count of n-grams; expected orders from 1 on, at most 9.");
    }
    counts.push_back(count);
  }
  lines.fail("the file ends before \\1-grams:.");
}

std::string section(unsigned order) {
  std::string name(1, '\\');
  name += std::to_string(order);
  name += "-grams:";
  return name;
}

struct Parsed {
  std::array<std::string_view, kMaxOrder> words;
  float log_p = 0;
  float log_backoff = 0;
};

Parsed parse(std::string_view line, unsigned order, const LineReader& lines) {
  Parsed parsed;
  if (!to_number(cut(line), parsed.log_p)) lines.fail("the line does not begin with a logarithm of a probability.");
  if (parsed.log_p > 0) lines.fail("the logarithm of a probability is above 0.");
  for (unsigned i = 0; i < order; ++i) {
    parsed.words[i] = cut(line);
    if (parsed.words[i].empty()) {
      lines.fail("the line has " + std::to_string(i) + " words; expected " + std::to_string(order) + ".");
    }
  }
  const auto backoff = cut(line);
  if (!backoff.empty() && !to_number(backoff, parsed.log_backoff)) {
    lines.fail(quoted(backoff) + " is no back-off weight.");
  }
  if (!cut(line).empty()) lines.fail("there is text behind the back-off weight.");
  return parsed;
}

constexpr std::size_t kPiece = std::size_t{1} << 20;  // bytes of text handed over at once

struct UnigramLine {
  WordId word;
  float log_p, log_backoff;
};

}  // namespace

std::unique_ptr<Model> read_arpa(std::string_view file) {
  LineReader lines(file);
  const auto counts = read_counts(lines);
  if (counts.empty()) lines.fail("there is no count of n-grams before \\1-grams:.");

  text::WordTable words;
  words.add("<unk>");
  words.add("<s>");
  words.add("</s>");
  std::vector<UnigramLine> unigrams;
  std::string_view line;
  std::string next_section = counts.size() > 1 ? "\\2-grams:" : "\\end\\";
  while (true) {
    if (!lines.next(line)) lines.fail("the file ends inside \\1-grams:; it is cut off.");
    if (line == next_section) break;
    const Parsed parsed = parse(line, 1, lines);
    const std::string_view word = parsed.words[0] == "<UNK>" ? "<unk>" : parsed.words[0];
    unigrams.push_back({static_cast<WordId>(words.add(word)), parsed.log_p, parsed.log_backoff});
  }
  if (unigrams.size() != counts[0]) {
    lines.fail("there are " + std::to_string(unigrams.size()) + " 1-grams; the head says " + std::to_string(counts[0]) +
               ".");
  }
  ModelBuilder builder(words);
  builder.begin(counts);
  for (const UnigramLine& each : unigrams) {
    builder.ngram({&each.word, 1}, each.log_p, each.log_backoff, false, each.log_backoff != 0);
  }

  for (unsigned order = 2; order <= counts.size(); ++order) {
    next_section = order < counts.size() ? section(order + 1) : "\\end\\";
    std::uint64_t n = 0;
    while (true) {
      if (!lines.next(line)) lines.fail("the file ends inside " + section(order) + "; it is cut off.");
      if (line == next_section) break;
      const Parsed parsed = parse(line, order, lines);
      std::array<WordId, kMaxOrder> ids;
      for (unsigned i = 0; i < order; ++i) {
        const std::string_view word = parsed.words[order - 1 - i];
        const auto id = words.find(word == "<UNK>" ? "<unk>" : word);
        if (id == text::kNoToken) lines.fail(quoted(word) + " is no 1-gram of this model.");
        ids[i] = static_cast<WordId>(id);
      }
      const std::span<const WordId> gram(ids.data(), order);
      builder.ngram(gram, parsed.log_p, parsed.log_backoff, false, parsed.log_backoff != 0);
      builder.note_extension(gram);
      ++n;
    }
    if (n != counts[order - 1]) {
      lines.fail(std::to_string(n) + " n-grams stand in " + section(order) + " the head says " +
                 std::to_string(counts[order - 1]) + ".");
    }
  }
  return builder.finish();
}

void ArpaWriter::begin(std::span<const std::uint64_t> n_ngrams) {
  highest_ = static_cast<unsigned>(n_ngrams.size());
  text_.append("\\data\\\n");
  for (std::size_t i = 0; i < n_ngrams.size(); ++i) {
    text_.append("ngram " + std::to_string(i + 1) + "=" + std::to_string(n_ngrams[i]) + "\n");
  }
}

void ArpaWriter::ngram(std::span<const WordId> words, float log_p, float log_backoff, bool, bool) {
  if (words.size() != order_) {
    order_ = static_cast<unsigned>(words.size());
    text_.append("\n");
    text_.append(section(order_));
    text_.append("\n");
  }
  const auto number = [&](float value) {
    char* const place = text_.room(32);
    text_.end_at(std::to_chars(place, place + 32, value).ptr);
  };
  number(log_p);
  for (std::size_t i = words.size(); i > 0; --i) {
    text_.append(i == words.size() ? "\t" : " ");
    text_.append(words_->word(static_cast<text::TokenId>(words[i - 1])));
  }
  if (order_ < highest_) {
    text_.append("\t");
    number(log_backoff);
  }
  text_.append("\n");
  if (text_.size() > kPiece) {
    write_(text_.view());
    text_.clear();
  }
}

void ArpaWriter::end() {
  text_.append("\n\\end\\\n");
  write_(text_.view());
  text_.clear();
}

}  // namespace dragoman::lm
