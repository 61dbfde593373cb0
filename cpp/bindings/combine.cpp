#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/combine/build.hpp"
#include "dragoman/combine/search.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"

namespace dragoman::bindings::combine_area {

using namespace nb::literals;
using namespace combine;

namespace {

using Ids = Input<std::int32_t, 1>;
using Offsets = Input<std::int64_t, 1>;

template <class T>
Rows<T> rows_of(std::span<const T> values, const Offsets& offsets) {
  const auto ends = span_of(offsets);
  if (ends.empty() || ends.front() != 0 || ends.back() != static_cast<std::int64_t>(values.size()) ||
      !std::ranges::is_sorted(ends)) {
    throw data_error("The offsets must rise from 0 to the number of values.");
  }
  return {values, ends};
}

void check_range(std::span<const std::int32_t> values, std::size_t size, const char* what) {
  if (std::ranges::any_of(values, [&](std::int32_t v) { return v < 0 || static_cast<std::size_t>(v) >= size; })) {
    throw data_error(std::string("A ") + what + " has no such number.");
  }
}

/// What is known of the words, and who keeps it.
struct Facts {
  Ids stems, kin, letters;
  Offsets kin_offsets, letter_offsets;

  WordFacts view() const {
    return {span_of(stems), rows_of(span_of(kin), kin_offsets), rows_of(span_of(letters), letter_offsets), {}, {}, {}};
  }
};

/// Sources, and translations of their words.
struct Sources {
  Ids words;
  Offsets offsets;
  Ids translations;
  Offsets translation_offsets;
  Input<float, 1> p_target, p_source;
};

/// Translations and what is built of them, which lies here as long as they are asked.
class Batch {
 public:
  Batch(Ids words, Offsets offsets, std::size_t n_systems) : words_(words), offsets_(offsets), n_systems_(n_systems) {
    hyps_ = rows_of(span_of(words_), offsets_);
    if (n_systems < 2 || hyps_.size() % n_systems != 0) {
      throw data_error("Every segment needs a translation of each system, of two at least.");
    }
  }

  std::size_t n_segments() const { return hyps_.size() / n_systems_; }

  void build(const Facts& facts, const BuildOptions& options, const std::optional<Sources>& sources,
             const std::optional<std::pair<Input<std::int32_t, 2>, Offsets>>& links, unsigned n_threads) {
    WordFacts known = facts.view();
    check_range(span_of(words_), known.stems.size(), "word");
    if (known.kin.size() != known.stems.size() || known.letters.size() != known.stems.size()) {
      throw data_error("Every word needs a stem, meanings and letters.");
    }
    Translations text{hyps_, n_systems_, {}, {}};
    if (sources) {
      text.sources = rows_of(span_of(sources->words), sources->offsets);
      known.translations = rows_of(span_of(sources->translations), sources->translation_offsets);
      known.p_target = span_of(sources->p_target);
      known.p_source = span_of(sources->p_source);
      check_range(text.sources.values, known.translations.size(), "source word");
      if (text.sources.size() != n_segments()) throw data_error("Every segment needs a source.");
    }
    std::vector<WordLink> pairs;
    if (links) {
      for (std::size_t i = 0; i < links->first.shape(0); ++i) {
        pairs.push_back({links->first.data()[2 * i], links->first.data()[2 * i + 1]});
      }
      text.links = rows_of(std::span<const WordLink>(pairs), links->second);
      check_links(text);
    }
    nb::gil_scoped_release unlocked;
    networks_ = build_networks(text, known, options, n_threads);
  }

  nb::tuple networks() const {
    auto words = networks_.words;
    auto offsets = networks_.offsets;
    const std::size_t n = words.size() / n_systems_;
    return nb::make_tuple(to_array(std::move(words), {n, n_systems_}), owned_array(std::move(offsets)));
  }
  std::size_t n_given_up() const { return networks_.n_given_up; }

  /// Models with the numbers that they have for the words.
  void set_models(std::vector<const lm::Model*> models, std::vector<Ids> numbers) {
    if (models.size() != numbers.size()) throw data_error("Every language model needs numbers of the words.");
    std::vector<NumberedModel> set;
    for (std::size_t m = 0; m < models.size(); ++m) {
      const auto own = span_of(numbers[m]);
      check_range(span_of(words_), own.size(), "word of a language model");
      set.push_back({models[m], own});
    }
    numbers_ = std::move(numbers);
    models_ = std::move(set);
  }

  std::size_t count_features() const { return n_features(n_systems_, models_.size()); }

  graph::Hypergraph lattice(std::size_t segment, Input<float, 1> weights, std::size_t beam) const {
    check_weights(weights);
    if (segment >= n_segments()) throw data_error("There is no segment " + std::to_string(segment + 1) + ".");
    nb::gil_scoped_release unlocked;
    return searched(segment, span_of(weights), {beam});
  }

