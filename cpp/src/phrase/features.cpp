#include "dragoman/phrase/features.hpp"

#include <algorithm>
#include <array>

#include "dragoman/core/errors.hpp"
#include "dragoman/phrase/sparse_features.hpp"

namespace dragoman::phrase {

namespace {

template <class F>
concept NeedsResources = requires { F::resources; };

template <DecoderFeature F>
std::shared_ptr<const AnyFeature> made(const Resources& resources) {
  if constexpr (NeedsResources<F>)
    return std::make_shared<ChosenFeature<F>>(F(resources));
  else
    return std::make_shared<ChosenFeature<F>>();
}

template <DecoderFeature F>
constexpr std::span<const std::string_view> resources_of_feature() {
  if constexpr (NeedsResources<F>)
    return F::resources;
  else
    return {};
}

struct Entry {
  std::string_view name;
  std::shared_ptr<const AnyFeature> (*make)(const Resources& resources);
  std::span<const std::string_view> resources;
  SparseParts parts;
};

template <DecoderFeature F>
constexpr Entry entry(std::string_view name) {
  return {name, made<F>, resources_of_feature<F>(), F::parts};
}

// A feature is put at an engine's service by its line here.
constexpr std::array kFeatures{
    entry<WordPairs>("word-pairs"),         entry<Insertions>("insertions"),        entry<Deletions>("deletions"),
    entry<PhraseLengths>("phrase-lengths"), entry<TargetBigrams>("target-bigrams"), entry<TagPairs>("tag-pairs"),
};

constexpr auto kNames = [] {
  std::array<std::string_view, kFeatures.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kFeatures[i].name;
  return names;
}();

const Entry& entry_of(std::string_view name) {
  const auto found = std::ranges::find(kFeatures, name, &Entry::name);
  if (found != kFeatures.end()) return *found;
  std::string known;
  for (const auto each : kNames) known += (known.empty() ? "" : ", ") + std::string(each);
  throw data_error("There is no decoder feature '" + std::string(name) + "'. Known: " + known + ".");
}

}  // namespace

std::span<const std::string_view> known_features() { return kNames; }

std::span<const std::string_view> resources_of(std::string_view name) { return entry_of(name).resources; }

SparseParts parts_of(std::string_view name) { return entry_of(name).parts; }

std::shared_ptr<const AnyFeature> make_feature(std::string_view name, const Resources& resources) {
  const Entry& entry = entry_of(name);
  for (const auto need : entry.resources) {
    if (resources.contains(need)) continue;
    throw data_error("The decoder feature '" + std::string(name) + "' needs a table '" + std::string(need) + "'.");
  }
  for (const auto& [each, table] : resources) {
    if (std::ranges::find(entry.resources, std::string_view(each)) != entry.resources.end()) continue;
    throw data_error("The decoder feature '" + std::string(name) + "' takes no table '" + each + "'.");
  }
  return entry.make(resources);
}

}  // namespace dragoman::phrase
