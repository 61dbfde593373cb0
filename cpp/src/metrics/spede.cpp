#include "dragoman/metrics/spede.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "dragoman/core/errors.hpp"
#include "numbers.hpp"

namespace dragoman::metrics {

namespace {

using Words = std::span<const std::int32_t>;
using Node = std::uint32_t;
using Nodes = std::vector<Node>;

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kMostSpedeCells = 1 << 20;
constexpr std::size_t kMostNodes = 1 << 23;
constexpr std::uint8_t kNoMatch = kSpedeEdits;
constexpr std::uint8_t kStart = kSpedeEdits;  // the label of the first node, which is no edit

/// Words before each of two places: of the reference and of the hypothesis, or of the side that jumps and of the other.
struct Place {
  std::size_t first, second;
};

/// All edit sequences of a pair as a graph: a node is an edit at a place (and with what a jump remembers), which comes
/// behind the nodes before it. Nodes stand in an order in which each comes behind all of these.
class Graph {
 public:
  Graph(Words hyp, Words ref, const SpedeLexicon& lexicon, std::size_t jump)
      : hyp_(hyp), ref_(ref), lexicon_(lexicon), jump_(jump), width_(hyp.size() + 1) {
    if ((hyp.size() + 1) * (ref.size() + 1) > kMostSpedeCells) {
      throw segment_error("too long for SPEDE: " + std::to_string(hyp.size()) + " words against " +
                          std::to_string(ref.size()) + ". Cut it into sentences.");
    }
    match_all();
    at_.resize((ref.size() + 1) * width_);
    at_[0].push_back(add(kStart, {0, 0}, 0, 0, {}));
    for (std::size_t i = 0; i <= ref.size(); ++i) {
      for (std::size_t j = 0; j <= hyp.size(); ++j) {
        edit_into(i, j);
        if (jump_ == 0) continue;
        swap_from(i, j, false);
        swap_from(i, j, true);
      }
    }
  }

  double sum(std::span<const double> weights) {
    scores_.assign(steps_.size(), kImpossible);
    scores_[0] = 0.0;
    for (Node node = 1; node < steps_.size(); ++node) {
      double most = kImpossible, sum = 0.0;
      for (const Node before : befores(node)) most = std::max(most, scores_[before] + step(weights, before, node));
      if (most == kImpossible) continue;
      for (const Node before : befores(node)) sum += std::exp(scores_[before] + step(weights, before, node) - most);
      scores_[node] = most + std::log(sum) + weights[steps_[node].edit];
    }
    double most = kImpossible, sum = 0.0;
    for (const Node last : at_.back()) most = std::max(most, scores_[last]);
    for (const Node last : at_.back()) sum += std::exp(scores_[last] - most);
    return most + std::log(sum);
  }

  /// How often each edit and each pair of edits is expected, once `sum` was made.
  void expect(std::span<const double> weights, double total, std::span<double> counts) const {
    std::vector<double> shares(steps_.size());  // of all sequences that go through a node
    for (const Node last : at_.back()) shares[last] = std::exp(scores_[last] - total);
    for (Node node = static_cast<Node>(steps_.size()); node-- > 1;) {
      if (shares[node] == 0.0) continue;
      const std::uint8_t edit = steps_[node].edit;
      counts[edit] += shares[node];
      const double arrived = scores_[node] - weights[edit];
      for (const Node before : befores(node)) {
        const double share = shares[node] * std::exp(scores_[before] + step(weights, before, node) - arrived);
        shares[before] += share;
        if (before != 0) counts[pair(steps_[before].edit, edit)] += share;
      }
    }
  }

