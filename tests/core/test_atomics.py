"""Threads that change the same numbers at once: exact with atomics, and wrong without them."""

import re
import threading

import llvmlite.binding as llvm
import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from manyminds.core.atomics import (
    atomic_add,
    compare_and_swap,
    load_acquire,
    pause,
    pause_instruction,
    store_release,
)
from manyminds.core.kernel import entry, interpreted
from manyminds.core.record import record

ATOMICS = (atomic_add, compare_and_swap, load_acquire, store_release)
NODE = record(
    small="uint32",
    signed="int32",
    big="int64",
    word="uint64",
    total="float64",
    half="float32",
    lock="uint32",
    guarded="int64",
    values="float64[3]",
    visits="uint32[3]",
    tiny="uint8",
)
TURNS = 300 if interpreted() else 400_000


@entry
def add_everything(nodes, start, threads, turns):
    atomic_add(start, "lock", 1)
    while load_acquire(start, "lock") < threads:
        pause()  # until all are here
    for turn in range(turns):
        node = nodes[turn & 1]
        atomic_add(node, "small", 1)
        atomic_add(nodes[turn & 1], "signed", -1)
        atomic_add(node, "big", np.uint8(2))
        atomic_add(node, "word", 3)
        atomic_add(node, "total", 0.5)
        atomic_add(node.values, 1, 0.25)
        atomic_add(node.visits, np.uint32(2), 1)


@entry
def add_carelessly(nodes, turns):
    for _ in range(turns):
        seen = load_acquire(nodes[0], "big")
        pause()  # the other thread's chance, even where both share one busy processor
        store_release(nodes[0], "big", seen + 1)


@entry
def add_under_a_lock(node, turns):
    for _ in range(turns):
        while not compare_and_swap(node, "lock", 0, 1):
            pause()
        node.guarded += 1
        store_release(node, "lock", 0)


@entry
def push_work(node, turns):
    """Writes plain words, then says with a release how many there are."""
    for turn in range(turns):
        while load_acquire(node, "small") != 0:
            pause()
        node.guarded = 7 * turn
        node.values[0] = 7.0 * turn
        store_release(node, "small", turn + 1)


@entry
def take_work(node, turns):
    """Turns in which what was written before the release was not seen after the acquire."""
    torn = 0
    for turn in range(turns):
        while load_acquire(node, "small") != turn + 1:
            pause()
        if node.guarded != 7 * turn or node.values[0] != 7.0 * turn:
            torn += 1
        store_release(node, "small", 0)
    return torn


def together(work, threads, *arguments):
    """Run the same kernel in so many threads, which start at the same time."""
    barrier = threading.Barrier(threads)

    def run():
        barrier.wait(timeout=60)
        work(*arguments)

    crew = [threading.Thread(target=run, daemon=True) for _ in range(threads)]
    for thread in crew:
        thread.start()
    for thread in crew:
        thread.join(timeout=100)
    assert not any(thread.is_alive() for thread in crew)


