#include <nanobind/nanobind.h>

#include "areas.hpp"
#include "chart.hpp"
#include "dragoman/core/errors.hpp"

namespace nb = nanobind;
using namespace dragoman::bindings;

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
  align_area::bind(align);
  align_parts_area::bind(align);
  nb::module_ classer = m.def_submodule("classer", "Error classes of words.");
  classer_area::bind(classer);
  nb::module_ corpus = m.def_submodule("corpus", "Line profiles, counting, hashing, mis-alignment, retrieval.");
  corpus_area::bind(corpus);
  columns_area::bind(corpus);
  retrieval_area::bind(corpus);
  nb::module_ edit = m.def_submodule("edit", "Edit distances, translation edit rate.");
  edit_area::bind(edit);
  nb::module_ graph = m.def_submodule("graph", "Hypergraphs of derivations: k-best, posteriors, completion, oracles.");
  hypergraph_area::bind(graph);
  nb::module_ lexical = m.def_submodule("lexical", "Words by the words around them: lexicons, information, topics.");
  lexical_area::bind(lexical);
  translated_index_area::bind(lexical);
  nb::module_ lm = m.def_submodule("lm", "Language models: estimation, ARPA files, scoring.");
  lm_area::bind(lm);
  nb::module_ memory = m.def_submodule("memory", "Translation memories: matches, concordance.");
  memory_area::bind(memory);
  nb::module_ morph = m.def_submodule("morph", "Morphemes: learning them, and cutting words into them.");
  morph_area::bind(morph);
  nb::module_ nbest = m.def_submodule("nbest", "N-best lists: agreement, diversity, models of them.");
  nbest_area::bind(nbest);
  nb::module_ net = m.def_submodule("net", "Feed-forward nets over n-grams: training, scoring.");
  net_area::bind(net);
  nb::module_ rank = m.def_submodule("rank", "Rankings from pairwise judgements.");
  rank_area::bind(rank);
  nb::module_ phrase = m.def_submodule("phrase", "Phrase tables, and translating with them.");
  features_area::bind(phrase);
  constraints_area::bind(phrase);
  decoding_area::bind(phrase);
  phrase_area::bind(phrase);
  phrase_parts_area::bind(phrase);
  significance_area::bind(phrase);
  phrase_tables_area::bind(phrase);
  nb::module_ grammar = m.def_submodule("grammar", "Synchronous grammars: rules of aligned text.");
  grammar_area::bind(grammar);
  grammar_parts_area::bind(grammar);
  tree_rules_area::bind(grammar);
  nb::module_ chart = m.def_submodule("chart", "Translation by the rules of a grammar.");
  rule_table_area::bind(chart);
  mixing_area::bind(chart);
  chart_area::bind(chart);
  forced_rules_area::bind(chart);
  nb::module_ resample = m.def_submodule("resample", "Resampled sums of per-segment statistics.");
  resample_area::bind(resample);
  nb::module_ metrics = m.def_submodule("metrics", "Statistics of metrics, for batches of segments.");
  metrics_area::bind(metrics);
  contrast_area::bind(metrics);
  meteor_area::bind(metrics);
  celab_area::bind(metrics);
  sagan_area::bind(metrics);
  spede_area::bind(metrics);
  pivots_area::bind(metrics);
  tesla_area::bind(metrics);
  nb::module_ sequence = m.def_submodule("sequence", "Labelling tokens in their sentences.");
  sequence_area::bind(sequence);
  nb::module_ syntax = m.def_submodule("syntax", "Tagging and parsing.");
  constituents_area::bind(syntax);
  syntax_area::bind(syntax);
  nb::module_ combine = m.def_submodule("combine", "Confusion networks of several translations.");
  combine_area::bind(combine);
  nb::module_ regression = m.def_submodule("regression", "Regression on sets of columns.");
  regression_area::bind(regression);
  nb::module_ tree = m.def_submodule("tree", "Tree kernels.");
  tree_area::bind(tree);
  nb::module_ tune = m.def_submodule("tune", "Tuning of weights on candidate lists.");
  tune_area::bind(tune);
  graph_tune_area::bind(tune);

  nb::module_ text = m.def_submodule("text", "Unicode, tokenisers, vocabulary.");
  text_area::bind(text);
  casing_area::bind(text);
  line_buffer_area::bind(text);
  tokens_area::bind(text);
  vocabulary_area::bind(text);
  moses_area::bind(text);
  rewriting_area::bind(text);
  sentences_area::bind(text);
  spelling_area::bind(text);
}
