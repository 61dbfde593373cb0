#include "dragoman/text/protect.hpp"

#include <algorithm>
#include <string_view>

#include "characters.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::text {
namespace {

// The names of people, hosts and fields are written in every script.
bool is_name(char32_t c) {
  return is_ascii_letter(c) || is_ascii_digit(c) || c == U'_' || (c >= 0x80 && has(c, kAlphabetic | kDecimal | kMark));
}

// A `<` that is no tag is looked through this far.
constexpr std::size_t kLongestTag = 1024;
// HTML's longest name of a character, CounterClockwiseContourIntegral, has 31 letters.
constexpr std::size_t kLongestEntity = 31;

/// Reads one line; every method takes and returns positions.
template <CodeUnit Code>
class Reader {
 public:
  explicit Reader(std::span<const Code> line) : line_(line) {}

  std::size_t size() const { return line_.size(); }
  char32_t at(std::size_t i) const { return i < line_.size() ? line_[i] : U'\0'; }
  bool starts(std::size_t i, std::string_view word) const {
    return i + word.size() <= line_.size() &&
           std::ranges::equal(word, line_.subspan(i, word.size()), [](char a, Code b) { return char32_t(a) == b; });
  }
  bool begins_word(std::size_t i) const { return i == 0 || !is_name(at(i - 1)); }

  template <class Test>
  std::size_t run(std::size_t i, const Test& test) const {
    while (i < line_.size() && test(at(i))) ++i;
    return i;
  }

  /// The end of the characters that are neither space nor control.
  std::size_t to_space(std::size_t i) const {
    return run(i, [](char32_t c) { return !has(c, kPythonSpace | kControl); });
  }

 private:
  std::span<const Code> line_;
};

/// `http(s)://`, `ftp://`, `rsync://` or `www.` and what follows, without the punctuation that closes the sentence.
template <CodeUnit Code>
std::size_t url(const Reader<Code>& line, std::size_t i) {
  if (!line.begins_word(i)) return i;
  std::size_t body = i;
  for (const std::string_view scheme : {"https://", "http://", "ftp://", "rsync://", "www."}) {
    if (line.starts(i, scheme)) {
      body = i + scheme.size();
      break;
    }
  }
  if (body == i) return i;
  std::size_t end = line.to_space(body);
  // `<` and `"` end an address: it stands in markup or in quotes.
  end = std::min(end, line.run(body, [](char32_t c) { return c != U'<' && c != U'>' && c != U'"'; }));
  std::ptrdiff_t open = 0;
  for (std::size_t k = body; k < end; ++k) open += line.at(k) == U'(' ? 1 : line.at(k) == U')' ? -1 : 0;
  for (; end > body; --end) {
    const char32_t last = line.at(end - 1);
    if (last == U')' && open < 0) {
      ++open;  // the parenthesis opened before the address
    } else if (!is_one_of(last, U".,;:!?'")) {
      break;
    }
  }
  return end > body ? end : i;
}

/// `name@host.domain` around the `@` at `i`.
template <CodeUnit Code>
Span email(const Reader<Code>& line, std::size_t i, std::size_t earliest) {
  const auto local = [](char32_t c) { return is_name(c) || c == U'.' || c == U'-' || c == U'+' || c == U'%'; };
  std::size_t begin = i;
  while (begin > earliest && local(line.at(begin - 1))) --begin;
  while (begin < i && line.at(begin) == U'.') ++begin;
  std::size_t end = i;
  std::size_t label = i + 1;
  for (;;) {
    const std::size_t stop = line.run(label, [](char32_t c) { return is_name(c) || c == U'-'; });
    if (stop == label) break;
    const bool is_domain = label > i + 1 && stop - label >= 2 && !is_ascii_digit(line.at(label));
    if (is_domain) end = stop;
    if (line.at(stop) != U'.') break;
    label = stop + 1;
  }
  return begin < i && end > i ? Span{begin, end} : Span{i, i};
}

/// `<name …>`, `</name>`, `<name …/>`; a `>` inside quotes does not end it.
template <CodeUnit Code>
std::size_t tag(const Reader<Code>& line, std::size_t i, std::size_t size) {
  std::size_t k = i + 1;
  if (line.at(k) == U'/') ++k;
  if (!is_ascii_letter(line.at(k)) && line.at(k) != U'_') return i;
  char32_t quote = U'\0';
  for (; k < size; ++k) {
    const char32_t c = line.at(k);
    if (quote != U'\0') {
      if (c == quote) quote = U'\0';
    } else if (c == U'"' || c == U'\'') {
      // Outside an attribute's value an apostrophe is one: `<it's`.
      if (line.at(k - 1) == U'=') quote = c;
    } else if (c == U'>') {
      return k + 1;
    } else if (c == U'<') {
      return i;
    }
  }
  return i;
}

/// `{name}`, `{{name}}`, `${name}`, `%s`, `%1$d`, `%.2f`, `%(name)s`.
template <CodeUnit Code>
std::size_t placeholder(const Reader<Code>& line, std::size_t i) {
  const auto field = [](char32_t c) { return is_name(c) || c == U'.' || c == U'-' || c == U':'; };
  if (line.at(i) == U'%') {
    std::size_t k = i + 1;
    if (line.at(k) == U'(') {
      k = line.run(k + 1, field);
      if (line.at(k) != U')') return i;
      ++k;
    } else {
      k = line.run(k, [](char32_t c) { return is_ascii_digit(c) || c == U'$' || c == U'.'; });
    }
    const bool is_format = is_one_of(line.at(k), U"sdifgxu@");
    return is_format && !is_name(line.at(k + 1)) ? k + 1 : i;
  }
  std::size_t k = i + (line.at(i) == U'$' ? 1 : 0);
  if (line.at(k) != U'{') return i;
  const bool is_double = line.at(k + 1) == U'{';
  k += is_double ? 2 : 1;
  const std::size_t end = line.run(k, field);
  if (line.at(end) != U'}' || (is_double && line.at(end + 1) != U'}')) return i;
  return end + (is_double ? 2 : 1);
}

/// `@name`, `#name`: at least one letter, so that `#1` is a number and `@` a sign.
template <CodeUnit Code>
std::size_t marked_name(const Reader<Code>& line, std::size_t i) {
  if (!line.begins_word(i)) return i;
  const std::size_t end = line.run(i + 1, is_name);
  for (std::size_t k = i + 1; k < end; ++k) {
    if (!is_ascii_digit(line.at(k)) && line.at(k) != U'_') return end;
  }
  return i;
}

/// `&amp;`, `&#39;`, `&#x27;`.
template <CodeUnit Code>
std::size_t entity(const Reader<Code>& line, std::size_t i) {
  const bool is_number = line.at(i + 1) == U'#';
  const std::size_t begin = i + (is_number ? 2 : 1);
  const std::size_t end = line.run(begin, [](char32_t c) { return is_ascii_letter(c) || is_ascii_digit(c); });
  const bool begins_well =
      is_number ? is_ascii_digit(line.at(begin)) || line.at(begin) == U'x' : is_ascii_letter(line.at(begin));
  return begins_well && end - begin <= kLongestEntity && line.at(end) == U';' ? end + 1 : i;
}

}  // namespace