  std::vector<SpedeStep> heaviest(std::span<const double> weights) const {
    std::vector<double> scores(steps_.size(), kImpossible);
    Nodes best(steps_.size(), 0);
    scores[0] = 0.0;
    for (Node node = 1; node < steps_.size(); ++node) {
      for (const Node before : befores(node)) {
        const double score = scores[before] + step(weights, before, node) + weights[steps_[node].edit];
        if (score > scores[node]) scores[node] = score, best[node] = before;
      }
    }
    std::vector<SpedeStep> script;
    const auto less = [&](Node a, Node b) { return scores[a] < scores[b]; };
    for (Node node = *std::ranges::max_element(at_.back(), less); node != 0; node = best[node]) {
      script.push_back(steps_[node]);
    }
    std::ranges::reverse(script);
    return script;
  }

 private:
  std::size_t cell(std::size_t i, std::size_t j) const { return i * width_ + j; }
  static std::size_t pair(std::size_t before, std::size_t edit) { return kSpedeEdits * (before + 1) + edit; }
  std::span<const Node> befores(Node node) const {
    return std::span(befores_).subspan(offsets_[node], offsets_[node + 1] - offsets_[node]);
  }
  double step(std::span<const double> weights, Node before, Node node) const {
    return before == 0 ? 0.0 : weights[pair(steps_[before].edit, steps_[node].edit)];
  }

  Node add(std::uint8_t edit, Place end, std::uint8_t n_ref, std::uint8_t n_hyp, std::span<const Node> before) {
    if (steps_.size() >= kMostNodes) {
      throw segment_error(
          "too many swaps of words are possible for SPEDE with jumps. Cut it into sentences, or say jump=0.");
    }
    steps_.push_back({edit, n_ref, n_hyp, static_cast<std::int32_t>(end.first), static_cast<std::int32_t>(end.second)});
    befores_.insert(befores_.end(), before.begin(), before.end());
    offsets_.push_back(befores_.size());
    return static_cast<Node>(steps_.size() - 1);
  }

  void match_all() {
    matches_.assign((ref_.size() + 1) * width_, kNoMatch);
    for (std::size_t i = 0; i < ref_.size(); ++i) {
      for (std::size_t j = 0; j < hyp_.size(); ++j) matches_[cell(i, j)] = match(ref_[i], hyp_[j]);
    }
  }

  std::uint8_t match(std::int32_t r, std::int32_t s) const {
    if (r == s) return lexicon_.is_punctuation[index(r)] ? kSpedePunctuation : kSpedeWord;
    if (lexicon_.lemmas[index(r)] == lexicon_.lemmas[index(s)]) return kSpedeLemma;
    if (share_one(lexicon_.synsets_of(r), lexicon_.synsets_of(s))) return kSpedeSynonym;
    return lexicon_.paraphrases.contains({r, -1, s, -1}) ? static_cast<std::uint8_t>(kSpedeParaphrase) : kNoMatch;
  }

  /// The edits that end behind i words of the reference and j of the hypothesis, outside of jumps.
  void edit_into(std::size_t i, std::size_t j) {
    const auto come = [&](std::uint8_t edit, std::size_t n_ref, std::size_t n_hyp) {
      const Nodes& before = at_[cell(i - n_ref, j - n_hyp)];
      if (before.empty()) return;
      at_[cell(i, j)].push_back(
          add(edit, {i, j}, static_cast<std::uint8_t>(n_ref), static_cast<std::uint8_t>(n_hyp), before));
    };
    if (j > 0) come(kSpedeInsert, 0, 1);
    if (i > 0) come(kSpedeDelete, 1, 0);
    if (i > 0 && j > 0 && matches_[cell(i - 1, j - 1)] != kNoMatch) come(matches_[cell(i - 1, j - 1)], 1, 1);
    if (lexicon_.paraphrases.empty()) return;
    for (const auto& [n_ref, n_hyp] : {Place{1, 2}, Place{2, 1}, Place{2, 2}}) {
      if (i >= n_ref && j >= n_hyp && is_block(i - n_ref, n_ref, j - n_hyp, n_hyp))
        come(kSpedeParaphrase, n_ref, n_hyp);
    }
  }

  bool is_block(std::size_t i, std::size_t n_ref, std::size_t j, std::size_t n_hyp) const {
    return lexicon_.paraphrases.contains(
        {ref_[i], n_ref > 1 ? ref_[i + 1] : -1, hyp_[j], n_hyp > 1 ? hyp_[j + 1] : -1});
  }

