#include <nanobind/nanobind.h>

#include "areas.hpp"
#include "chart.hpp"
#include "dragoman/core/errors.hpp"

namespace nb = nanobind;

NB_MODULE(_core, m) {
  m.doc() = "Dragoman's native core: batches of text and arrays in, arrays out. Rooms call it; users do not.";

  // What a user's module still holds when the interpreter ends is not a leak worth a word on stderr.
  nb::set_leak_warnings(false);

  // data_error is the caller's fault and becomes Dragoman's own DataError; everything else keeps nanobind's mapping.
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const dragoman::data_error& error) {
      PyErr_SetString(nb::module_::import_("dragoman.errors").attr("DataError").ptr(), error.what());
    }
  });

  nb::module_ align = m.def_submodule("align", "Word alignment.");
  dragoman::bindings::bind_align(align);
  dragoman::bindings::bind_align_parts(align);
  nb::module_ classer = m.def_submodule("classer", "Error classes of words.");
  dragoman::bindings::bind_classer(classer);
  nb::module_ corpus = m.def_submodule("corpus", "Line profiles, counting, hashing, mis-alignment, retrieval.");
  dragoman::bindings::bind_corpus(corpus);
  dragoman::bindings::bind_columns(corpus);
  dragoman::bindings::bind_retrieval(corpus);
  nb::module_ edit = m.def_submodule("edit", "Edit distances, translation edit rate.");
  dragoman::bindings::bind_edit(edit);
  nb::module_ graph = m.def_submodule("graph", "Hypergraphs of derivations: k-best, posteriors, completion, oracles.");
  dragoman::bindings::bind_hypergraph(graph);
  nb::module_ lexical = m.def_submodule("lexical", "Words by the words around them: lexicons, information, topics.");
  dragoman::bindings::bind_lexical(lexical);
  dragoman::bindings::bind_translated_index(lexical);
  nb::module_ lm = m.def_submodule("lm", "Language models: estimation, ARPA files, scoring.");
  dragoman::bindings::bind_lm(lm);
  nb::module_ memory = m.def_submodule("memory", "Translation memories: matches, concordance.");
  dragoman::bindings::bind_memory(memory);
  nb::module_ morph = m.def_submodule("morph", "Morphemes: learning them, and cutting words into them.");
  dragoman::bindings::bind_morph(morph);
  nb::module_ nbest = m.def_submodule("nbest", "N-best lists: agreement, diversity, models of them.");
  dragoman::bindings::bind_nbest(nbest);
  nb::module_ net = m.def_submodule("net", "Feed-forward nets over n-grams: training, scoring.");
  dragoman::bindings::bind_net(net);
  nb::module_ rank = m.def_submodule("rank", "Rankings from pairwise judgements.");
  dragoman::bindings::bind_rank(rank);
  nb::module_ phrase = m.def_submodule("phrase", "Phrase tables, and translating with them.");
  dragoman::bindings::bind_features(phrase);
  dragoman::bindings::bind_constraints(phrase);
  dragoman::bindings::bind_decoding(phrase);
  dragoman::bindings::bind_phrase(phrase);
  dragoman::bindings::bind_phrase_parts(phrase);
  dragoman::bindings::bind_significance(phrase);
  dragoman::bindings::bind_phrase_tables(phrase);
  nb::module_ grammar = m.def_submodule("grammar", "Synchronous grammars: rules of aligned text.");
  dragoman::bindings::bind_grammar(grammar);
  dragoman::bindings::bind_grammar_parts(grammar);
  dragoman::bindings::bind_tree_rules(grammar);
  nb::module_ chart = m.def_submodule("chart", "Translation by the rules of a grammar.");
  dragoman::bindings::bind_rule_table(chart);
  dragoman::bindings::bind_mixing(chart);
  dragoman::bindings::bind_chart(chart);
  dragoman::bindings::bind_forced_rules(chart);
  nb::module_ resample = m.def_submodule("resample", "Resampled sums of per-segment statistics.");
  dragoman::bindings::bind_resample(resample);
  nb::module_ metrics = m.def_submodule("metrics", "Statistics of metrics, for batches of segments.");
  dragoman::bindings::bind_metrics(metrics);
  dragoman::bindings::bind_contrast(metrics);
  dragoman::bindings::bind_meteor(metrics);
  dragoman::bindings::bind_celab(metrics);
  dragoman::bindings::bind_sagan(metrics);
  dragoman::bindings::bind_spede(metrics);
  dragoman::bindings::bind_pivots(metrics);
  dragoman::bindings::bind_tesla(metrics);
  nb::module_ sequence = m.def_submodule("sequence", "Labelling tokens in their sentences.");
  dragoman::bindings::bind_sequence(sequence);
  nb::module_ syntax = m.def_submodule("syntax", "Tagging and parsing.");
  dragoman::bindings::bind_constituents(syntax);
  dragoman::bindings::bind_syntax(syntax);
  nb::module_ combine = m.def_submodule("combine", "Confusion networks of several translations.");
  dragoman::bindings::bind_combine(combine);
  nb::module_ regression = m.def_submodule("regression", "Regression on sets of columns.");
  dragoman::bindings::bind_regression(regression);
  nb::module_ tree = m.def_submodule("tree", "Tree kernels.");
  dragoman::bindings::bind_tree(tree);
  nb::module_ tune = m.def_submodule("tune", "Tuning of weights on candidate lists.");
  dragoman::bindings::bind_tune(tune);
  dragoman::bindings::bind_graph_tune(tune);

  nb::module_ text = m.def_submodule("text", "Unicode, tokenisers, vocabulary.");
  dragoman::bindings::bind_text(text);
  dragoman::bindings::bind_casing(text);
  dragoman::bindings::bind_line_buffer(text);
  dragoman::bindings::bind_tokens(text);
  dragoman::bindings::bind_vocabulary(text);
  dragoman::bindings::bind_moses(text);
  dragoman::bindings::bind_rewriting(text);
  dragoman::bindings::bind_sentences(text);
  dragoman::bindings::bind_spelling(text);
}
