#pragma once

#include <nanobind/nanobind.h>

// One function per area of the core, each in a file of its own; module.cpp calls them.
namespace dragoman::bindings {

void bind_align(nanobind::module_& align);
void bind_align_parts(nanobind::module_& align);
void bind_celab(nanobind::module_& metrics);
void bind_classer(nanobind::module_& classer);
void bind_columns(nanobind::module_& corpus);
void bind_combine(nanobind::module_& combine);
void bind_constituents(nanobind::module_& syntax);
void bind_constraints(nanobind::module_& phrase);
void bind_contrast(nanobind::module_& metrics);
void bind_corpus(nanobind::module_& corpus);
void bind_decoding(nanobind::module_& phrase);
void bind_features(nanobind::module_& phrase);
void bind_edit(nanobind::module_& edit);
void bind_rank(nanobind::module_& rank);
void bind_grammar(nanobind::module_& grammar);
void bind_grammar_parts(nanobind::module_& grammar);
void bind_tree_rules(nanobind::module_& grammar);
void bind_graph_tune(nanobind::module_& tune);
void bind_hypergraph(nanobind::module_& graph);
void bind_nbest(nanobind::module_& nbest);
void bind_net(nanobind::module_& net);
void bind_pivots(nanobind::module_& metrics);
void bind_phrase(nanobind::module_& phrase);
void bind_phrase_parts(nanobind::module_& phrase);
void bind_phrase_tables(nanobind::module_& phrase);
void bind_significance(nanobind::module_& phrase);
void bind_resample(nanobind::module_& resample);
void bind_retrieval(nanobind::module_& corpus);
void bind_lexical(nanobind::module_& lexical);
void bind_line_buffer(nanobind::module_& text);
void bind_lm(nanobind::module_& lm);
void bind_memory(nanobind::module_& memory);
void bind_meteor(nanobind::module_& metrics);
void bind_metrics(nanobind::module_& metrics);
void bind_morph(nanobind::module_& morph);
void bind_text(nanobind::module_& text);
void bind_sequence(nanobind::module_& sequence);
void bind_spede(nanobind::module_& metrics);
void bind_sagan(nanobind::module_& metrics);
void bind_tesla(nanobind::module_& metrics);
void bind_syntax(nanobind::module_& syntax);
void bind_regression(nanobind::module_& regression);
void bind_tree(nanobind::module_& tree);
void bind_translated_index(nanobind::module_& lexical);
void bind_tune(nanobind::module_& tune);
void bind_casing(nanobind::module_& text);
void bind_tokens(nanobind::module_& text);
void bind_vocabulary(nanobind::module_& text);
void bind_moses(nanobind::module_& text);
void bind_rewriting(nanobind::module_& text);
void bind_sentences(nanobind::module_& text);
void bind_spelling(nanobind::module_& text);

}  // namespace dragoman::bindings
