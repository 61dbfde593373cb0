from . import text as text
