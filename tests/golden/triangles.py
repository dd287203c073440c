"""point_triangle, sphere_triangle, segment_triangle and triangle_triangle.jsonl."""

from fractions import Fraction

import convex
import features
from exact import cross, dot, f32, f32v, integers, root, sub
from shapes import direction, grid, grid_point, log_uniform, plus, point

COUNT = 300


def triangle(rng):
    while True:
        corners = [grid_point(rng) for _ in range(3)]
        if dot(*[cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))] * 2) > 1e-2:
            return corners


def inside(rng, corners, steps=16):
    """Returns a point of the face with weights in sixteenths. It is exact if the corners are on a coarse grid."""
    i, j = sorted((rng.randint(1, steps - 1), rng.randint(1, steps - 1)))
    weights = [i, j - i + 1, steps - 1 - j]
    return [sum(w * c[k] for w, c in zip(weights, corners)) / steps for k in range(3)]


def on_edge(rng, corners, steps=16):
    i, w = rng.randrange(3), rng.randint(1, steps - 1)
    return [(w * corners[i][k] + (steps - w) * corners[(i + 1) % 3][k]) / steps for k in range(3)]


def normal(corners):
    n = cross(sub(corners[1], corners[0]), sub(corners[2], corners[0]))
    length = dot(n, n) ** 0.5
    return [x / length for x in n]


def degenerate(rng, corners, kind):
    """Returns a degenerate triangle: corners on one line, all at one point, or two at one point."""
    p, q, _ = corners
    third = [(w + 3 * x) / 4 for w, x in zip(p, q)] if rng.random() < 0.7 else [2 * x - w for w, x in zip(p, q)]
    return {"line": [p, q, third], "point": [p, p, p], "two": [p, q, p]}[kind]


def sliver(rng, corners):
    p, q, _ = corners
    return [p, q, plus([(w + x) / 2 for w, x in zip(p, q)], direction(rng), log_uniform(rng, 1e-5, 1e-2))]


def scaled(factor, *figures):
    return [[f32v(factor * x for x in p) for p in figure] for figure in figures]


def moved(offset, *figures):
    return [[f32v(x + o for x, o in zip(p, offset)) for p in figure] for figure in figures]


def shuffled(rng, corners):
    return rng.sample(corners, len(corners))


# -------------------------------------------------------------------------------------------------- point, sphere

POINT_KINDS = ("random", "face", "edge", "vertex", "on_face", "on_edge", "on_vertex", "region_boundary", "region_near", "close", "sliver",
               "degenerate_line", "degenerate_point", "degenerate_two", "scaled", "offset", "far")


def draw_point(rng, kind):
    t = triangle(rng)
    n = normal(t)
    if kind == "face":
        return plus(inside(rng, t), n, rng.uniform(-1, 1)), t
    if kind == "edge":
        # Outwards: away from the centre, and slightly up or down.
        p, middle = on_edge(rng, t), [sum(c[k] for c in t) / 3 for k in range(3)]
        return plus(plus(p, sub(p, middle), rng.uniform(0, 2)), n, rng.uniform(-1, 1)), t
    if kind == "vertex":
        middle = [sum(c[k] for c in t) / 3 for k in range(3)]
        return plus(plus(t[0], sub(t[0], middle), rng.uniform(0, 2)), n, rng.uniform(-0.5, 0.5)), t
    if kind == "on_face":
        return inside(rng, t), t
    if kind == "on_edge":
        return on_edge(rng, t), t
    if kind == "on_vertex":
        return rng.choice(t), t
    if kind == "region_boundary":
        # From a corner, perpendicular to an edge: exactly between the Voronoi regions of edge and corner.
        p, e = t[0], sub(t[1], t[0])
        out = cross(e, grid_point(rng, 8))
        return f32v(x + o for x, o in zip(p, out)) if all(f32(x + o) == x + o for x, o in zip(p, out)) else p, t
    if kind == "region_near":
        # Perpendicular to an edge, close to its end: in the edge's Voronoi region, near the corner's.
        p, q = t[0], t[1]
        foot = plus(p, sub(q, p), log_uniform(rng, 1e-3, 0.1))
        return plus(foot, cross(sub(q, p), direction(rng)), 1.0), t
    if kind == "close":
        return plus(inside(rng, t), n, rng.choice((-1, 1)) * log_uniform(rng, 1e-7, 1e-3)), t
    if kind == "sliver":
        return point(rng), sliver(rng, t)
    if kind.startswith("degenerate"):
        return grid_point(rng), degenerate(rng, t, kind.split("_")[1])
    if kind == "scaled":
        (p,), t = scaled(rng.choice((2.0**-10, 1e-3, 1e3)), [grid_point(rng)], t)
        return p, t
    if kind == "offset":
        (p,), t = moved([rng.uniform(-1e3, 1e3) for _ in range(3)], [grid_point(rng)], t)
        return p, t
    if kind == "far":
        return point(rng, 1e3), t
    return grid_point(rng), t


