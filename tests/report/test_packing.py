from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from dragoman.report.packing import pack, unpack

VALUES = st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists)


@given(VALUES)
def test_what_is_packed_comes_out_again_and_cannot_end_a_script(value: object) -> None:
    assert unpack(pack(value)) == value
    assert re.fullmatch(r"[A-Za-z0-9+/=]*", pack(["</script>", value]))


def test_texts_that_are_much_alike_take_little_room() -> None:
    assert len(pack(["The same sentence again and again."] * 1000)) < 400
