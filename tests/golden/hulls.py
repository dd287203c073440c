"""convex_convex.jsonl: two convex hulls of 4 to 20 corners."""

from fractions import Fraction
from itertools import combinations
from math import cos, pi, sin

import convex
from exact import cross, dot, f32, f32v, integers, sub
from shapes import direction, log_uniform, plus, rotation, times

COUNT = 150
SHAPES = ("ball", "prism", "box", "tetrahedron", "octahedron", "long", "flat")


def corners(rng, shape):
    """Returns the corners of a shape with a size of about 1."""
    if shape in ("ball", "long", "flat"):
        stretch = {"ball": (1, 1, 1), "long": (1, 0.2, 0.2), "flat": (1, 1, 0.1)}[shape]
        return [[s * x for s, x in zip(stretch, direction(rng))] for _ in range(rng.randint(6, 18))]
    if shape == "prism":
        n = rng.randint(3, 8)
        return [[cos(2 * pi * k / n), sin(2 * pi * k / n), z] for k in range(n) for z in (-0.5, 0.5)]
    if shape == "box":
        return [[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
    if shape == "tetrahedron":
        return [[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]
    return [[s if k == i else 0.0 for k in range(3)] for i in range(3) for s in (-1, 1)]


def planes(points):
    """Returns {indices of the corners in a facet: its normal}. A facet's plane has all corners on one side."""
    found = {}
    for i, j, k in combinations(range(len(points)), 3):
        n = cross(sub(points[j], points[i]), sub(points[k], points[i]))
        heights = [dot(n, sub(p, points[i])) for p in points]
        if any(n) and (min(heights) >= 0 or max(heights) <= 0):
            found[frozenset(m for m, h in enumerate(heights) if h == 0)] = n
    return found


def normals(a, b):
    faces, spans = [], []
    for points in (a, b):
        own = planes(points)
        faces += own.values()
        # Two facets share an edge.
        pairs = {tuple(sorted(f & g)) for f, g in combinations(own, 2) if len(f & g) >= 2}
        spans.append({sub(points[p[0]], points[p[-1]]) for p in pairs})
    return faces + [cross(u, v) for u in spans[0] for v in spans[1]]


def hull_corners(points):
    """Returns the points that are on a facet of the hull of all points."""
    points = [f32v(p) for p in points]
    (whole,), _ = integers(points)
    return [points[m] for m in sorted({m for f in planes(whole) for m in f})]


def placed(rng, shape, size, at):
    turn = rotation(rng)
    return hull_corners(plus(at, times(turn, p), size) for p in corners(rng, shape))


def answer(a, b):
    (pa, pb), scale = integers(a, b)
    return convex.answer(pa, pb, lambda: normals(pa, pb), scale)


def brought_near(rng, a, b, margin):
    shift = [10 * x for x in direction(rng)]
    far = [plus(p, shift) for p in b]
    (pa, pb), scale = integers(a, far)
    x, _, _, _ = convex.nearest(pa, pb)
    way = [float(Fraction(t) / scale) for t in x]
    length = dot(way, way) ** 0.5
    return [plus(p, way, (length - margin) / length) for p in far]


KINDS = ("apart", "near_apart", "near_overlap", "shallow", "deep", "same_centre", "parallel_faces", "exact_face_touch",
         "exact_vertex_touch", "offset", "small", "large", "mixed_scale", "far", "contained", "identical")


def draw(rng, kind, kinds):
    origin = [rng.uniform(-1, 1) for _ in range(3)]
    a = placed(rng, kinds[0], 1.0, origin)
    if kind == "identical":
        return a, list(a)
    if kind == "exact_face_touch":
        # Boxes aligned with the grid, of dyadic sizes.
        shift = [rng.choice((0.25, 0.0, -0.5)) for _ in range(2)]
        return corners(rng, "box"), [[x + s for x, s in zip(p, [1.0, *shift])] for p in corners(rng, "box")]
    if kind == "exact_vertex_touch":
        scale = 2.0 ** rng.randint(-8, 8)
        return ([[scale * x for x in p] for p in corners(rng, "octahedron")],
                [[scale * (x + (2.0 if k == 0 else 0.0)) for k, x in enumerate(p)] for p in corners(rng, "octahedron")])
    b = placed(rng, kinds[1], 1.0, origin)
    if kind == "apart":
        return a, brought_near(rng, a, b, rng.uniform(0.1, 2.0))
    if kind in ("near_apart", "near_overlap"):
        return a, brought_near(rng, a, b, (1 if kind == "near_apart" else -1) * log_uniform(rng, 1e-6, 1e-3))
    if kind == "shallow":
        return a, brought_near(rng, a, b, -rng.uniform(0.005, 0.1))
    if kind == "deep":
        return a, brought_near(rng, a, b, -rng.uniform(0.1, 0.6))
    if kind == "parallel_faces":
        return a, brought_near(rng, a, list(a), rng.choice((-1, 1)) * log_uniform(rng, 1e-3, 0.3))
    if kind in ("small", "large", "offset"):
        b = brought_near(rng, a, b, rng.uniform(-0.3, 0.5))
        s, o = {"small": (1e-3, 0.0), "large": (1e3, 0.0), "offset": (1.0, 100.0)}[kind]
        a, b = ([[f32(s * x + o) for x in p] for p in points] for points in (a, b))
        return hull_corners(a), hull_corners(b)
    if kind == "mixed_scale":
        b = placed(rng, kinds[1], 1e-2, origin)
        return a, brought_near(rng, a, b, rng.choice((-1, 1)) * log_uniform(rng, 1e-4, 1e-2))
    if kind == "far":
        return a, placed(rng, kinds[1], 1.0, [100 * x for x in direction(rng)])
    if kind == "contained":
        return a, placed(rng, kinds[1], 0.1, origin)
    return a, b


def cases(rng):
    for i in range(COUNT):
        kind = KINDS[i % len(KINDS)]
        kinds = [rng.choice(SHAPES), rng.choice(SHAPES)]
        if kind == "exact_face_touch":
            kinds = ["box", "box"]
        elif kind == "exact_vertex_touch":
            kinds = ["octahedron", "octahedron"]
        elif kind in ("parallel_faces", "identical"):
            kinds[1] = kinds[0]
        a, b = draw(rng, kind, kinds)
        yield {"class": kind, "kinds": kinds, "a": a, "b": b, **answer(a, b)}