def point_answer(p, t):
    ((q,), corners), scale = integers([p], t)
    square, weights = features.on_simplex(q, corners)
    check, _, _, _ = convex.nearest([q], corners)
    assert dot(check, check) == square, "enumeration and active set disagree"
    return square / scale**2, [float(x / scale) for x in features.at(corners, weights)]


def point_cases(rng):
    for i in range(COUNT):
        kind = POINT_KINDS[i % len(POINT_KINDS)]
        p, t = draw_point(rng, kind)
        t = shuffled(rng, t)
        square, closest = point_answer(p, t)
        yield {"class": kind, "point": p, "tri": t, "distance": root(square), "closest": closest}


def sphere_cases(rng):
    for i in range(COUNT):
        kind = POINT_KINDS[i % len(POINT_KINDS)]
        size = rng.choice(("apart", "overlap", "near", "zero_radius", "exact_touch"))
        p, t = draw_point(rng, kind)
        if size == "exact_touch":
            # The triangle is in a plane of the grid; the ball rests on it.
            h, axis = rng.randint(1, 1024) / 1024, rng.randrange(3)
            t = [[h if k == axis else x for k, x in enumerate(c)] for c in triangle(rng)]
            p = inside(rng, t)
            p[axis] += rng.choice((-1, 1)) * h
            kind, radius = "face", h
        t = shuffled(rng, t)
        square, closest = point_answer(p, t)
        if size != "exact_touch":
            radius = root(square) * {"apart": rng.uniform(0.1, 0.9), "overlap": rng.uniform(1.1, 3.0),
                                     "near": 1 + rng.choice((-1, 1)) * log_uniform(rng, 1e-6, 1e-3),
                                     "zero_radius": 0.0}[size]
            radius = f32(radius)
        radius2 = Fraction(radius) ** 2
        # distance - radius without cancellation: (distance^2 - radius^2) / (distance + radius).
        gap = float((square - radius2) / (Fraction(root(square)) + Fraction(radius))) if square or radius else 0.0
        yield {"class": f"{size}/{kind}", "centre": p, "radius": radius, "tri": t, "hit": square <= radius2, "gap": gap,
               "distance": root(square), "closest": closest}


# -------------------------------------------------------------------------------------------------- segment, triangle

def pair_normals(a, b):
    """Returns the normals of all facets that the Minkowski difference of two figures can have."""
    own = [cross(sub(t[1], t[0]), sub(t[2], t[0])) for t in (a, b) if len(t) == 3]
    return own + [cross(sub(*e), sub(*f)) for e in features.edges(a) for f in features.edges(b)]


def pair_answer(a, b):
    (pa, pb), scale = integers(a, b)
    square, on_a, on_b, only = features.nearest(pa, pb)
    check, _, _, _ = convex.nearest(pa, pb)
    assert dot(check, check) == square, "enumeration and active set disagree"
    result = {"hit": square == 0, "distance": root(square) / scale, "unique": only}
    result["on"] = [[float(Fraction(x) / scale) for x in p] for p in (on_a, on_b)]
    deep, _, _ = convex.depth(pa, pb, pair_normals(pa, pb)) if square == 0 else (Fraction(0), None, [])
    result["margin"] = -root(deep) / scale if deep else result["distance"]
    return result


