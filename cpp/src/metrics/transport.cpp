#include "dragoman/metrics/transport.hpp"

#include <algorithm>
#include <deque>
#include <limits>

namespace dragoman::metrics {

namespace {

constexpr std::int64_t kUnreached = std::numeric_limits<std::int64_t>::min();
constexpr std::size_t kNoArc = static_cast<std::size_t>(-1);

class Transport {
 public:
  Transport(const std::vector<std::int64_t>& supply, const std::vector<std::int64_t>& demand,
            const std::vector<TransportEdge>& edges)
      : supply_(supply),
        demand_(demand),
        edges_(edges),
        flow_(edges.size()),
        from_left_(supply.size()),
        from_right_(demand.size()) {
    for (std::size_t e = 0; e < edges.size(); ++e) {
      from_left_[left(e)].push_back(e);
      from_right_[right(e)].push_back(e);
    }
  }

  std::int64_t most() {
    std::int64_t total = 0;
    while (true) {
      search();
      std::size_t end = kNoArc;
      for (std::size_t j = 0; j < demand_.size(); ++j) {
        const bool is_open = demand_[j] > 0 && right_gain_[j] > 0;
        if (is_open && (end == kNoArc || right_gain_[j] > right_gain_[end])) end = j;
      }
      if (end == kNoArc) return total;
      total += right_gain_[end] * send(end);
    }
  }

 private:
  std::size_t left(std::size_t e) const { return static_cast<std::size_t>(edges_[e].left); }
  std::size_t right(std::size_t e) const { return static_cast<std::size_t>(edges_[e].right); }

  /// The most that one more unit gains that comes from somewhere on the left and arrives at each item.
  void search() {
    left_gain_.assign(supply_.size(), kUnreached);
    right_gain_.assign(demand_.size(), kUnreached);
    left_edge_.assign(supply_.size(), kNoArc);
    right_edge_.assign(demand_.size(), kNoArc);
    queue_.clear();
    for (std::size_t i = 0; i < supply_.size(); ++i) {
      if (supply_[i] > 0 && !from_left_[i].empty()) left_gain_[i] = 0, queue_.push_back(i);
    }
    while (!queue_.empty()) {
      const std::size_t i = queue_.front();
      queue_.pop_front();
      for (const auto e : from_left_[i]) {
        const std::size_t j = right(e);
        if (left_gain_[i] + edges_[e].worth <= right_gain_[j]) continue;
        right_gain_[j] = left_gain_[i] + edges_[e].worth;
        right_edge_[j] = e;
        turn_back(j);
      }
    }
  }

  /// From an item of the right to those of the left whose units may be sent elsewhere instead.
  void turn_back(std::size_t j) {
    for (const auto e : from_right_[j]) {
      const std::size_t i = left(e);
      if (flow_[e] == 0 || right_gain_[j] - edges_[e].worth <= left_gain_[i]) continue;
      left_gain_[i] = right_gain_[j] - edges_[e].worth;
      left_edge_[i] = e;
      queue_.push_back(i);
    }
  }

  std::int64_t send(std::size_t end) {
    std::int64_t units = demand_[end];
    std::size_t begin = left(right_edge_[end]);
    for (; left_edge_[begin] != kNoArc; begin = left(right_edge_[right(left_edge_[begin])])) {
      units = std::min(units, flow_[left_edge_[begin]]);
    }
    units = std::min(units, supply_[begin]);
    demand_[end] -= units;
    supply_[begin] -= units;
    for (std::size_t j = end;;) {
      flow_[right_edge_[j]] += units;
      const std::size_t i = left(right_edge_[j]);
      if (left_edge_[i] == kNoArc) return units;
      flow_[left_edge_[i]] -= units;
      j = right(left_edge_[i]);
    }
  }

  std::vector<std::int64_t> supply_, demand_;
  const std::vector<TransportEdge>& edges_;
  std::vector<std::int64_t> flow_;
  std::vector<std::vector<std::size_t>> from_left_, from_right_;  // edges
  std::vector<std::int64_t> left_gain_, right_gain_;
  std::vector<std::size_t> left_edge_, right_edge_;  // by which the best path arrives
  std::deque<std::size_t> queue_;
};

}  // namespace

std::int64_t most_transport(const std::vector<std::int64_t>& supply, const std::vector<std::int64_t>& demand,
                            const std::vector<TransportEdge>& edges) {
  // An edge whose ends have no other is a matter of its own, and most are.
  std::vector<std::int32_t> left_degree(supply.size()), right_degree(demand.size());
  for (const auto& edge : edges) {
    ++left_degree[static_cast<std::size_t>(edge.left)];
    ++right_degree[static_cast<std::size_t>(edge.right)];
  }
  std::int64_t alone = 0;
  std::vector<TransportEdge> others;
  for (const auto& edge : edges) {
    const auto i = static_cast<std::size_t>(edge.left), j = static_cast<std::size_t>(edge.right);
    if (left_degree[i] == 1 && right_degree[j] == 1) {
      alone += edge.worth * std::min(supply[i], demand[j]);
    } else {
      others.push_back(edge);
    }
  }
  return others.empty() ? alone : alone + Transport(supply, demand, others).most();
}

}  // namespace dragoman::metrics
