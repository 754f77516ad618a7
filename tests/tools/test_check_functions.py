"""Long functions are found, counted and named."""


def function(name, lines):
    return f"def {name}():\n" + "    x = 1\n" * (lines - 1)


def test_names_a_function_over_60_lines(tree, check):
    folder = tree({"src/a.py": function("fits", 60), "src/b.py": function("giant", 61)})
    status, said = check("functions", folder / "src")
    assert status == 1
    assert "b.py:1 giant: 61 lines, more than 60" in said
    assert "fits: 60 lines, more" not in said


def test_counts_methods_and_nested_and_async_functions(tree, check):
    body = "        x = 1\n" * 61
    nested = (
        f"class A:\n    def method(self):\n{body}\n\nasync def outer():\n    def inner():\n{body}"
    )
    _, said = check("functions", tree({"src/a.py": nested}) / "src")
    for name in ("method", "outer", "inner"):
        assert f"{name}: " in said


def test_one_in_ten_may_be_over_28_lines(tree, check):
    short = "".join(function(f"short{i}", 3) for i in range(18))
    folder = tree({"ok/a.py": short + function("one", 29) + function("two", 29)})
    assert check("functions", folder / "ok")[0] == 0
    tree({"bad/a.py": short + function("one", 29) + function("two", 29) + function("three", 29)})
    status, said = check("functions", folder / "bad")
    assert status == 1
    assert "3 of 21 functions are over 28 lines" in said
    assert "three: 29 lines" in said


def test_the_share_is_taken_over_each_folder(tree, check):
    short = "".join(function(f"short{i}", 3) for i in range(40))
    folder = tree({"src/a.py": function("one", 29), "tests/b.py": short})
    status, said = check("functions", folder / "src", folder / "tests")
    assert status == 1
    assert "1 of 1 functions" in said


def test_prints_the_distribution(tree, check):
    text = "".join(function(f"f{n}", n) for n in (2, 4, 6, 8, 30))
    _, said = check("functions", tree({"src/a.py": text}) / "src")
    assert "src: 5 functions, median 6, p90 8, longest 30 lines; 20.0 % over 28" in said


def test_a_folder_that_is_not_there_is_an_error(tree, check):
    status, said = check("functions", tree({}) / "sources")
    assert status == 1
    assert "is no folder" in said