def brought_near(rng, a, b, gap):
    """Returns b moved along the line of nearest points to a distance of about `gap`; negative for a slight overlap."""
    (far,) = moved([10 * x for x in direction(rng)], b)
    (pa, pb), scale = integers(a, far)
    square, on_a, on_b, _ = features.nearest(pa, pb)
    apart = [float((x - y) / scale) for x, y in zip(on_a, on_b)]
    length = root(square) / scale
    (near,) = moved([x * (length - gap) / length for x in apart], far)
    return near


SEGMENT_KINDS = ("random", "pierce", "near_miss", "shallow_pierce", "cross_edge_exact", "cross_vertex_exact", "end_on_face",
                 "end_on_edge", "end_on_vertex", "parallel_above", "parallel_to_edge", "coplanar_inside",
                 "coplanar_crossing", "coplanar_outside", "end_near_face", "segment_is_point", "degenerate_line",
                 "degenerate_point", "degenerate_touch", "sliver", "scaled", "offset", "long_segment")


def coarse(rng):
    """Returns a triangle whose points with weights in sixteenths are exact."""
    return [[x * 4 for x in c] for c in [[grid(rng, 16) for _ in range(3)] for _ in range(3)]] if rng.random() < 0.2 else \
        triangle(rng)


def through(rng, p, length=1.0):
    """Returns a segment with the midpoint p."""
    d = [length * x for x in grid_point(rng, 64)]
    return [[x + y for x, y in zip(p, d)], [x - y for x, y in zip(p, d)]]


def in_plane(rng, t, far):
    """Returns a point of the triangle's plane: a corner plus eighths of both edges."""
    i, j = rng.randint(-8 * far, 8 * far), rng.randint(-8 * far, 8 * far)
    return [p + (i * (q - p) + j * (r - p)) / 8 for p, q, r in zip(*t)]


def draw_segment(rng, kind):
    t = coarse(rng)
    free = [grid_point(rng), grid_point(rng)]
    if kind == "pierce":
        return through(rng, inside(rng, t)), t
    if kind == "near_miss":
        return brought_near(rng, t, free, log_uniform(rng, 1e-6, 1e-2)), t
    if kind == "shallow_pierce":
        return brought_near(rng, t, free, -log_uniform(rng, 1e-5, 1e-2)), t
    if kind == "cross_edge_exact":
        return through(rng, on_edge(rng, t)), t
    if kind == "cross_vertex_exact":
        return through(rng, rng.choice(t)), t
    if kind.startswith("end_on"):
        p = {"face": inside, "edge": on_edge, "vertex": lambda r, c: r.choice(c)}[kind[7:]](rng, t)
        return [p, grid_point(rng)], t
    if kind in ("parallel_above", "parallel_to_edge"):
        p, way = grid_point(rng, 64), sub(*rng.sample(t, 2))
        if kind == "parallel_above":
            way = sub(in_plane(rng, t, 1), t[0])
        return [p, f32v(x + y for x, y in zip(p, way))], t
    if kind.startswith("coplanar"):
        if kind == "coplanar_inside":
            return [inside(rng, t), inside(rng, t)], t
        return [inside(rng, t) if kind == "coplanar_crossing" else in_plane(rng, t, 2), in_plane(rng, t, 2)], t
    if kind == "end_near_face":
        return [plus(inside(rng, t), direction(rng), log_uniform(rng, 1e-7, 1e-3)), grid_point(rng)], t
    if kind == "segment_is_point":
        p = inside(rng, t) if rng.random() < 0.3 else grid_point(rng)
        return [p, p], t
    if kind == "degenerate_touch":
        t = degenerate(rng, t, rng.choice(("line", "point", "two")))
        return through(rng, on_edge(rng, t)) if rng.random() < 0.7 else free, t
    if kind.startswith("degenerate"):
        return free, degenerate(rng, t, kind.split("_")[1])
    if kind == "sliver":
        return free if rng.random() < 0.5 else through(rng, t[0]), sliver(rng, t)
    if kind == "scaled":
        return scaled(rng.choice((2.0**-10, 1e-3, 1e3)), through(rng, inside(rng, t)) if rng.random() < 0.5 else free, t)
    if kind == "offset":
        return moved([rng.uniform(-1e3, 1e3) for _ in range(3)], free, t)
    if kind == "long_segment":
        return [[f32(1000 * x) for x in p] for p in free], t
    return free, t


