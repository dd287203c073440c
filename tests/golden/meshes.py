"""mesh_sdf.jsonl and meshes/: signed distance to closed meshes.

The distance to every triangle is computed in doubles. The triangles that may be nearest, given the rounding error, are
computed again in fractions; the smallest result is the distance. The sign comes from the winding number: the solid
angles of all triangles add up to 4 pi inside, and to 0 outside.
"""

from fractions import Fraction
from math import atan2, cos, fsum, pi, sin

import features
from exact import cross, dot, f32v, integers, norm, root, sub
from shapes import direction, log_uniform, plus

COUNT = 300
KINDS = ("near_face", "near_edge", "near_vertex", "random", "deep_inside", "far", "on_face", "on_edge", "on_vertex",
         "just_off_face", "just_off_edge", "just_off_vertex", "bbox")
DYADIC = 64  # corners are multiples of 1/64, so points with weights in sixteenths are exact


def rounded(points):
    return [tuple(round(x * DYADIC) / DYADIC for x in p) for p in points]


def ball():
    """Returns a sphere: an octahedron, subdivided three times, with its corners moved onto the sphere."""
    corners = [(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)]
    triangles = [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4), (1, 0, 5), (2, 1, 5), (3, 2, 5), (0, 3, 5)]
    for _ in range(2):
        halves, cut = {}, []

        def middle(i, j):
            key = (min(i, j), max(i, j))
            if key not in halves:
                p = [x + y for x, y in zip(corners[i], corners[j])]
                corners.append(tuple(x / norm(p) for x in p))
                halves[key] = len(corners) - 1
            return halves[key]

        for i, j, k in triangles:
            a, b, c = middle(i, j), middle(j, k), middle(k, i)
            cut += [(i, a, c), (j, b, a), (k, c, b), (a, b, c)]
        triangles = cut
    return rounded(corners), triangles


def ring(around=14, across=8):
    corners = [((1 + 0.375 * cos(v)) * cos(u), (1 + 0.375 * cos(v)) * sin(u), 0.375 * sin(v))
               for u in (2 * pi * i / around for i in range(around)) for v in (2 * pi * j / across for j in range(across))]
    triangles = []
    for i in range(around):
        for j in range(across):
            a, b = i * across + j, i * across + (j + 1) % across
            c, d = (i + 1) % around * across + j, (i + 1) % around * across + (j + 1) % across
            triangles += [(a, c, d), (a, d, b)]
    return rounded(corners), triangles


def stairs():
    """Returns a staircase: an extruded outline with concave edges."""
    outline = [(0, 0), (1.5, 0), (1.5, 0.5), (1, 0.5), (1, 1), (0.5, 1), (0.5, 1.5), (0, 1.5)]
    corners = [(x, y, z) for z in (0, 0.75) for x, y in outline]
    n = len(outline)
    # A triangle fan from the corner at the origin covers the outline, which is star-shaped about that corner.
    triangles = [t for i in range(1, n - 1) for t in ((0, i + 1, i), (n, n + i, n + i + 1))]
    for i in range(n):
        j = (i + 1) % n
        triangles += [(i, j, n + j), (i, n + j, n + i)]
    return corners, triangles


def star():
    """Returns a cube with a sharp spike on each face, and so a deep valley along each edge of the cube."""
    corners = [(x, y, z) for x in (-0.25, 0.25) for y in (-0.25, 0.25) for z in (-0.25, 0.25)]
    triangles = []
    for axis in range(3):
        for side in (-1, 1):
            tip = [0.0] * 3
            tip[axis] = 1.5 * side
            corners.append(tuple(tip))
            u, v = (axis + 1) % 3, (axis + 2) % 3
            loop = []
            for su, sv in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
                p = [0.0] * 3
                p[axis], p[u], p[v] = 0.25 * side, 0.25 * su, 0.25 * sv
                loop.append(corners.index(tuple(p)))
            if side < 0:
                loop.reverse()
            triangles += [(loop[k], loop[(k + 1) % 4], len(corners) - 1) for k in range(4)]
    return corners, triangles


MESHES = {"ball": ball, "ring": ring, "stairs": stairs, "star": star}


def write_obj(path, corners, triangles):
    with open(path, "w", encoding="ascii") as file:
        file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in (map(float, c) for c in corners))
        file.writelines(f"f {i + 1} {j + 1} {k + 1}\n" for i, j, k in triangles)


