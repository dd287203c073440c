"""obb_obb.jsonl: two boxes."""

from fractions import Fraction
from itertools import permutations, product as every

import convex
from exact import cross, dot, f32, f32v, integers, norm, root, sub
from shapes import direction, log_uniform, plus, point, product, rotation

COUNT = 300
SCALES = (2.0**-10, 1.0, 1024.0)


def corners(box):
    """Returns the eight corners in fractions: c + sum t_k h_k axis_k."""
    c, h = [Fraction(x) for x in box["c"]], [Fraction(x) for x in box["h"]]
    axes = [[Fraction(x) for x in box["r"][3 * k:3 * k + 3]] for k in range(3)]
    return [tuple(c[i] + sum(t[k] * h[k] * axes[k][i] for k in range(3)) for i in range(3))
            for t in every((-1, 1), repeat=3)]


def box(center, half, columns):
    return {"c": f32v(center), "h": f32v(half), "r": f32v(x for column in columns for x in column)}


def halves(rng, low=0.1, high=1.0):
    return [f32(rng.uniform(low, high)) for _ in range(3)]


def turned_square(rng):
    """Returns a signed permutation matrix: a rotation that float32 stores exactly."""
    while True:
        order, signs = rng.choice(list(permutations(range(3)))), [rng.choice((-1.0, 1.0)) for _ in range(3)]
        columns = [[signs[k] if i == order[k] else 0.0 for i in range(3)] for k in range(3)]
        if dot(columns[0], cross(columns[1], columns[2])) > 0:
            return columns


def model_tolerance(*boxes):
    """Returns how far the axes are from orthonormal, times the largest displacement that this can cause."""
    defect = Fraction(0)
    for b in boxes:
        axes = [[Fraction(x) for x in b["r"][3 * k:3 * k + 3]] for k in range(3)]
        for i in range(3):
            for j in range(3):
                defect = max(defect, abs(dot(axes[i], axes[j]) - int(i == j)))
    reach = sum(norm(b["h"]) for b in boxes) + norm(sub(boxes[0]["c"], boxes[1]["c"]))
    return 2 * float(defect) * reach


def axis_gaps(a, b, corners_a, corners_b):
    """Returns signed gaps along the 15 unit axes; None if a cross product nearly vanishes."""
    axes = [[tuple(Fraction(x) for x in c["r"][3 * k:3 * k + 3]) for k in range(3)] for c in (a, b)]
    gaps = []
    faces = [cross(own[(k + 1) % 3], own[(k + 2) % 3]) for own in axes for k in range(3)]
    for n in faces + [cross(u, v) for u in axes[0] for v in axes[1]]:
        length = root(Fraction(dot(n, n)))
        if length < 1e-4:
            gaps.append(None)
            continue
        along_a, along_b = [dot(n, p) for p in corners_a], [dot(n, q) for q in corners_b]
        gaps.append(float(max(min(along_a) - max(along_b), min(along_b) - max(along_a))) / length)
    return gaps


def answer(a, b):
    corners_a, corners_b = corners(a), corners(b)
    (pa, pb), scale = integers(corners_a, corners_b)

    def normals():
        spans = [[sub(p[1 << (2 - k)], p[0]) for k in range(3)] for p in (pa, pb)]
        faces = [cross(s[i], s[j]) for s in spans for i, j in ((0, 1), (0, 2), (1, 2))]
        return faces + [cross(u, v) for u in spans[0] for v in spans[1]]

    result = convex.answer(pa, pb, normals, scale)
    gaps = axis_gaps(a, b, corners_a, corners_b)
    known = [i for i, g in enumerate(gaps) if g is not None]
    best = max(known, key=lambda i: gaps[i])
    result.update(sat_gap=gaps[best], sat_axis=best, sat_positive=[i for i in known if gaps[i] > 0],
                  model_tol=model_tolerance(a, b))
    return result


def brought_near(rng, a, b, margin):
    """Returns b moved along the line of nearest points until the gap is about `margin`."""
    far = dict(b, c=plus(b["c"], direction(rng), 10 * (norm(a["h"]) + norm(b["h"]))))
    (pa, pb), scale = integers(corners(a), corners(far))
    x, _, _, _ = convex.nearest(pa, pb)
    way = [float(t / scale) for t in x]
    length = norm(way)
    return dict(b, c=plus(far["c"], way, (length - margin) / length))


