#include <cmath>
#include <set>

#include "check.hpp"
#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/batch.hpp"
#include "toy_engine.hpp"

using namespace toy;

namespace {

bool close(double a, double b) { return std::fabs(a - b) <= 1e-4 * (1 + std::fabs(a)); }

DecodeOptions exhaustive() { return {.pop_limit = 1000000, .distortion_limit = 1000, .options_per_phrase = 100}; }

Words words_of(const Hypothesis& hypothesis) {
  Words all;
  for (const Option* option : steps_of(hypothesis)) {
    all.insert(all.end(), option->translation.words.begin(), option->translation.words.end());
  }
  return all;
}

double replayed(const Toy& toy, const Search& search, const Hypothesis& hypothesis) {
  std::vector<double> features(toy.engine->n_features(), 0.0);
  search.replay(steps_of(hypothesis), features);
  double sum = 0;
  for (std::size_t f = 0; f < features.size(); ++f) sum += static_cast<double>(toy.weights[f]) * features[f];
  return sum;
}

bool begins_with(const Words& words, const Words& prefix) {
  return words.size() >= prefix.size() && std::equal(prefix.begin(), prefix.end(), words.begin());
}

template <class Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const data_error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST(forced_decoding_finds_the_best_derivation_of_what_is_wanted) {
  std::mt19937 chance(31);
  int n_possible = 0;
  for (int round = 0; round < 60; ++round) {
    const Toy toy = random_engine(chance, {.orientation = round % 2 ? Orientation::hierarchical : Orientation::none});
    const Words source = random_source(chance, 1 + chance() % 4, 5);
    const auto all = all_derivations(toy, source, exhaustive());
    // What some derivation says, or what none may say.
    const Words wanted = round % 3 ? all[chance() % all.size()].words() : random_source(chance, 4, 5);
    Constraints constraints;
    constraints.target = Target{.words = wanted};
    for (std::size_t i = 0; i < source.size(); ++i) constraints.target->copies.push_back(copied(i));
    double best = -1e30;
    for (const auto& each : all) {
      if (each.words() == wanted) best = std::max(best, each.score);
    }
    Search search(*toy.engine, exhaustive());
    const Hypothesis* const found = search.run(source, toy.weights, &constraints);
    CHECK((found != nullptr) == (best > -1e29));
    if (found == nullptr) continue;
    ++n_possible;
    CHECK(words_of(*found) == wanted);
    CHECK(close(found->score, best));
    CHECK(close(replayed(toy, search, *found), best));
  }
  CHECK(n_possible > 20);
}

TEST(forced_decoding_with_artificial_phrases_says_anything) {
  std::mt19937 chance(32);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::word});
    const Words source = random_source(chance, 1 + chance() % 5, 5);
    const Words wanted = random_source(chance, chance() % 6, 8);
    Constraints constraints;
    constraints.target = Target{.words = wanted, .artificial = true};
    Search search(*toy.engine, {.pop_limit = 100});
    const Hypothesis* const found = search.run(source, toy.weights, &constraints);
    CHECK(found != nullptr);
    CHECK(words_of(*found) == wanted);
    CHECK(close(replayed(toy, search, *found), found->score));
  }
}

TEST(a_prefix_holds_and_the_rest_is_the_best_that_can_follow) {
  std::mt19937 chance(33);
  for (int round = 0; round < 60; ++round) {
    const Toy toy = random_engine(chance, {.orientation = round % 2 ? Orientation::word : Orientation::none});
    const Words source = random_source(chance, 1 + chance() % 4, 4);
    const auto all = all_derivations(toy, source, exhaustive());
    Words wanted = all[chance() % all.size()].words();
    wanted.resize(chance() % (wanted.size() + 1));
    Constraints constraints;
    constraints.target = Target{.words = wanted, .prefix = true};
    if (chance() % 2) constraints.target->next = {0, 2};
    double best = -1e30;
    for (const auto& each : all) {
      const Words words = each.words();
      if (!begins_with(words, wanted)) continue;
      if (!constraints.target->next.empty() &&
          (words.size() == wanted.size() || (words[wanted.size()] != 0 && words[wanted.size()] != 2))) {
        continue;
      }
      best = std::max(best, each.score);
    }
    Search search(*toy.engine, exhaustive());
    const Hypothesis* const found = search.run(source, toy.weights, &constraints);
    CHECK((found != nullptr) == (best > -1e29));
    if (found) CHECK(close(found->score, best));
  }
}

TEST(an_exclusive_span_has_its_given_translation_and_no_other) {
  std::mt19937 chance(34);
  for (int round = 0; round < 30; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::hierarchical});
    const Words source = random_source(chance, 6, 5);
    Constraints constraints;
    constraints.given.push_back({.span = {2, 5}, .words = {77, 78}, .exclusive = true});
    Search search(*toy.engine, {.pop_limit = 50});
    const Hypothesis* const found = search.run(source, toy.weights, &constraints);
    const Words words = words_of(*found);
    CHECK(std::ranges::search(words, Words{77, 78}).begin() != words.end());
    CHECK(std::ranges::count(words, 77) == 1);
    CHECK(close(replayed(toy, search, *found), found->score));
    // The next sentence knows nothing of it.
    CHECK(std::ranges::count(words_of(*search.run(source, toy.weights)), 77) == 0);
  }
}

