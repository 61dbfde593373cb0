#include "dragoman/classer/classer.hpp"

#include <algorithm>
#include <cstddef>

#include "dragoman/core/errors.hpp"

namespace dragoman::classer {
namespace {

using Ids = std::span<const std::int32_t>;

enum class Edit : std::uint8_t { kMatch, kSubstitute, kDelete, kInsert };

struct Alignment {
  std::int64_t edits;
  std::vector<Edit> hyp;  // match, substitute or insert
  std::vector<Edit> ref;  // match, substitute or delete
};

/// Word alignment of least edits. Where several have the same cost the diagonal wins over a deletion and that over an
/// insertion: the classes depend on this choice, and it is the one that gives the published counts.
Alignment align(Ids hyp, Ids ref) {
  const std::size_t width = hyp.size() + 1;
  std::vector<Edit> edits((ref.size() + 1) * width, Edit::kInsert);
  std::vector<std::int64_t> above(width), row(width);
  for (std::size_t j = 0; j < width; ++j) above[j] = static_cast<std::int64_t>(j);
  for (std::size_t i = 1; i <= ref.size(); ++i) {
    row[0] = static_cast<std::int64_t>(i);
    edits[i * width] = Edit::kDelete;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = ref[i - 1] == hyp[j - 1];
      std::int64_t best = above[j - 1] + (same ? 0 : 1);
      Edit edit = same ? Edit::kMatch : Edit::kSubstitute;
      if (above[j] + 1 < best) {
        best = above[j] + 1;
        edit = Edit::kDelete;
      }
      if (row[j - 1] + 1 < best) {
        best = row[j - 1] + 1;
        edit = Edit::kInsert;
      }
      row[j] = best;
      edits[i * width + j] = edit;
    }
    std::swap(above, row);
  }
  Alignment result{above[hyp.size()], std::vector<Edit>(hyp.size()), std::vector<Edit>(ref.size())};
  for (std::size_t i = ref.size(), j = hyp.size(); i > 0 || j > 0;) {
    const Edit edit = edits[i * width + j];
    if (edit != Edit::kInsert) result.ref[--i] = edit;
    if (edit != Edit::kDelete) result.hyp[--j] = edit;
  }
  return result;
}

enum class Presence : std::uint8_t { kSame, kOtherForm, kAbsent };

/// Is each word, regardless of place, on the other side: as it is, in another form, or not at all?
/// Every word of the other side answers once.
std::vector<Presence> presence(Sentence own, Sentence other) {
  std::vector<Presence> result(own.full.size(), Presence::kAbsent);
  std::vector<bool> taken(other.full.size());
  const auto look = [&](Ids wanted, Ids there, Presence found) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (result[i] != Presence::kAbsent) continue;
      for (std::size_t j = 0; j < there.size(); ++j) {
        if (taken[j] || there[j] != wanted[i]) continue;
        taken[j] = true;
        result[i] = found;
        break;
      }
    }
  };
  look(own.full, other.full, Presence::kSame);
  look(own.base, other.base, Presence::kOtherForm);
  return result;
}

Label label(Presence presence, Edit edit) {
  if (presence == Presence::kSame) return Label::kCorrect;
  // Also for an aligned word whose only counterpart an earlier copy of it has taken: the published counts have it so.
  if (presence == Presence::kOtherForm) return Label::kInflection;
  if (edit == Edit::kMatch) return Label::kCorrect;
  if (edit == Edit::kDelete) return Label::kMissing;
  return edit == Edit::kInsert ? Label::kExtra : Label::kLexical;
}

/// A word in error that also stands among the other side's words in error has moved; each of those answers once.
void mark_reordering(Ids own, const std::vector<Edit>& edits, Ids other, const std::vector<Edit>& other_edits,
                     std::vector<Label>& labels) {
  std::vector<std::int32_t> waiting;
  for (std::size_t j = 0; j < other.size(); ++j) {
    if (other_edits[j] != Edit::kMatch) waiting.push_back(other[j]);
  }
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (edits[i] == Edit::kMatch) continue;
    const auto found = std::ranges::find(waiting, own[i]);
    if (found == waiting.end()) continue;
    waiting.erase(found);
    labels[i] = Label::kReordering;
  }
}

std::vector<Label> side(Sentence own, const std::vector<Edit>& edits, Sentence other,
                        const std::vector<Edit>& other_edits) {
  const auto present = presence(own, other);
  std::vector<Label> labels(own.full.size());
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = label(present[i], edits[i]);
  mark_reordering(own.full, edits, other.full, other_edits, labels);
  return labels;
}

}  // namespace

Labels classify(Sentence hyp, Sentence ref) {
  if (hyp.full.size() != hyp.base.size() || ref.full.size() != ref.base.size()) {
    throw data_error("A sentence must have one base form per word.");
  }
  const Alignment alignment = align(hyp.full, ref.full);
  return {alignment.edits, side(hyp, alignment.hyp, ref, alignment.ref), side(ref, alignment.ref, hyp, alignment.hyp)};
}

}  // namespace dragoman::classer
