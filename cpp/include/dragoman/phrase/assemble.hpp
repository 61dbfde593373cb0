#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "dragoman/phrase/table.hpp"

namespace dragoman::phrase {

/// A translation step of a factored setup: a table from some source factors to some target factors.
struct TranslationStep {
  const PhraseTable* table = nullptr;
  unsigned n_features = 0;          // its first scores; orientations follow
  std::span<const TokenId> source;  // by token of the text: the word of the table's source side there, -1: never met
  std::span<const TokenId> gives;   // by whole target word: the word of the table's target side that it shows
};

/// A way from source to whole target words, which have all factors: steps that translate, each some factors, and what
/// the generation of the others is worth, log p by whole target word.
struct FactorPath {
  std::vector<TranslationStep> steps;
  std::vector<std::span<const float>> generated;
};

struct AssembleOptions {
  unsigned most = 100;       // translations of a phrase by one path, the most probable
  bool orientation = false;  // six scores behind the features are kept, those of a path's first step
  unsigned n_threads = 1;
};

/// The number of features of an assembled table: those of all steps of all paths.
unsigned n_assembled_features(std::span<const FactorPath> paths);

/// The table of all phrases of a text, [offsets[i], offsets[i + 1]) being its sentences, by alternative paths (Koehn &
/// Hoang 2007; Bojar, Jawaid & Kamran, WMT 2012). A translation by a path is a sequence of whole target words that
/// shows every step one of its translations of the same source words; features of the other paths are neutral, 0. Links
/// and orientations are those of the path's first step. `words` number the tokens: the same source factors, the same
/// number. Throws data_error for arrays that do not fit each other.
std::unique_ptr<PhraseTable> assemble(std::span<const FactorPath> paths, std::span<const TokenId> words,
                                      std::span<const std::int64_t> offsets, const AssembleOptions& options);

}  // namespace dragoman::phrase