@pytest.mark.interpreted
@pytest.mark.parametrize("threads", [2, 4, 8])
def test_sums_of_many_threads_are_exact(threads):
    add_everything(NODE.block(2), NODE.new(), 0, 0)
    turns = 2 * (TURNS // threads)
    half = threads * turns // 2
    for _ in range(5):
        nodes = NODE.block(2)
        together(add_everything, threads, nodes, NODE.new(), threads, turns)
        for node in nodes:
            assert (node.small, node.signed, node.big, node.word) == (
                half,
                -half,
                2 * half,
                3 * half,
            )
            assert node.total == half / 2
            assert node.values.tolist() == [0, half / 4, 0]
            assert node.visits.tolist() == [0, 0, half]


@pytest.mark.skipif(interpreted(), reason="plain Python has no instructions")
@pytest.mark.parametrize(
    ("line", "instruction"),
    [
        ('atomic_add(node, "small", 1)', "atomicrmw add .* acq_rel"),
        # For floats, where the processor has no such addition, LLVM writes a loop of swaps.
        ('atomic_add(node, "total", 0.5)', "(atomicrmw fadd|cmpxchg) .* acq_rel"),
        ("atomic_add(node.visits, 1, 1)", "atomicrmw add .* acq_rel"),
        ('compare_and_swap(node, "big", 0, 1)', "cmpxchg .* acq_rel acquire"),
        ('store_release(node, "word", 1)', "store atomic i64 .* release"),
        ('return load_acquire(node, "word")', "load atomic i64.* acquire"),
    ],
)
def test_each_is_one_instruction_of_the_right_order(line, instruction):
    """Counting can be right by luck, where threads hardly meet; this cannot."""
    names = {function.__name__: function for function in ATOMICS}
    exec(f"def work(node):\n    {line}", names)
    function = numba.njit(names["work"])
    function(NODE.new())
    (text,) = function.inspect_llvm().values()
    assert re.search(instruction, text)


@pytest.mark.skipif(interpreted(), reason="the interpreter switches threads too rarely to lose one")
def test_the_same_sums_without_atomic_adding_lose_some():
    for _ in range(20):
        nodes = NODE.block(1)
        together(add_carelessly, 2, nodes, 10 * TURNS)
        if nodes[0].big < 20 * TURNS:
            return
    pytest.fail("two threads raced 20 times and lost nothing: the exact sums prove nothing here")


@pytest.mark.interpreted
@pytest.mark.parametrize("threads", [2, 8])
def test_a_lock_made_of_compare_and_swap_lets_one_in_at_a_time(threads):
    node = NODE.new()
    turns = TURNS // 10
    together(add_under_a_lock, threads, node, turns)
    assert (node.guarded, node.lock) == (threads * turns, 0)


@pytest.mark.interpreted
def test_what_was_written_before_a_release_is_seen_after_the_acquire():
    node, torn = NODE.new(), []
    turns = 100  # on a single processor each takes two slices of its time
    taker = threading.Thread(target=lambda: torn.append(take_work(node, turns)), daemon=True)
    taker.start()
    push_work(node, turns)
    taker.join(timeout=60)
    assert torn == [0]


# One thread, so that each answer is known.


@entry
def add(node, amount):
    return (
        atomic_add(node, "small", amount),
        atomic_add(node, "signed", amount),
        atomic_add(node, "word", amount),
    )


@entry
def swap(node, expected, new):
    return compare_and_swap(node, "signed", expected, new)


@entry
def swap_in_array(array, index, expected, new):
    return compare_and_swap(array, index, expected, new)


@entry
def add_in_array(array, index, amount):
    return atomic_add(array, index, amount)


@entry
def put(node, value):
    store_release(node, "total", value)
    store_release(node, "half", value)
    store_release(node, "word", value)
    return load_acquire(node, "total"), load_acquire(node, "half"), load_acquire(node, "word")


@pytest.mark.interpreted
def test_adding_gives_what_was_there_before_and_wraps_round():
    node = NODE.new()
    node.small, node.signed, node.word = 2**32 - 1, 2**31 - 1, 2**64 - 1
    assert add(node, 1) == (2**32 - 1, 2**31 - 1, 2**64 - 1)
    assert (node.small, node.signed, node.word) == (0, -(2**31), 0)
    assert add(node, -1) == (0, -(2**31), 0)
    assert (node.small, node.signed, node.word) == (2**32 - 1, 2**31 - 1, 2**64 - 1)


@pytest.mark.interpreted
def test_swaps_only_what_is_expected():
    node = NODE.new()
    node.signed = -3
    assert not swap(node, 3, 5)
    assert node.signed == -3
    assert swap(node, -3, 5)
    assert node.signed == 5
    assert swap(node, 5, np.int64(-7))
    assert node.signed == -7


@pytest.mark.interpreted
@pytest.mark.parametrize("kind", [np.int32, np.uint32, np.int64, np.uint64])
def test_numbers_of_arrays_are_reached_by_index_from_the_end_too(kind):
    array = np.arange(5).astype(kind)
    assert add_in_array(array, 3, 10) == 3
    assert add_in_array(array, -1, 10) == 4
    assert swap_in_array(array, -2, 13, 1)
    assert not swap_in_array(array, np.uint32(0), 13, 1)
    assert array.tolist() == [0, 1, 2, 1, 14]


@pytest.mark.interpreted
def test_strided_arrays_are_reached_where_they_lie():
    array = np.zeros((3, 4))
    add_in_array(array[:, 2], 1, 0.5)
    assert array.tolist() == [[0] * 4, [0, 0, 0.5, 0], [0] * 4]


@pytest.mark.interpreted
def test_what_is_stored_is_converted_to_the_field():
    node = NODE.new()
    assert put(node, 3) == (3.0, 3.0, 3)
    assert put(node, 2.75) == (2.75, 2.75, 2)


def compiled(text):
    """An entry kernel over a node, from one line."""
    names = {"atomic_add": atomic_add, "compare_and_swap": compare_and_swap}
    exec(f"def work(node, word):\n    {text}\n", names)
    return entry(names["work"])


@pytest.mark.skipif(interpreted(), reason="plain Python has no compilation to refuse it")
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('atomic_add(node, "smal", 1)', 'no field smal; did you mean "small"'),
        ('atomic_add(node, "tiny", 1)', "32 or 64 bits, not uint8"),
        ('atomic_add(node, "values", 1)', r"values is an array: atomic_add\(record.values, index"),
        (
            'compare_and_swap(node, "total", 0.0, 1.0)',
            "whole numbers of 32 or 64 bits, not float64",
        ),
        ("atomic_add(node, word, 1)", "name the field of the record in quotes"),
        ('atomic_add(word, "small", 1)', "take a record and the name of a field"),
    ],
)
def test_refuses_at_compilation_and_says_why(text, message):
    with pytest.raises(TypingError, match=message):
        compiled(text)(NODE.new(), "small")


@pytest.mark.skipif(interpreted(), reason="plain Python has no compilation to refuse it")
def test_refuses_fields_that_lie_across_words():
    packed = np.zeros(1, np.dtype([("a", "u1"), ("count", "u4")])).view(np.recarray)[0]
    with pytest.raises(TypingError, match=r"count .* does not lie on a boundary of its size"):
        compiled('atomic_add(node, "count", 1)')(packed, "count")


@pytest.mark.parametrize(
    ("triple", "instruction"),
    [
        ("x86_64-unknown-linux-gnu", "pause"),
        ("i686-unknown-linux-gnu", "pause"),
        ("aarch64-unknown-linux-gnu", "isb"),
        ("arm64-apple-darwin22.1.0", "isb"),
        ("armv7-unknown-linux-gnueabihf", "yield"),
    ],
)
def test_waiting_is_an_instruction_of_each_known_processor(triple, instruction):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    name, argument = pause_instruction(triple)
    kind, value = ("", "") if argument is None else ("i32", f"i32 {argument}")
    module = llvm.parse_assembly(
        f'target triple = "{triple}"\n declare void @{name}({kind})\n'
        f"define void @wait() {{ call void @{name}({value}) ret void }}"
    )
    machine = llvm.Target.from_triple(triple).create_target_machine()
    words = machine.emit_assembly(module).split()
    assert instruction in words


def test_other_processors_wait_without_an_instruction():
    assert pause_instruction("riscv64-unknown-linux-gnu") is None