  nb::tuple best_paths(Offsets segments, Input<float, 1> weights, std::size_t beam, std::size_t n_best,
                       unsigned n_threads) const {
    check_weights(weights);
    const auto wanted = span_of(segments);
    std::vector<std::vector<CombinedPath>> found(wanted.size());
    {
      nb::gil_scoped_release unlocked;
      for_each_chunk(wanted.size(), n_threads, [&](Chunk chunk) {
        for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
          const auto graph = searched(static_cast<std::size_t>(wanted[i]), span_of(weights), {beam});
          found[i] = combine::best_paths(graph, n_best);
        }
      });
    }
    return as_arrays(found);
  }

 private:
  void check_links(const Translations& text) const {
    const std::size_t pairs = n_systems_ * (n_systems_ - 1) / 2;
    if (text.links.size() != n_segments() * pairs) throw data_error("Every two translations need their links.");
    for (std::size_t i = 0, list = 0; i < n_segments(); ++i) {
      for (std::size_t a = 0; a < n_systems_; ++a) {
        for (std::size_t b = a + 1; b < n_systems_; ++b, ++list) {
          for (const WordLink& link : text.links[list]) {
            if (link.a < 0 || link.b < 0 || static_cast<std::size_t>(link.a) >= hyps_[i * n_systems_ + a].size() ||
                static_cast<std::size_t>(link.b) >= hyps_[i * n_systems_ + b].size()) {
              throw data_error("Segment " + std::to_string(i + 1) + " has a link outside of its words.");
            }
          }
        }
      }
    }
  }

  void check_weights(const Input<float, 1>& weights) const {
    if (networks_.offsets.empty()) throw data_error("There are no networks yet.");
    if (weights.size() != count_features()) {
      throw data_error("There are " + std::to_string(count_features()) + " features and " +
                       std::to_string(weights.size()) + " weights.");
    }
  }

  graph::Hypergraph searched(std::size_t segment, std::span<const float> weights, SearchOptions options) const {
    const auto first = static_cast<std::size_t>(networks_.offsets[segment * n_systems_]);
    std::vector<std::int64_t> bounds;
    for (std::size_t k = 0; k <= n_systems_; ++k) {
      bounds.push_back(networks_.offsets[segment * n_systems_ + k] - static_cast<std::int64_t>(first));
    }
    const Segment here{std::span(networks_.words).subspan(first * n_systems_), bounds, n_systems_, hyps_,
                       segment * n_systems_};
    return search(here, models_, weights, options);
  }

  nb::tuple as_arrays(const std::vector<std::vector<CombinedPath>>& found) const {
    std::vector<std::int32_t> arcs;
    std::vector<std::int64_t> arc_offsets{0}, path_offsets{0};
    std::vector<std::uint32_t> networks;
    std::vector<double> scores, features;
    for (const auto& paths : found) {
      for (const CombinedPath& path : paths) {
        arcs.insert(arcs.end(), path.arcs.begin(), path.arcs.end());
        arc_offsets.push_back(static_cast<std::int64_t>(arcs.size()));
        networks.push_back(path.network);
        scores.push_back(path.score);
        features.insert(features.end(), path.features.begin(), path.features.end());
      }
      path_offsets.push_back(static_cast<std::int64_t>(scores.size()));
    }
    const std::size_t n = scores.size();
    return nb::make_tuple(owned_array(std::move(arcs)), owned_array(std::move(arc_offsets)),
                          owned_array(std::move(path_offsets)), owned_array(std::move(networks)),
                          owned_array(std::move(scores)), to_array(std::move(features), {n, count_features()}));
  }

