"""Student-t intervals."""

import math


def student_t(level: float, degrees: int) -> float:
    """The quantile t with P(|T| <= t) = level, by bisection of the closed form for whole degrees of freedom."""
    low, high = 0.0, 1e6
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, degrees) < level else (low, middle)
    return high


def within(t: float, degrees: int) -> float:
    """P(|T| <= t) (Abramowitz and Stegun, 26.7.3 and 26.7.4)."""
    angle = math.atan(t / math.sqrt(degrees))
    odd = degrees % 2
    term = math.cos(angle) if odd else 1.0
    total = 0.0 if degrees == 1 else term
    for k in range(3 if odd else 2, degrees - 1, 2):
        term *= (k - 1) / k * math.cos(angle) ** 2
        total += term
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total
