#include <nanobind/stl/vector.h>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/syntax/constituents.hpp"

namespace dragoman::bindings::constituents_area {

using namespace nb::literals;

namespace {

template <class T>
std::vector<T> copy(const Input<T, 1>& array) {
  return {array.data(), array.data() + array.size()};
}

/// Rows of three symbols with a score each.
std::vector<syntax::Binary> binary_rules(const Input<std::int32_t, 2>& symbols, const Input<double, 1>& scores) {
  if (symbols.shape(1) != 3 || symbols.shape(0) != scores.size())
    throw data_error("A rule has three symbols and a score.");
  std::vector<syntax::Binary> rules;
  rules.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const std::int32_t* const row = symbols.data() + 3 * i;
    rules.push_back({row[0], row[1], row[2], scores.data()[i]});
  }
  return rules;
}

std::vector<syntax::Unary> unary_rules(const Input<std::int32_t, 2>& symbols, const Input<double, 1>& scores) {
  if (symbols.shape(1) != 2 || symbols.shape(0) != scores.size())
    throw data_error("A rule has two symbols and a score.");
  std::vector<syntax::Unary> rules;
  rules.reserve(scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    rules.push_back({symbols.data()[2 * i], symbols.data()[2 * i + 1], scores.data()[i]});
  }
  return rules;
}

using Arrays = nb::typed<nb::dict, nb::str, nb::any>;

Arrays parse(const syntax::Grammar& grammar, Input<std::int32_t, 1> rows, Input<std::int64_t, 1> offsets,
             std::size_t n_best, double least_share, double threshold, double beam, std::size_t longest,
             unsigned n_threads) {
  std::vector<std::int64_t> tree_offsets{0}, node_offsets{0};
  std::vector<double> scores, log_sentences;
  std::vector<std::int32_t> labels, parents;
  std::vector<std::uint8_t> failed;
  {
    nb::gil_scoped_release unlocked;
    const auto found =
        syntax::parse_constituents(grammar, {n_best, least_share, threshold, beam, longest}, {rows.data(), rows.size()},
                                   {offsets.data(), offsets.size()}, n_threads);
    for (const auto& parsed : found) {
      log_sentences.push_back(parsed.log_sentence);
      failed.push_back(parsed.is_failed);
      for (const auto& tree : parsed.trees) {
        scores.push_back(tree.score);
        labels.insert(labels.end(), tree.labels.begin(), tree.labels.end());
        parents.insert(parents.end(), tree.parents.begin(), tree.parents.end());
        node_offsets.push_back(static_cast<std::int64_t>(labels.size()));
      }
      tree_offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
  }
  Arrays result;
  result["tree_offsets"] = owned_array(std::move(tree_offsets));
  result["node_offsets"] = owned_array(std::move(node_offsets));
  result["scores"] = owned_array(std::move(scores));
  result["log_sentences"] = owned_array(std::move(log_sentences));
  result["labels"] = owned_array(std::move(labels));
  result["parents"] = owned_array(std::move(parents));
  result["failed"] = owned_array(std::move(failed));
  return result;
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<syntax::Grammar>(m, "Grammar", "A grammar of split symbols, its coarse original, and a lexicon.")
      .def(
          "__init__",
          [](syntax::Grammar* self, Input<std::int32_t, 2> binary, Input<double, 1> binary_scores,
             Input<std::int32_t, 2> unary, Input<double, 1> unary_scores, Input<std::int32_t, 2> coarse_binary,
             Input<double, 1> coarse_binary_scores, Input<std::int32_t, 2> coarse_unary,
             Input<double, 1> coarse_unary_scores, Input<std::int32_t, 1> coarse_of, Input<double, 1> share,
             Input<double, 1> log_prior, Input<double, 1> coarse_prior, Input<std::int32_t, 1> labels,
             std::int32_t root, Input<std::int64_t, 1> offsets, Input<std::int32_t, 1> symbols,
             Input<double, 1> scores) {
            syntax::Grammar made{
                syntax::Rules(coarse_of.size(), binary_rules(binary, binary_scores), unary_rules(unary, unary_scores)),
                syntax::Rules(coarse_prior.size(), binary_rules(coarse_binary, coarse_binary_scores),
                              unary_rules(coarse_unary, coarse_unary_scores)),
                copy(coarse_of),
                copy(share),
                copy(log_prior),
                copy(coarse_prior),
                copy(labels),
                root,
                {copy(offsets), copy(symbols), copy(scores)}};
            made.check();
            new (self) syntax::Grammar(std::move(made));
          },
          nb::kw_only(), "binary"_a.noconvert(), "binary_scores"_a.noconvert(), "unary"_a.noconvert(),
          "unary_scores"_a.noconvert(), "coarse_binary"_a.noconvert(), "coarse_binary_scores"_a.noconvert(),
          "coarse_unary"_a.noconvert(), "coarse_unary_scores"_a.noconvert(), "coarse_of"_a.noconvert(),
          "share"_a.noconvert(), "log_prior"_a.noconvert(), "coarse_prior"_a.noconvert(), "labels"_a.noconvert(),
          "root"_a, "offsets"_a.noconvert(), "symbols"_a.noconvert(), "scores"_a.noconvert())
      .def("parse", &parse, "rows"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "n_best"_a = 1,
           "least_share"_a = 0.0, "threshold"_a = 1e-5, "beam"_a = 14.0, "longest"_a = 100, "n_threads"_a = 1,
           "The best trees of sentences whose words are rows of the lexicon, as flat arrays.");
}

}  // namespace dragoman::bindings::constituents_area
