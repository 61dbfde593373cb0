from . import classer as classer
from . import corpus as corpus
from . import edit as edit
from . import lm as lm
from . import metrics as metrics
from . import rank as rank
from . import resample as resample
from . import text as text
