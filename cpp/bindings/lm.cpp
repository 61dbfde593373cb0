#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/lm/arpa.hpp"
#include "dragoman/lm/clusters.hpp"
#include "dragoman/lm/estimate.hpp"
#include "dragoman/lm/interpolate.hpp"
#include "dragoman/lm/model.hpp"
#include "dragoman/lm/prune.hpp"
#include "dragoman/lm/scoring.hpp"
#include "dragoman/text/vocabulary.hpp"
#include "lines.hpp"
#include "strings.hpp"

namespace dragoman::bindings::lm_area {

using namespace nb::literals;
using lm::Estimator;
using lm::Model;

namespace {

/// Hands every n-gram to each of several sinks.
class Tee final : public lm::NGramSink {
 public:
  void add(lm::NGramSink& sink) { sinks_.push_back(&sink); }
  void begin(std::span<const std::uint64_t> n_ngrams) override {
    for (auto* sink : sinks_) sink->begin(n_ngrams);
  }
  void ngram(std::span<const lm::WordId> words, float log_p, float log_backoff, bool left, bool right) override {
    for (auto* sink : sinks_) sink->ngram(words, log_p, log_backoff, left, right);
  }

 private:
  std::vector<lm::NGramSink*> sinks_;
};

std::unique_ptr<Estimator> make_estimator(unsigned order, std::vector<std::uint64_t> prune,
                                          std::array<double, 3> fallback, std::uint64_t max_words,
                                          std::uint64_t min_count, std::size_t memory, std::string folder,
                                          unsigned n_threads) {
  lm::EstimateOptions options;
  options.order = order;
  options.prune = std::move(prune);
  options.fallback = fallback;
  options.max_words = max_words;
  options.min_count = min_count;
  options.space = {memory, std::move(folder)};
  options.n_threads = n_threads;
  return Estimator::make(options);
}

void add(Estimator& estimator, Input<std::int32_t, 1> ids, Input<std::int64_t, 1> offsets) {
  nb::gil_scoped_release unlocked;
  estimator.add({ids.data(), ids.size()}, {offsets.data(), offsets.size()});
}

nb::bytes sorted_run(Estimator& estimator) {
  Bytes run;
  {
    nb::gil_scoped_release unlocked;
    run = estimator.sorted_run();
  }
  return nb::bytes(run.data(), run.size());
}

void take_runs(Estimator& estimator, const std::vector<Input<std::uint8_t, 1>>& runs) {
  std::vector<std::string_view> views;
  for (const auto& run : runs) views.emplace_back(reinterpret_cast<const char*>(run.data()), run.size());
  nb::gil_scoped_release unlocked;
  estimator.take_runs(std::move(views));
}

nb::list to_list(const std::vector<lm::OrderStatistics>& orders) {
  nb::list list;
  for (const auto& each : orders) {
    list.append(nb::make_tuple(each.n_seen, each.n_kept, each.counts_of_counts, each.discounts, each.fell_back));
  }
  return list;
}

/// A model in the structure that was asked for, made of n-grams.
class AnyBuilder {
 public:
  AnyBuilder(const text::WordTable& words, bool trie, lm::Quantisation quantisation) {
    if (trie) {
      trie_.emplace(words, quantisation);
    } else {
      hash_.emplace(words);
    }
  }
  lm::NGramSink& sink() { return trie_ ? static_cast<lm::NGramSink&>(*trie_) : *hash_; }
  std::unique_ptr<Model> finish() { return trie_ ? trie_->finish() : hash_->finish(); }

