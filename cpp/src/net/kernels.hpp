#pragma once

#include <cstddef>

// What the layers of a net are computed with. Every sum has one order, whatever the width of the machine's registers
// and however rows are dealt out to threads, so that results are the same to the bit.
namespace dragoman::net {

/// A matrix that is read element by element: a(i, k) = values[i · row + k · column].
struct Strided {
  const float* values;
  std::size_t row;
  std::size_t column;
};

/// c[i][j] += Σ_k a(i, k) · b[k][j] for i < m, j < n, k < depth. Rows of b and c lie `n` apart, a multiple of kLine.
void add_product(Strided a, const float* b, float* c, std::size_t m, std::size_t n, std::size_t depth);

/// out[i] += Σ_k rows[i][k] · vector[k]; rows lie `width` apart, a multiple of kLine.
void add_dots(const float* rows, const float* vector, std::size_t n_rows, std::size_t width, float* out);

/// x ← tanh x, for n values, a multiple of kLine.
void squash(float* x, std::size_t n);

/// Logits → probabilities in place, for n values followed by room up to a multiple of kLine, which becomes 0. The
/// natural logarithm of the sum of exponentials is returned: log p(i) = logit(i) − it.
double normalise(float* logits, std::size_t n);

/// to[j][i] = from[i][j].
void transpose(const float* from, std::size_t rows, std::size_t columns, float* to);

/// w ← w − rate · (gradient + decay · w), for n values, a multiple of kLine; with `squares` the rate of each weight is
/// divided by the root of its summed squared gradients (AdaGrad, Duchi et al. 2011).
void descend(float* weights, float* squares, const float* gradient, std::size_t n, float rate, float decay);

}  // namespace dragoman::net
