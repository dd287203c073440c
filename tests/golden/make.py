"""Writes golden answers into a folder: python3 make.py FOLDER [SEED]

Each file has random inputs for one query of the library, and their correct results. The results come from different
methods than the library's. Methods that decide a yes or no do not round. README.md describes each file. The same seed
gives the same files.
"""

import json
import multiprocessing
import random
import struct
import sys
from pathlib import Path

import boxes
import clips
import cones
import hulls
import merges
import meshes
import triangles

FILES = {
    "obb_obb": boxes.cases,
    "point_triangle": triangles.point_cases,
    "sphere_triangle": triangles.sphere_cases,
    "segment_triangle": triangles.segment_cases,
    "triangle_triangle": triangles.pair_cases,
    "round_cone_triangle": cones.cases,
    "convex_convex": hulls.cases,
    "mesh_sdf": meshes.cases,
    "cab_merge": merges.cases,
    "mobb": clips.cases,
}
INPUTS = {"a", "b", "b1", "b2", "joint", "point", "tri", "seg", "centre", "radius", "ra", "rb", "dt"}


def check_input(value):
    """Fails unless every input is a float32, so that programs with float and double read the same numbers."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        for each in value:
            check_input(each)
    else:
        assert struct.unpack("<f", struct.pack("<f", value))[0] == value, value


def write(folder, name, seed):
    rng = random.Random(f"{seed} {name}")
    make = FILES[name]
    with open(folder / f"{name}.jsonl", "w", encoding="ascii") as file:
        for number, case in enumerate(make(rng, folder) if name == "mesh_sdf" else make(rng)):
            for key in INPUTS & case.keys():
                if key != "centre" or name == "sphere_triangle":  # in a merge, `centre` is a result
                    check_input(case[key])
            file.write(json.dumps({"id": number, **case}, allow_nan=False, separators=(",", ":")) + "\n")


def main():
    folder = Path(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    (folder / "meshes").mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool() as pool:
        pool.starmap(write, [(folder, name, seed) for name in FILES])


if __name__ == "__main__":
    main()
