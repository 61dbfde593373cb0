#pragma once

#include <string>
#include <string_view>

namespace dragoman::edit {

/// What tercom does to a line before it is cut at white space, in this order.
struct TercomOptions {
  bool lowercase = false;
  bool normalised = false;  // undo XML escapes and set off punctuation
  bool no_punct = false;    // drop . , ? : ; ! " ( )
  bool asian = false;  // with `normalised` set off ideographs and Asian punctuation, with `no_punct` drop the latter
};

/// tercom's tokeniser as sacreBLEU 2.6.0 has it. Not idempotent: `x..1` becomes `x . .1` and that `x . . 1`.
/// Keeps its working space from line to line: one object per thread.
class TercomTokeniser {
 public:
  explicit TercomTokeniser(TercomOptions options) : options_(options) {}

  /// The line, to be cut at white space. Good until the next call; the line itself if nothing is to be done.
  std::string_view operator()(std::string_view line);

 private:
  void assign(std::string_view line);
  void normalise();
  void set_off_asian();
  void drop_punctuation();
  template <class Pass>
  void pass(const Pass& pass);

  TercomOptions options_;
  std::string text_;
  std::string next_;
};

}  // namespace dragoman::edit
