"""Random figures for the cases: on a dyadic grid if contacts must be exact, otherwise any float32."""

from math import pi, sin, cos, sqrt

from exact import f32


def grid(rng, steps=1024):
    """Returns a random multiple of 1/steps in [-1, 1]."""
    return rng.randint(-steps, steps) / steps


def grid_point(rng, steps=1024):
    return [grid(rng, steps) for _ in range(3)]


def point(rng, size=1.0):
    return [f32(rng.uniform(-size, size)) for _ in range(3)]


def direction(rng):
    while True:
        v = [rng.gauss(0, 1) for _ in range(3)]
        length = sqrt(sum(x * x for x in v))
        if length > 1e-3:
            return [x / length for x in v]


def rotation(rng, angle=None):
    """Returns the columns of a random rotation in doubles; if an angle is given, a rotation by it about a random axis."""
    x, y, z = direction(rng)
    angle = rng.uniform(0, 2 * pi) if angle is None else angle
    c, s = cos(angle), sin(angle)
    t = 1 - c
    return [[t * x * x + c, t * x * y + s * z, t * x * z - s * y], [t * x * y - s * z, t * y * y + c, t * y * z + s * x],
            [t * x * z + s * y, t * y * z - s * x, t * z * z + c]]


def times(columns, v):
    return [sum(columns[k][i] * v[k] for k in range(3)) for i in range(3)]


def product(r, s):
    """Returns the matrix product r s, as columns."""
    return [times(r, column) for column in s]


def plus(p, q, factor=1.0):
    """Returns p + factor q, rounded to float32."""
    return [f32(x + factor * y) for x, y in zip(p, q)]


def log_uniform(rng, low, high):
    return low * (high / low) ** rng.random()
