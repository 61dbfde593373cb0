"""Whether work grows with its input or with its square: by processor time, at a size where the two are far apart."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

__all__ = ["RUNS", "is_quadratic", "seconds"]

# Runs that patterns and parsers have stumbled over: marks, openings without ends, halves of pairs, and pairs of them.
RUNS = (
    *"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ \t\n\r1a\u00e9\u00a0\u2028\u0301\ue000",
    *("``", "`a", "`\n", "<!--", "<!-- ", "<!", "</", "<a", "<a ", "<a b=", '="', "a=", "[[", "[]", "![", "[a](", "]("),
    *(
        "&#",
        "&a",
        "{{",
        "{a",
        "$(",
        "%(",
        "\\\n",
        "- ",
        "> ",
        "| ",
        "|a",
        "\r\n",
        "* ",
        "*a",
        "**a ",
        "a*",
        "_a ",
        "~~",
    ),
    *("1.", "1. ", "a\n\n", "a\n", "\\\\", '\\"', '""', '"\\', "'a", "a.", "a,", "http://", "<?", "<![CDATA[", "--"),
    *("---\n", "===\n", "#a", "# ", "\n ", "\n\t", "\n>", "]]>", "a b ", "((", '{"a":', "[1,", "a: ", "a:\n", "&a "),
    *("*a\n", "!a ", "<g>", "{0}", "%s", "%1", "+1", "ab|", "a@", "@a", "a-", "-a", ". "),
)
_SLOW = 0.1  # seconds of processor time that a linear reader does not take for a few thousand characters
_GROWTH = 3.0  # of twice the size: linear is 2, quadratic 4


def is_quadratic(work: Callable[[Any], object], made: Callable[[int], Any], size: int, *, slow: float = _SLOW) -> bool:
    """Whether twice as much takes much more than twice as long, by the best of three; not asked of what is quick."""
    for n in (size // 16, size):
        if seconds(work, made(n)) > slow:
            # By turns: what else the machine does for a while slows both.
            times = [[seconds(work, made(each)) for each in (n // 2, n)] for _ in range(3)]
            half, whole = map(min, zip(*times, strict=True))
            return whole > slow / 2 and whole > _GROWTH * half
    return False


def seconds(work: Callable[[Any], object], content: Any) -> float:
    """The processor time of one piece of work."""
    begin = time.process_time()
    work(content)
    return time.process_time() - begin