TEST(a_given_translation_competes_by_its_feature) {
  std::mt19937 chance(35);
  const Toy base = random_engine(chance, {});
  Toy toy;
  toy.engine = std::make_unique<Engine>(base.engine->tables(), base.engine->language_models(), Orientation::none,
                                        std::vector<std::string>{"glossary"});
  CHECK(toy.engine->names().back() == "glossary");
  const Words source{0, 1, 2};
  Constraints constraints;
  constraints.given.push_back({.span = {1, 2}, .words = {77}, .values = {1.0F}});
  for (const float weight : {-50.0F, 50.0F}) {
    toy.weights = base.weights;
    toy.weights.push_back(weight);
    Search search(*toy.engine, {});
    const Hypothesis* const found = search.run(source, toy.weights, &constraints);
    CHECK((std::ranges::count(words_of(*found), 77) == 1) == (weight > 0));
    CHECK(close(replayed(toy, search, *found), found->score));
  }
}

TEST(nothing_is_reordered_across_a_wall) {
  std::mt19937 chance(36);
  for (int round = 0; round < 20; ++round) {
    Toy toy = random_engine(chance, {});
    toy.weights[toy.engine->distortion_at()] = -1;  // jumps are liked
    const Words source = random_source(chance, 8, 5);
    Constraints constraints;
    constraints.walls = {4};
    Search search(*toy.engine, {.pop_limit = 100});
    std::size_t n_before = 0;
    for (const Option* option : steps_of(*search.run(source, toy.weights, &constraints))) {
      if (option->span.end <= 4) n_before += option->span.end - option->span.begin;
      if (option->span.begin < 4 && option->span.end > 4) n_before += 4U - option->span.begin;
      if (option->span.end > 4) CHECK(n_before == 4);
    }
  }
}

TEST(constraints_that_do_not_fit_are_named) {
  std::mt19937 chance(37);
  const Toy toy = random_engine(chance, {});
  const Words source{0, 1, 2};
  const std::vector<std::int64_t> offsets{0, 0, 3};
  const auto said = [&](const Constraints& constraints, std::string_view part) {
    const Constraints* const all[] = {nullptr, &constraints};
    const auto message = message_of([&] { decode(*toy.engine, {source, offsets, all}, toy.weights, {}, {}); });
    return message.find(part) != std::string::npos && message.starts_with("Sentence 2: ");
  };
  Constraints far, cut, many, walls, begun;
  far.given.push_back({.span = {2, 4}, .words = {1}});
  CHECK(said(far, "source span 2 to 4; the sentence has 3 words"));
  cut.given.push_back({.span = {0, 2}, .words = {1}, .exclusive = true});
  cut.given.push_back({.span = {1, 3}, .words = {1}, .exclusive = true});
  CHECK(said(cut, "0 to 2 and 1 to 3 overlap"));
  many.given.push_back({.span = {0, 1}, .words = {1}, .values = {1}});
  CHECK(said(many, "has 1 feature values; the engine has 0"));
  walls.walls = {2, 1};
  CHECK(said(walls, "in the order of the sentence"));
  begun.target = Target{.words = {1}, .next = {1}};
  CHECK(said(begun, "Only a prefix"));
  CHECK(message_of([&] {
          decode(*toy.engine, {source, offsets}, std::vector<float>(2), {}, {});
        }).find("got 2 weights") != std::string::npos);
  CHECK(message_of([&] {
          decode(*toy.engine, {source, offsets}, toy.weights, {.pop_limit = 0}, {});
        }).find("1 or more") != std::string::npos);
}

namespace {

Lattice linear(const Words& source) {
  Lattice lattice;
  lattice.n_nodes = static_cast<std::uint16_t>(source.size() + 1);
  for (std::size_t i = 0; i < source.size(); ++i) {
    lattice.arcs.push_back({static_cast<std::uint16_t>(i), static_cast<std::uint16_t>(i + 1), source[i]});
  }
  return lattice;
}

}  // namespace

TEST(a_linear_lattice_is_a_sentence) {
  std::mt19937 chance(38);
  for (int round = 0; round < 30; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::hierarchical});
    const Words source = random_source(chance, chance() % 9, 5);
    Constraints constraints;
    constraints.lattice = linear(source);
    const DecodeOptions limits{.pop_limit = 1000, .distortion_limit = 3};
    Search plain(*toy.engine, limits), lattice(*toy.engine, limits);
    const Hypothesis* const a = plain.run(source, toy.weights);
    const Hypothesis* const b = lattice.run({}, toy.weights, &constraints);
    CHECK(words_of(*a) == words_of(*b) && close(a->score, b->score));
  }
}

