"""What can be seen of a translation without a reference, in numbers."""

from dragoman.qe.features.base import BASELINE17, FEATURE_SETS, FEATURES, SURFACE, Feature, feature_set
from dragoman.qe.features.catalogue import Catalogue, describe_features
from dragoman.qe.features.extract import extract_features
from dragoman.qe.features.table import FeatureTable, read_features

__all__ = [
    "BASELINE17",
    "FEATURES",
    "FEATURE_SETS",
    "SURFACE",
    "Catalogue",
    "Feature",
    "FeatureTable",
    "describe_features",
    "extract_features",
    "feature_set",
    "read_features",
]
