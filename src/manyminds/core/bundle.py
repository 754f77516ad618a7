"""Named tuples of arrays that kernels hand on as one value.

Numba hands on a tuple as all that its members are made of, an array as seven numbers: a tree and a desk
make some 180 arguments, taken apart at every call and put together behind it. All of that is merged away in
the end, and was a sixth of the time to compile.
"""

from __future__ import annotations

from typing import Any, TypeVar

from numba import typeof, types
from numba.core.datamodel.models import TupleModel
from numba.extending import register_model, typeof_impl

C = TypeVar("C", bound=type)


class BundleType(types.NamedTuple):
    """In kernels all that a named tuple is."""


@register_model(BundleType)
class _Model(TupleModel):
    def get_argument_type(self) -> Any:
        return self.get_value_type()

    def as_argument(self, builder: Any, value: Any) -> Any:
        return value

    def from_argument(self, builder: Any, value: Any) -> Any:
        return value


def bundle(cls: C) -> C:
    """Make a class of named tuples one whose values kernels hand on whole."""

    def of(value: Any, context: Any) -> BundleType:
        return BundleType([typeof(each, context.purpose) for each in value], cls)

    typeof_impl.register(cls)(of)
    return cls