def segment_cases(rng):
    for i in range(COUNT):
        kind = SEGMENT_KINDS[i % len(SEGMENT_KINDS)]
        segment, t = draw_segment(rng, kind)
        segment, t = [f32v(p) for p in shuffled(rng, segment)], [f32v(p) for p in shuffled(rng, t)]
        result = pair_answer(segment, t)
        on_segment, on_triangle = result.pop("on")
        yield {"class": kind, "seg": segment, "tri": t, **result, "on_seg": on_segment, "on_tri": on_triangle}


PAIR_KINDS = ("random", "near_apart", "near_cross", "shared_vertex", "shared_edge", "shared_edge_coplanar",
              "shared_vertex_coplanar", "identical", "vertex_on_face", "vertex_on_edge", "vertex_on_vertex", "edge_cross_edge",
              "edge_on_face", "coplanar_overlap", "coplanar_contained", "coplanar_apart", "parallel_planes", "one_point",
              "one_line", "both_line", "line_point", "two_points", "degenerate_touch", "sliver", "both_sliver", "scaled",
              "mixed_scale", "offset", "small_dihedral", "vertex_in_plane_outside", "plane_crossed_but_apart")


def draw_pair(rng, kind):
    a, b = triangle(rng), triangle(rng)
    if kind in ("near_apart", "near_cross"):
        gap = log_uniform(rng, 1e-7, 1e-2)
        return a, brought_near(rng, a, b, gap if kind == "near_apart" else -gap)
    if kind == "shared_vertex":
        return a, [a[0], b[1], b[2]]
    if kind == "shared_edge":
        return a, [a[0], a[1], b[2]]
    if kind == "shared_edge_coplanar":
        return a, [a[0], a[1], in_plane(rng, a, 2)]
    if kind == "shared_vertex_coplanar":
        return a, [a[0], in_plane(rng, a, 2), in_plane(rng, a, 2)]
    if kind == "identical":
        return a, list(a)
    if kind == "vertex_on_face":
        return a, [inside(rng, a), b[1], b[2]]
    if kind == "vertex_on_edge":
        return a, [on_edge(rng, a), b[1], b[2]]
    if kind == "vertex_on_vertex":
        return a, [rng.choice(a), b[1], b[2]]
    if kind == "edge_cross_edge":
        return a, [*through(rng, on_edge(rng, a)), b[2]]
    if kind == "edge_on_face":
        return a, [inside(rng, a), in_plane(rng, a, 2), b[2]]
    if kind == "coplanar_overlap":
        return a, [inside(rng, a), in_plane(rng, a, 2), in_plane(rng, a, 2)]
    if kind == "coplanar_contained":
        return a, [inside(rng, a) for _ in range(3)]
    if kind == "coplanar_apart":
        # Outside: beyond the line of an edge, or beyond a corner (both edge weights at a[0] below 0, or their sum above 1).
        shift = [-(q + r - 2 * p) for p, q, r in zip(*a)]
        return a, [[x + (s if rng.random() < 0.8 else s / 2) for x, s in zip(inside(rng, a), shift)] for _ in range(3)]
    if kind == "parallel_planes":
        n = grid_point(rng, 64)
        return a, [[x + y / 8 for x, y in zip(in_plane(rng, a, 1), n)] for _ in range(3)]
    if kind == "one_point":
        p = inside(rng, a) if rng.random() < 0.5 else b[0]
        return a, [p, p, p]
    if kind == "one_line":
        if rng.random() < 0.5:
            p, q = through(rng, inside(rng, a))
            b = [p, q, p]
        return a, degenerate(rng, b, rng.choice(("line", "two")))
    if kind == "both_line":
        b = [*through(rng, [(p + q) / 2 for p, q in zip(a[0], a[1])]), b[2]] if rng.random() < 0.5 else b
        return degenerate(rng, a, "line"), degenerate(rng, b, "two")
    if kind == "line_point":
        p = [(x + y) / 2 for x, y in zip(a[0], a[1])] if rng.random() < 0.5 else b[0]
        return degenerate(rng, a, "two"), [p, p, p]
    if kind == "two_points":
        p = a[0] if rng.random() < 0.5 else b[0]
        return [a[0]] * 3, [p] * 3
    if kind == "degenerate_touch":
        return a, degenerate(rng, [on_edge(rng, a), b[1], b[2]], "two")
    if kind == "sliver":
        return a, sliver(rng, [inside(rng, a), b[1], b[2]] if rng.random() < 0.5 else b)
    if kind == "both_sliver":
        return sliver(rng, a), sliver(rng, [on_edge(rng, a), b[1], b[2]] if rng.random() < 0.5 else b)
    if kind == "scaled":
        return scaled(rng.choice((2.0**-10, 1e-3, 1e3)), a, [inside(rng, a), b[1], b[2]] if rng.random() < 0.5 else b)
    if kind == "mixed_scale":
        return a, [plus(inside(rng, a), direction(rng), 1e-3) for _ in range(3)]
    if kind == "offset":
        return moved([rng.uniform(-1e3, 1e3) for _ in range(3)], a, [inside(rng, a), b[1], b[2]])
    if kind == "small_dihedral":
        return a, [a[0], a[1], plus(a[2], direction(rng), log_uniform(rng, 1e-6, 1e-3))]
    if kind == "vertex_in_plane_outside":
        return a, [in_plane(rng, a, 3), b[1], b[2]]
    if kind == "plane_crossed_but_apart":
        return a, [*through(rng, in_plane(rng, a, 3), 0.25), b[2]]
    return a, b


