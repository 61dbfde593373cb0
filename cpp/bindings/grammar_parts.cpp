#include <nanobind/stl/array.h>
#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "areas.hpp"
#include "buffers.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/grammar/score_parts.hpp"

namespace dragoman::bindings::grammar_parts_area {

using namespace nb::literals;
using grammar::RuleStatistics;
using grammar::ScoreOptions;
using grammar::SourceKey;
using text::TokenId;

namespace {

using Marks = Input<std::uint64_t, 2>;
using Test = std::optional<std::tuple<Input<TokenId, 1>, Input<std::int64_t, 1>>>;

/// Gives bytes to a function of Python's.
class Written {
 public:
  explicit Written(nb::callable write) : write_(std::move(write)) {}
  void operator()(std::string_view bytes) const {
    nb::gil_scoped_acquire locked;
    write_(nb::bytes(bytes.data(), bytes.size()));
  }

 private:
  nb::callable write_;
};

nb::tuple merge_rules(const std::vector<std::tuple<Buffer, Marks>>& runs, const SourceKey& begin,
                      const std::optional<SourceKey>& end, const text::Vocabulary& source_words,
                      const text::Vocabulary& target_words, const std::vector<std::string>& source_names,
                      const std::vector<std::string>& target_names, nb::callable write, const Test& test) {
  std::vector<grammar::RuleRun> all;
  for (const auto& [rules, marks] : runs) {
    static_assert(sizeof(grammar::RuleMark) == 3 * sizeof(std::uint64_t));
    if (marks.shape(1) != 3) throw data_error("A mark has three numbers: a key in two halves, and a place.");
    all.push_back({text_of(rules), {reinterpret_cast<const grammar::RuleMark*>(marks.data()), marks.shape(0)}});
  }
  grammar::TestText match;
  if (test) match = {span_of(std::get<0>(*test)), span_of(std::get<1>(*test))};
  grammar::MergedRules merged;
  {
    const std::function<void(std::string_view)> give = Written(std::move(write));
    nb::gil_scoped_release unlocked;
    const grammar::Symbols symbols(source_words, target_words, source_names, target_names);
    merged = grammar::merge_rules(all, begin, end, symbols, match, give);
  }
  return nb::make_tuple(list_of(merged.targets), owned_array(std::move(merged.counts_of_counts)), merged.n_kept);
}

std::vector<std::uint64_t> values_of(const Counts& counts) { return {counts.data(), counts.data() + counts.size()}; }

nb::list add_up_rule_targets(const std::vector<Buffer>& ranges, Counts n_kept, Counts counts_of_counts,
                             const ScoreOptions& options) {
  std::vector<Bytes> answers;
  {
    const auto all = views(ranges);
    nb::gil_scoped_release unlocked;
    answers = grammar::add_up_rule_targets(all, span_of(n_kept), values_of(counts_of_counts), options.smoothing);
  }
  return list_of(answers);
}

RuleStatistics score_range(Buffer rules, const std::vector<Buffer>& answers, std::uint64_t before,
                           const LinkCounts& links, const text::Vocabulary& source_words,
                           const text::Vocabulary& target_words, const std::vector<std::string>& source_names,
                           const std::vector<std::string>& target_names, Counts counts_of_counts,
                           const ScoreOptions& options, nb::callable write) {
  const auto all = views(answers);
  const std::function<void(std::string_view)> give = Written(std::move(write));
  nb::gil_scoped_release unlocked;
  const grammar::Symbols symbols(source_words, target_words, source_names, target_names);
  return grammar::score_range(text_of(rules), all, before, links.get(), symbols, values_of(counts_of_counts), options,
                              give);
}

}  // namespace

void bind(nb::module_& m) {
#define VOCABULARIES                                                                                          \
  "source_words: dragoman._core.text.Vocabulary, target_words: dragoman._core.text.Vocabulary, source_names:" \
  " list[str], target_names: list[str]"
  m.def("merge_rules", &merge_rules, "runs"_a.noconvert(), "begin"_a, "end"_a.none(), "source_words"_a,
        "target_words"_a, "source_names"_a, "target_names"_a, "write"_a, "test"_a.noconvert() = nb::none(),
        nb::sig("def merge_rules(runs: list[tuple[memoryview, NDArray[numpy.uint64]]], begin: tuple[int, int], end:"
                " tuple[int, int] | None, " VOCABULARIES ", write: typing.Callable[[bytes], object], test:"
                " tuple[NDArray[numpy.int32], NDArray[numpy.int64]] | None = None) -> tuple[list[bytes],"
                " NDArray[numpy.uint64], int]"),
        "Write the rules of a range of source sides in all runs; what they tell the shards of target sides, counts of"
        " counts, how many are kept.");
  m.def("add_up_rule_targets", &add_up_rule_targets, "ranges"_a.noconvert(), "n_kept"_a.noconvert(),
        "counts_of_counts"_a.noconvert(), "options"_a,
        nb::sig("def add_up_rule_targets(ranges: list[memoryview], n_kept: NDArray[numpy.uint64], counts_of_counts:"
                " NDArray[numpy.uint64], options: ScoreOptions) -> list[bytes]"),
        "Of one shard, what the rules of each range are told.");
  m.def("score_range", &score_range, "rules"_a.noconvert(), "answers"_a.noconvert(), "before"_a, "links"_a,
        "source_words"_a, "target_words"_a, "source_names"_a, "target_names"_a, "counts_of_counts"_a.noconvert(),
        "options"_a, "write"_a,
        nb::sig("def score_range(rules: memoryview, answers: list[memoryview], before: int, links:"
                " dragoman._core.phrase.LinkCounts, " VOCABULARIES ", counts_of_counts: NDArray[numpy.uint64], options:"
                " ScoreOptions, write: typing.Callable[[bytes], object]) -> RuleStatistics"),
        "Write the lines of one range.");
#undef VOCABULARIES
}

}  // namespace dragoman::bindings::grammar_parts_area
