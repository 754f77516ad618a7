"""Budgets as typed, and back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from manyminds.core.budget import Budget
from manyminds.core.errors import UsageError


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        ("1000", Budget(simulations=1000)),
        (440, Budget(simulations=440)),
        ("200ms", Budget(milliseconds=200.0)),
        ("2s", Budget(milliseconds=2000.0)),
        ("0.5s", Budget(milliseconds=500.0)),
        ("5000nodes", Budget(nodes=5000)),
        (Budget(nodes=3), Budget(nodes=3)),
    ],
)
def test_reads_what_people_type(text, budget):
    assert Budget.parse(text) == budget


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "-1",
        "1.5",
        "2.5nodes",
        "0ms",
        "1e3",
        "10 s",
        "ten",
        "1ns",
        "9" * 40,
        "inf",
        "²",
        True,
    ],
)
def test_refuses_what_is_no_budget(text):
    with pytest.raises(UsageError, match="budget"):
        Budget.parse(text)


def test_has_exactly_one_measure():
    with pytest.raises(UsageError):
        Budget()
    with pytest.raises(UsageError):
        Budget(simulations=1, nodes=1)
    with pytest.raises(UsageError):
        Budget(milliseconds=float("nan"))


@given(
    st.one_of(
        st.builds(Budget, simulations=st.integers(1, 10**15)),
        st.builds(Budget, nodes=st.integers(1, 10**15)),
        st.builds(Budget, milliseconds=st.floats(0.001, 10**15)),
    )
)
def test_text_form_is_read_back(budget):
    assert Budget.parse(str(budget)) == budget


@given(st.text())
def test_any_text_is_a_budget_or_a_usage_error(text):
    try:
        assert isinstance(Budget.parse(text), Budget)
    except UsageError:
        pass
