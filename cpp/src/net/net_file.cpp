#include "dragoman/core/file_header.hpp"
#include "dragoman/net/net.hpp"

// A net's file: this header, the offsets of the classes, the weights as they lie in memory.
namespace dragoman::net {
namespace {

constexpr FileKind kKind{"DragNet\n", 1, "net", "this is no net of Dragoman's. Make one with: dragoman lm net."};

struct Header {
  char magic[8];
  std::uint32_t byte_order;
  std::uint32_t version;
  std::uint32_t n_inputs;
  std::uint32_t n_slots;
  std::uint32_t projection;
  std::uint32_t hidden;
  std::uint32_t hidden2;
  std::uint32_t n_classes;
  std::uint64_t n_weights;
  std::uint64_t file_size;
  std::uint64_t header_hash;
};

std::uint64_t size_of(const Header& header, std::string_view file) {
  const std::uint64_t sizes[] = {4 * (std::uint64_t{header.n_classes} + 1), 4 * (header.n_weights % (1ULL << 40))};
  return size_with(sizeof header, sizes, file);
}

}  // namespace

Bytes Net::serialised() const {
  auto header = new_header<Header>(kKind);
  header.n_inputs = shape_.n_inputs;
  header.n_slots = shape_.n_slots;
  header.projection = shape_.projection;
  header.hidden = shape_.hidden;
  header.hidden2 = shape_.hidden2;
  header.n_classes = static_cast<std::uint32_t>(shape_.n_classes());
  header.n_weights = weights_.size();
  header.file_size = sizeof header + filled_up(4 * shape_.class_offsets.size()) + filled_up(4 * weights_.size());
  header.header_hash = hash_of_header(header);
  Bytes file;
  file.reserve(header.file_size);
  file.append({reinterpret_cast<const char*>(&header), sizeof header});
  const auto append = [&](std::string_view bytes) {
    file.append(bytes);
    file.append(std::string(filled_up(bytes.size()) - bytes.size(), '\0'));
  };
  append(bytes_of(shape_.class_offsets));
  append(bytes_of(weights_));
  return file;
}

std::unique_ptr<Net> Net::on_file(std::string_view file, std::shared_ptr<const void> owner) {
  const auto header = read_header<Header>(file, kKind);
  check_header(header, file, kKind, header.header_hash == hash_of_header(header), size_of(header, file));
  const char* const offsets = file.data() + sizeof header;
  const std::uint64_t n_offsets = std::uint64_t{header.n_classes} + 1;
  Shape shape{header.n_inputs, header.n_slots, header.projection, header.hidden, header.hidden2, {}};
  shape.class_offsets.resize(n_offsets);
  std::memcpy(shape.class_offsets.data(), offsets, 4 * n_offsets);
  // Every output word has a row of weights: a larger number of them would be asked for memory first.
  check_arrays(shape.class_offsets.back() <= header.n_weights, kKind);
  const auto* const weights = reinterpret_cast<const float*>(offsets + filled_up(4 * n_offsets));
  try {
    return std::unique_ptr<Net>(new Net(std::move(shape), std::span(weights, header.n_weights), std::move(owner)));
  } catch (const data_error& error) {
    throw data_error("the net is damaged (" + std::string(error.what()) + "). Train it again or copy it again.");
  }
}

}  // namespace dragoman::net
