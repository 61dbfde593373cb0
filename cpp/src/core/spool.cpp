#include "dragoman/core/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "dragoman/core/errors.hpp"

namespace dragoman {

namespace {

[[noreturn]] void fail(const std::string& what) {
  throw data_error(what + ": " + std::strerror(errno) + ". Name a folder with more room, or allow more memory.");
}

}  // namespace

ScratchFile::ScratchFile(const std::string& folder) {
  std::string name = folder + "/dragoman-XXXXXX";
  descriptor_ = ::mkstemp(name.data());
  if (descriptor_ < 0) fail("Cannot make a scratch file in " + folder);
  ::unlink(name.c_str());
}

ScratchFile::~ScratchFile() { ::close(descriptor_); }

std::uint64_t ScratchFile::append(const void* bytes, std::size_t size) {
  const auto begin = size_;
  const char* from = static_cast<const char*>(bytes);
  while (size > 0) {
    const auto written = ::pwrite(descriptor_, from, size, static_cast<off_t>(size_));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("Cannot write a scratch file");
    from += written;
    size -= static_cast<std::size_t>(written);
    size_ += static_cast<std::uint64_t>(written);
  }
  return begin;
}

void ScratchFile::read(std::uint64_t at, void* bytes, std::size_t size) const {
  char* to = static_cast<char*>(bytes);
  while (size > 0) {
    const auto got = ::pread(descriptor_, to, size, static_cast<off_t>(at));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("Cannot read a scratch file");
    to += got;
    size -= static_cast<std::size_t>(got);
    at += static_cast<std::uint64_t>(got);
  }
}

}  // namespace dragoman
