"""Times a batch query from Python beside the same query in C++, and compares the answers bit by bit.

    PYTHONPATH=build/release/python python3 vr/python/bench/nearest.py build/release/bin/glovebox_nearest

The mesh is a wavy ball of 32,768 triangles; the points are uniform in a cube of one and a half times its size. Runs
alternate, so that both see the same machine. The ratio is Python's median by C++'s; the spread is of the single pairs.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import glovebox as gb
import numpy as np


def wavy_ball(subdivisions):
    """An octahedron, divided and blown up: vertices (n, 3) in metres and triangles (m, 3)."""
    vertices = [np.array(v, float) for v in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1))]
    triangles = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]
    for _ in range(subdivisions):
        known, finer = {}, []
        for a, b, c in triangles:
            middle = []
            for u, v in ((a, b), (b, c), (c, a)):
                key = (min(u, v), max(u, v))
                if key not in known:
                    known[key] = len(vertices)
                    vertices.append(vertices[u] + vertices[v])
                    vertices[-1] /= np.linalg.norm(vertices[-1])
                middle.append(known[key])
            ab, bc, ca = middle
            finer += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        triangles = finer
    ball = np.array(vertices)
    return 0.1 * ball * (1 + 0.1 * np.sin(9 * ball[:, :1]) * np.cos(7 * ball[:, 1:2])), np.array(triangles)


def main():
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("program", help="glovebox_nearest of a Release build")
    options.add_argument("--points", type=int, default=1_000_000)
    options.add_argument("--runs", type=int, default=7)
    options.add_argument("--subdivisions", type=int, default=6, help="of an octahedron: 8 * 4^N triangles")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        mesh, points_file, answers = (Path(folder) / name for name in ("ball.obj", "points", "answers"))
        vertices, triangles = wavy_ball(given.subdivisions)
        with mesh.open("w") as out:
            for x, y, z in vertices:
                out.write(f"v {x:.9g} {y:.9g} {z:.9g}\n")
            for a, b, c in triangles + 1:
                out.write(f"f {a} {b} {c}\n")
        points = np.random.default_rng(0).uniform(-0.15, 0.15, (given.points, 3))
        points_file.write_bytes(points.tobytes())
        tree = gb.Mesh.load(mesh).tree()
        python_s, cpp_s, same = [], [], True
        for _ in range(given.runs):
            start = time.perf_counter()
            distance, nearest, triangle = tree.nearest(points)
            python_s.append(time.perf_counter() - start)
            told = subprocess.run([given.program, mesh, points_file, answers, "1"], capture_output=True, text=True, check=True)
            cpp_s.append(float(told.stdout))
            same = same and answers.read_bytes() == distance.tobytes() + nearest.tobytes() + triangle.tobytes()
    ratios = np.array(python_s) / np.array(cpp_s)
    print(f"{given.points} points, {len(triangles)} triangles, {given.runs} runs, {(distance < 0).mean():.2f} inside")
    for name, times_s in (("C++", cpp_s), ("Python", python_s)):
        per_point_ns = 1e9 * np.array(times_s) / given.points
        print(f"{name:7}{np.median(per_point_ns):8.0f} ns a point ({per_point_ns.min():.0f} to {per_point_ns.max():.0f})")
    print(f"ratio  {np.median(python_s) / np.median(cpp_s):8.2f} ({ratios.min():.2f} to {ratios.max():.2f})")
    print("answers the same bit by bit" if same else "answers differ")
    return 0 if same else 3


if __name__ == "__main__":
    sys.exit(main())
