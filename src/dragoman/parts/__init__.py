"""Work in parts: the parts of a text go through the same function, by this process, by several, or by a Dask cluster.

Which parts there are does not depend on who works on them, and what a part gives is a folder, named after the function
and its arguments, that appears when it is whole. Hence the same bytes with any number of workers, a killed worker costs
its part only, and a run that was stopped goes on where it was.
"""

from dragoman.parts.accounts import Account, KindOfPart, peak_memory, sum_up
from dragoman.parts.cuts import PART, Cut, cut_file, cut_lines, join_files, keep_text, read_cut
from dragoman.parts.order import Order, carry_out
from dragoman.parts.pools import InProcess, LocalProcesses, Pool, open_pool
from dragoman.parts.workshop import Workshop

__all__ = [
    "PART",
    "Account",
    "Cut",
    "InProcess",
    "KindOfPart",
    "LocalProcesses",
    "Order",
    "Pool",
    "Workshop",
    "carry_out",
    "cut_file",
    "cut_lines",
    "join_files",
    "keep_text",
    "open_pool",
    "peak_memory",
    "read_cut",
    "sum_up",
]
