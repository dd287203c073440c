"""cab_merge.jsonl: the parent box of two children by the formulas of [Schmidl04, sec. 3.2.1], with 50 digits.

The parent's extents contain all 16 corners. If a decision depends on the last digits, both results are listed.
"""

from decimal import Decimal, localcontext
from itertools import product as every
from math import cos, sin

from boxes import box
from exact import cross, dot, f32v, mul, sub
from shapes import rotation, times

COUNT = 240
TOLERANCE = 1 - (1 - Decimal("1e-5")) ** 2
KINDS = ("random", "straight", "straight_rolled", "nearly_straight", "folded", "folded_exact", "near_60", "near_tolerance",
         "bend_small", "bend_large", "a1_longest", "a2_longest", "cube_tie", "cube_one", "flat", "line", "lateral_joint",
         "overlap_joint", "small_scale", "large_scale", "offset", "major_permuted")


class Child:
    def __init__(self, b, joint):
        self.c, self.h = [[Decimal(x) for x in b[key]] for key in "ch"]
        r = [Decimal(x) for x in b["r"]]
        self.axes = [r[3 * k:3 * k + 3] for k in range(3)]
        self.from_joint = sub(self.c, joint)
        longest = max(self.h)
        self.majors = [k for k in range(3) if longest - self.h[k] <= Decimal("1e-5") * longest]
        self.majors.sort(key=lambda k: (-self.h[k], k))

    def signs(self, major):
        along = dot(self.from_joint, self.axes[major])
        sign = 1 if along >= 0 else -1
        return [sign, -sign] if abs(along) < Decimal("1e-3") * self.h[major] else [sign]

    def thickness(self, major):
        return max(self.h[k] for k in range(3) if k != major)

    def corners(self):
        return [[self.c[i] + sum(t[k] * self.h[k] * self.axes[k][i] for k in range(3)) for i in range(3)]
                for t in every((-1, 1), repeat=3)]


def unit(v):
    length = dot(v, v).sqrt()
    return [x / length for x in v]


def enclosing(choice, axes, children):
    axes = [unit(a) for a in axes]
    center, half = [Decimal(0)] * 3, []
    for a in axes:
        along = [dot(a, p) for child in children for p in child.corners()]
        half.append((max(along) - min(along)) / 2)
        center = [x + (max(along) + min(along)) / 2 * y for x, y in zip(center, a)]
    return {"choice": choice, "axes": [[float(x) for x in a] for a in axes], "half": [float(x) for x in half],
            "centre": [float(x) for x in center]}


def within(entries, slack):
    """Returns the names of all entries within the relative `slack` of the largest, in descending order."""
    largest = max(value for _, value in entries)
    near = [(name, value) for name, value in entries if largest - value <= slack * largest]
    return [name for name, value in sorted(near, key=lambda entry: -entry[1])]


def merged(children, ambiguous):
    """Returns every possible parent box; the one by the formulas as printed is first."""
    boxes, said = [], None
    for m1, m2 in every(*[child.majors for child in children]):
        if len(children[0].majors) + len(children[1].majors) > 2:
            ambiguous.add("major_tie")
        for s1, s2 in every(children[0].signs(m1), children[1].signs(m2)):
            if len(children[0].signs(m1)) + len(children[1].signs(m2)) > 2:
                ambiguous.add("sign")
            u1, u2 = mul(s1, children[0].axes[m1]), mul(s2, children[1].axes[m2])
            a1, a2 = mul(2 * children[0].h[m1], u1), mul(2 * children[1].h[m2], u2)
            e, n = sub(a1, a2), cross(u1, u2)
            sine2, lengths = dot(n, n), [dot(v, v).sqrt() for v in (e, a1, a2)]
            said = said or {"sin2": float(sine2), "lengths": [float(x) for x in lengths]}
            parallel = [sine2 < TOLERANCE]
            if abs(sine2 - TOLERANCE) < Decimal("0.03") * TOLERANCE:
                ambiguous.add("tolerance")
                parallel.append(not parallel[0])
            for is_parallel in parallel:
                if is_parallel:
                    chosen = within([(k, child.thickness(m)) for k, child, m in zip((0, 1), children, (m1, m2))],
                                    Decimal("1e-5"))
                    if len(chosen) > 1:
                        ambiguous.add("thickness_tie")
                    boxes += [enclosing(f"parallel{k + 1}", children[k].axes, children) for k in chosen]
                    continue
                longest = within(list(zip(("E", "a1", "a2"), lengths)), Decimal("1e-5"))
                if len(longest) > 1:
                    ambiguous.add("length_tie")
                for name in longest:
                    first = {"E": e, "a1": a1, "a2": a2}[name]
                    # Eq. 2, orthogonalised again: the rounded axes of the input are not exactly perpendicular.
                    first = unit(first)
                    second = unit(sub(n, mul(dot(n, first), first)))
                    boxes.append(enclosing(name, [first, second, cross(first, second)], children))
    return boxes, said


