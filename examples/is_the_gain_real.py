"""Two systems, one test set: is the difference real, and how small a one could this test set have shown?"""

from dataclasses import replace

from dragoman.data import read_test_set
from dragoman.metrics import ScoreRecipe, collect, score_test_set
from dragoman.samples import sample_path
from dragoman.stats import paired_test, smallest_difference

test_set = read_test_set(sample_path("testset/source.de").parent)
test_set = replace(test_set, systems={name: test_set.system(name) for name in ("cobalt", "dune")})
metrics = ("bleu", "chrf")

print(score_test_set(test_set, ScoreRecipe(metrics=metrics, ci=True)).render())

for statistics in collect(test_set, metrics):
    cobalt, dune = statistics.rows
    values = statistics.metric.values
    comparison = paired_test("randomisation", seed=7).compare(cobalt, dune, values)
    print(comparison.sentence("cobalt", "dune", unit=statistics.metric.label))
    smallest = smallest_difference(cobalt, dune, values)
    print(f"  smallest difference that 80 such segments show: {smallest.difference:.2f}")
