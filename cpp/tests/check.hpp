#pragma once

#include <functional>
#include <string>
#include <vector>

// A test is a named function that throws when it fails; test_main.cpp runs them all.
struct Test {
  std::string name;
  std::function<void()> body;
};

std::vector<Test>& all_tests();

struct Registered {
  Registered(const char* name, std::function<void()> body) { all_tests().push_back({name, std::move(body)}); }
};

[[noreturn]] void fail(const char* expression, const char* file, int line);

#define TEST(name)                                  \
  static void name();                               \
  static const Registered name##_test(#name, name); \
  static void name()
#define CHECK(expression) ((expression) ? static_cast<void>(0) : fail(#expression, __FILE__, __LINE__))
