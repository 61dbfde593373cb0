#include "dragoman/text/casing.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <tuple>

#include "areas.hpp"
#include "dragoman/core/parallel.hpp"
#include "dragoman/text/truecase.hpp"
#include "lines.hpp"

namespace dragoman::bindings::casing_area {

using namespace nb::literals;
using text::CaseCounts;
using text::CaseModel;
using text::CaseRules;

namespace {

using Strings = std::vector<std::string>;

/// `change(i)` of each of n items, without the GIL.
template <class Change>
Strings change_each(std::size_t n, unsigned n_threads, const Change& change) {
  Strings out(n);
  nb::gil_scoped_release unlocked;
  for_each_chunk(n, n_threads, [&](Chunk chunk) {
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) out[i] = change(i);
  });
  return out;
}

template <std::string (*change)(std::string_view, CaseRules)>
Strings change_lines(nb::handle sequence, CaseRules rules, unsigned n_threads) {
  const Lines lines(sequence);
  return change_each(lines.views().size(), n_threads, [&](std::size_t i) { return change(lines.views()[i], rules); });
}

Strings cast_case(nb::handle forms, nb::handle lemmas, CaseRules rules, unsigned n_threads) {
  const Lines form_lines(forms);
  const Lines lemma_lines(lemmas);
  const auto& form = form_lines.views();
  const auto& lemma = lemma_lines.views();
  if (form.size() != lemma.size()) {
    throw data_error("Every form needs a lemma, got forms=" + std::to_string(form.size()) +
                     ", lemmas=" + std::to_string(lemma.size()) + ".");
  }
  return change_each(form.size(), n_threads, [&](std::size_t i) { return text::cast_case(form[i], lemma[i], rules); });
}

Strings recase(nb::handle sequence, nb::handle ends, nb::handle openers, CaseRules rules,
               const std::vector<bool>& headlines, nb::handle small_words, unsigned n_threads) {
  const Lines lines(sequence);
  const auto& views = lines.views();
  if (headlines.size() != views.size()) {
    throw data_error("Every line needs a headline mark, got lines=" + std::to_string(views.size()) +
                     ", headlines=" + std::to_string(headlines.size()) + ".");
  }
  const text::SentenceMarks marks(Lines(ends).views(), Lines(openers).views());
  const text::StringSet small = text::string_set(Lines(small_words).views());
  return change_each(views.size(), n_threads,
                     [&](std::size_t i) { return text::recase(views[i], marks, rules, headlines[i], small); });
}

std::vector<std::tuple<std::string, std::string, std::int64_t>> rows(const CaseCounts& counts) {
  std::vector<std::tuple<std::string, std::string, std::int64_t>> out;
  for (auto& [lower, form, tenths] : counts.rows()) out.emplace_back(std::move(lower), std::move(form), tenths);
  return out;
}

}  // namespace

void bind(nb::module_& m) {
  nb::enum_<CaseRules>(m, "CaseRules", "Which language's rules of casing hold.")
      .value("STANDARD", CaseRules::kStandard)
      .value("TURKIC", CaseRules::kTurkic)
      .value("GERMAN", CaseRules::kGerman)
      .value("DUTCH", CaseRules::kDutch);
  m.attr("CASE_UNICODE_VERSION") = text::case_unicode_version();

  m.def("lowercase", &change_lines<text::lower>, "lines"_a, "rules"_a, nb::kw_only(), "n_threads"_a = 1,
        "Each line in lower case.");
  m.def("uppercase", &change_lines<text::upper>, "lines"_a, "rules"_a, nb::kw_only(), "n_threads"_a = 1,
        "Each line in upper case.");
  m.def("sentence_case", &change_lines<text::sentence_cased>, "lines"_a, "rules"_a, nb::kw_only(), "n_threads"_a = 1,
        "Each line with a capital at its first letter.");
  m.def("cast_case", &cast_case, "forms"_a, "lemmas"_a, "rules"_a, nb::kw_only(), "n_threads"_a = 1,
        "Each form with the case of its lemma.");
  m.def("recase", &recase, "lines"_a, nb::kw_only(), "ends"_a, "openers"_a, "rules"_a, "headlines"_a, "small_words"_a,
        "n_threads"_a = 1, "Each line with capitals at its sentence starts; headlines with a capital per word.");

  nb::class_<CaseCounts>(m, "CaseCounts", "Counts of the forms of words, in tenths of a token.")
      .def(
          "__init__",
          [](CaseCounts* self, nb::handle ends, nb::handle openers, CaseRules rules, bool possibly_use_first_token,
             bool moses_starts) {
            new (self) CaseCounts({rules, possibly_use_first_token, moses_starts},
                                  text::SentenceMarks(Lines(ends).views(), Lines(openers).views()));
          },
          nb::kw_only(), "ends"_a, "openers"_a, "rules"_a, "possibly_use_first_token"_a, "moses_starts"_a)
      .def(
          "add",
          [](CaseCounts& self, nb::handle sequence, unsigned n_threads) {
            const Lines lines(sequence);
            nb::gil_scoped_release unlocked;
            self.add(lines.views(), n_threads);
          },
          "lines"_a, nb::kw_only(), "n_threads"_a = 1, "Count the tokens of the lines.")
      .def(
          "add_table",
          [](CaseCounts& self, nb::bytes table) {
            const std::string_view text(table.c_str(), table.size());
            nb::gil_scoped_release unlocked;
            self.add_table(text);
          },
          "table"_a, "Add the counts of a table, as `Truecaser.write_table` writes it.")
      .def(
          "add_form",
          [](CaseCounts& self, const std::string& form, std::int64_t tenths) { self.add_form(form, tenths); }, "form"_a,
          "tenths"_a, "Add to the count of one form.")
      .def("rows", &rows, "(lower-cased word, form, tenths), sorted by word, its most frequent form first.");

  nb::class_<CaseModel>(m, "CaseModel", "Gives words the case they were mostly seen in.")
      .def(nb::init<const CaseCounts&>(), "counts"_a)
      .def(
          "apply",
          [](const CaseModel& self, nb::handle sequence, bool ignore_case, unsigned n_threads) {
            const Lines lines(sequence);
            return change_each(lines.views().size(), n_threads,
                               [&](std::size_t i) { return self.apply(lines.views()[i], ignore_case); });
          },
          "lines"_a, nb::kw_only(), "ignore_case"_a = false, "n_threads"_a = 1, "Each line in true case.");
}

}  // namespace dragoman::bindings::casing_area
