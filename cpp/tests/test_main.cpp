#include <cstdio>
#include <exception>
#include <stdexcept>

#include "check.hpp"

std::vector<Test>& all_tests() {
  static std::vector<Test> tests;
  return tests;
}

void fail(const char* expression, const char* file, int line) {
  throw std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": not true: " + expression);
}

int main() {
  int failed = 0;
  for (const auto& test : all_tests()) {
    try {
      test.body();
    } catch (const std::exception& error) {
      ++failed;
      std::printf("FAILED %s\n  %s\n", test.name.c_str(), error.what());
    }
  }
  std::printf("core_tests: %zu passed, %d failed\n", all_tests().size() - static_cast<std::size_t>(failed), failed);
  return failed == 0 ? 0 : 1;
}
