from . import classer as classer
from . import corpus as corpus
from . import resample as resample
from . import metrics as metrics
from . import text as text
