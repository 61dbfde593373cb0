#pragma once

#include <nanobind/nanobind.h>

// One function per area of the core, each in a file of its own and in a namespace of its own: several files may be
// compiled as one. module.cpp calls them.
namespace dragoman::bindings {

// clang-format off
namespace align_area { void bind(nanobind::module_& align); }
namespace align_parts_area { void bind(nanobind::module_& align); }
namespace celab_area { void bind(nanobind::module_& metrics); }
namespace classer_area { void bind(nanobind::module_& classer); }
namespace columns_area { void bind(nanobind::module_& corpus); }
namespace combine_area { void bind(nanobind::module_& combine); }
namespace constituents_area { void bind(nanobind::module_& syntax); }
namespace constraints_area { void bind(nanobind::module_& phrase); }
namespace contrast_area { void bind(nanobind::module_& metrics); }
namespace corpus_area { void bind(nanobind::module_& corpus); }
namespace decoding_area { void bind(nanobind::module_& phrase); }
namespace features_area { void bind(nanobind::module_& phrase); }
namespace edit_area { void bind(nanobind::module_& edit); }
namespace rank_area { void bind(nanobind::module_& rank); }
namespace grammar_area { void bind(nanobind::module_& grammar); }
namespace grammar_parts_area { void bind(nanobind::module_& grammar); }
namespace tree_rules_area { void bind(nanobind::module_& grammar); }
namespace graph_tune_area { void bind(nanobind::module_& tune); }
namespace hypergraph_area { void bind(nanobind::module_& graph); }
namespace nbest_area { void bind(nanobind::module_& nbest); }
namespace net_area { void bind(nanobind::module_& net); }
namespace pivots_area { void bind(nanobind::module_& metrics); }
namespace phrase_area { void bind(nanobind::module_& phrase); }
namespace phrase_parts_area { void bind(nanobind::module_& phrase); }
namespace phrase_tables_area { void bind(nanobind::module_& phrase); }
namespace significance_area { void bind(nanobind::module_& phrase); }
namespace resample_area { void bind(nanobind::module_& resample); }
namespace retrieval_area { void bind(nanobind::module_& corpus); }
namespace lexical_area { void bind(nanobind::module_& lexical); }
namespace line_buffer_area { void bind(nanobind::module_& text); }
namespace lm_area { void bind(nanobind::module_& lm); }
namespace memory_area { void bind(nanobind::module_& memory); }
namespace meteor_area { void bind(nanobind::module_& metrics); }
namespace metrics_area { void bind(nanobind::module_& metrics); }
namespace morph_area { void bind(nanobind::module_& morph); }
namespace text_area { void bind(nanobind::module_& text); }
namespace sequence_area { void bind(nanobind::module_& sequence); }
namespace spede_area { void bind(nanobind::module_& metrics); }
namespace sagan_area { void bind(nanobind::module_& metrics); }
namespace tesla_area { void bind(nanobind::module_& metrics); }
namespace syntax_area { void bind(nanobind::module_& syntax); }
namespace regression_area { void bind(nanobind::module_& regression); }
namespace tree_area { void bind(nanobind::module_& tree); }
namespace translated_index_area { void bind(nanobind::module_& lexical); }
namespace tune_area { void bind(nanobind::module_& tune); }
namespace casing_area { void bind(nanobind::module_& text); }
namespace tokens_area { void bind(nanobind::module_& text); }
namespace vocabulary_area { void bind(nanobind::module_& text); }
namespace moses_area { void bind(nanobind::module_& text); }
namespace rewriting_area { void bind(nanobind::module_& text); }
namespace sentences_area { void bind(nanobind::module_& text); }
namespace spelling_area { void bind(nanobind::module_& text); }
// clang-format on

}  // namespace dragoman::bindings
