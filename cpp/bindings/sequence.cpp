#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/sequence/labeller.hpp"

namespace dragoman::bindings::sequence_area {

using namespace nb::literals;
using namespace sequence;

namespace {

using Offsets = Input<std::int64_t, 1>;
using Ids = Input<std::int32_t, 1>;
using Values = Input<float, 1>;

Sequences sequences_of(const Offsets& sentences, const Offsets& tokens, const Ids& ids, const Values& values) {
  return {span_of(sentences), span_of(tokens), span_of(ids), span_of(values)};
}

nb::tuple arrays_of(Chain&& chain) {
  const auto k = static_cast<std::size_t>(chain.n_labels);
  return nb::make_tuple(to_array(std::move(chain.emissions), {static_cast<std::size_t>(chain.n_features), k}),
                        to_array(std::move(chain.transitions), {k + 1, k}));
}

nb::tuple crf(Offsets sentences, Offsets tokens, Ids ids, Values values, Ids labels, std::int32_t n_features,
              std::int32_t n_labels, int epochs, double rate, double penalty, std::uint64_t key) {
  Chain chain;
  {
    nb::gil_scoped_release unlocked;
    chain = train_crf(sequences_of(sentences, tokens, ids, values), span_of(labels), n_features, n_labels,
                      {epochs, rate, penalty}, CounterStream{key});
  }
  return arrays_of(std::move(chain));
}

nb::tuple perceptron(Offsets sentences, Offsets tokens, Ids ids, Values values, Ids labels, std::int32_t n_features,
                     std::int32_t n_labels, int epochs, Input<double, 1> costs, std::uint64_t key) {
  Chain chain;
  {
    nb::gil_scoped_release unlocked;
    chain = train_perceptron(sequences_of(sentences, tokens, ids, values), span_of(labels), n_features, n_labels,
                             {epochs, span_of(costs)}, CounterStream{key});
  }
  return arrays_of(std::move(chain));
}

template <auto kernel>
auto read(Offsets sentences, Offsets tokens, Ids ids, Values values, Input<double, 2> emissions,
          Input<double, 2> transitions, unsigned n_threads) {
  const Chain chain{static_cast<std::int32_t>(emissions.shape(0)),
                    static_cast<std::int32_t>(emissions.shape(1)),
                    {emissions.data(), emissions.data() + emissions.size()},
                    {transitions.data(), transitions.data() + transitions.size()}};
  std::vector<double> found;
  {
    nb::gil_scoped_release unlocked;
    found = kernel(chain, sequences_of(sentences, tokens, ids, values), n_threads);
  }
  return to_array(std::move(found), {tokens.size() - 1, emissions.shape(1)});
}

}  // namespace

void bind(nb::module_& m) {
  m.def(
      "train_crf", &crf, "sentences"_a.noconvert(), "tokens"_a.noconvert(), "ids"_a.noconvert(), "values"_a.noconvert(),
      "labels"_a.noconvert(), nb::kw_only(), "n_features"_a, "n_labels"_a, "epochs"_a, "rate"_a, "penalty"_a, "key"_a,
      nb::sig("def train_crf(sentences: NDArray[numpy.int64], tokens: NDArray[numpy.int64], ids: NDArray[numpy.int32], "
              "values: NDArray[numpy.float32], labels: NDArray[numpy.int32], *, n_features: int, n_labels: int, "
              "epochs: int, rate: float, penalty: float, key: int) "
              "-> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
      "Weights (features, labels) and transitions (labels + 1, labels) of a CRF.");
  m.def("train_perceptron", &perceptron, "sentences"_a.noconvert(), "tokens"_a.noconvert(), "ids"_a.noconvert(),
        "values"_a.noconvert(), "labels"_a.noconvert(), nb::kw_only(), "n_features"_a, "n_labels"_a, "epochs"_a,
        "costs"_a.noconvert(), "key"_a,
        nb::sig("def train_perceptron(sentences: NDArray[numpy.int64], tokens: NDArray[numpy.int64], "
                "ids: NDArray[numpy.int32], values: NDArray[numpy.float32], labels: NDArray[numpy.int32], *, "
                "n_features: int, n_labels: int, epochs: int, costs: NDArray[numpy.float64], key: int) "
                "-> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]"),
        "The same by averaged perceptron; costs are (labels · labels) or empty.");
  m.def("marginals", &read<marginals>, "sentences"_a.noconvert(), "tokens"_a.noconvert(), "ids"_a.noconvert(),
        "values"_a.noconvert(), nb::kw_only(), "emissions"_a.noconvert(), "transitions"_a.noconvert(),
        "n_threads"_a = 1, "P(label) of every token: float64 (tokens, labels).");
  m.def("max_marginals", &read<max_marginals>, "sentences"_a.noconvert(), "tokens"_a.noconvert(), "ids"_a.noconvert(),
        "values"_a.noconvert(), nb::kw_only(), "emissions"_a.noconvert(), "transitions"_a.noconvert(),
        "n_threads"_a = 1, "Score of the best labelling with each label at each token: float64 (tokens, labels).");
}

}  // namespace dragoman::bindings::sequence_area
