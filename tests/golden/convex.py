"""Convex hulls of corners: distance and depth without rounding.

Disjoint: finds the point of the Minkowski difference nearest to the origin with Wolfe's active-set method, in fractions.
The method ends with a proof: the point x is a combination of corners, and x.v >= x.x for every corner v.
Overlapping: the minimum translation is along the normal of a facet of the Minkowski difference. For each candidate
normal, the support divided by the normal's length is computed; the smallest is the depth. A normal of no facet gives a
larger value, so it does not change the result.
"""

from fractions import Fraction

from exact import cross, dot, mul, root, sub, unit


def _solve(rows, right):
    """Solves a regular linear system by Gaussian elimination in fractions."""
    n = len(right)
    rows = [[Fraction(x) for x in row] + [Fraction(r)] for row, r in zip(rows, right)]
    for i in range(n):
        pivot = next(k for k in range(i, n) if rows[k][i] != 0)
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for k in range(n):
            if k != i and rows[k][i] != 0:
                factor = rows[k][i]
                rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    return [row[n] for row in rows]


def _nearest_of_plane(points):
    """Returns the weights of the point nearest to the origin in the affine hull of independent points."""
    spans = [sub(p, points[0]) for p in points[1:]]
    if not spans:
        return [Fraction(1)]
    rest = _solve([[dot(e, f) for f in spans] for e in spans], [-dot(e, points[0]) for e in spans])
    return [1 - sum(rest)] + rest


def _combined(weights, points):
    return tuple(sum(w * p[k] for w, p in zip(weights, points)) for k in range(3))


def nearest(a, b):
    """Returns (a - b at the nearest points, on a, on b, whether the pair is proved to be unique)."""
    pairs, weights = [(a[0], b[0])], [Fraction(1)]
    while True:
        points = [sub(p, q) for p, q in pairs]
        x = _combined(weights, points)
        if not any(x):
            break
        pair = (min(a, key=lambda p: dot(x, p)), max(b, key=lambda q: dot(x, q)))
        if dot(x, sub(*pair)) >= dot(x, x):
            break
        pairs, weights = pairs + [pair], weights + [Fraction(0)]
        while True:
            wanted = _nearest_of_plane([sub(p, q) for p, q in pairs])
            if min(wanted) > 0:
                weights = wanted
                break
            share = min(w / (w - m) for w, m in zip(weights, wanted) if m <= 0)
            weights = [w + share * (m - w) for w, m in zip(weights, wanted)]
            kept = [i for i, w in enumerate(weights) if w > 0]
            pairs, weights = [pairs[i] for i in kept], [weights[i] for i in kept]
    on_a, on_b = _combined(weights, [p for p, _ in pairs]), _combined(weights, [q for _, q in pairs])
    return x, on_a, on_b, any(x) and _only(a, b, x)


def _only(a, b, x):
    least, most = min(dot(x, p) for p in a), max(dot(x, q) for q in b)
    face_a = sorted({p for p in a if dot(x, p) == least})
    face_b = sorted({q for q in b if dot(x, q) == most})
    if len(face_a) == 1 or len(face_b) == 1:
        return True
    return len(face_a) == 2 == len(face_b) and any(cross(sub(*face_a), sub(*face_b)))


def depth(a, b, normals):
    """Returns (squared depth, direction for a, all squared depths and directions); no direction for flat sets."""
    ways, seen = [], set()
    for n in normals:
        if not any(n) or n in seen:
            continue
        seen.update((n, mul(-1, n)))
        along_a, along_b = [dot(n, p) for p in a], [dot(n, q) for q in b]
        length2 = dot(n, n)
        ways.append((Fraction(max(0, max(along_b) - min(along_a)) ** 2, length2), n))
        ways.append((Fraction(max(0, max(along_a) - min(along_b)) ** 2, length2), mul(-1, n)))
    if not ways:
        return Fraction(0), None, []
    square, n = min(ways, key=lambda way: way[0])
    # A flat set has depth 0 along both of its normals, so the direction is arbitrary.
    flat = square == 0 and any(other == 0 and m == mul(-1, n) for other, m in ways)
    return square, (None if flat else n), ways


def tie(ways, square, n, size):
    """Returns whether another direction, more than 0.01 rad away, is nearly as short. Lengths in integers of the case."""
    if n is None:
        return False
    best, u = root(square), unit(n)
    for other, m in ways:
        if root(other) > best + 1e-4 * size:
            continue
        v = unit(m)
        if sum(x * y for x, y in zip(u, v)) < 0.99995:
            return True
    return False


def answer(a, b, normals, scale):
    """Returns the answer for two convex hulls, given by corners; if `normals` is a function, it is called if they overlap."""
    x, on_a, on_b, only = nearest(a, b)
    apart2 = Fraction(dot(x, x))
    size = max(root(Fraction(dot(sub(p, a[0]), sub(p, a[0])))) for p in a + b)
    result = {"overlap": apart2 == 0, "distance": root(apart2) / scale}
    if apart2 > 0:
        way = unit(x)
        result.update(margin=result["distance"], dir_a=way, tie=False, on_a=[float(t / scale) for t in on_a],
                      on_b=[float(t / scale) for t in on_b], unique=only)
        return result
    square, n, ways = depth(a, b, normals() if callable(normals) else normals)
    result.update(margin=-root(square) / scale if square else 0.0, dir_a=unit(n) if n else None,
                  tie=tie(ways, square, n, size), depth=root(square) / scale)
    return result
