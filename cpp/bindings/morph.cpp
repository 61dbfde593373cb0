#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/morph/segmenter.hpp"
#include "dragoman/morph/spelling.hpp"
#include "dragoman/morph/trainer.hpp"
#include "dragoman/text/clusters.hpp"
#include "lines.hpp"

namespace dragoman::bindings::morph_area {

using namespace nb::literals;
using namespace morph;

namespace {

using Counts = Input<std::int64_t, 1>;

auto learn(nb::handle words, Counts counts, double corpus_weight, std::size_t longest, double tolerance, int max_rounds,
           std::uint64_t key) {
  const Lines lines(words);
  SpeltWords spelt;
  Segmented found;
  std::vector<std::string> morphs;
  {
    nb::gil_scoped_release unlocked;
    spelt = SpeltWords(lines.views(), span_of(counts), longest);
    found = train(spelt.words(), {corpus_weight, tolerance, max_rounds}, CounterStream{key});
    for (const Place place : found.morphs) morphs.push_back(spelt.text(place));
  }
  return std::make_tuple(std::move(morphs), owned_array(std::move(found.counts)), owned_array(std::move(spelt.taken)),
                         owned_array(std::move(found.pieces)), owned_array(std::move(found.offsets)),
                         std::move(found.lengths));
}

std::vector<std::vector<std::string>> clusters(nb::handle words) {
  const Lines lines(words);
  std::vector<std::vector<std::string>> out;
  for (const std::string_view word : lines.views()) {
    auto& found = out.emplace_back();
    text::for_each_cluster(word, [&](std::string_view cluster) { found.emplace_back(cluster); });
  }
  return out;
}

}  // namespace

void bind(nb::module_& m) {
  m.def("clusters", &clusters, "texts"_a, "The grapheme clusters of each text.");
  m.def("train", &learn, "words"_a, "counts"_a.noconvert(), nb::kw_only(), "corpus_weight"_a, "longest"_a,
        "tolerance"_a, "max_rounds"_a, "key"_a,
        nb::sig("def train(words: object, counts: NDArray[numpy.int64], *, corpus_weight: float, longest: int, "
                "tolerance: float, max_rounds: int, key: int) -> tuple[list[str], NDArray[numpy.int64], "
                "NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.int64], list[float]]"),
        "Morphs and their counts; which words were taken; their morphs' numbers, end to end, with the words' offsets;\n"
        "the description length in nats before the first round and after each. Words of more than `longest` grapheme\n"
        "clusters are not taken.");

  nb::class_<Segmenter>(m, "Segmenter", "Cuts words into the morphs of a lexicon.")
      .def(
          "__init__",
          [](Segmenter* self, nb::handle morphs, Counts counts, std::int64_t n_words) {
            new (self) Segmenter(Lines(morphs).views(), span_of(counts), n_words);
          },
          "morphs"_a, "counts"_a.noconvert(), nb::kw_only(), "n_words"_a,
          nb::sig("def __init__(self, morphs: object, counts: NDArray[numpy.int64], *, n_words: int) -> None"))
      .def(
          "description_length",
          [](const Segmenter& self, double weight) { return description_length(self.sums(), weight); },
          "corpus_weight"_a, "In nats, of the words that the counts were made of and of the lexicon.")
      .def(
          "costs",
          [](const Segmenter& self) { return owned_array(std::vector(self.costs().begin(), self.costs().end())); },
          nb::sig("def costs(self) -> NDArray[numpy.float64]"), "−ln p of every morph.")
      .def(
          "cut_lines",
          [](const Segmenter& self, nb::handle sequence, const std::string& mark, unsigned n_threads) {
            const Lines lines(sequence);
            nb::gil_scoped_release unlocked;
            return self.cut_lines(lines.views(), mark, n_threads);
          },
          "lines"_a, nb::kw_only(), "mark"_a, "n_threads"_a = 1,
          nb::sig("def cut_lines(self, lines: object, *, mark: str, n_threads: int = 1) -> list[str]"),
          "Each line as morphs with single spaces between; the mark stands before the first of each word.");
}

}  // namespace dragoman::bindings::morph_area