def coplanar(a, b):
    points = a + b
    spans = [sub(p, points[0]) for p in points[1:]]
    return all(dot(cross(u, v), w) == 0 for i, u in enumerate(spans) for j, v in enumerate(spans[:i]) for w in spans[:j])


def inplane_margin(a, b, distance):
    """Returns the depth for translations in the common plane; None if all corners are on one line."""
    (pa, pb), scale = integers(a, b)
    spans = [sub(p, pa[0]) for p in pa[1:] + pb]
    n = next((m for m in (cross(u, v) for u in spans for v in spans) if any(m)), None)
    if n is None:
        return None
    if distance > 0:
        return distance
    square, _, _ = convex.depth(pa, pb, [cross(n, sub(*e)) for t in (pa, pb) for e in features.edges(t)])
    return -root(square) / scale if square else 0.0


def pair_cases(rng):
    for i in range(2 * COUNT):
        kind = PAIR_KINDS[i % len(PAIR_KINDS)]
        a, b = draw_pair(rng, kind)
        a, b = [f32v(p) for p in shuffled(rng, a)], [f32v(p) for p in shuffled(rng, b)]
        if rng.random() < 0.5:
            a, b = b, a
        result = pair_answer(a, b)
        on_a, on_b = result.pop("on")
        (pa, pb), _ = integers(a, b)
        flat = coplanar(pa, pb)
        extra = {"inplane_margin": inplane_margin(a, b, result["distance"])} if flat else {}
        yield {"class": kind, "a": a, "b": b, **result, "on_a": on_a, "on_b": on_b, "coplanar": flat, **extra}
