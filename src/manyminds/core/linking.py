"""Kernels are optimised once, together, where Python enters them, and not on the way there.

Numba makes a library of every function: it links in copies of all that the function reaches, optimises
the whole and turns it into machine code, so that a kernel five calls deep is worked on six times. But
only entries are ever run. So an inner kernel's library is its own code alone (a `_Part`), neither
optimised across calls nor made into machine code, and an entry's (a `_Whole`) links every part once.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence
from typing import Any

import llvmlite.binding as llvm
from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary, RuntimeLinker
from numba.core.compiler import Compiler, _LowerResult
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering

_OPEN = RuntimeLinker.PREFIX  # of variables that hold a recursive function's address
_KERNEL = "_ZN"  # how the names of compiled Python functions begin
_defining: weakref.WeakValueDictionary[str, _Part] = weakref.WeakValueDictionary()


class _Part(JITCodeLibrary):
    """The code of one inner kernel, and the libraries of those that it calls."""

    apart = False  # never merged into a caller

    def finalize(self) -> None:
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if self.apart and not function.is_declaration:
                function.add_function_attribute("noinline")
        self._finalize_dynamic_globals()
        self._finalized = True

    def own_module(self) -> Any:
        """The kernel's own code, fit for linking into several others."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """For libraries that know nothing of parts: everything that is reached in one module."""
        module = self.own_module().clone()
        for library in _reached([self])[1:]:
            _link(module, library)
        return module


class _Whole(JITCodeLibrary):
    """The code of an entry, with every part linked in once before it is optimised."""

    _final_module: Any
    _linking_libraries: list[Any]

    def finalize(self) -> None:
        entries = _defined_in(self._final_module)
        linked: set[Any] = set()
        self._take_in(self._linking_libraries, linked)
        self._linking_libraries = []
        while open_ends := _open_ends(self._final_module):
            self._close_circles(open_ends)
            self._take_in([_defining[name] for name in open_ends], linked)
        self._keep_to_itself(_defined_in(self._final_module) - entries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Once, in full: Numba's cheaper pass before it took a twentieth of the time, and sped up nothing."""
        passes, builder = self._codegen._module_pass_manager()
        passes.run(self._final_module, builder)

    def _keep_to_itself(self, names: set[str]) -> None:
        """Let nobody else see these kernels: what has one caller is merged into it, what an argument is
        not needed for goes without, and no other library's kernel can be taken for one of the same name.
        """
        for name in names:
            if name.startswith(_KERNEL):
                self._final_module.get_function(name).linkage = "internal"

    def _take_in(self, libraries: Sequence[Any], linked: set[Any]) -> None:
        for library in _reached(libraries):
            if library not in linked:
                linked.add(library)
                self._reload_init.update(library._reload_init)
                _link(self._final_module, library)

    def _close_circles(self, open_ends: Sequence[str]) -> None:
        """Let recursive calls find their function, which Numba would look up when all is machine code.

        It calls through a variable that it names after the function; here that becomes a constant.
        """
        text = str(self._final_module)
        known = {function.name for function in self._final_module.functions}
        for name in open_ends:
            variable = f'@"{_OPEN}{name}" = '
            closed = f'{variable}internal constant ptr @"{name}"'
            text = text.replace(f"{variable}external global ptr", closed)
            if name not in known:
                text += f'\ndeclare void @"{name}"()\n'
        self._final_module = llvm.parse_assembly(text)
        self._final_module.name = self.name


def _defined_in(module: Any) -> set[str]:
    """The functions that a module has the code of."""
    return {function.name for function in module.functions if not function.is_declaration}


def _open_ends(module: Any) -> list[str]:
    """The functions that a module calls without knowing where they are."""
    names = [variable.name for variable in module.global_variables if variable.is_declaration]
    return [name.removeprefix(_OPEN) for name in names if name.startswith(_OPEN)]


def _link(module: Any, library: Any) -> None:
    found = (
        library.own_module() if isinstance(library, _Part) else library._get_module_for_linking()
    )
    module.link_in(found, preserve=True)


def _reached(libraries: Sequence[Any]) -> list[Any]:
    """All libraries that these reach, each once and behind all that call it.

    The order matters: a function is linked only where something linked before calls for it.
    """
    met: set[Any] = set()
    left: list[Any] = []

    def visit(library: Any) -> None:
        if library in met:
            return
        met.add(library)
        if isinstance(library, _Part):
            for callee in library._linking_libraries:
                visit(callee)
        left.append(library)

    for library in libraries:
        visit(library)
    return left[::-1]


@register_pass(mutates_CFG=True, analysis_only=False)
class _PartLowering(NativeLowering):
    """Lowers a function into a part, without anything that could be run."""

    _name = "part_lowering"
    apart = False

    def run_pass(self, state: Any) -> bool:
        state.library = _new(_Part, state)
        state.library.apart = self.apart
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        _defining[made.fndesc.llvm_func_name] = state.library
        # A callable of its own, by which callers know the function; there is nothing behind it.
        handle = _dynfunc.make_function(
            made.fndesc.lookup_module(), made.fndesc.unique_name, "", 0, made.env, (state.library,)
        )
        state.targetctx.insert_user_function(handle, made.fndesc, [state.library])
        state.reload_init.extend(state.library._reload_init)
        state["cr"] = _LowerResult(made.fndesc, made.call_helper, cfunc=handle, env=made.env)
        return True


@register_pass(mutates_CFG=True, analysis_only=False)
class _ApartLowering(_PartLowering):
    """The same for a function that stays one of its own in machine code too."""

    _name = "apart_lowering"
    apart = True


@register_pass(mutates_CFG=True, analysis_only=False)
class _WholeLowering(NativeLowering):
    """Lowers an entry, linked with all parts."""

    _name = "whole_lowering"

    def run_pass(self, state: Any) -> bool:
        state.library = _new(_Whole, state)
        return bool(super().run_pass(state))


def _new(kind: type[JITCodeLibrary], state: Any) -> JITCodeLibrary:
    library = kind(state.targetctx.codegen(), state.func_id.func_qualname)
    library.enable_object_caching()
    return library


class _Lowers(Compiler):
    lowering: Any = NativeLowering

    def define_pipelines(self) -> Any:
        pipelines = super().define_pipelines()
        for pipeline in pipelines:
            pipeline.passes = [
                (self.lowering if made is NativeLowering else made, words)
                for made, words in pipeline.passes
            ]
        return pipelines


class InnerCompiler(_Lowers):
    """Compiles a kernel that only kernels call."""

    lowering = _PartLowering


class ApartCompiler(_Lowers):
    """Compiles a kernel that only kernels call and that is not merged into any."""

    lowering = _ApartLowering


class EntryCompiler(_Lowers):
    """Compiles what Python calls, and all that this calls.

    Meanwhile nobody looks for circles of garbage: a compiler makes millions of objects, nearly all of
    which stay for so long, and looking through them again and again takes an eighth of its time.
    """

    lowering = _WholeLowering

    def compile_extra(self, func: Any) -> Any:
        was_on = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if was_on:
                gc.enable()
