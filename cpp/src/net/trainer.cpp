#include "dragoman/net/trainer.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/parallel.hpp"
#include "kernels.hpp"
#include "layers.hpp"

namespace dragoman::net {
namespace {

/// Of n items, those of thread `chunk` of `n_chunks`.
Chunk share(std::size_t n, const Chunk& chunk, std::size_t n_chunks) {
  return {chunk.index, n * chunk.index / n_chunks, n * (chunk.index + 1) / n_chunks};
}

}  // namespace

/// One batch after the other. Layers hold values on the way forward; on the way back `joined_` … hold the loss's
/// derivatives by what enters them.
class Trainer::Step {
 public:
  Step(Trainer& trainer, const TrainOptions& options)
      : net_(trainer.net_),
        weights_(trainer.net_.own_weights_.data()),
        squares_(trainer.squares_.empty() ? nullptr : trainer.squares_.data()),
        options_(options),
        shape_(net_.shape()),
        layout_(net_.layout()),
        layers_(shape_, options.batch),
        n_classes_(whole_lines(shape_.n_classes())),
        joined_(options.batch * shape_.n_joined()),
        hidden_(options.batch * shape_.hidden),
        top_(options.batch * shape_.top()),
        log_p_(options.batch),
        hidden_across_(shape_.n_joined() * shape_.hidden),
        hidden2_across_(std::size_t{shape_.hidden} * shape_.hidden2),
        classes_across_(shape_.top() * n_classes_),
        draws_((shape_.n_joined() + shape_.hidden + shape_.hidden2) / 4 * options.batch) {}

  /// Learn from a batch; the sum of log p before that.
  double learn(const Examples& batch, std::uint64_t number) {
    const std::size_t n = batch.outputs.size();
    const std::size_t n_threads = std::max<std::size_t>(1, options_.n_threads);
    turn_weights();
    const Dropout dropout{options_.dropout, options_.stream, number * draws_};
    for_each_chunk(n, options_.n_threads, [&](Chunk rows) {
      layers_.forward(net_, batch, rows.begin, rows.end, dropout, log_p_.data());
      backward(batch, rows.begin, rows.end, 1.0F / static_cast<float>(n));
    });
    sort_places(batch);
    for_each_chunk(n_threads, options_.n_threads, [&](Chunk chunk) { update(n, chunk, n_threads); });
    return std::accumulate(log_p_.begin(), log_p_.begin() + static_cast<std::ptrdiff_t>(n), 0.0);
  }

 private:
  void turn_weights() {
    transpose(net_.at(layout_.hidden), shape_.n_joined(), shape_.hidden, hidden_across_.data());
    transpose(net_.at(layout_.hidden2), layout_.hidden2.rows, shape_.hidden2, hidden2_across_.data());
    transpose(net_.at(layout_.classes), shape_.top(), n_classes_, classes_across_.data());
  }

  /// Derivatives by what entered tanh, from those by what came out (`y`, units left out being 0).
  void through_tanh(float* derivatives, const float* y, std::size_t n) const {
    const float kept = 1.0F - options_.dropout;
    if (options_.dropout == 0) {
      for (std::size_t k = 0; k < n; ++k) derivatives[k] *= 1.0F - y[k] * y[k];
      return;
    }
    for (std::size_t k = 0; k < n; ++k) {
      const float before = y[k] * kept;
      derivatives[k] = y[k] == 0.0F ? 0.0F : derivatives[k] / kept * (1.0F - before * before);
    }
  }