def draw(rng, kind):
    s = 1.0
    a = box(point(rng), halves(rng), rotation(rng))
    b = box(point(rng), halves(rng), rotation(rng))
    if kind == "near":
        return a, brought_near(rng, a, b, rng.choice((-1, 1)) * log_uniform(rng, 1e-6, 0.03))
    if kind == "same_frame":
        return a, dict(b, r=a["r"])
    if kind == "same_frame_near":
        return a, brought_near(rng, a, dict(b, r=a["r"]), rng.choice((-1, 1)) * log_uniform(rng, 1e-6, 0.03))
    if kind == "nearly_parallel":
        turn = rotation(rng, log_uniform(rng, 1e-7, 1e-3))
        axes = [a["r"][3 * k:3 * k + 3] for k in range(3)]
        b = dict(b, r=f32v(x for column in product(turn, axes) for x in column))
        return a, b if rng.random() < 0.5 else brought_near(rng, a, b, rng.choice((-1, 1)) * log_uniform(rng, 1e-5, 0.03))
    if kind.startswith("exact"):
        # Multiples of 1/256 and axes along the world's: face on face, edge on edge, corner on corner.
        s = rng.choice(SCALES)
        whole = lambda low, high: rng.randint(low, high) / 256
        h1, h2 = [[whole(8, 256) for _ in range(3)] for _ in range(2)]
        c1 = [whole(-256, 256) for _ in range(3)]
        touching = {"exact_face": 1, "exact_edge": 2, "exact_vertex": 3}.get(kind, 1)
        apart = {"exact_gap": 1 / 256, "exact_overlap": -1 / 256}.get(kind, 0.0)
        c2 = [c + rng.choice((-1, 1)) * (x + y + apart) if k < touching else c + whole(-8, 8)
              for k, (c, x, y) in enumerate(zip(c1, h1, h2))]
        order = rng.sample(range(3), 3)
        at = lambda v: [s * v[k] for k in order]
        # Half extents are rotated back, so that each axis of the world has the intended size.
        def placed(c, h):
            columns = turned_square(rng)
            world = at(h)
            return box(at(c), [sum(abs(x) * w for x, w in zip(column, world)) for column in columns], columns)
        return placed(c1, h1), placed(c2, h2)
    if kind in ("flat", "line", "point"):
        none = {"flat": 1, "line": 2, "point": 3}[kind]
        b["h"] = [0.0 if k < none else x for k, x in enumerate(b["h"])]
        if rng.random() < 0.3:
            a["h"][0] = 0.0
        return (a, b) if rng.random() < 0.5 else (b, a)
    if kind == "contained":
        return a, dict(b, c=plus(a["c"], direction(rng), 0.05), h=[f32(0.04 * x) for x in b["h"]])
    if kind == "same_centre":
        return a, dict(b, c=a["c"])
    if kind == "identical":
        return a, dict(a)
    if kind in ("small", "large"):
        s = 1e-3 if kind == "small" else 1e3
        scaled = lambda x: {"c": f32v(s * t for t in x["c"]), "h": f32v(s * t for t in x["h"]), "r": x["r"]}
        return scaled(a), scaled(b)
    if kind == "mixed_scale":
        b["h"] = [f32(1e-3 * x) for x in b["h"]]
        return a, brought_near(rng, a, b, rng.choice((-1, 1)) * log_uniform(rng, 1e-5, 1e-3))
    if kind == "sliver":
        b["h"] = [f32(log_uniform(rng, 1e-4, 1.0)) for _ in range(3)]
        return a, brought_near(rng, a, b, rng.choice((-1, 1)) * log_uniform(rng, 1e-4, 0.03))
    if kind == "far":
        return a, dict(b, c=plus(b["c"], direction(rng), 100.0))
    return a, b


KINDS = ("random", "random", "near", "near", "same_frame", "same_frame_near", "nearly_parallel", "exact_face", "exact_edge",
         "exact_vertex", "exact_gap", "exact_overlap", "flat", "line", "point", "contained", "same_centre", "identical",
         "small", "large", "mixed_scale", "sliver", "far")


def cases(rng):
    for i in range(COUNT):
        kind = KINDS[i % len(KINDS)]
        a, b = draw(rng, kind)
        yield {"class": kind, "a": a, "b": b, **answer(a, b)}
