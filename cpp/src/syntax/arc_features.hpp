#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "dragoman/syntax/parser.hpp"
#include "syntax/features.hpp"

namespace dragoman::syntax {

/// What a parser knows of a line's words before the first step.
class Words {
 public:
  struct Word {
    std::uint64_t form;  // in lower case
    std::uint64_t upos;
    std::uint64_t fine;              // part of speech and morphological features
    std::uint64_t end;               // the last three characters
    const std::uint8_t* morphology;  // values by attribute
  };

  void start(std::span<const Look> looks, std::span<const Label> upos, std::span<const Label> feats,
             const Morphology& morphology) {
    static constexpr std::uint8_t none[kMostAttributes] = {};
    n_attributes_ = morphology.n_attributes;
    words_.assign(1, {1, 1, 1, 1, none});  // nothing
    words_.push_back({2, 2, 2, 2, none});  // the root
    for (std::size_t i = 0; i < looks.size(); ++i) {
      const std::uint64_t pos = upos[i] + std::uint64_t{3};
      words_.push_back({looks[i].lower, pos, mix(pos, feats[i]), looks[i].suffix[2],
                        n_attributes_ == 0 ? none : morphology.table.data() + feats[i] * n_attributes_});
    }
  }
  const Word& operator[](Node node) const noexcept { return words_[static_cast<std::size_t>(node + 1)]; }
  std::size_t n_attributes() const noexcept { return n_attributes_; }

 private:
  std::size_t n_attributes_ = 0;
  std::vector<Word> words_;
};

/// Distances in steps that get coarser.
inline std::uint64_t distance(Node from, Node to) noexcept {
  if (from < 0 || to < 0) return 15;
  const Node d = to - from;
  return static_cast<std::uint64_t>(d <= 4 ? d : d <= 6 ? 5 : d <= 10 ? 6 : d <= 20 ? 7 : 8);
}

/// The features of the next step, after Zhang & Nivre (2011), for a system whose stack has no heads: two on top of the
/// stack and three to come, their forms and tags alone and together, their dependents, distances, valencies.
inline void look_at_step(const Configuration& now, const Words& words, Features& out) noexcept {
  static const Configuration::Family none;
  const auto family = [&](Node node) -> const Configuration::Family& { return node < 0 ? none : now.family(node); };
  const auto relation = [&](Node node) -> std::uint64_t { return node < 1 ? 0 : now.label(node) + std::uint64_t{1}; };

  const Node n0 = now.stack(0), n1 = now.stack(1), n2 = now.stack(2);
  const Node m0 = now.coming(0), m1 = now.coming(1), m2 = now.coming(2);
  const auto &s0 = words[n0], &s1 = words[n1], &s2 = words[n2];
  const auto &b0 = words[m0], &b1 = words[m1], &b2 = words[m2];
  const auto &f0 = family(n0), &f1 = family(n1), &g0 = family(m0);

  out.add(0);
  for (const auto* word : {&s0, &s1, &b0, &b1}) {
    out.add(word->form);
    out.add(word->upos);
    out.add(word->form, word->upos);
    out.add(word->fine);
    out.add(word->end, word->upos);
  }
  out.add(s2.upos);
  out.add(s2.form, s2.upos);
  out.add(b2.upos);
  out.add(b2.form, b2.upos);

  const auto pair = [&](const Words::Word& a, const Words::Word& b) {
    out.add(a.form, a.upos, b.form, b.upos);
    out.add(a.form, a.upos, b.form);
    out.add(a.form, b.form, b.upos);
    out.add(a.form, a.upos, b.upos);
    out.add(a.upos, b.form, b.upos);
    out.add(a.form, b.form);
    out.add(a.upos, b.upos);
    out.add(a.fine, b.fine);
    out.add(a.fine, b.form);
    out.add(a.form, b.fine);
    out.add(a.upos, b.end);
    out.add(a.end, b.upos);
  };
  pair(s0, b0);
  pair(s1, s0);
  out.add(s1.upos, b0.upos);
  out.add(s1.fine, b0.fine);
  out.add(s1.form, b0.form);
  out.add(b0.upos, b1.upos);
  out.add(b0.fine, b1.fine);
  out.add(b0.form, b1.form);
  out.add(s0.form, b1.upos);

  const auto triple = [&](Node a, Node b, Node c) { out.add(words[a].upos, words[b].upos, words[c].upos); };
  triple(m0, m1, m2);
  triple(n0, m0, m1);
  triple(n1, n0, m0);
  triple(n2, n1, n0);
  triple(n0, f0.left, m0);
  triple(n0, f0.right, m0);
  triple(n0, m0, g0.left);
  triple(n1, f1.left, n0);
  triple(n1, f1.right, n0);
  triple(n1, n0, f0.left);
  triple(n1, n0, f0.right);
  triple(n0, f0.left, f0.left2);
  triple(n0, f0.right, f0.right2);
  triple(m0, g0.left, g0.left2);
  triple(n1, f1.right, f1.right2);
  out.add(s1.fine, s0.fine, b0.fine);
  out.add(s0.fine, b0.fine, b1.fine);
  out.add(s1.upos, s0.upos, b0.upos, b1.upos);

  const std::uint64_t near = distance(n0, m0), far = distance(n1, n0);
  out.add(s0.form, near);
  out.add(s0.upos, near);
  out.add(b0.form, near);
  out.add(b0.upos, near);
  out.add(s0.upos, b0.upos, near);
  out.add(s0.form, b0.form, near);
  out.add(s1.upos, s0.upos, far);
  out.add(s1.form, s0.form, far);
  out.add(s1.upos, s0.upos, b0.upos, far);

  const auto valency = [&](const Words::Word& word, std::uint64_t count) {
    out.add(word.form, count);
    out.add(word.upos, count);
  };
  valency(s0, f0.n_left);
  valency(s0, f0.n_right);
  valency(s1, f1.n_left);
  valency(s1, f1.n_right);
  valency(b0, g0.n_left);
  const auto labels = [&](const Words::Word& word, std::uint64_t set) {
    out.add(word.form, set);
    out.add(word.upos, set);
  };
  labels(s0, f0.left_labels);
  labels(s0, f0.right_labels);
  labels(s1, f1.right_labels);
  labels(s1, f1.left_labels);
  labels(b0, g0.left_labels);
  out.add(s1.upos, s0.upos, f1.right_labels);
  out.add(s0.upos, b0.upos, g0.left_labels);
  out.add(s0.upos, b0.upos, f0.right_labels);

  for (const Node child : {f0.left, f0.right, f1.left, f1.right, g0.left}) {
    out.add(words[child].form);
    out.add(words[child].upos, relation(child));
  }
  for (const Node child : {f0.left2, f0.right2, f1.right2, g0.left2}) out.add(words[child].upos, relation(child));
  out.add(s0.upos, relation(f0.left), relation(f0.left2));
  out.add(s0.upos, relation(f0.right), relation(f0.right2));
  out.add(s1.upos, relation(f1.right), relation(f1.right2));
  out.add(b0.upos, relation(g0.left), relation(g0.left2));

  // Whether two words agree: all templates are counted, those of attributes that one of them lacks are passed over.
  const auto agreement = [&](const Words::Word& a, const Words::Word& b) {
    for (std::size_t k = 0; k < words.n_attributes(); ++k) {
      const std::uint8_t one = a.morphology[k], other = b.morphology[k];
      if (one != 0 && other != 0) {
        out.add(a.upos, b.upos, one == other);
      } else {
        out.skip();
      }
    }
  };
  agreement(s0, b0);
  agreement(s1, s0);
}

}  // namespace dragoman::syntax
