#pragma once

#include <cstdint>

namespace dragoman::edit {

/// One step of turning a hypothesis into a reference: insert = a word only the reference has, delete = a word only the
/// hypothesis has. The numbers are those of the arrays that Python sees.
enum class Operation : std::uint8_t { kMatch = 0, kSubstitute = 1, kInsert = 2, kDelete = 3 };

}  // namespace dragoman::edit
