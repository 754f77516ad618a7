"""A set of kernels that goes into a compiled function as one argument.

`Kernels("go", play=play, seats=3)` is passed to an entry kernel as `game`; inside, `game.play(state, 5)`
calls that kernel (and is inlined) and `game.seats` is a constant. Its Numba type is its title and a
fingerprint of all that its members reach, so that the caller is compiled once for each content and
found on disk by the next process, which Numba's own function arguments never are.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any

from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    NativeValue,
    infer_getattr,
    lower_getattr_generic,
    models,
    register_model,
    typeof_impl,
    unbox,
)

from manyminds.core.errors import UsageError
from manyminds.core.fingerprint import fingerprint
from manyminds.core.kernel import interpreted

_members_by_type: dict[str, dict[str, Any]] = {}


class Kernels:
    """Immutable; members are compiled functions, integers, floats, or other sets of kernels.

    `notes` are attributes for Python alone: compiled code does not see them, nor is it compiled again
    where they differ.
    """

    def __init__(
        self, title: str, notes: Mapping[str, Any] | None = None, /, **members: Any
    ) -> None:
        for name, member in members.items():
            _check_member(title, name, member)
        self.__dict__.update(notes or {}, **members)
        self.__title = title
        self.__members = dict(members)
        self.__type: KernelsType | None = None

    if TYPE_CHECKING:  # members are whatever was given

        def __getattr__(self, name: str) -> Any: ...

    def __kernels__(self) -> dict[str, Any]:
        """The members, for those who compile or hash them."""
        return self.__members

    def __repr__(self) -> str:
        return f"<Kernels {self.__title}: {', '.join(self.__members)}>"

    @property
    def _numba_type_(self) -> KernelsType:
        if self.__type is None:
            self.__type = KernelsType(self.__title, fingerprint(self))
            _members_by_type[self.__type.key] = self.__members
        return self.__type


def _check_member(title: str, name: str, member: Any) -> None:
    """Refuse early what would not compile, or compile into something else than it is."""
    if isinstance(member, FunctionType) and not interpreted():
        raise UsageError(
            f"{title}: {name} is a plain function; write @mm.kernel in the line above def {member.__name__}"
        )
    if not isinstance(member, Dispatcher | FunctionType | int | float | Kernels):
        raise UsageError(
            f"{title}: {name} is a {type(member).__name__}; a set of kernels has kernels, whole numbers, "
            "floats and sets of kernels"
        )
    if isinstance(member, int) and not -(2**63) <= member < 2**63:
        raise UsageError(f"{title}: {name} is {member}, and whole numbers in kernels have 64 bits")


class KernelsType(types.Opaque):
    """The type of one content; holds nothing at run time."""

    def __init__(self, title: str, content: str) -> None:
        super().__init__(f"Kernels({title}, {content})")

    @property
    def key(self) -> str:
        return self.name


@typeof_impl.register(Kernels)
def _typeof(value: Kernels, _context: Any) -> KernelsType:
    return value._numba_type_


register_model(KernelsType)(models.OpaqueModel)


@unbox(KernelsType)
def _unbox(_type: Any, _object: Any, context: Any) -> NativeValue:
    return NativeValue(context.context.get_dummy_value())


@infer_getattr
class _Members(AttributeTemplate):
    key = KernelsType

    def generic_resolve(self, kernels: KernelsType, name: str) -> types.Type | None:
        member = _members_by_type[kernels.key].get(name)
        if isinstance(member, Dispatcher):
            return types.Dispatcher(member)
        if isinstance(member, Kernels):
            return member._numba_type_
        if isinstance(member, int):
            return types.boolean if isinstance(member, bool) else types.int64
        return types.float64 if isinstance(member, float) else None


@lower_getattr_generic(KernelsType)
def _lower(context: Any, builder: Any, kernels: KernelsType, _value: Any, name: str) -> Any:
    member = _members_by_type[kernels.key][name]
    if isinstance(member, int):
        return context.get_constant(
            types.boolean if isinstance(member, bool) else types.int64, member
        )
    if isinstance(member, float):
        return context.get_constant(types.float64, member)
    return context.get_dummy_value()
