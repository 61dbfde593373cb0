#include "kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "dragoman/net/shape.hpp"

// One body, compiled for wider registers too and chosen when the library is loaded.
#if defined(__x86_64__) && defined(__gnu_linux__) && defined(__GNUC__) && !defined(__clang__)
#define DRAGOMAN_WIDE __attribute__((target_clones("default", "avx2", "avx512f")))
#else
#define DRAGOMAN_WIDE
#endif
#define DRAGOMAN_INLINE inline __attribute__((always_inline))

namespace dragoman::net {
namespace {

using Line [[gnu::vector_size(64), gnu::aligned(4), gnu::may_alias]] = float;
using Numbers [[gnu::vector_size(64), gnu::aligned(4), gnu::may_alias]] = std::int32_t;
static_assert(sizeof(Line) == kLine * sizeof(float));

DRAGOMAN_INLINE const Line& line(const float* at) { return *reinterpret_cast<const Line*>(at); }
DRAGOMAN_INLINE Line& line(float* at) { return *reinterpret_cast<Line*>(at); }

DRAGOMAN_INLINE float total(const Line& sums) {
  float sum = 0;
  for (std::size_t k = 0; k < kLine; ++k) sum += sums[k];
  return sum;
}

/// Four rows of a product by two lines of columns. The sums have names: an array of them would live in memory.
DRAGOMAN_INLINE void four_by_two(const Strided& a, const float* b, float* c, std::size_t n, std::size_t depth) {
  Line s00 = line(c), s01 = line(c + kLine), s10 = line(c + n), s11 = line(c + n + kLine);
  Line s20 = line(c + 2 * n), s21 = line(c + 2 * n + kLine), s30 = line(c + 3 * n), s31 = line(c + 3 * n + kLine);
  const float* at = a.values;
  for (std::size_t k = 0; k < depth; ++k, at += a.column, b += n) {
    const Line b0 = line(b), b1 = line(b + kLine);
    s00 += b0 * at[0], s01 += b1 * at[0];
    s10 += b0 * at[a.row], s11 += b1 * at[a.row];
    s20 += b0 * at[2 * a.row], s21 += b1 * at[2 * a.row];
    s30 += b0 * at[3 * a.row], s31 += b1 * at[3 * a.row];
  }
  line(c) = s00, line(c + kLine) = s01, line(c + n) = s10, line(c + n + kLine) = s11;
  line(c + 2 * n) = s20, line(c + 2 * n + kLine) = s21, line(c + 3 * n) = s30, line(c + 3 * n + kLine) = s31;
}

DRAGOMAN_INLINE void four_by_one(const Strided& a, const float* b, float* c, std::size_t n, std::size_t depth) {
  Line s0 = line(c), s1 = line(c + n), s2 = line(c + 2 * n), s3 = line(c + 3 * n);
  const float* at = a.values;
  for (std::size_t k = 0; k < depth; ++k, at += a.column, b += n) {
    const Line b0 = line(b);
    s0 += b0 * at[0], s1 += b0 * at[a.row], s2 += b0 * at[2 * a.row], s3 += b0 * at[3 * a.row];
  }
  line(c) = s0, line(c + n) = s1, line(c + 2 * n) = s2, line(c + 3 * n) = s3;
}

DRAGOMAN_INLINE void one_by_one(const Strided& a, const float* b, float* c, std::size_t n, std::size_t depth) {
  Line s0 = line(c);
  const float* at = a.values;
  for (std::size_t k = 0; k < depth; ++k, at += a.column, b += n) s0 += line(b) * at[0];
  line(c) = s0;
}

/// e^x by a polynomial after taking out powers of two (Cody & Waite), to about one part in 10^7; below e^-87 it is
/// that.
DRAGOMAN_INLINE void exponentiate(Line& x) {
  const Line least = Line{} - 87.0F, most = Line{} + 88.0F;
  x = x < least ? least : x;
  x = x > most ? most : x;
  const Line shifted = x * 1.44269504F + 12582912.0F;  // 1.5 · 2^23: the sum's last bits are a rounded whole number
  const Line whole = shifted - 12582912.0F;
  const Line r = (x - whole * 0.693359375F) + whole * 2.12194440e-4F;
  Line p = r * 1.9875691500e-4F + 1.3981999507e-3F;
  p = p * r + 8.3334519073e-3F;
  p = p * r + 4.1665795894e-2F;
  p = p * r + 1.6666665459e-1F;
  p = p * r + 5.0000001201e-1F;
  p = p * (r * r) + r + 1.0F;
  const Numbers scale = (reinterpret_cast<const Numbers&>(shifted) << 23) + reinterpret_cast<const Numbers&>(p);
  x = reinterpret_cast<const Line&>(scale);
}

}  // namespace

DRAGOMAN_WIDE void add_product(Strided a, const float* b, float* c, std::size_t m, std::size_t n, std::size_t depth) {
  // Columns outside: their part of b stays in the cache while all rows go by.
  std::size_t j = 0;
  for (; j + 2 * kLine <= n; j += 2 * kLine) {
    std::size_t i = 0;
    for (; i + 4 <= m; i += 4) four_by_two({a.values + i * a.row, a.row, a.column}, b + j, c + i * n + j, n, depth);
    for (; i < m; ++i) {
      one_by_one({a.values + i * a.row, a.row, a.column}, b + j, c + i * n + j, n, depth);
      one_by_one({a.values + i * a.row, a.row, a.column}, b + j + kLine, c + i * n + j + kLine, n, depth);
    }
  }
  if (j == n) return;
  std::size_t i = 0;
  for (; i + 4 <= m; i += 4) four_by_one({a.values + i * a.row, a.row, a.column}, b + j, c + i * n + j, n, depth);
  for (; i < m; ++i) one_by_one({a.values + i * a.row, a.row, a.column}, b + j, c + i * n + j, n, depth);
}

DRAGOMAN_WIDE void add_dots(const float* rows, const float* vector, std::size_t n_rows, std::size_t width, float* out) {
  std::size_t i = 0;
  for (; i + 4 <= n_rows; i += 4, rows += 4 * width) {
    Line s0{}, s1{}, s2{}, s3{};
    for (std::size_t k = 0; k < width; k += kLine) {
      const Line v = line(vector + k);
      s0 += line(rows + k) * v, s1 += line(rows + width + k) * v;
      s2 += line(rows + 2 * width + k) * v, s3 += line(rows + 3 * width + k) * v;
    }
    out[i] += total(s0), out[i + 1] += total(s1), out[i + 2] += total(s2), out[i + 3] += total(s3);
  }
  for (; i < n_rows; ++i, rows += width) {
    Line sum{};
    for (std::size_t k = 0; k < width; k += kLine) sum += line(rows + k) * line(vector + k);
    out[i] += total(sum);
  }
}

DRAGOMAN_WIDE void squash(float* x, std::size_t n) {
  for (std::size_t k = 0; k < n; k += kLine) {
    Line e = line(x + k) * 2.0F;
    exponentiate(e);
    line(x + k) = 1.0F - 2.0F / (e + 1.0F);
  }
}

DRAGOMAN_WIDE double normalise(float* logits, std::size_t n) {
  const std::size_t filled = whole_lines(n);
  const float most = *std::max_element(logits, logits + n);
  std::fill(logits + n, logits + filled, most);
  Line sums{};
  for (std::size_t k = 0; k < filled; k += kLine) {
    Line e = line(logits + k) - most;
    exponentiate(e);
    line(logits + k) = e;
  }
  std::fill(logits + n, logits + filled, 0.0F);
  for (std::size_t k = 0; k < filled; k += kLine) sums += line(logits + k);
  const float sum = total(sums);
  for (std::size_t k = 0; k < filled; k += kLine) line(logits + k) = line(logits + k) / sum;
  return static_cast<double>(most) + std::log(static_cast<double>(sum));
}

void transpose(const float* from, std::size_t rows, std::size_t columns, float* to) {
  for (std::size_t i = 0; i < rows; i += kLine) {
    for (std::size_t j = 0; j < columns; ++j) {
      for (std::size_t k = i; k < std::min(rows, i + kLine); ++k) to[j * rows + k] = from[k * columns + j];
    }
  }
}

DRAGOMAN_WIDE void descend(float* weights, float* squares, const float* gradient, std::size_t n, float rate,
                           float decay) {
  if (squares == nullptr) {
    for (std::size_t k = 0; k < n; ++k) weights[k] -= rate * (gradient[k] + decay * weights[k]);
    return;
  }
  for (std::size_t k = 0; k < n; ++k) {
    const float g = gradient[k] + decay * weights[k];
    squares[k] += g * g;
    weights[k] -= rate * g / (std::sqrt(squares[k]) + 1e-8F);
  }
}

}  // namespace dragoman::net