template <CodeUnit Code>
void find_patterns(std::span<const Code> text, std::uint32_t patterns, std::vector<Span>& found) {
  const Reader<Code> line(text);
  std::size_t last_at = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto add = [&](std::size_t end) {
      if (end > i) found.push_back({i, end});
    };
    switch (line.at(i)) {
      case U'h':
      case U'f':
      case U'r':
      case U'w':
        if ((patterns & kUrl) != 0) {
          const std::size_t end = url(line, i);
          add(end);
          // Nothing inside an address is looked at again: `http://http://…` would cost the square of its length.
          if (end > i) i = end - 1;
        }
        break;
      case U'@':
        if ((patterns & kEmail) != 0) {
          const Span match = email(line, i, last_at);
          if (match.end > match.begin) found.push_back(match);
        }
        if ((patterns & kHandle) != 0) add(marked_name(line, i));
        last_at = i + 1;
        break;
      case U'#':
        if ((patterns & kHashtag) != 0) add(marked_name(line, i));
        break;
      case U'&':
        if ((patterns & kEntity) != 0) add(entity(line, i));
        break;
      case U'<':
        if ((patterns & kTag) != 0) add(tag(line, i, std::min(text.size(), i + kLongestTag)));
        break;
      case U'%':
      case U'{':
      case U'$':
        if ((patterns & kPlaceholder) != 0) add(placeholder(line, i));
        break;
      default:
        break;
    }
  }
}

template void find_patterns(std::span<const std::uint8_t>, std::uint32_t, std::vector<Span>&);
template void find_patterns(std::span<const std::uint16_t>, std::uint32_t, std::vector<Span>&);
template void find_patterns(std::span<const std::uint32_t>, std::uint32_t, std::vector<Span>&);

void settle_overlaps(std::vector<Span>& spans) {
  std::ranges::sort(
      spans, [](const Span& a, const Span& b) { return a.begin != b.begin ? a.begin < b.begin : a.end > b.end; });
  std::size_t kept = 0;
  std::size_t reached = 0;
  for (const Span& span : spans) {
    if (span.begin < span.end && span.begin >= reached) {
      spans[kept++] = span;
      reached = span.end;
    }
  }
  spans.resize(kept);
}

}  // namespace dragoman::text
