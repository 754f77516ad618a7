"""Second and third cures of the cache, and what must hold between processes.

Where a cure is tested, Numba's own cache goes through the same and goes wrong.
"""

import os
import shutil
import textwrap

import pytest

pytestmark = [
    pytest.mark.compiled_only,  # in processes of their own, which set their mode themselves
    pytest.mark.slow,
]

RACED = """
    import numba
    from manyminds.core.kernel import entry

    def twice(x):
        return x + x

    ours = entry(twice)
    control = numba.njit(cache=True, nogil=True)(twice)
"""

# What two processes that compile at once do, put into one order. Each step waits for the other's.
STEPS = """
    import json, os, pathlib, sys, time

    def mark(step):
        pathlib.Path(step).touch()

    def wait(step):
        end = time.monotonic() + 60
        while not pathlib.Path(step).exists():
            assert time.monotonic() < end, f"{step} never came"
            time.sleep(0.005)

    role, other = sys.argv[1:] if len(sys.argv) > 1 else ROLES
    value = {"first": 3, "second": 2.5}[role]
"""

CONTROL_RACE = """
    from numba.core.caching import IndexDataCacheFile as File

    save_index, save_data = File._save_index, File._save_data

    def ordered_save_index(self, overloads):
        mark(f"{role} read the index")
        wait(f"{other} read the index")
        if role == "second":
            wait("first wrote the index")
        save_index(self, overloads)
        mark(f"{role} wrote the index")

    def ordered_save_data(self, name, data):
        wait(f"{other} wrote the index")
        if role == "first":
            wait("second wrote the code")
        save_data(self, name, data)
        mark(f"{role} wrote the code")

    File._save_index, File._save_data = ordered_save_index, ordered_save_data
    import raced
    print(json.dumps(raced.control(value)))
"""

OUR_RACE = """
    import types
    from manyminds.core import cache

    def ordered_replace(new, file):
        mark(f"{role} is about to write")
        wait(f"{other} is about to write")
        if role == ("first" if ROUND else "second"):
            wait(f"{other} wrote")
        os.replace(new, file)
        mark(f"{role} wrote")

    cache.os = types.SimpleNamespace(**{**vars(os), "replace": ordered_replace})
    import raced
    print(json.dumps(raced.ours(value)))
"""

READ_BOTH = """
    import json
    from manyminds.core import cache
    import raced

    compiled = []
    cache.on_compile(compiled.append)
    kernel = raced.KERNEL
    print(json.dumps([kernel(3), kernel(2.5), len(compiled)]))
"""


def race(bench, text, number=0):
    """Run both roles at once; what each of them printed."""
    heads = [
        f"ROLES = {roles}\nROUND = {number}\n"
        for roles in (("first", "second"), ("second", "first"))
    ]
    both = [bench.start(head + textwrap.dedent(STEPS + text)) for head in heads]
    return [bench.finish(process) for process in both]


@pytest.mark.parametrize("number", [0, 1])
def test_two_processes_that_compile_at_once_leave_the_right_code(bench, number):
    bench.write("raced.py", RACED)
    assert race(bench, OUR_RACE, number) == [6, 5.0]
    assert bench.run(READ_BOTH.replace("KERNEL", "ours")) == [6, 5.0, 0]


def test_the_same_race_leaves_wrong_code_in_numbas_cache(bench):
    bench.write("raced.py", RACED)
    assert race(bench, CONTROL_RACE) == [6, 5.0]
    # Under the index of the second, floats, lies the code of the first, whole numbers.
    assert bench.run(READ_BOTH.replace("KERNEL", "control"))[1] != 5.0


# --- no place to write -----------------------------------------------------------------------------

HOMELESS = """
    import numba
    from manyminds.core.kernel import entry

    def thrice(x):
        return 3 * x

    ours = entry(thrice)

    def control():
        return numba.njit(cache=True)(thrice)
"""
ASK_HOMELESS = """
    import json
    from manyminds.core import cache
    import homeless

    compiled = []
    cache.on_compile(compiled.append)
    answer = homeless.ours(4)
    try:
        homeless.control()
        control = "no error"
    except RuntimeError as error:
        control = str(error)
    print(json.dumps([answer, len(compiled), str(cache.folder()), control]))
"""
NO_PLACES = ("MANYMINDS_CACHE_DIR", "NUMBA_CACHE_DIR")


def make_homeless(bench):
    """A module in a folder without room for byte code, no home, and a temporary folder for all."""
    bench.write("homeless.py", HOMELESS)
    bench.write("__pycache__", "in the way, for root too")
    bench.write("no_home", "a file")
    bench.environment |= {"HOME": str(bench.folder / "no_home")}
    bench.environment["TMPDIR"] = str(bench.folder / "tmp")
    (bench.folder / "tmp").mkdir()
    (bench.folder / "tmp").chmod(0o1777)


def check_homeless(bench, user, **options):
    first, second = (bench.run(ASK_HOMELESS, without=NO_PLACES, **options) for _ in range(2))
    kept = bench.folder / "tmp" / f"manyminds-kernels-{user}"
    assert first[:3] == [12, 1, str(kept)]
    assert second[:3] == [12, 0, str(kept)]
    seen = kept.stat()
    assert (seen.st_uid, seen.st_mode & 0o077) == (user, 0)
    assert "no locator available" in first[3], "Numba's own cache no longer needs this cure"


