#include "dragoman/edit/tercom.hpp"

#include <algorithm>
#include <cstring>

#include "dragoman/text/casing.hpp"
#include "dragoman/text/unicode.hpp"

namespace dragoman::edit {
namespace {

bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
bool is_stop(char c) noexcept { return c == '.' || c == ','; }

/// ASCII punctuation but . , - ' and, as in tercom's character class, the space.
bool is_set_off(char c) noexcept {
  return (c >= '{' && c <= '~') || (c >= '[' && c <= '`') || (c >= ' ' && c <= '&') || (c >= '(' && c <= '+') ||
         (c >= ':' && c <= '@') || c == '/';
}

bool is_asian_punctuation(char32_t c) noexcept {
  return c == 0x3001 || c == 0x3002 || (c >= 0x3008 && c <= 0x3011) || (c >= 0x3014 && c <= 0x301F) ||
         (c >= 0xFF61 && c <= 0xFF65) || c == 0x30FB;
}

bool is_full_width_punctuation(char32_t c) noexcept {
  return c == 0xFF0E || c == 0xFF0C || c == 0xFF1F || c == 0xFF1A || c == 0xFF1B || c == 0xFF01 || c == 0xFF02 ||
         c == 0xFF08 || c == 0xFF09;
}

/// Ideographs, strokes, radicals, compatibility and enclosed forms. The range from U+3200 ends at U+3F22, as in
/// sacreBLEU, where U+32FF was meant. Kana never come apart: the patterns for them only fit at the start of a line,
/// where normalising has put a space.
bool is_split_off(char32_t c) noexcept {
  return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x31C0 && c <= 0x31EF) ||
         (c >= 0x2E80 && c <= 0x2EFF) || (c >= 0x3300 && c <= 0x33FF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0xFE30 && c <= 0xFE4F) || (c >= 0x3200 && c <= 0x3F22) || is_asian_punctuation(c) ||
         is_full_width_punctuation(c);
}

/// Replace one string by another, from left to right, without looking at what was put in.
void replace_all(std::string& text, std::string& next, std::string_view old, std::string_view by) {
  std::size_t found = text.find(old);
  if (found == std::string::npos) return;
  next.clear();
  std::size_t start = 0;
  for (; found != std::string::npos; found = text.find(old, start)) {
    next.append(text, start, found - start).append(by);
    start = found + old.size();
  }
  next.append(text, start);
  text.swap(next);
}

std::string_view without_trailing_space(std::string_view line) noexcept {
  while (!line.empty()) {
    const char* p = line.data() + line.size() - 1;
    while (p > line.data() && (static_cast<unsigned char>(*p) & 0xC0) == 0x80) --p;
    const char* here = p;
    if (!text::has(text::decode(here), text::kPythonSpace)) break;
    line.remove_suffix(line.size() - static_cast<std::size_t>(p - line.data()));
  }
  return line;
}

}  // namespace

/// One walk over the text that writes the next one. `pass(i)` writes what byte i becomes and returns how many bytes it
/// has dealt with. All patterns are ASCII, so that bytes do: a character's last byte stands for the character before,
/// its first for the one behind.
template <class Pass>
void TercomTokeniser::pass(const Pass& pass) {
  next_.clear();
  for (std::size_t i = 0; i < text_.size();) i += pass(i);
  text_.swap(next_);
}

void TercomTokeniser::assign(std::string_view line) {
  if (!options_.lowercase) {
    text_.assign(line);
  } else if (std::ranges::any_of(line, [](char c) { return static_cast<unsigned char>(c) >= 0x80; })) {
    text_ = text::lower(line, text::CaseRules::kStandard);
  } else {
    text_.resize(line.size());
    std::ranges::transform(line, text_.begin(),
                           [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  }
}

void TercomTokeniser::normalise() {
  replace_all(text_, next_, "\n-", "");
  replace_all(text_, next_, "\n", " ");
  replace_all(text_, next_, "&quot;", "\"");
  replace_all(text_, next_, "&amp;", "&");
  replace_all(text_, next_, "&lt;", "<");
  replace_all(text_, next_, "&gt;", ">");
  text_.insert(text_.begin(), ' ');
  text_.push_back(' ');
  pass([&](std::size_t i) {
    const char c = text_[i];
    if (is_set_off(c))
      next_.append({' ', c, ' '});
    else
      next_.push_back(c);
    return 1;
  });
  replace_all(text_, next_, "'s ", " 's ");
  // A stop comes off what is before it unless that is a digit …
  pass([&](std::size_t i) {
    if (i + 1 < text_.size() && !is_digit(text_[i]) && is_stop(text_[i + 1])) {
      next_.append({text_[i], ' ', text_[i + 1], ' '});
      return 2;
    }
    next_.push_back(text_[i]);
    return 1;
  });
  // … and off what is behind it.
  pass([&](std::size_t i) {
    if (i + 1 < text_.size() && is_stop(text_[i]) && !is_digit(text_[i + 1])) {
      next_.append({' ', text_[i], ' ', text_[i + 1]});
      return 2;
    }
    next_.push_back(text_[i]);
    return 1;
  });
  pass([&](std::size_t i) {
    if (i + 1 < text_.size() && is_digit(text_[i]) && text_[i + 1] == '-') {
      next_.append({text_[i], ' ', '-', ' '});
      return 2;
    }
    next_.push_back(text_[i]);
    return 1;
  });
}

void TercomTokeniser::set_off_asian() {
  pass([&](std::size_t i) {
    const char* const start = text_.data() + i;
    const char* p = start;
    const bool alone = is_split_off(text::decode(p));
    if (alone) next_.push_back(' ');
    next_.append(start, p);
    if (alone) next_.push_back(' ');
    return static_cast<std::size_t>(p - start);
  });
}

void TercomTokeniser::drop_punctuation() {
  pass([&](std::size_t i) {
    const char* const start = text_.data() + i;
    const char* p = start;
    const char32_t c = text::decode(p);
    const bool western = c != 0 && c < 0x80 && std::strchr(".,?:;!\"()", static_cast<int>(c)) != nullptr;
    const bool eastern = options_.asian && (is_asian_punctuation(c) || is_full_width_punctuation(c));
    if (!western && !eastern) next_.append(start, p);
    return static_cast<std::size_t>(p - start);
  });
}

std::string_view TercomTokeniser::operator()(std::string_view line) {
  line = without_trailing_space(line);
  if (line.empty() || (!options_.lowercase && !options_.normalised && !options_.no_punct)) return line;
  assign(line);
  if (options_.normalised) normalise();
  if (options_.normalised && options_.asian) set_off_asian();
  if (options_.no_punct) drop_punctuation();
  return text_;
}

}  // namespace dragoman::edit
