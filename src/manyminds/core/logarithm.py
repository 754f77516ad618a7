"""Our own logarithm, so that searches with equal seeds are equal on every machine.

C libraries differ in the last bit; additions, multiplications and divisions do not.
"""

from __future__ import annotations

from manyminds.core.kernel import inline

_LOG_2 = 0.6931471805599453


@inline
def log_count(n):
    """The natural logarithm of a count n >= 1, to 1e-14.

    n = m * 2**e with m in [1, 2); then log m = 2 artanh(s), s = (m - 1) / (m + 1), as a series in s**2
    after one more halving of m's range.
    """
    mantissa = float(n)
    exponent = 0.0
    while mantissa >= 4294967296.0:
        mantissa *= 2.3283064365386963e-10
        exponent += 32.0
    while mantissa >= 256.0:
        mantissa *= 0.00390625
        exponent += 8.0
    while mantissa >= 1.4142135623730951:
        mantissa *= 0.5
        exponent += 1.0
    s = (mantissa - 1.0) / (mantissa + 1.0)
    t = s * s
    series = 1.0 / 17.0
    series = series * t + 1.0 / 15.0
    series = series * t + 1.0 / 13.0
    series = series * t + 1.0 / 11.0
    series = series * t + 1.0 / 9.0
    series = series * t + 1.0 / 7.0
    series = series * t + 1.0 / 5.0
    series = series * t + 1.0 / 3.0
    series = series * t + 1.0
    return exponent * _LOG_2 + 2.0 * s * series
