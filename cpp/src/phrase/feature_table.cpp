#include <array>

#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/sparse_features.hpp"

namespace dragoman::phrase {

namespace {

template <DecoderFeature F>
std::shared_ptr<const AnyFeature> made() {
  return std::make_shared<ChosenFeature<F>>();
}

struct Entry {
  std::string_view name;
  std::shared_ptr<const AnyFeature> (*make)();
};

// A feature is put at an engine's service by its line here.
constexpr std::array kFeatures{
    Entry{"word-pairs", made<WordPairs>},         Entry{"insertions", made<Insertions>},
    Entry{"deletions", made<Deletions>},          Entry{"phrase-lengths", made<PhraseLengths>},
    Entry{"target-bigrams", made<TargetBigrams>},
};

constexpr auto kNames = [] {
  std::array<std::string_view, kFeatures.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kFeatures[i].name;
  return names;
}();

}  // namespace

std::span<const std::string_view> known_features() { return kNames; }

std::shared_ptr<const AnyFeature> make_feature(std::string_view name) {
  for (const Entry& entry : kFeatures) {
    if (entry.name == name) return entry.make();
  }
  std::string known;
  for (const auto each : kNames) known += (known.empty() ? "" : ", ") + std::string(each);
  throw data_error("There is no decoder feature '" + std::string(name) + "'. Known: " + known + ".");
}

}  // namespace dragoman::phrase
