#include <nanobind/stl/vector.h>

#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "bitext.hpp"
#include "dragoman/align/diagonal.hpp"
#include "dragoman/align/hmm.hpp"
#include "dragoman/align/sampler.hpp"
#include "dragoman/align/symmetrise.hpp"
#include "dragoman/core/errors.hpp"

namespace dragoman::bindings::align_area {

using namespace nb::literals;

namespace {

/// Pseudo-counts for pairs of words.
struct Pairs {
  Ids sources, targets;
  Input<float, 1> weights;
  align::PairWeights get() const { return {view(sources), view(targets), view(weights)}; }
};

nb::tuple arrays(align::LexicalTable&& table) {
  return nb::make_tuple(owned_array(std::move(table.rows)), owned_array(std::move(table.targets)),
                        owned_array(std::move(table.p)));
}

nb::list to_list(const std::vector<align::Round>& rounds) {
  nb::list list;
  for (const auto& round : rounds) list.append(nb::make_tuple(round.log_likelihood, round.tension));
  return list;
}

nb::tuple arrays(align::Inference&& inference) {
  return nb::make_tuple(owned_array(std::move(inference.links)), owned_array(std::move(inference.log_likelihoods)),
                        owned_array(std::move(inference.posteriors)));
}

template <class Work>
auto unlocked(const Work& work) {
  nb::gil_scoped_release released;
  return work();
}

nb::tuple train_diagonal(const Bitext& bitext, const Pairs& pairs, const align::DiagonalOptions& options) {
  auto model = unlocked([&] {
    check(bitext);
    return align::train_diagonal(bitext.from(), bitext.to(), {bitext.anchors(), pairs.get()}, options);
  });
  return nb::make_tuple(arrays(std::move(model.table)), model.tension, to_list(model.rounds));
}

nb::tuple align_diagonal(const Table& table, const Bitext& bitext, const align::DiagonalOptions& options,
                         bool posteriors) {
  return arrays(unlocked([&] {
    check(bitext);
    return align::align_diagonal(table.get(), bitext.from(), bitext.to(), bitext.anchors(), options, posteriors);
  }));
}

nb::tuple train_hmm(const Bitext& bitext, const Pairs& pairs, const align::HmmOptions& options) {
  auto model = unlocked([&] {
    check(bitext);
    return align::train_hmm(bitext.from(), bitext.to(), {bitext.anchors(), pairs.get()}, options);
  });
  return nb::make_tuple(arrays(std::move(model.table)), owned_array(std::move(model.jumps)), to_list(model.rounds));
}

nb::tuple align_hmm(const Table& table, Input<double, 1> jumps, const Bitext& bitext, const align::HmmOptions& options,
                    bool posteriors) {
  return arrays(unlocked([&] {
    check(bitext);
    return align::align_hmm(table.get(), view(jumps), bitext.from(), bitext.to(), bitext.anchors(), options,
                            posteriors);
  }));
}

nb::tuple train_sampler(const Bitext& bitext, const Pairs& pairs, const align::SamplerOptions& options,
                        bool posteriors) {
  auto model = unlocked([&] {
    check(bitext);
    return align::train_sampler(bitext.from(), bitext.to(), {bitext.anchors(), pairs.get()}, options, posteriors);
  });
  return nb::make_tuple(arrays(std::move(model.table)), owned_array(std::move(model.jumps)),
                        owned_array(std::move(model.fertilities)), arrays(std::move(model.inference)));
}

nb::tuple align_sampler(const Table& table, Input<double, 1> jumps, Input<float, 1> fertilities, const Bitext& bitext,
                        const align::SamplerOptions& options, bool posteriors) {
  return arrays(unlocked([&] {
    check(bitext);
    return align::align_sampler(table.get(), view(jumps), view(fertilities), bitext.from(), bitext.to(),
                                bitext.anchors(), options, posteriors);
  }));
}

nb::tuple arrays(align::Links&& links) {
  const std::size_t n = links.points.size() / 2;
  return nb::make_tuple(to_array(std::move(links.points), {n, 2}), owned_array(std::move(links.offsets)));
}

nb::tuple symmetrise(Input<std::int32_t, 1> forward, Input<std::int32_t, 1> backward, const Bitext& bitext,
                     align::Symmetrisation method, unsigned n_threads) {
  return arrays(unlocked([&] {
    return align::symmetrise(view(forward), view(backward), view(bitext.source_offsets), view(bitext.target_offsets),
                             method, bitext.anchors(), n_threads);
  }));
}

nb::tuple join_posteriors(Input<float, 1> forward, Input<float, 1> backward, const Bitext& bitext, float threshold,
                          unsigned n_threads) {
  std::vector<float> joint;
  auto links = unlocked([&] {
    return align::join_posteriors(view(forward), view(backward), view(bitext.source_offsets),
                                  view(bitext.target_offsets), threshold, bitext.anchors(), n_threads, &joint);
  });
  return nb::make_tuple(arrays(std::move(links)), owned_array(std::move(joint)));
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Bitext>(m, "Bitext", "Sentence pairs as ids, with the links known in them.")
      .def(nb::init<Ids, Ids, Offsets, Offsets, Points, Offsets>(), "source"_a.noconvert(), "target"_a.noconvert(),
           "source_offsets"_a.noconvert(), "target_offsets"_a.noconvert(), "anchor_points"_a.noconvert(),
           "anchor_offsets"_a.noconvert(),
           nb::sig("def __init__(self, source: NDArray[numpy.int32], target: NDArray[numpy.int32], source_offsets:"
                   " NDArray[numpy.int64], target_offsets: NDArray[numpy.int64], anchor_points: NDArray[numpy.int32],"
                   " anchor_offsets: NDArray[numpy.int64]) -> None"));
  nb::class_<Pairs>(m, "Pairs", "Pairs of words with pseudo-counts.")
      .def(nb::init<Ids, Ids, Input<float, 1>>(), "sources"_a.noconvert(), "targets"_a.noconvert(),
           "weights"_a.noconvert(),
           nb::sig("def __init__(self, sources: NDArray[numpy.int32], targets: NDArray[numpy.int32], weights:"
                   " NDArray[numpy.float32]) -> None"));
  nb::class_<Table>(m, "Table", "p(target | source): rows, targets, probabilities.")
      .def(nb::init<Offsets, Ids, Input<float, 1>>(), "rows"_a.noconvert(), "targets"_a.noconvert(), "p"_a.noconvert(),
           nb::sig("def __init__(self, rows: NDArray[numpy.int64], targets: NDArray[numpy.int32], p:"
                   " NDArray[numpy.float32]) -> None"));

  using align::DiagonalOptions, align::HmmOptions, align::SamplerOptions;
  nb::class_<DiagonalOptions>(m, "DiagonalOptions")
      .def(nb::init<>())
      .def_rw("n_rounds", &DiagonalOptions::n_rounds)
      .def_rw("p_null", &DiagonalOptions::p_null)
      .def_rw("tension", &DiagonalOptions::tension)
      .def_rw("learn_tension", &DiagonalOptions::learn_tension)
      .def_rw("alpha", &DiagonalOptions::alpha)
      .def_rw("n_threads", &DiagonalOptions::n_threads);
  nb::class_<HmmOptions>(m, "HmmOptions")
      .def(nb::init<>())
      .def_rw("n_start_rounds", &HmmOptions::n_start_rounds)
      .def_rw("n_rounds", &HmmOptions::n_rounds)
      .def_rw("p_null", &HmmOptions::p_null)
      .def_rw("max_jump", &HmmOptions::max_jump)
      .def_rw("alpha", &HmmOptions::alpha)
      .def_rw("n_threads", &HmmOptions::n_threads);
  nb::class_<SamplerOptions>(m, "SamplerOptions")
      .def(nb::init<>())
      .def_rw("n_start_rounds", &SamplerOptions::n_start_rounds)
      .def_rw("n_jump_sweeps", &SamplerOptions::n_jump_sweeps)
      .def_rw("n_sweeps", &SamplerOptions::n_sweeps)
      .def_rw("n_kept", &SamplerOptions::n_kept)
      .def_rw("n_samplers", &SamplerOptions::n_samplers)
      .def_rw("n_align_sweeps", &SamplerOptions::n_align_sweeps)
      .def_rw("p_null", &SamplerOptions::p_null)
      .def_rw("alpha", &SamplerOptions::alpha)
      .def_rw("jump_alpha", &SamplerOptions::jump_alpha)
      .def_rw("fertility_alpha", &SamplerOptions::fertility_alpha)
      .def_rw("max_jump", &SamplerOptions::max_jump)
      .def_rw("key", &SamplerOptions::key)
      .def_rw("n_threads", &SamplerOptions::n_threads);

#define TABLE_ARRAYS "tuple[NDArray[numpy.int64], NDArray[numpy.int32], NDArray[numpy.float32]]"
#define INFERENCE_ARRAYS "tuple[NDArray[numpy.int32], NDArray[numpy.float64], NDArray[numpy.float32]]"
  m.def("train_diagonal", &train_diagonal, "bitext"_a, "pairs"_a, "options"_a,
        nb::sig("def train_diagonal(bitext: Bitext, pairs: Pairs, options: DiagonalOptions) -> tuple[" TABLE_ARRAYS
                ", float, list[tuple[float, float]]]"),
        "The table, the tension learnt, and log-likelihood and tension of each round.");
  m.def(
      "align_diagonal", &align_diagonal, "table"_a, "bitext"_a, "options"_a, nb::kw_only(), "posteriors"_a = false,
      nb::sig("def align_diagonal(table: Table, bitext: Bitext, options: DiagonalOptions, *, posteriors: bool = False)"
              " -> " INFERENCE_ARRAYS),
      "For each target word its source word or -1; log-likelihoods of sentences; posteriors if asked for.");
  m.def("train_hmm", &train_hmm, "bitext"_a, "pairs"_a, "options"_a,
        nb::sig("def train_hmm(bitext: Bitext, pairs: Pairs, options: HmmOptions) -> tuple[" TABLE_ARRAYS
                ", NDArray[numpy.float64], list[tuple[float, float]]]"),
        "The table, the weights of jumps, and log-likelihood and 0 for each round.");
  m.def("align_hmm", &align_hmm, "table"_a, "jumps"_a.noconvert(), "bitext"_a, "options"_a, nb::kw_only(),
        "posteriors"_a = false,
        nb::sig("def align_hmm(table: Table, jumps: NDArray[numpy.float64], bitext: Bitext, options: HmmOptions, *,"
                " posteriors: bool = False) -> " INFERENCE_ARRAYS),
        "As align_diagonal.");
  m.def("train_sampler", &train_sampler, "bitext"_a, "pairs"_a, "options"_a, nb::kw_only(), "posteriors"_a = false,
        nb::sig("def train_sampler(bitext: Bitext, pairs: Pairs, options: SamplerOptions, *, posteriors: bool = False)"
                " -> tuple[" TABLE_ARRAYS ", NDArray[numpy.float64], NDArray[numpy.float32], " INFERENCE_ARRAYS "]"),
        "The table, the probabilities of jumps, those of fertilities by source word, and the training text aligned.");
  m.def("align_sampler", &align_sampler, "table"_a, "jumps"_a.noconvert(), "fertilities"_a.noconvert(), "bitext"_a,
        "options"_a, nb::kw_only(), "posteriors"_a = false,
        nb::sig("def align_sampler(table: Table, jumps: NDArray[numpy.float64], fertilities: NDArray[numpy.float32],"
                " bitext: Bitext, options: SamplerOptions, *, posteriors: bool = False) -> " INFERENCE_ARRAYS),
        "As align_diagonal.");
#undef TABLE_ARRAYS
#undef INFERENCE_ARRAYS

  nb::enum_<align::Symmetrisation>(m, "Symmetrisation")
      .value("intersection", align::Symmetrisation::intersection)
      .value("union", align::Symmetrisation::join)
      .value("grow_diag", align::Symmetrisation::grow_diag)
      .value("grow_diag_final", align::Symmetrisation::grow_diag_final)
      .value("grow_diag_final_and", align::Symmetrisation::grow_diag_final_and);
  m.def("symmetrise", &symmetrise, "forward"_a.noconvert(), "backward"_a.noconvert(), "bitext"_a, "method"_a,
        nb::kw_only(), "n_threads"_a = 1,
        nb::sig("def symmetrise(forward: NDArray[numpy.int32], backward: NDArray[numpy.int32], bitext: Bitext, method:"
                " Symmetrisation, *, n_threads: int = 1) -> tuple[NDArray[numpy.uint16], NDArray[numpy.int64]]"),
        "Links of both directions as one set: points and offsets.");
  m.def("join_posteriors", &join_posteriors, "forward"_a.noconvert(), "backward"_a.noconvert(), "bitext"_a,
        "threshold"_a, nb::kw_only(), "n_threads"_a = 1,
        nb::sig("def join_posteriors(forward: NDArray[numpy.float32], backward: NDArray[numpy.float32], bitext: Bitext,"
                " threshold: float, *, n_threads: int = 1) -> tuple[tuple[NDArray[numpy.uint16], NDArray[numpy.int64]],"
                " NDArray[numpy.float32]]"),
        "Links whose posteriors have a geometric mean of at least the threshold, and those means.");
}

}  // namespace dragoman::bindings::align_area