def answer(b1, b2, joint):
    with localcontext() as context:
        context.prec = 50
        children, ambiguous = [Child(b, [Decimal(x) for x in joint]) for b in (b1, b2)], set()
        boxes, said = merged(children, ambiguous)
        result = {**boxes[0], **said, "ambiguous": sorted(ambiguous)}
        others = [b for i, b in enumerate(boxes) if i and b not in boxes[:i]]
        return {**result, "alternatives": others} if ambiguous else result


def draw(rng, kind):
    # Both limbs start at the joint: the first along -x, the second along +x, rotated by the bend.
    bend = {"straight": 0.0, "straight_rolled": 0.0, "nearly_straight": rng.uniform(1e-4, 3e-3),
            "folded": rng.uniform(2.9, 3.13), "folded_exact": 3.141592653589793, "near_60": 2.0944 + rng.gauss(0, 1e-3),
            "near_tolerance": 0.004472 * rng.uniform(0.9, 1.1), "bend_small": rng.uniform(0.1, 1.0),
            "bend_large": rng.uniform(1.2, 2.6)}.get(kind, rng.uniform(0.05, 3.0))
    h1 = [rng.uniform(1, 2), rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.8)]
    h2 = [rng.uniform(1, 2), rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.8)]
    if kind == "a1_longest":
        h1[0], bend = 2 * h2[0], rng.uniform(2.2, 3.0)
    if kind == "a2_longest":
        h2[0], bend = 2 * h1[0], rng.uniform(2.2, 3.0)
    if kind == "near_60":
        h2[0] = h1[0]
    if kind == "cube_tie":
        h1, h2 = [h1[0]] * 3, [h2[0]] * 3
    if kind == "cube_one":
        h1 = [h1[0]] * 3
    if kind == "flat":
        h1[2] = h2[2] = 0.0
    if kind == "line":
        h1[1:], h2[1:] = [0.0] * 2, [0.0] * 2
    turn = rotation(rng)
    if kind in ("straight", "folded_exact"):
        turn = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    across = {"straight": (1.0, 0.0)}.get(kind, None) or (rng.gauss(0, 1), rng.gauss(0, 1))
    length = (across[0] ** 2 + across[1] ** 2) ** 0.5
    u1 = [-1.0, 0.0, 0.0]
    u2 = [cos(bend), sin(bend) * across[0] / length, sin(bend) * across[1] / length]
    if kind == "folded_exact":
        u2 = [-1.0, 0.0, 0.0]

    def frame(u, roll):
        side = [0.0, cos(roll), sin(roll)]
        v = sub(side, mul(dot(side, u), u))
        v = mul(1 / dot(v, v) ** 0.5, v)
        return [list(u), list(v), list(cross(u, v))]

    rolls = [0.0, 0.0] if kind in ("straight", "folded_exact") else [rng.uniform(0, 6.28), rng.uniform(0, 6.28)]
    joint = [rng.uniform(-1, 1) for _ in range(3)]
    scale = {"small_scale": 1e-2, "large_scale": 1e2}.get(kind, 1.0)
    if kind == "offset":
        joint = [rng.uniform(-100, 100) for _ in range(3)]
    children = []
    for u, h, roll in ((u1, h1, rolls[0]), (u2, h2, rolls[1])):
        reach = h[0] * {"overlap_joint": 0.7, "lateral_joint": 0.0}.get(kind, 1.0)
        center = [j + reach * x + (0.5 * y if kind == "lateral_joint" else 0.0)
                  for j, x, y in zip(joint, u, frame(u, roll)[1])]
        order = rng.sample(range(3), 3) if kind == "major_permuted" else range(3)
        columns = [times(turn, frame(u, roll)[k]) for k in order]
        children.append(box([scale * x for x in times(turn, center)], [scale * h[k] for k in order], columns))
    return (*children, f32v(scale * x for x in times(turn, joint)))


def cases(rng):
    for i in range(COUNT):
        kind = KINDS[i % len(KINDS)]
        b1, b2, joint = draw(rng, kind)
        yield {"class": kind, "b1": b1, "b2": b2, "joint": joint, **answer(b1, b2, joint)}
