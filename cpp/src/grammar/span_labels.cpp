#include "dragoman/grammar/span_labels.hpp"

#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::grammar {

namespace {

std::string spelt(std::size_t sentence, const LabelledSpan& span) {
  return "Sentence " + std::to_string(sentence + 1) + ": the labelled span [" + std::to_string(span.begin) + ", " +
         std::to_string(span.end) + ")";
}

}  // namespace

void SentenceLabels::set(const SpanLabels& labels, std::size_t sentence, std::size_t n_words, std::size_t longest) {
  other_rule_ = labels.other_rules ? 0 : -1;
  other_gap_ = labels.other_gaps ? 0 : -1;
  names_rules_ = labels.names_rules;
  places_.clear();
  if (labels.offsets.empty()) return;
  spans_ = labels.spans.subspan(static_cast<std::size_t>(labels.offsets[sentence]),
                                static_cast<std::size_t>(labels.offsets[sentence + 1] - labels.offsets[sentence]));
  longest_ = longest;
  places_.assign(n_words * longest, 0);
  const auto n = static_cast<std::int32_t>(n_words);
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    const LabelledSpan& span = spans_[i];
    if (span.begin < 0 || span.begin >= span.end || span.end > n || span.anchor >= n || span.anchor < -1) {
      throw data_error(spelt(sentence, span) +
                       (span.anchor == -1 ? "" : " with anchor " + std::to_string(span.anchor)) + " does not fit its " +
                       std::to_string(n_words) + " words.");
    }
    if (static_cast<std::size_t>(span.end - span.begin) > longest) continue;
    auto& place =
        places_[static_cast<std::size_t>(span.begin) * longest + static_cast<std::size_t>(span.end - span.begin - 1)];
    if (place != 0) throw data_error(spelt(sentence, span) + " is listed twice; a span has one label.");
    place = static_cast<std::uint32_t>(i + 1);
  }
}

void check_labels(const SpanLabels& labels, std::size_t n_sentences, std::size_t n_labels, const char* side) {
  if (labels.offsets.empty()) return;
  const auto& offsets = labels.offsets;
  bool good = offsets.size() == n_sentences + 1 && offsets.front() == 0 &&
              offsets.back() == static_cast<std::int64_t>(labels.spans.size());
  for (std::size_t i = 1; i < offsets.size() && good; ++i) good = offsets[i - 1] <= offsets[i];
  if (!good) {
    throw data_error(std::string("The offsets of the ") + side +
                     " labels must rise from 0 to their number, with one more than there are sentence pairs (" +
                     std::to_string(n_sentences) + ").");
  }
  for (const LabelledSpan& span : labels.spans) {
    if (span.label < 0 || static_cast<std::size_t>(span.label) >= n_labels) {
      throw data_error(std::string("The ") + side + " label " + std::to_string(span.label) +
                       " has no name; there are " + std::to_string(n_labels) + ".");
    }
  }
}

}  // namespace dragoman::grammar