TEST(a_lattice_is_translated_as_the_best_of_its_paths) {
  std::mt19937 chance(39);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::none});
    // Two confusions of two words, one of which may be nothing; and a way around the first two.
    Lattice lattice;
    lattice.n_nodes = 4;
    const auto word = [&] { return static_cast<TokenId>(chance() % 4); };
    lattice.arcs = {{0, 1, word()}, {0, 1, word()}, {0, 2, word()}, {1, 2, word()}, {1, 2, Lattice::kNothing},
                    {2, 3, word()}};
    Constraints constraints;
    constraints.lattice = lattice;
    DecodeOptions limits = exhaustive();
    limits.distortion_limit = 0;  // a path's places are not a sentence's: compare without jumps
    Search search(*toy.engine, limits);
    const Hypothesis* const found = search.run({}, toy.weights, &constraints);
    CHECK(close(replayed(toy, search, *found), found->score));
    double best = -1e30;
    const auto take = [&](const Words& path) {
      best = std::max(best, all_derivations(toy, path, limits).front().score);
    };
    for (const std::size_t a : {0U, 1U}) {
      take({lattice.arcs[a].word, lattice.arcs[3].word, lattice.arcs[5].word});
      take({lattice.arcs[a].word, lattice.arcs[5].word});
    }
    take({lattice.arcs[2].word, lattice.arcs[5].word});
    CHECK(found->score >= best - 1e-3);
  }
}

TEST(a_lattice_of_orders_is_translated_as_the_best_of_them) {
  std::mt19937 chance(41);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::none});
    // Three words as they stand, the first two the other way round, and the last one first: all ways have three words.
    const Words w{static_cast<TokenId>(chance() % 4), static_cast<TokenId>(chance() % 4),
                  static_cast<TokenId>(chance() % 4)};
    Lattice lattice;
    lattice.n_nodes = 7;  // 0, 4, 5, 6 stand between the words; 1 to 3 belong to a move each
    lattice.arcs = {{0, 1, w[1]}, {0, 2, w[2]}, {0, 4, w[0]}, {1, 5, w[0]},
                    {2, 3, w[0]}, {3, 6, w[1]}, {4, 5, w[1]}, {5, 6, w[2]}};
    Constraints constraints;
    constraints.lattice = lattice;
    DecodeOptions limits = exhaustive();
    limits.distortion_limit = 0;
    Search search(*toy.engine, limits);
    const Hypothesis* const found = search.run({}, toy.weights, &constraints);
    CHECK(search.options().steps(0, 6) == 3);
    CHECK(close(replayed(toy, search, *found), found->score));
    double best = -1e30;
    for (const Words& path : {Words{w[0], w[1], w[2]}, Words{w[1], w[0], w[2]}, Words{w[2], w[0], w[1]}}) {
      best = std::max(best, all_derivations(toy, path, limits).front().score);
    }
    CHECK(close(found->score, best));
  }
}

TEST(a_lattice_can_be_told_its_translation) {
  std::mt19937 chance(43);
  for (int round = 0; round < 40; ++round) {
    const Toy toy = random_engine(chance, {.orientation = Orientation::none});
    Lattice lattice;
    lattice.n_nodes = 3;
    const auto word = [&] { return static_cast<TokenId>(chance() % 4); };
    lattice.arcs = {{0, 1, word()}, {0, 2, word()}, {1, 2, word()}};
    Constraints constraints;
    constraints.lattice = lattice;
    DecodeOptions limits = exhaustive();
    limits.distortion_limit = 0;
    Search search(*toy.engine, limits);
    const Hypothesis* const free = search.run({}, toy.weights, &constraints);
    const auto words = words_of(*free);
    if (std::ranges::any_of(words, [](TokenId each) { return is_copied(each); })) continue;
    const double score = free->score;
    constraints.target.emplace();
    constraints.target->words.assign(words.begin(), words.end());
    limits.options_per_phrase = 1;  // what the target says is not cut
    Search told(*toy.engine, limits);
    const Hypothesis* const found = told.run({}, toy.weights, &constraints);
    CHECK(found != nullptr && words_of(*found) == words && close(found->score, score));
  }
}

TEST(broken_lattices_are_named) {
  const auto said = [](const Lattice& lattice) { return message_of([&] { lattice.check(); }); };
  CHECK(said({.n_nodes = 2, .arcs = {{1, 1, 0}}}).find("must lead forward") != std::string::npos);
  CHECK(said({.n_nodes = 2, .arcs = {{0, 2, 0}}}).find("below 2") != std::string::npos);
  CHECK(said({.n_nodes = 3, .arcs = {{1, 2, 0}, {0, 1, 0}}}).find("Sort the arcs") != std::string::npos);
  CHECK(said({.n_nodes = 3, .arcs = {{0, 2, 0}}}).find("Node 1") != std::string::npos);
  CHECK(said({.n_nodes = 3, .arcs = {{0, 1, 0}, {0, 2, 0}}}).find("Node 1") != std::string::npos);
  CHECK(said({.n_nodes = 1}).empty());
}
