#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <string>

#include "areas.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/input.hpp"

namespace dragoman::bindings::constraints_area {

namespace nb = nanobind;
using namespace nb::literals;
using phrase::Constraints;
using phrase::TokenId;

namespace {

using Words = std::vector<TokenId>;

std::uint16_t place(std::size_t at) {
  if (at > 0xFFFF) throw data_error("Place " + std::to_string(at) + " is beyond the longest sentence, of 65534 words.");
  return static_cast<std::uint16_t>(at);
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Constraints>(m, "Constraints", "What is asked of one sentence beyond its words.")
      .def(nb::init<>())
      .def(
          "give",
          [](Constraints& all, std::size_t begin, std::size_t end, Words words, std::vector<float> values,
             bool exclusive) {
            all.given.push_back({{place(begin), place(end)}, std::move(words), std::move(values), exclusive});
          },
          "begin"_a, "end"_a, "words"_a, "values"_a, "exclusive"_a,
          "A translation of source words [begin, end); exclusive: their only one.")
      .def(
          "wall", [](Constraints& all, std::size_t at) { all.walls.push_back(place(at)); }, "at"_a,
          "Translate all before this place before anything behind it.")
      .def(
          "require",
          [](Constraints& all, Words words, bool prefix, Words next, Words copies, bool artificial) {
            all.target = phrase::Target{std::move(words), prefix, std::move(next), std::move(copies), artificial};
          },
          "words"_a, "prefix"_a, "next"_a, "copies"_a, "artificial"_a, "What the translation must say, or begin with.")
      .def(
          "lattice",
          [](Constraints& all, std::size_t n_nodes,
             const std::vector<std::tuple<std::size_t, std::size_t, TokenId, float>>& arcs,
             const std::vector<std::size_t>& places) {
            phrase::Lattice lattice;
            lattice.n_nodes = place(n_nodes);
            for (const auto& [from, to, word, score] : arcs) {
              const std::size_t i = lattice.arcs.size();
              lattice.arcs.push_back({place(from), place(to), word, score});
              if (i < places.size()) lattice.arcs.back().place = place(places[i]);
            }
            lattice.check();
            all.lattice = std::move(lattice);
          },
          "n_nodes"_a, "arcs"_a, "places"_a = std::vector<std::size_t>(),
          "Translate a lattice in the place of the words: arcs from, to, word (-2: none), score; links name the places "
          "of "
          "their words, or else the nodes they leave.");
}

}  // namespace dragoman::bindings::constraints_area
