"""Formulas of the documentation become MathML."""

import markdown

from docs_math import on_page_content


def page(text):
    extension = "pymdownx.arithmatex"
    body = markdown.markdown(
        text, extensions=[extension], extension_configs={extension: {"generic": True}}
    )
    return on_page_content(body, page=None, config=None, files=None)


def test_a_formula_in_a_line():
    made = page(r"so $\sqrt{k}$ is")
    assert made.startswith("<p>so <math")
    assert "<msqrt><mrow><mi>k</mi></mrow></msqrt>" in made
    assert made.endswith("</math> is</p>")


def test_a_formula_of_its_own():
    made = page("$$\n\\frac{a}{b}\n$$")
    assert 'display="block"' in made
    assert "<mfrac><mrow><mi>a</mi></mrow><mrow><mi>b</mi></mrow></mfrac>" in made


def test_comparison_signs_are_read_as_such():
    made = page(r"$a < b$")
    assert "<mo>&#x0003C;</mo>" in made
    assert "lt;" not in made.replace("&#x0003C;", "")


def test_prices_are_no_formulas():
    assert "<math" not in page("between $3 and $4")
