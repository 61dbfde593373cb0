#pragma once

#include <nanobind/nanobind.h>

// The functions of the area `chart`, which module.cpp calls beside those of areas.hpp.
namespace dragoman::bindings {

namespace chart_area {
void bind(nanobind::module_& chart);
}
namespace forced_rules_area {
void bind(nanobind::module_& chart);
}
namespace mixing_area {
void bind(nanobind::module_& chart);
}
namespace rule_table_area {
void bind(nanobind::module_& chart);
}

}  // namespace dragoman::bindings
