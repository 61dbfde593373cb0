"""Two systems, one test set: is the difference real, and how small a one could this test set have shown?"""

from dragoman.data import read_test_set
from dragoman.metrics import collect, score_with_intervals
from dragoman.samples import sample_path
from dragoman.stats import paired_test, smallest_difference

test_set = read_test_set(sample_path("testset/source.de").parent)
systems = {name: test_set.system(name) for name in ("cobalt", "dune")}

print(score_with_intervals(systems, test_set.refs, metrics=["bleu", "chrf"]).render())

for statistics in collect(systems, test_set.refs, metrics=["bleu", "chrf"]):
    cobalt, dune = statistics.rows
    values = statistics.metric.values
    comparison = paired_test("randomisation", seed=7).compare(cobalt, dune, values)
    print(comparison.sentence("cobalt", "dune", unit=statistics.metric.label))
    smallest = smallest_difference(cobalt, dune, values)
    print(f"  smallest difference that 80 such segments show: {smallest.difference:.2f}")
