#include <algorithm>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/syntax/parser.hpp"
#include "lines.hpp"

namespace dragoman::bindings::syntax_area {

using namespace nb::literals;
using namespace syntax;

namespace {

using Labels = Input<Label, 1>;

nb::tuple arrays_of(SparseWeights&& found) {
  const std::size_t n_keys = found.keys.size(), n_entries = found.classes.size();
  return nb::make_tuple(to_array(std::move(found.keys), {n_keys}), to_array(std::move(found.counts), {n_keys}),
                        to_array(std::move(found.classes), {n_entries}),
                        to_array(std::move(found.weights), {n_entries}));
}

SparseWeights sparse_of(const Input<std::uint64_t, 1>& keys, const Input<std::uint32_t, 1>& counts,
                        const Labels& classes, const Input<float, 1>& weights) {
  const auto copied = [](const auto& array) { return std::vector(array.data(), array.data() + array.size()); };
  return {copied(keys), copied(counts), copied(classes), copied(weights)};
}

nb::tuple mean(nb::list models, double smallest) {
  std::vector<SparseWeights> all;
  for (const nb::handle model : models) {
    const auto arrays = nb::cast<nb::tuple>(model);
    if (arrays.size() != 4) throw data_error("A model's weights are four arrays.");
    all.push_back(sparse_of(nb::cast<Input<std::uint64_t, 1>>(arrays[0]), nb::cast<Input<std::uint32_t, 1>>(arrays[1]),
                            nb::cast<Labels>(arrays[2]), nb::cast<Input<float, 1>>(arrays[3])));
    all.back().check();
  }
  SparseWeights found;
  {
    nb::gil_scoped_release unlocked;
    found = mean_of(all, smallest);
  }
  return arrays_of(std::move(found));
}

Allowed allowed_of(const Input<std::uint8_t, 2>& table) {
  return {{table.data(), table.data() + table.size()}, table.shape(1)};
}

void check_labels(std::span<const Label> labels, std::size_t n_tokens, std::size_t n_labels) {
  if (labels.size() != n_tokens) throw data_error("There must be one label for each token.");
  for (const Label label : labels) {
    if (label >= n_labels) throw data_error("A label is larger than the number of labels.");
  }
}

auto learn_layer(const TokenLooks& lines, Labels given, Labels labels, Input<std::uint8_t, 2> allowed, int epochs,
                 std::uint64_t key) {
  const Allowed table = allowed_of(allowed);
  check_labels(span_of(labels), lines.n_tokens(), table.n_labels);
  if (given.size() != 0) check_labels(span_of(given), lines.n_tokens(), allowed.shape(0));
  SparseWeights found;
  {
    nb::gil_scoped_release unlocked;
    found = learn_tags(lines, span_of(given), span_of(labels), table.n_labels, table, {epochs, CounterStream{key}});
  }
  return arrays_of(std::move(found));
}

nb::tuple tag(const TagLayer& layer, const TokenLooks& lines, Labels given, unsigned n_threads) {
  if (given.size() != 0) {
    check_labels(span_of(given), lines.n_tokens(), layer.allowed().table.size() / layer.allowed().n_labels);
  }
  std::vector<Label> labels(lines.n_tokens());
  std::vector<float> margins(lines.n_tokens());
  {
    nb::gil_scoped_release unlocked;
    layer.tag(lines, span_of(given), labels, margins, n_threads);
  }
  return nb::make_tuple(to_array(std::move(labels), {lines.n_tokens()}),
                        to_array(std::move(margins), {lines.n_tokens()}));
}

Morphology morphology_of(const Input<std::uint8_t, 2>& table) {
  return {{table.data(), table.data() + table.size()}, table.shape(1)};
}

auto learn_trees(const TokenLooks& lines, Labels upos, Labels feats, Input<std::uint8_t, 2> morphology,
                 Input<std::int32_t, 1> heads, Labels relations, std::size_t n_relations, Label root, int epochs,
                 double explore, std::uint64_t key) {
  check_labels(span_of(relations), lines.n_tokens(), n_relations);
  if (upos.size() != lines.n_tokens() || feats.size() != lines.n_tokens() || heads.size() != lines.n_tokens()) {
    throw data_error("There must be one label for each token.");
  }
  for (std::size_t l = 0; l < lines.size(); ++l) {
    for (std::size_t i = lines.begin(l); i < lines.begin(l + 1); ++i) {
      if (heads.data()[i] < 0 || heads.data()[i] > static_cast<std::int64_t>(lines.begin(l + 1) - lines.begin(l))) {
        throw data_error("Line " + std::to_string(l + 1) + " has a head outside the line.");
      }
    }
  }
  const Morphology table = morphology_of(morphology);
  SparseWeights found;
  {
    nb::gil_scoped_release unlocked;
    found = learn_arcs(lines, {span_of(upos), span_of(feats)}, table, span_of(heads), span_of(relations), n_relations,
                       root, {{epochs, CounterStream{key}}, explore});
  }
  return arrays_of(std::move(found));
}

nb::tuple parse(const ArcModel& model, const TokenLooks& lines, Labels upos, Labels feats, unsigned n_threads) {
  const std::size_t n = lines.n_tokens();
  std::vector<std::int32_t> heads(n);
  std::vector<Label> relations(n);
  std::vector<float> margins(n);
  {
    nb::gil_scoped_release unlocked;
    model.parse(lines, {span_of(upos), span_of(feats)}, {heads, relations, margins}, n_threads);
  }
  return nb::make_tuple(to_array(std::move(heads), {n}), to_array(std::move(relations), {n}),
                        to_array(std::move(margins), {n}));
}

nb::tuple lift(Input<std::int32_t, 1> heads, Input<std::int64_t, 1> offsets) {
  std::vector<std::int32_t> lifted(heads.data(), heads.data() + heads.size());
  std::vector<std::int64_t> counts(offsets.size() == 0 ? 0 : offsets.size() - 1);
  const auto ends = span_of(offsets);
  if (ends.empty() || ends.front() != 0 || ends.back() != std::ssize(lifted) || !std::ranges::is_sorted(ends)) {
    throw data_error("The offsets of the lines do not fit their tokens.");
  }
  {
    nb::gil_scoped_release unlocked;
    for (std::size_t l = 0; l < counts.size(); ++l) {
      const auto begin = static_cast<std::size_t>(ends[l]), n = static_cast<std::size_t>(ends[l + 1] - ends[l]);
      counts[l] = static_cast<std::int64_t>(projectivise(std::span(lifted).subspan(begin, n)));
    }
  }
  const std::size_t n_tokens = lifted.size(), n_lines = counts.size();
  return nb::make_tuple(to_array(std::move(lifted), {n_tokens}), to_array(std::move(counts), {n_lines}));
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<TokenLooks>(m, "TokenLooks", "Lines of tokens, looked at once for all that is done with them.")
      .def(
          "__init__",
          [](TokenLooks* self, nb::handle tokens, Input<std::int64_t, 1> offsets, unsigned n_threads) {
            const Lines lines(tokens);
            new (self) TokenLooks(lines.views(), span_of(offsets), n_threads);
          },
          "tokens"_a, "offsets"_a.noconvert(), nb::kw_only(), "n_threads"_a = 1)
      .def("__len__", &TokenLooks::size)
      .def_prop_ro("n_tokens", &TokenLooks::n_tokens);

  nb::class_<TagLayer>(m, "TagLayer", "One label for each token, from left to right.")
      .def(
          "__init__",
          [](TagLayer* self, Input<std::uint64_t, 1> keys, Input<std::uint32_t, 1> counts, Labels classes,
             Input<float, 1> weights, Input<std::uint8_t, 2> allowed) {
            new (self)
                TagLayer(Weights(sparse_of(keys, counts, classes, weights), allowed.shape(1)), allowed_of(allowed));
          },
          "keys"_a.noconvert(), "counts"_a.noconvert(), "classes"_a.noconvert(), "weights"_a.noconvert(),
          "allowed"_a.noconvert())
      .def("tag", &tag, "lines"_a, "given"_a.noconvert(), nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def tag(self, lines: TokenLooks, given: NDArray[numpy.uint16], *, n_threads: int = 1) "
                   "-> tuple[NDArray[numpy.uint16], NDArray[numpy.float32]]"),
           "Labels of all tokens, and by how much each was ahead of the next best.");

