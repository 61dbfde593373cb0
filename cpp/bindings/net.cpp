#include <nanobind/stl/unique_ptr.h>

#include <memory>

#include "areas.hpp"
#include "arrays.hpp"
#include "dragoman/net/net.hpp"
#include "dragoman/net/trainer.hpp"

namespace dragoman::bindings::net_area {

using namespace nb::literals;
using net::Net;
using net::Shape;
using net::Trainer;

namespace {

using Contexts = Input<std::int32_t, 2>;
using Ids = Input<std::int32_t, 1>;

Shape make_shape(std::uint32_t n_inputs, std::uint32_t n_slots, std::uint32_t projection, std::uint32_t hidden,
                 std::uint32_t hidden2, Input<std::uint32_t, 1> class_offsets) {
  Shape shape{n_inputs, n_slots, projection,
              hidden,   hidden2, {class_offsets.data(), class_offsets.data() + class_offsets.size()}};
  shape.check();
  return shape;
}

nb::list blocks(const Shape& shape) {
  nb::list list;
  for (const auto& block : net::Layout(shape).all()) {
    list.append(nb::make_tuple(nb::str(block.name.data(), block.name.size()), block.offset, block.rows, block.columns));
  }
  return list;
}

std::vector<float> copied(Input<float, 1> values) { return {values.data(), values.data() + values.size()}; }

net::Examples examples_of(const Contexts& contexts, const Ids& outputs) {
  return {{contexts.data(), contexts.size()}, {outputs.data(), outputs.size()}};
}

auto log_p(const Net& net, Contexts contexts, Ids outputs, unsigned n_threads) {
  std::vector<double> values;
  {
    nb::gil_scoped_release unlocked;
    values = net.log_p(examples_of(contexts, outputs), n_threads);
  }
  return owned_array(std::move(values));
}

nb::bytes serialised(const Net& net) {
  const Bytes file = net.serialised();
  return nb::bytes(file.data(), file.size());
}

std::unique_ptr<Net> on_file(Input<std::uint8_t, 1> file) {
  const std::string_view content(reinterpret_cast<const char*>(file.data()), file.size());
  auto owner = std::make_shared<Input<std::uint8_t, 1>>(std::move(file));
  return Net::on_file(content, std::move(owner));
}

double epoch(Trainer& trainer, Contexts contexts, Ids outputs, Input<std::int64_t, 1> order, float rate, float decay,
             float dropout, std::uint32_t batch, std::uint64_t key, unsigned n_threads) {
  nb::gil_scoped_release unlocked;
  return trainer.epoch(examples_of(contexts, outputs), span_of(order),
                       {rate, decay, dropout, batch, CounterStream{key}, n_threads});
}

}  // namespace

void bind(nb::module_& m) {
  nb::class_<Shape>(m, "Shape", "The sizes of a net.")
      .def_static("make", &make_shape, nb::kw_only(), "n_inputs"_a, "n_slots"_a, "projection"_a, "hidden"_a,
                  "hidden2"_a, "class_offsets"_a.noconvert(),
                  nb::sig("def make(*, n_inputs: int, n_slots: int, projection: int, hidden: int, hidden2: int,"
                          " class_offsets: NDArray[numpy.uint32]) -> Shape"))
      .def_ro("n_inputs", &Shape::n_inputs)
      .def_ro("n_slots", &Shape::n_slots)
      .def_prop_ro("n_outputs", &Shape::n_outputs)
      .def_prop_ro("n_weights", [](const Shape& shape) { return net::Layout(shape).n_weights(); })
      .def_prop_ro(
          "class_offsets", [](const Shape& shape) { return owned_array(std::vector(shape.class_offsets)); },
          nb::rv_policy::move, nb::sig("def class_offsets(self) -> NDArray[numpy.uint32]"))
      .def("blocks", &blocks, nb::sig("def blocks(self) -> list[tuple[str, int, int, int]]"),
           "The matrices among the weights: name, place of the first weight, rows, columns.");
  nb::class_<Net>(m, "Net", "A feed-forward net over n-grams with a class-factored output.")
      .def_static(
          "make",
          [](const Shape& shape, Input<float, 1> weights) { return std::make_unique<Net>(shape, copied(weights)); },
          "shape"_a, "weights"_a.noconvert(), nb::sig("def make(shape: Shape, weights: NDArray[numpy.float32]) -> Net"))
      .def_prop_ro("shape", &Net::shape, nb::rv_policy::reference_internal)
      .def(
          "weights",
          [](const Net& net) { return owned_array(std::vector(net.weights().begin(), net.weights().end())); },
          nb::sig("def weights(self) -> NDArray[numpy.float32]"), "All weights, one block behind the other.")
      .def("log_p", &log_p, "contexts"_a.noconvert(), "outputs"_a.noconvert(), nb::kw_only(), "n_threads"_a,
           nb::sig("def log_p(self, contexts: NDArray[numpy.int32], outputs: NDArray[numpy.int32], *, n_threads: int)"
                   " -> NDArray[numpy.float64]"),
           "Natural logarithm of the probability of each output after its context.")
      .def("serialised", &serialised, "The content of a file.")
      .def_static("on_file", &on_file, "file"_a.noconvert(), nb::sig("def on_file(file: memoryview) -> Net"),
                  "A net on the mapped content of a file.");
  nb::class_<Trainer>(m, "Trainer", "Gradient descent.")
      .def_static(
          "make",
          [](const Net& net, bool adaptive, Input<float, 1> squares) {
            return std::make_unique<Trainer>(net, adaptive, copied(squares));
          },
          "net"_a, nb::kw_only(), "adaptive"_a, "squares"_a.noconvert(),
          nb::sig("def make(net: Net, *, adaptive: bool, squares: NDArray[numpy.float32]) -> Trainer"))
      .def("epoch", &epoch, "contexts"_a.noconvert(), "outputs"_a.noconvert(), "order"_a.noconvert(), nb::kw_only(),
           "rate"_a, "decay"_a, "dropout"_a, "batch"_a, "key"_a, "n_threads"_a,
           nb::sig("def epoch(self, contexts: NDArray[numpy.int32], outputs: NDArray[numpy.int32], order:"
                   " NDArray[numpy.int64], *, rate: float, decay: float, dropout: float, batch: int, key: int,"
                   " n_threads: int) -> float"),
           "Learn from the examples in this order; the mean log-probability on the way.")
      .def(
          "net", [](const Trainer& trainer) { return std::make_unique<Net>(trainer.net()); },
          nb::sig("def net(self) -> Net"), "The net as it is now.")
      .def(
          "squares",
          [](const Trainer& trainer) {
            return owned_array(std::vector(trainer.squares().begin(), trainer.squares().end()));
          },
          nb::sig("def squares(self) -> NDArray[numpy.float32]"), "Summed squared gradients, one for each weight.");
}

}  // namespace dragoman::bindings::net_area
