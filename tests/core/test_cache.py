"""Files of the cache: damaged, foreign, old, of another kernel. All in one process."""

import hashlib
import os
import stat
import tempfile
import time

import numpy as np
import pytest

from manyminds.core import cache, kernel
from manyminds.core.errors import UsageError

pytestmark = pytest.mark.compiled_only  # plain Python keeps nothing; bounds add nothing here

SECRET = 0x0123456789ABCDEF


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A folder of this test's own in the place of the cache."""
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    return tmp_path


@pytest.fixture
def compiled(monkeypatch):
    """The names of the kernels that had to be compiled."""
    names = []
    monkeypatch.setattr(cache, "_listeners", [names.append])
    return names


def constant():
    return SECRET


def another():
    return SECRET + 1


def fresh(function=constant):
    """A kernel that has not been called: its first call looks on the disk."""
    return kernel.entry(function)


def the_file(place):
    (file,) = place.glob("*.kernel")
    return file


def test_a_kernel_is_compiled_once_and_then_found(place, compiled):
    assert [fresh()(), fresh()()] == [SECRET, SECRET]
    assert compiled == ["constant"]


@pytest.mark.parametrize("length", [0, 1, 31, 32, 33, 500, -1])
def test_a_truncated_file_is_compiled_anew(place, compiled, length):
    fresh()()
    file = the_file(place)
    whole = file.read_bytes()
    file.write_bytes(whole[:length])
    assert fresh()() == SECRET
    assert len(compiled) == 2
    assert len(file.read_bytes()) == len(whole), "the next process finds it whole again"


@pytest.mark.parametrize("seed", range(5))
def test_a_file_with_a_wrong_byte_is_compiled_anew(place, compiled, seed):
    fresh()()
    file = the_file(place)
    data = bytearray(file.read_bytes())
    data[np.random.default_rng(seed).integers(len(data))] ^= 0x10
    file.write_bytes(data)
    assert fresh()() == SECRET
    assert len(compiled) == 2


def test_without_the_digest_a_damaged_file_would_give_wrong_answers(place, compiled):
    """The control: the same damage with the digest made to fit goes through."""
    fresh()()
    file = the_file(place)
    body = file.read_bytes()[32:].replace(SECRET.to_bytes(8, "little"), (77).to_bytes(8, "little"))
    file.write_bytes(hashlib.sha256(body).digest() + body)
    assert fresh()() == 77
    assert len(compiled) == 1


def test_a_file_under_another_kernels_name_is_not_loaded(place, compiled):
    fresh()()
    ours = the_file(place)
    fresh(another)()
    (theirs,) = set(place.glob("*.kernel")) - {ours}
    ours.write_bytes(theirs.read_bytes())
    assert fresh()() == SECRET
    assert compiled == ["constant", "another", "constant"]


def test_a_file_that_cannot_be_read_is_compiled_anew(place, compiled):
    fresh()()
    file = the_file(place)
    file.unlink()
    file.mkdir()
    assert fresh()() == SECRET
    assert len(compiled) == 2


def test_code_that_cannot_be_kept_is_refused_with_advice(place):
    large = np.zeros(2**20)

    def reach():
        return large[5]

    with pytest.raises(UsageError, match=r"reach .* cannot be kept on disk; pass large arrays"):
        fresh(reach)()


# --- pruning ------------------------------------------------------------------------------------------


def aged(place, name, size, age):
    file = place / name
    file.write_bytes(b"x" * size)
    os.utime(file, (time.time() - age,) * 2)
    return file


def test_the_files_longest_unused_go_first(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 100)
    files = [aged(place, f"{age}.kernel", 40, age) for age in (400, 100, 300, 200)]
    cache._prune(place)
    assert [file.exists() for file in files] == [False, True, False, True]


def test_nothing_goes_while_there_is_room(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 80)
    files = [aged(place, f"{age}.kernel", 40, age) for age in (400, 100)]
    cache._prune(place)
    assert all(file.exists() for file in files)


