#include "dragoman/text/clusters.hpp"

namespace dragoman::text {
namespace {

/// A syllable of Hangul without a final consonant; those with one stand between them, 27 of each.
bool is_open_syllable(char32_t code) noexcept { return (code - 0xAC00) % 28 == 0; }

}  // namespace

std::size_t cluster_length(std::string_view text) noexcept {
  using enum ClusterKind;
  const auto is_ascii = [&](std::size_t at) { return static_cast<unsigned char>(text[at]) < 0x80; };
  if (is_ascii(0) && (text.size() == 1 || is_ascii(1))) return 1;
  const char* p = text.data();
  const char* const end = p + text.size();
  char32_t before = decode(p);
  ClusterKind kind = cluster_kind(before);
  bool pictograph = kind == kPictograph;  // the cluster so far is a pictograph and its extenders
  bool flag = kind == kRegional;          // it has an odd number of regional indicators, at its end
  while (p < end && kind != kControl) {
    const char* next = p;
    const char32_t code = decode(next);
    const ClusterKind following = cluster_kind(code);
    bool joined = false;
    if (following == kExtend || following == kJoiner || following == kSpacing) {
      joined = true;
    } else if (following == kControl) {
      joined = false;
    } else if (kind == kPrepend) {
      joined = true;
    } else if (kind == kJoiner) {
      joined = pictograph && following == kPictograph;
    } else if (kind == kLead) {
      joined = following == kLead || following == kVowel || following == kSyllable;
    } else if (kind == kVowel || (kind == kSyllable && is_open_syllable(before))) {
      joined = following == kVowel || following == kTail;
    } else if (kind == kTail || kind == kSyllable) {
      joined = following == kTail;
    } else if (kind == kRegional) {
      joined = flag && following == kRegional;
    }
    if (!joined) break;
    flag = following == kRegional && !flag;
    pictograph = following == kPictograph || (pictograph && (following == kExtend || following == kJoiner));
    kind = following;
    before = code;
    p = next;
  }
  return static_cast<std::size_t>(p - text.data());
}

}  // namespace dragoman::text
