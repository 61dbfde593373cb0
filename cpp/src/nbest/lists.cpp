#include "dragoman/nbest/lists.hpp"

#include <string>

#include "dragoman/core/errors.hpp"

namespace dragoman::nbest {

namespace {

void check_offsets(std::span<const std::int64_t> offsets, std::size_t n, const char* what) {
  bool rises = !offsets.empty() && offsets.front() == 0 && offsets.back() == static_cast<std::int64_t>(n);
  for (std::size_t i = 1; rises && i < offsets.size(); ++i) rises = offsets[i - 1] <= offsets[i];
  if (!rises)
    throw data_error(std::string("The offsets of ") + what + " must rise from 0 to " + std::to_string(n) + ".");
}

}  // namespace

void Lists::check() const {
  check_offsets(output_offsets, outputs.size(), "outputs");
  check_offsets(entry_offsets, entries.size(), "entries");
  check_offsets(list_offsets, entry_offsets.size() - 1, "lists");
  if (list_offsets.size() != output_offsets.size()) {
    throw data_error("There must be one list for each output, got " + std::to_string(list_offsets.size() - 1) +
                     " lists for " + std::to_string(output_offsets.size() - 1) + " outputs.");
  }
}

}  // namespace dragoman::nbest
