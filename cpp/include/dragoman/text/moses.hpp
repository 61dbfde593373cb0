#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dragoman/text/encoding.hpp"
#include "dragoman/text/prefixes.hpp"
#include "dragoman/text/protect.hpp"
#include "dragoman/text/tokeniser.hpp"

namespace dragoman::text {

/// How the Moses tokeniser treats an apostrophe between letters.
enum class Apostrophe {
  kSplit,       // don ' t
  kKeepRight,   // don 't: English
  kKeepLeft,    // l' art: French, Italian, Irish, Catalan
  kKeepInside,  // ra'anan: Somali, Tetun
};

/// A character that some languages write inside words, where it is followed by a small letter.
enum class InnerMark : char32_t {
  kNone = 0,
  kColon = U':',           // Finnish, Swedish: EU:ssa
  kApostrophe = U'\'',     // Tetun
  kMiddleDot = U'\u00B7',  // Catalan: il·lusió
};

struct MosesOptions {
  std::string lang = "en";              // chooses apostrophe and inner mark
  bool aggressive_dash_splits = false;  // foo-bar → foo @-@ bar
  bool escape = true;                   // & | < > ' " [ ] as entities, which Moses' decoder needs
  bool split_last = false;              // cut the full stop off the last word, whatever the word
  std::uint32_t protect = 0;            // Pattern bits
};

/// A piece of a line that the rules treat as one: a run of letters or of digits, a sign, a blank, a protected run.
template <CodeUnit Code>
struct MosesUnit {
  const Code* begin;
  std::uint32_t size;  // code points
  std::uint32_t kind;  // of its characters; Kind in cpp/src/text/moses_kinds.hpp
};

/// The rules of Moses' tokenizer.perl (release 4.0) on today's Unicode. docs/differences-moses.md lists where its
/// answer differs from sacremoses'.
class MosesTokeniser final : public Tokeniser {
 public:
  MosesTokeniser(const MosesOptions& options, Prefixes prefixes);

  /// Buffers that a thread keeps from line to line.
  template <CodeUnit Code>
  struct Workspace {
    std::vector<MosesUnit<Code>> units;
    std::vector<MosesUnit<Code>> next;
    std::vector<Span> spans;
    std::vector<Code> cleaned;           // the line without control characters, where it has any
    std::vector<std::uint64_t> letters;  // one bit for each character of the line
    std::string word;
  };

  /// Append the tokens of `line`, separated by spaces. `spans` are to be kept whole, beside what the options protect;
  /// they may overlap. Linear in the line.
  template <CodeUnit Code>
  void tokenise(std::span<const Code> line, std::span<const Span> spans, Workspace<Code>& work,
                std::vector<Code>& out) const;

  /// The same for a line of UTF-8, without spans.
  void tokenise(std::string_view line, Bytes& out) const override;

 private:
  struct Signs {
    bool crowded_commas = false;
    bool apostrophe = false;
  };
  template <CodeUnit Code>
  Signs read(std::span<const Code> line, Workspace<Code>& work) const;
  template <CodeUnit Code>
  void split_apostrophes(Workspace<Code>& work) const;
  template <CodeUnit Code>
  void write(const Code* end, Workspace<Code>& work, std::vector<Code>& out) const;
  template <CodeUnit Code>
  bool keeps_full_stop(std::span<const MosesUnit<Code>> prefix, std::span<const MosesUnit<Code>> rest,
                       std::string& word) const;

  Prefixes prefixes_;
  Apostrophe apostrophe_;
  InnerMark inner_mark_;
  bool aggressive_dash_splits_;
  bool escape_;
  bool split_last_;
  std::uint32_t protect_;
};

}  // namespace dragoman::text
