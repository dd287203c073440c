"""mobb.jsonl: walkers as discs over time, all pairs of samples; times in fractions, rotations with 50 digits."""

from decimal import Decimal, localcontext
from fractions import Fraction
from math import cos, pi, sin

from exact import decimal, f32
from shapes import log_uniform

COUNT = 150
KINDS = ("random", "near_touch", "random_long", "half_offset", "floor_plus_one_only", "integer_offset",
         "near_integer_offset", "exact_touch", "no_time_overlap", "time_touch_end", "last_sample_overlap", "standing",
         "closed_loop", "one_sample", "leaf_boundary", "varying_radius", "identical", "large_time", "large_offset",
         "zero_radius")


def sine_cosine(angle):
    """Returns sine and cosine from their series, to 60 digits."""
    x, term, k = decimal(Fraction(angle)), Decimal(1), 0
    sums = [Decimal(0), Decimal(0)]  # cosine, sine
    while k < 20 or abs(term) > Decimal("1e-70"):
        sums[k % 2] += term if k // 2 % 2 == 0 else -term
        k += 1
        term *= x / k
    return sums[1], sums[0]


def world(clip):
    """Returns the samples' centres in the world."""
    s, c = sine_cosine(clip["angle"])
    ox, oy = (Decimal(x) for x in clip["offset"])
    return [(c * Decimal(x) - s * Decimal(y) + ox, s * Decimal(x) + c * Decimal(y) + oy) for x, y in clip["pos"]]


def deepest(a, b, offset, dt):
    """Evaluates every pair that shares an instant; `offset` is the start of b relative to that of a."""
    at_a, at_b = world(a), world(b)
    found = []
    for i, p in enumerate(at_a):
        # Intervals are half open: i dt + dt > offset + j dt, and vice versa.
        shared = [j for j in range(len(at_b)) if abs(offset + (j - i) * dt) < dt]
        for j in shared:
            q = at_b[j]
            distance = ((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2).sqrt()
            later = offset + j * dt > i * dt
            found.append((Decimal(a["r"][i]) + Decimal(b["r"][j]) - distance, i, j, later))
    return found


def answer(dt, a, b):
    with localcontext() as context:
        context.prec = 60
        step = Fraction(dt)
        offset = Fraction(b["t"]) - Fraction(a["t"])
        found = deepest(a, b, offset, step)
        best = max(found, default=None)
        hits = [f for f in found if f[0] > 0]
        whole = round(offset / step)
        ambiguous = offset / step != whole and abs(offset / step - whole) < Fraction(1, 100000)
        result = {"collide": bool(hits), "margin": float(best[0]) if best else None,
                  "pair": [best[1], best[2]] if best else None, "overlapping_pairs": len(found), "hits": len(hits),
                  "only_floor_plus_one": bool(hits) and all(f[3] for f in hits), "time_ambiguous": ambiguous}
        if ambiguous:
            again = max(deepest(a, b, whole * step, step), default=None)
            result.update(margin_rounded_time=float(again[0]) if again else None,
                          collide_rounded_time=bool(again) and again[0] > 0)
        return result


def dyadic(x):
    return round(1024 * x) / 1024


def walk(rng, n, speed=0.02):
    heading, x, y, samples = rng.uniform(0, 2 * pi), 0.0, 0.0, []
    for _ in range(n):
        samples.append([dyadic(x), dyadic(y)])
        heading += rng.gauss(0, 0.05)
        x, y = x + speed * cos(heading), y + speed * sin(heading)
    return samples


def clip(rng, pos, radius):
    return {"pos": pos, "r": [dyadic(radius)] * len(pos), "angle": f32(rng.uniform(0, 2 * pi)),
            "offset": [dyadic(rng.uniform(-1, 1)) for _ in range(2)], "t": f32(rng.uniform(0, 0.5))}


def draw(rng, kind):
    dt = 1 / 64
    count = {"random_long": 120, "one_sample": 1}.get(kind)
    sizes = [count or (rng.choice((9, 10, 11, 20, 21)) if kind == "leaf_boundary" else rng.randint(5, 50))
             for _ in range(2)]
    a, b = [clip(rng, walk(rng, n), rng.uniform(0.05, 0.9)) for n in sizes]
    if kind == "half_offset":
        b["t"] = a["t"] = dyadic(a["t"])
        b["t"] += dt / 2
    if kind in ("integer_offset", "near_integer_offset", "no_time_overlap", "time_touch_end", "last_sample_overlap",
                "exact_touch", "floor_plus_one_only"):
        a["t"] = dyadic(a["t"])
        b["t"] = a["t"] + rng.randint(0, 3) * dt
    if kind == "near_integer_offset":
        b["t"] = f32(b["t"] + rng.choice((-1, 1)) * 2.0**-24)
    if kind in ("no_time_overlap", "time_touch_end", "last_sample_overlap"):
        b["t"] = a["t"] + dt * (sizes[0] + {"no_time_overlap": 3, "time_touch_end": 0, "last_sample_overlap": -0.5}[kind])
    if kind == "exact_touch":
        # Two walkers that stand still and touch exactly: distance 5 k, radii 2 k and 3 k.
        k = rng.randint(1, 64) / 64
        for c in (a, b):
            c.update(pos=[[0.0, 0.0]] * len(c["pos"]), angle=0.0)
        a["offset"], b["offset"] = [0.0, 0.0], [3 * k, 4 * k]
        a["r"], b["r"] = [2 * k] * len(a["pos"]), [3 * k] * len(b["pos"])
    if kind == "floor_plus_one_only":
        # b is near in one sample only, which begins in the middle of a sample of a.
        b["t"] += dt / 2
        a.update(pos=[[0.0, 0.0]] * 12, r=[0.5] * 12, angle=0.0, offset=[0.0, 0.0])
        hit = rng.randrange(3, 9)
        b.update(pos=[[0.0 if j == hit else 9.0, 0.0] for j in range(12)], r=[0.25] * 12, angle=0.0, offset=[0.0, 0.0])
        a["r"] = [0.5 if (i - hit) * dt <= b["t"] - a["t"] else 0.0 for i in range(12)]
        b["r"] = [0.0] * 12 if rng.random() < 0.2 else b["r"]
    if kind == "standing":
        a["pos"] = [a["pos"][0]] * len(a["pos"])
    if kind == "closed_loop":
        n = len(a["pos"])
        a["pos"] = [[dyadic(cos(2 * pi * i / n)), dyadic(sin(2 * pi * i / n))] for i in range(n)]
    if kind == "varying_radius":
        for c in (a, b):
            c["r"] = [dyadic(rng.uniform(0.0, 0.9)) for _ in c["r"]]
    if kind == "identical":
        b = dict(a)
    if kind == "large_time":
        a["t"], b["t"] = f32(512 + a["t"]), f32(512 + b["t"])
    if kind == "large_offset":
        a["offset"], b["offset"] = [[x + 100 for x in c["offset"]] for c in (a, b)]
    if kind == "zero_radius":
        a["r"] = [0.0] * len(a["r"])
    if kind == "near_touch":
        margin = answer(dt, a, b)["margin"]
        if margin is not None:
            wanted = rng.choice((-1, 1)) * log_uniform(rng, 1e-6, 1e-2)
            a["r"] = [max(0.0, f32(r - margin + wanted)) for r in a["r"]]
    return dt, a, b


def cases(rng):
    for i in range(COUNT):
        kind = KINDS[i % len(KINDS)]
        dt, a, b = draw(rng, kind)
        yield {"class": kind, "dt": dt, "a": a, "b": b, **answer(dt, a, b)}
