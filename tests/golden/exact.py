"""Exact arithmetic: the input is float32, computations use integers, the output is the nearest double.

All coordinates of a case are binary fractions. Multiplied by a common power of two, they are integers, so their signs,
squares and quotients are exact.
"""

import struct
from decimal import Decimal
from fractions import Fraction
from math import isqrt


def f32(x):
    """Returns the nearest float32, as a double."""
    return struct.unpack("<f", struct.pack("<f", x))[0]


def f32v(v):
    return [f32(x) for x in v]


def integers(*point_lists):
    """Returns all points of all lists, multiplied by a common 2^k, as integer tuples; and 2^k."""
    largest = 1
    for points in point_lists:
        for p in points:
            for x in p:
                largest = max(largest, Fraction(x).denominator)
    return [[tuple(int(Fraction(x) * largest) for x in p) for p in points] for points in point_lists], largest


def root(square):
    """Returns the double nearest to the square root of a Fraction."""
    if square == 0:
        return 0.0
    shift = 2 * max(0, 80 + square.denominator.bit_length() - square.numerator.bit_length() // 2)
    return float(Fraction(isqrt((square.numerator << shift) // square.denominator), 1 << (shift // 2)))


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def sub(a, b):
    return tuple(x - y for x, y in zip(a, b))


def add(a, b):
    return tuple(x + y for x, y in zip(a, b))


def mul(s, a):
    return tuple(s * x for x in a)


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(a):
    return dot(a, a) ** 0.5


def unit(a):
    """Returns the unit vector of exact numbers, as doubles."""
    length2 = Fraction(dot(a, a))
    scale = max(abs(x) for x in a)
    a = tuple(Fraction(x) / scale for x in a)
    return [float(x) / root(length2 / scale**2) for x in a]