  Ids words_;
  Offsets offsets_;
  std::size_t n_systems_;
  Rows<Word> hyps_;
  Networks networks_;
  std::vector<NumberedModel> models_;
  std::vector<Ids> numbers_;
};

/// invWER of pairs of sequences, for tests and whoever wants the rate itself: costs and items looked at.
std::tuple<float, std::size_t> inverted_distance(std::vector<std::int32_t> hyp, std::vector<std::int32_t> ref,
                                                 double inversion) {
  EditTable table{hyp.size(), ref.size(), {}, std::vector<float>(ref.size(), 1)};
  for (const auto a : hyp) {
    for (const auto b : ref) table.replace.push_back(a == b ? 0 : 1);
  }
  const auto found = align_by_inversions(table, {inversion, 0});
  if (!found.complete) throw data_error("A sequence is longer than 255.");
  return {found.cost, found.n_items};
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<Method>(m, "Method", "How a network is built.")
      .value("shifts", Method::kShifts)
      .value("hmm", Method::kHmm)
      .value("inversions", Method::kInversions)
      .value("links", Method::kLinks);
  nb::class_<Facts>(m, "Facts", "What is known of the words of all systems.")
      .def(
          "__init__",
          [](Facts* self, Ids stems, Ids kin, Offsets kin_offsets, Ids letters, Offsets letter_offsets) {
            new (self) Facts{stems, kin, letters, kin_offsets, letter_offsets};
          },
          "stems"_a.noconvert(), "kin"_a.noconvert(), "kin_offsets"_a.noconvert(), "letters"_a.noconvert(),
          "letter_offsets"_a.noconvert(),
          nb::sig(
              "def __init__(self, stems: NDArray[numpy.int32], kin: NDArray[numpy.int32], kin_offsets: "
              "NDArray[numpy.int64], letters: NDArray[numpy.int32], letter_offsets: NDArray[numpy.int64]) -> None"));
  nb::class_<Sources>(m, "Sources", "Sources, and the translations of their words.")
      .def(
          "__init__",
          [](Sources* self, Ids words, Offsets offsets, Ids translations, Offsets translation_offsets,
             Input<float, 1> p_target, Input<float, 1> p_source) {
            new (self) Sources{words, offsets, translations, translation_offsets, p_target, p_source};
          },
          "words"_a.noconvert(), "offsets"_a.noconvert(), "translations"_a.noconvert(),
          "translation_offsets"_a.noconvert(), "p_target"_a.noconvert(), "p_source"_a.noconvert(),
          nb::sig("def __init__(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], translations: "
                  "NDArray[numpy.int32], translation_offsets: NDArray[numpy.int64], p_target: NDArray[numpy.float32], "
                  "p_source: NDArray[numpy.float32]) -> None"));
  nb::class_<BuildOptions>(m, "BuildOptions", "How translations are aligned.")
      .def(
          "__init__",
          [](BuildOptions* self, Method method, double stem_cost, double kin_cost, double semantic, double surface,
             double shift_cost, unsigned longest_shift, unsigned farthest_shift, bool all_alike, double jump,
             double p_null, double inversion, std::size_t most_items) {
            new (self) BuildOptions{method,
                                    {stem_cost, kin_cost, semantic, surface},
                                    {shift_cost, longest_shift, farthest_shift, all_alike},
                                    {jump, p_null},
                                    {inversion, most_items}};
          },
          "method"_a, nb::kw_only(), "stem_cost"_a, "kin_cost"_a, "semantic"_a, "surface"_a, "shift_cost"_a,
          "longest_shift"_a, "farthest_shift"_a, "all_alike"_a, "jump"_a, "p_null"_a, "inversion"_a, "most_items"_a);
  nb::class_<Batch>(m, "Batch", "Translations of segments by several systems, their networks, and paths through them.")
      .def(nb::init<Ids, Offsets, std::size_t>(), "words"_a.noconvert(), "offsets"_a.noconvert(), "n_systems"_a,
           nb::sig("def __init__(self, words: NDArray[numpy.int32], offsets: NDArray[numpy.int64], n_systems: int) -> "
                   "None"))
      .def("build", &Batch::build, "facts"_a, "options"_a, "sources"_a = nb::none(), "links"_a = nb::none(),
           nb::kw_only(), "n_threads"_a,
           nb::sig("def build(self, facts: Facts, options: BuildOptions, sources: Sources | None = None, links: "
                   "tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None, *, n_threads: int) -> None"),
           "Build a network for each segment and skeleton.")
      .def("networks", &Batch::networks,
           nb::sig("def networks(self) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64]]"),
           "The word of each system in each link, -1: none; and where each network begins.")
      .def_prop_ro("n_given_up", &Batch::n_given_up, "Alignments that shifts made because inversions took too long.")
      .def("set_models", &Batch::set_models, "models"_a, "numbers"_a,
           nb::sig("def set_models(self, models: Sequence[dragoman._core.lm.Model], numbers: "
                   "Sequence[NDArray[numpy.int32]]) -> None"),
           "The language models to ask, with the numbers that they have for the words.", nb::keep_alive<1, 2>())
      .def_prop_ro("n_features", &Batch::count_features)
      .def("lattice", &Batch::lattice, "segment"_a, "weights"_a.noconvert(), "beam"_a,
           nb::sig("def lattice(self, segment: int, weights: NDArray[numpy.float32], beam: int) -> "
                   "dragoman._core.graph.Hypergraph"),
           "Everything that the search of a segment kept.")
      .def(
          "best_paths", &Batch::best_paths, "segments"_a.noconvert(), "weights"_a.noconvert(), nb::kw_only(), "beam"_a,
          "n_best"_a, "n_threads"_a,
          nb::sig("def best_paths(self, segments: NDArray[numpy.int64], weights: NDArray[numpy.float32], *, beam: int, "
                  "n_best: int, n_threads: int) -> tuple[NDArray[numpy.int32], NDArray[numpy.int64], "
                  "NDArray[numpy.int64], NDArray[numpy.uint32], NDArray[numpy.float64], NDArray[numpy.float64]]"),
          "The word taken in each link, offsets of the paths, of the segments, network, score and features of each "
          "path.");
  m.def("inverted_distance", &inverted_distance, "hyp"_a, "ref"_a, "inversion"_a = 1.0,
        "invWER of two sequences, and how many spans the search looked at.");
}

}  // namespace dragoman::bindings::combine_area