 private:
  std::optional<lm::ModelBuilder> hash_;
  std::optional<lm::TrieSink> trie_;
};

/// Hands text to a Python function.
lm::ArpaWriter::Write writing_to(const nb::object& write) {
  return [&write](std::string_view text) {
    nb::gil_scoped_acquire locked;
    write(nb::bytes(text.data(), text.size()));
  };
}

nb::tuple finish(Estimator& estimator, const text::Vocabulary& vocabulary, nb::object arpa, bool trie, unsigned p_bits,
                 unsigned backoff_bits) {
  std::vector<lm::OrderStatistics> orders;
  std::unique_ptr<Model> made;
  {
    nb::gil_scoped_release unlocked;
    text::WordTable words;
    const std::vector<char> kept = estimator.kept_words(static_cast<lm::WordId>(vocabulary.size()));
    std::size_t number = 0;
    vocabulary.for_each_word([&](std::string_view word) {
      if (kept[number++] != 0) words.add(word);
    });
    Tee sinks;
    AnyBuilder builder(words, trie, {p_bits, backoff_bits});
    sinks.add(builder.sink());
    std::optional<lm::ArpaWriter> writer;
    if (!arpa.is_none()) sinks.add(writer.emplace(words, writing_to(arpa)));
    orders = estimator.finish(static_cast<lm::WordId>(kept.size()), sinks);
    if (writer) writer->end();
    made = builder.finish();
  }
  return nb::make_tuple(std::move(made), to_list(orders));
}

std::unique_ptr<Model> on_file(Input<std::uint8_t, 1> file) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Input<std::uint8_t, 1>>(std::move(file));
  return Model::on_file(content, std::move(owner));
}

nb::bytes serialised(const Model& model) {
  Bytes file;
  {
    nb::gil_scoped_release unlocked;
    file = model.serialised();
  }
  return nb::bytes(file.data(), file.size());
}

std::unique_ptr<Model> converted(const Model& model, bool trie, unsigned p_bits, unsigned backoff_bits) {
  nb::gil_scoped_release unlocked;
  AnyBuilder builder(model.words(), trie, {p_bits, backoff_bits});
  model.enumerate(builder.sink());
  return builder.finish();
}

std::unique_ptr<Model> pruned(const Model& model, double threshold, bool trie, unsigned p_bits, unsigned backoff_bits) {
  nb::gil_scoped_release unlocked;
  AnyBuilder builder(model.words(), trie, {p_bits, backoff_bits});
  lm::prune_by_entropy(model, threshold, builder.sink());
  return builder.finish();
}

std::unique_ptr<Model> interpolated(const std::vector<const Model*>& models, const std::vector<double>& weights,
                                    bool log_linear, bool trie, unsigned p_bits, unsigned backoff_bits) {
  nb::gil_scoped_release unlocked;
  const text::WordTable words = lm::joint_words(models);
  AnyBuilder builder(words, trie, {p_bits, backoff_bits});
  lm::interpolate(models, weights, log_linear ? lm::Combination::kLogLinear : lm::Combination::kLinear, words,
                  builder.sink());
  return builder.finish();
}

void write_arpa(const Model& model, nb::object write) {
  nb::gil_scoped_release unlocked;
  lm::ArpaWriter writer(model.words(), writing_to(write));
  model.enumerate(writer);
  writer.end();
}

std::unique_ptr<Model> read_arpa(nb::bytes file) {
  nb::gil_scoped_release unlocked;
  return lm::read_arpa({file.c_str(), file.size()});
}

std::unique_ptr<lm::Members> make_members(const Model& model, nb::handle words, nb::handle classes,
                                          Input<float, 1> log_p) {
  const StrLines word_lines(words), class_lines(classes);
  nb::gil_scoped_release unlocked;
  if (word_lines.size() != class_lines.size() || word_lines.size() != log_p.size()) {
    throw data_error("Words, their classes and their probabilities must be as many as each other.");
  }
  text::WordTable table;
  std::vector<lm::WordId> ids;
  Bytes scratch;
  for (std::size_t i = 0; i < word_lines.size(); ++i) {
    if (static_cast<std::size_t>(table.add(word_lines.line(i, scratch))) != i) {
      throw data_error("Word " + std::to_string(i + 1) + " has a class already.");
    }
    ids.push_back(model.find(class_lines.line(i, scratch)));
  }
  return std::make_unique<lm::Members>(std::move(table), std::move(ids),
                                       std::vector<float>(log_p.data(), log_p.data() + log_p.size()));
}

nb::tuple cluster(Input<std::int32_t, 1> ids, Input<std::int64_t, 1> offsets, std::uint32_t n_words,
                  std::uint32_t n_classes, unsigned max_rounds) {
  lm::Clusters clusters;
  {
    nb::gil_scoped_release unlocked;
    clusters = lm::exchange({ids.data(), ids.size()}, {offsets.data(), offsets.size()}, n_words, n_classes, max_rounds);
  }
  return nb::make_tuple(owned_array(std::move(clusters.classes)), clusters.log_likelihood, clusters.n_rounds);
}

nb::tuple score_lines(const Model& model, nb::handle sequence, bool bos, bool eos, unsigned n_threads,
                      const lm::Members* members) {
  const StrLines lines(sequence);
  lm::ScoredTokens tokens;
  {
    nb::gil_scoped_release unlocked;
    tokens = lm::score_lines(model, lines, bos, eos, n_threads, members);
  }
  return nb::make_tuple(owned_array(std::move(tokens.log_p)), owned_array(std::move(tokens.n_matched)),
                        owned_array(std::move(tokens.unknown)), owned_array(std::move(tokens.offsets)));
}

auto score_totals(const Model& model, nb::handle sequence, bool bos, bool eos, unsigned n_threads) {
  const StrLines lines(sequence);
  std::vector<double> totals;
  {
    nb::gil_scoped_release unlocked;
    totals = lm::score_totals(model, lines, bos, eos, n_threads);
  }
  return owned_array(std::move(totals));
}

nb::list all_words(const Model& model) {
  StrBlock block;
  {
    nb::gil_scoped_release unlocked;
    for (std::size_t i = 0; i < model.words().size(); ++i) block.add(model.words().word(static_cast<text::TokenId>(i)));
  }
  return block.to_list();
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Estimator>(m, "Estimator", "Modified Kneser-Ney estimation.")
      .def_static("make", &make_estimator, nb::kw_only(), "order"_a, "prune"_a, "fallback"_a, "max_words"_a,
                  "min_count"_a, "memory"_a, "folder"_a, "n_threads"_a,
                  nb::sig("def make(*, order: int, prune: collections.abc.Sequence[int], fallback:"
                          " collections.abc.Sequence[float], max_words: int, min_count: int, memory: int, folder: str,"
                          " n_threads: int) -> Estimator"))
      .def("add", &add, "ids"_a.noconvert(), "offsets"_a.noconvert(),
           nb::sig("def add(self, ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64]) -> None"),
           "Count sentences.")
      .def("sorted_run", &sorted_run, "The counts of what was added as a sorted run; nothing is left here.")
      .def("take_runs", &take_runs, "runs"_a.noconvert(), nb::keep_alive<1, 2>(),
           nb::sig("def take_runs(self, runs: list[memoryview]) -> None"),
           "Take the counts of a text's parts instead of the text; the runs stay in memory until `finish`.")
      .def("finish", &finish, "vocabulary"_a, nb::kw_only(), "arpa"_a.none(), "trie"_a, "p_bits"_a, "backoff_bits"_a,
           nb::sig("def finish(self, vocabulary: dragoman._core.text.Vocabulary, *, arpa:"
                   " collections.abc.Callable[[bytes], object] | None, trie: bool, p_bits: int, backoff_bits: int)"
                   " -> tuple[Model, list[tuple[int, int, list[int], list[float], bool]]]"),
           "The model, and for each order: n-grams seen, kept, counts of counts, discounts, whether those fell back.");
  nb::class_<lm::Members>(m, "Members", "Words that a model knows by their classes.")
      .def_static("make", &make_members, "model"_a, "words"_a, "classes"_a, "log_p"_a.noconvert(),
                  nb::sig("def make(model: Model, words: collections.abc.Sequence[str], classes:"
                          " collections.abc.Sequence[str], log_p: NDArray[numpy.float32]) -> Members"));
  m.def("cluster", &cluster, "ids"_a.noconvert(), "offsets"_a.noconvert(), nb::kw_only(), "n_words"_a, "n_classes"_a,
        "max_rounds"_a,
        nb::sig("def cluster(ids: NDArray[numpy.int32], offsets: NDArray[numpy.int64], *, n_words: int, n_classes: int,"
                " max_rounds: int) -> tuple[NDArray[numpy.uint32], float, int]"),
        "The class of each word by the exchange algorithm, the log-likelihood, and the rounds it took.");
  nb::class_<Model>(m, "Model", "A back-off language model.")
      .def_prop_ro("order", &Model::order)
      .def("n_ngrams", &Model::n_ngrams, "order"_a)
      .def(
          "find", [](const Model& model, nb::str word) { return model.find(to_utf8(word)); }, "word"_a)
      .def(
          "find_words",
          [](const Model& model, nb::handle sequence) {
            const Lines words(sequence);
            std::vector<lm::WordId> ids;
            ids.reserve(words.views().size());
            for (const std::string_view word : words.views()) ids.push_back(model.find(word));
            return ids;
          },
          "words"_a, nb::sig("def find_words(self, words: collections.abc.Sequence[str]) -> list[int]"))
      .def("words", &all_words, nb::sig("def words(self) -> list[str]"))
      .def(
          "score_lines", &score_lines, "lines"_a, nb::kw_only(), "bos"_a, "eos"_a, "n_threads"_a,
          "members"_a = nb::none(),
          nb::sig("def score_lines(self, lines: collections.abc.Sequence[str], *, bos: bool, eos: bool, n_threads: int,"
                  " members: Members | None = None) -> tuple[NDArray[numpy.float32], NDArray[numpy.uint8], "
                  "NDArray[numpy.uint8],"
                  " NDArray[numpy.int64]]"),
          "Per token log10 probability, length of the n-gram found, whether it is unknown; offsets of the lines.")
      .def("score_totals", &score_totals, "lines"_a, nb::kw_only(), "bos"_a, "eos"_a, "n_threads"_a,
           "log10 probability of each line.")
      .def_prop_ro("is_trie", [](const Model& model) { return model.structure() == lm::Structure::kTrie; })
      .def_prop_ro("p_bits", [](const Model& model) { return model.quantisation().p_bits; })
      .def_prop_ro("backoff_bits", [](const Model& model) { return model.quantisation().backoff_bits; })
      .def("converted", &converted, nb::kw_only(), "trie"_a, "p_bits"_a, "backoff_bits"_a,
           "The same n-grams in a trie or in hash tables.")
      .def("pruned", &pruned, "threshold"_a, nb::kw_only(), "trie"_a, "p_bits"_a, "backoff_bits"_a,
           "The model without n-grams that change perplexity by a share below the threshold.")
      .def("write_arpa", &write_arpa, "write"_a,
           nb::sig("def write_arpa(self, write: collections.abc.Callable[[bytes], object]) -> None"),
           "Hand the model over as the text of an ARPA file, in pieces.")
      .def("serialised", &serialised, "The content of a model file.")
      .def_static("on_file", &on_file, "file"_a.noconvert(), nb::sig("def on_file(file: memoryview) -> Model"),
                  "A model on the mapped content of a file.");
  m.def("interpolated", &interpolated, "models"_a, "weights"_a, nb::kw_only(), "log_linear"_a, "trie"_a, "p_bits"_a,
        "backoff_bits"_a, "One back-off model of several.");
  m.def("read_arpa", &read_arpa, "file"_a, "The model that an ARPA file describes.");
}

}  // namespace dragoman::bindings::lm_area
