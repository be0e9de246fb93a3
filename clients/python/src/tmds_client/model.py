"""
What every answer and record has in common: it is read from JSON, keeps members that this version does not know, and is
written back as JSON. The classes themselves are in `models.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, TypeVar, Union

from .coverage import SearchCoverage

M = TypeVar("M", bound="Model")


@dataclass(frozen=True)
class AnswerMeta:
    """What the headers of an answer say."""

    request_id: str | None = None
    #: The number of attempts, including the successful one.
    attempts: int = 0
    rate_limit: int | None = None
    rate_remaining: int | None = None
    #: Feeds only: the instant up to which the answer is complete.
    change_horizon: str | None = None
    #: The history of the service that pages of feeds, snapshots and digests were read from. A different value than
    #: before means that the service has gone back, and a copy may hold records that it has lost.
    feed_lineage: str | None = None
    #: Through which day the registers that the answer covers are complete; None if the service does not say.
    coverage: SearchCoverage | None = None
    #: Empty page of a feed only: for this many seconds, a poll would find nothing.
    poll_after_seconds: float | None = None


_NO_META = AnswerMeta()

#: A class, or several of which the first one that fits is used.
Nested = Union["type[Model]", "tuple[type[Model], ...]"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """An object of an answer, with the members that the service documents as attributes."""

    #: Which members are objects, or lists of objects, of which class.
    NESTED: ClassVar[Mapping[str, Nested]] = MappingProxyType({})

    #: Members that this version of the client does not know, as a newer service may have.
    more: Mapping[str, Any] = field(default_factory=dict, repr=False)
    #: Of an answer: what its headers say. Empty for objects inside an answer.
    meta: AnswerMeta = field(default=_NO_META, compare=False, repr=False)

    @classmethod
    def from_dict(cls: type[M], data: Mapping[str, Any], meta: AnswerMeta = _NO_META) -> M:
        """
        Raises:
            ValueError: a member that every such object has is missing
        """
        shape = _shape_of(cls)
        known: dict[str, Any] = {}
        more: dict[str, Any] = {}
        for name, value in data.items():
            read = shape.readers.get(name)
            if read is not None:
                known[shape.attributes[name]] = read(value)
            elif name in shape.attributes:
                known[shape.attributes[name]] = value
            else:
                more[name] = value
        if not data.keys() >= shape.required:
            missing = ", ".join(sorted(shape.required - data.keys()))
            raise ValueError(f"{cls.__name__} without {missing}")
        return cls(more=more, meta=meta, **known)

    def to_dict(self) -> dict[str, Any]:
        """The object as the service wrote it, for `json.dumps`. Members that were absent stay absent."""
        shape = _shape_of(type(self))
        written: dict[str, Any] = {}
        for name, attribute in shape.attributes.items():
            value = getattr(self, attribute)
            if value is not None or name in shape.required:
                written[name] = _write(value)
        return {**written, **self.more}


@dataclass(frozen=True)
class _Shape:
    #: By member. One whose name is a word of the language has an underscore after it.
    attributes: Mapping[str, str]
    required: frozenset[str]
    readers: Mapping[str, Callable[[Any], Any]]


_shapes: dict[type[Model], _Shape] = {}


def _shape_of(cls: type[Model]) -> _Shape:
    shape = _shapes.get(cls)
    if shape is None:
        shape = _shapes[cls] = _find_shape(cls)
    return shape


def _find_shape(cls: type[Model]) -> _Shape:
    own = [each for each in fields(cls) if each.name not in ("more", "meta")]
    return _Shape(
        attributes={each.name.rstrip("_"): each.name for each in own},
        required=frozenset(each.name.rstrip("_") for each in own if each.default is MISSING),
        readers={name: _reader_of(nested) for name, nested in cls.NESTED.items()},
    )


def _reader_of(nested: Nested) -> Callable[[Any], Any]:
    classes = nested if isinstance(nested, tuple) else (nested,)

    def read_one(value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        fitting = (cls for cls in classes if value.keys() >= _shape_of(cls).required)
        return next(fitting, classes[0]).from_dict(value)

    def read(value: Any) -> Any:
        return [read_one(each) for each in value] if isinstance(value, list) else read_one(value)

    return read


def _write(value: Any) -> Any:
    if isinstance(value, Model):
        return value.to_dict()
    if isinstance(value, list):
        return [_write(each) for each in value]
    return value
