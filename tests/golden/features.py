"""Points, segments and triangles: finds the nearest points by trying every pair of features, without rounding.

Every candidate is a point of each figure, and the nearest points are among the candidates. So the candidate with the
smallest distance is the answer, and degenerate figures need no special case.
"""

from fractions import Fraction

from exact import add, cross, dot, mul, sub


def on_simplex(p, corners):
    """Returns (squared distance, barycentric weights) of the point nearest to p of a point, segment or triangle."""
    best = None
    n = len(corners)
    for i in range(n):
        w = sub(p, corners[i])
        candidate = (Fraction(dot(w, w)), tuple(Fraction(int(k == i)) for k in range(n)))
        best = candidate if best is None or candidate[0] < best[0] else best
    for i in range(n):
        for j in range(i + 1, n):
            e, w = sub(corners[j], corners[i]), sub(p, corners[i])
            length2, t = dot(e, e), dot(w, e)
            if length2 == 0 or not 0 <= t <= length2:
                continue
            square = Fraction(dot(w, w) * length2 - t * t, length2)
            if square < best[0]:
                weights = [Fraction(0)] * n
                weights[i], weights[j] = Fraction(length2 - t, length2), Fraction(t, length2)
                best = (square, tuple(weights))
    if n == 3:
        e, f, w = sub(corners[1], corners[0]), sub(corners[2], corners[0]), sub(p, corners[0])
        ee, ef, ff, we, wf = dot(e, e), dot(e, f), dot(f, f), dot(w, e), dot(w, f)
        det = ee * ff - ef * ef
        s, t = we * ff - wf * ef, wf * ee - we * ef
        if det > 0 and s >= 0 and t >= 0 and s + t <= det:
            square = Fraction(dot(w, w) * det - s * we - t * wf, det)
            if square < best[0]:
                best = (square, (Fraction(det - s - t, det), Fraction(s, det), Fraction(t, det)))
    return best


def at(corners, weights):
    """Returns the point with these barycentric weights."""
    return tuple(sum(w * c[k] for w, c in zip(weights, corners)) for k in range(3))


def edges(corners):
    n = len(corners)
    return [(corners[i], corners[j]) for i in range(n) for j in range(i + 1, n)]


def edge_edge(a, b):
    """Returns (squared distance, on a, on b) of the lines; None if they are parallel or it is outside an edge."""
    d, e, r = sub(a[1], a[0]), sub(b[1], b[0]), sub(a[0], b[0])
    dd, de, ee, dr, er = dot(d, d), dot(d, e), dot(e, e), dot(d, r), dot(e, r)
    det = dd * ee - de * de
    s, t = de * er - dr * ee, dd * er - de * dr
    if det == 0 or not (0 <= s <= det and 0 <= t <= det):
        return None
    gap = add(mul(det, r), sub(mul(s, d), mul(t, e)))
    return (Fraction(dot(gap, gap), det * det), add(a[0], mul(Fraction(s, det), d)), add(b[0], mul(Fraction(t, det), e)))


def edge_through(a, triangle):
    """Returns (0, point, point) where the edge crosses the triangle; None if it does not."""
    n = cross(sub(triangle[1], triangle[0]), sub(triangle[2], triangle[0]))
    d = sub(a[1], a[0])
    across, ahead = dot(n, d), dot(n, sub(triangle[0], a[0]))
    if across == 0 or not 0 <= Fraction(ahead, across) <= 1:
        return None
    s = Fraction(ahead, across)
    x = add(a[0], mul(s, d))
    # The point is inside if it is on the same side of all three edges.
    sides = [dot(n, cross(sub(triangle[(k + 1) % 3], triangle[k]), sub(x, triangle[k]))) for k in range(3)]
    return (Fraction(0), x, x) if min(sides) >= 0 else None


def nearest(a, b):
    """Returns (squared distance, on a, on b, whether the pair is unique) of two figures of one to three corners."""
    found = []
    for p in a:
        square, weights = on_simplex(p, b)
        found.append((square, p, at(b, weights)))
    for p in b:
        square, weights = on_simplex(p, a)
        found.append((square, at(a, weights), p))
    found += [edge_edge(e, f) for e in edges(a) for f in edges(b)]
    if len(b) == 3:
        found += [edge_through(e, b) for e in edges(a)]
    if len(a) == 3:
        found += [edge_through(e, a) for e in edges(b)]
    found = [f for f in found if f is not None]
    best = min(found, key=lambda f: f[0])
    pairs = {(tuple(map(Fraction, f[1])), tuple(map(Fraction, f[2]))) for f in found if f[0] == best[0]}
    return (*best, len(pairs) == 1)