  /// One side of the pair jumps over words: what it lands on is edited first, with at least one match, then what it
  /// jumped over, whose first edit on this side is a match, too. Places are of the side that jumps, then of the other.
  class Swap {
   public:
    Swap(Graph& graph, std::size_t i, std::size_t j, bool of_ref)
        : graph_(graph),
          of_ref_(of_ref),
          from_(of_ref ? Place{i, j} : Place{j, i}),
          first_(of_ref ? kSpedeRefJump : kSpedeHypJump),
          own_(of_ref ? graph.ref_.size() : graph.hyp_.size()),
          other_(of_ref ? graph.hyp_.size() : graph.ref_.size()) {}

    void jump_to(std::size_t landing) {
      if (match_at({landing, from_.second}) == kNoMatch || !gap_matches(landing)) return;
      const Nodes& before = graph_.at_[cell(from_)];
      if (before.empty()) return;
      const Place landed{landing, from_.second};
      const Node jumped = graph_.add(first_, real(landed), 0, 0, before);
      edit_ahead(landed, jumped);
      for (std::size_t n = 1; n <= ahead_own_; ++n) edit_gap(landing, n);
    }

   private:
    Place real(Place place) const { return of_ref_ ? place : Place{place.second, place.first}; }
    std::size_t cell(Place place) const { return graph_.cell(real(place).first, real(place).second); }
    std::uint8_t match_at(Place place) const { return graph_.matches_[cell(place)]; }
    std::uint8_t skip_own() const { return of_ref_ ? kSpedeDelete : kSpedeInsert; }
    std::uint8_t skip_other() const { return of_ref_ ? kSpedeInsert : kSpedeDelete; }

    bool gap_matches(std::size_t landing) const {
      const std::size_t end = std::min(other_, from_.second + 2 * graph_.jump_);
      for (std::size_t p = from_.first; p < landing; ++p) {
        for (std::size_t q = from_.second + 1; q < end; ++q) {
          if (match_at({p, q}) != kNoMatch) return true;
        }
      }
      return false;
    }

    Node edit(std::uint8_t edit, Place end, std::uint8_t n_own, std::uint8_t n_other, const Nodes& before) {
      return graph_.add(edit, real(end), of_ref_ ? n_own : n_other, of_ref_ ? n_other : n_own, before);
    }

    /// Edits behind the landing, a match first: `ahead_[own words][other words]`.
    void edit_ahead(Place landed, Node jumped) {
      ahead_own_ = std::min(graph_.jump_, own_ - landed.first);
      ahead_other_ = std::min(graph_.jump_, other_ - landed.second);
      ahead_.assign(ahead_own_ + 1, std::vector<Nodes>(ahead_other_ + 1));
      for (std::size_t a = 1; a <= ahead_own_; ++a) {
        for (std::size_t b = 1; b <= ahead_other_; ++b) {
          const Place end{landed.first + a, landed.second + b};
          Nodes& here = ahead_[a][b];
          if (!ahead_[a - 1][b].empty()) here.push_back(edit(skip_own(), end, 1, 0, ahead_[a - 1][b]));
          if (!ahead_[a][b - 1].empty()) here.push_back(edit(skip_other(), end, 0, 1, ahead_[a][b - 1]));
          const std::uint8_t kind = match_at({end.first - 1, end.second - 1});
          const Nodes before = a == 1 && b == 1 ? Nodes{jumped} : ahead_[a - 1][b - 1];
          if (kind != kNoMatch && !before.empty()) here.push_back(edit(kind, end, 1, 1, before));
        }
      }
    }