  nb::class_<ArcModel>(m, "ArcModel", "A dependency parser that decides once for each step.")
      .def(
          "__init__",
          [](ArcModel* self, Input<std::uint64_t, 1> keys, Input<std::uint32_t, 1> counts, Labels classes,
             Input<float, 1> weights, Input<std::uint8_t, 2> morphology, std::size_t n_relations, Label root) {
            new (self) ArcModel(Weights(sparse_of(keys, counts, classes, weights), 1 + 2 * n_relations),
                                morphology_of(morphology), n_relations, root);
          },
          "keys"_a.noconvert(), "counts"_a.noconvert(), "classes"_a.noconvert(), "weights"_a.noconvert(),
          "morphology"_a.noconvert(), nb::kw_only(), "n_relations"_a, "root"_a)
      .def("parse", &parse, "lines"_a, "upos"_a.noconvert(), "feats"_a.noconvert(), nb::kw_only(), "n_threads"_a = 1,
           nb::sig("def parse(self, lines: TokenLooks, upos: NDArray[numpy.uint16], feats: NDArray[numpy.uint16], *, "
                   "n_threads: int = 1) -> tuple[NDArray[numpy.int32], NDArray[numpy.uint16], NDArray[numpy.float32]]"),
           "Heads, relations and margins of all tokens.");