def winding(p, faces):
    """Returns the winding number. [Van Oosterom and Strackee 1983]: tan(angle / 2) = a.(b x c) / (abc + (a.b)c + (b.c)a + (c.a)b)."""
    angles = []
    for face in faces:
        a, b, c = (sub(v, p) for v in face)
        la, lb, lc = norm(a), norm(b), norm(c)
        angles.append(2 * atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb))
    return fsum(angles) / (4 * pi)


def rough_distance(p, face):
    """Returns the distance to a triangle in doubles, by projection onto its plane and its three edges."""
    a, b, c = face
    n = cross(sub(b, a), sub(c, a))
    best = float("inf")
    if all(dot(n, cross(sub(v, u), sub(p, u))) >= 0 for u, v in ((a, b), (b, c), (c, a))):
        best = abs(dot(n, sub(p, a))) / norm(n)
    for u, v in ((a, b), (b, c), (c, a)):
        e, w = sub(v, u), sub(p, u)
        t = min(1.0, max(0.0, dot(e, w) / dot(e, e)))
        best = min(best, norm([x - t * y for x, y in zip(w, e)]))
    return best


def answer(p, faces):
    rough = [rough_distance(p, face) for face in faces]
    least = min(rough)
    found = []
    for face in (f for f, d in zip(faces, rough) if d <= least + 1e-9):
        ((q,), corners), scale = integers([p], face)
        square, weights = features.on_simplex(q, corners)
        closest = tuple(Fraction(x) / scale for x in features.at(corners, weights))
        side = dot(cross(sub(corners[1], corners[0]), sub(corners[2], corners[0])), sub(q, corners[0]))
        found.append((square / scale**2, closest, sum(w > 0 for w in weights), side))
    square, closest, parts, _ = min(found, key=lambda f: f[0])
    nearest = [f for f in found if f[0] == square]
    others = {f[1] for f in nearest}
    spread = max(root(dot(sub(u, v), sub(u, v))) for u in others for v in others)
    inside = None
    if square > 0:
        turns = winding(p, faces)
        assert abs(turns - round(turns)) < 1e-6 and round(turns) in (0, 1), "the winding number is not whole"
        inside = round(turns) == 1
    return {"distance": -root(square) if inside else root(square), "inside": inside, "closest": [float(x) for x in closest],
            "unique": len(others) == 1, "spread": spread, "feature": ("vertex", "edge", "face")[parts - 1],
            "face_signs_disagree": len({(f[3] > 0) - (f[3] < 0) for f in nearest} - {0}) > 1}


def draw(rng, kind, corners, faces):
    low, high = ([f(c[k] for c in corners) for k in range(3)] for f in (min, max))
    anywhere = lambda grow: f32v(rng.uniform(l - grow * (h - l), h + grow * (h - l)) for l, h in zip(low, high))
    face = rng.choice(faces)
    i, j = rng.randint(1, 14), 0
    j = rng.randint(1, 15 - i)
    weights = {"face": (i, j, 16 - i - j), "edge": (i, 16 - i, 0), "vertex": (16, 0, 0)}.get(kind.split("_")[-1])
    if weights:
        p = [sum(w * c[k] for w, c in zip(weights, face)) / 16 for k in range(3)]
        if kind.startswith("on"):
            return p
        return plus(p, direction(rng), log_uniform(rng, 1e-6, 1e-3) if kind.startswith("just") else rng.uniform(0.01, 0.2))
    if kind == "deep_inside":
        # Draws a few points and keeps the deepest inside.
        tries = [anywhere(0) for _ in range(40)]
        inner = [p for p in tries if winding(p, faces) > 0.5]
        return max(inner or tries, key=lambda p: min(rough_distance(p, f) for f in faces))
    if kind == "bbox":
        p = anywhere(0)
        axis = rng.randrange(3)
        p[axis] = rng.choice((low, high))[axis]
        return p
    if kind == "far":
        return [100 * x for x in anywhere(0)]
    return anywhere(0.2)


def cases(rng, folder):
    meshes = {}
    for name, make in MESHES.items():
        corners, triangles = make()
        write_obj(folder / "meshes" / f"{name}.obj", corners, triangles)
        meshes[name] = (corners, [tuple(corners[i] for i in t) for t in triangles])
    for i in range(COUNT):
        name, kind = list(meshes)[i % len(meshes)], KINDS[i // len(meshes) % len(KINDS)]
        p = f32v(draw(rng, kind, *meshes[name]))
        yield {"mesh": name, "class": kind, "point": p, **answer(p, meshes[name][1])}