  void backward(const Examples& batch, std::size_t begin, std::size_t end, float scale) {
    const std::size_t n = end - begin, width = shape_.top(), n_joined = shape_.n_joined();
    float* const top = top_.data() + begin * width;
    std::fill_n(top, n * width, 0.0F);
    for (std::size_t row = begin; row < end; ++row) {
      const auto output = static_cast<std::size_t>(batch.outputs[row]);
      const std::size_t c = net_.class_of(batch.outputs[row]), first = shape_.class_offsets[c];
      const std::size_t size = shape_.class_offsets[c + 1] - first;
      float* const classes = layers_.classes(row);
      classes[c] -= 1.0F;
      for (std::size_t k = 0; k < n_classes_; ++k) classes[k] *= scale;
      if (size == 1) continue;
      float* const words = layers_.words(row);
      words[output - first] -= 1.0F;
      for (std::size_t k = 0; k < size; ++k) words[k] *= scale;
      add_product({words, 0, 1}, net_.at(layout_.words) + first * width, top_.data() + row * width, 1, width, size);
    }
    add_product({layers_.classes(begin), n_classes_, 1}, classes_across_.data(), top, n, width, n_classes_);
    through_tanh(top, layers_.top(begin), n * width);
    float* const hidden = shape_.hidden2 != 0 ? hidden_.data() + begin * shape_.hidden : top;
    if (shape_.hidden2 != 0) {
      std::fill_n(hidden, n * shape_.hidden, 0.0F);
      add_product({top, width, 1}, hidden2_across_.data(), hidden, n, shape_.hidden, width);
      through_tanh(hidden, layers_.hidden(begin), n * shape_.hidden);
    }
    float* const joined = joined_.data() + begin * n_joined;
    std::fill_n(joined, n * n_joined, 0.0F);
    add_product({hidden, shape_.hidden, 1}, hidden_across_.data(), joined, n, n_joined, shape_.hidden);
    if (options_.dropout > 0) {
      const float larger = 1.0F / (1.0F - options_.dropout);
      const float* const inputs = layers_.joined(begin);
      for (std::size_t k = 0; k < n * n_joined; ++k) joined[k] = inputs[k] == 0.0F ? 0.0F : joined[k] * larger;
    }
  }

  /// Which examples have which word in their contexts, and which an output of which class.
  void sort_places(const Examples& batch) {
    inputs_.clear();
    for (std::size_t k = 0; k < batch.contexts.size(); ++k) inputs_.emplace_back(batch.contexts[k], k);
    outputs_.clear();
    for (std::size_t k = 0; k < batch.outputs.size(); ++k) outputs_.emplace_back(net_.class_of(batch.outputs[k]), k);
    std::ranges::sort(inputs_);
    std::ranges::sort(outputs_);
  }

  void update(std::size_t n, const Chunk& chunk, std::size_t n_chunks) {
    const float* const hidden = shape_.hidden2 != 0 ? hidden_.data() : top_.data();
    update_layer(layout_.hidden, layers_.joined(0), hidden, n, chunk, n_chunks);
    if (shape_.hidden2 != 0) update_layer(layout_.hidden2, layers_.hidden(0), top_.data(), n, chunk, n_chunks);
    update_layer(layout_.classes, layers_.top(0), layers_.classes(0), n, chunk, n_chunks);
    if (chunk.index == 0) {
      update_bias(layout_.hidden_bias, hidden, n);
      if (shape_.hidden2 != 0) update_bias(layout_.hidden2_bias, top_.data(), n);
      update_bias(layout_.class_bias, layers_.classes(0), n);
    }
    update_words(chunk, n_chunks);
    update_projection(chunk, n_chunks);
  }

  void descend_at(std::size_t offset, const float* gradient, std::size_t n, bool decays) const {
    descend(weights_ + offset, squares_ == nullptr ? nullptr : squares_ + offset, gradient, n, options_.rate,
            decays ? options_.decay : 0.0F);
  }

  /// Rows of a layer's weights: the sum over the batch of what entered times the derivatives by what came out.
  void update_layer(const Block& block, const float* entered, const float* left, std::size_t n, const Chunk& chunk,
                    std::size_t n_chunks) const {
    const Chunk rows = share(block.rows, chunk, n_chunks);
    if (rows.begin == rows.end) return;
    std::vector<float> gradient((rows.end - rows.begin) * block.columns);
    add_product({entered + rows.begin, 1, block.rows}, left, gradient.data(), rows.end - rows.begin, block.columns, n);
    descend_at(block.offset + rows.begin * block.columns, gradient.data(), gradient.size(), true);
  }