def test_what_is_loaded_counts_as_used(place, compiled, monkeypatch):
    fresh()()
    used = the_file(place)
    os.utime(used, (time.time() - 1000,) * 2)
    unused = aged(place, "unused.kernel", 10, 500)
    fresh()()
    monkeypatch.setattr(cache, "MOST_BYTES", used.stat().st_size)
    cache._prune(place)
    assert used.exists()
    assert not unused.exists()


def test_what_a_killed_process_left_goes_after_a_day(place):
    old, young = aged(place, ".new-1", 10, 90_000), aged(place, ".new-2", 10, 80_000)
    cache._prune(place)
    assert not old.exists()
    assert young.exists()


def test_writing_prunes(place, monkeypatch):
    monkeypatch.setattr(cache, "MOST_BYTES", 0)
    assert fresh()() == SECRET
    assert list(place.iterdir()) == []


# --- which folder --------------------------------------------------------------------------------------


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A temporary folder for everybody, and no other place: the first name there would be taken."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("MANYMINDS_CACHE_DIR", raising=False)
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    return tmp_path / f"manyminds-kernels-{os.getuid()}"


chosen = cache.folder.__wrapped__  # each test chooses anew


def test_the_chosen_folder_is_made_for_its_owner_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("MANYMINDS_CACHE_DIR", str(tmp_path / "deep" / "kernels"))
    assert chosen() == tmp_path / "deep" / "kernels"
    assert stat.S_IMODE(chosen().stat().st_mode) == 0o700


def test_a_chosen_folder_that_is_none_is_passed_over(tmp_path, monkeypatch):
    (tmp_path / "file").touch()
    monkeypatch.setenv("MANYMINDS_CACHE_DIR", str(tmp_path / "file"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert chosen() == tmp_path / "cache" / "manyminds" / "kernels"


def test_the_temporary_folder_is_used_again(temporary):
    assert chosen() == chosen() == temporary


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o750, 0o777])
def test_a_temporary_folder_open_to_others_is_passed_over(temporary, mode):
    temporary.mkdir()
    temporary.chmod(mode)
    assert chosen() == temporary.with_name(f"{temporary.name}-2")


def test_a_temporary_folder_of_somebody_else_is_passed_over(temporary, monkeypatch):
    somebody = os.getuid() + 1
    theirs = temporary.with_name(f"manyminds-kernels-{somebody}")
    theirs.mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: somebody)
    assert cache._temporary() is None, "the next names, made by us, are not theirs either"
    assert not any(theirs.iterdir())


def test_a_link_to_a_folder_elsewhere_is_passed_over(temporary, tmp_path):
    (tmp_path / "elsewhere").mkdir(mode=0o700)
    temporary.symlink_to(tmp_path / "elsewhere")
    assert chosen() == temporary.with_name(f"{temporary.name}-2")


def test_with_all_names_taken_nothing_is_kept(temporary, compiled, monkeypatch):
    for name in ("", "-2", "-3", "-4"):
        temporary.with_name(temporary.name + name).touch()
    assert chosen() is None
    monkeypatch.setattr(cache, "folder", chosen)
    assert [fresh()(), fresh()()] == [SECRET, SECRET]
    assert len(compiled) == 2


def test_without_the_look_at_owner_and_mode_a_strangers_code_would_run(
    temporary, compiled, monkeypatch
):
    """The control: with the look switched off, what somebody planted is run."""
    temporary.mkdir()
    temporary.chmod(0o777)
    monkeypatch.setattr(cache, "_private", lambda place: True)
    monkeypatch.setattr(cache, "folder", chosen)
    fresh()()
    file = the_file(temporary)
    kept = file.read_bytes()[32:]
    planted = kept.replace(SECRET.to_bytes(8, "little"), (666).to_bytes(8, "little"))
    file.write_bytes(hashlib.sha256(planted).digest() + planted)
    assert fresh()() == 666
