#include "dragoman/align/model.hpp"

#include <algorithm>

namespace dragoman::align {

Outcome::Outcome(const Side& source, const Side& target, bool posteriors)
    : source_(source), target_(target), first_(target.size() ? target.offsets.front() : 0) {
  inference_.links.assign(target.size() ? static_cast<std::size_t>(target.offsets.back() - first_) : 0, kNull);
  inference_.log_likelihoods.assign(source.size(), 0);
  if (!posteriors) return;
  offsets_.assign(source.size() + 1, 0);
  for (std::size_t i = 0; i < source.size(); ++i) {
    offsets_[i + 1] = offsets_[i] + source.sentence(i).size() * target.sentence(i).size();
  }
  inference_.posteriors.resize(offsets_.back());
}

void Outcome::take(std::size_t sentence, std::span<const float> posteriors, double log_likelihood) {
  const std::size_t n_source = source_.sentence(sentence).size(), n_target = target_.sentence(sentence).size();
  inference_.log_likelihoods[sentence] = log_likelihood;
  const auto begin = static_cast<std::size_t>(target_.offsets[sentence] - first_);
  for (std::size_t t = 0; t < n_target; ++t) {
    float best = posteriors[t];
    std::int32_t link = kNull;
    for (std::size_t s = 1; s <= n_source; ++s) {
      if (posteriors[s * n_target + t] > best) {
        best = posteriors[s * n_target + t];
        link = static_cast<std::int32_t>(s - 1);
      }
    }
    inference_.links[begin + t] = link;
  }
  if (!offsets_.empty()) {
    std::copy(posteriors.begin() + static_cast<std::ptrdiff_t>(n_target), posteriors.end(),
              inference_.posteriors.begin() + static_cast<std::ptrdiff_t>(offsets_[sentence]));
  }
}

}  // namespace dragoman::align