  m.def("learn_tags", &learn_layer, "lines"_a, "given"_a.noconvert(), "labels"_a.noconvert(), "allowed"_a.noconvert(),
        nb::kw_only(), "epochs"_a, "key"_a,
        nb::sig("def learn_tags(lines: TokenLooks, given: NDArray[numpy.uint16], labels: NDArray[numpy.uint16], "
                "allowed: NDArray[numpy.uint8], *, epochs: int, key: int) -> tuple["
                "NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]"),
        "Weights of a layer of tags: keys, counts, classes, weights.");
  m.def("learn_arcs", &learn_trees, "lines"_a, "upos"_a.noconvert(), "feats"_a.noconvert(), "morphology"_a.noconvert(),
        "heads"_a.noconvert(), "relations"_a.noconvert(), nb::kw_only(), "n_relations"_a, "root"_a, "epochs"_a,
        "explore"_a, "key"_a,
        nb::sig("def learn_arcs(lines: TokenLooks, upos: NDArray[numpy.uint16], feats: NDArray[numpy.uint16], "
                "morphology: NDArray[numpy.uint8], heads: NDArray[numpy.int32], relations: NDArray[numpy.uint16], *, "
                "n_relations: int, root: int, "
                "epochs: int, explore: float, key: int) -> tuple["
                "NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]"),
        "Weights of a parser, from projective trees: keys, counts, classes, weights.");
  m.def("mean_weights", &mean, "models"_a, nb::kw_only(), "smallest"_a,
        nb::sig("def mean_weights(models: list[tuple[NDArray[numpy.uint64], NDArray[numpy.uint32], "
                "NDArray[numpy.uint16], NDArray[numpy.float32]]], *, smallest: float) -> tuple["
                "NDArray[numpy.uint64], NDArray[numpy.uint32], NDArray[numpy.uint16], NDArray[numpy.float32]]"),
        "The mean of several models' weights, without those nearer to zero than `smallest`.");
  m.def("projectivise", &lift, "heads"_a.noconvert(), "offsets"_a.noconvert(),
        nb::sig("def projectivise(heads: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) "
                "-> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
        "Heads of projective trees, and how many arcs of each line were lifted.");
}

}  // namespace dragoman::bindings::syntax_area
