#pragma once

#include <nanobind/nanobind.h>

// The functions of the area `chart`, which module.cpp calls beside those of areas.hpp.
namespace dragoman::bindings {

void bind_chart(nanobind::module_& chart);
void bind_forced_rules(nanobind::module_& chart);
void bind_mixing(nanobind::module_& chart);
void bind_rule_table(nanobind::module_& chart);

}  // namespace dragoman::bindings
