from . import classer as classer
from . import resample as resample
from . import text as text
