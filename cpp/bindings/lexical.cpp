#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/lexical/information.hpp"
#include "dragoman/lexical/matching.hpp"
#include "dragoman/lexical/topics.hpp"
#include "dragoman/lexical/word_lexicon.hpp"

namespace dragoman::bindings::lexical_area {

using namespace nb::literals;
using namespace lexical;

namespace {

using Offsets = Input<std::int64_t, 1>;
using Ids = Input<std::int32_t, 1>;
using Values = Input<float, 1>;

Tokens tokens_of(const Ids& ids, const Offsets& offsets) { return {span_of(offsets), span_of(ids)}; }

nb::tuple arrays_of(SparseRows&& rows) {
  return nb::make_tuple(owned_array(std::move(rows.offsets)), owned_array(std::move(rows.columns)),
                        owned_array(std::move(rows.values)));
}

nb::tuple lexicon(Ids source_ids, Offsets source_offsets, Ids target_ids, Offsets target_offsets,
                  std::int32_t n_source_words, std::int32_t n_target_words, double l1, double l2, std::int32_t least,
                  std::int32_t pairs, double negatives, std::int32_t most, int rounds, double tolerance,
                  std::uint64_t key, unsigned n_threads) {
  WordLexicon found;
  {
    nb::gil_scoped_release unlocked;
    const Bags sources(tokens_of(source_ids, source_offsets), n_source_words);
    const Bags targets(tokens_of(target_ids, target_offsets), n_target_words);
    found = train_lexicon(sources, targets, {l1, l2, least, pairs, negatives, most, rounds, tolerance},
                          CounterStream{key}, n_threads);
  }
  nb::tuple rows = arrays_of(std::move(found.weights));
  return nb::make_tuple(rows[0], rows[1], rows[2], owned_array(std::move(found.biases)));
}

auto probabilities(Offsets offsets, Ids columns, Values values, Values biases, Ids source_ids, Offsets source_offsets,
                   Ids target_ids, Offsets target_offsets, std::int32_t n_source_words, unsigned n_threads) {
  std::vector<double> found;
  {
    nb::gil_scoped_release unlocked;
    found = lexicon_probabilities({span_of(offsets), span_of(columns), span_of(values)}, span_of(biases),
                                  tokens_of(source_ids, source_offsets), tokens_of(target_ids, target_offsets),
                                  n_source_words, n_threads);
  }
  return to_array(std::move(found), {target_ids.size()});
}

nb::tuple information(Ids first_ids, Offsets first_offsets, Ids second_ids, Offsets second_offsets,
                      std::int32_t n_first_words, std::int32_t n_second_words, bool same, std::int32_t least,
                      unsigned n_threads) {
  SparseRows found;
  {
    nb::gil_scoped_release unlocked;
    const Bags first(tokens_of(first_ids, first_offsets), n_first_words);
    const Bags second(tokens_of(second_ids, second_offsets), n_second_words);
    found = mutual_information(first, second, same, least, n_threads);
  }
  return arrays_of(std::move(found));
}

auto means(Offsets offsets, Ids columns, Values values, Ids first_ids, Offsets first_offsets, Ids second_ids,
           Offsets second_offsets, bool same, unsigned n_threads) {
  std::vector<double> found;
  {
    nb::gil_scoped_release unlocked;
    found = mean_information({span_of(offsets), span_of(columns), span_of(values)}, tokens_of(first_ids, first_offsets),
                             tokens_of(second_ids, second_offsets), same, n_threads);
  }
  return to_array(std::move(found), {first_ids.size()});
}

auto topics(Ids ids, Offsets offsets, std::int32_t n_words, std::int32_t n_topics, double alpha, double beta,
            int sweeps, std::uint64_t key) {
  std::vector<std::int32_t> found;
  {
    nb::gil_scoped_release unlocked;
    found = sample_topics(tokens_of(ids, offsets), n_words, {n_topics, alpha, beta, sweeps}, CounterStream{key});
  }
  return to_array(std::move(found), {static_cast<std::size_t>(n_words), static_cast<std::size_t>(n_topics)});
}

auto shares(Ids ids, Offsets offsets, Input<double, 2> p_word, double alpha, int rounds, unsigned n_threads) {
  std::vector<double> found;
  {
    nb::gil_scoped_release unlocked;
    found = fold_in(tokens_of(ids, offsets), {p_word.data(), p_word.size()}, static_cast<std::int32_t>(p_word.shape(1)),
                    alpha, rounds, n_threads);
  }
  return to_array(std::move(found), {offsets.size() - 1, p_word.shape(1)});
}

auto matches(Ids first_ids, Offsets first_offsets, Ids second_ids, Offsets second_offsets, unsigned n_threads) {
  std::vector<std::int32_t> found;
  {
    nb::gil_scoped_release unlocked;
    for (const Matching& each :
         match_sentences(tokens_of(first_ids, first_offsets), tokens_of(second_ids, second_offsets), n_threads)) {
      found.insert(found.end(), {each.matched, each.edits, each.distance});
    }
  }
  return to_array(std::move(found), {first_offsets.size() - 1, 3});
}

}  // namespace

void bind(nb::module_& m) {
  m.def("train_lexicon", &lexicon, "source_ids"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target_ids"_a.noconvert(), "target_offsets"_a.noconvert(), nb::kw_only(), "n_source_words"_a,
        "n_target_words"_a, "l1"_a, "l2"_a, "least"_a, "pairs"_a, "negatives"_a, "most"_a, "rounds"_a, "tolerance"_a,
        "key"_a, "n_threads"_a = 1,
        nb::sig("def train_lexicon(source_ids: NDArray[numpy.int32], source_offsets: NDArray[numpy.int64], "
                "target_ids: NDArray[numpy.int32], target_offsets: NDArray[numpy.int64], *, n_source_words: int, "
                "n_target_words: int, l1: float, l2: float, least: int, pairs: int, negatives: float, most: int, "
                "rounds: int, tolerance: float, key: int, n_threads: int = 1) -> tuple[NDArray[numpy.int64], "
                "NDArray[numpy.int32], NDArray[numpy.float32], NDArray[numpy.float32]]"),
        "Rows (offsets, source words, weights) and biases of a logistic model a target word.");
  m.def("lexicon_probabilities", &probabilities, "offsets"_a.noconvert(), "columns"_a.noconvert(),
        "values"_a.noconvert(), "biases"_a.noconvert(), "source_ids"_a.noconvert(), "source_offsets"_a.noconvert(),
        "target_ids"_a.noconvert(), "target_offsets"_a.noconvert(), nb::kw_only(), "n_source_words"_a,
        "n_threads"_a = 1, "p(word | source) of every target token, NaN without a model: float64 (tokens,).");
  m.def("mutual_information", &information, "first_ids"_a.noconvert(), "first_offsets"_a.noconvert(),
        "second_ids"_a.noconvert(), "second_offsets"_a.noconvert(), nb::kw_only(), "n_first_words"_a,
        "n_second_words"_a, "same"_a, "least"_a, "n_threads"_a = 1,
        nb::sig("def mutual_information(first_ids: NDArray[numpy.int32], first_offsets: NDArray[numpy.int64], "
                "second_ids: NDArray[numpy.int32], second_offsets: NDArray[numpy.int64], *, n_first_words: int, "
                "n_second_words: int, same: bool, least: int, n_threads: int = 1) -> tuple[NDArray[numpy.int64], "
                "NDArray[numpy.int32], NDArray[numpy.float32]]"),
        "Rows (offsets, words of the second side, information in nats) of the words of the first side.");
  m.def("mean_information", &means, "offsets"_a.noconvert(), "columns"_a.noconvert(), "values"_a.noconvert(),
        "first_ids"_a.noconvert(), "first_offsets"_a.noconvert(), "second_ids"_a.noconvert(),
        "second_offsets"_a.noconvert(), nb::kw_only(), "same"_a, "n_threads"_a = 1,
        "Mean information of every token of the first side with the second side's: float64 (tokens,).");
  m.def("match_sentences", &matches, "first_ids"_a.noconvert(), "first_offsets"_a.noconvert(),
        "second_ids"_a.noconvert(), "second_offsets"_a.noconvert(), nb::kw_only(), "n_threads"_a = 1,
        "Matched words and edits of the best local alignment, distance of the whole: int32 (sentences, 3).");
  m.def("sample_topics", &topics, "ids"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "n_words"_a,
        "n_topics"_a, "alpha"_a, "beta"_a, "sweeps"_a, "key"_a,
        "How often each word was given each topic: int32 (words, topics).");
  m.def("fold_in", &shares, "ids"_a.noconvert(), "offsets"_a.noconvert(), "p_word"_a.noconvert(), nb::kw_only(),
        "alpha"_a, "rounds"_a, "n_threads"_a = 1, "Shares of the topics in documents: float64 (documents, topics).");
}

}  // namespace dragoman::bindings::lexical_area
