from . import resample as resample
from . import text as text