def test_without_a_home_kernels_are_kept_in_a_private_temporary_folder(bench):
    make_homeless(bench)
    check_homeless(bench, os.getuid())


# Root may write everywhere, unless it gives that right away.
POWERLESS = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []


@pytest.mark.skipif(
    bool(POWERLESS) and shutil.which("setpriv") is None,
    reason="root needs setpriv to be somebody who may not write everywhere",
)
def test_a_read_only_installation_and_a_read_only_home_do_as_well(bench):
    make_homeless(bench)
    (bench.folder / "__pycache__").unlink()
    home = bench.folder / "locked"
    home.mkdir()
    bench.environment["HOME"] = str(home)
    for folder in (home, bench.folder):
        folder.chmod(0o555)
    try:
        check_homeless(bench, os.getuid(), before=POWERLESS)
    finally:
        bench.folder.chmod(0o755)


def test_with_no_place_to_write_at_all_kernels_run_and_nothing_is_kept(bench):
    make_homeless(bench)
    nowhere = """
        import tempfile

        def gettempdir():
            raise FileNotFoundError("no usable temporary directory")

        tempfile.gettempdir = gettempdir
    """
    for _ in range(2):
        found = bench.run(
            textwrap.dedent(nowhere) + textwrap.dedent(ASK_HOMELESS), without=NO_PLACES
        )
        assert found[:3] == [12, 1, "None"]


# --- a disk that is full -----------------------------------------------------------------------------

FULL = """
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
"""


def test_a_full_disk_costs_a_compilation_and_leaves_no_litter(bench):
    bench.write("raced.py", RACED)
    ask = textwrap.dedent(FULL + READ_BOTH.replace("KERNEL", "ours"))
    for _ in range(2):
        assert bench.run(ask) == [6, 5.0, 2]
    assert list((bench.folder / "kernels").iterdir()) == []
    assert bench.run(READ_BOTH.replace("KERNEL", "ours")) == [6, 5.0, 2]
    assert bench.run(READ_BOTH.replace("KERNEL", "ours")) == [6, 5.0, 0]


def test_on_a_full_disk_a_kernel_in_numbas_cache_does_not_even_run(bench):
    bench.write("raced.py", RACED)
    with pytest.raises(AssertionError, match="File too large"):
        bench.run(textwrap.dedent(FULL + READ_BOTH.replace("KERNEL", "control")))


# --- what the next process finds ----------------------------------------------------------------------

SETS = """
    import numba
    from manyminds.core.kernel import entry, inline, kernel
    from manyminds.core.kernel_set import Kernels

    def make(step):
        @inline
        def closure(x):
            return x + step
        @kernel
        def middle(x):
            return closure(x) * 2
        return middle

    def apply(game, x):
        return game.middle(x) + game.inner.width

    def apply_alone(middle, x):
        return middle(x) + 7

    def game(step):
        return Kernels("game", middle=make(step), inner=Kernels("inner", width=7))

    ours = entry(apply)
    control = numba.njit(cache=True, nogil=True)(apply_alone)
"""
ASK_SETS = """
    import json
    from manyminds.core import cache
    import sets

    compiled = []
    cache.on_compile(compiled.append)
    answers = [sets.ours(sets.game(step), 10) for step in (1, 2, 1)]
    alone = [sets.control(sets.make(step), 10) for step in (1, 2, 1)]
    hits = sum(sets.control.stats.cache_hits.values())
    print(json.dumps([answers, len(compiled), alone, hits]))
"""


def test_the_next_process_finds_kernel_sets_made_of_closures(bench):
    bench.write("sets.py", SETS)
    first, second = bench.run(ASK_SETS), bench.run(ASK_SETS)
    answers = [29, 31, 29]
    assert first == [answers, 2, answers, 0]
    assert second[:2] == [answers, 0]
    assert second[2:] == [answers, 0], "Numba's own cache finds closures now"


MOVED = """
    import json
    from manyminds.core import cache
    from manyminds.core.kernel_set import Kernels
    import sets, NAME

    compiled = []
    cache.on_compile(compiled.append)
    answer = sets.ours(Kernels("game", middle=NAME.make(1), inner=Kernels("inner", width=7)), 10)
    print(json.dumps([answer, len(compiled)]))
"""


def test_the_same_code_in_a_module_of_another_name_is_compiled_for_it(bench):
    """What was made from a module that is gone by now could not be loaded."""
    bench.write("sets.py", SETS)
    for name in ("first_place", "second_place"):
        bench.write(f"{name}.py", SETS)
        assert bench.run(MOVED.replace("NAME", name)) == [29, 1]
        (bench.folder / f"{name}.py").rename(bench.folder / f"{name}.gone")
    (bench.folder / "second_place.gone").rename(bench.folder / "second_place.py")
    assert bench.run(MOVED.replace("NAME", "second_place")) == [29, 0]