  void update_bias(const Block& block, const float* left, std::size_t n) const {
    std::vector<float> gradient(block.columns);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < block.columns; ++k) gradient[k] += left[i * block.columns + k];
    }
    descend_at(block.offset, gradient.data(), gradient.size(), false);
  }

  /// Calls `use(key, first, last)` for the runs of equal keys that belong to this thread.
  template <class Places, class Use>
  static void for_each_run(const Places& places, const Chunk& chunk, std::size_t n_chunks, const Use& use) {
    std::size_t number = 0;
    for (auto first = places.begin(); first != places.end(); ++number) {
      const auto last = std::find_if(first, places.end(), [&](const auto& each) { return each.first != first->first; });
      if (number % n_chunks == chunk.index) use(static_cast<std::size_t>(first->first), first, last);
      first = last;
    }
  }

  void update_words(const Chunk& chunk, std::size_t n_chunks) {
    const std::size_t width = shape_.top();
    std::vector<float> gradient(width);
    for_each_run(outputs_, chunk, n_chunks, [&](std::size_t c, auto first, auto last) {
      const std::size_t begin = shape_.class_offsets[c], size = shape_.class_offsets[c + 1] - begin;
      if (size == 1) return;
      for (std::size_t word = 0; word < size; ++word) {
        std::ranges::fill(gradient, 0.0F);
        float bias = 0;
        for (auto place = first; place != last; ++place) {
          const float by = layers_.words(place->second)[word];
          bias += by;
          add_product({&by, 0, 0}, layers_.top(place->second), gradient.data(), 1, width, 1);
        }
        descend_at(layout_.words.offset + (begin + word) * width, gradient.data(), width, true);
        descend_at(layout_.word_bias.offset + begin + word, &bias, 1, false);
      }
    });
  }

  void update_projection(const Chunk& chunk, std::size_t n_chunks) {
    const std::size_t width = shape_.projection;
    std::vector<float> gradient(width);
    for_each_run(inputs_, chunk, n_chunks, [&](std::size_t word, auto first, auto last) {
      std::ranges::fill(gradient, 0.0F);
      for (auto place = first; place != last; ++place) {
        const float* const by = joined_.data() + place->second * width;
        for (std::size_t k = 0; k < width; ++k) gradient[k] += by[k];
      }
      descend_at(layout_.projection.offset + word * width, gradient.data(), width, true);
    });
  }

  const Net& net_;
  float* weights_;
  float* squares_;
  const TrainOptions& options_;
  const Shape& shape_;
  const Layout& layout_;
  Layers layers_;
  std::size_t n_classes_;
  std::vector<float> joined_, hidden_, top_;
  std::vector<double> log_p_;
  std::vector<float> hidden_across_, hidden2_across_, classes_across_;
  std::size_t draws_;  // that a step makes
  std::vector<std::pair<std::int32_t, std::size_t>> inputs_;
  std::vector<std::pair<std::uint32_t, std::size_t>> outputs_;
};

Trainer::Trainer(const Net& net, bool adaptive, std::vector<float> squares)
    : net_(net.shape(), {net.weights().begin(), net.weights().end()}), squares_(std::move(squares)) {
  if (adaptive && squares_.empty()) squares_.resize(net.weights().size());
  if (!adaptive) squares_.clear();
  if (adaptive && squares_.size() != net.weights().size()) {
    throw data_error("The net has " + std::to_string(net.weights().size()) + " weights, but there are " +
                     std::to_string(squares_.size()) + " sums of squared gradients.");
  }
}

double Trainer::epoch(const Examples& examples, std::span<const std::int64_t> order, const TrainOptions& options) {
  net_.check(examples);
  if (options.batch == 0) throw data_error("A step needs at least one example.");
  if (!(options.dropout >= 0 && options.dropout < 1)) throw data_error("The share of units left out is below 1.");
  const auto out_of_range = [&](std::int64_t place) {
    return place < 0 || static_cast<std::size_t>(place) >= examples.outputs.size();
  };
  if (order.empty() || std::ranges::any_of(order, out_of_range)) {
    throw data_error("The order of an epoch must name at least one example, and none that is not there.");
  }
  const std::size_t n_slots = net_.shape().n_slots;
  std::vector<std::int32_t> contexts, outputs;
  Step step(*this, options);
  double log_p = 0;
  std::uint64_t number = 0;
  for (std::size_t first = 0; first < order.size(); first += options.batch, ++number) {
    contexts.clear();
    outputs.clear();
    for (const auto place : order.subspan(first, std::min<std::size_t>(options.batch, order.size() - first))) {
      const auto i = static_cast<std::size_t>(place);
      const auto context = examples.contexts.subspan(i * n_slots, n_slots);
      contexts.insert(contexts.end(), context.begin(), context.end());
      outputs.push_back(examples.outputs[i]);
    }
    log_p += step.learn({contexts, outputs}, number);
  }
  return log_p / static_cast<double>(order.size());
}

}  // namespace dragoman::net
