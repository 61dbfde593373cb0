"""What the bodies of the workbench's interface are made of: numbers, texts, and that they have nothing else."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from dragoman.cat.segments import MOST_CHARACTERS

__all__ = [
    "Count",
    "FileNumber",
    "MemoryName",
    "Number",
    "NumberBody",
    "ProjectNumber",
    "SegmentNumber",
    "StrictBody",
    "Target",
    "TokenNumber",
]

Number = Annotated[int, Field(ge=1, lt=2**31)]
Count = Annotated[int, Field(ge=0, lt=2**31)]
# Pydantic lets no lone surrogate through.
Target = Annotated[str, StringConstraints(max_length=MOST_CHARACTERS, pattern=r"^[^\x00]*$")]
ProjectNumber = Annotated[int, Path(ge=1, lt=2**31, description="the project's number")]
SegmentNumber = Annotated[int, Path(ge=1, lt=2**31, description="the segment's number, not its place")]
MemoryName = Annotated[
    str, Query(min_length=1, max_length=80, pattern=r"^[^\x00-\x1f\x7f]*$", description="the memory's name")
]
TokenNumber = Annotated[int, Path(ge=1, lt=2**31, description="the token's number")]
FileNumber = Annotated[int, Path(ge=1, lt=2**31, description="the file's number")]


class StrictBody(BaseModel):
    """A body that has its fields and no others."""

    model_config = ConfigDict(extra="forbid")


class NumberBody(BaseModel):
    """The number of what was made."""

    id: int