    /// The way back from behind `n` own words of what was landed on, the edits of the gap, and the way on.
    void edit_gap(std::size_t landing, std::size_t n) {
      const std::size_t gap = landing - from_.first, rest = std::min(2 * graph_.jump_, other_ - from_.second);
      Nodes waiting;                                      // back, and no match yet: at the gap's begin
      std::vector<Nodes> before(gap + 1), here(gap + 1);  // by own words of the gap, with one other word less, and now
      for (std::size_t c = 1; c <= rest; ++c) {
        const std::size_t q = from_.second + c;
        for (auto& nodes : here) nodes.clear();
        for (std::size_t g = 1; g <= gap; ++g) {
          const Place end{from_.first + g, q};
          const std::uint8_t kind = match_at({end.first - 1, q - 1});
          const Nodes& matched = g == 1 ? waiting : before[g - 1];
          if (kind != kNoMatch && !matched.empty()) here[g].push_back(edit(kind, end, 1, 1, matched));
          if (g > 1 && !here[g - 1].empty()) here[g].push_back(edit(skip_own(), end, 1, 0, here[g - 1]));
          if (g < gap && !before[g].empty()) here[g].push_back(edit(skip_other(), end, 0, 1, before[g]));
        }
        if (!here[gap].empty()) {
          const Place on{landing + n, q};
          graph_.at_[cell(on)].push_back(edit(static_cast<std::uint8_t>(first_ + 2), on, 0, 0, here[gap]));
        }
        Nodes next;
        if (!waiting.empty()) next.push_back(edit(skip_other(), {from_.first, q}, 0, 1, waiting));
        if (c <= ahead_other_ && !ahead_[n][c].empty()) {
          next.push_back(edit(static_cast<std::uint8_t>(first_ + 1), {from_.first, q}, 0, 0, ahead_[n][c]));
        }
        waiting = std::move(next);
        std::swap(before, here);
      }
    }

    Graph& graph_;
    bool of_ref_;
    Place from_;
    std::uint8_t first_;
    std::size_t own_, other_, ahead_own_ = 0, ahead_other_ = 0;
    std::vector<std::vector<Nodes>> ahead_;
  };

  void swap_from(std::size_t i, std::size_t j, bool of_ref) {
    if (i == ref_.size() || j == hyp_.size()) return;
    const std::size_t from = of_ref ? i : j, size = of_ref ? ref_.size() : hyp_.size();
    Swap swap(*this, i, j, of_ref);
    for (std::size_t landing = from + 1; landing < size && landing <= from + jump_; ++landing) swap.jump_to(landing);
  }

  Words hyp_, ref_;
  const SpedeLexicon& lexicon_;
  std::size_t jump_, width_;
  std::vector<std::uint8_t> matches_;  // by cell: how the next words match
  std::vector<Nodes> at_;              // by cell: after i words of the reference and j of the hypothesis, not in a jump
  std::vector<SpedeStep> steps_;
  Nodes befores_;
  std::vector<std::size_t> offsets_{0};
  std::vector<double> scores_;
};

}  // namespace

std::size_t SpedeBlockHash::operator()(const SpedeBlock& block) const {
  std::size_t hash = 0;
  for (const std::int32_t word : block) hash = hash * 0x9E3779B97F4A7C15ULL + static_cast<std::uint32_t>(word) + 1;
  return hash;
}

Words SpedeLexicon::synsets_of(std::int32_t word) const {
  const auto first = static_cast<std::size_t>(synset_offsets[index(word)]);
  return synsets.subspan(first, static_cast<std::size_t>(synset_offsets[index(word) + 1]) - first);
}

double spede(Words hyp, Words ref, const SpedeLexicon& lexicon, std::span<const double> weights, std::size_t jump,
             std::span<double> gradient) {
  Graph graph(hyp, ref, lexicon, jump);
  const double total = graph.sum(weights);
  if (!gradient.empty()) graph.expect(weights, total, gradient);
  return total;
}

std::vector<SpedeStep> spede_script(Words hyp, Words ref, const SpedeLexicon& lexicon, std::span<const double> weights,
                                    std::size_t jump) {
  return Graph(hyp, ref, lexicon, jump).heaviest(weights);
}

}  // namespace dragoman::metrics
