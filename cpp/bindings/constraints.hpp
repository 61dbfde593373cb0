#pragma once

#include <nanobind/nanobind.h>

#include <vector>

#include "dragoman/phrase/input.hpp"

namespace dragoman::bindings {

/// Constraints of sentences, from None or a sequence of Constraints or None.
inline std::vector<const phrase::Constraints*> constraints_of(nanobind::handle sequence) {
  std::vector<const phrase::Constraints*> all;
  if (sequence.is_none()) return all;
  for (nanobind::handle each : sequence) {
    all.push_back(each.is_none() ? nullptr : nanobind::cast<const phrase::Constraints*>(each));
  }
  return all;
}

}  // namespace dragoman::bindings
