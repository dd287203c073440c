"""round_cone_triangle.jsonl: bisects the slope of the gap along the axis, which is a convex function.

Squared distances from points of the axis to the triangle are exact; square roots and radii have 80 digits. The axis has
2^50 steps, and the answer is the step with the smallest gap.
"""

from decimal import Decimal, localcontext
from fractions import Fraction

import features
from exact import add, decimal, f32, f32v, integers, mul, norm, root, sub
from shapes import direction, grid_point, log_uniform, plus
from triangles import degenerate, inside, moved, on_edge, scaled, sliver, through, triangle

COUNT = 150
STEPS = 1 << 50
KINDS = ("random", "apart", "near_touch", "capsule", "capsule_parallel", "capsule_pierce", "cone_pierce", "steep_cone",
         "swallowed", "sphere", "zero_radius", "point_tip", "face_interior", "edge", "vertex", "degenerate_triangle",
         "sliver", "small", "large", "offset", "bone", "axis_in_plane", "exact_capsule", "far")


class Gap:
    """Returns the gap at step k of the axis, in the integer units of the case."""

    def __init__(self, a, b, ra, rb, corners):
        ((self.a, b), self.corners), self.scale = integers([a, b], corners)
        self.way = sub(b, self.a)
        self.radii = [Fraction(r) * self.scale for r in (ra, rb)]
        # Scaled so that the axis has integer coordinates at every step.
        self.a, self.corners = mul(STEPS, self.a), [mul(STEPS, c) for c in self.corners]
        self.known = {}

    def square(self, k):
        return features.on_simplex(add(self.a, mul(k, self.way)), self.corners)

    def __call__(self, k):
        if k not in self.known:
            radius = self.radii[0] + (self.radii[1] - self.radii[0]) * Fraction(k, STEPS)
            self.known[k] = decimal(self.square(k)[0]).sqrt() / STEPS - decimal(radius)
        return self.known[k]


def first(low, high, true):
    """Returns the first k of [low, high] for which true(k); high if there is none before."""
    while low < high:
        k = (low + high) // 2
        low, high = (low, k) if true(k) else (k + 1, high)
    return low


def answer(a, b, ra, rb, corners):
    with localcontext() as context:
        context.prec = 80
        gap = Gap(a, b, ra, rb, corners)
        best = first(0, STEPS, lambda k: k == STEPS or gap(k + 1) >= gap(k))
        least = gap(best)
        flat = Decimal(10) ** -60 * (1 + abs(least))
        size = max(norm(sub(a, b)), norm(sub(corners[0], corners[1])), ra, rb)
        reach = least + Decimal(1e-6 * size) * gap.scale
        coarse = 1 << 20  # the interval's ends are compared with a far larger tolerance
        low = first(0, best // coarse, lambda k: gap(k * coarse) <= reach) * coarse
        high = first(best // coarse, STEPS // coarse, lambda k: gap((k + 1) * coarse) > reach) * coarse
        square, weights = gap.square(best)
        return {
            "gap": float(least / gap.scale), "s": best / STEPS,
            "unique": a != b and not ((best > 0 and gap(best - 1) - least < flat) or (best < STEPS and gap(best + 1) - least < flat)),
            "s_lo": min(low, best) / STEPS, "s_hi": min(1.0, max(high, best) / STEPS),
            "on_tri": [float(x / gap.scale / STEPS) for x in features.at(gap.corners, weights)],
            "core_distance": root(square / Fraction(gap.scale * STEPS) ** 2),
        }


def draw(rng, kind):
    t = triangle(rng)
    a, b = grid_point(rng), grid_point(rng)
    ra, rb = rng.uniform(0.05, 0.4), rng.uniform(0.05, 0.4)
    if kind in ("apart", "far"):
        (a, b), = moved([(3 if kind == "apart" else 300) * x for x in direction(rng)], [a, b])
    if kind in ("capsule", "capsule_parallel", "capsule_pierce", "exact_capsule"):
        rb = ra
    if kind == "capsule_parallel":
        b = [x + q - p for x, p, q in zip(a, t[0], t[1])]
    if kind.endswith("pierce"):
        a, b = through(rng, inside(rng, t))
    if kind in ("face_interior", "edge", "vertex"):
        p = {"face_interior": inside, "edge": on_edge, "vertex": lambda r, c: r.choice(c)}[kind](rng, t)
        a = plus(p, direction(rng), 0.3)
    if kind == "steep_cone":
        ra = norm(sub(a, b)) * rng.uniform(0.8, 0.99)
        rb = 0.01
    if kind == "swallowed":
        ra = rb + norm(sub(a, b)) * rng.uniform(1.01, 2.0)
    if kind == "sphere":
        b = a
    if kind == "zero_radius":
        ra = rb = 0.0
    if kind == "point_tip":
        rb = 0.0
    if kind == "degenerate_triangle":
        t = degenerate(rng, t, rng.choice(("line", "point", "two")))
    if kind == "sliver":
        t = sliver(rng, t)
    if kind in ("small", "large"):
        s = 1e-3 if kind == "small" else 1e3
        (a, b), t = scaled(s, [a, b], t)
        ra, rb = s * ra, s * rb
    if kind == "offset":
        (a, b), t = moved([rng.uniform(-1e3, 1e3) for _ in range(3)], [a, b], t)
    if kind == "bone":
        (a, b), t = scaled(0.03, [a, b], t)
        ra, rb = rng.uniform(0.006, 0.01), rng.uniform(0.005, 0.009)
    if kind == "axis_in_plane":
        a, b = [[p + (i * (q - p) + j * (r - p)) / 8 for p, q, r in zip(*t)]
                for i, j in [(rng.randint(-8, 8), rng.randint(-8, 8)) for _ in range(2)]]
    if kind == "exact_capsule":
        # The triangle is in a plane of the grid, and the cone touches it exactly.
        h = rng.randint(1, 512) / 1024
        t = [[x, y, 0.0] for x, y, _ in t]
        a, b = inside(rng, t), inside(rng, t)
        a[2] = b[2] = h
        ra = rb = h
    if kind == "near_touch":
        gap = answer(f32v(a), f32v(b), f32(ra), f32(rb), t)["gap"]
        shift = max(0.01, min(ra, rb) + gap - rng.choice((-1, 1)) * log_uniform(rng, 1e-6, 1e-3)) - min(ra, rb)
        ra, rb = ra + shift, rb + shift
    return f32v(a), f32v(b), f32(max(0.0, ra)), f32(max(0.0, rb)), [f32v(p) for p in t]


def cases(rng):
    for i in range(COUNT):
        kind = KINDS[i % len(KINDS)]
        a, b, ra, rb, t = draw(rng, kind)
        yield {"class": kind, "a": a, "b": b, "ra": ra, "rb": rb, "tri": t, **answer(a, b, ra, rb, t)}
