#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "dragoman/syntax/weights.hpp"

namespace dragoman::syntax {

/// The features of one decision; templates are numbered in the order in which they are asked for.
class Features {
 public:
  void add(std::uint64_t a) noexcept { push(mix(next(), a)); }
  void add(std::uint64_t a, std::uint64_t b) noexcept { push(mix(mix(next(), a), b)); }
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t c) noexcept { push(mix(mix(mix(next(), a), b), c)); }
  void add(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) noexcept {
    push(mix(mix(mix(mix(next(), a), b), c), d));
  }
  void skip() noexcept { ++template_; }
  std::span<const Feature> found() const noexcept { return {features_.data(), n_}; }

 private:
  Feature next() noexcept { return ++template_ << 32; }
  void push(Feature feature) noexcept { features_[n_++] = feature; }

  std::array<Feature, kMostFeatures> features_;
  std::size_t n_ = 0;
  Feature template_ = 0;
};

}  // namespace dragoman::syntax
