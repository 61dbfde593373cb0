#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace dragoman::corpus {

/// How well two lines fit each other as translations, judged without a dictionary: their lengths, and *anchors* that
/// survive translation (numbers, the beginnings of long words, the mark at the end, brackets and quotation marks).
/// Lengths follow Gale & Church (1993): the log ratio of the lengths is taken as normal, here with the centre and
/// spread of the corpus itself. Anchors weigh as much as they are rare.
struct FitOptions {
  double centre = 0.0;         // of log((target characters + 1) / (source characters + 1))
  double spread = 1.0;         // its standard deviation
  double length_limit = 4.5;   // nats; the most that a length can speak against a pair (three deviations)
  double anchor_limit = 6.0;   // nats; the most that anchors can speak for a pair
  double anchor_share = 0.05;  // anchors in more lines than this share are not looked at
};

/// The fit of source line i and target line i + shift, in nats, in a matrix of source lines × shifts. Where there is no
/// target line i + shift the fit is −length_limit. Lines should be case-folded. Linear in the text.
std::vector<double> fit_shifted(std::span<const std::string_view> sources, std::span<const std::string_view> targets,
                                std::span<const int> shifts, const FitOptions& options);

}  // namespace dragoman::corpus
