#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "dragoman/core/errors.hpp"
#include "dragoman/core/hash.hpp"

// What the files that are used as they lie have in common. A header is a plain struct that begins with `magic`,
// `byte_order` and `version` and ends in `header_hash`, the hash of all before it.
namespace dragoman {

inline constexpr std::uint32_t kByteOrder = 0x01020304;

/// A kind of file, as messages speak of it.
struct FileKind {
  std::string_view magic;  // eight bytes
  std::uint32_t version;
  std::string_view name;     // "the … is damaged"
  std::string_view not_one;  // what to say, cure included, to a file of another kind
};

/// Arrays begin at multiples of eight.
constexpr std::uint64_t filled_up(std::uint64_t size) { return (size + 7) / 8 * 8; }

/// The size of a file of a header and these arrays; 0, which no file has, if one of them is larger than the file: a sum
/// of numbers that others wrote could wrap.
inline std::uint64_t size_with(std::uint64_t header, std::span<const std::uint64_t> sizes, std::string_view file) {
  std::uint64_t size = header;
  for (const auto each : sizes) {
    if (each > file.size()) return 0;
    size += filled_up(each);
  }
  return size;
}

/// Whether offsets go up from 0 to `end`, so that what they cut lies inside.
template <class Offset>
bool cuts(std::span<const Offset> offsets, std::uint64_t end) {
  return !offsets.empty() && offsets.front() == 0 && offsets.back() == end && std::ranges::is_sorted(offsets);
}

/// A header's hash can be forged, and what lies behind it is not hashed: throws data_error unless the arrays `fit`.
inline void check_arrays(bool fit, const FileKind& kind) {
  if (fit) return;
  throw data_error("the " + std::string(kind.name) +
                   " is damaged (its arrays do not fit each other). Build it again or copy it again.");
}

template <class Values>
std::string_view bytes_of(const Values& values) {
  const std::span view(values);
  return {reinterpret_cast<const char*>(view.data()), view.size_bytes()};
}

template <class Header>
std::uint64_t hash_of_header(const Header& header) {
  static_assert(std::is_trivially_copyable_v<Header> && sizeof(Header) % 8 == 0);
  return hash_bytes({reinterpret_cast<const char*>(&header), offsetof(Header, header_hash)});
}

/// An empty header of this kind.
template <class Header>
Header new_header(const FileKind& kind) {
  Header header{};
  std::memcpy(header.magic, kind.magic.data(), sizeof header.magic);
  header.byte_order = kByteOrder;
  header.version = kind.version;
  return header;
}

/// The header of a file; throws data_error if the file is of another kind, machine or version.
template <class Header>
Header read_header(std::string_view file, const FileKind& kind) {
  Header header;
  if (file.size() < sizeof header || file.substr(0, sizeof header.magic) != kind.magic) {
    throw data_error(std::string(kind.not_one));
  }
  std::memcpy(&header, file.data(), sizeof header);
  const std::string name(kind.name);
  if (header.byte_order != kByteOrder) {
    throw data_error("the " + name + " was saved on a machine of another byte order. Build it again on this one.");
  }
  if (header.version != kind.version) {
    throw data_error("the " + name + " has format " + std::to_string(header.version) + "; this version reads format " +
                     std::to_string(kind.version) + ". Build it again.");
  }
  return header;
}

/// Throws data_error unless the header is as it was written (`sound`: its numbers make sense) and the file as long as
/// it should be.
template <class Header>
void check_header(const Header& header, std::string_view file, const FileKind& kind, bool sound, std::uint64_t size) {
  const std::string name(kind.name);
  if (header.header_hash != hash_of_header(header) || !sound) {
    throw data_error("the " + name + " is damaged (checksum of the header differs). Build it again or copy it again.");
  }
  if (header.file_size != file.size() || header.file_size != size) {
    throw data_error("the " + name + " has " + std::to_string(file.size()) + " bytes and should have " +
                     std::to_string(header.file_size) + ". Copy it again, whole.");
  }
}

}  // namespace dragoman
